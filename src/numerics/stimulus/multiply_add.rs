//! Classes for units that round after every product: what a product keeps below the result's last place decides.

use super::draw::Draw;
use super::vectors::{Term, Vectors};
use crate::lanes::Lanes;

/// Low bits of an exact product of that many bits that are cut, so that the rest fits a lane: it keeps 62, more than any addend
/// has.
fn cut_bits(product_bits: u32) -> u32 {
    product_bits.saturating_sub(62)
}

/// Bits from `cut` on, at most 44, of the product of two significands of at most 53 bits.
#[inline(always)]
fn high_product<L: Lanes>(a: L, b: L, cut: u32) -> L {
    const HALF: u32 = 27;
    let low = |value: L| value & L::of((1 << HALF) - 1);
    let (a1, b1) = (a.shift_right(HALF), b.shift_right(HALF));
    let lowest = low(a) * low(b);
    let middle = a1 * low(b) + low(a) * b1 + lowest.shift_right(HALF);
    let rest = match cut.checked_sub(HALF) {
        Some(beyond) => middle.shift_right(beyond),
        None => middle.shift_left(HALF - cut) + low(lowest).shift_right(cut),
    };
    (a1 * b1).shift_left(2 * HALF - cut) + rest
}

/// value * 2^amount, rounded down.
#[inline(always)]
fn scaled<L: Lanes>(value: L, amount: i32) -> L {
    if amount < 0 { value.shift_right(amount.unsigned_abs()) } else { value.shift_left(amount.unsigned_abs()) }
}

