//! Reports for machines: one place for every command that has some, also where it does not finish or a signal stops it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;

use super::output::{Staged, command_line, is_standard_output, note, print_whole};
use super::{Failure, Verdict, interrupt};
use tensorsmith::describe::text::Foreign;
use tensorsmith::design;
use tensorsmith::emit;
use tensorsmith::report::{MachineReport, Unfinished, annotations, junit};

/// Machine-readable output beside the human one.
#[derive(Args, Clone)]
pub(super) struct Reports {
    /// Write the report as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the report as JUnit XML to FILE
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Print an annotation for each failure, as GitHub's runners read them
    #[arg(long)]
    annotate: bool,
}

/// The reports of the command that runs, and what it has to report so far. One place for the process: the thread that waits for
/// signals may have to write them.
static PENDING: Mutex<Option<Pending>> = Mutex::new(None);

struct Pending {
    command: &'static str,
    reports: Reports,
    report: Option<Box<dyn MachineReport>>,
}

impl Reports {
    /// Whether standard output belongs to the JSON report.
    pub fn quiet(&self) -> bool {
        self.json.as_deref().is_some_and(is_standard_output)
    }

    /// Prepares the reports of a command: from now on they are written however it ends, and none of an earlier run is left.
    ///
    /// # Errors
    /// Standard output would hold two reports, or one that it cannot. An old report cannot be removed.
    pub fn begin(&self, command: &'static str) -> Result<(), Failure> {
        if self.quiet() && self.annotate {
            return Err(Failure("--annotate with --json -: standard output can hold one of them".to_owned()));
        }
        if self.junit.as_deref().is_some_and(is_standard_output) {
            return Err(Failure("--junit: -; allowed: a file".to_owned()));
        }
        let mut reports = self.clone();
        for path in [&mut reports.json, &mut reports.junit].into_iter().flatten() {
            if !is_standard_output(path) {
                remove(path)?;
            }
        }
        *lock() = Some(Pending { command, reports, report: None });
        interrupt::listen();
        Ok(())
    }

    /// Writes what was asked for: both files or neither.
    fn write(&self, command: &str, report: &dyn MachineReport) -> Result<(), Failure> {
        let (json, suites) = (report.json()? + "\n", report.suites());
        let mut staged = Vec::new();
        match &self.json {
            Some(path) if is_standard_output(path) => print_whole(&json),
            Some(path) => staged.push(Staged::new(path, &json)?),
            None => {}
        }
        if let Some(path) = &self.junit {
            staged.push(Staged::new(path, &junit(command, &suites))?);
        }
        staged.into_iter().try_for_each(Staged::publish)?;
        if self.annotate {
            let file = design::named().map(|design| design.file.as_str());
            annotations(command, &suites, file).iter().for_each(|line| command_line(line));
        }
        Ok(())
    }
}

/// Removes the report of an earlier run; of a link the file that it leads to, which takes the place of the path.
fn remove(path: &mut PathBuf) -> Result<(), Failure> {
    let failed = |path: &Path, error| Failure(format!("{}: cannot be removed: {error}", path.shown()));
    *path = emit::destination(path).map_err(|error| failed(path, error))?;
    match path.is_file() {
        true => std::fs::remove_file(&path).map_err(|error| failed(path, error)),
        false => Ok(()),
    }
}

fn lock() -> std::sync::MutexGuard<'static, Option<Pending>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps what the command has to report; it is written when the command ends.
pub(super) fn keep(report: impl MachineReport + 'static) {
    if let Some(pending) = lock().as_mut() {
        pending.report = Some(Box::new(report));
    }
}

/// Writes the reports of a command that ended so, if it has some and they are not written yet.
pub(super) fn finish(outcome: Result<Verdict, Failure>) -> Result<Verdict, Failure> {
    // The lock is held until all is written.
    let mut pending = lock();
    let Some(Pending { command, reports, report }) = pending.take() else { return outcome };
    match outcome {
        Ok(verdict) => report.map_or(Ok(()), |report| reports.write(command, report.as_ref())).map(|()| verdict),
        Err(failure) => {
            let mut report = report.unwrap_or_else(|| Box::new(Unfinished::new(command)));
            report.fail(&failure.0);
            if let Err(Failure(other)) = reports.write(command, report.as_ref()) {
                note!("error: {other}");
            }
            Err(failure)
        }
    }
}

/// Whether reports are still to be written.
pub(super) fn is_pending() -> bool {
    lock().is_some()
}
