//! `tensorsmith show`: a unit's parameters, sources and plan.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::output::say;
use super::{Failure, Verdict, input, output};
use crate::cli::table;
use tensorsmith::compute::record::{Signal, signals};
use tensorsmith::describe::plan::{Constant, Plan};
use tensorsmith::describe::unit::Unit;
use tensorsmith::emit;

/// Show a unit: parameters, sources, every derived width
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith show hopper-bf16-fp32\n  tensorsmith show my-unit.toml --json -\n  tensorsmith show hopper-fp16-fp32 --toml > my-unit.toml"
)]
pub(super) struct Arguments {
    /// Name of a unit of the catalogue, or a unit file (.toml)
    unit: String,
    /// Write it as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Print its unit file, for one of your own to start from
    #[arg(long, conflicts_with = "json")]
    toml: bool,
}

#[derive(Serialize)]
struct Shown<'a> {
    unit: &'a Unit,
    constants: &'a [Constant],
    signals: Vec<Signal>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let unit = input::unit(&arguments.unit)?;
    if arguments.toml {
        say!("{}", unit.to_toml().trim_end());
        return Ok(Verdict::Agreed);
    }
    let plan = Plan::of(&unit);
    let shown = Shown { unit: &unit, constants: plan.constants(), signals: signals(&unit) };
    if !output::json_beside_text(arguments.json.as_deref(), &shown)? {
        return Ok(Verdict::Agreed);
    }
    say!("{}", unit.name);
    say!("{}\n", unit.summary);
    for (name, value) in emit::parameter_table(&unit) {
        say!("  {name:15} {value}");
    }
    say!("\n{}:\n", emit::picture_heading(&unit));
    emit::window_picture(&unit).iter().for_each(|line| say!("  {line}"));
    say!("\nDerived:");
    let rows = plan.constants().iter().map(|constant| {
        let expression = constant.expression.unwrap_or_default().to_owned();
        vec![constant.name.to_owned(), constant.value.to_string(), expression, constant.derivation.clone()]
    });
    say!("{}", table::table(&["constant", "value", "is", "derivation"], &[1], rows.collect()));
    if !unit.evidence.is_empty() {
        say!("\nSources:");
        let rows = unit
            .evidence
            .iter()
            .map(|(field, evidence)| vec![field.clone(), evidence.grade.name().to_owned(), evidence.source.clone()]);
        say!("{}", table::table(&["field", "grade", "source"], &[], rows.collect()));
    }
    Ok(Verdict::Agreed)
}
