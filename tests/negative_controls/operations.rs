//! Faults of chains in two halves and of trees: another order, a flush that is missing, another rounding; changed lines of
//! the emitted modules and of the rounded adder.

use tensorsmith::describe::format::Rounding;
use tensorsmith::describe::unit::{ProductOrder, Scheme, Unit};

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
        for scheme in Scheme::ALL.into_iter().filter(|scheme| scheme.rounds_each_operation()) {
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
    use tensorsmith::compute::record::Stage;

    use super::super::emitted::{Fault, assert_caught_and_located, fault};
    use crate::support::{self, unit};

    /// Products of a unit in the ordinary tier: less to compile for each fault.
    const FEW: u32 = 8;

    const FAULTS: [(&str, Fault); 6] = [
        (
            "amx-bf16-fp32",
            fault("c left out", "amx_bf16_fp32.sv", ".operand_i(c_i)", ".operand_i('0)").at(Stage::Unpacked),
        ),
        (
            "amx-bf16-fp32",
            fault("tiny results kept", "tensorsmith_number_round.sv", "&& (subnormal || tiny)", "&& subnormal"),
        ),
        (
            "cdna2-bf16-1k-fp32",
            fault("flushed with their sign", "tensorsmith_flush.sv", "Flush == 2 && subnormal", "1'b0 && subnormal"),
        ),
        (
            "hickmann-adder-tree-fp16-fp32",
            fault("every number in the anchor", "tensorsmith_sum.sv", "= number_absent[i] ?", "= 1'b0 ?"),
        ),
        (
            "arm-bf16-fp32",
            fault(
                "a zero product loses its sign",
                "tensorsmith_number_product.sv",
                "x_negative_i ^ y_negative_i",
                "(x_negative_i ^ y_negative_i) && significand_o != '0",
            )
            .at(Stage::Product),
        ),
        (
            "tiny-pair-chain",
            fault(
                "zero products of both signs make a minus zero",
                "tensorsmith_sum.sv",
                "ZeroSign == 2 && term_negative == '1",
                "ZeroSign == 2 && term_negative != '0",
            ),
        ),
    ];

    #[test]
    fn changed_lines_of_operations_are_caught_and_located() {
        for (name, fault) in support::sampled(&FAULTS, 3) {
            let mut unit = unit(name);
            if unit.products > FEW && !support::long_tier() {
                unit.products = FEW;
            }
            assert_caught_and_located(&unit, fault);
        }
    }
}
