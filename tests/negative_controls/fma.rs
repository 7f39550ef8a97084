//! Faults of fused multiply-adds: wrong conversions, windows too small, changed lines of the emitted chain and of its leaf.

use tensorsmith::check::compare::{Source, compare};
use tensorsmith::check::stimulus::Exhaustive;
use tensorsmith::describe::format::{Overflow, Rounding};
use tensorsmith::describe::plan::OperationsPlan;
use tensorsmith::describe::unit::{AlignmentRounding, Unit};
use tensorsmith::engine::{Emulator, Engine};

use super::harness::{assert_unit_caught, assert_unit_equivalent, right_engine};
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
        match OperationsPlan::of(&right).step.never_overflows() {
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

/// Without the sticky bit an addend below the window no longer breaks a tie of the product.
#[test]
fn sticky_bit_of_a_step_missing() {
    for right in units() {
        let wrong = changed(&right, |unit| unit.alignment_mut().rounding = AlignmentRounding::TowardZero);
        assert_unit_caught("no sticky bit", &right, &wrong);
    }
}

/// A window that holds the product but nothing below it.
#[test]
fn window_of_a_step_too_small() {
    for right in [unit("fma-fp64"), unit("fma-fp32")] {
        let product = right.formats.a.precision() + right.formats.b.precision();
        let wrong = changed(&right, |unit| unit.alignment_mut().fraction_bits = product - 8);
        assert_unit_caught("F too small for the product", &right, &wrong);
    }
}

/// F is the least that suffices for all formats: here one bit less lets the sticky bit of an addend decide wrongly beside
/// a product of subnormal operands.
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
fn window_of_a_step_one_bit_too_small() {
    let right = Unit::from_toml("tight.toml", TIGHT).expect("a unit");
    let wrong = changed(&right, |unit| unit.alignment_mut().fraction_bits -= 1);
    for (emulated, caught) in [(&right, false), (&wrong, true)] {
        let engines: Vec<Box<dyn Engine>> = vec![right_engine(&right), Box::new(Emulator::unchecked(emulated))];
        let all = Exhaustive::of(&right.interface()).expect("few enough inputs");
        let comparison = compare(engines, &Source::Exhaustive(all), &mut |_| {}).expect("the engines answer");
        println!(
            "F = {}: {} of {} inputs differ",
            emulated.alignment().fraction_bits,
            comparison.mismatches,
            comparison.compared
        );
        assert_eq!(comparison.mismatches > 0, caught);
        assert_eq!(comparison.compared, 1 << 14);
    }
}

#[cfg(feature = "rtl")]
mod lines {
    use super::super::emitted::{Fault, assert_caught_and_located, fault};
    use crate::support::unit;

    /// Faults of the leaf show in a chain of one step.
    const OF_THE_LEAF: [Fault; 5] = [
        fault("+0 for the sum of two minus zeros", "tensorsmith_fma.sv", ".ZeroSign(ZeroSign)", ".ZeroSign(1)"),
        fault(
            "a difference of zero has the product's sign",
            "tensorsmith_round_sum.sv",
            "? first_negative_i : 1'(Rounding == 4)",
            "? first_negative_i : first_negative_i",
        ),
        fault(
            "no sticky bit of the addend",
            "tensorsmith_fma.sv",
            ".Rounding(5)\n  ) u_align_addend",
            ".Rounding(0)\n  ) u_align_addend",
        ),
        fault(
            "the addend left out of the anchor",
            "tensorsmith_fma.sv",
            "{unpacked_c_exponent, product_exponent}",
            "{product_exponent, product_exponent}",
        ),
        fault("NaN wrong", "fma_fp64.sv", "(64'h7ff8000000000000)", "(64'h7fffffffffffffff)"),
    ];

    /// Faults of the chain, and the step that differs first.
    const OF_THE_CHAIN: [(Fault, usize); 4] = [
        (
            fault(
                "the first step left out",
                "tensorsmith_operations.sv",
                "assign addend = gen_step[Previous].result;",
                "assign addend = c_i;",
            ),
            1,
        ),
        (
            fault(
                "b in the other order",
                "tensorsmith_operations.sv",
                "b[Pair*OperandBWidth +: OperandBWidth]",
                "b[(Products-1-i)*OperandBWidth +: OperandBWidth]",
            ),
            1,
        ),
        (
            fault(
                "the last a in every step",
                "tensorsmith_operations.sv",
                "a[Pair*OperandAWidth +: OperandAWidth]",
                "a[(Products-1)*OperandAWidth +: OperandAWidth]",
            ),
            0,
        ),
        (
            fault(
                "the second step truncates",
                "tensorsmith_operations.sv",
                "(FlushOperands),\n          .FlushAddend             (FlushAddend),\n          .FlushResult             (FlushResult),\n          \
                 .Rounding                (ResultRounding)",
                "(FlushOperands),\n          .FlushAddend             (FlushAddend),\n          .FlushResult             (FlushResult),\n          \
                 .Rounding                (i == 1 ? 0 : ResultRounding)",
            ),
            1,
        ),
    ];

    #[test]
    fn changed_lines_of_a_multiply_add_are_caught() {
        let unit = unit("fma-fp64");
        for fault in crate::support::sampled(&OF_THE_LEAF, 3) {
            assert_eq!(assert_caught_and_located(&unit, fault), 0);
        }
    }

    #[test]
    fn changed_lines_of_a_chain_are_caught_and_located() {
        let unit = unit("tiny-fma");
        for (fault, step) in crate::support::sampled(&OF_THE_CHAIN, 2) {
            assert_eq!(assert_caught_and_located(&unit, fault), *step, "{}", fault.name);
        }
    }
}
