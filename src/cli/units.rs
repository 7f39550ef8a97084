//! `tensorsmith units`: the catalogue as a table.

use std::path::PathBuf;

use clap::Args;

use super::output::say;
use super::{Failure, Verdict, output};
use crate::describe::catalogue;
use crate::describe::unit::Scheme;

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
    if let Some(path) = &arguments.json {
        output::json(path, &units)?;
        return Ok(Verdict::Agreed);
    }
    let rows = units.iter().map(|unit| {
        let formats = &unit.formats;
        let (fraction_bits, floor) = match (unit.scheme, unit.alignment.exponent_floor) {
            (Scheme::FmaChain, _) => ("-".to_owned(), "-".to_owned()),
            (Scheme::Fused, None) => (unit.alignment.fraction_bits.to_string(), "none".to_owned()),
            (Scheme::Fused, Some(floor)) => (unit.alignment.fraction_bits.to_string(), floor.to_string()),
        };
        let operands = if formats.a == formats.b {
            formats.a.name.clone()
        } else {
            format!("{} x {}", formats.a.name, formats.b.name)
        };
        vec![
            unit.name.clone(),
            unit.products.to_string(),
            operands,
            formats.c.name.clone(),
            formats.d.name.clone(),
            fraction_bits,
            floor,
            unit.conversion.rounding.name().to_owned(),
        ]
    });
    let headings = ["unit", "L", "a, b", "c", "d", "F", "floor", "conversion"];
    say!("{}", output::table(&headings, &[1, 5, 6], rows.collect()));
    Ok(Verdict::Agreed)
}
