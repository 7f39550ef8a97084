//! Matrices as tiles: panels of K are decoded, and every thread adds them to tiles of D.

use std::fmt;

use rayon::prelude::*;

use super::decode::Decoder;
use super::elements::{Elements, Matrix, each, encoding};
use super::kernel::Kernel;
use super::numbers::{Numbers, Target};
use super::panel::{COLUMNS, LANES, Layout, Order, PanelA, PanelB, ROWS, Singles};
use crate::describe::format::Format;
use crate::describe::instruction::{Instruction, Start};
use crate::describe::plan::FusedPlan;
use crate::engine::Matrices;
use crate::isa::Isa;

/// Places of K in a panel: 32 columns of B then take 48 KiB, and D is read and written once for so many.
const DEPTH: usize = 256;
/// Rows and columns of D that a thread takes at once, where there are enough.
const PART: [usize; 2] = [64, 128];

/// An instruction that the kernel computes.
pub struct Gemm {
    kernel: Kernel,
    numbers: Numbers,
    order: Order,
    a: Decoder,
    b: Decoder,
    c: Decoder,
    /// Bits of an encoding of a, b and c.
    widths: [u32; 3],
}

/// Without the tables of operands, which have an entry for every encoding.
impl fmt::Debug for Gemm {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_struct("Gemm").field("numbers", &self.numbers).finish_non_exhaustive()
    }
}

/// Some rows of D, and some columns of them.
struct Part<'a> {
    row: usize,
    column: usize,
    rows: Vec<&'a mut [u32]>,
}

impl Gemm {
    /// The instruction on the kernel of the most able level of instructions.
    ///
    /// # Errors
    /// Why the kernel does not compute it.
    pub fn of(instruction: &Instruction) -> Result<Gemm, String> {
        Gemm::on(instruction, Isa::best())
    }

    /// The instruction on the kernel of some level.
    ///
    /// # Errors
    /// As above.
    ///
    /// # Panics
    /// The processor lacks the level.
    pub fn on(instruction: &Instruction, isa: Isa) -> Result<Gemm, String> {
        instruction.validate().map_err(|error| error.to_string())?;
        let Some(fused) = instruction.unit.as_fused() else { return Err("it is no fused unit".to_owned()) };
        Gemm::with(instruction, Numbers::of(&FusedPlan::of(&fused))?, isa)
    }

    /// The instruction on the kernel of these numbers, its own or others, and of some level of instructions.
    ///
    /// # Errors
    /// As above.
    ///
    /// # Panics
    /// The processor lacks the level.
    pub fn with(instruction: &Instruction, numbers: Numbers, isa: Isa) -> Result<Gemm, String> {
        if instruction.final_addition.is_some() || instruction.start != Start::Addend {
            return Err("c is added at the end".to_owned());
        }
        let unit = &instruction.unit.formats;
        let (a, b) = if instruction.exchanged() { (&unit.b, &unit.a) } else { (&unit.a, &unit.b) };
        Ok(Gemm {
            order: Order::of(instruction),
            a: Decoder::new(&instruction.a, a)?,
            b: Decoder::new(&instruction.b, b)?,
            c: Decoder::new(&instruction.c, &unit.c)?,
            kernel: Kernel::new(numbers, isa),
            numbers,
            widths: [&instruction.a, &instruction.b, &instruction.c].map(Format::width),
        })
    }

    /// D of matrices whose sizes fit and whose K is a multiple of the instruction's. It runs on the threads of the pool that
    /// it is called from; `progress` is told products as they are done.
    ///
    /// # Panics
    /// The sizes do not fit each other, one is 0, or K is not a multiple of the instruction's.
    pub fn multiply(&self, a: &Matrix, b: &Matrix, c: &Matrix, progress: &(dyn Fn(u64) + Sync)) -> Matrix {
        let (m, n, k) = (a.rows, b.columns, a.columns);
        assert!(m > 0 && n > 0 && b.rows == k && c.rows == m && c.columns == n && k.is_multiple_of(self.order.step));
        let mut d = self.addends(c);
        let mut parts = parts(&mut d, m, n);
        let steps = k / self.order.step;
        let at_once = (DEPTH / self.order.places.len()).max(1);
        let (mut panel_a, mut panel_b) = (PanelA::default(), PanelB::default());
        for first in (0..steps).step_by(at_once) {
            let steps = at_once.min(steps - first);
            rayon::join(
                || panel_a.fill(a, &self.a, &self.order, first, steps),
                || panel_b.fill(b, &self.b, &self.order, first, steps),
            );
            let layout = self.layout(&mut panel_a, &mut panel_b);
            parts.par_iter_mut().for_each(|part| {
                self.add(layout, &panel_a, &panel_b, part);
                let elements: usize = part.rows.iter().map(|row| row.len()).sum();
                progress((elements * steps * self.order.step) as u64);
            });
        }
        drop(parts);
        Matrix { rows: m, columns: n, elements: self.results(d) }
    }

