//! Faults that are another unit description.

use tensorsmith::describe::format::Rounding;
use tensorsmith::describe::plan::{Plan, carry_bits_of};
use tensorsmith::describe::unit::{AlignmentRounding, Unit};

use super::harness::{assert_unit_caught, assert_unit_equivalent, device_units};
use crate::support::unit;

pub(super) fn changed(unit: &Unit, change: impl Fn(&mut Unit)) -> Unit {
    let mut changed = unit.clone();
    change(&mut changed);
    assert_ne!(changed, *unit, "the fault changes something");
    changed
}

#[test]
fn fraction_bits_one_too_small() {
    for right in device_units().iter().chain(&[unit("tiny-truncating"), unit("tiny-nearest")]) {
        assert_unit_caught("F one too small", right, &changed(right, |unit| unit.alignment_mut().fraction_bits -= 1));
    }
}

#[test]
fn fraction_bits_one_too_large() {
    for right in device_units().iter().chain(&[unit("tiny-truncating"), unit("tiny-nearest")]) {
        assert_unit_caught("F one too large", right, &changed(right, |unit| unit.alignment_mut().fraction_bits += 1));
    }
}

#[test]
fn carry_bit_missing() {
    for right in device_units() {
        // Significands of fp8 and shorter formats stay further below 2, so that the last of the derived bits is spare.
        let sufficient = carry_bits_sufficient(&right);
        if sufficient < carry_bits_of(&right) {
            let fewer = changed(&right, |unit| unit.carry_bits = Some(sufficient));
            assert_unit_equivalent("no sum needs the last carry bit", &right, &fewer);
        }
        let too_few = changed(&right, |unit| unit.carry_bits = Some(sufficient - 1));
        assert_unit_caught("one carry bit missing", &right, &too_few);
    }
}

/// The least number of carry bits that the plan of a unit finds sufficient.
fn carry_bits_sufficient(unit: &Unit) -> u32 {
    let wraps = |bits: u32| match Plan::of(&changed(unit, |unit| unit.carry_bits = Some(bits))) {
        Plan::Steps(plan) => plan.links.last().expect("a list has links").sum.wraps(),
        plan => plan.fused().expect("no integers").carry_bits_sufficient() > bits,
    };
    (0..).find(|bits| !wraps(*bits)).expect("some number suffices")
}

/// e2m1 significands are at most 1.5, so two products and the addend stay below 2 * 2.25 + 1.75 = 6.25 times 2^anchor,
/// and one carry bit above the window's two (8 times 2^anchor) suffices: the derived second one is spare.
#[test]
fn carry_bit_spare_for_tiny_significands() {
    for right in [unit("tiny-truncating"), unit("tiny-nearest")] {
        assert!(Plan::of(&right).fused().expect("no integers").last_carry_spare().is_some());
        let fewer = changed(&right, |unit| unit.carry_bits = Some(1));
        assert_unit_equivalent("the largest sum is 6.25 times 2^anchor", &right, &fewer);
        let too_few = changed(&right, |unit| unit.carry_bits = Some(0));
        assert_unit_caught("both carry bits missing", &right, &too_few);
    }
}

/// A carry bit more than derived is never used.
#[test]
fn carry_bit_more_than_derived() {
    let right = unit("hopper-fp16-fp32");
    let more = changed(&right, |unit| unit.carry_bits = Some(6));
    assert_unit_equivalent("17 terms below 4 stay below 2^7", &right, &more);
}

#[test]
fn rounding_to_nearest_instead_of_truncation() {
    for right in device_units().iter().filter(|unit| unit.conversion.rounding == Rounding::TowardZero) {
        let wrong = changed(right, |unit| unit.conversion.rounding = Rounding::NearestEven);
        assert_unit_caught("RNE in place of the final truncation", right, &wrong);
    }
}

#[test]
fn truncation_instead_of_rounding_to_nearest() {
    for right in device_units().iter().filter(|unit| unit.conversion.rounding == Rounding::NearestEven) {
        let wrong = changed(right, |unit| unit.conversion.rounding = Rounding::TowardZero);
        assert_unit_caught("truncation in place of the final RNE", right, &wrong);
        let wrong = changed(right, |unit| unit.conversion.rounding = Rounding::NearestAway);
        assert_unit_caught("ties away from zero", right, &wrong);
    }
}

#[test]
fn terms_rounded_to_nearest_at_alignment() {
    for right in device_units() {
        let wrong = changed(&right, |unit| unit.alignment_mut().rounding = AlignmentRounding::NearestEven);
        assert_unit_caught("terms rounded to nearest at alignment", &right, &wrong);
        let wrong = changed(&right, |unit| unit.alignment_mut().rounding = AlignmentRounding::Downward);
        assert_unit_caught("terms rounded downward at alignment", &right, &wrong);
    }
}

