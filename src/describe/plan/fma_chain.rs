//! The plan of a chain of fused multiply-adds: each step is a fused sum of one product and the addend.
//!
//! The step's window is wide enough, and its alignment rounds to odd, so that the one rounding at its end rounds the
//! exact sum (Boldo and Melquiond, 2008).
//!
//! ```text
//!   c       1.ffffff|000000000000     p(d) bits, then zeros down to the window's last bit
//!   a * b   00000000|0xx.fffffff#     p(a) + p(b) bits; # is the last bit, odd if anything lies below it
//! ```

use super::{Constant, FusedPlan, Signal, Stage};
use crate::describe::unit::{Alignment, AlignmentRounding, Formats, Scheme, Unit};

/// Everything that follows from the description of a chain of fused multiply-adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FmaChainPlan {
    /// L: products, and steps.
    pub products: u32,
    /// The plan of every step.
    pub step: FusedPlan,
    /// The constants of a step, in the order in which they are derived.
    pub constants: Vec<Constant>,
    /// The results of the steps, in their order.
    pub signals: Vec<Signal>,
}

impl FmaChainPlan {
    /// The alignment with which a step of these formats is rounded once.
    ///
    /// F = p(a) + p(b) + p(d), p being significand widths, and u = 2^(anchor - F) the window's last bit. It suffices,
    /// because at most one term loses bits, the other one being an even multiple of u, and because then the last place
    /// of d weighs 4u at least: no result, and no middle of two, lies where rounding to odd can carry a sum across.
    /// Worst is a product of subnormal operands: it can be as small as 2^(anchor - p(a) - p(b) + 2), the addend loses
    /// bits where it is below 2^(anchor - p(a) - p(b) - 1), and their sum is then above 2^(anchor - p(a) - p(b) + 1),
    /// where the last place of d is 4u. At the floor, d's least normal exponent, the last bit of the addend and the
    /// last place of d weigh 2^(floor - p(d) + 1) at least.
    pub fn alignment(formats: &Formats) -> Alignment {
        Alignment {
            fraction_bits: formats.a.precision() + formats.b.precision() + formats.d.precision(),
            rounding: AlignmentRounding::ToOdd,
            exponent_floor: Some(formats.d.exponent_min()),
            normalise_products: false,
        }
    }

    /// Derives the plan of a unit.
    pub fn of(unit: &Unit) -> FmaChainPlan {
        let step = FusedPlan::of(&Unit { scheme: Scheme::Fused, products: 1, ..unit.clone() });
        let fraction_bits = Constant {
            name: "FractionBits",
            value: i64::from(step.fraction_bits),
            expression: Some("OperandAPrecision + OperandBPrecision + ResultPrecision"),
            derivation: "F: what is lost below is a sticky bit that no rounding to d can miss".to_owned(),
        };
        let floor = Constant {
            name: "AnchorFloor",
            value: i64::from(step.exponent_floor),
            expression: None,
            derivation: "d's least normal exponent: no place of d lies further below".to_owned(),
        };
        let results = Signal {
            name: "step",
            stage: Stage::Packed,
            elements: unit.products,
            width: step.result.width,
            signed: false,
        };
        FmaChainPlan {
            products: unit.products,
            constants: [fraction_bits, floor].into_iter().chain(step.constants.iter().cloned()).collect(),
            step,
            signals: vec![results],
        }
    }
}
