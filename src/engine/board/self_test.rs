//! The test that a board makes of itself: golden vectors, and signatures of what its generator draws, as the emulator has them.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tensorsmith_numerics::stimulus::Stimulus;

use super::generator::Generator;
use super::layout::{Layout, Shape};
use super::link;
use super::model::Model;
use crate::describe::format::{Format, Overflow, Rounding};
use crate::describe::interface::Interface;
use crate::emit::kit::{Held, SelfTest};
use crate::engine::{Batch, Composed, Emulator, Engine, EngineError, Vector};

/// Vectors that go in and come out one by one.
const GOLDEN: usize = 8;
/// The same of vectors as public recordings have them.
const RECORDED: usize = 16;
/// Clocks of each signature, so that the whole test takes a fraction of the time that the board gives it.
const CLOCKS: u64 = 2048;
/// Fewest vectors of each signature.
const SIGNED_MIN: u64 = 64;
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

    let mut shaped = layout.batch();
    stimulus.fill(0, GOLDEN, &mut shaped);
    let recorded = as_recorded(&held.interface());
    for (number, drawn) in (0..).zip([Some(shaped), recorded].into_iter().flatten()) {
        let vectors: Vec<Vec<u64>> = (0..layout.count(&drawn)).map(|number| layout.words(&drawn, number)).collect();
        let mut batch = layout.batch();
        vectors.iter().for_each(|words| layout.unpack(words, &mut batch));
        emulator.run(&batch, &mut results)?;
        let head = [number, link::VECTORS];
        let mut request = head.to_vec();
        vectors.iter().for_each(|words| layout.bytes_of(words, &mut request));
        let answers = results.chunks(layout.cells()).flat_map(|results| layout.answer(results));
        test.push(&request, &head.into_iter().chain(answers).chain([DONE]).collect::<Vec<u8>>());
    }

    let mut model = Model::new(emulator.as_mut(), &layout);
    let signed = (CLOCKS / held.steps() as u64).max(SIGNED_MIN);
    for (number, shape) in (2..).zip(Shape::ALL) {
        let mut generator = Generator::new(&layout, SEED + u64::from(number), shape.masks(&layout));
        let head = [number, link::RUN];
        let request = [&head[..], &link::run_of(&layout, &generator, signed, signed)].concat();
        let signature = model.signatures(&layout, &mut generator, signed, signed, &mut |_| {})?[0];
        test.push(&request, &[&head[..], &signature.to_le_bytes(), &[DONE]].concat());
    }
    Ok(test)
}

/// Vectors of numbers as those of the public recordings of V100, A100, Ada and H100 are (Khattak and Mikaitis): distributed normally
/// with variance 1, and rounded. Scales are 1. None of them is in a recording; there are none of integers.
fn as_recorded(interface: &Interface) -> Option<Batch> {
    let Interface { products, formats, scales, .. } = interface;
    let all = [&formats.a, &formats.b, &formats.c];
    if all.iter().any(|format| format.is_integer()) {
        return None;
    }
    let mut random = SplitMix64::seed_from_u64(SEED);
    // A sum of twelve uniform numbers has variance 1, and is the same on every machine.
    let mut normal = || (0..12).map(|_| (random.next_u64() >> 11) as f64 / 2f64.powi(53)).sum::<f64>() - 6.0;
    let rounded = |format: &Format, number: f64| match format.is_absent() {
        true => 0,
        false => format.from_f64(number, Rounding::NearestEven, Overflow::Saturate),
    };
    let mut batch = Batch::of_interface(interface);
    for _ in 0..RECORDED {
        let mut draw = |format: &Format, count: u32| (0..count).map(|_| rounded(format, normal())).collect();
        let (a, b) = (draw(&formats.a, *products), draw(&formats.b, *products));
        let c = rounded(&formats.c, normal());
        let ones = |format: &Format| vec![rounded(format, 1.0); interface.scale_count() as usize];
        let [scale_a, scale_b] = scales.as_ref().map_or([vec![], vec![]], |scales| [ones(&scales.a), ones(&scales.b)]);
        batch.push(&Vector { a, b, c, scale_a, scale_b });
    }
    Some(batch)
}
