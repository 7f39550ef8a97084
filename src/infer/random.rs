//! Random numbers of a range.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// A number of 0 .. count.
pub(super) fn below(random: &mut Xoshiro256PlusPlus, count: usize) -> usize {
    (((random.next_u64() >> 32) * count as u64) >> 32) as usize
}
