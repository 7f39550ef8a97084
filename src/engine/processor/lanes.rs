//! Vector instructions: one dot product a lane.

use super::block::{Lanes, pack};
use super::kernels::Vectors;
use super::{LaneOperation, Operation, Setup};
use crate::engine::Batch;

/// One vector instruction, repeated where a dot product has more products than it takes.
pub struct LaneEngine {
    vectors: Vectors,
    /// Products that one instruction adds.
    step: usize,
    /// Bits of an operand a or b, and of c.
    bits: [u32; 2],
    mxcsr: u32,
    /// Flags of MXCSR raised so far.
    pub raised: u32,
    lanes: Box<Lanes>,
}

impl LaneEngine {
    /// Opens the instruction.
    ///
    /// # Errors
    /// Why this machine cannot answer.
    pub fn open(operation: LaneOperation, setup: Setup) -> Result<LaneEngine, String> {
        let (operand, result) = (Operation::Lane(operation).operand(), Operation::Lane(operation).result());
        Ok(LaneEngine {
            vectors: Vectors::open(operation)?,
            step: (result.width() / operand.width()) as usize,
            bits: [operand.width(), result.width()],
            mxcsr: setup.mxcsr,
            raised: 0,
            lanes: Box::default(),
        })
    }

    pub fn run(&mut self, batch: &Batch, results: &mut [u64]) {
        let [operand, result] = self.bits;
        let lanes = (512 / result) as usize;
        for first in (0..batch.len()).step_by(lanes) {
            let own = first..batch.len().min(first + lanes);
            pack(batch.c[own.clone()].iter().copied(), result, &mut self.lanes.c);
            for index in (0..batch.products() as usize).step_by(self.step) {
                let step = index..index + self.step;
                pack(own.clone().flat_map(|v| &batch.a(v)[step.clone()]).copied(), operand, &mut self.lanes.a);
                pack(own.clone().flat_map(|v| &batch.b(v)[step.clone()]).copied(), operand, &mut self.lanes.b);
                self.raised |= self.vectors.run(&mut self.lanes, self.mxcsr);
            }
            for (lane, d) in results[own].iter_mut().enumerate() {
                *d = match result {
                    64 => u64::from(self.lanes.c[2 * lane]) | u64::from(self.lanes.c[2 * lane + 1]) << 32,
                    _ => self.lanes.c[lane].into(),
                };
            }
        }
    }
}
