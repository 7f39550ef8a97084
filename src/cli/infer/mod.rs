//! `tensorsmith infer`: the description of a unit or an instruction from the answers of an engine.

mod report;
mod screen;
mod watched;

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use super::cosim::comparison::{Setup, Vectors, cosimulate, print_table};
use super::output::say;
use super::prove::prover;
use super::{Failure, Verdict, input, output, places, recorded};
use report::Report;
use tensorsmith::check::black_box::BlackBox;
use tensorsmith::check::compare::Source;
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::text::Foreign;
use tensorsmith::describe::unit::{Grade, Unit};
use tensorsmith::emit::{self, SourceFile};
use tensorsmith::engine::{Batch, Composed, Engine, Kind, Opened};
use tensorsmith::infer::{
    Decide, Finding, InferError, Interface, Options, Outcome, Written, companions, infer, infer_recorded, names,
};
use tensorsmith::prove::hypotheses::decider;
use tensorsmith::prove::solver::Program;
use tensorsmith::recording::{Answers as RecordedAnswers, Header, Recorded};
use tensorsmith::report::CosimReport;
use watched::Watched;

/// Engines of what was found.
const DESCRIBED: [Kind; 3] = [Kind::Emulator, Kind::Reference, Kind::Rtl];

/// Find the description of a unit or an instruction from an engine's answers alone
///
/// Of the subject only the interface is used: formats, number of products, scales, whether there are flags. Directed vectors
/// are asked, hypotheses that they refute fall, and vectors that distinguish the rest are asked next. Hypotheses are whole
/// instructions: a unit of some scheme, and how it is composed. Where none is found that fits, that is said, with answers that
/// contradict each other, and the exit code is 1: the search is no proof that there is none.
///
/// A recording can be asked nothing more: what its vectors decide is found, and what they leave open is listed.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith infer hopper-fp16-fp32 --engine emulator --out found.toml\n  tensorsmith infer ampere-mma-m16n8k16-fp16-fp32 --engine emulator --then-cosim\n  tensorsmith infer my-unit.toml --engine emulator --solver bitwuzla\n  tensorsmith infer amx-bf16-fp32 --engine processor --json evidence.json\n  tensorsmith infer my-unit.toml --engine rtl --confirm 100000\n  tensorsmith infer box.toml --engine external --external \"python3 unit.py\" --confirm 10000\n  tensorsmith infer intel-vdpbf16ps --recording tests/data/recordings/Sapphire-Rapids-0.tsrec"
)]
pub(super) struct Arguments {
    /// A unit or instruction of the catalogue, or a unit, instruction or interface file (.toml), whose interface the engine has;
    /// of a file with several recordings, which one
    #[arg(required_unless_present = "recording")]
    subject: Option<String>,
    /// Engine that answers
    #[arg(long, value_name = "ENGINE", conflicts_with = "recording")]
    engine: Option<Kind>,
    /// Recorded answers (.tsrec) in place of an engine, up to a million; of several recordings of the subject, all
    #[arg(long, value_name = "FILE")]
    recording: Option<PathBuf>,
    /// Write what is found to FILE: a unit file, or an instruction file and beside it those of its units, such as
    /// FILE-unit.toml
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Name of what is found
    #[arg(long, default_value = "inferred", value_name = "NAME")]
    name: String,
    /// Write the evidence as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Seed of the shaped vectors
    #[arg(long, default_value_t = 1, value_parser = input::number::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Vectors that must agree in the end: shaped for what was found, shaped for what is not distinguished from it yet, of few terms,
    /// and mutations of those that distinguished it from something
    #[arg(long, default_value_t = 1_000_000, value_name = "COUNT", conflicts_with = "recording", value_parser = input::number::<u64>(0..=u64::MAX))]
    confirm: u64,
    /// Vectors searched in the end for differences from values not excluded, without asking the engine
    #[arg(long, default_value_t = 1_000_000, value_name = "COUNT", value_parser = input::number::<u64>(1..=u64::MAX))]
    search: u64,
    /// Let this solver decide for all inputs what no vector distinguishes in the end: a vector that it finds is asked
    #[arg(long, conflicts_with = "recording")]
    solver: Option<Program>,
    /// Seconds for one query of the solver
    #[arg(long, value_name = "SECONDS", default_value_t = 20, requires = "solver", value_parser = input::number::<u64>(1..=604_800))]
    timeout: u64,
    /// Co-simulate what is found, on its emulator, reference and RTL, against the engine that answered
    #[arg(long, conflicts_with = "recording")]
    then_cosim: bool,
    /// Vectors of that co-simulation; their seed is the one after --seed
    #[arg(long, default_value_t = 100_000, value_name = "N", requires = "then_cosim", value_parser = input::number::<u64>(1..=u64::MAX))]
    vectors: u64,
    /// Folder for the case file of a mismatch
    #[arg(long, default_value = ".", value_name = "DIR", requires = "then_cosim")]
    cases: PathBuf,
}

