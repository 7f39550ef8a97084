//! `tensorsmith record`: what an engine answers, as a file that anyone can replay.

use std::path::{Path, PathBuf};

use clap::Args;

use super::output::say;
use super::record_chunks::{Answering, RecordError, write_parts};
use super::{Failure, Verdict, input, output, record_device};
use tensorsmith::check::compare::Source;
use tensorsmith::check::suite::Suite;
use tensorsmith::describe::file::open;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::text::Foreign;
use tensorsmith::engine::{Engine, Kind, Opened};
use tensorsmith::recording::{Header, Layout, Part, Reader, Recorded, StreamError, VERSION, Writer};
use tensorsmith::report::{VECTORS, counted, thousands};

/// Record what an engine answers, for `replay`
///
/// The recording grows beside FILE under the name FILE.part, and appears as FILE when it is whole. Stopped at any moment, it
/// goes on where it was when the same command runs again. A list that has nothing to ask the unit is skipped; alone it is
/// refused. Of a unit or an instruction of your own the recording keeps the text, so that it is known wherever it is replayed.
///
/// With --device all instructions of a device that the engine answers are recorded one after another. What is finished is
/// packed into FOLDER/NAME-0.tsrec, NAME-1.tsrec and so on, each whole at any moment; the same command goes on with the rest.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith record intel-tdpbf16ps --engine processor --out amx.tsrec\n  tensorsmith record my-unit.toml --engine rtl --vectors 10000 --out mine.tsrec\n  tensorsmith record fma-fp32 --engine processor --suites shaped,random,corners --vectors 1000000 --out fma.tsrec\n  tensorsmith record hopper-mma-m16n8k16-fp16-fp32 --engine emulator --suites features,open --out hopper.tsrec\n  tensorsmith record --device H100 --engine cuda:0 --suites shaped,random,corners,features,open --vectors 2000 --out recordings"
)]
pub(super) struct Arguments {
    /// Name of a unit or an instruction of the catalogue, or a unit or instruction file (.toml)
    #[arg(required_unless_present = "device", conflicts_with = "device")]
    subject: Option<String>,
    /// Record all that the engine answers of a device of the catalogue
    #[arg(long, value_name = "NAME")]
    device: Option<String>,
    /// Engine that answers
    #[arg(long, value_name = "ENGINE")]
    pub engine: Kind,
    /// What is recorded, one suite after the other; features and open are lists of directed vectors
    #[arg(long, value_delimiter = ',', default_value = "shaped", value_name = "SUITES")]
    pub suites: Vec<Suite>,
    /// Threads that draw, answer and compress; as many as there are processors without. An engine that is there once, a GPU, a
    /// program or a design, answers on one
    #[arg(long, value_name = "N", value_parser = input::number::<u16>(1..=1024))]
    pub jobs: Option<u16>,
    /// Vectors of each suite; a list is recorded whole, whatever this says
    #[arg(long, default_value_t = 100_000, value_name = "N", value_parser = input::number::<u64>(1..=1_000_000_000_000))]
    pub vectors: u64,
    /// Seed of the stimulus; in a list nothing is random
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = input::number::<u64>(0..=u64::MAX))]
    pub seed: u64,
    /// File to write; with --device the folder, created if need be
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// With --device, most bytes of a file, unless one recording alone has more [default: 15MiB]
    #[arg(long, value_name = "SIZE", conflicts_with = "subject", value_parser = record_device::size)]
    pub file_size: Option<u64>,
    /// With --device, write what came of each instruction as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE", conflicts_with = "subject")]
    pub json: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    input::check_once("--suites", "suite", &arguments.suites.iter().map(|suite| suite.name()).collect::<Vec<_>>())?;
    match (&arguments.device, &arguments.subject) {
        (Some(device), _) => record_device::run(arguments, device),
        (None, Some(subject)) => record_subject(arguments, subject),
        (None, None) => Err(Failure("nothing to record; allowed: SUBJECT or --device".to_owned())),
    }
}

