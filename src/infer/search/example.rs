//! A hypothesis for tests, and its space.

use crate::describe::format::Format;
use crate::describe::instruction::Instruction;
use crate::describe::unit::{Formats, Scheme};
use crate::infer::space::{Composition, Interface, Space};

/// A fused unit, and the space of its interface.
pub fn fused() -> (Space, Instruction) {
    let [short, single] = [Format::bfloat16(), Format::binary32()];
    let formats = Formats { a: short.clone(), b: short, c: single.clone(), d: single };
    let interface = Interface { name: String::new(), products: 4, formats, scales: None, flags: false };
    let space = Space::new(interface.clone(), std::iter::empty());
    let hypothesis = space.start(Scheme::Fused, &Composition::whole(&interface)).expect("a fused unit");
    (space, hypothesis)
}
