//! Whole matrices through an instruction, D = A B + C: every element is one dot product of the instruction, and where K is
//! longer than the instruction's, d is the c of the next one, as a programmer accumulates.

use thiserror::Error;

use super::conversion::Conversion;
use super::{Batch, Composed, Engine, EngineError, Vector};
use crate::describe::format::{Format, Overflow, Rounding};
use crate::describe::instruction::Instruction;

/// Why matrices were not multiplied.
#[derive(Debug, Error)]
pub enum MatrixError {
    #[error("{dimension} is {value}; allowed: {allowed}")]
    Dimension { dimension: &'static str, value: usize, allowed: String },
    #[error("{matrix} has {found} elements; allowed: {expected}, that is {dimensions}")]
    Size { matrix: &'static str, found: usize, expected: usize, dimensions: String },
    #[error("{matrix}[{row}][{column}] is {value:#x}; allowed: encodings of {format}, of {width} bits")]
    Element { matrix: &'static str, row: usize, column: usize, value: u64, format: String, width: u32 },
    #[error(
        "engine {engine} computes another unit; allowed: an engine of {instruction}, as Composed::emulated makes it"
    )]
    OtherUnit { engine: &'static str, instruction: String },
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Operands of D = A B + C: encodings row by row, A m x k, B k x n, C m x n.
///
/// ```
/// use tensorsmith_numerics::describe::catalogue;
/// use tensorsmith_numerics::engine::Matrices;
///
/// // One row times two columns, of ones in binary16; K is 8, two blocks of the instruction.
/// let instruction = catalogue::instruction("volta-mma-m8n8k4-fp16-fp32").expect("an instruction");
/// let matrices = Matrices { m: 1, n: 2, k: 8, a: vec![0x3c00; 8], b: vec![0x3c00; 16], c: vec![0; 2], ..Matrices::default() };
/// let d = instruction.multiply(&matrices)?;
/// assert_eq!(d.iter().map(|&bits| instruction.d().to_f64(bits)).collect::<Vec<f64>>(), [8.0, 8.0]);
/// # Ok::<(), tensorsmith_numerics::engine::MatrixError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matrices {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub a: Vec<u64>,
    pub b: Vec<u64>,
    pub c: Vec<u64>,
    /// Scales of A, m x k / block, and of B, k / block x n; empty where the instruction has none.
    pub scale_a: Vec<u64>,
    pub scale_b: Vec<u64>,
}

impl Instruction {
    /// D = A B + C, m x n, row by row, as the instruction computes it, on its emulator.
    ///
    /// # Errors
    /// The instruction is not valid, a dimension does not fit the others or the instruction, or an element is no encoding.
    pub fn multiply(&self, matrices: &Matrices) -> Result<Vec<u64>, MatrixError> {
        matrices.multiply(self, Composed::emulated_wide(self).as_mut())
    }
}

/// Elements of D that go to the engine at once.
const ELEMENTS: usize = 4096;

impl Matrices {
    /// D, m x n, row by row, on an engine of the instruction: [`Instruction::multiply`] needs none. D holds results alone: flags of a
    /// unit that has them are left out.
    ///
    /// # Errors
    /// A dimension does not fit the others or the instruction, an element is no encoding, the engine computes another unit or
    /// instruction, or the engine failed.
    pub fn multiply(&self, instruction: &Instruction, engine: &mut dyn Engine) -> Result<Vec<u64>, MatrixError> {
        self.check(instruction)?;
        if !engine.computes(instruction) {
            let instruction = instruction.name.clone();
            return Err(MatrixError::OtherUnit { engine: engine.name(), instruction });
        }
        if let Some(d) = engine.multiply(self)? {
            if d.len() != self.m * self.n {
                let message = format!("{} elements of D; allowed: m x n = {} x {}", d.len(), self.m, self.n);
                return Err(EngineError { engine: engine.name(), message }.into());
            }
            return Ok(d);
        }
        let steps = self.k / instruction.shape.k as usize;
        let chained = Conversion::new(instruction.d(), &instruction.c);
        let mut batch = Batch::of_interface(&instruction.interface());
        let (mut results, mut d) = (Vec::new(), Vec::with_capacity(self.m * self.n));
        for first in (0..self.m * self.n).step_by(ELEMENTS) {
            let count = ELEMENTS.min(self.m * self.n - first);
            batch.resize(count);
            batch.c.copy_from_slice(&self.c[first..][..count]);
            for step in 0..steps {
                if let (Some(chained), 1..) = (&chained, step) {
                    batch.c.iter_mut().zip(&results).for_each(|(c, &d)| *c = chained.apply(d));
                }
                self.gather(first, step, &mut batch);
                engine.run(&batch, &mut results)?;
                results.iter_mut().for_each(|word| *word &= instruction.d().mask());
            }
            d.extend_from_slice(&results);
        }
        Ok(d)
    }

    /// The rows of A and columns of B for the batch's elements of D, from `first` on: the indices of K of one step.
    fn gather(&self, first: usize, step: usize, batch: &mut Batch) {
        let (products, scales) = (batch.products() as usize, batch.scales() as usize);
        let all_scales = scales * (self.k / products);
        for v in 0..batch.len() {
            let (row, column) = ((first + v) / self.n, (first + v) % self.n);
            for s in 0..scales {
                let block = step * scales + s;
                batch.scale_a[v * scales + s] = self.scale_a[row * all_scales + block];
                batch.scale_b[v * scales + s] = self.scale_b[block * self.n + column];
            }
            for i in 0..products {
                let k = step * products + i;
                batch.a[v * products + i] = self.a[row * self.k + k];
                batch.b[v * products + i] = self.b[k * self.n + column];
            }
        }
    }

    /// One step of one element as a vector: row of A, column of B, and C, or what the step before answered.
    pub fn dot_product(
        &self,
        instruction: &Instruction,
        row: usize,
        column: usize,
        step: usize,
        before: Option<u64>,
    ) -> Vector {
        let place = row * self.n + column;
        let mut batch = Batch::of_interface(&instruction.interface());
        batch.resize(1);
        self.gather(place, step, &mut batch);
        let d = instruction.d();
        let chained = |before: u64| Conversion::new(d, &instruction.c).map(|chained| chained.apply(before & d.mask()));
        batch.c[0] = before.and_then(chained).unwrap_or(self.c[place]);
        batch.vector(0)
    }

    fn check(&self, instruction: &Instruction) -> Result<(), MatrixError> {
        check_dimensions(instruction, [self.m, self.n, self.k])?;
        let own = instruction.shape.k as usize;
        self.check_elements("A", &self.a, ("m", self.m), ("k", self.k), &instruction.a)?;
        self.check_elements("B", &self.b, ("k", self.k), ("n", self.n), &instruction.b)?;
        self.check_elements("C", &self.c, ("m", self.m), ("n", self.n), &instruction.c)?;
        let interface = instruction.interface();
        let (blocks, none) = (self.k / own * interface.scale_count() as usize, &instruction.a);
        let [format_a, format_b] = interface.scales.as_ref().map_or([none; 2], |scales| [&scales.a, &scales.b]);
        self.check_elements("the scales of A", &self.scale_a, ("m", self.m), ("blocks", blocks), format_a)?;
        self.check_elements("the scales of B", &self.scale_b, ("blocks", blocks), ("n", self.n), format_b)
    }

    fn check_elements(
        &self,
        matrix: &'static str,
        elements: &[u64],
        rows: (&str, usize),
        columns: (&str, usize),
        format: &Format,
    ) -> Result<(), MatrixError> {
        let expected = rows.1.saturating_mul(columns.1);
        if elements.len() != expected {
            let dimensions = format!("{} x {} = {} x {}", rows.0, columns.0, rows.1, columns.1);
            return Err(MatrixError::Size { matrix, found: elements.len(), expected, dimensions });
        }
        match elements.iter().position(|bits| bits & !format.mask() != 0) {
            None => Ok(()),
            Some(place) => Err(MatrixError::Element {
                matrix,
                row: place / columns.1,
                column: place % columns.1,
                value: elements[place],
                format: format.name.clone(),
                width: format.width(),
            }),
        }
    }
}

/// D where K is 0: C, of which those elements that d does not hold are rounded to nearest.
pub fn without_products(instruction: &Instruction, c: &[u64]) -> Vec<u64> {
    let (own, d) = (&instruction.c, instruction.d());
    let rounded = |bits| d.from_f64(own.to_f64(bits), Rounding::NearestEven, Overflow::Infinity);
    match Conversion::new(own, d) {
        _ if own.is_absent() => vec![d.zero(false); c.len()],
        Some(exact) => c.iter().map(|&bits| exact.apply(bits)).collect(),
        None => c.iter().map(|&bits| rounded(bits)).collect(),
    }
}

/// Whether there are such matrices for an instruction.
///
/// # Errors
/// A dimension is 0, or K does not fit the instruction.
pub fn check_dimensions(instruction: &Instruction, [m, n, k]: [usize; 3]) -> Result<(), MatrixError> {
    for (dimension, value) in [("m", m), ("n", n), ("k", k)] {
        if value == 0 {
            return Err(MatrixError::Dimension { dimension, value, allowed: "at least 1".to_owned() });
        }
    }
    let own = instruction.shape.k as usize;
    let refuse = |allowed: String| Err(MatrixError::Dimension { dimension: "k", value: k, allowed });
    if !k.is_multiple_of(own) {
        return refuse(format!("multiples of {own}, the k of {}", instruction.name));
    }
    if k > own && !instruction.c.holds(instruction.d()) {
        let (c, d) = (&instruction.c.name, &instruction.d().name);
        return refuse(format!("{own}: a result of {} is {d}, and its addend {c} cannot hold that", instruction.name));
    }
    Ok(())
}
