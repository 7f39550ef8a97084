//! `tensorsmith record --device`: all that an engine answers of a device, packed into a handful of files.

use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use serde::Serialize;

use super::output::{note, say};
use super::record::{Arguments, header, jobs, sources};
use super::record_chunks::{Answering, RecordError, write_parts};
use super::{Failure, Verdict, devices, output};
use crate::cli::table;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::text::Foreign;
use tensorsmith::engine::{EngineError, Opened};
use tensorsmith::recording::{Packed, Packs, StreamError, Writer};
use tensorsmith::report::{VERSION, thousands};

/// Bytes of a file, unless told otherwise.
const FILE_SIZE: u64 = 15 << 20;

/// A size such as 15MiB.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let allowed = || "allowed: a number of bytes, KiB, MiB or GiB, such as 15MiB".to_owned();
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let shift = match &text[digits.len()..] {
        "" => 0,
        "KiB" => 10,
        "MiB" => 20,
        "GiB" => 30,
        _ => return Err(allowed()),
    };
    let number: u64 = digits.parse().map_err(|_| allowed())?;
    number.checked_mul(1 << shift).filter(|size| *size > 0).ok_or_else(allowed)
}

/// What came of an instruction or a unit.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Recorded {
        vectors: u64,
        bytes: u64,
        file: String,
    },
    /// And why.
    Skipped(String),
    Failed,
}

#[derive(Serialize)]
struct Row<'a> {
    subject: &'a str,
    outcome: &'a Outcome,
}

#[derive(Serialize)]
struct Report<'a> {
    tensorsmith: &'static str,
    device: &'a str,
    engine: &'static str,
    seed: u64,
    recordings: Vec<Row<'a>>,
}

impl Outcome {
    fn of(packed: &Packed) -> Outcome {
        let file = packed.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Outcome::Recorded { vectors: packed.header.vectors(), bytes: packed.bytes, file }
    }
}

/// Records every instruction of the device, and every unit that it lists.
pub(super) fn run(arguments: &Arguments, name: &str) -> Result<Verdict, Failure> {
    let device = devices::named(&[name.to_owned()])?.remove(0);
    let folder = &arguments.out;
    output::make_folder(folder)?;
    let mut packs = Packs::open(folder, &device.name, arguments.file_size.unwrap_or(FILE_SIZE))?;
    let instructions = device.instructions.iter().cloned().map(Subject::from);
    let subjects: Vec<Subject> = instructions.chain(device.units.iter().cloned().map(Subject::from)).collect();
    let each = arguments.suites.len() as u64 * arguments.vectors;
    let bar = output::progress(&device.name, subjects.len() as u64 * each, "vectors");
    let mut outcomes = Vec::new();
    for (number, subject) in subjects.iter().enumerate() {
        bar.set_message(subject.name().to_owned());
        outcomes.push(record(arguments, &device.name, subject, &mut packs, &bar)?);
        bar.set_position((number as u64 + 1) * each);
    }
    bar.finish_and_clear();
    let rows = subjects.iter().zip(&outcomes);
    let report = Report {
        tensorsmith: VERSION,
        device: &device.name,
        engine: arguments.engine.name(),
        seed: arguments.seed,
        recordings: rows.map(|(subject, outcome)| Row { subject: subject.name(), outcome }).collect(),
    };
    let with_text = output::json_beside_text(arguments.json.as_deref(), &report)?;
    if with_text {
        print(&subjects, &outcomes);
    }
    summary(arguments, &device.name, &outcomes, with_text)
}

