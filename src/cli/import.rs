//! `tensorsmith import`: a recording out of a layout that other programs write.

use std::path::PathBuf;

use chrono::DateTime;
use clap::Args;

use super::output::say;
use super::{Failure, Verdict, recorded};
use tensorsmith::describe::text::{Foreign, LINES_ALLOWED, is_one_line};
use tensorsmith::recording::exchange::{self, Form, Told};
use tensorsmith::report::{VECTORS, counted};

/// Read a recording in a layout of other programs, and write it as a file for `replay`
///
/// The layouts are described in src/recording/exchange/EXCHANGE.md. Where the source has a header, it is kept. Vectors of your own
/// have none, nor has the public layout: then --subject says what answered, by its name or by the file of a unit, of an
/// instruction, or of an interface alone, and every element is checked against it. What is written appears whole or not at all;
/// nothing that is there already is overwritten.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith import amx.jsonl --format jsonl --out amx.tsrec\n  tensorsmith import amx-memory --format readmemh --out amx.tsrec\n  tensorsmith import amx-arrays --format npy --out amx.tsrec\n  tensorsmith import mine.csv --format csv --subject my-unit.toml --out mine.tsrec\n  tensorsmith import numbers.jsonl --format jsonl --subject hopper-fp16-fp32 --numbers --device H100 --out numbers.tsrec\n  tensorsmith import MATLAB-tensor-core/model_validation --format public --subject volta-mma-m8n8k4-fp16-fp32 --device V100 --out v100.tsrec"
)]
pub(super) struct Arguments {
    /// File or folder to read; of the public layout, the folder that holds the device folders
    #[arg(value_name = "PATH")]
    source: PathBuf,
    /// Layout to read
    #[arg(long, value_name = "FORMAT")]
    format: Form,
    /// Unit or instruction that was recorded, of a source without header: a name of the catalogue, or a unit, instruction or
    /// interface file (.toml)
    #[arg(long, value_name = "NAME|FILE", required_if_eq("format", "public"))]
    subject: Option<String>,
    /// Elements of the source are numbers such as 1.5, -inf or nan, which the operands' formats must hold exactly; without,
    /// encodings such as 0x3e00
    #[arg(long, requires = "subject")]
    numbers: bool,
    /// Device that answered; in the public layout its folder is called so
    #[arg(long, value_name = "NAME", requires = "subject", required_if_eq("format", "public"), value_parser = device)]
    device: Option<String>,
    /// When the device answered, if that is known (RFC 3339)
    #[arg(long, value_name = "TIME", requires = "subject")]
    recorded: Option<String>,
    /// File to write (.tsrec); it must not be there
    #[arg(long, value_name = "FILE.tsrec")]
    out: PathBuf,
}

/// A name that reports print as it stands.
fn device(name: &str) -> Result<String, String> {
    let is_name = !name.trim().is_empty() && is_one_line(name);
    is_name.then(|| name.to_owned()).ok_or_else(|| format!("allowed: {LINES_ALLOWED}, and not empty"))
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let told = told(arguments)?;
    let header = exchange::import(&arguments.source, arguments.format, told.as_ref(), &arguments.out)?;
    say!(
        "{}: {} of {}, answered by {} ({})",
        arguments.out.shown(),
        counted(header.vectors(), VECTORS),
        header.subject,
        header.engine.engine,
        header.engine.version
    );
    Ok(Verdict::Agreed)
}

/// What a source without header does not say itself.
fn told(arguments: &Arguments) -> Result<Option<Told>, Failure> {
    let Arguments { subject, device, recorded: time, numbers, .. } = arguments;
    let Some(name) = subject else { return Ok(None) };
    if let Some(Err(error)) = time.as_deref().map(DateTime::parse_from_rfc3339) {
        let value = time.as_deref().unwrap_or_default();
        return Err(Failure(format!("--recorded: {value:?}: {error}; allowed: a time such as 2025-01-31T12:00:00Z")));
    }
    let (recorded, file) = recorded::named(name)?;
    Ok(Some(Told { recorded, file, device: device.clone(), time: time.clone(), numbers: *numbers }))
}
