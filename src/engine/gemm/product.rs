//! Whole matrices on any kind of engine: the kernel where it serves the instruction, else parts of D that all threads give to
//! engines of their own, else the engine's own way.

use std::sync::Mutex;

use rayon::prelude::*;

use super::{Chain, Elements, Gemm, Matrix};
use crate::describe::format::Format;
use crate::describe::instruction::Instruction;
use crate::describe::subject::Subject;
use crate::engine::{
    Absence, Batch, Composed, Engine, EngineError, Identity, Kind, Matrices, MatrixError, Opened, check_dimensions,
};

/// Rows and columns of D that an engine of one thread answers at once.
const PART: usize = 64;

/// An engine whose caller hears of it before each batch: a part of D may take long, and the caller may want to end.
struct Reporting<'a> {
    engine: Box<dyn Engine>,
    progress: &'a (dyn Fn(u64) + Sync),
}

impl Engine for Reporting<'_> {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn identity(&self) -> Identity {
        self.engine.identity()
    }

    fn computes(&self, instruction: &Instruction) -> bool {
        self.engine.computes(instruction)
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        (self.progress)(0);
        self.engine.run(batch, results)
    }

    fn multiply(&mut self, matrices: &Matrices) -> Result<Option<Vec<u64>>, EngineError> {
        self.engine.multiply(matrices)
    }
}

/// Operands of D = A B + C: A m x k, B k x n, C m x n.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operands {
    pub a: Matrix,
    pub b: Matrix,
    pub c: Matrix,
    /// Scales of A, m x blocks, and of B, blocks x n, where the instruction has them.
    pub scales: Option<[Matrix; 2]>,
}

/// D, and what computed it.
#[derive(Debug)]
pub struct Answer {
    pub d: Matrix,
    pub identity: Identity,
    /// Which of the ways to multiply, for people.
    pub path: String,
}

/// An answer, or the reason why there is none.
#[derive(Debug)]
pub enum Multiplied {
    Done(Answer),
    Absent(Absence),
}

impl Operands {
    /// Whether sizes and elements are those that an instruction takes.
    ///
    /// # Errors
    /// A dimension does not fit the others or the instruction, or an element is no encoding.
    pub fn check(&self, instruction: &Instruction) -> Result<(), MatrixError> {
        let [m, n, k] = self.sizes();
        // D may be empty.
        check_dimensions(instruction, [m.max(1), n.max(1), k])?;
        check("A", &self.a, ("m", m), ("k", k), &instruction.a)?;
        check("B", &self.b, ("k", k), ("n", n), &instruction.b)?;
        check("C", &self.c, ("m", m), ("n", n), &instruction.c)?;
        let interface = instruction.interface();
        let blocks = k / instruction.shape.k as usize * interface.scale_count() as usize;
        let Some(scales) = &interface.scales else { return Ok(()) };
        let none = Matrix { rows: 0, columns: 0, elements: Elements::zeros(8, 0) };
        let [a, b] = self.scales.as_ref().map_or([&none, &none], |[a, b]| [a, b]);
        check("the scales of A", a, ("m", m), ("blocks", blocks), &scales.a)?;
        check("the scales of B", b, ("blocks", blocks), ("n", n), &scales.b)
    }

    /// m, n and k.
    pub fn sizes(&self) -> [usize; 3] {
        [self.a.rows, self.b.columns, self.a.columns]
    }

    /// Products of D.
    pub fn products(&self) -> u64 {
        self.sizes().iter().map(|&size| size as u64).product()
    }

