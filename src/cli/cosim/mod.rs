//! `tensorsmith cosim`: the same vectors through emulator, reference and RTL.

pub(super) mod comparison;
mod kept;
mod matrices;
mod mismatch;

use std::cell::OnceCell;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::reports::{self, Reports};
use super::{Failure, Verdict, engines, input, interrupt, output};
use comparison::{Setup, Vectors, cosimulate, print_table};
use kept::Kept;
use tensorsmith::check::case::{Case, Expected};
use tensorsmith::check::compare::Source;
use tensorsmith::check::stimulus::{Class, Exhaustive, INPUT_BITS_MAX, Stimulus};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::interface::Frame;
use tensorsmith::describe::subject::Subject;
use tensorsmith::design;
use tensorsmith::engine::{Batch, Engine, Kind};
use tensorsmith::report::{CosimReport, UnitReport};

/// Run the same vectors through several engines and compare every answer
///
/// Without --vectors a unit with at most 24 input bits is run on all of its inputs, any other on 1,000,000 vectors.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith cosim\n  tensorsmith cosim hopper-bf16-fp32 --vectors 100000000 --engines emulator,rtl\n  tensorsmith cosim --unit my-unit.toml --unit my-instruction.toml\n  tensorsmith cosim tiny-nearest --exhaustive\n  tensorsmith cosim hopper-mma-m16n8k32-e4m3-fp32\n  tensorsmith cosim --instructions --vectors 100000\n  tensorsmith cosim intel-tdpbf16ps --matrices --engines emulator,processor\n  tensorsmith cosim volta-fp16-fp32 --classes tie,carry-out --seed 7\n  tensorsmith cosim hopper-fp16-fp32 --engines emulator,external --external \"python3 unit.py\"\n  tensorsmith cosim --design my-design.toml --diagnose --wave\n  tensorsmith cosim --design my-design.toml --vectors 1000000000 --time-limit 5m --cases failing --retry-cases\n  tensorsmith cosim hopper-fp16-fp32 --design my-design.toml --vectors 1000000\n  tensorsmith cosim --case tests/regressions/carry-volta.toml"
)]
pub(super) struct Arguments {
    /// Names of units or instructions of the catalogue, or unit or instruction files (.toml); default: what a design
    /// that is named should equal, or every unit of the catalogue
    units: Vec<String>,
    /// Every instruction of the catalogue
    #[arg(long)]
    instructions: bool,
    /// The same as one more of UNITS, after them; may be given several times
    #[arg(long = "unit", value_name = "FILE")]
    more_units: Vec<String>,
    /// Whole matrices D = A B + C of random shape, of instructions; vectors are then elements of D, 100,000 or more
    #[arg(long, conflicts_with = "exhaustive")]
    matrices: bool,
    /// Vectors per unit
    #[arg(long, value_name = "N", conflicts_with = "exhaustive", value_parser = input::number::<u64>(1..=u64::MAX))]
    vectors: Option<u64>,
    /// All inputs of the unit; at most 32 input bits
    #[arg(long, conflicts_with = "classes")]
    exhaustive: bool,
    /// Seed of the stimulus
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = input::number::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Threads that compare; as many as there are processors without. Engines that are there once, GPUs, programs and designs,
    /// are asked by one
    #[arg(long, value_name = "N", value_parser = input::number::<u16>(1..=1024))]
    jobs: Option<u16>,
    /// Engines that answer
    #[arg(long, value_delimiter = ',', default_value = "emulator,reference,rtl", value_name = "ENGINES")]
    engines: Vec<Kind>,
    /// Stimulus classes that take turns; default: all
    #[arg(long, value_delimiter = ',', value_name = "CLASSES", value_parser = class)]
    classes: Vec<Class>,
    /// Rerun one case file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["units", "instructions", "matrices", "more_units", "vectors", "exhaustive", "classes", "seed", "cases", "time_limit"])]
    case: Option<PathBuf>,
    /// Folder for the case file of a mismatch
    #[arg(long, value_name = "DIR", default_value = ".")]
    cases: PathBuf,
    /// Run the case files (.toml) of that folder first, those of UNITS
    #[arg(long, requires = "cases")]
    retry_cases: bool,
    /// Time in which vectors are run, in seconds or as 90s, 5m, 2h, shared by UNITS; what is left then is said. Building engines
    /// and explaining a mismatch is not counted, and each of UNITS runs a batch at least
    #[arg(long, value_name = "TIME", value_parser = input::duration)]
    time_limit: Option<Duration>,
    /// After a mismatch, find out what the engine computes that answers wrongly
    #[arg(long)]
    diagnose: bool,
    /// Seconds for that
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "diagnose", value_parser = input::number::<u64>(1..=86_400))]
    diagnose_limit: u64,
    /// After a mismatch of a design, write a waveform from reset to the wrong result (VCD), beside the case file
    #[arg(long, requires = "design")]
    wave: bool,
    #[command(flatten)]
    pub(super) reports: Reports,
}

