//! A difference that neither probes nor shaped stimulus show: only changes of vectors that came close reach it.

use tensorsmith::describe::catalogue;
use tensorsmith::describe::interface::Frame;
use tensorsmith::engine::{Batch, Emulator, Engine, EngineError, Identity};
use tensorsmith::infer::distinguish::{Budget, Candidate, distinguish};

/// An emulator with a fault on one significand of the first of two products, beside powers of two and an addend.
struct Faulty(Emulator);

impl Engine for Faulty {
    fn name(&self) -> &'static str {
        "faulty"
    }

    fn identity(&self) -> Identity {
        self.0.identity()
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        self.0.run(batch, results)?;
        for (v, result) in results.iter_mut().enumerate() {
            let (a, b) = (batch.a(v), batch.b(v));
            let used = (0..a.len()).filter(|&place| a[place] & 0x7fff != 0 && b[place] & 0x7fff != 0);
            let two = used.eq([0, 1]) && batch.c[v] & 0x7fff_ffff != 0;
            let powers = [b[0], a[1], b[1]].iter().all(|bits| bits & 0x3ff == 0);
            *result ^= u64::from(two && powers && a[0] & 0x3ff == 0x004);
        }
        Ok(())
    }
}

#[test]
fn guided_changes_reach_a_rare_fault() {
    let unit = catalogue::unit("ampere-fp16-fp32").expect("of the catalogue");
    let (mut right, mut wrong) = (Emulator::new(&unit), Faulty(Emulator::new(&unit)));
    let frame = &Frame::from(&unit);
    let mut candidates = [Candidate { engine: &mut right, frame }, Candidate { engine: &mut wrong, frame }];
    let budget = Budget { vectors: 1_000_000, seed: 1 };
    let outcome = distinguish(&mut candidates, budget, &mut |_| {}).expect("emulators do not fail");
    let [found] = outcome.distinguished.as_slice() else { panic!("not found with {} vectors", outcome.tried) };
    println!("found by {} after {} vectors: {:?}", found.found_by, outcome.tried, found.vector);
    assert_eq!(found.found_by, "guided");
    assert_eq!(found.vector.a[0] & 0x3ff, 0x004, "the vector shows the planted fault");
}
