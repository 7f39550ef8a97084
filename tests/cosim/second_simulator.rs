//! The same emitted files in a second, independent simulator.

use tensorsmith::check::compare::{Source, compare, line_up};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::Kind;

use super::support;

/// Vectors of a unit of an entry with so many members. The members of a family differ in their operand formats only: they share the
/// vectors. Wide units, which this simulator takes long for, get fewer; long chains, whose steps it evaluates again for every
/// change of an earlier one, fewer still.
fn vectors(members: usize, unit: &Unit) -> u64 {
    let whole = if support::long_tier() { 50_000 } else { 1_000 };
    let wide = u64::from(unit.products.max(16)) / 16;
    let slower = if unit.scheme.rounds_each_operation() && wide > 1 { 20 } else { wide };
    whole / slower / members as u64
}

fn agree(unit: &Unit, members: usize) {
    let lineup = line_up(&unit.clone().into(), &[Kind::Emulator, Kind::Icarus]).expect("the engines start");
    assert!(lineup.skipped.is_empty());
    let count = vectors(members, unit);
    let source = Source::Shaped { stimulus: Stimulus::shaped(unit, 2), count };
    let comparison = compare(lineup.ready, &source, &mut |_| {}).expect("the engines answer");
    println!("{}: icarus and emulator ran {} vectors each, seed 2", unit.name, comparison.compared);
    let found = (comparison.compared, comparison.mismatches);
    assert_eq!(found, (count, 0), "{}: {:?}", unit.name, comparison.first);
}

/// Every unit of the catalogue in the long tier, else one of each kind of emitted text.
fn units() -> Vec<(Unit, usize)> {
    if !support::long_tier() {
        return support::one_unit_of_each_kind().into_iter().map(|unit| (unit, 1)).collect();
    }
    let of_entry = |entry| {
        let members = catalogue::unit_members(entry).expect("an entry of the catalogue");
        let count = members.len();
        members.into_iter().filter_map(move |name| Some((catalogue::unit(&name)?, count)))
    };
    catalogue::unit_entries().into_iter().flat_map(of_entry).collect()
}

#[test]
fn icarus_emulator_shaped_catalogue() {
    let Some(()) = support::needs_icarus("icarus") else { return };
    support::in_parallel(&units(), |(unit, members)| agree(unit, *members));
}
