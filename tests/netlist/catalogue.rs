//! Every unit of the catalogue: netlist against emulator, and in the long tier against the verilated text too.

use tensorsmith::check::compare::{Source, compare};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Emulator, Engine, Kind, Opened};

use super::{needs_yosys, support};

const VECTORS: u64 = 1_000_000;

/// Yosys takes minutes for all units, so the ordinary tier has a few only (`agreement`).
#[test]
fn emulator_rtl_netlist_shaped_catalogue() {
    if !support::long_tier() || needs_yosys("netlist-catalogue").is_none() {
        return;
    }
    let units = catalogue::units();
    support::in_parallel(&units, agree);
}

fn agree(unit: &Unit) {
    let opened = Kind::Netlist.open(unit).unwrap_or_else(|error| panic!("{}: {error}", unit.name));
    let engine = match opened {
        Opened::Ready(engine) => engine,
        Opened::Absent(reason) => panic!("{} is not served: {reason}", unit.name),
    };
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Emulator::new(unit)), engine];
    let check = format!("netlist-catalogue-{}", unit.name);
    let rtl = Kind::Rtl.open(unit).unwrap_or_else(|error| panic!("{}: {error}", unit.name));
    engines.extend(support::ready(&check, Kind::Rtl, rtl));
    let source = Source::Shaped { stimulus: Stimulus::shaped(unit, 4), count: VECTORS };
    let comparison = compare(engines, &source, &mut |_| {}).expect("the engines answer");
    let ran = comparison.engines.len();
    println!("{}: {} vectors by {ran} engines, {} mismatches", unit.name, comparison.compared, comparison.mismatches);
    assert_eq!((comparison.compared, comparison.mismatches), (VECTORS, 0), "{}: {:?}", unit.name, comparison.first);
}
