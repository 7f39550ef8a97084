//! The addend aligned after the products' sum: a composition of two right units that is a wrong one.

use tensorsmith::check::compare::Comparison;
use tensorsmith::compute::Inputs;
use tensorsmith::describe::format::{Format, Overflow, Rounding};
use tensorsmith::describe::unit::{Scheme, Unit};
use tensorsmith::engine::{Batch, Emulator, Engine, EngineError, Identity};

use super::harness::{device_units, right_engine, run};

/// Sums the products alone, then aligns that sum, normalised, with the addend.
struct LateAddend {
    products: Emulator,
    addition: Emulator,
    no_addend: u64,
    one: u64,
}

impl LateAddend {
    fn new(unit: &Unit) -> LateAddend {
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
        let one = Format::e2m1().from_f64(1.0, Rounding::NearestEven, Overflow::Ieee);
        let no_addend = unit.formats.c.zero(false);
        LateAddend { products: Emulator::new(&products), addition: Emulator::new(&addition), no_addend, one }
    }
}

impl Engine for LateAddend {
    fn name(&self) -> &'static str {
        "late-addend"
    }

    fn identity(&self) -> Identity {
        Identity { engine: "late-addend".to_owned(), version: String::new() }
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
fn addend_aligned_after_the_products() {
    for right in device_units() {
        let comparison: Comparison = run(&right, || vec![right_engine(&right), Box::new(LateAddend::new(&right))]);
        println!("{}: late addend: {} of {} vectors differ", right.name, comparison.mismatches, comparison.compared);
        assert!(comparison.mismatches > 0, "{}: not caught", right.name);
    }
}