/// What answers, or has answered.
enum Answers {
    Engine(Box<dyn Engine>),
    Recorded(Batch, Vec<u64>),
}

/// What answers, the interface, and what is said of both.
struct Asked {
    answers: Answers,
    interface: Interface,
    report: Report,
}

fn asked(arguments: &Arguments) -> Result<Asked, Failure> {
    let name = arguments.subject.as_deref();
    match (&arguments.recording, arguments.engine, name) {
        (Some(path), _, name) => {
            let tell = |header: &Header| {
                recorded::tell_changes(path, header);
                recorded::tell_unlike_catalogue(path, header);
            };
            let recorded = RecordedAnswers::read(path, name, &tell)?;
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let answered_by = recorded.answered_by;
            let report = Report { answered_by, recorded: true, ..Report::new(recorded.subject, file, arguments.seed) };
            Ok(Asked {
                answers: Answers::Recorded(recorded.vectors, recorded.answers),
                interface: recorded.interface,
                report,
            })
        }
        (None, Some(kind), Some(name)) => {
            let (recorded, _) = recorded::named(name)?;
            let opened = match &recorded {
                Recorded::Subject(subject) => kind.open_subject(subject)?,
                Recorded::Interface(interface) => kind.open_interface(interface)?,
            };
            match opened {
                Opened::Absent(reason) => Err(Failure(format!("{}: skipped, because {reason}", kind.name()))),
                Opened::Ready(engine) => {
                    let answered_by = vec![engine.identity().version];
                    let report = Report::new(name.to_owned(), kind.name().to_owned(), arguments.seed);
                    let report = Report { answered_by, ..report };
                    Ok(Asked { answers: Answers::Engine(engine), interface: recorded.interface(), report })
                }
            }
        }
        _ => Err(Failure("nothing to ask; allowed: SUBJECT and --engine, or --recording".to_owned())),
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    check_outputs(arguments)?;
    let prover = arguments.solver.map(|program| prover(program, arguments.timeout)).transpose()?;
    let Asked { answers, interface, mut report } = asked(arguments)?;
    let recording = arguments.recording.as_deref().unwrap_or(Path::new(""));
    let start = Instant::now();
    let options = Options { seed: arguments.seed, confirm: arguments.confirm, search: arguments.search };
    let evaluate = Composed::emulated_wide;
    let spinner = output::spinner(&format!("inference from {}", report.engine));
    let (engine, outcome) = match answers {
        Answers::Engine(mut engine) => {
            let decide = prover.as_ref().map(decider);
            let decide = decide.as_ref().map(|decide| decide as Decide);
            let outcome = {
                let mut watched = Watched::new(engine.as_mut(), &spinner);
                infer(&mut watched, interface, &evaluate, decide, options)
            };
            (Some(engine), outcome)
        }
        Answers::Recorded(vectors, answers) => {
            (None, infer_recorded(&vectors, &answers, interface, &evaluate, options))
        }
    };
    spinner.finish_and_clear();
    let outcome = outcome.map_err(|error| match error {
        InferError::Interface(what) => Failure(format!("{}: {what}", report.subject)),
        error @ InferError::Contradictory { .. } => Failure(format!("{}: {error}", recording.shown())),
        other => other.into(),
    })?;
    report.seconds = start.elapsed().as_secs_f64();
    report.solver = prover.as_ref().map(|prover| prover.solver.identity());
    let found = match &outcome {
        Outcome::Found(finding) => Some(written(arguments, finding, &mut report)?),
        Outcome::Nothing(contradiction) => {
            report.nothing(contradiction);
            None
        }
    };
    let quiet = arguments.json.as_deref().is_some_and(output::is_standard_output);
    let filed = found.as_ref().map_or(Ok(()), |written| write(arguments, &written.files));
    if !quiet {
        screen::print(&report);
        let are_there = arguments.out.is_some() && filed.is_ok();
        let names = report.files.iter().map(|file| file.name.as_str()).filter(|_| are_there);
        names.for_each(|name| say!("{}", folder(arguments).join(name).shown()));
    }
    let cosimulated = match (found, engine, arguments.then_cosim) {
        (Some(Written { subject, .. }), Some(engine), true) => {
            cosim(arguments, &subject, engine, quiet, &mut report.cosim)
        }
        _ => Ok(()),
    };
    // The evidence is written whatever came of the files and of the co-simulation.
    arguments.json.as_deref().map_or(Ok(()), |path| output::json(path, &report))?;
    filed?;
    cosimulated?;
    let agreed = report.found && report.cosim.as_ref().is_none_or(|cosim| cosim.passed);
    Ok(if agreed { Verdict::Agreed } else { Verdict::Differed })
}

/// Fails early where a name or a file could not be written in the end.
fn check_outputs(arguments: &Arguments) -> Result<(), Failure> {
    let unit = catalogue::units().into_iter().next();
    for (unit, name) in unit.iter().flat_map(|unit| names(&arguments.name).map(|name| (unit, name))) {
        Unit::from_toml("--name", &Unit { name, ..unit.clone() }.to_toml())?;
    }
    if arguments.out.as_deref().is_some_and(output::is_standard_output) {
        return Err(Failure("--out: -; allowed: a file, since there may be several".to_owned()));
    }
    check_beside(arguments)?;
    if arguments.then_cosim {
        output::check_folder(&arguments.cases)?;
    }
    let named = arguments.out.iter().map(|path| output::check_writable(path));
    named.chain(beside(arguments).map(|(_, path)| output::check_writable(&path))).collect()
}

/// The files to write, beside those that are named, with their option: those of an instruction's units.
fn beside(arguments: &Arguments) -> impl Iterator<Item = (String, PathBuf)> {
    arguments.out.iter().flat_map(|out| companions(out)).map(|path| ("--out".to_owned(), path))
}

/// Fails where a file to write that is not named would take the place of another one, unless that is of an earlier finding.
fn check_beside(arguments: &Arguments) -> Result<(), Failure> {
    if let Some((option, path)) = beside(arguments).find(|(_, path)| path.exists() && !is_finding(path)) {
        let path = path.shown();
        return Err(Failure(format!("{option}: {path} is there already; allowed: a file that replaces no other")));
    }
    let read: Vec<PathBuf> = arguments.subject.iter().map(PathBuf::from).chain(arguments.recording.clone()).collect();
    let json = arguments.json.iter().filter(|path| !output::is_standard_output(path));
    let json = json.map(|path| ("--json".to_owned(), path.clone()));
    places::check(&read, &json.chain(beside(arguments)).collect::<Vec<_>>())
}

/// Whether a file is a unit that was inferred.
fn is_finding(path: &Path) -> bool {
    Unit::from_file(path).is_ok_and(|unit| {
        !unit.evidence.is_empty() && unit.evidence.values().all(|evidence| evidence.grade == Grade::Inferred)
    })
}

/// The folder of `--out`.
fn folder(arguments: &Arguments) -> &Path {
    arguments.out.as_deref().and_then(Path::parent).unwrap_or(Path::new(""))
}

/// What was found under its name, and in its files where they are asked for.
fn written(arguments: &Arguments, finding: &Finding, report: &mut Report) -> Result<Written, Failure> {
    let file = match arguments.out.as_deref().and_then(Path::file_name) {
        Some(file) => file.to_string_lossy().into_owned(),
        None => format!("{}.toml", arguments.name),
    };
    let written = finding.written(&arguments.name, &report.answerer(), &file)?;
    report.found(finding, &written.files);
    Ok(written)
}

/// Writes the files of what was found, where they were asked for.
fn write(arguments: &Arguments, files: &[SourceFile]) -> Result<(), Failure> {
    if arguments.out.is_none() {
        return Ok(());
    }
    let folder = folder(arguments);
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    Ok(emit::write(folder, files)?)
}

/// What was found beside the engine that it was found from, on vectors that were not asked before; noted in `noted`.
fn cosim(
    arguments: &Arguments,
    subject: &Subject,
    engine: Box<dyn Engine>,
    quiet: bool,
    noted: &mut Option<CosimReport>,
) -> Result<(), Failure> {
    let seed = arguments.seed.wrapping_add(1);
    let cases = Some(arguments.cases.as_path());
    let setup = Setup {
        kinds: &DESCRIBED,
        seed,
        cases,
        quiet,
        jobs: output::processors(),
        diagnose: None,
        wave: false,
        unwritten: OnceCell::new(),
    };
    let stimulus = Stimulus::shaped(subject.frame(), seed);
    let source = Source::Shaped { stimulus, count: arguments.vectors };
    if !quiet {
        let (name, engine) = (subject.name(), engine.name());
        say!(
            "co-simulation of {name}: emulator, reference and RTL are made from what was found, the black box is {engine}"
        );
    }
    let unit = cosimulate(subject, Some(Box::new(BlackBox(engine))), &Vectors::of(&source, "shaped"), &setup)?;
    let report = CosimReport::new(Some(seed), vec![unit]);
    if !quiet {
        let described = DESCRIBED.iter().map(|kind| kind.name());
        print_table(&report, &described.chain([BlackBox::NAME]).collect::<Vec<_>>());
    }
    *noted = Some(report);
    setup.check_cases()
}
