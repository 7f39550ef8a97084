//! Gates of FPGAs, as Yosys makes them, against the emulator; and gates with planted faults.

use tensorsmith::check::compare::{Comparison, Source, compare};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::gates::{Cells, Gates};
use tensorsmith::engine::{Emulator, Engine, Opened};

use super::{needs_yosys, support, unit};

/// The ordinary tier takes the first, for which synthesis takes seconds.
const ALL: [Cells; 3] = [Cells::Ecp5, Cells::Ice40, Cells::Xilinx];

pub(super) fn compared(check: &str, unit: &Unit, opened: Opened, count: u64) -> Option<Comparison> {
    let gates = match opened {
        Opened::Ready(gates) => gates,
        Opened::Absent(absence) => {
            support::skip(check, &absence);
            return None;
        }
    };
    let source = Source::Shaped { stimulus: Stimulus::shaped(unit, 5), count };
    let engines: Vec<Box<dyn Engine>> = vec![Box::new(Emulator::new(unit)), gates];
    Some(compare(engines, &source, &mut |_| {}).expect("the engines answer"))
}

#[test]
fn emulator_gates_shaped() {
    let Some(()) = needs_yosys("gates") else { return };
    let long = support::long_tier();
    let units: &[&str] =
        if long { &["tiny-scaled", "tiny-riscv", "tiny-fma", "volta-fp16-fp32"] } else { &["tiny-scaled"] };
    for name in units {
        let (unit, count) = (unit(name), if long { 500_000 } else { 20_000 });
        for &cells in &ALL[..if long { 3 } else { 1 }] {
            let opened = Gates::open(cells, &unit).expect("the gates are simulated");
            let Some(comparison) = compared("gates", &unit, opened, count) else { return };
            assert_eq!(
                (comparison.compared, comparison.mismatches),
                (count, 0),
                "{name} as {}: {:?}",
                cells.name(),
                comparison.first
            );
            println!("{name} as {}: {count} vectors, 0 differ", cells.name());
        }
    }
}

/// A lookup table in place of another one is found: a synthesis tool that made it would be.
#[test]
fn gates_that_are_wrong_are_found() {
    let Some(()) = needs_yosys("gates-wrong") else { return };
    let (unit, count) = (unit("tiny-scaled"), if support::long_tier() { 12 } else { 2 });
    let mut found = 0;
    for index in 0..count {
        let wrong = |text: String| exchanged(&text, index, count);
        let opened = Gates::changed(Cells::Ecp5, &unit, wrong).expect("the gates are simulated");
        let Some(comparison) = compared("gates", &unit, opened, 20_000) else { return };
        found += usize::from(comparison.mismatches > 0);
    }
    // Some tables are those of values that no operands give.
    assert!(found >= count / 2, "{found} of {count} planted faults are found");
    println!("{found} of {count} tables that are exchanged are found");
}

/// The text with one instance of a lookup table, the `index`th of `count` that lie evenly, made one of another table.
fn exchanged(text: &str, index: usize, count: usize) -> String {
    let is_table = |line: &&str| line.starts_with("  \\$paramod\\LUT4\\INIT=");
    let tables: Vec<&str> = text.lines().filter(is_table).collect();
    let place = tables.len() * index / count;
    let table = |line: &str| line.split_whitespace().next().expect("a table").to_owned();
    let own = table(tables[place]);
    let other = tables.iter().map(|line| table(line)).find(|other| *other != own).expect("another table");
    let line = tables[place];
    support::replaced(text, line, &line.replace(&own, &other))
}
