//! A solver's process: started with a limit of memory, ended at the limit of time and with this program. Never reads what it
//! says.

use std::ffi::OsString;
use std::io::{Read, Seek};
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use super::Limits;
use crate::emit::scratch::Scratch;
use crate::verilate::tied;

/// How a process ended, and the time that it took.
pub(super) struct Run {
    pub outcome: Outcome,
    /// Of processors, where the system tells it; else the time that passed.
    pub time: Duration,
}

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

/// Processor time of a process that has ended and is not reaped, in ticks of 1/100 s (Linux, proc(5): fields 14 and 15).
#[cfg(target_os = "linux")]
fn processor_time(child: &Child) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // The name of the program, which stands in parentheses, may hold spaces.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks(14)? + ticks(15)?)))
}

#[cfg(not(target_os = "linux"))]
fn processor_time(_child: &Child) -> Option<Duration> {
    None
}

/// Runs the command with the text in a file, whose name stands last.
pub(super) fn run(command: &[OsString], text: &str, limits: Limits) -> Run {
    let not_started =
        |error: std::io::Error| Run { outcome: Outcome::NotStarted(error.to_string()), time: Duration::ZERO };
    run_in_files(command, text, limits).unwrap_or_else(not_started)
}

fn run_in_files(command: &[OsString], text: &str, limits: Limits) -> std::io::Result<Run> {
    let folder = Scratch::new()?;
    let question = folder.path().join("question.smt2");
    std::fs::write(&question, text)?;
    let (mut printed, mut complained) = (tempfile::tempfile()?, tempfile::tempfile()?);
    // The limit of its address space, where the system has one.
    let limit = format!("ulimit -v {} 2>/dev/null", limits.memory_bytes >> 10);
    let mut child = tied::command(&command[0], folder.path(), &limit)
        .args(&command[1..])
        .arg(question)
        .stdout(printed.try_clone()?)
        .stderr(complained.try_clone()?)
        .spawn()?;
    let start = Instant::now();
    let mut in_time = true;
    while in_time && !tied::has_ended(&mut child) {
        let elapsed = start.elapsed();
        in_time = elapsed < limits.time;
        if in_time {
            std::thread::sleep(LOOKS[usize::from(elapsed > LOOKS[1])].min(limits.time - elapsed));
        }
    }
    let time = processor_time(&child).unwrap_or_else(|| start.elapsed());
    let status = tied::end(&mut child)?;
    if !in_time {
        return Ok(Run { outcome: Outcome::OutOfTime, time });
    }
    let whole = |file: &mut std::fs::File| {
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok::<_, std::io::Error>(String::from_utf8_lossy(&bytes).into_owned())
    };
    Ok(Run { outcome: Outcome::Ended(status, whole(&mut printed)?, whole(&mut complained)?), time })
}
