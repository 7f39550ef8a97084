//! proptest strategies built from the stimulus classes.

use proptest::prelude::*;
use tensorsmith::check::stimulus::{CHUNK, Class, Stimulus};
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Batch, Vector};

/// Vectors of a unit: one of a stimulus class, with some operands replaced by zero, by one of their own bits, or kept.
/// Shrinking goes towards the first class, seed 0 and more zeros.
pub fn vectors(unit: &Unit) -> impl Strategy<Value = Vector> + use<> {
    let unit = unit.clone();
    let positions = 2 * (unit.products + unit.scale_count()) as usize + 1;
    let class = prop::sample::select(Class::of(&unit));
    let masks = prop::collection::vec(prop_oneof![3 => Just(u64::MAX), 1 => Just(0), 1 => any::<u64>()], positions);
    (class, any::<u64>(), 0..4 * CHUNK, masks).prop_map(move |(class, seed, index, masks)| {
        let mut batch = Batch::of_unit(&unit);
        Stimulus::of_classes(&unit, seed, vec![class]).fill(0, index + 1, &mut batch);
        let mut vector = batch.vector(index);
        let scales = vector.scale_a.iter_mut().chain(&mut vector.scale_b);
        let operands = vector.a.iter_mut().chain(&mut vector.b).chain([&mut vector.c]).chain(scales);
        operands.zip(masks).for_each(|(operand, mask)| *operand &= mask);
        vector
    })
}