    /// D by engines of a kind, on the threads of the pool that this is called from. `progress` is told products as they are
    /// done.
    ///
    /// # Errors
    /// The operands do not fit the instruction, or an engine failed.
    pub fn multiply(
        &self,
        instruction: &Instruction,
        kind: Kind,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Multiplied, MatrixError> {
        self.check(instruction)?;
        let mut engine = match kind.open_instruction(instruction)? {
            Opened::Ready(engine) => Reporting { engine, progress },
            Opened::Absent(reason) => return Ok(Multiplied::Absent(reason)),
        };
        let threads = rayon::current_num_threads();
        let [m, n, _] = self.sizes();
        let (d, path) = match kind {
            _ if m == 0 || n == 0 => {
                let elements = Elements::zeros(instruction.d().width(), 0);
                (Matrix { rows: m, columns: n, elements }, "no element to compute".to_owned())
            }
            Kind::Wide => match (Gemm::of(instruction), Chain::of(instruction)) {
                (Ok(gemm), _) => {
                    let d = gemm.multiply(&self.a, &self.b, &self.c, progress);
                    (d, format!("the matrix kernel on {threads} threads"))
                }
                (_, Ok(chain)) => {
                    let d = chain.multiply(&self.a, &self.b, &self.c, progress);
                    (d, format!("the processor's own operations on {threads} threads"))
                }
                (Err(reason), _) => {
                    let vectors = engine.engine.details().remove("path").unwrap_or_default();
                    let d = self.in_parts(instruction, kind, progress)?;
                    (d, format!("{vectors}, on {threads} threads; no matrix kernel: {reason}"))
                }
            },
            Kind::Emulator | Kind::Reference => {
                (self.in_parts(instruction, kind, progress)?, format!("one vector at a time on {threads} threads"))
            }
            _ => {
                let d = self.part(instruction, [0, m], [0, n]).multiply(instruction, &mut engine)?;
                (Matrix::of(instruction.d(), m, n, &d), "one engine for all of D".to_owned())
            }
        };
        Ok(Multiplied::Done(Answer { d, identity: engine.identity(), path }))
    }

    fn in_parts(
        &self,
        instruction: &Instruction,
        kind: Kind,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Matrix, MatrixError> {
        let [m, n, k] = self.sizes();
        let d = Matrix { rows: m, columns: n, elements: Elements::zeros(instruction.d().width(), m * n) };
        let d = Mutex::new(d);
        let parts: Vec<[usize; 2]> =
            (0..m).step_by(PART).flat_map(|row| (0..n).step_by(PART).map(move |column| [row, column])).collect();
        let subject = Subject::from(instruction.clone());
        let open = || kind.open_another(&subject).map(|engine| Reporting { engine, progress });
        parts.into_par_iter().try_for_each_init(open, |engine, [row, column]| -> Result<(), MatrixError> {
            let engine = engine.as_mut().map_err(|error| error.clone())?;
            // Whoever wants to end does not wait until the operands of every part are gathered.
            progress(0);
            let (rows, columns) = ([row, m.min(row + PART)], [column, n.min(column + PART)]);
            let results = self.part(instruction, rows, columns).multiply(instruction, engine)?;
            let mut d = d.lock().expect("no thread has panicked");
            let width = columns[1] - column;
            for (place, &result) in results.iter().enumerate() {
                d.elements.set((row + place / width) * n + column + place % width, result);
            }
            drop(d);
            progress((results.len() * k) as u64);
            Ok(())
        })?;
        Ok(d.into_inner().expect("no thread has panicked"))
    }

    /// The operands of some rows and columns of D.
    pub(super) fn part(&self, instruction: &Instruction, rows: [usize; 2], columns: [usize; 2]) -> Matrices {
        let cut = |matrix: &Matrix, rows: [usize; 2], columns: [usize; 2]| -> Vec<u64> {
            (rows[0]..rows[1])
                .flat_map(|row| (columns[0]..columns[1]).map(move |column| matrix.get(row, column)))
                .collect()
        };
        let k = self.a.columns;
        let (mut scale_a, mut scale_b) = (Vec::new(), Vec::new());
        if let (Some([a, b]), Some(_)) = (&self.scales, &instruction.unit.scales) {
            scale_a = cut(a, rows, [0, a.columns]);
            scale_b = cut(b, [0, b.rows], columns);
        }
        Matrices {
            m: rows[1] - rows[0],
            n: columns[1] - columns[0],
            k,
            a: cut(&self.a, rows, [0, k]),
            b: cut(&self.b, [0, k], columns),
            c: cut(&self.c, rows, columns),
            scale_a,
            scale_b,
        }
    }

    /// One element of D by the scalar emulator, steps of K one after the other.
    ///
    /// # Errors
    /// The operands do not fit the instruction.
    pub fn element(&self, instruction: &Instruction, row: usize, column: usize) -> Result<u64, MatrixError> {
        let mut emulator = Composed::emulated(instruction);
        let part = self.part(instruction, [row, row + 1], [column, column + 1]);
        Ok(part.multiply(instruction, emulator.as_mut())?[0])
    }
}

fn check(
    name: &'static str,
    matrix: &Matrix,
    rows: (&str, usize),
    columns: (&str, usize),
    format: &Format,
) -> Result<(), MatrixError> {
    let expected = rows.1.saturating_mul(columns.1);
    if (matrix.rows, matrix.columns) != (rows.1, columns.1) {
        let dimensions = format!("{} x {} = {} x {}", rows.0, columns.0, rows.1, columns.1);
        return Err(MatrixError::Size { matrix: name, found: matrix.elements.len(), expected, dimensions });
    }
    match matrix.elements.foreign(format) {
        None => Ok(()),
        Some((place, value)) => Err(MatrixError::Element {
            matrix: name,
            row: place / columns.1,
            column: place % columns.1,
            value,
            format: format.name.clone(),
            width: format.width(),
        }),
    }
}
