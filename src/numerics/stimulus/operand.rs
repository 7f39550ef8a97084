//! Building encodings of one format from parts, one in every lane.

use super::draw::Draw;
use crate::describe::format::Format;
use crate::lanes::Lanes;

/// A format in the form the generators need.
#[derive(Debug, Clone)]
pub struct Operand {
    pub fraction_bits: u32,
    pub exponent_min: i32,
    pub exponent_max: i32,
    pub specials: Vec<u64>,
    pub non_finite: Vec<u64>,
    /// A NaN whose top fraction bit is 0, of formats that have one: it signals, except in e5m2.
    pub low_nan: Option<u64>,
    /// Least and greatest integer; 0 for a floating-point format.
    pub least: i64,
    pub greatest: i64,
    padding_bits: u32,
    has_negative_zero: bool,
    sign_shift: Option<u32>,
    /// As lanes take them: the hidden bit, the least exponent of a normal number and the greatest.
    leading: i64,
    least_exponent: i64,
    greatest_exponent: i64,
    bias: i64,
    magnitude_max: i64,
    mask: i64,
}

impl Operand {
    pub fn new(format: &Format) -> Operand {
        let both = |encode: &dyn Fn(bool) -> u64| [encode(false), encode(true)];
        let least_normal = 1 << format.fraction_bits;
        let mut non_finite: Vec<u64> =
            [format.infinity(false), format.infinity(true), format.nan()].into_iter().flatten().collect();
        if format.nan().is_some_and(|nan| nan & format.sign_bit() == 0) {
            non_finite.push(format.nan().unwrap_or_default() | format.sign_bit());
        }
        let mut specials = non_finite.clone();
        specials.extend(both(&|negative| format.zero(negative)));
        let edges = [1, least_normal - 1, least_normal, least_normal + 1, format.magnitude_max()];
        // The narrowest formats have no number beside the least normal one.
        for magnitude in edges.into_iter().filter(|magnitude| *magnitude <= format.magnitude_max()) {
            specials.extend(both(&|negative| format.assemble(negative, magnitude)));
        }
        // The value 1, where the format has it as a normal number.
        if (format.exponent_min()..=format.exponent_max()).contains(&0) {
            let one = (format.bias as u64) << format.fraction_bits;
            specials.extend(both(&|negative| format.assemble(negative, one)));
        }
        specials.sort_unstable();
        specials.dedup();
        Operand {
            fraction_bits: format.fraction_bits,
            exponent_min: format.exponent_min(),
            exponent_max: format.exponent_max(),
            specials,
            non_finite,
            low_nan: format
                .infinity(false)
                .map(|infinity| infinity + (1 << format.padding_bits))
                .filter(|_| format.fraction_bits > 1),
            least: format.integer_least(),
            greatest: format.integer_greatest(),
            padding_bits: format.padding_bits,
            has_negative_zero: format.zero(true) != format.zero(false),
            sign_shift: format.signed.then(|| format.width() - 1),
            leading: 1 << format.fraction_bits,
            least_exponent: i64::from(format.exponent_min()),
            greatest_exponent: i64::from(format.exponent_max()),
            bias: i64::from(format.bias),
            magnitude_max: format.magnitude_max() as i64,
            mask: format.mask() as i64,
        }
    }

    /// Whether lanes of 32 bits are enough: for every encoding, every magnitude with a sign, and a fraction with the five bits
    /// and the sign that are drawn beside it.
    pub fn is_short(&self) -> bool {
        let encodings = (self.mask as u64) <= u64::from(u32::MAX);
        encodings && self.magnitude_max <= i64::from(i32::MAX) && self.fraction_bits <= 26
    }

    /// Whether an encoding of the other format is one of this format too.
    pub fn shares_encodings(&self, other: &Operand) -> bool {
        self.mask == other.mask
    }

    /// Any encoding.
    #[inline(always)]
    pub fn any<L: Lanes>(&self, draw: &mut Draw<L>) -> L {
        draw.word() & L::of(self.mask)
    }

    /// The integer that an encoding means.
    #[inline(always)]
    pub fn value<L: Lanes>(&self, encoding: L) -> L {
        let sign = L::of(-self.least);
        (encoding ^ sign) - sign
    }

    /// The encoding of an integer; the nearest where the format has not that one.
    #[inline(always)]
    pub fn integer<L: Lanes>(&self, value: L) -> L {
        value.clamp(self.least, self.greatest) & L::of(self.mask)
    }

    /// A number of the binade with a given fraction, whose higher bits are ignored; exponents outside the format become
    /// subnormal or largest.
    #[inline(always)]
    pub fn number<L: Lanes>(&self, negative: L, exponent: L, fraction: L) -> L {
        let fraction = fraction & L::of(self.leading - 1);
        let below = L::of(self.least_exponent) - exponent;
        let subnormal = (fraction | L::of(self.leading)).shift_right_by(below);
        let largest = L::of(self.magnitude_max);
        let normal =
            |exponent: L| ((exponent + L::of(self.bias)).shift_left(self.fraction_bits) | fraction).minimum(largest);
        let normal = if self.fraction_bits > L::BITS / 2 {
            // An exponent beyond the greatest could be shifted out.
            let bounded = exponent.minimum(L::of(self.greatest_exponent));
            L::select(bounded.less_than(exponent), largest, normal(bounded))
        } else {
            normal(exponent)
        };
        let magnitude = L::select(L::of(0).less_than(below), subnormal, normal);
        self.assemble(negative, magnitude)
    }

