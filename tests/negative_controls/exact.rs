//! Faults of units that sum exactly: a window, a rounding more, another rounding.

use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::Rounding;
use tensorsmith::describe::unit::{Alignment, AlignmentRounding, Scheme, Unit};
use tensorsmith::engine::Engine;

use super::harness::{added_late, assert_unit_caught, right_engine, run};
use super::units::changed;

fn exact_units() -> Vec<Unit> {
    let units: Vec<Unit> = catalogue::units().into_iter().filter(|unit| unit.scheme == Scheme::Exact).collect();
    assert!(units.len() >= 3);
    units
}

/// Rounds the sum of the products, and the sum of that and the addend.
fn rounded_twice(unit: &Unit) -> Box<dyn Engine> {
    let d = &unit.formats.d.name;
    let text = format!(
        "name = \"addition\"\nscheme = \"exact\"\nproducts = 1\n\
         formats = {{ a = {d:?}, b = \"e2m1\", c = {d:?}, d = {d:?} }}\n\
         conversion = {{ rounding = \"nearest-even\", overflow = \"infinity\" }}\n"
    );
    added_late("rounded-twice", unit, &Unit::from_toml("addition.toml", &text).expect("a valid unit"))
}

#[test]
fn exact_sum_rounded_twice() {
    for right in exact_units() {
        let comparison = run(&right, || vec![right_engine(&right), rounded_twice(&right)]);
        println!("{}: rounded twice: {} of {} vectors differ", right.name, comparison.mismatches, comparison.compared);
        assert!(comparison.mismatches > 0, "{}: not caught", right.name);
    }
}

#[test]
fn exact_sum_with_a_window() {
    for right in exact_units() {
        for rounding in [AlignmentRounding::TowardZero, AlignmentRounding::Downward] {
            let wrong = changed(&right, |unit| {
                unit.scheme = Scheme::Fused;
                let fraction_bits = unit.formats.d.fraction_bits + 1;
                unit.alignment = Some(Alignment { fraction_bits, rounding, ..*unit.alignment() });
            });
            assert_unit_caught("a window one bit longer than the result", &right, &wrong);
        }
    }
}

#[test]
fn exact_sum_rounded_otherwise() {
    for right in exact_units() {
        for rounding in [Rounding::TowardZero, Rounding::NearestAway, Rounding::TowardNegative, Rounding::ToOdd] {
            let wrong = changed(&right, |unit| unit.conversion.rounding = rounding);
            assert_unit_caught(rounding.name(), &right, &wrong);
        }
    }
}

#[test]
fn exact_sum_flushed() {
    for right in exact_units() {
        assert_unit_caught("operands flushed", &right, &changed(&right, |unit| unit.flush.operands = true));
        assert_unit_caught("addend flushed", &right, &changed(&right, |unit| unit.flush.addend = true));
        assert_unit_caught("results flushed", &right, &changed(&right, |unit| unit.flush.result = true));
    }
}
