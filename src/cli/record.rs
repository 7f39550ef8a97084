//! `tensorsmith record`: what an engine answers, as a file that anyone can replay.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;
use rayon::prelude::*;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

use super::output::say;
use super::{Failure, Verdict, input, output, record_device};
use tensorsmith::check::compare::Source;
use tensorsmith::check::stimulus::CHUNK;
use tensorsmith::check::suite::Suite;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::text::Foreign;
use tensorsmith::engine::{Batch, Engine, Kind, Opened};
use tensorsmith::recording::{
    CHUNK_VECTORS, Compressed, Header, Layout, Part, Reader, Recorded, StreamError, VERSION, Writer,
};
use tensorsmith::report::{VECTORS, counted, thousands};

/// A round of chunks that takes longer is followed by single ones.
const SLOW: Duration = Duration::from_secs(1);
/// Chunks of a round for each thread.
const CHUNKS: usize = 4;
/// Most bytes of a round of chunks.
const MEMORY: usize = 256 << 20;

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
    write_parts(&sources, jobs(arguments), engine.as_mut(), &mut writer, &bar).map_err(|error| match error {
        RecordError::Stream(error) => failed(error),
        RecordError::Engine(error) => error.into(),
        RecordError::Threads(error) => error.into(),
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

pub(super) enum RecordError {
    Stream(StreamError),
    Engine(tensorsmith::engine::EngineError),
    Threads(ThreadPoolBuildError),
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
    let file = File::open(out).map_err(|error| Failure(format!("{}: cannot be read: {error}", out.shown())))?;
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

/// Writes what is still missing of all parts. Chunks begin anew with each part. Several are drawn and compressed at a
/// time, on `jobs` threads; what is answered is written, even if the next fails.
pub(super) fn write_parts(
    sources: &[(Suite, Source)],
    jobs: usize,
    engine: &mut dyn Engine,
    writer: &mut Writer<impl Write>,
    bar: &ProgressBar,
) -> Result<(), RecordError> {
    let pool = ThreadPoolBuilder::new().num_threads(jobs).build().map_err(RecordError::Threads)?;
    let layout = writer.layout().clone();
    let mut first = 0;
    for (_, source) in sources {
        let mut begin = writer.vectors().saturating_sub(first).next_multiple_of(CHUNK_VECTORS);
        // What is answered slowly is written at once; the first chunk tells.
        let (mut is_slow, most) = (true, chunks_at_once(jobs, &source.empty_batch()));
        while begin < source.count() {
            let count = if is_slow { 1 } else { most };
            let starts: Vec<u64> = (begin..source.count()).step_by(CHUNK_VECTORS as usize).take(count).collect();
            let drawn = |&start: &u64| {
                let mut batch = source.empty_batch();
                let count = (source.count() - start).min(CHUNK_VECTORS) as usize;
                source.fill(start / CHUNK as u64, count, &mut batch);
                batch
            };
            let batches: Vec<Batch> = pool.install(|| starts.par_iter().map(drawn).collect());
            let (start, mut answered, mut failure) = (Instant::now(), Vec::with_capacity(batches.len()), None);
            for batch in batches {
                let mut results = Vec::new();
                match engine.run(&batch, &mut results) {
                    Ok(()) => answered.push((batch, results)),
                    Err(error) => {
                        failure = Some(error);
                        break;
                    }
                }
            }
            is_slow = start.elapsed() > SLOW;
            let compressed = |(batch, results): &(Batch, Vec<u64>)| Compressed::of(&layout, batch, results);
            let chunks: Vec<_> = pool.install(|| answered.par_iter().map(compressed).collect());
            for (chunk, (batch, _)) in chunks.into_iter().zip(&answered) {
                writer.append(&chunk.map_err(RecordError::Stream)?).map_err(RecordError::Stream)?;
                writer.flush().map_err(RecordError::Stream)?;
                bar.inc(batch.len() as u64);
            }
            if let Some(error) = failure {
                return Err(RecordError::Engine(error));
            }
            begin += CHUNK_VECTORS * starts.len() as u64;
        }
        first += source.count();
    }
    Ok(())
}

/// A few chunks for each thread, but not so many that memory runs short.
fn chunks_at_once(jobs: usize, batch: &Batch) -> usize {
    let words = 2 * (batch.products() + batch.scales()) as usize + 2;
    (MEMORY / (CHUNK_VECTORS as usize * words * 8)).clamp(1, CHUNKS * jobs)
}