#[test]
fn products_normalised_first() {
    // Scaled terms are never normalised: a unit file cannot ask for it.
    for right in device_units().into_iter().filter(|unit| unit.scales.is_none()) {
        let wrong = changed(&right, |unit| unit.alignment_mut().normalise_products = true);
        assert_unit_caught("products normalised first", &right, &wrong);
    }
}

#[test]
fn sticky_bit_added() {
    for right in device_units() {
        let wrong = changed(&right, |unit| {
            unit.alignment_mut().fraction_bits += 1;
            unit.alignment_mut().rounding = AlignmentRounding::ToOdd;
        });
        assert_unit_caught("a sticky bit below the window", &right, &wrong);
    }
}

#[test]
fn floor_shifted_by_one() {
    for right in device_units().iter().filter(|unit| floor_can_act(unit)) {
        for shift in [-1, 1] {
            let wrong = changed(right, |unit| {
                unit.alignment_mut().exponent_floor = unit.alignment().exponent_floor.map(|floor| floor + shift);
            });
            assert_unit_caught(&format!("floor shifted by {shift}"), right, &wrong);
        }
    }
    let right = unit("tiny-truncating");
    assert_unit_caught("no floor", &right, &changed(&right, |unit| unit.alignment_mut().exponent_floor = None));
}

/// Whether a floor at or just above the unit's own can cut a product: only then do neighbouring floors differ. (An active
/// floor implies that the addend is zero or smaller still.)
fn floor_can_act(unit: &Unit) -> bool {
    let plan = match Plan::of(unit) {
        Plan::Steps(plan) => return plan.floors_stay_low().is_none() && plan.loses_no_bit(|_| true).is_none(),
        plan => plan,
    };
    let plan = plan.fused().expect("no integers");
    let last_place = plan.exponent_floor + 1 - plan.fraction_bits as i32;
    plan.exponent_floor > plan.term_exponent_min && last_place > plan.terms.unit
}

/// Either no term has an exponent below the floor, as with fp16 or fp8 products and a binary32 addend, or the window at
/// the floor still holds every bit of the smallest product, as with e5m2 products and F = 13 from 2^-21 down.
#[test]
fn floor_without_effect() {
    for right in device_units().iter().filter(|unit| !floor_can_act(unit)) {
        for floor in [None, Some(-134)] {
            let other = {
                let mut unit = right.clone();
                unit.alignment_mut().exponent_floor = floor;
                unit
            };
            assert_unit_equivalent("the floor cuts no term", right, &other);
        }
    }
}

#[test]
fn canonical_nan_wrong() {
    for right in device_units() {
        let quiet = right.formats.d.nan().expect("a format with NaN");
        assert_unit_caught("canonical NaN wrong", &right, &changed(&right, |unit| unit.conversion.nan = quiet));
    }
}

#[test]
fn exact_zero_negative() {
    for right in device_units() {
        assert_unit_caught(
            "-0 for an exact zero",
            &right,
            &changed(&right, |unit| unit.conversion.zero_negative = true),
        );
    }
}

#[test]
fn zeros_of_small_sums_signed() {
    for name in ["hopper-bf16-fp32", "hopper-tf32-fp32", "hopper-fp16-fp16", "hopper-e5m2-fp16"] {
        let right = unit(name);
        let signed = changed(&right, |unit| unit.conversion.rounded_zero_positive = false);
        assert_unit_caught("-0 for a small negative sum", &right, &signed);
    }
}

#[test]
fn subnormals_flushed() {
    for right in device_units() {
        assert_unit_caught("subnormal operands flushed", &right, &changed(&right, |unit| unit.flush.operands = true));
        let flushed = changed(&right, |unit| unit.flush.addend = true);
        if subnormal_addends_vanish(&right) {
            assert_unit_equivalent("subnormal addends lie below the window of the floor", &right, &flushed);
        } else {
            assert_unit_caught("subnormal addends flushed", &right, &flushed);
        }
        assert_unit_caught("subnormal results flushed", &right, &changed(&right, |unit| unit.flush.result = true));
    }
}

/// Whether every subnormal addend lies below the last place of the window at the floor, as fp32 ones with fp16 results.
fn subnormal_addends_vanish(unit: &Unit) -> bool {
    let window_end = |floor: i32| floor - unit.alignment().fraction_bits as i32;
    unit.alignment().exponent_floor.is_some_and(|floor| unit.formats.c.exponent_min() <= window_end(floor))
}

#[test]
fn overflow_saturates() {
    use tensorsmith::describe::format::Overflow;
    for right in device_units() {
        let wrong = changed(&right, |unit| unit.conversion.overflow = Overflow::Saturate);
        let reason = match Plan::of(&right) {
            Plan::Steps(plan) => plan.never_overflows(),
            plan => plan.fused().expect("no integers").never_overflows(),
        };
        match reason {
            None => assert_unit_caught("overflow saturates", &right, &wrong),
            Some(reason) => assert_unit_equivalent(&reason, &right, &wrong),
        }
    }
}