    /// The same of matrices that have a word for every element.
    ///
    /// # Panics
    /// As above, or a list has another number of elements than its matrix.
    pub fn encodings(&self, matrices: &Matrices) -> Vec<u64> {
        let Matrices { m, n, k, .. } = *matrices;
        let of = |width, rows, columns, list: &[u64]| Matrix { rows, columns, elements: Elements::of(width, list) };
        let a = of(self.widths[0], m, k, &matrices.a);
        let b = of(self.widths[1], k, n, &matrices.b);
        let c = of(self.widths[2], m, n, &matrices.c);
        let d = self.multiply(&a, &b, &c, &|_| {}).elements;
        (0..d.len()).map(|place| d.get(place)).collect()
    }

    /// Whole values where all products of the panels are exact, whatever the format could hold.
    fn layout(&self, a: &mut PanelA, b: &mut PanelB) -> Layout {
        let Numbers { exponents_a, exponents_b, .. } = self.numbers;
        let scale = self.numbers.scale(exponents_a, exponents_b);
        match scale.or_else(|| self.numbers.scale(a.range(), b.range())) {
            Some(scale) => Layout::Whole(scale),
            None => {
                let exponent = |exponent| self.kernel.exponent_apart(exponent);
                a.take_apart(exponent);
                b.take_apart(exponent);
                Layout::Apart
            }
        }
    }

    /// C in binary32.
    fn addends(&self, c: &Matrix) -> Vec<u32> {
        each!(&c.elements, list => {
            list.par_iter().map(|&bits| self.c.term(encoding(bits)).value.to_bits()).collect()
        })
    }

    /// Results as encodings.
    fn results(&self, d: Vec<u32>) -> Elements {
        match self.numbers.target {
            Target::Single { .. } => d.into(),
            Target::Half => {
                let mut halves = vec![0; d.len()];
                let chunks = d.par_chunks(LANES << 8).zip(halves.par_chunks_mut(LANES << 8));
                chunks.for_each(|(singles, halves)| self.kernel.halves(singles, halves));
                halves.into()
            }
        }
    }

    /// Adds the panels to a part of D: columns stay in the nearest cache while rows pass by.
    fn add(&self, layout: Layout, a: &PanelA, b: &PanelB, part: &mut Part) {
        let columns = part.rows[0].len();
        for from in (0..columns).step_by(COLUMNS) {
            let to = columns.min(from + COLUMNS);
            for (group, rows) in part.rows.chunks_mut(ROWS).enumerate() {
                // Beyond the end of D no block is a rare one.
                let mut tile = [[Singles([1.0; LANES]); 2]; ROWS];
                for (tile, row) in tile.iter_mut().zip(rows.iter()) {
                    tile.iter_mut().zip(row[from..to].chunks(LANES)).for_each(|(register, row)| register.load(row));
                }
                let own = (part.row / ROWS + group, (part.column + from) / COLUMNS);
                self.kernel.add(layout, (a, own.0), (b, own.1), &mut tile);
                for (tile, row) in tile.iter().zip(rows) {
                    tile.iter().zip(row[from..to].chunks_mut(LANES)).for_each(|(register, row)| register.store(row));
                }
            }
        }
    }
}

/// Cuts D into parts of whole tiles, small enough that every thread has some.
fn parts(d: &mut [u32], m: usize, n: usize) -> Vec<Part<'_>> {
    let [mut rows, mut columns] = PART;
    let enough = 4 * rayon::current_num_threads();
    while m.div_ceil(rows) * n.div_ceil(columns) < enough && (rows > ROWS || columns > COLUMNS) {
        if columns > COLUMNS { columns /= 2 } else { rows /= 2 }
    }
    let mut parts = Vec::new();
    for (band, lines) in d.chunks_mut(rows * n).enumerate() {
        let first = parts.len();
        for (number, line) in lines.chunks_mut(n).enumerate() {
            for (place, piece) in line.chunks_mut(columns).enumerate() {
                if number == 0 {
                    parts.push(Part { row: band * rows, column: place * columns, rows: Vec::new() });
                }
                parts[first + place].rows.push(piece);
            }
        }
    }
    parts
}
