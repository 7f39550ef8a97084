//! `tensorsmith emit`: SystemVerilog of a unit, or of the whole catalogue.

use std::path::PathBuf;

use clap::Args;

use super::output::say;
use super::{Failure, Verdict, input};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::text::Foreign;
use tensorsmith::emit;

/// Write the SystemVerilog of a unit: core, registered wrapper, what they need of the library, and a list of files
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith emit hopper-fp16-fp32 --out build/rtl\n  tensorsmith emit my-unit.toml --out build/rtl\n  cargo run --no-default-features -- emit --catalogue"
)]
pub(super) struct Arguments {
    /// Name of a unit of the catalogue, or a unit file (.toml)
    #[arg(required_unless_present = "catalogue")]
    unit: Option<String>,
    /// Rewrite the emitted modules of every unit of the catalogue, without the library
    #[arg(long, conflicts_with = "unit")]
    catalogue: bool,
    /// Folder to write to; created if need be. With --catalogue the default is rtl/gen
    #[arg(long, value_name = "DIR", required_unless_present = "catalogue")]
    out: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let mut files = Vec::new();
    match &arguments.unit {
        Some(name) => files.extend(emit::design(&input::unit(name)?)?),
        None => {
            for unit in catalogue::units() {
                files.extend([emit::core(&unit)?, emit::registered(&unit)?]);
            }
        }
    }
    let folder = arguments.out.clone().unwrap_or_else(|| PathBuf::from("rtl/gen"));
    emit::write(&folder, &files)?;
    for file in &files {
        say!("{}", folder.join(&file.name).shown());
    }
    Ok(Verdict::Agreed)
}
