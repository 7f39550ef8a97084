//! Runs one tool and keeps what it said. Never prints. The tool ends when this program does.

use super::cache::Work;
use super::error::one_line;
use super::{Error, tied};
use std::process::{Command, Output};

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

/// Runs the command to its end, whatever its exit status; in that work folder, if it writes files.
pub fn start(command: &mut Command, work: Option<&Work>) -> Result<Output, Error> {
    tied::output(command, work.map(Work::folder))
        .map_err(|error| Error::Tools(format!("cannot run {}: {error}", one_line(command.get_program()))))
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
