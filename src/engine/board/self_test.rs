//! The test that a board makes of itself: golden vectors, and signatures of what its generator draws, as the emulator has them.

use tensorsmith_numerics::stimulus::Stimulus;

use super::generator::{Generator, Signature};
use super::layout::{Layout, Shape};
use super::link;
use crate::emit::kit::{Held, SelfTest};
use crate::engine::{Composed, Emulator, Engine, EngineError};

/// Vectors that go in and come out one by one.
const GOLDEN: usize = 8;
/// Vectors of each signature.
const SIGNED: u64 = 2048;
/// Of what they are drawn.
const SEED: u64 = 1;
/// Status of an answer that is whole.
const DONE: u8 = 0;

/// The self-test of what a board holds.
///
/// # Errors
/// The emulator fails.
pub fn self_test(held: &Held) -> Result<SelfTest, EngineError> {
    let layout = Layout::of_held(held);
    let (stimulus, mut emulator): (Stimulus, Box<dyn Engine>) = match held {
        Held::Unit(unit) => (Stimulus::shaped(unit, SEED), Box::new(Emulator::uncounted(unit))),
        Held::Tile(tile) => {
            (Stimulus::shaped(tile.instruction.frame(), SEED), Composed::emulated_wide(&tile.instruction))
        }
    };
    let (mut test, mut results) = (SelfTest::default(), Vec::new());

    let mut drawn = layout.batch();
    stimulus.fill(0, GOLDEN, &mut drawn);
    let vectors: Vec<Vec<u64>> = (0..layout.count(&drawn)).map(|number| layout.words(&drawn, number)).collect();
    let mut batch = layout.batch();
    vectors.iter().for_each(|words| layout.unpack(words, &mut batch));
    emulator.run(&batch, &mut results)?;
    let head = [0, link::VECTORS];
    let mut request = head.to_vec();
    vectors.iter().for_each(|words| layout.bytes_of(words, &mut request));
    let answers = results.chunks(layout.cells()).flat_map(|results| layout.answer(results));
    test.push(&request, &head.into_iter().chain(answers).chain([DONE]).collect::<Vec<u8>>());

    for (number, shape) in (1..).zip(Shape::ALL) {
        let mut generator = Generator::new(&layout, SEED + u64::from(number), shape.masks(&layout));
        let head = [number, link::RUN];
        let request = [&head[..], &link::run_of(&layout, &generator, SIGNED, SIGNED)].concat();
        batch.clear();
        let mut words = Vec::new();
        (0..SIGNED).for_each(|_| generator.draw(&layout, &mut words, &mut batch));
        emulator.run(&batch, &mut results)?;
        let mut signature = Signature::default();
        results.chunks(layout.cells()).for_each(|results| signature.take(layout.folded(results)));
        test.push(&request, &[&head[..], &signature.value().to_le_bytes(), &[DONE]].concat());
    }
    Ok(test)
}