fn class(name: &str) -> Result<Class, String> {
    let names: Vec<&str> = Class::ALL.iter().map(|class| class.name()).collect();
    Class::named(name).ok_or_else(|| format!("allowed: {}", names.join(", ")))
}

/// Units up to this many input bits are run on all inputs unless told otherwise.
const SMALL_INPUT: u64 = 1 << 24;

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    input::check_engines(&arguments.engines)?;
    if arguments.case.is_none() {
        output::check_folder(&arguments.cases)?;
    }
    let case = arguments.case.as_deref().map(Case::read).transpose()?;
    let differed = case.as_ref().map_or(&[][..], |case| &case.differed);
    let kinds = engines::with_those_of_a_case(&arguments.engines, differed);
    let setup = Setup {
        kinds: &kinds,
        seed: arguments.seed,
        cases: arguments.case.is_none().then_some(arguments.cases.as_path()),
        quiet: arguments.reports.quiet(),
        jobs: arguments.jobs.map_or_else(output::processors, usize::from),
        diagnose: arguments.diagnose.then(|| Duration::from_secs(arguments.diagnose_limit)),
        wave: arguments.wave,
        unwritten: OnceCell::new(),
    };
    let mut units = Vec::new();
    let ended = match &case {
        Some(case) => {
            let source = Source::Given(Batch::of(&case.vector));
            let expected: Box<dyn Engine> = Box::new(Expected(case.expected));
            let report = cosimulate(&case.subject, Some(expected), &Vectors::of(&source, "case"), &setup);
            report.map(|report| units.push(report))
        }
        None => of_subjects(arguments, &setup, &mut units),
    };
    let seed = arguments.case.is_none().then_some(arguments.seed);
    let report = CosimReport::new(seed, units).limited(arguments.time_limit);
    // What was compared before a failure stays.
    if ended.is_ok() || !report.units.is_empty() {
        if !setup.quiet {
            let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
            print_table(&report, &names);
        }
        reports::keep(report.clone());
    }
    ended?;
    setup.check_cases()?;
    let skips = |unit: &UnitReport, name| unit.engines.iter().any(|one| one.engine == name && one.skipped.is_some());
    let runs = |unit: &UnitReport, name| unit.engines.iter().any(|one| one.engine == name && one.vectors > 0);
    engines::check_case(differed, |name| report.units.iter().any(|unit| runs(unit, name)))?;
    engines::check_ran(|name| report.units.iter().all(|unit| skips(unit, name)))?;
    match (report.units.iter().all(|unit| unit.compared > 0), report.passed) {
        (false, _) => Err(Failure("nothing compared: fewer than two engines ran".to_owned())),
        (true, false) => Ok(Verdict::Differed),
        (true, true) => interrupt::check().map(|()| Verdict::Agreed),
    }
}

