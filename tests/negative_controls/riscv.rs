//! Faults of bulk normalisation: rounding other than to odd, flags that a quiet NaN hides, an addend that is not there; and
//! faults of the units that no device stands for, TF64 and the tree of integer adders.

use tensorsmith::describe::format::{Format, Overflow, Rounding};
use tensorsmith::describe::plan::Plan;
use tensorsmith::describe::unit::{AlignmentRounding, Unit};

use super::harness::{assert_unit_caught, assert_unit_equivalent};
use super::units::changed;
use crate::support::unit;

fn units() -> [Unit; 4] {
    ["riscv-fp16-fp32", "riscv-bf16-fp32", "riscv-e5m2-e4m3-bf16", "tiny-riscv"].map(unit)
}

#[test]
fn alignment_not_rounded_to_odd() {
    for right in units() {
        for rounding in [AlignmentRounding::NearestEven, AlignmentRounding::TowardZero, AlignmentRounding::Downward] {
            let wrong = changed(&right, |unit| unit.alignment_mut().rounding = rounding);
            assert_unit_caught(&format!("terms rounded {rounding:?}"), &right, &wrong);
        }
    }
}

#[test]
fn conversion_not_rounded_to_odd() {
    for right in units() {
        for rounding in [Rounding::NearestEven, Rounding::TowardZero] {
            let wrong = changed(&right, |unit| unit.conversion.rounding = rounding);
            assert_unit_caught(rounding.name(), &right, &wrong);
        }
        let saturating = changed(&right, |unit| unit.conversion.overflow = Overflow::Ieee);
        match Plan::of(&right).fused().expect("no integers").never_overflows() {
            None => {
                assert_unit_caught("the largest number for overflow, as rounding to odd has it", &right, &saturating)
            }
            Some(reason) => assert_unit_equivalent(&reason, &right, &saturating),
        }
    }
}

#[test]
fn guard_and_overflow_bits_wrong() {
    for right in units() {
        for more in [0, 2] {
            let wrong =
                changed(&right, |unit| unit.alignment_mut().fraction_bits = unit.alignment().fraction_bits + more - 1);
            assert_unit_caught("g one off", &right, &wrong);
        }
        let sufficient = Plan::of(&right).fused().expect("no integers").carry_bits_sufficient();
        assert_unit_caught("o too small", &right, &changed(&right, |unit| unit.carry_bits = Some(sufficient - 1)));
    }
}

#[test]
fn special_results_wrong() {
    for right in units() {
        assert_unit_caught(
            "-0 for an exact zero",
            &right,
            &changed(&right, |unit| unit.conversion.zero_negative = true),
        );
        let other = right.formats.d.infinity(false).expect("an IEEE format") + 1;
        assert_unit_caught("NaN wrong", &right, &changed(&right, |unit| unit.conversion.nan = other));
        assert_unit_caught("subnormal operands flushed", &right, &changed(&right, |unit| unit.flush.operands = true));
        let flushed = changed(&right, |unit| unit.flush.result = true);
        match Plan::of(&right).fused().expect("no integers").never_subnormal() {
            None => assert_unit_caught("subnormal results flushed", &right, &flushed),
            Some(reason) => assert_unit_equivalent(&reason, &right, &flushed),
        }
    }
}

/// An addend of zero takes no part in anchor, sum or flags: the unit with one answers the same.
#[test]
fn addend_of_zero_is_no_addend() {
    for right in units() {
        let with_addend = changed(&right, |unit| unit.formats.c = Format::binary16());
        assert_unit_equivalent("an addend of zero", &right, &with_addend);
    }
}

fn proposed() -> [Unit; 4] {
    ["tf64-fp32-fp64", "tf64-tf32-fp64", "tf64-fp16-fp64", "hickmann-integer-tree-fp16-fp32"].map(unit)
}

