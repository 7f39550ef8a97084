//! Which vectors are asked: directed probes first, then shaped ones. Made from formats, sizes and hypotheses.

use crate::check::probe::{features, open_questions};
use crate::check::stimulus::{CHUNK, Stimulus};
use crate::describe::instruction::Instruction;
use crate::describe::unit::Unit;
use crate::engine::Batch;

/// Directed probes of every test that fits.
pub(super) fn probes(frame: &Unit) -> Batch {
    let mut batch = Batch::of_unit(frame);
    for test in features().into_iter().chain(open_questions()) {
        test.probes(frame).iter().for_each(|probe| batch.push(&probe.vector));
    }
    batch
}

/// `count` shaped vectors of a hypothesis, at most [`CHUNK`]. The chunk's number is part of what is drawn.
pub(super) fn shaped(hypothesis: &Instruction, seed: u64, chunk: u64, count: usize) -> Batch {
    let stimulus = Stimulus::shaped(&hypothesis.frame(), seed);
    let mut batch = stimulus.empty_batch();
    stimulus.fill(chunk, count.min(CHUNK), &mut batch);
    batch
}
