//! The netlist engine: Yosys' lookup tables of the emitted text, 512 vectors at a time, against the emulator and against the
//! verilated text; its parts against their definitions; and broken twins of each part, which must be caught.

use crate::support::{self, unit};

mod agreement;
mod catalogue;
mod circuits;
mod controls;
#[cfg(feature = "rtl")]
mod gates;
mod levels;
mod memory;
mod neon;
#[cfg(feature = "rtl")]
mod packed;
mod rare;
mod reader;
mod transposition;
mod yosys;

use tensorsmith::describe::unit::Unit;
use tensorsmith::emit;
use tensorsmith::engine::netlist::{Interface, Mode, Netlist, Source, Steady, Variant, files, netlist_of, read};

/// Yosys, as the engine finds it; without it the check is skipped.
fn needs_yosys(check: &str) -> Option<()> {
    support::needed(check, emit::yosys::version()).map(drop)
}

/// A module of a unit as Yosys maps it.
fn source(unit: &Unit, variant: Variant) -> Source {
    let version = emit::yosys::version().expect("yosys is there");
    netlist_of(unit, variant, files(unit, variant).expect("it is emitted"), &version).expect("yosys maps it")
}

/// A module as a circuit.
fn steady(unit: &Unit, variant: Variant) -> (Interface, Source, Steady) {
    let (interface, source) = (Interface::new(unit, variant), source(unit, variant));
    let steady = read(&source.json, &variant.module(unit), &interface.ports(), interface.planes() as u32);
    (interface, source, steady.expect("it is a netlist"))
}

fn netlist(unit: &Unit, variant: Variant, mode: Mode) -> Netlist {
    Netlist::new(unit, variant, source(unit, variant), mode).expect("the engine starts")
}

/// What runs steps on this machine, the interpreter first.
fn modes() -> Vec<Mode> {
    Mode::supported().collect()
}
