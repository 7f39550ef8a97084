//! Whole matrices through tile instructions, by the engine's own way to multiply: emulator against processor.

use tensorsmith::check::compare::to_the_end;
use tensorsmith::check::matrices::{Products, compare_matrices};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::catalogue;
use tensorsmith::engine::{Batch, Engine, EngineError, Identity, Kind, Matrices, Opened};

use super::support;

/// The processor, which must multiply by itself.
struct OwnWay(Box<dyn Engine>);

impl Engine for OwnWay {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn identity(&self) -> Identity {
        self.0.identity()
    }

    fn run(&mut self, _batch: &Batch, _results: &mut Vec<u64>) -> Result<(), EngineError> {
        panic!("the matrices were taken apart")
    }

    fn multiply(&mut self, matrices: &Matrices) -> Result<Option<Vec<u64>>, EngineError> {
        let d = self.0.multiply(matrices)?;
        Ok(Some(d.expect("the engine multiplies whole matrices")))
    }
}

#[test]
fn emulator_processor_whole_matrices() {
    let count = if support::long_tier() { 5_000_000 } else { 100_000 };
    for name in ["intel-tdpbf16ps", "intel-tdpbssd"] {
        let instruction = catalogue::instruction(name).expect("an instruction of the catalogue");
        let open = |kind: Kind| kind.open_instruction(&instruction).expect("nothing fails");
        let Opened::Ready(emulator) = open(Kind::Emulator) else { panic!("the emulator always runs") };
        let processor = match open(Kind::Processor) {
            Opened::Ready(engine) => Box::new(OwnWay(engine)),
            Opened::Absent(reason) => {
                support::skip(name, &reason);
                continue;
            }
        };
        let products = Products::new(&instruction, Stimulus::shaped(instruction.frame(), 4), 4);
        let draw = |number| products.draw(number);
        let (comparison, element) =
            compare_matrices(vec![emulator, processor], &instruction, &draw, count, &mut to_the_end).expect("answers");
        println!("{name}: emulator and processor ran {} elements of D", comparison.compared);
        assert!(comparison.compared >= count, "{name}");
        assert_eq!((comparison.mismatches, element), (0, None), "{name}: {:?}", comparison.first);
    }
}
