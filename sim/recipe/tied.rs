//! Programs that end when this one does, whatever ends it, with all that they started; their folder is removed then too.
//!
//! What is killed ends nothing any more, and Ctrl-C does not reach programs in a group of their own. So a shell in that group
//! reads from this program, and when there is nobody left to read from it ends the group and removes the folder. A signal at
//! the parent's death (Linux) would do neither: it is sent when the thread ends that started the program, which may be one of
//! a pool, it reaches no program that the program started, and it removes nothing.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The shell's exit code for a program that is not there.
pub const NOT_FOUND: i32 = 127;

/// The command of a program that works in `folder`, which is this program's to remove as long as it lives; `before` is what a
/// shell does first. Its standard input is empty. Whatever came of it, [`end`] is called once it was started.
#[cfg(unix)]
pub fn command(program: &OsStr, folder: &Path, before: &str) -> Command {
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

/// Time for a program that nobody limits, in [`output`].
pub const LIMIT: Duration = Duration::from_secs(10 * 60);

/// Bytes that a program may print.
pub const PRINTED: u64 = 64 << 20;

/// Runs a command to its end, tied to this program, and keeps what it printed. The folder that it works in, if it has one, is
/// this program's to remove as long as it lives. At the limit of time or of [`PRINTED`] bytes it is ended with all that it started.
///
/// # Errors
/// It cannot be started; `TimedOut` and `FileTooLarge` at the limits.
pub fn output(command: &Command, folder: Option<&Path>, time: Duration) -> io::Result<Output> {
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
    let (stdout, stderr) = (child.stdout.take().map(Printed::read), child.stderr.take().map(Printed::read));
    let met = match (&stdout, &stderr) {
        (Some(Ok(stdout)), Some(Ok(stderr))) => {
            Ok(wait(&mut child, time, PRINTED, || stdout.length() + stderr.length(), || 0))
        }
        _ => Err(io::Error::other("what it prints cannot be read")),
    };
    let status = end(&mut child)?;
    let kind = match met? {
        Met::End => None,
        Met::Time => Some((io::ErrorKind::TimedOut, format!("takes longer than {} s", time.as_secs_f32()))),
        Met::Printed => Some((io::ErrorKind::FileTooLarge, format!("prints more than {} MiB", PRINTED >> 20))),
    };
    if let Some((kind, what)) = kind {
        return Err(io::Error::new(kind, format!("it {what}, and was ended")));
    }
    let text = |printed: Option<io::Result<Printed>>| {
        printed.transpose().map(|printed| printed.map_or(Vec::new(), Printed::text))
    };
    let output = Output { status, stdout: text(stdout)?, stderr: text(stderr)? };
    if output.status.code() == Some(NOT_FOUND) {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(io::Error::new(io::ErrorKind::NotFound, said));
    }
    Ok(output)
}

/// What a program prints, read by a thread.
struct Printed {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

/// Time that what a program has printed takes to be read once it has ended. Only what left its group can keep its output open.
const READ: Duration = Duration::from_secs(10);

impl Printed {
    fn read(mut from: impl Read + Send + 'static) -> io::Result<Printed> {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&bytes);
        let read = move || {
            let (mut part, mut left) = ([0; 1 << 16], PRINTED + 1);
            while left > 0 {
                let Some(count) = from.read(&mut part).ok().filter(|count| *count > 0) else { break };
                kept.lock().unwrap_or_else(PoisonError::into_inner).extend(&part[..count]);
                left = left.saturating_sub(count as u64);
            }
        };
        Ok(Printed { bytes, reader: thread::Builder::new().spawn(read)? })
    }

    fn length(&self) -> u64 {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner).len() as u64
    }

    fn text(self) -> Vec<u8> {
        let start = Instant::now();
        while !self.reader.is_finished() && start.elapsed() < READ {
            thread::sleep(GLANCES[0]);
        }
        std::mem::take(&mut *self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// How often a program is looked at: often at first, so that short ones stay short.
const GLANCES: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(10)];

/// What came first.
pub enum Met {
    End,
    Time,
    Printed,
}

/// Waits until a program ends, has printed more bytes than `most`, or the time is over: all of it, or that since `grown`, a
/// number of bytes, was last greater than before.
pub fn wait(child: &mut Child, time: Duration, most: u64, printed: impl Fn() -> u64, grown: impl Fn() -> u64) -> Met {
    let (begin, mut start, mut before) = (Instant::now(), Instant::now(), 0);
    while start.elapsed() < time {
        // In this order: a program whose output is read no longer may end for that.
        let is_over = has_ended(child);
        if printed() > most {
            return Met::Printed;
        }
        if is_over {
            return Met::End;
        }
        let now = grown();
        if now > before {
            (start, before) = (Instant::now(), now);
        }
        thread::sleep(GLANCES[usize::from(begin.elapsed() > GLANCES[1])]);
    }
    Met::Time
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
