//! One generator a class. Each fills a, b and c in every lane.

use super::Class;
use super::draw::Draw;
use super::vectors::{Term, Vectors};
use crate::lanes::{Lanes, Mask};

impl<L: Lanes> Vectors<'_, L> {
    #[inline(always)]
    pub fn uniform(&mut self, draw: &mut Draw<L>) {
        for i in 0..self.a.len() {
            self.a[i] = self.shape.a.any(draw);
            self.b[i] = self.shape.b.any(draw);
        }
        for i in 0..self.scale_a.len() {
            self.scale_a[i] = self.shape.scale_operands[0].any(draw);
            self.scale_b[i] = self.shape.scale_operands[1].any(draw);
        }
        self.c = self.shape.c.any(draw);
    }

    #[inline(always)]
    pub fn close(&mut self, draw: &mut Draw<L>) {
        let base = self.common_exponent(draw);
        for i in 0..self.a.len() {
            let exponent = base + draw.bits(2).plus(-1);
            self.terms[i] = Self::product(exponent, draw);
        }
        self.build(draw);
        let exponent = base + draw.bits(2).plus(-1);
        self.c = self.shape.c.in_binade(exponent, draw);
    }

    /// An exponent near `top`, or near either side of the window's lower edge below it.
    #[inline(always)]
    fn edge(&self, top: L, draw: &mut Draw<L>) -> L {
        let width = self.shape.fraction_bits;
        let kind = draw.bits(2);
        let (near, anywhere) = (top - draw.bits(1), top - draw.between(0, width + 2));
        let edge = top + draw.between(-3 - width, 3 - width);
        let upper = L::select(kind.equals(L::of(0)), near, anywhere);
        L::select(kind.less_than(L::of(2)), upper, edge)
    }

    #[inline(always)]
    pub fn window_edge(&mut self, draw: &mut Draw<L>) {
        let top = self.common_exponent(draw);
        for i in 0..self.a.len() {
            let (exponent, exact) = (self.edge(top, draw), draw.flip());
            self.terms[i] = Term { exact, ..Self::product(exponent, draw) };
        }
        self.build(draw);
        let exponent = self.edge(top, draw);
        self.c = self.shape.c.in_binade(exponent, draw);
    }

    #[inline(always)]
    pub fn tie(&mut self, draw: &mut Draw<L>) {
        let top = self.common_exponent(draw);
        let fraction_bits = self.shape.d.fraction_bits as i32;
        let half = top.plus(-fraction_bits - 1);
        for i in 0..self.a.len() {
            let above = half + draw.between(1, fraction_bits);
            let exponent = match i {
                0 => half,
                1 => L::select(draw.flip(), half - draw.between(1, 4), above),
                _ => above,
            };
            let absent = if i == 0 { L::Mask::all(false) } else { draw.flip() };
            self.terms[i] = Term { absent, ..Self::power(draw.sign(), exponent) };
        }
        self.build(draw);
        // Only the bits that the result has, so that what lies below the half comes from the products.
        let word = draw.word();
        let coarse = self.shape.c.fraction_bits.saturating_sub(self.shape.d.fraction_bits);
        let fraction = word.shift_right(5 + coarse).shift_left(coarse);
        self.c = self.shape.c.number(word.shift_right(L::BITS - 1), top, fraction);
    }

    #[inline(always)]
    pub fn cancellation(&mut self, draw: &mut Draw<L>) {
        let shape = self.shape;
        let base = self.common_exponent(draw);
        let rest = base - draw.between(0, shape.fraction_bits + 4);
        let (count, negative) = (self.a.len(), draw.sign());
        for i in 0..count {
            self.terms[i] = Self::product(base, draw);
        }
        // One product against the addend, none, or an addend beside the products.
        let kind = draw.bits(2);
        let against = kind.equals(L::of(0)) | L::Mask::all(count % 2 == 1);
        let alone = if count % 2 == 1 { count - 1 } else { 0 };
        self.terms[alone] = Term { exact: against, negative, ..self.terms[alone] };
        if count % 2 == 0 {
            self.terms[1] = Self::power(draw.sign(), rest);
        }
        self.build(draw);
        for second in (1..count).step_by(2) {
            let changed = draw.rarely(2);
            let opposite = shape.a.negated(self.a[second - 1]) ^ shape.a.fraction_bit(changed, draw);
            let kept = against & L::Mask::all(second == 1 && alone == 0);
            self.a[second] = L::select(kept, self.a[second], opposite);
            self.b[second] = L::select(kept, self.b[second], self.b[second - 1]);
        }
        let exponent = L::select(against, base, rest);
        let fraction = L::select(against, L::of(0), shape.c.fraction(draw));
        let sign = L::select(against, negative ^ L::of(1), draw.sign());
        let addend = shape.c.number(sign, exponent, fraction);
        let absent = kind.equals(L::of(1)) & !against;
        self.c = L::select(absent, shape.c.zero(sign), addend);
    }

    #[inline(always)]
    pub fn subnormal(&mut self, draw: &mut Draw<L>) {
        let shape = self.shape;
        if draw.source.shared.below(4) == 0 {
            return self.subnormal_alone(draw);
        }
        let small_results = draw.flip();
        let target = L::of(i64::from(shape.d.exponent_min)) - draw.between(0, shape.d.fraction_bits as i32 + 2);
        for i in 0..self.a.len() {
            let exponent = target + draw.between(-2, 2);
            self.terms[i] = Self::product(exponent, draw);
        }
        self.build(draw);
        for i in 0..self.a.len() {
            let least = L::of(i64::from(shape.a.exponent_min)) + draw.bits(2);
            let (subnormal, normal) = (shape.a.subnormal(draw), shape.a.in_binade(least, draw));
            let a = L::select(draw.flip(), subnormal, normal);
            let exponent = shape.b.exponent(draw);
            let (subnormal, normal) = (shape.b.subnormal(draw), shape.b.in_binade(exponent, draw));
            let b = L::select(draw.rarely(2), subnormal, normal);
            let swapped = match shape.a.shares_encodings(&shape.b) {
                true => draw.rarely(2),
                false => L::Mask::all(false),
            };
            let by_target = small_results & draw.flip();
            self.a[i] = L::select(by_target, self.a[i], L::select(swapped, b, a));
            self.b[i] = L::select(by_target, self.b[i], L::select(swapped, a, b));
        }
        let kind = draw.bits(2);
        let (absent, near) = (shape.c.zero(draw.sign()), shape.c.in_binade(target, draw));
        let normal = L::select(kind.equals(L::of(0)), absent, near);
        self.c = L::select(kind.less_than(L::of(2)), normal, shape.c.subnormal(draw));
    }

    /// One term alone. The addend: with fp16 operands nothing else gives a subnormal fp32 result. A product of two
    /// subnormal factors: with fp8 operands nothing else is smaller than every fp16 number.
    #[inline(always)]
    fn subnormal_alone(&mut self, draw: &mut Draw<L>) {
        let shape = self.shape;
        let one = draw.below(L::of(self.a.len() as i64));
        let of_product = draw.rarely(2);
        for i in 0..self.a.len() {
            let alone = of_product & one.equals(L::of(i as i64));
            let (zero, factor) = (shape.a.zero(draw.sign()), shape.a.subnormal(draw));
            self.a[i] = L::select(alone, factor, zero);
            self.b[i] = shape.b.subnormal(draw);
        }
        let (zero, addend) = (shape.c.zero(draw.sign()), shape.c.subnormal(draw));
        self.c = L::select(of_product, zero, addend);
    }

    #[inline(always)]
    pub fn zero(&mut self, draw: &mut Draw<L>) {
        Class::Close.generate(self, draw.source);
        let shape = self.shape;
        let mostly = draw.flip();
        for i in 0..self.a.len() {
            let some = mostly | draw.flip();
            let kind = draw.bits(2);
            let (only_a, only_b) = (kind.equals(L::of(0)), kind.equals(L::of(1)));
            let (zero_a, zero_b) = (shape.a.zero(draw.sign()), shape.b.zero(draw.sign()));
            self.a[i] = L::select(some & !only_b, zero_a, self.a[i]);
            self.b[i] = L::select(some & !only_a, zero_b, self.b[i]);
        }
        let zero = shape.c.zero(draw.sign());
        self.c = L::select(draw.flip(), zero, self.c);
    }

    #[inline(always)]
    pub fn non_finite(&mut self, draw: &mut Draw<L>) {
        Class::Zero.generate(self, draw.source);
        for _ in 0..=draw.source.shared.below(2) {
            self.place_non_finite(draw);
        }
    }

    #[inline(always)]
    pub fn overflow_edge(&mut self, draw: &mut Draw<L>) {
        let (c, d) = (&self.shape.c, &self.shape.d);
        let negative = draw.sign();
        let top = L::of(i64::from(d.exponent_max));
        for i in 0..self.a.len() {
            let step = draw.between(0, d.fraction_bits as i32 + 3);
            let opposite = L::where_set(draw.rarely(2), 1);
            self.terms[i] = Self::power(negative ^ opposite, top - step);
        }
        self.build(draw);
        let kind = draw.bits(2);
        let high = c.in_binade(L::of(i64::from(d.exponent_max.min(c.exponent_max))), draw);
        let largest = c.near_largest(negative, draw.bits(3));
        let others = L::select(kind.equals(L::of(1)), c.zero(negative), largest);
        self.c = L::select(kind.equals(L::of(0)), high, others);
    }

    #[inline(always)]
    pub fn carry_out(&mut self, draw: &mut Draw<L>) {
        let shape = self.shape;
        let negative = draw.sign();
        let base = self.common_exponent(draw);
        let factors = base - self.scale;
        let first = self.shape.factor_exponent(factors, draw);
        // All ones, or all ones with a few of the low bits cleared, so that truncation takes part.
        let clear = L::select(draw.flip(), L::of(0), draw.bits(2));
        let ones = L::of(-1);
        for i in 0..self.a.len() {
            let sign = draw.sign();
            let (low_a, low_b) = (draw.bits(2) * clear, draw.bits(2) * clear);
            self.a[i] = shape.a.number(negative ^ sign, first, ones - low_a);
            self.b[i] = shape.b.number(sign, factors - first, ones - low_b);
        }
        self.c = shape.c.number(negative, base, ones - clear);
    }

    /// Terms about the floor, and where the window at the floor ends. In a quarter the first is half of the least result, so
    /// that what is left of the others decides a rounding to nearest.
    #[inline(always)]
    pub fn floor(&mut self, draw: &mut Draw<L>) {
        let width = self.shape.fraction_bits;
        let floor = L::of(i64::from(self.shape.floor));
        let half = L::of(i64::from(self.shape.d.exponent_min) - i64::from(self.shape.d.fraction_bits) - 1);
        let kind = draw.bits(2);
        let (first, deep, tie) = (kind.equals(L::of(0)), kind.equals(L::of(1)), kind.equals(L::of(3)));
        let nearest = L::select(deep, L::of(i64::from(width * 2 / 3)), L::select(first, L::of(-2), L::of(0)));
        let farthest = L::select(first | deep, L::of(i64::from(width + 2)), L::of(6));
        let far = L::of(0).less_than(nearest);
        for i in 0..self.a.len() {
            let below = floor - draw.within(nearest, farthest);
            let at_edge = floor + draw.between(-2 - width, 2 - width);
            let kind = draw.bits(2);
            let edge = kind.equals(L::of(1)) | (tie & L::Mask::all(i > 0));
            let absent = kind.equals(L::of(0)) & !(tie & L::Mask::all(i == 0));
            let exponent = L::select(tie & L::Mask::all(i == 0), half, L::select(edge, at_edge, below));
            self.terms[i] = Term { exact: edge | far | tie, absent, ..Self::product(exponent, draw) };
        }
        self.build(draw);
        self.c = self.shape.c.zero(draw.sign());
    }

    #[inline(always)]
    pub fn simple(&mut self, draw: &mut Draw<L>) {
        let shape = self.shape;
        for i in 0..self.a.len() {
            let word = draw.word();
            let pair = |low: u32| word.shift_right(low) & L::of(3);
            let fraction = pair(3).shift_left(shape.a.fraction_bits.saturating_sub(2));
            let a = shape.a.number(word & L::of(1), pair(1), fraction);
            self.a[i] = L::select(pair(8).equals(L::of(0)), shape.a.plain_zero(), a);
            let exponent = L::select(pair(6).equals(L::of(0)), draw.between(-14, 14), L::of(0));
            self.b[i] = shape.b.power(word.shift_right(5) & L::of(1), exponent);
        }
        let exponent = draw.between(-1, shape.fraction_bits + 2);
        let power = shape.c.power(draw.sign(), exponent);
        self.c = L::select(draw.rarely(2), shape.c.plain_zero(), power);
    }

    #[inline(always)]
    pub fn special_position(&mut self, draw: &mut Draw<L>) {
        match draw.source.shared.flip() {
            true => Class::Close.generate(self, draw.source),
            false => Class::Simple.generate(self, draw.source),
        }
        self.place_special(draw);
    }
}
