//! One comparison as `cosim` runs and prints it, for every command that compares engines.

use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::mismatch;
use crate::cli::output::say;
use crate::cli::table;
use crate::cli::{Failure, engines, interrupt, output};
use tensorsmith::check::compare::{Lineup, Source, Team, compare_observed, line_up};
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::text::Foreign;
use tensorsmith::engine::{Engine, Kind};
use tensorsmith::report::{CosimReport, UnitReport, VECTORS, counted, rate, thousands};

/// How engines are compared, whatever the subject.
pub(in crate::cli) struct Setup<'a> {
    /// Engines that are opened for the subject.
    pub kinds: &'a [Kind],
    /// Seed of the stimulus, for case files.
    pub seed: u64,
    /// Folder for the case file of a mismatch; none where a case file was run.
    pub cases: Option<&'a Path>,
    /// Whether standard output belongs to something else.
    pub quiet: bool,
    /// Threads that compare.
    pub jobs: usize,
    /// How long is spent on finding what an engine computes that answers wrongly.
    pub diagnose: Option<Duration>,
    /// Whether a design that answers wrongly writes a waveform beside the case file.
    pub wave: bool,
    /// Why a mismatch could not be explained or its case file not be written, the first time: reported when all else is written.
    pub unwritten: OnceCell<Failure>,
}

/// What is run.
pub(in crate::cli) struct Vectors<'a> {
    pub source: &'a Source,
    /// Its name in reports.
    pub stimulus: &'static str,
    /// For how long vectors are run at most, a batch in any case.
    pub limit: Option<Duration>,
    /// Of kept cases, the file of each vector.
    pub kept: &'a [PathBuf],
}

impl<'a> Vectors<'a> {
    /// All vectors of a source that are in no files.
    pub fn of(source: &'a Source, stimulus: &'static str) -> Vectors<'a> {
        Vectors { source, stimulus, limit: None, kept: &[] }
    }
}

/// Ends a run when its time is up, from now on, or a signal came.
pub(super) fn until_time_is_up(limit: Option<Duration>) -> impl Fn() -> ControlFlow<()> {
    let start = Instant::now();
    move || match limit {
        Some(limit) if start.elapsed() >= limit => ControlFlow::Break(()),
        _ if interrupt::came() => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    }
}

impl Setup<'_> {
    /// Fails where a case file could not be written.
    pub fn check_cases(self) -> Result<(), Failure> {
        self.unwritten.into_inner().map_or(Ok(()), Err)
    }
}

/// Runs vectors through the engines of a unit or an instruction and one more engine, such as the right answer of a case or a
/// black box; prints what came of it, and writes a case file at a mismatch.
///
/// # Errors
/// An engine exists on this machine but failed. A case file that cannot be written is noted in the setup.
pub(in crate::cli) fn cosimulate(
    subject: &Subject,
    other: Option<Box<dyn Engine>>,
    vectors: &Vectors,
    setup: &Setup,
) -> Result<UnitReport, Failure> {
    let Vectors { source, stimulus, limit, kept } = *vectors;
    let Lineup { mut ready, skipped } = line_up(subject, setup.kinds)?;
    engines::check_skipped(&skipped)?;
    let is_alone = other.is_none();
    ready.extend(other);
    let bar = output::progress(subject.name(), source.count(), "vectors");
    let observed = match subject {
        Subject::Unit(unit) => Some(unit),
        Subject::Instruction(_) => None,
    };
    let open = || Ok(line_up(subject, setup.kinds)?.ready);
    let team = Team { open: &open, jobs: setup.jobs };
    // One more engine is there once.
    let team = Some(team).filter(|_| is_alone && setup.kinds.iter().all(|kind| kind.opens_again()));
    let goes_on = until_time_is_up(limit);
    let mut progress = |done| {
        bar.set_position(done);
        goes_on()
    };
    let comparison = compare_observed(ready, (observed, team), source, &mut progress)?;
    bar.finish_and_clear();
    let classes = match source {
        Source::Shaped { stimulus, .. } => stimulus.classes().iter().map(|class| class.name()).collect(),
        _ => Vec::new(),
    };
    let mut report = UnitReport::of(subject, stimulus, classes, &skipped, &comparison);
    report.case_files = kept.iter().map(|path| path.shown()).collect();
    if !setup.quiet {
        say!("{}", report.text(table::room()).trim_end());
    }
    if let (Some(mismatch), Some(first)) = (&comparison.first, &mut report.first_mismatch) {
        let kept = kept.get(mismatch.index as usize).map(PathBuf::as_path);
        // The mismatch is reported, whatever fails while it is explained.
        if let Err(failure) = mismatch::explain(subject, mismatch, first, (setup, kept)) {
            drop(setup.unwritten.set(failure));
        }
    }
    Ok(report)
}

