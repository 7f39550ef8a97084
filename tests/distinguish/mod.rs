//! Vectors on which units differ, and vectors with prescribed answers: found by asking emulators, confirmed by references.

mod pairs;
use crate::support::five_devices;
mod prescribed;
mod rare;

use tensorsmith::describe::interface::Frame;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Batch, Chained, Emulator, Engine, Kind, Opened, Vector};

/// The unit's emulator for vectors of `products` products.
fn emulator(unit: &Unit, products: u32) -> Chained {
    Chained::new(Box::new(Emulator::new(unit)), &unit.interface(), products, &unit.formats.c)
        .expect("the unit adds to its own results")
}

/// The frame of vectors of `products` products.
fn frame(unit: &Unit, products: u32) -> Frame {
    Frame::from(&Unit { products, ..unit.clone() })
}

/// The reference's answer to a vector.
fn reference(unit: &Unit, vector: &Vector) -> u64 {
    let Ok(Opened::Ready(reference)) = Kind::Reference.open(unit) else { panic!("the reference knows every unit") };
    let products = vector.a.len() as u32;
    let mut chained = Chained::new(reference, &unit.interface(), products, &unit.formats.c).expect("as the emulator");
    let mut results = Vec::new();
    chained.run(&Batch::of(vector), &mut results).expect("the reference answers");
    results[0]
}
