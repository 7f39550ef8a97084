//! Whole matrices of an engine that composes an instruction go to the matrix kernel, where it has the instruction.

use std::collections::BTreeMap;

use super::Gemm;
use crate::describe::instruction::Instruction;
use crate::engine::{Batch, Engine, EngineError, Identity, Matrices, Opened};

/// A composed instruction, and the kernel for its matrices.
struct WithMatrices {
    composed: Box<dyn Engine>,
    /// Until the first matrices come.
    instruction: Option<Instruction>,
    gemm: Option<Gemm>,
}

/// The engine with the kernel beside it.
pub fn with_matrices(instruction: &Instruction, opened: Opened) -> Opened {
    match opened {
        Opened::Ready(composed) => {
            Opened::Ready(Box::new(WithMatrices { composed, instruction: Some(instruction.clone()), gemm: None }))
        }
        Opened::Absent(absence) => Opened::Absent(absence),
    }
}

impl Engine for WithMatrices {
    fn name(&self) -> &'static str {
        self.composed.name()
    }

    fn identity(&self) -> Identity {
        self.composed.identity()
    }

    fn details(&self) -> BTreeMap<String, String> {
        self.composed.details()
    }

    fn computes(&self, instruction: &Instruction) -> bool {
        self.composed.computes(instruction)
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        self.composed.run(batch, results)
    }

    fn multiply(&mut self, matrices: &Matrices) -> Result<Option<Vec<u64>>, EngineError> {
        if let Some(instruction) = self.instruction.take() {
            self.gemm = Gemm::of(&instruction).ok();
        }
        match &self.gemm {
            Some(gemm) => Ok(Some(gemm.encodings(matrices))),
            None => self.composed.multiply(matrices),
        }
    }
}
