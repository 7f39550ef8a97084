//! `tensorsmith export`: a recording in a layout that other programs read.

use std::path::PathBuf;

use clap::Args;

use super::output::say;
use super::{Failure, Verdict, input, recorded};
use tensorsmith::describe::text::Foreign;
use tensorsmith::describe::unit::is_keyword;
use tensorsmith::emit::bench::Language;
use tensorsmith::recording::exchange::{self, Exported, Form, Testbench, To};
use tensorsmith::report::{VECTORS, counted};

/// Write a recording in a layout of other programs, or as a test bench
///
/// With --testbench a bench in SystemVerilog or for cocotb is written, and the vectors that it reads: it gives them to a module with
/// the ports of an emitted one, and compares what that answers.
///
/// The layouts are described in src/recording/exchange/EXCHANGE.md. What is written appears whole or not at all;
/// nothing that is there already is overwritten.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith export amx.tsrec --format jsonl --out amx.jsonl\n  tensorsmith export amx.tsrec --format readmemh --out amx-memory     # a.hex, b.hex, c.hex, d.hex\n  tensorsmith export amx.tsrec --format npy --out amx-arrays          # recording.json, a.npy, b.npy, c.npy, d.npy\n  tensorsmith export mine.tsrec --testbench sv --out bench             # my_unit_test.sv, my_unit_vectors.hex\n  tensorsmith export mine.tsrec --testbench cocotb --module my_top --latency 3 --out bench\n  tensorsmith export h100.tsrec --format public --device H100 --out recordings\n  tensorsmith export all.tsrec --subject hopper-fp16-fp32 --format jsonl --out h100.jsonl"
)]
pub(super) struct Arguments {
    /// Recording (.tsrec)
    #[arg(value_name = "FILE.tsrec")]
    recording: PathBuf,
    /// Unit or instruction of which a recording is exported, where the file holds several
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    /// Layout to write
    #[arg(long, value_name = "FORMAT", required_unless_present = "testbench")]
    format: Option<Form>,
    /// Write a test bench and the vectors that it reads, in place of a layout; a folder
    #[arg(long, value_name = "LANGUAGE", conflicts_with_all = ["format", "device"])]
    testbench: Option<Language>,
    /// Name of the module that the bench tests; without it that of the unit's emitted module
    #[arg(long, value_name = "NAME", requires = "testbench", conflicts_with = "format", value_parser = module)]
    module: Option<String>,
    /// Clock edges after which the module answers, 0 of one without clk_i and ce_i; without it, those of the recorded unit
    #[arg(long, value_name = "N", requires = "testbench", conflicts_with = "format", value_parser = input::number::<u32>(0..=64))]
    latency: Option<u32>,
    /// Device's name in the public layout; without it the one that the recording names
    #[arg(long, value_name = "NAME")]
    device: Option<String>,
    /// File or folder to write; it must not be there
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
}

/// A name of a module.
fn module(name: &str) -> Result<String, String> {
    let starts = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    let is_name = starts && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    (is_name && !is_keyword(name)).then(|| name.to_owned()).ok_or_else(|| {
        "allowed: a name of letters, digits and _, no digit first and no keyword of SystemVerilog".to_owned()
    })
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    if arguments.device.is_some() && arguments.format != Some(Form::Public) {
        return Err(Failure("--device: allowed: with --format public only; other layouts hold the header".to_owned()));
    }
    let what = Exported { subject: arguments.subject.as_deref(), device: arguments.device.as_deref() };
    let Arguments { format, testbench, module, latency, .. } = arguments;
    let to = match (testbench, format) {
        (Some(language), _) => {
            To::Testbench(Testbench { language: *language, module: module.clone(), latency: *latency })
        }
        (None, Some(form)) => To::Layout(*form),
        (None, None) => return Err(Failure("nothing to write; allowed: --format or --testbench".to_owned())),
    };
    let header = exchange::export(&arguments.recording, &to, what, &arguments.out)?;
    recorded::tell_changes(&arguments.recording, &header);
    recorded::tell_unlike_catalogue(&arguments.recording, &header);
    say!("{}: {} of {}", arguments.out.shown(), counted(header.vectors(), VECTORS), header.subject);
    Ok(Verdict::Agreed)
}
