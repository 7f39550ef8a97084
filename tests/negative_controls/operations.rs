//! Faults of chains in two halves and of trees: another order, a flush that is missing, another rounding; changed lines of
//! the emitted modules and of the rounded adder.

use tensorsmith::describe::format::Rounding;
use tensorsmith::describe::unit::{Family, ProductOrder, Scheme, Unit};

use super::harness::{assert_unit_caught, assert_unit_equivalent};
use super::units::changed;
use crate::support::unit;

/// The units of rounded operations that are not a chain of one order.
fn devices() -> [Unit; 5] {
    ["amx-bf16-fp32", "cdna2-fp16-fp32", "cdna2-bf16-1k-fp32", "cdna2-bf16-fp32", "arm-bf16-fp32"].map(unit)
}

#[test]
fn operations_in_another_order() {
    let right = unit("avx512-bf16-fp32");
    let ascending = changed(&right, |unit| unit.order = ProductOrder::Ascending);
    assert_unit_caught("the even element first", &right, &ascending);
    for right in
        devices().iter().chain(&[unit("hickmann-adder-tree-fp16-fp32"), unit("tiny-pairwise"), unit("tiny-pair-chain")])
    {
        for scheme in Family::Operations.schemes() {
            if scheme != right.scheme {
                let wrong = changed(right, |unit| unit.scheme = scheme);
                match (&*right.name, scheme) {
                    ("tiny-pairwise", Scheme::PairChain) => {
                        assert_unit_equivalent("products have no more bits than d", right, &wrong);
                    }
                    _ => assert_unit_caught(scheme.name(), right, &wrong),
                }
            }
        }
    }
}

#[test]
fn flush_missing() {
    for right in devices().into_iter().chain([unit("avx512-bf16-fp32")]) {
        let kept = changed(&right, |unit| unit.flush.operands = false);
        assert_unit_caught("subnormal operands kept", &right, &kept);
        let kept = changed(&right, |unit| unit.flush.addend = false);
        assert_unit_caught("subnormal addends kept", &right, &kept);
        let kept = changed(&right, |unit| {
            unit.flush.result = false;
            unit.flush.tiny_result = false;
        });
        if right.name == "cdna2-fp16-fp32" {
            assert_unit_equivalent("no result is subnormal", &right, &kept);
        } else {
            assert_unit_caught("subnormal results kept", &right, &kept);
        }
    }
}

/// Intel looks at what a result is rounded from, AMD and Arm at what it is rounded to.
#[test]
fn tininess_of_another_device() {
    for name in ["amx-bf16-fp32", "avx512-bf16-fp32"] {
        let right = unit(name);
        let wrong = changed(&right, |unit| unit.flush.tiny_result = false);
        assert_unit_caught("tiny results rounded up are kept", &right, &wrong);
    }
    let right = unit("arm-bf16-fp32");
    let same = changed(&right, |unit| unit.flush.tiny_result = true);
    assert_unit_equivalent("rounding to odd makes no tiny sum normal", &right, &same);
}

#[test]
fn sign_of_flushed_inputs_wrong() {
    // Chains from +0 hide the sign of nearly every zero: what shows it is c beside two chains of tiny negative products.
    let shows_it = devices().into_iter().filter(|unit| unit.scheme == Scheme::Pairwise);
    for right in shows_it.chain([unit("tiny-even-odd")]) {
        let wrong = changed(&right, |unit| unit.flush.to_plus_zero = !unit.flush.to_plus_zero);
        assert_unit_caught("the sign of flushed inputs", &right, &wrong);
    }
}

#[test]
fn another_rounding() {
    for right in devices() {
        for rounding in [Rounding::NearestEven, Rounding::NearestAway, Rounding::TowardZero, Rounding::ToOdd] {
            if rounding != right.conversion.rounding {
                let wrong = changed(&right, |unit| unit.conversion.rounding = rounding);
                assert_unit_caught(rounding.name(), &right, &wrong);
            }
        }
    }
}

#[cfg(feature = "rtl")]
mod lines {
    use super::super::emitted::{Fault, assert_caught_and_located, fault};
    use crate::support::{self, unit};

    /// Products of a unit in the ordinary tier: less to compile for each fault.
    const FEW: u32 = 8;

