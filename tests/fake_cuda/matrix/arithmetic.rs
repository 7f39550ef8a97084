//! D = A B + C, element by element, as the catalogue's instruction answers through its emulator. No registers here.

use std::cell::RefCell;
use std::collections::HashMap;

use tensorsmith::describe::instruction::Instruction;
use tensorsmith::engine::{Batch, Engine, Kind, Opened};

use super::Shape;
use crate::driver::codes;
use crate::driver::config::Fault;
use crate::run::{KernelError, Outcome};

thread_local! {
    /// Opened emulators of this thread, by the names of their instructions.
    static EMULATORS: RefCell<HashMap<String, Box<dyn Engine>>> = RefCell::default();
}

/// Matrices of one multiplication: encodings, A and C row by row, B column by column.
pub struct Operands {
    pub shape: Shape,
    pub a: Vec<u64>,
    pub b: Vec<u64>,
    pub c: Vec<u64>,
}

impl Operands {
    /// Zeros.
    pub fn new(shape: Shape) -> Operands {
        let Shape { m, n, k } = shape;
        Operands { shape, a: vec![0; m * k], b: vec![0; n * k], c: vec![0; m * n] }
    }

    /// Where an element of A stands.
    pub fn a_mut(&mut self, row: usize, k: usize) -> &mut u64 {
        &mut self.a[row * self.shape.k + k]
    }

    pub fn b_mut(&mut self, k: usize, column: usize) -> &mut u64 {
        &mut self.b[column * self.shape.k + k]
    }

    pub fn c_mut(&mut self, row: usize, column: usize) -> &mut u64 {
        &mut self.c[row * self.shape.n + column]
    }

    /// B as it looks if its columns are taken for rows: the fault `transposed`.
    fn mistake_layout(&mut self) {
        let Shape { n, k, .. } = self.shape;
        let stored = self.b.clone();
        for column in 0..n {
            for row in 0..k {
                self.b[column * k + row] = stored[row * n + column];
            }
        }
    }

    /// D, row by row.
    pub fn multiply(mut self, instruction: &Instruction, fault: Option<Fault>) -> Outcome<Vec<u64>> {
        if fault == Some(Fault::Transposed) {
            self.mistake_layout();
        }
        let Shape { m, n, k } = self.shape;
        let mut batch = Batch::new(k as u32, 0);
        batch.resize(m * n);
        for v in 0..m * n {
            batch.a[v * k..][..k].copy_from_slice(&self.a[v / n * k..][..k]);
            batch.b[v * k..][..k].copy_from_slice(&self.b[v % n * k..][..k]);
        }
        batch.c.copy_from_slice(&self.c);
        let mut d = Vec::new();
        EMULATORS.with_borrow_mut(|emulators| {
            if !emulators.contains_key(&instruction.name) {
                emulators.insert(instruction.name.clone(), emulator(instruction)?);
            }
            let failed = |error: &dyn std::fmt::Display| KernelError::new(codes::UNKNOWN, format!("emulator: {error}"));
            let emulator = emulators.get_mut(&instruction.name).ok_or_else(|| failed(&"not kept"))?;
            emulator.run(&batch, &mut d).map_err(|error| failed(&error))
        })?;
        d.iter_mut().for_each(|word| *word &= instruction.d().mask());
        Ok(d)
    }
}

fn emulator(instruction: &Instruction) -> Outcome<Box<dyn Engine>> {
    let failed = |reason: String| KernelError::new(codes::UNKNOWN, format!("{}: {reason}", instruction.name));
    match Kind::Emulator.open_instruction(instruction) {
        Ok(Opened::Ready(engine)) => Ok(engine),
        Ok(Opened::Absent(reason)) => Err(failed(reason.to_string())),
        Err(error) => Err(failed(error.to_string())),
    }
}
