//! Programs that end when this one does, whatever ends it, with all that they started; their folder is removed then too.
//!
//! What is killed ends nothing any more, and Ctrl-C does not reach programs in a group of their own. So a shell in that group
//! reads from this program, and when there is nobody left to read from it ends the group and removes the folder.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

/// The shell's exit code for a program that is not there.
pub(crate) const NOT_FOUND: i32 = 127;

/// The command of a program that works in `folder`, which is this program's to remove as long as it lives; `before` is what a
/// shell does first. Its standard input is empty. Whatever came of it, [`end`] is called once it was started.
#[cfg(unix)]
pub(crate) fn command(program: &OsStr, folder: &Path, before: &str) -> Command {
    // TERM first, so that nothing is written any more where the folder is removed.
    const GUARD: &str = "exec 3<&0
        { trap '' TERM; read -r _ <&3; kill -TERM 0; rm -rf -- \"$1\"; kill -KILL 0; } >/dev/null 2>&1 &
        shift; exec 3<&- </dev/null";
    let mut command = Command::new("/bin/sh");
    let script = format!("{GUARD}\n{before}\nexec \"$@\"");
    command.arg("-c").arg(script).arg("sh").arg(folder).arg(program).stdin(Stdio::piped());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// Whether the program has ended. It is not reaped, so that its times can still be read and its group's number stays its own.
#[cfg(unix)]
pub(crate) fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let peek = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(rustix::process::Pid::from_child(child)), peek).is_ok_and(|status| status.is_some())
}

/// How the program ended; one that runs is killed, and so is all that it left behind.
///
/// # Errors
/// The system tells nothing of it.
#[cfg(unix)]
pub(crate) fn end(child: &mut Child) -> io::Result<ExitStatus> {
    let group = rustix::process::Pid::from_child(child);
    // Fails only where nothing of the group is left.
    let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    child.wait()
}

#[cfg(not(unix))]
pub(crate) fn command(program: &OsStr, _folder: &Path, _before: &str) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null());
    command
}

#[cfg(not(unix))]
pub(crate) fn has_ended(child: &mut Child) -> bool {
    child.try_wait().is_ok_and(|status| status.is_some())
}

#[cfg(not(unix))]
pub(crate) fn end(child: &mut Child) -> io::Result<ExitStatus> {
    // Fails only where it has ended.
    let _ = child.kill();
    child.wait()
}
