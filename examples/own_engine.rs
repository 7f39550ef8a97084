//! An engine of one's own beside the emulator: a dot product by ordinary binary32 arithmetic, one operation after the other. It is not
//! what the unit computes, which the comparison finds.
//!
//!     cargo run --no-default-features --example own_engine

use tensorsmith::check::compare::{Source, compare};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Batch, Emulator, Engine, EngineError, Identity};

struct Ordinary {
    unit: Unit,
}

impl Engine for Ordinary {
    fn name(&self) -> &'static str {
        "ordinary"
    }

    fn identity(&self) -> Identity {
        Identity { engine: self.name().to_owned(), version: "1".to_owned() }
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        let number = |bits: u64| self.unit.formats.a.to_f64(bits) as f32;
        results.clear();
        for index in 0..batch.len() {
            let products = batch.a(index).iter().zip(batch.b(index)).map(|(&a, &b)| number(a) * number(b));
            let sum = products.fold(f32::from_bits(batch.c[index] as u32), |sum, product| sum + product);
            // The unit has one NaN.
            results.push(if sum.is_nan() { self.unit.conversion.nan } else { u64::from(sum.to_bits()) });
        }
        Ok(())
    }
}

fn main() -> Result<(), EngineError> {
    for name in ["volta-fp16-fp32", "hickmann-adder-tree-fp16-fp32"] {
        let unit = catalogue::unit(name).expect("a unit of the catalogue");
        let source = Source::Shaped { stimulus: Stimulus::shaped(&unit, 1), count: 10_000 };
        let engines: Vec<Box<dyn Engine>> = vec![Box::new(Emulator::new(&unit)), Box::new(Ordinary { unit })];
        let comparison = compare(engines, &source, &mut |_| {})?;
        println!("{name}: {} vectors compared, {} differ", comparison.compared, comparison.mismatches);
    }
    Ok(())
}
