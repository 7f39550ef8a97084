//! `cosim --retry-cases`: the cases that earlier runs left in a folder, run before anything else.

use std::path::{Path, PathBuf};

use super::comparison::{Setup, Vectors, cosimulate};
use crate::cli::Failure;
use crate::cli::output::{note, say};
use tensorsmith::check::case::{Case, Checked, ExpectedOfEach, right_answer};
use tensorsmith::check::compare::Source;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::text::Foreign;
use tensorsmith::engine::{Batch, Engine, Kind, Vector};
use tensorsmith::report::UnitReport;

/// The case files of a folder, in the order of their names.
pub(super) struct Kept {
    folder: PathBuf,
    cases: Vec<(PathBuf, Checked)>,
}

impl Kept {
    /// Reads every case file (`.toml`) of a folder, and names those that are none; a folder that is not there has none.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn read(folder: &Path) -> Result<Kept, Failure> {
        let failed = |error| Failure(format!("--cases: {}: cannot be read: {error}", folder.shown()));
        let mut paths = Vec::new();
        if folder.exists() {
            for entry in std::fs::read_dir(folder).map_err(failed)? {
                paths.push(entry.map_err(failed)?.path());
            }
        }
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
        paths.sort();
        let cases = paths.into_iter().filter_map(|path| match Case::read(&path) {
            Ok(case) => Some((path, case)),
            Err(error) => {
                note!("not run: {error}");
                None
            }
        });
        Ok(Kept { folder: folder.to_owned(), cases: cases.collect() })
    }

    /// The cases of a subject: of its name, with its operands. Its description may have changed since.
    fn of(&self, subject: &Subject) -> impl Iterator<Item = &(PathBuf, Checked)> {
        let (name, interface) = (subject.name().to_owned(), subject.interface());
        let is_own = move |case: &Checked| case.subject.name() == name && case.subject.interface() == interface;
        self.cases.iter().filter(move |(_, case)| is_own(case))
    }

    /// Says how many cases there are.
    pub fn announce(&self, subjects: &[Subject]) {
        let counts: Vec<(usize, &str)> = subjects
            .iter()
            .map(|subject| (self.of(subject).count(), subject.name()))
            .filter(|(own, _)| *own > 0)
            .collect();
        let own: usize = counts.iter().map(|(own, _)| own).sum();
        let first: Vec<String> = counts.iter().map(|(own, name)| format!("{own} of {name}, run first")).collect();
        let others = match self.cases.len() - own {
            0 if own > 0 => None,
            0 => Some("none".to_owned()),
            others => Some(format!("{others} of others, not run")),
        };
        let parts: Vec<String> = first.into_iter().chain(others).collect();
        say!("kept cases in {}: {}", self.folder.shown(), parts.join("; "));
    }

    /// Runs the cases of a subject, if there are some. Where its description has changed since, the reference says what is right.
    pub fn run(&self, subject: &Subject, setup: &Setup) -> Result<Option<UnitReport>, Failure> {
        let mut answers: Vec<(Vector, u64)> = Vec::new();
        let mut paths: Vec<PathBuf> = Vec::new();
        let mut batch = Batch::of_interface(&subject.interface());
        for (path, case) in self.of(subject) {
            let right = match case.subject.has_arithmetic_of(subject) {
                true => case.expected,
                false => right_answer(subject, &case.vector)?,
            };
            if let Some(place) = answers.iter().position(|(vector, other)| *vector == case.vector && *other != right) {
                let (file, first) = (path.shown(), paths[place].shown());
                let expected = format!("field `expected` is {right:#x}");
                return Err(Failure(format!(
                    "{file}: {expected}; allowed: that of {first}, which has the same vector"
                )));
            }
            batch.push(&case.vector);
            answers.push((case.vector.clone(), right));
            paths.push(path.clone());
        }
        if paths.is_empty() {
            return Ok(None);
        }
        let expected: Box<dyn Engine> = Box::new(ExpectedOfEach(answers));
        let vectors = Vectors { source: &Source::Given(batch), stimulus: "cases", limit: None, kept: &paths };
        let report = cosimulate(subject, Some(expected), &vectors, setup)?;
        remove_waveforms(&report, &paths);
        Ok(Some(report))
    }
}

/// Removes the waveforms of cases in which the design is right now.
fn remove_waveforms(report: &UnitReport, paths: &[PathBuf]) {
    let has_run = report.engines.iter().any(|one| one.engine == Kind::Design.name() && one.vectors > 0);
    if !has_run || report.failed.is_some() {
        return;
    }
    let differs = |place: &usize| report.differing.contains(&(*place as u64));
    for (_, path) in paths.iter().enumerate().filter(|(place, _)| !differs(place)) {
        // Most cases have none.
        let _ = std::fs::remove_file(path.with_extension("vcd"));
    }
}
