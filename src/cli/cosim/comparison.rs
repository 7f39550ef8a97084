//! One comparison as `cosim` runs and prints it, for every command that compares engines.

use std::path::Path;

use super::mismatch;
use crate::check::compare::{Lineup, Source, compare, line_up};
use crate::cli::output::say;
use crate::cli::{Failure, output};
use crate::describe::subject::Subject;
use crate::engine::{Engine, Kind};
use crate::report::{CosimReport, UnitReport, thousands};

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
}

/// Runs the vectors of a stimulus, which has a name, through the engines of a unit or an instruction and one more engine,
/// such as the right answer of a case or a black box; prints what came of it, and writes a case file at a mismatch.
///
/// # Errors
/// An engine exists on this machine but failed, or the case file cannot be written.
pub(in crate::cli) fn cosimulate(
    subject: &Subject,
    other: Option<Box<dyn Engine>>,
    (source, stimulus): (&Source, &'static str),
    setup: &Setup,
) -> Result<UnitReport, Failure> {
    let Lineup { mut ready, skipped } = line_up(subject, setup.kinds)?;
    ready.extend(other);
    let bar = output::progress(subject.name(), source.count(), "vectors");
    let comparison = compare(ready, source, &mut |done| bar.set_position(done))?;
    bar.finish_and_clear();
    let classes = match source {
        Source::Shaped { stimulus, .. } => stimulus.classes().iter().map(|class| class.name()).collect(),
        _ => Vec::new(),
    };
    let mut report = UnitReport::of(&subject.frame(), stimulus, classes, &skipped, &comparison);
    if !setup.quiet {
        say!("{}", report.text().trim_end());
    }
    if let (Some(mismatch), Some(first)) = (&comparison.first, &mut report.first_mismatch) {
        mismatch::explain(subject, mismatch, first, setup)?;
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
                None => format!("{} at {:.2} M/s", thousands(engine.vectors), engine.vectors_per_second / 1e6),
            })
        };
        let (reachable, reached) = coverage_counts(unit);
        let mut row = vec![unit.unit.clone(), unit.stimulus.to_owned()];
        row.extend(engines.iter().map(cell));
        row.push(thousands(unit.mismatches));
        row.push(if unit.coverage.is_empty() { "-".to_owned() } else { format!("{reached} of {reachable}") });
        row.push(format!("{:.2}", unit.vectors_per_second / 1e6));
        row
    });
    let mut headings = vec!["unit", "stimulus"];
    headings.extend(engines);
    headings.extend(["mismatches", "events", "M vectors/s"]);
    let numbers: Vec<usize> = (2..headings.len()).collect();
    say!("{}", output::table(&headings, &numbers, rows.collect()));
    let total: u64 = report.units.iter().map(|unit| unit.compared).sum();
    let mismatches: u64 = report.units.iter().map(|unit| unit.mismatches).sum();
    let seed = report.seed.map_or(String::new(), |seed| format!(", seed {seed}"));
    say!(
        "{} vectors compared, {} mismatches{seed}, tensorsmith {}",
        thousands(total),
        thousands(mismatches),
        report.tensorsmith
    );
}

/// Events that can happen, and those that did.
fn coverage_counts(unit: &UnitReport) -> (usize, usize) {
    let reachable: Vec<_> = unit.coverage.iter().filter(|event| event.unreachable.is_none()).collect();
    (reachable.len(), reachable.iter().filter(|event| event.count > 0).count())
}