#[test]
fn proposed_units_with_another_window() {
    for right in crate::support::sampled(&proposed(), 2) {
        for more in [0, 2] {
            let wrong =
                changed(right, |unit| unit.alignment_mut().fraction_bits = unit.alignment().fraction_bits + more - 1);
            assert_unit_caught("F one off", right, &wrong);
        }
        let odd = changed(right, |unit| unit.alignment_mut().rounding = AlignmentRounding::ToOdd);
        assert_unit_caught("a sticky bit", right, &odd);
        let nearest = changed(right, |unit| unit.conversion.rounding = Rounding::NearestEven);
        assert_unit_caught("RNE in place of the final truncation", right, &nearest);
        assert_unit_caught("one carry bit", right, &changed(right, |unit| unit.carry_bits = Some(1)));
    }
}

/// What tells the tree of integer adders from Volta's unit.
#[test]
fn integer_tree_without_flushing() {
    let right = unit("hickmann-integer-tree-fp16-fp32");
    assert_unit_caught("subnormal addends kept", &right, &changed(&right, |unit| unit.flush.addend = false));
    let kept = changed(&right, |unit| unit.flush.result = false);
    assert_unit_equivalent("products are multiples of 2^-48, and subnormal addends count as zero", &right, &kept);
}

#[cfg(feature = "rtl")]
mod lines {
    use super::super::emitted::{Fault, assert_caught_and_located, fault};
    use crate::support::unit;

    const FAULTS: [Fault; 7] = [
        fault(
            "a quiet NaN hides infinity times zero",
            "tensorsmith_flags.sv",
            "{addend_signals, signalling, invalid_product} != '0 ||",
            "{addend_signals, signalling, invalid_product & ~{Products{{a_nan_i, b_nan_i} != '0}}} != '0 ||",
        ),
        fault(
            "a quiet NaN hides infinite terms of both signs",
            "tensorsmith_flags.sv",
            "!= '0 && (infinite & negative) != '0);",
            "!= '0 && (infinite & negative) != '0 && {a_nan_i, b_nan_i} == '0);",
        ),
        fault(
            "infinity times NaN is infinite",
            "tensorsmith_flags.sv",
            "& ~(a_nan_i | b_nan_i | invalid_product)",
            "& ~invalid_product",
        ),
        fault(
            "every NaN of b signals",
            "tensorsmith_flags.sv",
            "(b_nan_i & ~b_quiet_i",
            "(b_nan_i & ~(b_quiet_i & ~b_nan_i)",
        ),
        fault("no NaN of a signals", "tensorsmith_fused.sv", ".SignallingA  (SignallingA)", ".SignallingA  (0)"),
        fault(
            "the least infinity is no overflow",
            "tensorsmith_flags.sv",
            "magnitude > MagnitudeWidth'(MaximumFinite)",
            "magnitude > MagnitudeWidth'(MaximumFinite) + 1'b1",
        ),
        fault(
            "an addend wired to the class of a",
            "tensorsmith_fused.sv",
            "assign unpacked_c_infinite    = 1'b0;",
            "assign unpacked_c_infinite    = unpacked_a_zero[0];",
        ),
    ];

    #[test]
    fn changed_lines_of_flags_are_caught() {
        let unit = unit("riscv-bf16-fp32");
        for fault in crate::support::sampled(&FAULTS, 3) {
            assert_eq!(assert_caught_and_located(&unit, fault), 0, "{}", fault.name);
        }
    }

    #[test]
    fn nan_of_e5m2_that_signals_is_caught() {
        let signals = fault(
            "a NaN of e5m2 signals",
            "tensorsmith_fused.sv",
            ".SignallingA  (SignallingA)",
            ".SignallingA  (OperandANonFinite == 1 ? 1 : 0)",
        );
        assert_eq!(assert_caught_and_located(&unit("riscv-e5m2-e4m3-bf16"), &signals), 0);
    }

    /// Raised where a term is infinite, or the sum is zero: what the arithmetic beside it gives must not count.
    #[test]
    fn overflow_beside_other_results_is_caught() {
        let unit = unit("tiny-riscv");
        for (name, right, wrong) in [
            (
                "overflow of an infinite term",
                "&& !nan_i && !infinite_i;",
                "&& !nan_i && (!infinite_i || rounded_i[0]);",
            ),
            ("overflow of a NaN", "&& !nan_i && !infinite_i;", "&& (!nan_i || rounded_i[0]) && !infinite_i;"),
        ] {
            assert_caught_and_located(&unit, &fault(name, "tensorsmith_flags.sv", right, wrong));
        }
    }
}
