//! Faults of units that sum exactly: a window, a rounding more, another rounding.

use tensorsmith::compute::Inputs;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::{Format, Overflow, Rounding};
use tensorsmith::describe::unit::{Alignment, AlignmentRounding, Scheme, Unit};
use tensorsmith::engine::{Batch, Emulator, Engine, EngineError, Identity};

use super::harness::{assert_unit_caught, right_engine, run};
use super::units::changed;

fn exact_units() -> Vec<Unit> {
    let units: Vec<Unit> = catalogue::units().into_iter().filter(|unit| unit.scheme == Scheme::Exact).collect();
    assert!(units.len() >= 3);
    units
}

/// Rounds the sum of the products, and the sum of that and the addend.
struct RoundedTwice {
    products: Emulator,
    addition: Emulator,
    no_addend: u64,
    one: u64,
}

impl RoundedTwice {
    fn new(unit: &Unit) -> RoundedTwice {
        // The result of the products is a factor of the addition, with 1 as the other one.
        let text = |a: &str| {
            format!(
                "name = \"addition\"\nscheme = \"exact\"\nproducts = 1\n\
                 formats = {{ a = {a:?}, b = \"e2m1\", c = {a:?}, d = {a:?} }}\n\
                 conversion = {{ rounding = \"nearest-even\", overflow = \"infinity\" }}\n"
            )
        };
        let addition = Unit::from_toml("addition.toml", &text(&unit.formats.d.name)).expect("a valid unit");
        RoundedTwice {
            products: Emulator::new(unit),
            addition: Emulator::new(&addition),
            no_addend: unit.formats.c.zero(false),
            one: Format::e2m1().from_f64(1.0, Rounding::NearestEven, Overflow::Ieee),
        }
    }
}

impl Engine for RoundedTwice {
    fn name(&self) -> &'static str {
        "rounded-twice"
    }

    fn identity(&self) -> Identity {
        Identity { engine: "rounded-twice".to_owned(), version: String::new() }
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        results.clear();
        for v in 0..batch.len() {
            let sum = self.products.evaluate(Inputs { c: self.no_addend, ..batch.inputs(v) });
            results.push(self.addition.evaluate(Inputs::unscaled(&[sum], &[self.one], batch.c[v])));
        }
        Ok(())
    }
}

#[test]
fn exact_sum_rounded_twice() {
    for right in exact_units() {
        let comparison = run(&right, || vec![right_engine(&right), Box::new(RoundedTwice::new(&right))]);
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
                unit.alignment = Alignment { fraction_bits, rounding, ..unit.alignment };
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
