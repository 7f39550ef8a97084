//! Infinities and NaN: decided from the operands alone, beside the arithmetic.

use super::unpack::Unpacked;
use crate::compute::word::{Flag, Word};

/// What overrides the arithmetic result.
#[derive(Debug, Clone, Copy)]
pub struct Special<W: Word> {
    pub nan: W::Flag,
    pub infinite: W::Flag,
    /// Sign of the infinity.
    pub negative: W::Flag,
}

/// NaN operands, infinity times zero and infinities of both signs give NaN; other infinite terms give that infinity
/// (IEEE 754-2019, 7.2).
#[inline(always)]
pub fn special<W: Word>(a: &[Unpacked<W>], b: &[Unpacked<W>], c: &Unpacked<W>) -> Special<W> {
    let mut nan = c.nan;
    let mut plus_infinity = c.infinite & !c.negative;
    let mut minus_infinity = c.infinite & c.negative;
    for (index, a) in a.iter().enumerate() {
        let b = &b[index];
        let negative = a.negative ^ b.negative;
        let infinite = a.infinite | b.infinite;
        nan = nan | a.nan | b.nan | (a.infinite & b.zero) | (b.infinite & a.zero);
        plus_infinity = plus_infinity | (infinite & !negative);
        minus_infinity = minus_infinity | (infinite & negative);
    }
    let nan = nan | (plus_infinity & minus_infinity);
    let infinite = (plus_infinity | minus_infinity) & !nan;
    Special { nan, infinite, negative: minus_infinity & infinite }
}

impl<W: Word> Default for Special<W> {
    fn default() -> Self {
        let never = W::Flag::constant(false);
        Special { nan: never, infinite: never, negative: never }
    }
}
