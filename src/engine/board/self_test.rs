//! The test that a board makes of itself: golden vectors, and signatures of what its generator draws, as the emulator has them.

use tensorsmith_numerics::stimulus::Stimulus;

use super::generator::{Generator, Signature};
use super::layout::{Layout, Shape};
use super::link;
use crate::describe::unit::Unit;
use crate::emit::kit::SelfTest;
use crate::engine::{Batch, Emulator, Engine, EngineError};

/// Vectors that go in and come out one by one.
const GOLDEN: usize = 8;
/// Vectors of each signature.
const SIGNED: u64 = 2048;
/// Of what they are drawn.
const SEED: u64 = 1;
/// Status of an answer that is whole.
const DONE: u8 = 0;

/// The self-test of a unit.
///
/// # Errors
/// The emulator fails.
pub fn self_test(unit: &Unit) -> Result<SelfTest, EngineError> {
    let layout = Layout::of(&unit.interface());
    let mut emulator = Emulator::uncounted(unit);
    let (mut test, mut results) = (SelfTest::default(), Vec::new());

    let mut batch = Batch::of_unit(unit);
    Stimulus::shaped(unit, SEED).fill(0, GOLDEN, &mut batch);
    emulator.run(&batch, &mut results)?;
    let head = [0, link::VECTORS];
    let mut request = head.to_vec();
    (0..batch.len()).for_each(|index| layout.pack(&batch.vector(index), &mut request));
    let bytes = results.iter().flat_map(|result| result.to_le_bytes()[..layout.answer_bytes()].to_vec());
    test.push(&request, &head.into_iter().chain(bytes).chain([DONE]).collect::<Vec<u8>>());

    for (number, shape) in (1..).zip(Shape::ALL) {
        let mut generator = Generator::new(&layout, SEED + u64::from(number), shape.masks(&layout));
        let head = [number, link::RUN];
        let request = [&head[..], &link::run_of(&layout, &generator, SIGNED, SIGNED)].concat();
        batch.clear();
        let mut words = Vec::new();
        (0..SIGNED).for_each(|_| generator.draw(&layout, &mut words, &mut batch));
        emulator.run(&batch, &mut results)?;
        let mut signature = Signature::default();
        results.iter().for_each(|&result| signature.take(result));
        test.push(&request, &[&head[..], &signature.value().to_le_bytes(), &[DONE]].concat());
    }
    Ok(test)
}
