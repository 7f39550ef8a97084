//! Every width and constant of a unit, computed once, each with its derivation in words.
//!
//! Emulator, emitter, traces and reports read these numbers; none of them derives a width again.
//!
//! ```text
//!   exponent      anchor+1 anchor . anchor-1  ...  anchor-F | anchor-F-1 ... anchor-F-G
//!   window         2 integer bits .      F fraction bits    |  G guard bits, cut at alignment
//!   sum     sign, carry bits, window
//! ```

mod reach;
mod signals;
mod widths;

pub use signals::{Signal, Stage};

use super::format::{Format, NonFinite, Overflow, Rounding};
use super::unit::{AlignmentRounding, Unit};

/// A constant of the emitted module: its name there, its value, the sum of other constants that it is, if it is one, and
/// how it follows from the description.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Constant {
    pub name: &'static str,
    pub value: i64,
    pub expression: Option<&'static str>,
    pub derivation: String,
}

/// How one operand is taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperandPlan {
    pub width: u32,
    pub exponent_bits: u32,
    pub fraction_bits: u32,
    pub padding_bits: u32,
    pub sign_bits: u32,
    pub bias: i32,
    pub non_finite: NonFinite,
    pub flush_subnormals: bool,
    /// Least and greatest exponent an unpacked operand can have, infinity's included.
    pub exponent_min: i32,
    pub exponent_max: i32,
}

/// How the normalised sum becomes an encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultPlan {
    pub width: u32,
    pub exponent_bits: u32,
    pub fraction_bits: u32,
    pub padding_bits: u32,
    pub exponent_min: i32,
    pub rounding: Rounding,
    /// Exponent and fraction fields of the largest finite number.
    pub magnitude_max: u64,
    /// Whether overflow gives infinity rather than the largest finite number: of positive and of negative results.
    pub overflow_to_infinity: [bool; 2],
    /// Exponent and fraction fields of infinity; without it, infinite results are NaN.
    pub infinity_magnitude: Option<u64>,
    pub nan: u64,
    pub flush_subnormals: bool,
    pub zero_negative: bool,
    /// Whether the format has a minus zero.
    pub has_negative_zero: bool,
}

/// Everything that follows from a unit description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub unit: String,
    pub module: String,
    pub products: u32,
    pub a: OperandPlan,
    pub b: OperandPlan,
    pub c: OperandPlan,
    pub result: ResultPlan,
    /// Two's complement width that holds every exponent in the unit.
    pub exponent_width: u32,
    /// Least exponent of the anchor; zero terms carry it.
    pub exponent_floor: i32,
    pub exponent_floor_derivation: String,
    /// Least and greatest exponent of a term (zero terms included).
    pub term_exponent_min: i32,
    pub term_exponent_max: i32,
    pub normalise_products: bool,
    pub product_width: u32,
    pub product_fraction_bits: u32,
    pub fraction_bits: u32,
    pub alignment_rounding: AlignmentRounding,
    /// Bits kept below the window until the alignment shift: F + guard bits hold the longest fraction.
    pub guard_bits: u32,
    pub product_place_left: u32,
    pub addend_place_left: u32,
    pub window_width: u32,
    pub aligned_width: u32,
    pub carry_bits: u32,
    pub carry_bits_derived: u32,
    pub sum_width: u32,
    pub magnitude_width: u32,
    /// Zero bits above the magnitude, so that results below the format's minimum exponent need no right shift.
    pub headroom_bits: u32,
    /// Zero bits below the magnitude, so that there is always something to discard.
    pub pad_bits: u32,
    pub normalised_width: u32,
    /// Weight of the window's top bit minus the anchor.
    pub top_exponent_offset: i32,
    /// Bits a signed machine word needs to run the datapath.
    pub word_bits: u32,
    /// The constants of the emitted module, in the order in which they are derived.
    pub constants: Vec<Constant>,
    /// The named intermediate values, in datapath order.
    pub signals: Vec<Signal>,
}

/// Bits of the widest machine word that a datapath is run on, sign included. Units that need more are not accepted.
pub const WORD_BITS_MAX: u32 = 1024;

/// Carry bits that always suffice for `products` products and one addend (Valpey et al. 2025, section 4.4, counted above
/// two integer bits because products are not normalised).
///
/// Truncated terms stay below 4 * 2^F, so L + 1 of them stay below (L + 1) * 4 * 2^F; terms rounded up can reach that bound.
pub fn derived_carry_bits(products: u32, rounding: AlignmentRounding) -> u32 {
    let terms = products + 1;
    if rounding.rounds_up() { terms.ilog2() + 1 } else { terms.next_power_of_two().ilog2() }
}

/// Bits of the narrowest two's complement number that holds every value of `low..=high`.
fn signed_width(low: i64, high: i64) -> u32 {
    let bits = |value: i64| 65 - if value < 0 { (!value).leading_zeros() } else { value.leading_zeros() };
    bits(low).max(bits(high))
}

impl OperandPlan {
    fn new(format: &Format, flush_subnormals: bool) -> OperandPlan {
        OperandPlan {
            width: format.width(),
            exponent_bits: format.exponent_bits,
            fraction_bits: format.fraction_bits,
            padding_bits: format.padding_bits,
            sign_bits: u32::from(format.signed),
            bias: format.bias,
            non_finite: format.non_finite,
            flush_subnormals,
            exponent_min: format.exponent_min(),
            exponent_max: format.exponent_field_max(),
        }
    }

    /// Significand width, hidden bit included.
    pub fn precision(&self) -> u32 {
        self.fraction_bits + 1
    }
}

impl ResultPlan {
    fn new(unit: &Unit) -> ResultPlan {
        let format = &unit.formats.d;
        let magnitude_max = format.magnitude_max();
        let overflow_to_infinity = [false, true].map(|negative| match unit.conversion.overflow {
            Overflow::Infinity => true,
            Overflow::Saturate => false,
            Overflow::Ieee => unit.conversion.rounding.overflows_to_infinity(negative),
        });
        ResultPlan {
            width: format.width(),
            exponent_bits: format.exponent_bits,
            fraction_bits: format.fraction_bits,
            padding_bits: format.padding_bits,
            exponent_min: format.exponent_min(),
            rounding: unit.conversion.rounding,
            magnitude_max,
            overflow_to_infinity,
            infinity_magnitude: format.infinity(false).map(|bits| format.magnitude(bits)),
            nan: unit.conversion.nan,
            flush_subnormals: unit.flush.result,
            zero_negative: unit.conversion.zero_negative,
            has_negative_zero: format.non_finite != NonFinite::NegativeZeroNan,
        }
    }
}
