//! Operands of some blocks of K, decoded once and laid out as the kernel reads them: rows of A four at a time, columns of B
//! 32 at a time, places of K one after the other.

use rayon::prelude::*;

use super::decode::{Decoder, Term, exponent_of_number};
use super::elements::{Matrix, each, encoding};
use super::numbers::{Exponents, Scale};
use crate::describe::instruction::Instruction;

/// Rows of a tile of D.
pub(super) const ROWS: usize = 4;
/// Columns of a tile of D: two registers of 16 lanes.
pub(super) const COLUMNS: usize = 2 * LANES;
pub(super) const LANES: usize = 16;

/// A register of binary32.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Singles(pub [f32; LANES]);

impl Singles {
    /// Takes the first lanes from bits of binary32, all of them where there are enough.
    #[inline]
    pub fn load(&mut self, bits: &[u32]) {
        match <&[u32; LANES]>::try_from(bits) {
            Ok(bits) => self.0 = bits.map(f32::from_bits),
            Err(_) => self.0.iter_mut().zip(bits).for_each(|(lane, &bits)| *lane = f32::from_bits(bits)),
        }
    }

    /// The other way.
    #[inline]
    pub fn store(&self, bits: &mut [u32]) {
        match <&mut [u32; LANES]>::try_from(&mut *bits) {
            Ok(bits) => *bits = self.0.map(f32::to_bits),
            Err(_) => bits.iter_mut().zip(&self.0).for_each(|(bits, lane)| *bits = lane.to_bits()),
        }
    }
}

/// A register of exponents.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Exponents16(pub [i16; COLUMNS]);

/// What one step of an instruction does with its indices of K: blocks in their order, each filled up with places that hold
/// zero.
pub(super) struct Order {
    pub places: Vec<Option<usize>>,
    /// K of the instruction.
    pub step: usize,
}

impl Order {
    pub fn of(instruction: &Instruction) -> Order {
        let products = instruction.unit.products as usize;
        let whole = |block: Vec<usize>| {
            let missing = products - block.len();
            block.into_iter().map(Some).chain(std::iter::repeat_n(None, missing))
        };
        let places = instruction.blocks().into_iter().flat_map(whole).collect();
        Order { places, step: instruction.shape.k as usize }
    }

    /// Places of `steps` steps from one on: indices of K.
    fn indices(&self, first: usize, steps: usize) -> impl Iterator<Item = Option<usize>> + '_ {
        let step =
            move |step| self.places.iter().map(move |place| place.map(|place| (first + step) * self.step + place));
        (0..steps).flat_map(step)
    }
}

/// Rows of A.
#[derive(Default)]
pub(super) struct PanelA {
    /// Places of K in it.
    pub depth: usize,
    pub values: Vec<[f32; ROWS]>,
    /// Each exponent twice, so that it fills a register of 16-bit lanes as a number of 32 bits.
    pub exponents: Vec<[u32; ROWS]>,
    /// Exponents beside values that are significands, as the kernel takes them; empty beside whole values.
    pub apart: Vec<[f32; ROWS]>,
}

/// Columns of B.
#[derive(Default)]
pub(super) struct PanelB {
    pub depth: usize,
    pub values: Vec<[Singles; 2]>,
    pub exponents: Vec<Exponents16>,
    pub apart: Vec<[Singles; 2]>,
}

/// The addends of a tile in binary32, then its results: rows of two registers.
pub(super) type Tile = [[Singles; 2]; ROWS];

/// The rows of one tile, place by place of K; `apart` is empty beside whole values.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub values: &'a [[f32; ROWS]],
    pub exponents: &'a [[u32; ROWS]],
    pub apart: &'a [[f32; ROWS]],
}

/// The columns of one tile.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a> {
    pub values: &'a [[Singles; 2]],
    pub exponents: &'a [Exponents16],
    pub apart: &'a [[Singles; 2]],
}

/// How the kernel finds the place of a product on the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// Whole values, whose products are exact in binary32.
    Whole(Scale),
    /// Significands and exponents apart.
    Apart,
}

impl PanelA {
    pub fn fill(&mut self, matrix: &Matrix, decoder: &Decoder, order: &Order, first: usize, steps: usize) {
        let groups = matrix.rows.div_ceil(ROWS);
        let depth = steps * order.places.len();
        self.depth = depth;
        self.values.resize(groups * self.depth, [0.0; ROWS]);
        self.exponents.resize(groups * self.depth, [0; ROWS]);
        self.apart.clear();
        let chunks = self.values.par_chunks_mut(self.depth).zip(self.exponents.par_chunks_mut(self.depth));
        chunks.enumerate().for_each(|(group, (values, exponents))| {
            for row in 0..ROWS {
                let source = group * ROWS + row;
                let mut put = |place: usize, term: Term| {
                    values[place][row] = term.value;
                    exponents[place][row] = u32::from(term.exponent as u16) * 0x1_0001;
                };
                if source >= matrix.rows {
                    (0..depth).for_each(|place| put(place, Term::ZERO));
                    continue;
                }
                each!(&matrix.elements, list => {
                    let list = &list[source * matrix.columns..][..matrix.columns];
                    for (place, index) in order.indices(first, steps).enumerate() {
                        put(place, index.map_or(Term::ZERO, |index| decoder.term(encoding(list[index]))));
                    }
                });
            }
        });
    }

