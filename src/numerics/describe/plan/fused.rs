//! The plan of a unit that aligns all terms to one anchor, adds them once and converts once.

use super::{Constant, OperandPlan, ResultPlan, TermsPlan};
use crate::describe::unit::AlignmentRounding;

/// Everything that follows from the description of a unit that aligns its terms to one anchor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FusedPlan {
    pub unit: String,
    pub module: String,
    pub products: u32,
    pub a: OperandPlan,
    pub b: OperandPlan,
    /// Counts only where there is an addend.
    pub c: OperandPlan,
    pub has_addend: bool,
    /// Whether invalid operations and overflow are told beside the result.
    pub flags: bool,
    pub result: ResultPlan,
    /// The terms beside the addend.
    pub terms: TermsPlan,
    /// Two's complement width that holds every exponent in the unit.
    pub exponent_width: u32,
    /// Least exponent of the anchor; zero terms carry it.
    pub exponent_floor: i32,
    pub exponent_floor_derivation: String,
    /// Least and greatest exponent of a term, of zero terms and the addend too.
    pub term_exponent_min: i32,
    pub term_exponent_max: i32,
    pub normalise_products: bool,
    /// Exact product of two significands.
    pub product_width: u32,
    pub fraction_bits: u32,
    pub alignment_rounding: AlignmentRounding,
    /// Bits kept below the window until the alignment shift: F + guard bits hold the longest fraction.
    pub guard_bits: u32,
    pub term_place_left: u32,
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
}