fn record_subject(arguments: &Arguments, name: &str) -> Result<Verdict, Failure> {
    let named = input::subject(name)?;
    output::check_writable(&arguments.out)?;
    let mut engine = match arguments.engine.open_spread(&named.subject, jobs(arguments))? {
        Opened::Ready(engine) => engine,
        Opened::Absent(reason) => {
            let engine = arguments.engine.name();
            return Err(Failure(format!("{name}: nothing is recorded: {engine} skipped, because {reason}")));
        }
    };
    let sources = sources(arguments, &named.subject);
    for suite in &sources.empty {
        match sources.found.is_empty() {
            true => {
                return Err(Failure(format!("--suites: {}: {}; allowed: another suite", suite.name(), sources.reason)));
            }
            false => say!("{name}: suite {} skipped, because {}", suite.name(), sources.reason),
        }
    }
    let sources = sources.found;
    let file = named.is_file.then_some(name);
    let header = header(arguments, (&named.subject, file), engine.as_ref(), &sources);
    if arguments.out.exists() {
        return already_there(&arguments.out, &header);
    }
    let part = part_of(&arguments.out);
    let failed = |error: StreamError| Failure(format!("{}: {error}", part.shown()));
    let mut writer = Writer::resume(&part, &header).map_err(failed)?;
    let resumed = writer.vectors();
    let bar = output::progress(name, header.vectors(), "vectors");
    bar.inc(resumed);
    let (subject, engine) = (&named.subject, engine.as_mut());
    let answering = Answering { subject, kind: arguments.engine, engine, jobs: jobs(arguments) };
    write_parts(&sources, answering, &mut writer, &bar).map_err(|error| match error {
        RecordError::Stream(error) => failed(error),
        RecordError::Engine(error) => error.into(),
    })?;
    bar.finish_and_clear();
    writer.finish().map_err(failed)?;
    std::fs::rename(&part, &arguments.out)
        .map_err(|error| Failure(format!("{}: cannot be written: {error}", arguments.out.shown())))?;
    let went_on = if resumed > 0 { format!(", {} of them before", thousands(resumed)) } else { String::new() };
    say!(
        "{}: {}{went_on}, answered by {} ({}), seed {}",
        arguments.out.shown(),
        counted(header.vectors(), VECTORS),
        header.engine.engine,
        header.engine.version,
        arguments.seed
    );
    Ok(Verdict::Agreed)
}

/// Threads that draw, answer and compress.
pub(super) fn jobs(arguments: &Arguments) -> usize {
    arguments.jobs.map_or_else(output::processors, usize::from)
}

fn part_of(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// The vectors of each suite that has some for a subject.
pub(super) struct Sources {
    pub found: Vec<(Suite, Source)>,
    /// Suites that have none.
    empty: Vec<Suite>,
    /// Why they have none.
    pub reason: String,
}

pub(super) fn sources(arguments: &Arguments, subject: &Subject) -> Sources {
    let frame = subject.frame();
    let reason = format!("it has nothing to ask {}, whose operands are {}", subject.name(), frame.formats.a.name);
    let mut sources = Sources { found: Vec::new(), empty: Vec::new(), reason };
    for &suite in &arguments.suites {
        match suite.source(&frame, arguments.seed, arguments.vectors) {
            Some(source) => sources.found.push((suite, source)),
            None => sources.empty.push(suite),
        }
    }
    sources
}

pub(super) fn header(
    arguments: &Arguments,
    (subject, file): (&Subject, Option<&str>),
    engine: &dyn Engine,
    sources: &[(Suite, Source)],
) -> Header {
    let part = |(suite, source): &(Suite, Source)| {
        // A list is the same for every seed.
        let seed = if suite.is_list() { 0 } else { arguments.seed };
        Part { suite: suite.name().to_owned(), seed, vectors: source.count() }
    };
    Header {
        version: VERSION,
        tensorsmith: tensorsmith::report::VERSION.to_owned(),
        recorded: chrono::Utc::now().format("%Y-%m-%dT%H:%M:%SZ").to_string(),
        subject: subject.name().to_owned(),
        described: Recorded::Subject(subject.clone()).described(file),
        layout: Layout::of(&subject.interface()),
        engine: engine.identity(),
        device: engine.details(),
        parts: sources.iter().map(part).collect(),
    }
}

/// A file that is there is left alone: all is well if it is this recording.
fn already_there(out: &Path, header: &Header) -> Result<Verdict, Failure> {
    let file = open(out).map_err(|error| Failure(format!("{}: cannot be read: {error}", out.shown())))?;
    match Reader::new(std::io::BufReader::new(file)) {
        Ok(reader) => match header.difference(reader.header()) {
            None => {
                say!("{}: is there already", out.shown());
                Ok(Verdict::Agreed)
            }
            Some([found, expected]) => Err(Failure(format!(
                "{}: is there, and is not this recording: {found}, not {expected}; allowed: a new file",
                out.shown()
            ))),
        },
        Err(_) => Err(Failure(format!("{}: is there, and is no recording; allowed: a new file", out.shown()))),
    }
}
