//! A difference that neither probes nor shaped stimulus show: only changes of vectors that came close reach it.

use tensorsmith::describe::interface::Frame;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Emulator, Engine};
use tensorsmith::infer::distinguish::{Budget, Candidate, distinguish};

use crate::support::made_up::MadeUp;
use crate::support::unit;

/// An emulator with a fault on one significand of the first of two products, beside powers of two and an addend.
fn faulty(unit: &Unit) -> Box<dyn Engine> {
    let mut emulator = Emulator::new(unit);
    MadeUp::boxed("faulty", move |batch, results| {
        emulator.run(batch, results)?;
        for (v, result) in results.iter_mut().enumerate() {
            let (a, b) = (batch.a(v), batch.b(v));
            let used = (0..a.len()).filter(|&place| a[place] & 0x7fff != 0 && b[place] & 0x7fff != 0);
            let two = used.eq([0, 1]) && batch.c[v] & 0x7fff_ffff != 0;
            let powers = [b[0], a[1], b[1]].iter().all(|bits| bits & 0x3ff == 0);
            *result ^= u64::from(two && powers && a[0] & 0x3ff == 0x004);
        }
        Ok(())
    })
}

#[test]
fn guided_changes_reach_a_rare_fault() {
    let unit = unit("ampere-fp16-fp32");
    let (mut right, mut wrong) = (Emulator::new(&unit), faulty(&unit));
    let frame = &Frame::from(&unit);
    let mut candidates = [Candidate { engine: &mut right, frame }, Candidate { engine: wrong.as_mut(), frame }];
    let budget = Budget { vectors: 1_000_000, seed: 1 };
    let outcome = distinguish(&mut candidates, budget, &mut |_| {}).expect("emulators do not fail");
    let [found] = outcome.distinguished.as_slice() else { panic!("not found with {} vectors", outcome.tried) };
    println!("found by {} after {} vectors: {:?}", found.found_by, outcome.tried, found.vector);
    assert_eq!(found.found_by, "guided");
    assert_eq!(found.vector.a[0] & 0x3ff, 0x004, "the vector shows the planted fault");
}