/// Runs the units and instructions asked for: the cases that were kept of them, then vectors, as long as there is time.
fn of_subjects(arguments: &Arguments, setup: &Setup, reports: &mut Vec<UnitReport>) -> Result<(), Failure> {
    let subjects = subjects(arguments)?;
    let names: Vec<&str> = subjects.iter().map(Subject::name).collect();
    input::check_once("UNITS", "name", &names)?;
    let kept = arguments.retry_cases.then(|| Kept::read(&arguments.cases)).transpose()?;
    let sources: Vec<Source> = match arguments.matrices {
        true => Vec::new(),
        false => subjects.iter().map(|subject| source(&subject.frame(), arguments)).collect::<Result<_, _>>()?,
    };
    output::prepare(setup.kinds, &subjects);
    if let Some(kept) = &kept {
        if !setup.quiet {
            kept.announce(&subjects);
        }
        for subject in &subjects {
            reports.extend(kept.run(subject, setup)?);
        }
    }
    let mut left = arguments.time_limit;
    for (place, subject) in subjects.iter().enumerate() {
        interrupt::check()?;
        // What others leave of their share is shared by those after them.
        let limit = left.map(|left| left / (subjects.len() - place) as u32);
        let report = match sources.get(place) {
            None => matrices::run(subject, arguments, limit, setup)?,
            Some(source) => {
                let stimulus = if matches!(source, Source::Exhaustive(_)) { "exhaustive" } else { "shaped" };
                cosimulate(subject, None, &Vectors { limit, ..Vectors::of(source, stimulus) }, setup)?
            }
        };
        left = left.map(|left| left.saturating_sub(Duration::from_secs_f64(report.seconds)));
        reports.push(report);
    }
    Ok(())
}

/// The units and instructions asked for.
fn subjects(arguments: &Arguments) -> Result<Vec<Subject>, Failure> {
    let mut names = [&arguments.units[..], &arguments.more_units].concat();
    if arguments.instructions || (arguments.matrices && names.is_empty()) {
        names.extend(catalogue::instruction_names().into_iter().map(str::to_owned));
    } else if let (true, Some(design)) = (names.is_empty(), design::named()) {
        names.push(super::design::equals(design)?);
    } else if names.is_empty() {
        names.extend(catalogue::names().into_iter().map(str::to_owned));
    }
    names.iter().map(|name| Ok(input::subject(name)?.subject)).collect()
}

fn source(frame: &Frame, arguments: &Arguments) -> Result<Source, Failure> {
    let all = Exhaustive::of(&frame.interface);
    if arguments.exhaustive {
        let refuse = || {
            let (name, bits) = (&frame.name, frame.input_bits());
            Failure(format!("--exhaustive: unit {name} has {bits} input bits; allowed: at most {INPUT_BITS_MAX}"))
        };
        return all.map(Source::Exhaustive).ok_or_else(refuse);
    }
    let stimulus = stimulus(frame, arguments)?;
    match (arguments.vectors, all) {
        (None, Some(all)) if all.count() <= SMALL_INPUT && arguments.classes.is_empty() => Ok(Source::Exhaustive(all)),
        (vectors, _) => Ok(Source::Shaped { stimulus, count: vectors.unwrap_or(1_000_000) }),
    }
}

fn stimulus(frame: &Frame, arguments: &Arguments) -> Result<Stimulus, Failure> {
    match arguments.classes.as_slice() {
        [] => Ok(Stimulus::shaped(frame, arguments.seed)),
        classes => {
            check_classes(frame, classes)?;
            Ok(Stimulus::of_classes(frame, arguments.seed, classes.to_vec()))
        }
    }
}

/// Refuses classes of floating-point numbers for integers, and the reverse.
fn check_classes(frame: &Frame, classes: &[Class]) -> Result<(), Failure> {
    let allowed = Class::of(&frame.unit);
    match classes.iter().find(|class| !allowed.contains(class)) {
        None => Ok(()),
        Some(class) => {
            let names: Vec<&str> = allowed.iter().map(|class| class.name()).collect();
            let (class, unit) = (class.name(), &frame.name);
            Err(Failure(format!("--classes: {class} does not fit unit {unit}; allowed: {}", names.join(", "))))
        }
    }
}
