//! Every width and constant of a unit, computed once, each with its derivation in words.
//!
//! Emulator, emitter, traces and reports read these numbers; none of them derives a width again.
//!
//! ```text
//!   exponent      anchor+1 anchor . anchor-1  ...  anchor-F | anchor-F-1 ... anchor-F-G
//!   window           integer bits .      F fraction bits    |  G guard bits, cut at alignment
//!   sum     sign, carry bits, window
//! ```

mod error_bound;
mod fused;
mod integer;
mod operand;
mod reach;
mod steps;
mod terms;
mod widths;

pub use error_bound::ErrorBound;
pub use fused::FusedPlan;
pub use integer::{IntegerOperand, IntegerPlan};
pub use operand::{OperandPlan, ResultPlan};
pub use steps::{
    AlignPlan, EnterPlan, InputPlan, LimitPlan, LinkPlan, LinkRun, NormalisePlan, NumberPlan, Registers, RoundPlan,
    ScalePlan, Source, StepsPlan, SumKind, SumPlan, TermPlan, TermRun,
};
pub use terms::TermsPlan;

use super::unit::{AlignmentRounding, Family, Unit};

/// A constant of the emitted module: its name there, its value, the sum of other constants that it is, if it is one, and
/// how it follows from the description.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Constant {
    pub name: &'static str,
    pub value: i64,
    pub expression: Option<&'static str>,
    pub derivation: String,
}

/// Everything that follows from a unit description, by summation scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    Fused(Box<FusedPlan>),
    Integer(IntegerPlan),
    Steps(Box<StepsPlan>),
}

impl Plan {
    /// Derives the plan of a unit. Every checked unit has one.
    ///
    /// # Panics
    /// The unit is not valid: see [`Unit::validate`].
    pub fn of(unit: &Unit) -> Plan {
        match unit.scheme.family() {
            Family::Fused => Plan::Fused(Box::new(FusedPlan::of(unit))),
            Family::Integer => Plan::Integer(IntegerPlan::of(unit)),
            Family::Steps => Plan::Steps(Box::new(StepsPlan::of(unit))),
        }
    }

    /// The plan of aligning, summing and converting the terms. Integers and lists of steps have no such plan.
    pub fn fused(&self) -> Option<&FusedPlan> {
        match self {
            Plan::Fused(plan) => Some(plan),
            Plan::Integer(_) | Plan::Steps(_) => None,
        }
    }

    /// How a number becomes d; integers have no such plan.
    pub fn result(&self) -> Option<&ResultPlan> {
        match self {
            Plan::Steps(plan) => Some(&plan.result),
            plan => plan.fused().map(|fused| &fused.result),
        }
    }

    /// Bits a signed machine word needs to run the datapath.
    pub fn word_bits(&self) -> u32 {
        match self {
            Plan::Fused(plan) => plan.word_bits,
            Plan::Integer(plan) => plan.word_bits,
            Plan::Steps(plan) => plan.word_bits,
        }
    }

    /// The constants of the emitted module, in the order in which they are derived.
    pub fn constants(&self) -> &[Constant] {
        match self {
            Plan::Fused(plan) => &plan.constants,
            Plan::Integer(plan) => &plan.constants,
            Plan::Steps(_) => &[],
        }
    }
}

impl Unit {
    /// Enabled clock edges from operands to result, as the scheme's module derives them.
    pub fn latency(&self) -> u32 {
        match self.scheme.family() {
            Family::Steps if !self.build.cuts.is_empty() => Registers::of(self, &StepsPlan::of(self)).latency(),
            _ => self.build.cuts.len() as u32,
        }
    }
}

/// Bits of the widest machine word that a datapath is run on, sign included. Units that need more are not accepted.
pub const WORD_BITS_MAX: u32 = 1024;

/// Carry bits that always suffice for `terms` terms and one addend (Valpey et al. 2025, section 4.3, counted above the
/// integer bits of the window: two where terms are products, because products are not normalised).
///
/// Truncated terms stay below 4 * 2^F, so L + 1 of them stay below (L + 1) * 4 * 2^F; terms rounded up can reach that bound.
pub fn derived_carry_bits(terms: u32, rounding: AlignmentRounding) -> u32 {
    let terms = terms + 1;
    if rounding.rounds_up() { terms.ilog2() + 1 } else { terms.next_power_of_two().ilog2() }
}

/// Carry bits that always suffice for a unit: as [`derived_carry_bits`], for its terms and its addend if it has one.
pub fn carry_bits_of(unit: &Unit) -> u32 {
    let others = unit.terms() - u32::from(!unit.has_addend());
    derived_carry_bits(others, unit.alignment().rounding)
}

/// Bits of the narrowest two's complement number that holds every value of `low..=high`.
pub fn signed_width(low: i128, high: i128) -> u32 {
    let bits = |value: i128| 129 - if value < 0 { (!value).leading_zeros() } else { value.leading_zeros() };
    bits(low).max(bits(high))
}
