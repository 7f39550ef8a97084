//! What `tensorsmith gemm` shows of a product: D, and what computed it.

use serde::{Serialize, Serializer};

use super::{Arguments, npy};
use crate::cli::operands::Conversion;
use crate::cli::output::{note, say};
use crate::cli::{Failure, output};
use tensorsmith::describe::format::Format;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::engine::gemm::Elements;
use tensorsmith::report::{Number, rate, thousands};

/// What one engine did.
#[derive(Serialize)]
pub(super) struct Ran {
    pub engine: String,
    pub version: String,
    pub path: String,
    pub seconds: f64,
    pub products_per_second: f64,
    #[serde(skip)]
    pub d: Elements,
}

#[derive(Serialize)]
pub(super) struct Product {
    pub instruction: String,
    pub m: usize,
    pub n: usize,
    pub k: usize,
    /// Places of K that hold zeros.
    pub padded: usize,
    /// Places of K after which sums are added in binary32.
    pub promote_every: Option<u32>,
    /// Parts of K that were asked for, whose sums are added in binary32.
    pub split_k: Option<u16>,
    /// Whether sums were added outside the unit.
    #[serde(skip)]
    pub outside: bool,
    pub conversion: Conversion,
    pub threads: usize,
    pub engines: Vec<Ran>,
    pub agreed: bool,
    /// Elements that were computed again, and those of them that differ.
    pub checked: u64,
    pub check_differed: u64,
}

/// A product with D, if that has no file.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    product: &'a Product,
    d: Option<Rows<'a>>,
}

/// D row by row. It may be large, and as text many times as large: no more than a number of it is ever text at once.
struct Rows<'a> {
    d: &'a Elements,
    rows: usize,
    columns: usize,
    format: &'a Format,
}

/// One of them.
struct Row<'a>(&'a Rows<'a>, usize);

impl Rows<'_> {
    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.rows).map(|number| Row(self, number))
    }
}

impl Row<'_> {
    fn numbers(&self) -> impl Iterator<Item = Number<'_>> {
        let Row(Rows { d, columns, format, .. }, number) = self;
        (number * columns..(number + 1) * columns).map(|place| Number { format, bits: d.get(place) })
    }
}

/// Encodings in hexadecimal.
impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows())
    }
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.numbers().map(|number| number.hexadecimal()))
    }
}

/// Writes what was asked for: D as an array or as text, and what ran.
pub(super) fn show(arguments: &Arguments, instruction: &Instruction, product: &Product) -> Result<(), Failure> {
    // Additions outside the unit fill all of binary32.
    let single = product.outside.then(Format::binary32);
    let format = single.as_ref().unwrap_or(instruction.d());
    let rows = || Rows { d: &product.engines[0].d, rows: product.m, columns: product.n, format };
    if let Some(path) = &arguments.out {
        npy::write(path, format, [product.m, product.n], &product.engines[0].d)?;
    }
    if let Some(path) = &arguments.json {
        output::json(path, &Whole { product, d: arguments.out.is_none().then(rows) })?;
        if output::is_standard_output(path) {
            return Ok(());
        }
    }
    if arguments.out.is_none() {
        let shown = |number: Number| if arguments.encodings { number.hexadecimal() } else { number.decimal() };
        rows().rows().for_each(|row| say!("{}", row.numbers().map(shown).collect::<Vec<_>>().join(" ")));
    }
    let &Product { m, n, k, .. } = product;
    for ran in &product.engines {
        let rate = rate(ran.products_per_second);
        note!(
            "{}: {} ran {} elements, {m} x {n} x {k}, in {:.3} s, products at {rate}: {} ({})",
            instruction.name,
            ran.engine,
            thousands((m * n) as u64),
            ran.seconds,
            ran.path,
            ran.version
        );
    }
    if product.checked > 0 {
        let (checked, differed) = (thousands(product.checked), thousands(product.check_differed));
        note!("check: {checked} elements computed again, {differed} differ");
    }
    Ok(())
}
