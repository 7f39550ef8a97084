//! An engine of one's own beside the emulator: four products by the binary32 arithmetic of this machine, (p0 + p1) + (p2 + p3) + c. A tree
//! of rounded additions is a unit of the catalogue, to which it is equal; of a unit that sums all at once it differs, and that is found.
//!
//!     cargo run --no-default-features --example own_engine

use tensorsmith::check::compare::{Source, compare};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Batch, Emulator, Engine, EngineError, Identity};

struct Tree {
    unit: Unit,
}

impl Engine for Tree {
    fn name(&self) -> &'static str {
        "tree"
    }

    fn identity(&self) -> Identity {
        Identity { engine: self.name().to_owned(), version: "1".to_owned() }
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        let number = |bits: u64| self.unit.formats.a.to_f64(bits) as f32;
        results.clear();
        for index in 0..batch.len() {
            let product = |i: usize| number(batch.a(index)[i]) * number(batch.b(index)[i]);
            let sum = (product(0) + product(1)) + (product(2) + product(3)) + f32::from_bits(batch.c[index] as u32);
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
        let engines: Vec<Box<dyn Engine>> = vec![Box::new(Emulator::new(&unit)), Box::new(Tree { unit })];
        let comparison = compare(engines, &source, &mut |_| {})?;
        println!("{name}: {} vectors compared, {} differ", comparison.compared, comparison.mismatches);
    }
    Ok(())
}
