//! `tensorsmith report`: what is known about devices and units, and what this call ran to find out, as Markdown, as a page
//! and as JSON.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use super::output::{note, say};
use super::prove::Solving;
use super::{Failure, Verdict, devices, input, output, replay, replay_files, report_inference, report_proof};
use crate::cli::table;
use tensorsmith::check::pairs::Pairs;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::device::Device;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::text::Foreign;
use tensorsmith::describe::unit::Unit;
use tensorsmith::emit::{self, SourceFile};
use tensorsmith::engine::Kind;
use tensorsmith::recording::public::{self, Content, Recording};
use tensorsmith::recording::{Header, difference_of_answers};
use tensorsmith::report::speed::Speed;
use tensorsmith::report::{
    Asked, Findings, Outcomes, ReplayReport, Replayed, Summary, Time, html, markdown, pairs, thousands,
};

/// The heading of options that say something of --proofs only.
const PROOFS: &str = "Proofs, with --proofs";

/// Write a report: devices and instructions, what was run to check each, and a picture of every unit
///
/// Writes report.md, report.html (one page that needs no other file) and report.json: all of them or none. Every cell
/// says what this call ran. Without --devices and --units the whole catalogue is run, which takes a minute or two.
#[derive(Args)]
#[command(
    mut_args = |argument| if argument.get_help_heading() == Some(PROOFS) { argument.requires("proofs") } else { argument },
    after_help = "Examples:\n  tensorsmith report --out report\n  tensorsmith report --out report --recordings MATLAB-tensor-core/model_validation\n  tensorsmith report --out report --units my-unit.toml --recordings mine.tsrec\n  tensorsmith report --out report --devices V100,H100 --vectors 1000000\n  tensorsmith report --out report --units hopper-fp16-fp32,my-unit.toml\n  tensorsmith report --out report --units ampere-fp16-fp32 --inference\n  tensorsmith report --out report --units hopper-fp16-fp32 --proofs --timeout 60\n  tensorsmith report --out report --speed tests/bench/results/vectors-avx512.json"
)]
pub(super) struct Arguments {
    /// Folder to write to; created if need be
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Vectors of each comparison
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = input::number::<u64>(1..=u64::MAX))]
    vectors: u64,
    /// Seed of the stimulus
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = input::number::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Recordings, as `tensorsmith replay` takes them: a file (.tsrec), a folder of such files, or one in the public layout
    #[arg(long, value_name = "PATH")]
    recordings: Option<PathBuf>,
    /// Only these devices and their units
    #[arg(long, value_delimiter = ',', value_name = "DEVICES")]
    devices: Vec<String>,
    /// Only these units, names or unit files (.toml), and the instructions that are made of them
    #[arg(long, value_delimiter = ',', value_name = "UNITS")]
    units: Vec<String>,
    /// Infer each unit and instruction from its emulator's answers, some seconds each
    #[arg(long)]
    inference: bool,
    /// Vectors that each inference searches in the end for differences from values not excluded, and on which what was found is
    /// compared then, if `--vectors` is not more
    #[arg(long, default_value_t = 1_000_000, value_name = "COUNT", requires = "inference", value_parser = input::number::<u64>(1..=u64::MAX))]
    search: u64,
    /// Prove what can be proved of each unit, for all inputs: its SystemVerilog by Yosys, its properties by a solver
    #[arg(long)]
    proofs: bool,
    /// What `./x bench` measured, one of its .json files; several are shown one after the other
    #[arg(long, value_name = "FILE")]
    speed: Vec<PathBuf>,
    #[command(flatten, next_help_heading = PROOFS)]
    solving: Solving,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let start = Instant::now();
    let asked = asked(arguments)?;
    let recordings = arguments.recordings.as_deref().map(Recordings::open).transpose()?;
    let speed = arguments.speed.iter().map(|path| Speed::read(path)).collect::<Result<Vec<_>, _>>()?;
    check_folder(&arguments.out)?;
    let subjects = subjects(&asked);
    let [units, instructions] = compare(&asked, &subjects)?;
    let inferred =
        arguments.inference.then(|| report_inference::inferred(&subjects, &asked, arguments.search)).transpose()?;
    let proved = arguments.proofs.then(|| report_proof::proved(&asked.units, &arguments.solving)).transpose()?;
    let replayed = match (&arguments.recordings, recordings) {
        (Some(path), Some(recordings)) => {
            Some(Replayed { folder: path.shown(), report: recordings.replayed(&asked, &subjects)? })
        }
        _ => None,
    };
    let finished = chrono::Utc::now().format("%Y-%m-%d %H:%M:%S").to_string();
    let time = Time { finished, seconds: start.elapsed().as_secs_f64() };
    let target = |kind: &Kind| Some((kind.name(), kind.target()?));
    let machines = Kind::LIVE.iter().filter_map(target).collect();
    let findings = Findings { units, instructions, replayed, inferred, proved, speed, machines };
    let summary = findings.summary(&asked, time);
    let files = files(&summary, &asked.units)?;
    emit::write(&arguments.out, &files)?;
    print(&summary, &arguments.out, &files);
    Ok(if summary.passed { Verdict::Agreed } else { Verdict::Differed })
}

