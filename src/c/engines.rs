//! The engines of a thread. An engine works for one thread at a time; so each thread keeps its own, and no thread waits for
//! another.

use std::cell::RefCell;

use tensorsmith_numerics::engine::{Batch, Composed, Emulator, Engine};

use crate::unit::Unit;

/// How vectors are answered. Answers are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Few at a time.
    Scalar,
    /// Many at a time.
    Wide,
    /// A unit whose events are counted.
    Counted,
}

/// An engine with room for vectors and answers.
pub struct Workplace {
    unit: u64,
    way: Way,
    pub engine: Box<dyn Engine>,
    pub batch: Batch,
    pub answers: Vec<u64>,
}

/// Engines that a thread keeps.
const KEPT: usize = 8;

thread_local! {
    /// The one that was used last stands at the end.
    static WORKPLACES: RefCell<Vec<Workplace>> = const { RefCell::new(Vec::new()) };
}

fn workplace(unit: &Unit, way: Way) -> Workplace {
    let engine: Box<dyn Engine> = match way {
        Way::Scalar => match unit.is_unit {
            true => Box::new(Emulator::uncounted(&unit.instruction.unit)),
            false => Composed::emulated(&unit.instruction),
        },
        Way::Wide => Composed::emulated_wide(&unit.instruction),
        Way::Counted => Box::new(Emulator::new(&unit.instruction.unit)),
    };
    Workplace { unit: unit.number, way, engine, batch: Batch::of_interface(&unit.interface), answers: Vec::new() }
}

/// Works with the thread's engine for a unit. One that panics is thrown away.
pub fn with<T>(unit: &Unit, way: Way, work: impl FnOnce(&mut Workplace) -> T) -> T {
    let is_it = |kept: &Workplace| kept.unit == unit.number && kept.way == way;
    let take = |kept: &RefCell<Vec<Workplace>>| {
        let mut kept = kept.borrow_mut();
        kept.iter().position(is_it).map(|place| kept.remove(place))
    };
    let mut own = WORKPLACES.try_with(take).ok().flatten().unwrap_or_else(|| workplace(unit, way));
    let answer = work(&mut own);
    // A thread that is ending keeps nothing.
    let _ = WORKPLACES.try_with(|kept| {
        let mut kept = kept.borrow_mut();
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push(own);
    });
    answer
}

/// Throws away the calling thread's engines of a unit.
pub fn forget(unit: &Unit) {
    let _ = WORKPLACES.try_with(|kept| kept.borrow_mut().retain(|kept| kept.unit != unit.number));
}