    /// Exponents of all numbers in it.
    pub fn range(&self) -> Exponents {
        let all = self.exponents.par_iter().flat_map_iter(|row| row.iter().map(|&twice| twice as u16 as i16));
        range(all)
    }

    /// Takes values apart.
    pub fn take_apart(&mut self, apart_of: impl Fn(i32) -> f32 + Sync) {
        self.apart.resize(self.values.len(), [0.0; ROWS]);
        let columns = self.apart.par_iter_mut().zip(&mut self.values).zip(&self.exponents);
        columns.for_each(|((apart, values), exponents)| {
            for row in 0..ROWS {
                (values[row], apart[row]) = parts(values[row], exponents[row] as u16 as i16, &apart_of);
            }
        });
    }

    /// The rows of one tile.
    pub fn rows(&self, group: usize) -> Rows<'_> {
        let own = group * self.depth..(group + 1) * self.depth;
        Rows {
            values: &self.values[own.clone()],
            exponents: &self.exponents[own.clone()],
            apart: self.apart.get(own).unwrap_or(&[]),
        }
    }
}

impl PanelB {
    pub fn fill(&mut self, matrix: &Matrix, decoder: &Decoder, order: &Order, first: usize, steps: usize) {
        let groups = matrix.columns.div_ceil(COLUMNS);
        self.depth = steps * order.places.len();
        self.values.resize(groups * self.depth, [Singles([0.0; LANES]); 2]);
        self.exponents.resize(groups * self.depth, Exponents16([Term::ZERO.exponent; COLUMNS]));
        self.apart.clear();
        let chunks = self.values.par_chunks_mut(self.depth).zip(self.exponents.par_chunks_mut(self.depth));
        chunks.enumerate().for_each(|(group, (values, exponents))| {
            let (from, count) = (group * COLUMNS, COLUMNS.min(matrix.columns - group * COLUMNS));
            for (place, index) in order.indices(first, steps).enumerate() {
                let mut terms = [Term::ZERO; COLUMNS];
                if let Some(index) = index {
                    each!(&matrix.elements, list => {
                        let list = &list[index * matrix.columns + from..][..count];
                        terms.iter_mut().zip(list).for_each(|(term, &bits)| *term = decoder.term(encoding(bits)));
                    });
                }
                for (lane, term) in terms.into_iter().enumerate() {
                    values[place][lane / LANES].0[lane % LANES] = term.value;
                    exponents[place].0[lane] = term.exponent;
                }
            }
        });
    }

    /// Exponents of all numbers in it.
    pub fn range(&self) -> Exponents {
        range(self.exponents.par_iter().flat_map_iter(|column| column.0.iter().copied()))
    }

    /// Takes values apart.
    pub fn take_apart(&mut self, apart_of: impl Fn(i32) -> f32 + Sync) {
        self.apart.resize(self.values.len(), [Singles([0.0; LANES]); 2]);
        let rows = self.apart.par_iter_mut().zip(&mut self.values).zip(&self.exponents);
        rows.for_each(|((apart, values), exponents)| {
            for (lane, &exponent) in exponents.0.iter().enumerate() {
                let (half, lane) = (lane / LANES, lane % LANES);
                (values[half].0[lane], apart[half].0[lane]) = parts(values[half].0[lane], exponent, &apart_of);
            }
        });
    }

    /// The columns of one tile.
    pub fn columns(&self, group: usize) -> Columns<'_> {
        let own = group * self.depth..(group + 1) * self.depth;
        Columns {
            values: &self.values[own.clone()],
            exponents: &self.exponents[own.clone()],
            apart: self.apart.get(own).unwrap_or(&[]),
        }
    }
}

fn range(exponents: impl ParallelIterator<Item = i16>) -> Exponents {
    let each = |exponent| match exponent_of_number(exponent) {
        Some(exponent) => Exponents { min: exponent, max: exponent },
        None => Exponents::NONE,
    };
    exponents.map(each).reduce(|| Exponents::NONE, Exponents::and)
}

/// A number's significand, and its exponent as the kernel takes it. What is no number stays as it is.
fn parts(value: f32, exponent: i16, apart: impl Fn(i32) -> f32) -> (f32, f32) {
    match exponent_of_number(exponent) {
        Some(exponent) => ((f64::from(value) * 2f64.powi(-exponent)) as f32, apart(exponent)),
        None => (value, 0.0),
    }
}