/// Records one, or goes on where an earlier run stopped. What fails in the engine leaves the others alone.
fn record(
    arguments: &Arguments,
    device: &str,
    subject: &Subject,
    packs: &mut Packs,
    bar: &ProgressBar,
) -> Result<Outcome, Failure> {
    let mut engine = match arguments.engine.open_spread(subject, jobs(arguments)) {
        Ok(Opened::Ready(engine)) => engine,
        Ok(Opened::Absent(reason)) => return Ok(Outcome::Skipped(reason.to_string())),
        Err(error) => return Ok(failure(subject, &error, bar)),
    };
    let sources = sources(arguments, subject);
    if sources.found.is_empty() {
        return Ok(Outcome::Skipped(sources.reason));
    }
    let mut header = header(arguments, (subject, None), engine.as_ref(), &sources.found);
    header.device.insert("device".to_owned(), device.to_owned());
    let part = part_of(&arguments.out, device, subject);
    if let Some(packed) = packs.find(subject.name()) {
        if let Some([found, expected]) = header.difference(&packed.header) {
            let (file, name) = (packed.file.shown(), subject.name());
            let allowed = "the same command, or another folder";
            return Err(Failure(format!(
                "{file}: holds another recording of {name}: {found}, not {expected}; allowed: {allowed}"
            )));
        }
        // An earlier run may have stopped between the two steps of moving it.
        if part.exists() {
            std::fs::remove_file(&part)
                .map_err(|error| Failure(format!("{}: cannot be removed: {error}", part.shown())))?;
        }
        return Ok(Outcome::of(packed));
    }
    let failed = |error: StreamError| Failure(format!("{}: {error}", part.shown()));
    let mut writer = Writer::resume(&part, &header).map_err(failed)?;
    bar.inc(writer.vectors());
    let answering = Answering { subject, kind: arguments.engine, engine: engine.as_mut(), jobs: jobs(arguments) };
    match write_parts(&sources.found, answering, &mut writer, bar) {
        Ok(()) => {}
        Err(RecordError::Stream(error)) => return Err(failed(error)),
        Err(RecordError::Engine(error)) => return Ok(failure(subject, &error, bar)),
    }
    writer.finish().map_err(failed)?;
    Ok(Outcome::of(packs.add(&header, &part)?))
}

/// Tells of it at once: the others may take their time.
fn failure(subject: &Subject, error: &EngineError, bar: &ProgressBar) -> Outcome {
    bar.suspend(|| note!("{}: FAILED: {error}", subject.name()));
    Outcome::Failed
}

fn part_of(folder: &Path, device: &str, subject: &Subject) -> PathBuf {
    folder.join(format!("{device}-{}.tsrec.part", subject.name()))
}

fn print(subjects: &[Subject], outcomes: &[Outcome]) {
    let rows = subjects.iter().zip(outcomes).map(|(subject, outcome)| {
        let nothing = |why: String| [String::new(), String::new(), String::new(), why];
        let cells = match outcome {
            Outcome::Recorded { vectors, bytes, file } => {
                [thousands(*vectors), thousands(*bytes), file.clone(), String::new()]
            }
            Outcome::Skipped(reason) => nothing(reason.clone()),
            Outcome::Failed => nothing("FAILED, as said above".to_owned()),
        };
        [vec![subject.name().to_owned()], cells.to_vec()].concat()
    });
    let headings = ["instruction", "vectors", "bytes", "file", "skipped because"];
    say!("{}", table::table(&headings, &[1, 2], rows.collect()));
}

/// The last line, and whether everything that can be recorded was.
fn summary(arguments: &Arguments, device: &str, outcomes: &[Outcome], with_text: bool) -> Result<Verdict, Failure> {
    let (mut recorded, mut vectors, mut bytes, mut failed) = (0, 0, 0, 0);
    for outcome in outcomes {
        match outcome {
            Outcome::Recorded { vectors: more, bytes: long, .. } => {
                recorded += 1;
                vectors += more;
                bytes += long;
            }
            Outcome::Skipped(_) => {}
            Outcome::Failed => failed += 1,
        }
    }
    let (engine, folder) = (arguments.engine.name(), arguments.out.shown());
    if with_text {
        say!(
            "{folder}: {recorded} of {} of {device} recorded, {} vectors, {} bytes, answered by {engine}, seed {}",
            outcomes.len(),
            thousands(vectors),
            thousands(bytes),
            arguments.seed
        );
    }
    match (recorded, failed) {
        (_, 1..) => Err(Failure(format!("{engine} failed on {failed} of {}", outcomes.len()))),
        (0, _) => Err(Failure(format!("nothing recorded: {engine} answers nothing of {device}"))),
        _ => Ok(Verdict::Agreed),
    }
}