impl<L: Lanes> Vectors<'_, L> {
    /// Nothing, or products up to `reach` binades below `exponent`, from the second product on.
    #[inline(always)]
    fn small_products(&mut self, exponent: L, reach: i32, draw: &mut Draw<L>) {
        for i in 1..self.a.len() {
            let below = exponent - draw.between(0, reach);
            self.terms[i] = Term { absent: draw.flip(), ..Self::product(below, draw) };
        }
        let first = (self.a[0], self.b[0]);
        self.build(draw);
        (self.a[0], self.b[0]) = first;
    }

    /// The exact product of two binades' numbers against its own leading bits: c is minus the product cut to c's precision,
    /// or its neighbour.
    #[inline(always)]
    pub fn residue(&mut self, draw: &mut Draw<L>) {
        let shape = self.shape;
        let reach = 2 * shape.d.fraction_bits as i32 + 4;
        let low = draw.between(-2, reach).plus(shape.d.exponent_min);
        let base = L::select(draw.rarely(2), low, self.common_exponent(draw));
        let first = self.shape.factor_exponent(base, draw);
        let (bits_a, bits_b, bits_c) = (shape.a.fraction_bits, shape.b.fraction_bits, shape.c.fraction_bits);
        let significand = |bits: u32, word: L| word.shift_right(5) & L::of((1 << bits) - 1) | L::of(1 << bits);
        let (word_a, word_b) = (draw.word(), draw.word());
        let (significand_a, significand_b) = (significand(bits_a, word_a), significand(bits_b, word_b));
        self.a[0] = shape.a.number(word_a & L::of(1), first, significand_a);
        self.b[0] = shape.b.number(word_b & L::of(1), base - first, significand_b);
        self.small_products(base.plus(-(shape.d.fraction_bits as i32)), reach, draw);

        // The product's leading bit is bit `least` or the next one.
        let least = bits_a + bits_b;
        let cut = cut_bits(least + 2);
        let exact = high_product(significand_a, significand_b, cut);
        let carried = exact.bit(least + 1 - cut);
        let shift = bits_c as i32 - (least - cut) as i32;
        let leading = L::select(carried, scaled(exact, shift - 1), scaled(exact, shift));
        let neighbour = leading + draw.bits(1) - draw.bits(1);
        let exponent = base + L::where_set(carried, 1);
        self.c = shape.c.number((word_a ^ word_b ^ L::of(1)) & L::of(1), exponent, neighbour);
    }

    /// A product just beside half a unit in the last place of c: (1 + 2^-k) * (2 - 2^(1 - k)) = 2 - 2^(1 - 2k). Rounded by
    /// itself it would be half a unit.
    #[inline(always)]
    pub fn double_rounding(&mut self, draw: &mut Draw<L>) {
        let shape = self.shape;
        let top = self.common_exponent(draw);
        let half = top.plus(-(shape.d.fraction_bits as i32) - 1);
        let (bits_a, bits_b) = (shape.a.fraction_bits as i32, shape.b.fraction_bits as i32);
        let longest = bits_a.min(bits_b);
        let any = draw.between(1, longest);
        let k = L::select(draw.flip(), L::of(i64::from(longest)), any);
        let first = self.shape.factor_exponent(half.plus(-1), draw);
        let one = L::of(1);
        let ones = (one.shift_left_by(k.plus(-1)) - one).shift_left_by(L::of(i64::from(bits_b + 1)) - k);
        let last = one.shift_left_by(L::of(i64::from(bits_a)) - k);
        self.a[0] = shape.a.number(draw.sign(), first, last);
        self.b[0] = shape.b.number(draw.sign(), half.plus(-1) - first, ones);
        self.small_products(half - k - k, longest, draw);
        self.c = shape.c.in_binade(top, draw);
    }

    /// A product of one bit more than d's precision, where the factors have room for it: however small c is, its sign
    /// decides where the sum is rounded to.
    #[inline(always)]
    pub fn tie_breaker(&mut self, draw: &mut Draw<L>) {
        let shape = self.shape;
        let exponent = self.common_exponent(draw);
        let first = self.shape.factor_exponent(exponent, draw);
        let (bits_a, bits_b) = (shape.a.fraction_bits as i32, shape.b.fraction_bits as i32);
        let wanted = shape.d.fraction_bits as i32 + 2;
        // Significands of that many bits, the last one 1.
        let length_a = draw.between(1, (bits_a + 1).min(wanted));
        let length_b = (L::of(i64::from(wanted)) - length_a).clamp(1, i64::from(bits_b) + 1);
        let (word_a, word_b) = (draw.word(), draw.word());
        let odd = |word: L, length: L, bits: i32| (word | L::of(1)).shift_left_by(L::of(i64::from(bits + 1)) - length);
        self.a[0] = shape.a.number(draw.sign(), first, odd(word_a, length_a, bits_a));
        self.b[0] = shape.b.number(draw.sign(), exponent - first, odd(word_b, length_b, bits_b));
        let reach = 2 * shape.d.fraction_bits as i32;
        self.small_products(exponent.plus(-reach), reach, draw);
        let kind = draw.bits(2);
        let least = L::of(i64::from(shape.c.exponent_min));
        let anywhere = draw.within(least, exponent.maximum(least));
        let below = exponent - draw.between(0, 3 * reach);
        let normal = L::select(kind.equals(L::of(1)), anywhere, below);
        let (normal, subnormal) = (shape.c.in_binade(normal, draw), shape.c.subnormal(draw));
        self.c = L::select(kind.equals(L::of(0)), subnormal, normal);
    }

    /// A term at the least normal result, and another of the other sign that is some quarters of the last place below it;
    /// or that one and half of it, so that results are subnormal.
    #[inline(always)]
    pub fn least_normal(&mut self, draw: &mut Draw<L>) {
        let shape = self.shape;
        let least = L::of(i64::from(shape.d.exponent_min));
        let last_place = least.plus(-(shape.d.fraction_bits as i32));
        let count = self.a.len();
        let negative = draw.sign();
        let (halved, beside) = (least - draw.between(0, 2), last_place - draw.between(-1, 3));
        let below = L::select(draw.rarely(2), halved, beside);
        let above = least + draw.bits(1);
        // Each is a product, or behind the last one the addend.
        let places = L::of(count as i64 + 1);
        let (large, small) = (draw.below(places), draw.below(places));
        let at = |i: usize| (large.equals(L::of(i as i64)), small.equals(L::of(i as i64)));
        for i in 0..count {
            let (large, small) = at(i);
            let absent = !(large | small);
            let sign = L::select(absent, draw.sign(), negative ^ L::where_set(small, 1));
            self.terms[i] = Term { absent, ..Self::power(sign, L::select(small, below, above)) };
        }
        self.build(draw);
        let changed = draw.rarely(2);
        for i in 0..count {
            self.a[i] = self.a[i] ^ shape.a.fraction_bit(changed & at(i).1, draw);
        }
        let (large, small) = at(count);
        let addend = shape.c.power(negative ^ L::where_set(small, 1), L::select(small, below, above));
        self.c = L::select(large | small, addend, shape.c.zero(draw.sign()));
    }

    /// Products of one sign around the largest finite result, and an infinity or the largest number for c: what an earlier
    /// operation makes infinite may oppose it.
    #[inline(always)]
    pub fn overflow_beside_infinity(&mut self, draw: &mut Draw<L>) {
        let shape = self.shape;
        let negative = draw.sign();
        for i in 0..self.a.len() {
            let exponent = draw.between(-1, 2).plus(shape.d.exponent_max);
            self.terms[i] = Term { negative, ..Self::product(exponent, draw) };
        }
        self.build(draw);
        let finite = shape.c.near_largest(draw.sign(), draw.bits(2));
        self.c = match shape.c.non_finite.is_empty() {
            true => finite,
            false => L::select(draw.flip(), finite, draw.choose(&shape.c.non_finite)),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{LANES_MAX, Single};

    /// The bits that are kept of a product are those of the exact one.
    #[test]
    fn high_bits_of_products() {
        for (bits_a, bits_b) in (1..=53).flat_map(|a| (1..=53).map(move |b| (a, b))) {
            for fill in [0, u64::MAX, 0x9e37_79b9_7f4a_7c15, 0x2545_f491_4f6c_dd1d] {
                let significand = |bits: u32| 1 << (bits - 1) | fill & ((1 << (bits - 1)) - 1);
                let (a, b) = (significand(bits_a), significand(bits_b));
                let cut = cut_bits(bits_a + bits_b);
                let mut kept = [0; LANES_MAX];
                let [a_lane, b_lane]: [Single<u64>; 2] = [a, b].map(|value| Single::of(value as i64));
                high_product(a_lane, b_lane, cut).store(&mut kept);
                assert_eq!(u128::from(kept[0]), (u128::from(a) * u128::from(b)) >> cut, "{a:#x} * {b:#x}");
            }
        }
    }
}