/// The devices, with the instructions to show, and the units.
fn asked(arguments: &Arguments) -> Result<Asked, Failure> {
    input::check_once("--devices", "device", &arguments.devices)?;
    let mut devices = devices::named(&arguments.devices)?;
    let named: Vec<Unit> = arguments.units.iter().map(|name| input::unit(name)).collect::<Result<_, _>>()?;
    input::check_once("--units", "unit", &named.iter().map(|unit| unit.name.as_str()).collect::<Vec<_>>())?;
    for unit in &named {
        if catalogue::unit(&unit.name).is_some_and(|known| known != *unit) {
            let allowed = "a name that no unit of the catalogue has";
            return Err(Failure(format!(
                "--units: {} is another unit of the catalogue; allowed: {allowed}",
                unit.name
            )));
        }
    }
    if !named.is_empty() {
        for device in &mut devices {
            device.instructions.retain(|instruction| instruction.units().any(|unit| named.contains(unit)));
        }
        devices.retain(|device| !device.instructions.is_empty());
    }
    let mut units = if named.is_empty() && arguments.devices.is_empty() { catalogue::units() } else { named };
    for unit in devices.iter().flat_map(|device| &device.instructions).flat_map(Instruction::units) {
        if !units.contains(unit) {
            units.push(unit.clone());
        }
    }
    Ok(Asked { seed: arguments.seed, vectors: arguments.vectors, devices, units })
}

/// Fails early where the files could not be written in the end.
fn check_folder(out: &Path) -> Result<(), Failure> {
    let absolute = std::path::absolute(out)?;
    let existing = absolute.ancestors().find(|folder| folder.exists()).unwrap_or(&absolute);
    let failed =
        |error: &dyn std::fmt::Display| Failure(format!("output folder {}: cannot be written: {error}", out.shown()));
    if !existing.is_dir() {
        return Err(failed(&format!("{} is no folder", existing.shown())));
    }
    tempfile::tempfile_in(existing).map(drop).map_err(|error| failed(&error))
}

/// Every unit, then every instruction once.
fn subjects(asked: &Asked) -> Vec<Subject> {
    let mut subjects: Vec<Subject> = asked.units.iter().cloned().map(Subject::from).collect();
    let units = subjects.len();
    for instruction in asked.devices.iter().flat_map(|device| &device.instructions) {
        if !subjects[units..].iter().any(|subject| subject.name() == instruction.name) {
            subjects.push(instruction.clone().into());
        }
    }
    subjects
}