    /// A number of the binade with random sign and fraction.
    #[inline(always)]
    pub fn in_binade<L: Lanes>(&self, exponent: L, draw: &mut Draw<L>) -> L {
        let fraction = self.fraction(draw);
        self.number(draw.sign(), exponent, fraction)
    }

    /// A random fraction.
    #[inline(always)]
    pub fn fraction<L: Lanes>(&self, draw: &mut Draw<L>) -> L {
        if self.fraction_bits < 32 { draw.bits(self.fraction_bits) } else { draw.word() }
    }

    /// A power of two.
    #[inline(always)]
    pub fn power<L: Lanes>(&self, negative: L, exponent: L) -> L {
        self.number(negative, exponent, L::of(0))
    }

    /// A subnormal number or zero: the smallest one, or of any length.
    #[inline(always)]
    pub fn subnormal<L: Lanes>(&self, draw: &mut Draw<L>) -> L {
        let length = draw.between(0, self.fraction_bits as i32);
        let fraction = self.fraction(draw) & L::of(self.leading - 1);
        let magnitude = L::select(draw.rarely(2), L::of(1), fraction.shift_right_by(length));
        self.assemble(draw.sign(), magnitude)
    }

    /// A zero of either sign.
    #[inline(always)]
    pub fn zero<L: Lanes>(&self, negative: L) -> L {
        self.assemble(negative, L::of(0))
    }

    /// Zero without a sign.
    #[inline(always)]
    pub fn plain_zero<L: Lanes>(&self) -> L {
        self.zero(L::of(0))
    }

    /// The largest finite number, or a few below it.
    #[inline(always)]
    pub fn near_largest<L: Lanes>(&self, negative: L, below: L) -> L {
        let magnitude = L::of(self.magnitude_max) - below;
        self.assemble(negative, magnitude.maximum(L::of(0)))
    }

    /// The same number with the other sign where `opposite` is 1.
    #[inline(always)]
    pub fn negated_where<L: Lanes>(&self, opposite: L, bits: L) -> L {
        self.sign_shift.map_or(bits, |shift| bits ^ opposite.shift_left(shift))
    }

    /// The same number with the other sign.
    #[inline(always)]
    pub fn negated<L: Lanes>(&self, bits: L) -> L {
        self.negated_where(L::of(1), bits)
    }

    /// 1 where the sign bit is set, 0 elsewhere.
    #[inline(always)]
    pub fn sign<L: Lanes>(&self, bits: L) -> L {
        self.sign_shift.map_or(L::of(0), |shift| bits.shift_right(shift) & L::of(1))
    }

    /// A random bit of the fraction, in place, where the mask holds; 0 elsewhere.
    #[inline(always)]
    pub fn fraction_bit<L: Lanes>(&self, mask: L::Mask, draw: &mut Draw<L>) -> L {
        let index = draw.between(0, self.fraction_bits as i32 - 1);
        L::where_set(mask, 1).shift_left_by(index.plus(self.padding_bits as i32))
    }

    /// A random exponent of a normal number.
    #[inline(always)]
    pub fn exponent<L: Lanes>(&self, draw: &mut Draw<L>) -> L {
        draw.between(self.exponent_min, self.exponent_max)
    }

    #[inline(always)]
    fn assemble<L: Lanes>(&self, negative: L, magnitude: L) -> L {
        let Some(shift) = self.sign_shift else { return magnitude.shift_left(self.padding_bits) };
        let shown = match self.has_negative_zero {
            true => negative,
            false => L::select(magnitude.equals(L::of(0)), L::of(0), negative),
        };
        shown.shift_left(shift) | magnitude.shift_left(self.padding_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::catalogue;
    use crate::lanes::{LANES_MAX, Single};

    fn number<L: Lanes>(operand: &Operand, exponent: i32, fraction: u64) -> u64 {
        let mut lanes = [0; LANES_MAX];
        operand.number(L::of(1), L::of(i64::from(exponent)), L::of(fraction as i64)).store(&mut lanes);
        lanes[0]
    }

    /// Lanes of 32 bits are enough where they are taken: far exponents too give the same numbers.
    #[test]
    fn numbers_in_short_lanes() {
        let mut compared = 0;
        for unit in catalogue::units() {
            let formats = &unit.formats;
            let operands = [&formats.a, &formats.b, &formats.c, &formats.d].map(Operand::new);
            for operand in operands.iter().filter(|operand| operand.is_short()) {
                for (exponent, fraction) in
                    (-900..900).flat_map(|exponent| [0, 1, 0x5a5a, u64::MAX].map(|f| (exponent, f)))
                {
                    let [short, long] =
                        [number::<Single<u32>>, number::<Single<u64>>].map(|own| own(operand, exponent, fraction));
                    assert_eq!(short, long, "{}, {fraction:#x} * 2^{exponent}", unit.name);
                    compared += 1;
                }
            }
        }
        assert!(compared > 100_000, "{compared} numbers compared");
    }

    /// What has few bits, but not in the lowest places, is not short; nor is a fraction that fills the lane.
    #[test]
    fn long_formats() {
        let single = catalogue::unit("volta-fp16-fp32").expect("a unit").formats.c;
        assert!(Operand::new(&single).is_short());
        let padded = Format { padding_bits: 32, ..single.clone() };
        assert!(!Operand::new(&padded).is_short(), "{} bits", padded.width());
        let long = Format { exponent_bits: 3, fraction_bits: 28, bias: 3, ..single };
        assert!(!Operand::new(&long).is_short(), "{} fraction bits", long.fraction_bits);
    }
}
