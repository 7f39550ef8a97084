//! Building encodings of one format from parts.

use super::draw::Draw;
use crate::describe::format::Format;

/// A format in the form the generators need.
#[derive(Debug, Clone)]
pub struct Operand {
    pub fraction_bits: u32,
    pub exponent_min: i32,
    pub exponent_max: i32,
    pub specials: Vec<u64>,
    pub non_finite: Vec<u64>,
    /// A signalling NaN, of formats that have one.
    pub signalling: Option<u64>,
    /// Least and greatest integer; 0 for a floating-point format.
    pub least: i64,
    pub greatest: i64,
    padding_bits: u32,
    has_negative_zero: bool,
    sign_shift: Option<u32>,
    bias: i32,
    magnitude_max: u64,
    mask: u64,
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
            signalling: format
                .infinity(false)
                .map(|infinity| infinity + (1 << format.padding_bits))
                .filter(|nan| format.is_signalling(*nan)),
            least: format.integer_least(),
            greatest: format.integer_greatest(),
            padding_bits: format.padding_bits,
            has_negative_zero: format.zero(true) != format.zero(false),
            sign_shift: format.signed.then(|| format.width() - 1),
            bias: format.bias,
            magnitude_max: format.magnitude_max(),
            mask: format.mask(),
        }
    }

    /// Whether an encoding of the other format is one of this format too.
    #[inline]
    pub fn shares_encodings(&self, other: &Operand) -> bool {
        self.mask == other.mask
    }

    /// Any encoding.
    #[inline]
    pub fn any(&self, draw: &mut Draw) -> u64 {
        draw.word() & self.mask
    }

    /// The encoding of an integer; the nearest where the format has not that one.
    #[inline]
    pub fn integer(&self, value: i64) -> u64 {
        value.clamp(self.least, self.greatest) as u64 & self.mask
    }

    /// A number of the binade with a given fraction; exponents outside the format become subnormal or largest.
    #[inline]
    pub fn number(&self, negative: bool, exponent: i32, fraction: u64) -> u64 {
        let fraction = fraction & ((1 << self.fraction_bits) - 1);
        let magnitude = if exponent < self.exponent_min {
            let below = (self.exponent_min - exponent) as u32;
            let significand = fraction | 1 << self.fraction_bits;
            if below > self.fraction_bits { 0 } else { significand >> below }
        } else if exponent > self.exponent_max {
            self.magnitude_max
        } else {
            ((((exponent + self.bias) as u64) << self.fraction_bits) | fraction).min(self.magnitude_max)
        };
        self.assemble(negative, magnitude)
    }

    /// A number of the binade with random sign and fraction.
    #[inline]
    pub fn in_binade(&self, exponent: i32, draw: &mut Draw) -> u64 {
        let word = draw.word();
        self.number(word >> 63 == 1, exponent, word >> 5)
    }

    /// A power of two.
    #[inline]
    pub fn power(&self, negative: bool, exponent: i32) -> u64 {
        self.number(negative, exponent, 0)
    }

    /// A subnormal number or zero: the smallest one, or of any length.
    #[inline]
    pub fn subnormal(&self, draw: &mut Draw) -> u64 {
        let word = draw.word();
        let length = (word >> 58) as u32 % (self.fraction_bits + 1);
        let fraction = word >> 5 & ((1 << self.fraction_bits) - 1);
        let magnitude = if word & 3 == 0 { 1 } else { fraction >> length };
        self.assemble(word & 4 == 4, magnitude)
    }

    /// A zero of either sign.
    #[inline]
    pub fn zero(&self, negative: bool) -> u64 {
        self.assemble(negative, 0)
    }

    /// The largest finite number, or a few below it.
    #[inline]
    pub fn near_largest(&self, negative: bool, below: u64) -> u64 {
        self.assemble(negative, self.magnitude_max.saturating_sub(below))
    }

    /// The same number with the other sign.
    #[inline]
    pub fn negated(&self, bits: u64) -> u64 {
        self.sign_shift.map_or(bits, |shift| bits ^ 1 << shift)
    }

    /// Whether the sign bit is set.
    #[inline]
    pub fn is_negative(&self, bits: u64) -> bool {
        self.sign_shift.is_some_and(|shift| bits >> shift & 1 == 1)
    }

    /// Bit `index` of the fraction, in place.
    #[inline]
    pub fn fraction_bit(&self, index: usize) -> u64 {
        1 << (index + self.padding_bits as usize)
    }

    /// A random exponent of a normal number.
    #[inline]
    pub fn exponent(&self, draw: &mut Draw) -> i32 {
        draw.between(self.exponent_min, self.exponent_max)
    }

    #[inline]
    fn assemble(&self, negative: bool, magnitude: u64) -> u64 {
        let keeps_sign = magnitude != 0 || self.has_negative_zero;
        let sign = self.sign_shift.map_or(0, |shift| u64::from(negative && keeps_sign) << shift);
        sign | magnitude << self.padding_bits
    }
}