    /// The unit, the fault, and the first step in which it shows, if it is always the same: so many after the products.
    const FAULTS: [(&str, Fault, Option<usize>); 14] = [
        (
            "amx-bf16-fp32",
            fault(
                "one chain for two",
                "tensorsmith_operations.sv",
                "addend = gen_step[Previous].result",
                "addend = gen_step[i-1].result",
            ),
            None,
        ),
        ("amx-bf16-fp32", fault("chains from c", "tensorsmith_operations.sv", "addend = '0", "addend = c"), None),
        (
            "amx-bf16-fp32",
            fault("c left out", "tensorsmith_operations.sv", ".value_i(c),", ".value_i({ResultWidth{1'b0}}),"),
            Some(1),
        ),
        (
            "amx-bf16-fp32",
            fault("tiny results kept", "tensorsmith_round_sum.sv", "if (FlushResult == 2)", "if (FlushResult == 3)"),
            None,
        ),
        (
            "cdna2-bf16-1k-fp32",
            fault(
                "products paired across",
                "tensorsmith_operations.sv",
                "right = gen_step[Right].result",
                "right = gen_step[i == Products ? 2 : i == Products + 1 ? 1 : Right].result",
            ),
            // Either sum of the first two, by the vector.
            None,
        ),
        (
            "cdna2-bf16-1k-fp32",
            fault(
                "flushed with their sign",
                "tensorsmith_unpack.sv",
                "&& FlushSubnormals == 2)",
                "&& FlushSubnormals == 3)",
            ),
            None,
        ),
        ("arm-bf16-fp32", fault("to nearest", "arm_bf16_fp32.sv", ".ResultRounding(5)", ".ResultRounding(1)"), None),
        (
            "hickmann-adder-tree-fp16-fp32",
            fault(
                "no sticky bit in the adder",
                "tensorsmith_add.sv",
                ".Rounding(5)\n  ) u_align_y",
                ".Rounding(0)\n  ) u_align_y",
            ),
            None,
        ),
        (
            "hickmann-adder-tree-fp16-fp32",
            fault(
                "a term left out of the adder's anchor",
                "tensorsmith_add.sv",
                "{unpacked_y_exponent, unpacked_x_exponent}",
                "{unpacked_x_exponent, unpacked_x_exponent}",
            ),
            None,
        ),
        (
            "cdna2-bf16-1k-fp32",
            fault(
                "the multiplier's anchor without its floor",
                "tensorsmith_multiply.sv",
                "{ExponentWidth'(ResultExponentMin), product_exponent}",
                "{product_exponent, product_exponent}",
            ),
            None,
        ),
        (
            "arm-bf16-fp32",
            fault(
                "a zero product loses its sign",
                "tensorsmith_multiply.sv",
                ".second_negative_i(product_negative)",
                ".second_negative_i(!product_negative)",
            ),
            None,
        ),
        (
            "tiny-pair-chain",
            fault(
                "one product left out of the anchor of two",
                "tensorsmith_dot2.sv",
                "{ExponentWidth'(ExponentFloor), product_exponent}",
                "{{2{ExponentWidth'(ExponentFloor)}}, product_exponent[0 +: ExponentWidth]}",
            ),
            None,
        ),
        (
            "tiny-pair-chain",
            fault(
                "two products without a sticky bit",
                "tensorsmith_dot2.sv",
                ".AlignedWidth(AlignedWidth), .Rounding(5)",
                ".AlignedWidth(AlignedWidth), .Rounding(0)",
            ),
            None,
        ),
        (
            "tiny-pair-chain",
            fault(
                "zero products of both signs make a minus zero",
                "tensorsmith_dot2.sv",
                ".second_negative_i(product_negative[1])",
                ".second_negative_i(product_negative[0])",
            ),
            None,
        ),
    ];

    #[test]
    fn changed_lines_of_operations_are_caught_and_located() {
        for (name, fault, step) in support::sampled(&FAULTS, 3) {
            let mut unit = unit(name);
            if unit.products > FEW && !support::long_tier() {
                unit.products = FEW;
            }
            let first = assert_caught_and_located(&unit, fault);
            let step = step.map(|after| unit.products as usize + after);
            assert!(step.is_none_or(|step| step == first), "{}: first in step {first}", fault.name);
        }
    }
}
