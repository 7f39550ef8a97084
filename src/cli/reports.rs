//! Reports for machines: one place for every command that has some, also where it does not finish or a signal stops it.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;

use super::output::{check_writable, command_line, is_standard_output, note, print_whole, write_whole};
use super::{Failure, Verdict, interrupt, places};
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

    /// Writes the files: each of them if it can be written.
    fn write(&self, command: &str, report: &dyn MachineReport) -> Result<(), Failure> {
        let json = self.json.as_ref().filter(|path| !is_standard_output(path));
        let json = json.map_or(Ok(()), |path| write_whole(path, &(report.json()? + "\n")));
        let junit = self.junit.as_ref().map_or(Ok(()), |path| write_whole(path, &junit(command, &report.suites())));
        json.and(junit)
    }

    /// Prints what belongs to standard output.
    fn print(&self, command: &str, report: &dyn MachineReport) -> Result<(), Failure> {
        if self.quiet() {
            print_whole(&(report.json()? + "\n"));
        }
        if self.annotate {
            let file = design::named().map(|design| design.file.as_str());
            annotations(command, &report.suites(), file).iter().for_each(|line| command_line(line));
        }
        Ok(())
    }
}

/// Writes the reports of a command line that is refused, whose options are read as far as they can be. What is read by the command
/// or is no report stays as it is.
pub(super) fn refuse(commands: &clap::Command, error: &str) {
    let words: Vec<String> = std::env::args_os().skip(1).filter_map(|word| word.into_string().ok()).collect();
    let command = words.iter().find_map(|word| commands.find_subcommand(word));
    let has_reports = |command: &&clap::Command| command.get_arguments().any(|argument| argument.get_id() == "junit");
    let Some(command) = command.filter(has_reports).map(clap::Command::get_name) else { return };
    let mut reports = Reports { json: None, junit: None, annotate: false };
    let (mut named, mut others) = (Vec::new(), Vec::new());
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let (option, value) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (&word[..], None),
        };
        let is_value = |next: &&String| *next == "-" || !next.starts_with('-');
        match option {
            "--json" | "--junit" => named.extend(
                value
                    .or_else(|| words.next_if(is_value).map(String::as_str))
                    .map(|value| (option, PathBuf::from(value))),
            ),
            "--annotate" => reports.annotate = true,
            _ => others.push(PathBuf::from(value.unwrap_or(word))),
        }
    }
    for (option, path) in named {
        let (place, begin) = match option {
            "--json" => (&mut reports.json, b'{'),
            _ => (&mut reports.junit, b'<'),
        };
        let is_free = places::check(&others, &[(option.to_owned(), path.clone())]).is_ok();
        if is_free && check_writable(&path).is_ok() && is_report(&path, begin) {
            others.push(path.clone());
            *place = Some(path);
        }
    }
    reports.junit = reports.junit.filter(|path| !is_standard_output(path));
    reports.annotate &= !reports.quiet();
    let mut report = Unfinished::new(command);
    report.fail(error);
    if let Err(Failure(other)) = reports.write(command, &report).and(reports.print(command, &report)) {
        note!("error: {other}");
    }
}

/// Whether a report may take the place of a file: it begins as one, or it is empty or new.
fn is_report(path: &Path, begin: u8) -> bool {
    let mut first = [begin];
    let read = std::fs::File::open(path).and_then(|mut file| file.read(&mut first));
    read.is_err() || first == [begin]
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
    let mut report = match (report, &outcome) {
        (Some(report), _) => report,
        (None, Ok(_)) => return outcome,
        (None, Err(_)) => Box::new(Unfinished::new(command)),
    };
    if let Err(failure) = &outcome {
        report.fail(&failure.0);
    }
    let outcome = match (outcome, reports.write(command, report.as_ref())) {
        (outcome, Ok(())) => outcome,
        (Ok(_), Err(failure)) => {
            // The other file reports it too.
            report.fail(&failure.0);
            let _ = reports.write(command, report.as_ref());
            Err(failure)
        }
        (Err(failure), Err(Failure(other))) => {
            note!("error: {other}");
            Err(failure)
        }
    };
    let printed = reports.print(command, report.as_ref());
    outcome.and_then(|verdict| printed.map(|()| verdict))
}

/// Whether reports are still to be written.
pub(super) fn is_pending() -> bool {
    lock().is_some()
}
