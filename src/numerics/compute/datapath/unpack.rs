//! Stage `unpacked`: an encoding becomes sign, exponent, significand and class.

use crate::compute::record::{Encoding, Recorder, Stage};
use crate::compute::word::{Flag, Word};
use crate::describe::format::NonFinite;
use crate::describe::plan::OperandPlan;

/// An operand taken apart: (-1)^negative * significand * 2^(exponent - fraction_bits).
///
/// Infinity and NaN are unpacked as if their exponent field were a number's; the flags say what they are.
#[derive(Debug, Clone, Copy)]
pub struct Unpacked<W: Word> {
    pub negative: W::Flag,
    /// True exponent; subnormals and zero have the format's minimum.
    pub exponent: W,
    /// Significand with its hidden bit.
    pub significand: W,
    pub zero: W::Flag,
    pub infinite: W::Flag,
    pub nan: W::Flag,
}

/// What the parts of an operand are called.
#[derive(Debug)]
pub struct OperandNames {
    pub negative: &'static str,
    pub exponent: &'static str,
    pub significand: &'static str,
    pub infinite: &'static str,
    pub nan: &'static str,
    pub zero: &'static str,
}

/// The names of an operand's parts, from what they begin with.
macro_rules! operand_names {
    ($operand:literal) => {
        &$crate::compute::datapath::unpack::OperandNames {
            negative: concat!($operand, "_negative"),
            exponent: concat!($operand, "_exponent"),
            significand: concat!($operand, "_significand"),
            infinite: concat!($operand, "_infinite"),
            nan: concat!($operand, "_nan"),
            zero: concat!($operand, "_zero"),
        }
    };
}
pub(super) use operand_names;

impl<W: Word> Unpacked<W> {
    /// Hands out every part.
    #[inline(always)]
    pub fn put(&self, names: &OperandNames, plan: &OperandPlan, exponent_width: u32, recorder: &mut impl Recorder<W>) {
        let stage = Stage::Unpacked;
        recorder.put_flag(stage, names.negative, self.negative);
        recorder.put(stage, names.exponent, Encoding::Signed(exponent_width), self.exponent);
        recorder.put(stage, names.significand, Encoding::Unsigned(plan.precision()), self.significand);
        recorder.put_flag(stage, names.infinite, self.infinite);
        recorder.put_flag(stage, names.nan, self.nan);
        recorder.put_aside(stage, names.zero, self.zero);
    }
}

/// Takes an operand apart.
///
/// ```text
///   encoding   sign | exponent field | fraction | padding
/// ```
#[inline(always)]
pub fn unpack<W: Word>(encoding: W, plan: &OperandPlan) -> Unpacked<W> {
    let fraction = encoding.field(plan.padding_bits, plan.fraction_bits);
    let field = encoding.field(plan.padding_bits + plan.fraction_bits, plan.exponent_bits);
    let negative = if plan.sign_bits == 1 { encoding.bit(plan.width - 1) } else { W::Flag::constant(false) };

    let field_zero = field.is_zero();
    let hidden = W::select(field_zero, W::literal(0), W::literal(1 << plan.fraction_bits));
    let fraction_kept = if plan.flush_subnormals { W::select(field_zero, W::literal(0), fraction) } else { fraction };
    let significand = (hidden + fraction_kept).claim_unsigned(plan.precision());
    let exponent = (field.maximum(W::literal(1)) - W::literal(i64::from(plan.bias)))
        .claim(i64::from(plan.exponent_min)..=i64::from(plan.exponent_max));

    let negative = match plan.flush_to_plus_zero {
        true => negative & !(field_zero & !fraction.is_zero()),
        false => negative,
    };

    let field_ones = field.equals(W::literal((1 << plan.exponent_bits) - 1));
    let fraction_zero = fraction.is_zero();
    let fraction_ones = fraction.equals(W::literal((1 << plan.fraction_bits) - 1));
    let never = W::Flag::constant(false);
    let (infinite, nan) = match plan.non_finite {
        NonFinite::None => (never, never),
        NonFinite::Ieee => (field_ones & fraction_zero, field_ones & !fraction_zero),
        NonFinite::AllOnesNan => (never, field_ones & fraction_ones),
        NonFinite::NegativeZeroNan => (never, negative & field_zero & fraction_zero),
    };
    Unpacked { negative, exponent, significand, zero: significand.is_zero(), infinite, nan }
}
