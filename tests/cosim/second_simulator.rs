//! The same emitted files in a second, independent simulator.

use tensorsmith::check::compare::{Source, compare, line_up};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::catalogue;
use tensorsmith::engine::Kind;

use super::support;

#[test]
fn icarus_emulator_shaped_catalogue() {
    if !support::has_program("iverilog", "-V") {
        return support::skip("icarus", "iverilog is not on PATH");
    }
    let whole = if support::long_tier() { 50_000 } else { 3_000 };
    for entry in catalogue::unit_entries() {
        // The members of a family differ in their operand formats only: they share the vectors.
        let members = catalogue::unit_members(entry).expect("an entry of the catalogue");
        let count = whole / members.len() as u64;
        for unit in members.iter().filter_map(|name| catalogue::unit(name)) {
            let lineup = line_up(&unit.clone().into(), &[Kind::Emulator, Kind::Icarus]).expect("the engines start");
            assert!(lineup.skipped.is_empty());
            let source = Source::Shaped { stimulus: Stimulus::shaped(&unit, 2), count };
            let comparison = compare(lineup.ready, &source, &mut |_| {}).expect("the engines answer");
            println!("{}: icarus and emulator ran {} vectors each, seed 2", unit.name, comparison.compared);
            let found = (comparison.compared, comparison.mismatches);
            assert_eq!(found, (count, 0), "{}: {:?}", unit.name, comparison.first);
        }
    }
}
