//! What `tensorsmith gemm` shows of a product: D, and what computed it.

use std::path::Path;

use serde::Serialize;

use super::{Arguments, npy};
use crate::cli::output::say;
use crate::cli::{Failure, output};
use crate::describe::instruction::Instruction;
use crate::engine::gemm::Elements;
use crate::report::{Number, thousands};

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
    pub threads: usize,
    pub engines: Vec<Ran>,
    /// Encodings in hexadecimal, row by row, of the first engine.
    pub d: Option<Vec<Vec<String>>>,
    pub agreed: bool,
    /// Elements that were computed again, and those of them that differ.
    pub checked: u64,
    pub check_differed: u64,
}

/// Writes what was asked for: D as an array or as text, and what ran.
pub(super) fn show(arguments: &Arguments, instruction: &Instruction, mut product: Product) -> Result<(), Failure> {
    let format = instruction.d();
    let columns = product.n;
    let rows = |d: &Elements, shown: &dyn Fn(Number) -> String| -> Vec<Vec<String>> {
        let row =
            |row: usize| (0..columns).map(move |column| shown(Number { format, bits: d.get(row * columns + column) }));
        (0..d.len() / columns).map(|number| row(number).collect()).collect()
    };
    if let Some(path) = &arguments.out {
        npy::write(path, format, [product.m, columns], &product.engines[0].d)?;
    }
    if let Some(path) = &arguments.json {
        if arguments.out.is_none() {
            product.d = Some(rows(&product.engines[0].d, &|number| number.hexadecimal()));
        }
        output::json(path, &product)?;
        if path == Path::new("-") {
            return Ok(());
        }
    }
    if arguments.out.is_none() {
        let shown = |number: Number| if arguments.encodings { number.hexadecimal() } else { number.decimal() };
        rows(&product.engines[0].d, &shown).iter().for_each(|row| say!("{}", row.join(" ")));
    }
    let Product { m, n, k, .. } = product;
    for ran in &product.engines {
        let rate = ran.products_per_second / 1e6;
        eprintln!(
            "{}: {} ran {} elements, {m} x {n} x {k}, in {:.3} s, {rate:.1} M products/s: {} ({})",
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
        eprintln!("check: {checked} elements computed again, {differed} differ");
    }
    Ok(())
}
