//! `tensorsmith units`: the catalogue as a table.

use std::path::PathBuf;

use clap::Args;

use super::output::say;
use super::{Failure, Verdict, output};
use crate::cli::table;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::{Alignment, Scheme};

/// List the units of the catalogue
#[derive(Args)]
#[command(after_help = "Examples:\n  tensorsmith units\n  tensorsmith units --json -")]
pub(super) struct Arguments {
    /// Write the list as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let units = catalogue::units();
    if !output::json_beside_text(arguments.json.as_deref(), &units)? {
        return Ok(Verdict::Agreed);
    }
    let rows = units.iter().map(|unit| {
        let formats = &unit.formats;
        let rounding = unit.conversion.rounding.name().to_owned();
        let none = || "-".to_owned();
        let overflow = unit.conversion.overflow.name().to_owned();
        let conversion = if unit.scheme == Scheme::Integer { overflow } else { rounding };
        let [fraction_bits, floor] = match unit.alignment.as_ref().filter(|_| unit.scheme.has_window()) {
            Some(Alignment { fraction_bits, exponent_floor, .. }) => {
                [fraction_bits.to_string(), exponent_floor.map_or("none".to_owned(), |floor| floor.to_string())]
            }
            None => [none(), none()],
        };
        let operands = if formats.a == formats.b {
            formats.a.name.clone()
        } else {
            format!("{} x {}", formats.a.name, formats.b.name)
        };
        let operands = match &unit.scales {
            Some(scales) if scales.a == scales.b => format!("{operands}, {} for {}", scales.a.name, scales.block),
            Some(scales) => format!("{operands}, {} x {} for {}", scales.a.name, scales.b.name, scales.block),
            None => operands,
        };
        vec![
            unit.name.clone(),
            unit.products.to_string(),
            operands,
            formats.c.name.clone(),
            formats.d.name.clone(),
            fraction_bits,
            floor,
            conversion,
        ]
    });
    let headings = ["unit", "L", "a, b", "c", "d", "F", "floor", "conversion"];
    say!("{}", table::table_of(&headings, &[1, 5, 6], rows.collect(), &[0, 1, 5, 6, 7]));
    Ok(Verdict::Agreed)
}
