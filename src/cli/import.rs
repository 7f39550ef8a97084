//! `tensorsmith import`: a recording out of a layout that other programs write.

use std::path::PathBuf;

use chrono::DateTime;
use clap::Args;

use super::output::say;
use super::{Failure, Verdict};
use tensorsmith::describe::text::Foreign;
use tensorsmith::recording::exchange::{self, Form, Told};
use tensorsmith::report::{VECTORS, counted};

/// Read a recording in a layout of other programs, and write it as a file for `replay`
///
/// The layouts are described in src/recording/exchange/EXCHANGE.md. Where the source has a header, it is kept; the
/// public layout has none, so that subject and device must be told. What is written appears whole or not at all; nothing
/// that is there already is overwritten.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith import amx.jsonl --format jsonl --out amx.tsrec\n  tensorsmith import amx-memory --format readmemh --out amx.tsrec\n  tensorsmith import amx-arrays --format npy --out amx.tsrec\n  tensorsmith import MATLAB-tensor-core/model_validation --format public --subject volta-mma-m8n8k4-fp16-fp32 --device V100 --out v100.tsrec"
)]
pub(super) struct Arguments {
    /// File or folder to read; of the public layout, the folder that holds the device folders
    #[arg(value_name = "PATH")]
    source: PathBuf,
    /// Layout to read
    #[arg(long, value_name = "FORMAT")]
    format: Form,
    /// Unit or instruction of the catalogue that was recorded; for the public layout
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    /// Device that answered, as its folder is called; for the public layout
    #[arg(long, value_name = "NAME")]
    device: Option<String>,
    /// When the device answered, if that is known (RFC 3339); for the public layout
    #[arg(long, value_name = "TIME")]
    recorded: Option<String>,
    /// File to write (.tsrec); it must not be there
    #[arg(long, value_name = "FILE.tsrec")]
    out: PathBuf,
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

/// What the source does not say itself: all of it for the public layout, nothing for others.
fn told(arguments: &Arguments) -> Result<Option<Told>, Failure> {
    let Arguments { subject, device, recorded, .. } = arguments;
    let options = [("--subject", subject), ("--device", device), ("--recorded", recorded)];
    if arguments.format != Form::Public {
        return match options.iter().find(|(_, value)| value.is_some()) {
            Some((name, _)) => {
                Err(Failure(format!("{name}: allowed: with --format public only; others have a header")))
            }
            None => Ok(None),
        };
    }
    let needed = |name: &str, value: &Option<String>| {
        value
            .clone()
            .ok_or_else(|| Failure(format!("{name} is missing; --format public needs it: the layout has no header")))
    };
    let time = recorded.as_deref().map(DateTime::parse_from_rfc3339).transpose();
    time.map_err(|error| {
        let value = recorded.as_deref().unwrap_or_default();
        Failure(format!("--recorded: {value:?}: {error}; allowed: a time such as 2025-01-31T12:00:00Z"))
    })?;
    let (subject, device) = (needed("--subject", subject)?, needed("--device", device)?);
    Ok(Some(Told { subject, device, recorded: recorded.clone() }))
}
