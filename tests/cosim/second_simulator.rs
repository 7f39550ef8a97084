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
    let count = if support::long_tier() { 50_000 } else { 3_000 };
    for unit in catalogue::units() {
        let lineup = line_up(&unit.clone().into(), &[Kind::Emulator, Kind::Icarus]).expect("the engines start");
        assert!(lineup.skipped.is_empty());
        let source = Source::Shaped { stimulus: Stimulus::shaped(&unit, 2), count };
        let comparison = compare(lineup.ready, &source, &mut |_| {}).expect("the engines answer");
        println!("{}: icarus and emulator ran {} vectors each, seed 2", unit.name, comparison.compared);
        assert_eq!((comparison.compared, comparison.mismatches), (count, 0), "{}: {:?}", unit.name, comparison.first);
    }
}
