//! Faults of fused multiply-adds: wrong conversions, changed lines of the emitted chain and of a module in it.

use tensorsmith::check::compare::{Source, compare};
use tensorsmith::check::stimulus::Exhaustive;
use tensorsmith::describe::format::{Overflow, Rounding};
use tensorsmith::describe::plan::StepsPlan;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Emulator, Engine, Kind, Opened};

use super::harness::{assert_unit_caught, assert_unit_equivalent};
use super::units::changed;
use crate::support::unit;

fn units() -> [Unit; 3] {
    [unit("fma-fp64"), unit("fma-fp32"), unit("tiny-fma")]
}

#[test]
fn conversion_of_a_step_wrong() {
    for right in units() {
        for rounding in [Rounding::NearestAway, Rounding::TowardZero, Rounding::ToOdd] {
            let wrong = changed(&right, |unit| unit.conversion.rounding = rounding);
            assert_unit_caught(rounding.name(), &right, &wrong);
        }
        let nan = right.formats.d.largest(true) + 3;
        assert_unit_caught("NaN wrong", &right, &changed(&right, |unit| unit.conversion.nan = nan));
        let saturating = changed(&right, |unit| unit.conversion.overflow = Overflow::Saturate);
        match StepsPlan::of(&right).never_overflows() {
            None => assert_unit_caught("overflow saturates", &right, &saturating),
            Some(reason) => assert_unit_equivalent(&reason, &right, &saturating),
        }
    }
}

#[test]
fn subnormals_of_a_step_flushed() {
    for right in units() {
        assert_unit_caught("subnormal operands flushed", &right, &changed(&right, |unit| unit.flush.operands = true));
        assert_unit_caught("subnormal addends flushed", &right, &changed(&right, |unit| unit.flush.addend = true));
        assert_unit_caught("subnormal results flushed", &right, &changed(&right, |unit| unit.flush.result = true));
    }
}

/// In a window of one bit less the sticky bit of an addend would decide wrongly beside a product of subnormal operands.
const TIGHT: &str = r#"
    name = "tight"
    scheme = "fma-chain"
    products = 1
    [formats]
    a = { exponent_bits = 3, fraction_bits = 1, bias = -9, non_finite = "none" }
    b = "e2m1"
    c = { exponent_bits = 3, fraction_bits = 1, bias = -2, non_finite = "ieee" }
    d = { exponent_bits = 3, fraction_bits = 1, bias = -2, non_finite = "ieee" }
    [conversion]
    rounding = "nearest-even"
    overflow = "ieee"
"#;

#[test]
fn tight_windows_round_exact_sums() {
    let right = Unit::from_toml("tight.toml", TIGHT).expect("a unit");
    let wrong = changed(&right, |unit| unit.conversion.rounding = Rounding::NearestAway);
    for (emulated, caught) in [(&right, false), (&wrong, true)] {
        let reference = Kind::Reference.open(&right).expect("the reference opens");
        let Opened::Ready(reference) = reference else { panic!("the reference is always there") };
        let engines: Vec<Box<dyn Engine>> = vec![reference, Box::new(Emulator::new(emulated))];
        let all = Exhaustive::of(&right.interface()).expect("few enough inputs");
        let comparison = compare(engines, &Source::Exhaustive(all), &mut |_| {}).expect("the engines evaluate");
        assert_eq!(comparison.mismatches > 0, caught);
        assert_eq!(comparison.compared, 1 << 14);
    }
}

#[cfg(feature = "rtl")]
mod lines {
    use tensorsmith::compute::record::Stage;

    use super::super::emitted::{Fault, assert_caught_and_located, fault};
    use crate::support::unit;

    const OF_ONE_STEP: [Fault; 4] = [
        fault("+0 for the sum of two minus zeros", "fma_fp64.sv", ".ZeroSign(2)", ".ZeroSign(0)"),
        fault("no sticky bit", "fma_fp64.sv", ".Rounding(5)", ".Rounding(0)"),
        fault("NaN wrong", "fma_fp64.sv", "(64'h7ff8000000000000)", "(64'h7fffffffffffffff)"),
        fault("an infinity for a NaN", "tensorsmith_sum.sv", "plus && minus", "1'b0 && plus && minus"),
    ];

    const OF_A_CHAIN: [Fault; 3] = [
        fault("the first step left out", "tiny_fma.sv", "gen_link_0[0].number_significand", "c_significand"),
        fault(
            "b in the other order",
            "tiny_fma.sv",
            "b_i[i*OperandBWidth +: OperandBWidth]",
            "b_i[(Products-1-i)*OperandBWidth +: OperandBWidth]",
        )
        .at(Stage::Product),
        fault(
            "the last a in every step",
            "tiny_fma.sv",
            "a_i[i*OperandAWidth +: OperandAWidth]",
            "a_i[(Products-1)*OperandAWidth +: OperandAWidth]",
        )
        .at(Stage::Product),
    ];

    #[test]
    fn changed_lines_of_a_multiply_add_are_caught() {
        let unit = unit("fma-fp64");
        for fault in crate::support::sampled(&OF_ONE_STEP, 3) {
            assert_eq!(assert_caught_and_located(&unit, fault), 0);
        }
    }

    #[test]
    fn changed_lines_of_a_chain_are_caught() {
        let unit = unit("tiny-fma");
        for fault in crate::support::sampled(&OF_A_CHAIN, 2) {
            assert_caught_and_located(&unit, fault);
        }
    }
}
