//! No main unit of the catalogue has become larger or deeper than the table in the tree says, but for 3 %.
//!
//! Only the Yosys that made the table can tell; `./x quality` makes it again.

mod table;

use std::path::PathBuf;

use table::{Quality, Row, SCHEMA, UNITS, markdown};
use tensorsmith::describe::catalogue;
use tensorsmith::emit::{Synthesis, synthesise, yosys};

use crate::support::{long_tier, needed, skip};

/// That of the ordinary tier, which is mapped in a moment.
const SMALL: &str = "tiny-truncating";

fn text(ending: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/bench/results");
    let path = folder.join(format!("quality.{ending}"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn quality() -> Quality {
    serde_json::from_str(&text("json")).expect("the table of `./x quality`")
}

/// What would be found of a unit that is as its row says.
fn as_in(row: &Row) -> Synthesis {
    Synthesis { lookup_tables: row.lookup_tables, depth: row.depth, seconds: 0.0 }
}

/// The row with a figure lowered by 4 %.
fn lowered(row: &Row, figure: fn(&mut Row) -> &mut u64) -> Row {
    let mut row = row.clone();
    let figure = figure(&mut row);
    *figure = *figure * 96 / 100;
    row
}

#[test]
fn table_has_the_main_units_and_its_page_shows_it() {
    let quality = quality();
    assert_eq!(quality.schema, SCHEMA);
    assert!(quality.rows.iter().map(|row| row.unit.as_str()).eq(UNITS), "{:?}", quality.rows);
    assert!(quality.rows.iter().all(|row| row.lookup_tables > row.depth && row.depth > 0), "{:?}", quality.rows);
    assert_eq!(text("md"), markdown(&quality), "made again by `./x quality`");
    assert!(UNITS.contains(&SMALL));
}

#[test]
fn rows_allow_3_percent() {
    let row = Row { unit: "a".to_owned(), lookup_tables: 1000, depth: 100 };
    let breaches = |lookup_tables, depth| row.breaches(&Synthesis { lookup_tables, depth, seconds: 0.0 }).len();
    assert_eq!([breaches(1000, 100), breaches(1030, 103), breaches(10, 1)], [0; 3]);
    assert_eq!([breaches(1031, 103), breaches(1030, 104), breaches(1031, 104)], [1, 1, 2]);
    for row in quality().rows {
        assert!(row.breaches(&as_in(&row)).is_empty(), "{row:?}");
        assert_eq!(lowered(&row, |row| &mut row.lookup_tables).breaches(&as_in(&row)).len(), 1, "{row:?}");
        assert_eq!(lowered(&row, |row| &mut row.depth).breaches(&as_in(&row)).len(), 1, "{row:?}");
    }
}

/// Each unit that is mapped is compared with its row, and with rows that are 4 % lower, of which each has to fail.
#[test]
fn main_units_are_no_larger_and_no_deeper_than_the_table() {
    let quality = quality();
    let Some(version) = needed("yosys", yosys::version()) else { return };
    if version != quality.yosys {
        return skip("quality", format!("the table is of {}, and this is {version}", quality.yosys));
    }
    let rows = quality.rows.iter().filter(|row| long_tier() || row.unit == SMALL);
    let mut breaches = Vec::new();
    for row in rows {
        let unit = catalogue::unit(&row.unit).expect("a unit of the catalogue");
        let found = synthesise(&unit).unwrap_or_else(|error| panic!("{error}"));
        let Synthesis { lookup_tables, depth, seconds } = found;
        println!("{}: {lookup_tables} LUTs, depth {depth}, {seconds:.1} s", row.unit);
        breaches.extend(row.breaches(&found));
        let own = Row { unit: row.unit.clone(), lookup_tables, depth };
        assert!(own.breaches(&found).is_empty());
        let figures: [fn(&mut Row) -> &mut u64; 2] = [|row| &mut row.lookup_tables, |row| &mut row.depth];
        for figure in figures {
            assert_eq!(lowered(&own, figure).breaches(&found).len(), 1, "{own:?}");
        }
    }
    assert!(breaches.is_empty(), "{}; if it has to be so, `./x quality` makes the table again", breaches.join("\n"));
}
