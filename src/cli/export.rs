//! `tensorsmith export`: a recording in a layout that other programs read.

use std::path::PathBuf;

use clap::Args;

use super::output::say;
use super::{Failure, Verdict, recorded};
use tensorsmith::describe::text::Foreign;
use tensorsmith::recording::exchange::{self, Exported, Form};
use tensorsmith::report::{VECTORS, counted};

/// Write a recording in a layout of other programs
///
/// The layouts are described in src/recording/exchange/EXCHANGE.md. What is written appears whole or not at all;
/// nothing that is there already is overwritten.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith export amx.tsrec --format jsonl --out amx.jsonl\n  tensorsmith export amx.tsrec --format readmemh --out amx-memory     # a.hex, b.hex, c.hex, d.hex\n  tensorsmith export amx.tsrec --format npy --out amx-arrays          # recording.json, a.npy, b.npy, c.npy, d.npy\n  tensorsmith export h100.tsrec --format public --device H100 --out recordings\n  tensorsmith export all.tsrec --subject hopper-fp16-fp32 --format jsonl --out h100.jsonl"
)]
pub(super) struct Arguments {
    /// Recording (.tsrec)
    #[arg(value_name = "FILE.tsrec")]
    recording: PathBuf,
    /// Unit or instruction of which a recording is exported, where the file holds several
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    /// Layout to write
    #[arg(long, value_name = "FORMAT")]
    format: Form,
    /// Device's name in the public layout; without it the one that the recording names
    #[arg(long, value_name = "NAME")]
    device: Option<String>,
    /// File or folder to write; it must not be there
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    if arguments.device.is_some() && arguments.format != Form::Public {
        return Err(Failure("--device: allowed: with --format public only; other layouts hold the header".to_owned()));
    }
    let what = Exported { subject: arguments.subject.as_deref(), device: arguments.device.as_deref() };
    let header = exchange::export(&arguments.recording, arguments.format, what, &arguments.out)?;
    recorded::tell_changes(&arguments.recording, &header);
    say!("{}: {} of {}", arguments.out.shown(), counted(header.vectors(), VECTORS), header.subject);
    Ok(Verdict::Agreed)
}
