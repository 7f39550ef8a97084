//! Runs one tool and keeps what it said. Never prints. The tool ends when this program does, and at its limits.

use super::cache::Work;
use super::error::one_line;
use super::{Error, tied};
use std::env;
use std::io::ErrorKind;
use std::process::{Command, Output};
use std::time::Duration;

/// Lines of a tool's output that an error shows.
const SHOWN_LINES: usize = 40;

/// Runs the command on files of that work folder to its end; `Err` if it cannot start or fails, with command line and
/// output.
pub fn run(command: &mut Command, work: &Work) -> Result<Output, Error> {
    let output = start(command, Some(work))?;
    if output.status.success() {
        return Ok(output);
    }
    Err(Error::Build(format!(
        "{} failed ({})\n  command: {}\n{}",
        one_line(command.get_program()),
        output.status,
        one_line(command_line(command)),
        said(&output)
    )))
}

/// Runs the command to its end, whatever its exit status; in that work folder, if it writes files. `Limit` if it takes too long
/// or prints too much.
pub fn start(command: &mut Command, work: Option<&Work>) -> Result<Output, Error> {
    tied::output(command, work.map(Work::folder), limit()?).map_err(|error| {
        let program = one_line(command.get_program());
        match error.kind() {
            ErrorKind::TimedOut | ErrorKind::FileTooLarge => Error::Limit(format!(
                "{program}: {error} (the variable {VARIABLE} sets another limit of time)\n  command: {}",
                one_line(command_line(command))
            )),
            _ => Error::Tools(format!("cannot run {program}: {error}")),
        }
    })
}

/// The variable with the time that one run of Verilator or of the compiler may take.
const VARIABLE: &str = "TENSORSMITH_BUILD_SECONDS";
const SECONDS_MAX: u64 = 24 * 60 * 60;

/// That time.
fn limit() -> Result<Duration, Error> {
    let Some(named) = env::var_os(VARIABLE).filter(|named| !named.is_empty()) else { return Ok(tied::LIMIT) };
    let seconds =
        named.to_str().and_then(|text| text.parse().ok()).filter(|seconds| (1..=SECONDS_MAX).contains(seconds));
    seconds.map(Duration::from_secs).ok_or_else(|| {
        Error::Variable(format!("the variable {VARIABLE} is {}, allowed: 1 to {SECONDS_MAX}", one_line(&named)))
    })
}

/// The start of standard output and standard error, indented.
pub fn said(output: &Output) -> String {
    let text = format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if lines.is_empty() {
        return "  (it printed nothing)".to_string();
    }
    let mut shown: Vec<String> = lines.iter().take(SHOWN_LINES).map(|line| format!("  {line}")).collect();
    if lines.len() > SHOWN_LINES {
        shown.push(format!("  ({} more lines)", lines.len() - SHOWN_LINES));
    }
    shown.join("\n")
}

/// The first line of standard output that is not blank.
pub fn first_line(output: &Output) -> Option<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.to_string())
}

/// The command as one could type it, with its folder and the variables set for it.
fn command_line(command: &Command) -> String {
    let mut words = Vec::new();
    if let Some(folder) = command.get_current_dir() {
        words.push(format!("cd {} &&", folder.display()));
    }
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            words.push(format!("{}={}", name.to_string_lossy(), value.to_string_lossy()));
        }
    }
    words.push(command.get_program().to_string_lossy().into_owned());
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}
