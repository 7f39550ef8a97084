//! Programs that end when this one does, whatever ends it, with all that they started; their folder is removed then too.
//!
//! What is killed ends nothing any more, and Ctrl-C does not reach programs in a group of their own. So a shell in that group
//! reads from this program, and when there is nobody left to read from it ends the group and removes the folder. A signal at
//! the parent's death (Linux) would do neither: it is sent when the thread ends that started the program, which may be one of
//! a pool, it reaches no program that the program started, and it removes nothing.

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};

/// The shell's exit code for a program that is not there.
pub const NOT_FOUND: i32 = 127;

/// The command of a program that works in `folder`, which is this program's to remove as long as it lives; `before` is what a
/// shell does first. Its standard input is empty. Whatever came of it, [`end`] is called once it was started.
#[cfg(unix)]
pub fn command(program: &OsStr, folder: &Path, before: &str) -> Command {
    // TERM first, so that nothing is written any more where the folder is removed. A line says that all is well.
    const GUARD: &str = "exec 3<&0
        { trap '' TERM; read -r _ <&3 || { kill -TERM 0; rm -rf -- \"$1\"; kill -KILL 0; }; } >/dev/null 2>&1 &
        shift; exec 3<&- </dev/null";
    let mut command = Command::new("/bin/sh");
    let script = format!("{GUARD}\n{before}\nexec \"$@\"");
    command.arg("-c").arg(script).arg("sh").arg(folder).arg(program).stdin(Stdio::piped());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// Runs a command to its end, tied to this program, and keeps what it printed. The folder that it works in, if it has one, is
/// this program's to remove as long as it lives.
///
/// # Errors
/// It cannot be started.
pub fn output(command: &Command, folder: Option<&Path>) -> io::Result<Output> {
    let mut tied = self::command(command.get_program(), folder.unwrap_or(Path::new("")), "");
    tied.args(command.get_args()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.get_current_dir().map(|folder| tied.current_dir(folder));
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => tied.env(name, value),
            None => tied.env_remove(name),
        };
    }
    let mut child = tied.spawn()?;
    // Waiting closes standard input, which the shell would take for the end of this program.
    let guard = child.stdin.take();
    let output = child.wait_with_output()?;
    // Fails only where the shell has ended.
    let _ = guard.map(|mut guard| guard.write_all(b"\n"));
    if output.status.code() == Some(NOT_FOUND) {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(io::Error::new(io::ErrorKind::NotFound, said));
    }
    Ok(output)
}

/// Whether the program has ended. It is not reaped, so that its times can still be read and its group's number stays its own.
#[cfg(unix)]
pub fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let peek = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(rustix::process::Pid::from_child(child)), peek).is_ok_and(|status| status.is_some())
}

/// How the program ended; one that runs is killed, and so is all that it left behind.
///
/// # Errors
/// The system tells nothing of it.
#[cfg(unix)]
pub fn end(child: &mut Child) -> io::Result<ExitStatus> {
    let group = rustix::process::Pid::from_child(child);
    // Fails only where nothing of the group is left.
    let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    child.wait()
}

#[cfg(not(unix))]
pub fn command(program: &OsStr, _folder: &Path, _before: &str) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null());
    command
}

#[cfg(not(unix))]
pub fn has_ended(child: &mut Child) -> bool {
    child.try_wait().is_ok_and(|status| status.is_some())
}

#[cfg(not(unix))]
pub fn end(child: &mut Child) -> io::Result<ExitStatus> {
    // Fails only where it has ended.
    let _ = child.kill();
    child.wait()
}
