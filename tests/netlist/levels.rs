//! Levels of instructions: every one that this machine has is tested, and the others are skipped by name.

use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::Engine;
use tensorsmith::engine::netlist::{Mode, Netlist, Variant};

use super::{modes, needs_yosys, source, support, unit};

#[test]
fn every_level_runs_or_is_skipped() {
    for mode in Mode::ALL.into_iter().filter(|mode| !mode.is_supported()) {
        let id = format!("netlist-{}", mode.isa().name());
        support::skip(&id, format!("this machine runs no {}", mode.name()));
    }
    assert_eq!(modes()[0], Mode::Interpreter);
    assert!(modes().contains(&Mode::best()));
}

/// The engine says what it runs.
#[test]
fn engine_names_its_level() {
    let Some(()) = needs_yosys("netlist-level") else { return };
    let unit: Unit = unit("tiny-truncating");
    let source = source(&unit, Variant::Core);
    for mode in modes() {
        let engine = Netlist::new(&unit, Variant::Core, source.clone(), mode).expect("the engine starts");
        assert!(engine.identity().version.ends_with(mode.name()), "{}", engine.identity().version);
        let details = engine.details();
        assert_eq!(details["path"], mode.name());
        assert_eq!(details.contains_key("code bytes"), mode != Mode::Interpreter);
    }
}