/// Every pair of engines on every unit and on every instruction, each once.
fn compare(asked: &Asked, subjects: &[Subject]) -> Result<[Outcomes; 2], Failure> {
    let pairs = pairs();
    let bar = output::progress("report", subjects.len() as u64 * pairs.len() as u64 * asked.vectors, "vectors");
    let open = |kind: Kind, subject: &Subject| kind.open_subject(subject);
    let campaign = Pairs { seed: asked.seed, vectors: asked.vectors, open: &open };
    let outcomes = campaign.run(subjects, &pairs, &|done| bar.inc(done))?;
    bar.finish_and_clear();
    let mut named = subjects.iter().map(|subject| subject.name().to_owned()).zip(outcomes);
    let of_units = named.by_ref().take(asked.units.len()).collect();
    Ok([of_units, named.collect()])
}

/// Recordings to replay.
enum Recordings {
    Files(Vec<PathBuf>),
    Public(Vec<Recording>),
}

impl Recordings {
    fn open(path: &Path) -> Result<Recordings, Failure> {
        let files = replay_files::files(path)?;
        Ok(if files.is_empty() { Recordings::Public(public::read_all(path)?) } else { Recordings::Files(files) })
    }

    /// Those that the report is about, on emulator and RTL.
    fn replayed(self, asked: &Asked, subjects: &[Subject]) -> Result<ReplayReport, Failure> {
        let kinds = [Kind::Emulator, Kind::Rtl];
        match self {
            Recordings::Files(files) => {
                let others = RefCell::new(BTreeSet::new());
                let is_shown = |header: &Header| {
                    let Some(subject) = subjects.iter().find(|own| own.name() == header.subject) else { return false };
                    // What is wrong about a header is an error when it is replayed.
                    let recorded = header.recorded().ok().and_then(|own| own.subject().cloned());
                    let difference = recorded.and_then(|own| difference_of_answers(subject, &own));
                    let is_shown = difference.is_none();
                    others.borrow_mut().extend(difference.map(|[here, there]| [header.subject.clone(), here, there]));
                    is_shown
                };
                let report = replay_files::replay_files(&files, (&kinds, output::processors()), None, &is_shown);
                for [name, here, there] in others.into_inner() {
                    note!(
                        "note: a recording of another {name} is left out: it has {there}, the one of this report {here}"
                    );
                }
                report
            }
            Recordings::Public(recordings) => {
                let shown = recordings.into_iter().filter(|recording| is_shown(recording, asked)).collect::<Vec<_>>();
                replay::replay_all(&shown, (&kinds, output::processors()))
            }
        }
    }
}

/// Whether a row of the report is about this recording.
fn is_shown(recording: &Recording, asked: &Asked) -> bool {
    let shows = |device: &Device, name: &str| {
        device.recorded_as.contains(&recording.device) && device.instructions.iter().any(|own| own.name == name)
    };
    match &recording.content {
        Content::Rows { instruction, .. } => asked.devices.iter().any(|device| shows(device, &instruction.name)),
        Content::Skipped(_) => false,
    }
}

fn files(summary: &Summary, units: &[Unit]) -> Result<Vec<SourceFile>, Failure> {
    let file = |name: &str, text| SourceFile { name: name.to_owned(), text };
    Ok(vec![
        file("report.md", markdown(summary)?),
        file("report.html", html(summary, units)?),
        file("report.json", output::json_text(summary)?),
    ])
}

fn print(summary: &Summary, out: &Path, files: &[SourceFile]) {
    let rows = summary.totals.iter().map(|total| {
        let numbers = [total.ran as u64, total.skipped as u64, total.vectors, total.mismatches];
        [vec![total.check.to_owned()], numbers.map(thousands).to_vec()].concat()
    });
    let headings = ["check", "ran", "skipped", "vectors or rows", "mismatches"];
    say!("{}", table::table(&headings, &[1, 2, 3, 4], rows.collect()));
    for difference in &summary.mismatches {
        say!("{}, {}: {}", difference.of, difference.check, difference.text);
    }
    for (number, note) in summary.notes.iter().enumerate() {
        say!("note {}: skipped, because {note}", number + 1);
    }
    let (rows, hardware) = (summary.rows, summary.rows_on_hardware);
    say!("{hardware} of {rows} instructions of devices have an answer of real hardware behind them in this call");
    files.iter().for_each(|file| say!("{}", out.join(&file.name).shown()));
}
