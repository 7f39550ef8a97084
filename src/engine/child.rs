//! A program and all that it starts, as one group of processes: asked whether it lives, and ended as a whole; and the end of what it
//! printed. Where the system has no such groups only the program itself is ended. Never waits.

use std::collections::VecDeque;
#[cfg(unix)]
use std::process::Stdio;
use std::process::{Child, Command};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::describe::text::shown_lines;

/// Bytes of what a program printed that are kept: the last ones.
const PRINTED_MAX: usize = 2048;

/// Lines of it that are shown.
const LINES_SHOWN: usize = 10;

/// What a program printed: the end of it.
#[derive(Default)]
pub(super) struct Printed(Mutex<VecDeque<u8>>);

impl Printed {
    pub fn add(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&bytes[bytes.len().saturating_sub(PRINTED_MAX)..]);
        let surplus = kept.len().saturating_sub(PRINTED_MAX);
        kept.drain(..surplus);
    }

    /// The last lines, indented.
    pub fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(LINES_SHOWN)..];
        last.iter().map(|line| format!("\n  {}", shown_lines(line.trim_end()))).collect()
    }
}

/// Puts the program that the command starts into a group of its own.
#[cfg(unix)]
pub(super) fn own(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Whether the program has ended. It is not reaped, so that the number of its group stays its own.
#[cfg(unix)]
pub(super) fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let peek = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(rustix::process::Pid::from_child(child)), peek).is_ok_and(|status| status.is_some())
}

/// Ends the group of a program that is not reaped yet.
#[cfg(unix)]
pub(super) fn kill(child: &mut Child) {
    let group = rustix::process::Pid::from_child(child);
    // Fails only where nothing of the group is left.
    let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
}

/// Starts what ends the group that long after this program has ended, whatever ended it: a shell that is of the group, and reads
/// what nobody writes.
///
/// # Errors
/// It cannot be started.
#[cfg(unix)]
pub(super) fn guard(child: &Child, after: Duration) -> std::io::Result<Option<Child>> {
    const GUARD: &str = "trap '' INT TERM; read -r _; sleep \"$1\"; kill -KILL 0";
    let mut command = Command::new("/bin/sh");
    command.args(["-c", GUARD, "sh", &after.as_secs_f32().to_string()]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    std::os::unix::process::CommandExt::process_group(&mut command, child.id().cast_signed());
    command.spawn().map(Some)
}

#[cfg(not(unix))]
pub(super) fn own(_command: &mut Command) {}

#[cfg(not(unix))]
pub(super) fn has_ended(child: &mut Child) -> bool {
    child.try_wait().is_ok_and(|status| status.is_some())
}

#[cfg(not(unix))]
pub(super) fn kill(child: &mut Child) {
    // Fails only where it has ended.
    let _ = child.kill();
}

#[cfg(not(unix))]
pub(super) fn guard(_child: &Child, _after: Duration) -> std::io::Result<Option<Child>> {
    Ok(None)
}
