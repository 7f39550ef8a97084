//! The addend aligned after the products' sum: a composition of two right units that is a wrong one.

use tensorsmith::check::compare::Comparison;
use tensorsmith::describe::format::{Format, Overflow, Rounding};
use tensorsmith::describe::unit::{Scheme, Unit};
use tensorsmith::engine::Engine;

use super::harness::{added_late, device_units, right_engine, run};

/// Sums the products alone, then aligns that sum, normalised, with the addend.
fn late_addend(unit: &Unit) -> Box<dyn Engine> {
    // The truncated sum of the products has at most 2 + 5 + 25 bits, with groups 12 + 3 + 35: binary64 holds it exactly.
    let mut products = unit.clone();
    products.formats.d = Format::binary64();
    products.conversion.rounding = Rounding::TowardZero;
    products.conversion.overflow = Overflow::Infinity;
    products.conversion.nan = Format::binary64().nan().expect("binary64 has NaN");
    let mut addition = unit.clone();
    addition.scheme = Scheme::Fused;
    addition.scales = None;
    addition.products = 1;
    addition.formats.a = Format::binary64();
    addition.formats.b = Format::e2m1();
    added_late("late-addend", &products, &addition)
}

#[test]
fn addend_aligned_after_the_products() {
    for right in device_units() {
        let comparison: Comparison = run(&right, || vec![right_engine(&right), late_addend(&right)]);
        println!("{}: late addend: {} of {} vectors differ", right.name, comparison.mismatches, comparison.compared);
        assert!(comparison.mismatches > 0, "{}: not caught", right.name);
    }
}
