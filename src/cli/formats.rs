//! `tensorsmith formats`: number formats, their precision and the ends of their range.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::{Failure, Verdict, output};
use crate::cli::table;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::{Format, NonFinite};

/// List number formats: precision, unit roundoff, smallest and largest numbers
///
/// p is the precision in bits, the hidden one among them; epsilon = 2^(1 - p) is the distance from 1 to the next number, and half
/// of it the unit roundoff to nearest.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith formats\n  tensorsmith formats --wide\n  tensorsmith formats --json -"
)]
pub(super) struct Arguments {
    /// Write the list as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// A format with what follows from its fields. Numbers that it does not have are missing.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    format: Format,
    width: u32,
    precision: u32,
    epsilon: Option<f64>,
    smallest_subnormal: Option<f64>,
    smallest_normal: Option<f64>,
    largest: f64,
    /// Units of the catalogue that have it.
    units: usize,
}

impl Row {
    fn of(format: Format, units: usize) -> Row {
        let integer = format.is_integer();
        let number = |magnitude: u64| (!integer).then(|| format.to_f64(format.assemble(false, magnitude)));
        let least_normal = u64::from(format.subnormals) << format.fraction_bits;
        let has_subnormals = format.subnormals && format.fraction_bits > 0;
        Row {
            width: format.width(),
            precision: if integer { format.width() - u32::from(format.signed) } else { format.precision() },
            epsilon: (!integer).then(|| 2f64.powi(-(format.fraction_bits as i32))),
            smallest_subnormal: number(1).filter(|_| has_subnormals),
            smallest_normal: number(least_normal),
            largest: match integer {
                true => format.integer_greatest() as f64,
                false => format.to_f64(format.largest(false)),
            },
            units,
            format,
        }
    }

    fn cells(&self) -> Vec<String> {
        let Format { name, exponent_bits, fraction_bits, .. } = &self.format;
        let text = |number: Option<f64>| number.map_or(String::new(), shown);
        let special = match (self.format.is_integer(), self.format.non_finite) {
            (true, _) => "",
            (_, NonFinite::None) => "none",
            (_, NonFinite::Ieee) => "infinities and NaN",
            _ => "NaN",
        };
        vec![
            name.clone(),
            self.width.to_string(),
            exponent_bits.to_string(),
            fraction_bits.to_string(),
            self.precision.to_string(),
            text(self.epsilon),
            text(self.smallest_subnormal),
            text(self.smallest_normal),
            if self.format.is_integer() { self.largest.to_string() } else { shown(self.largest) },
            special.to_owned(),
            self.units.to_string(),
        ]
    }
}

/// Powers of two as such, other numbers to four digits.
fn shown(number: f64) -> String {
    let exponent = number.log2().round();
    match number > 0.0 && Format::binary64().decode(number.to_bits()).significand.is_power_of_two() {
        true => format!("2^{exponent}"),
        false if number < 1e6 => number.to_string(),
        false => format!("{number:.3e}"),
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let units = catalogue::units();
    let has = |format: &Format| {
        let own = units.iter().filter(|unit| {
            let scales = unit.scales.iter().flat_map(|scales| [&scales.a, &scales.b]);
            let formats = &unit.formats;
            [&formats.a, &formats.b, &formats.c, &formats.d]
                .into_iter()
                .chain(scales)
                .any(|own| own.name == format.name)
        });
        own.count()
    };
    let row = |format: Format| {
        let units = has(&format);
        Row::of(format, units)
    };
    let rows: Vec<Row> = Format::standard().into_iter().map(row).collect();
    if !output::json_beside_text(arguments.json.as_deref(), &rows)? {
        return Ok(Verdict::Agreed);
    }
    let headings = [
        "format",
        "bits",
        "exponent",
        "fraction",
        "p",
        "epsilon",
        "smallest subnormal",
        "smallest normal",
        "largest",
        "special values",
        "units",
    ];
    let numbers: Vec<usize> = (1..9).chain([10]).collect();
    output::say!("{}", table::table(&headings, &numbers, rows.iter().map(Row::cells).collect()));
    Ok(Verdict::Agreed)
}
