//! A solver's process: started with a limit of memory, ended at the limit of time. Never reads what it says.

use std::ffi::OsString;
use std::io::{Read, Seek, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::Limits;

/// How a process ended.
pub(super) enum Outcome {
    /// It ended by itself: how, what it printed and what it complained of.
    Ended(ExitStatus, String, String),
    /// It was ended at the limit of time.
    OutOfTime,
    /// It could not be started.
    NotStarted(String),
}

/// Time between two looks at a process: short at first, so that short questions stay short.
const LOOKS: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(20)];

/// The command under a limit of its address space, where the system has one.
fn limited(command: &[OsString], memory_bytes: u64) -> Command {
    #[cfg(unix)]
    {
        let mut limited = Command::new("sh");
        let script = format!("ulimit -v {} 2>/dev/null; exec \"$@\"", memory_bytes >> 10);
        limited.arg("-c").arg(script).arg("sh").args(command);
        limited
    }
    #[cfg(not(unix))]
    {
        let _ = memory_bytes;
        let mut plain = Command::new(&command[0]);
        plain.args(&command[1..]);
        plain
    }
}

/// Runs the command with the text in a file, whose name stands last.
pub(super) fn run(command: &[OsString], text: &str, limits: Limits) -> Outcome {
    run_in_files(command, text, limits).unwrap_or_else(|error| Outcome::NotStarted(error.to_string()))
}

fn run_in_files(command: &[OsString], text: &str, limits: Limits) -> std::io::Result<Outcome> {
    let mut question = tempfile::Builder::new().suffix(".smt2").tempfile()?;
    question.write_all(text.as_bytes())?;
    question.flush()?;
    let (mut printed, mut complained) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let mut child = limited(command, limits.memory_bytes)
        .arg(question.path())
        .stdin(Stdio::null())
        .stdout(printed.try_clone()?)
        .stderr(complained.try_clone()?)
        .spawn()?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        let elapsed = start.elapsed();
        if elapsed >= limits.time {
            // Fails only where it has just ended.
            let _ = child.kill();
            child.wait()?;
            return Ok(Outcome::OutOfTime);
        }
        std::thread::sleep(LOOKS[usize::from(elapsed > LOOKS[1])].min(limits.time - elapsed));
    };
    let whole = |file: &mut std::fs::File| {
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok::<_, std::io::Error>(String::from_utf8_lossy(&bytes).into_owned())
    };
    Ok(Outcome::Ended(status, whole(&mut printed)?, whole(&mut complained)?))
}