/// Prints a row for each unit, with a column for each of the engines, and what came of all.
pub(in crate::cli) fn print_table(report: &CosimReport, engines: &[&str]) {
    let rows = report.units.iter().map(|unit| {
        let cell = |name: &&str| {
            let engine = unit.engines.iter().find(|engine| engine.engine == **name);
            engine.map_or("skipped".to_owned(), |engine| match engine.skipped {
                Some(_) => "skipped".to_owned(),
                None => format!("{} at {}", thousands(engine.vectors), rate(engine.vectors_per_second)),
            })
        };
        let (reachable, reached) = coverage_counts(unit);
        let mut row = vec![unit.unit.clone(), unit.stimulus.to_owned()];
        row.extend(engines.iter().map(cell));
        row.push(thousands(unit.mismatches));
        row.push(if unit.coverage.is_empty() { "-".to_owned() } else { format!("{reached} of {reachable}") });
        row.push(rate(unit.vectors_per_second));
        row
    });
    let mut headings = vec!["unit", "stimulus"];
    headings.extend(engines);
    headings.extend(["mismatches", "events", "rate"]);
    let numbers: Vec<usize> = (2..headings.len()).collect();
    let last = headings.len() - 1;
    let first = [0, last - 2, last, last - 1];
    say!("{}", table::table_of(&headings, &numbers, rows.collect(), &first));
    let total: u64 = report.units.iter().map(|unit| unit.compared).sum();
    let mismatches: u64 = report.units.iter().map(|unit| unit.mismatches).sum();
    let seed = report.seed.map_or(String::new(), |seed| format!(", seed {seed}"));
    let stopped = match (report.stopped, report.time_limit) {
        (Some(true), Some(limit)) => format!(", stopped by the time limit of {limit} s"),
        _ => String::new(),
    };
    say!(
        "{} compared, {}{seed}{stopped}, tensorsmith {}",
        counted(total, VECTORS),
        counted(mismatches, ["mismatch", "mismatches"]),
        report.tensorsmith
    );
}

/// Events that can happen, and those that did.
fn coverage_counts(unit: &UnitReport) -> (usize, usize) {
    let reachable: Vec<_> = unit.coverage.iter().filter(|event| event.unreachable.is_none()).collect();
    (reachable.len(), reachable.iter().filter(|event| event.count > 0).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tensorsmith::check::black_box::BlackBox;
    use tensorsmith::check::case::Case;
    use tensorsmith::check::stimulus::Stimulus;
    use tensorsmith::describe::catalogue;
    use tensorsmith::describe::unit::Unit;
    use tensorsmith::engine::Emulator;

    const KINDS: [Kind; 2] = [Kind::Emulator, Kind::Reference];

    /// A description that is not in the catalogue beside a black box; both are compared without a word.
    fn beside(described: &Unit, black_box: &Unit, folder: &Path) -> UnitReport {
        let setup = Setup {
            kinds: &KINDS,
            seed: 5,
            cases: Some(folder),
            quiet: true,
            jobs: 1,
            diagnose: None,
            wave: false,
            unwritten: OnceCell::new(),
        };
        let source = Source::Shaped { stimulus: Stimulus::shaped(described, setup.seed), count: 20_000 };
        let other: Box<dyn Engine> = Box::new(BlackBox(Box::new(Emulator::new(black_box))));
        let report = cosimulate(&described.clone().into(), Some(other), &Vectors::of(&source, "shaped"), &setup);
        report.unwrap_or_else(|Failure(message)| panic!("{message}"))
    }

    #[test]
    fn black_boxes_beside_a_description() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let unit = catalogue::unit("volta-fp16-fp32").expect("a unit");
        let described = Unit { name: "described".to_owned(), ..unit.clone() };
        let report = beside(&described, &unit, folder.path());
        assert_eq!((report.compared, report.mismatches), (20_000, 0));
        let engines: Vec<&str> = report.engines.iter().map(|engine| engine.engine.as_str()).collect();
        assert_eq!(engines, ["emulator", "reference", "black-box"]);
        assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 0, "no case without a mismatch");

        let mut wrong = unit;
        wrong.alignment_mut().fraction_bits += 1;
        let report = beside(&described, &wrong, folder.path());
        assert!(report.mismatches > 0, "a wider window is caught");
        let first = report.first_mismatch.expect("a mismatch");
        let path = first.case_file.expect("a case file");
        let case = Case::read(Path::new(&path)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(case.subject, described.clone().into(), "the case carries the description");
        let [emulator, reference, black_box] = first.answers.as_slice() else { panic!("three answers") };
        assert_eq!((&emulator.1, black_box.0.as_str()), (&reference.1, BlackBox::NAME));
        assert_eq!(format!("{:#x}", case.expected), black_box.1, "the black box is right");
        assert_ne!(emulator.1, black_box.1);
    }
}
