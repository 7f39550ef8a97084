//! The running program: lines to it and from it, each with a limit in time. Three threads write and read, so that neither side
//! waits for the other with full pipes. Understands no line.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::Program;
use crate::describe::text::shown_lines;
use crate::engine::child::{self, Printed};

/// Longest line of a program that is read, in bytes.
const LINE_MAX: usize = 4096;

/// Lines of the program that wait to be looked at; with more the program waits.
const LINES_WAITING: usize = 4096;

/// How long a program that has closed its standard output may take to end, before it counts as running.
const LAST_BREATH: Duration = Duration::from_secs(1);

/// How often a program is looked at that is about to end.
const LOOK: Duration = Duration::from_millis(2);

/// A program that answers lines.
pub(super) struct Process {
    program: Program,
    child: Child,
    /// Ends the program where this one ends without doing so.
    guard: Option<Child>,
    /// To the thread that writes; without it the program finds the end of its input.
    input: Option<Sender<String>>,
    lines: Receiver<Vec<u8>>,
    said: Arc<Printed>,
    /// Closed when nothing more comes from standard error.
    said_all: Receiver<()>,
    reaped: bool,
}

impl Process {
    /// Starts the program, as the shell understands its line.
    pub fn start(program: &Program) -> Result<Process, String> {
        let mut command = Command::new("sh");
        command.args(["-c", &program.command]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        child::own(&mut command);
        let not_started = |error| format!("{program} cannot be started with sh: {error}");
        let mut child = command.spawn().map_err(not_started)?;
        let guard =
            child::guard(&child, program.timeout).inspect_err(|_| child::kill(&mut child)).map_err(not_started)?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (input, to_write) = mpsc::channel();
        let (to_look_at, lines) = mpsc::sync_channel(LINES_WAITING);
        let (saying, said_all) = mpsc::channel();
        let said = Arc::new(Printed::default());
        let kept = Arc::clone(&said);
        thread::spawn(move || stdin.map(|stdin| write(stdin, &to_write)));
        thread::spawn(move || stdout.map(|stdout| read(stdout, &to_look_at)));
        thread::spawn(move || {
            let _saying: Sender<()> = saying;
            stderr.map(|stderr| listen(stderr, &kept))
        });
        Ok(Process { program: program.clone(), child, guard, input: Some(input), lines, said, said_all, reaped: false })
    }

    /// Sends lines, each with its end. Returns at once.
    pub fn send(&self, text: String) {
        // A program that reads no more does not answer either, and that is found.
        let _ = self.input.as_ref().map(|input| input.send(text));
    }

    /// The next line that is no comment.
    pub fn line(&mut self) -> Result<String, String> {
        let deadline = Instant::now() + self.program.timeout;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = match self.lines.recv_timeout(left) {
                // Comments are no progress: a program that writes nothing else hangs.
                Ok(line) if line.starts_with(b"#") && line.ends_with(b"\n") && !left.is_zero() => continue,
                Ok(line) if !left.is_zero() => line,
                Ok(_) | Err(RecvTimeoutError::Timeout) => {
                    let seconds = self.program.timeout.as_secs_f32();
                    return Err(format!("did not answer for {seconds} s (--external-timeout)"));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.ending()),
            };
            return match String::from_utf8(line) {
                Ok(line) if line.ends_with('\n') => Ok(line.trim_end().to_owned()),
                Ok(line) if line.len() == LINE_MAX => Err(format!("wrote a line of more than {LINE_MAX} bytes")),
                Ok(line) => Err(format!("{} in the middle of the line {}", self.ending(), quoted(&line))),
                Err(error) => {
                    let line = String::from_utf8_lossy(error.as_bytes()).into_owned();
                    Err(format!("wrote {}, which is no text", quoted(&line)))
                }
            };
        }
    }

    /// How the program ended whose standard output is at its end.
    fn ending(&mut self) -> String {
        let deadline = Instant::now() + LAST_BREATH;
        while !child::has_ended(&mut self.child) {
            if Instant::now() > deadline {
                return "closed its standard output".to_owned();
            }
            thread::sleep(LOOK);
        }
        match self.reap() {
            Some(status) => told(status),
            None => "ended".to_owned(),
        }
    }

    /// Ends the program, and says what failed with all that is known of it.
    pub fn fail(&mut self, what: &str) -> String {
        self.reap();
        // Waits for the end of standard error, which some other process may hold open.
        let _ = self.said_all.recv_timeout(LAST_BREATH);
        let said = match self.said.text() {
            none if none.is_empty() => String::new(),
            said => format!("; the end of its standard error:{said}"),
        };
        format!("{} {what}{said}", self.program)
    }

    /// Closes the program's standard input, which tells it to end, and waits; the reason if it does not end well.
    pub fn finish(&mut self) -> Result<(), String> {
        if self.reaped {
            return Ok(());
        }
        self.input = None;
        let deadline = Instant::now() + self.program.timeout;
        while !child::has_ended(&mut self.child) {
            if Instant::now() > deadline {
                return Err(self.fail("does not end when its standard input does, and was killed"));
            }
            // What it still writes must not hold it up.
            if self.lines.recv_timeout(LOOK) == Err(RecvTimeoutError::Disconnected) {
                thread::sleep(LOOK);
            }
        }
        match self.reap() {
            Some(status) if !status.success() => Err(self.fail(&format!("in the end {}", told(status)))),
            _ => Ok(()),
        }
    }

    /// Kills what is left of the program, and of all that it started.
    fn reap(&mut self) -> Option<ExitStatus> {
        self.input = None;
        if !std::mem::replace(&mut self.reaped, true) {
            child::kill(&mut self.child);
        }
        // Of the group, and killed with it.
        if let Some(mut guard) = self.guard.take() {
            let _ = guard.kill().and_then(|()| guard.wait());
        }
        self.child.wait().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Err(reason) = self.finish() {
            eprintln!("warning: engine {}: {}", super::NAME, shown_lines(&reason.to_string()));
        }
    }
}

/// A line as it is shown: what is not printable escaped, and not too long.
pub(super) fn quoted(line: &str) -> String {
    const SHOWN: usize = 60;
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}...", &line[..end]),
        None => format!("{line:?}"),
    }
}

/// How a program ended, in words.
fn told(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("was ended by signal {signal}");
    }
    // What a shell says of the programs that it runs (POSIX.1-2017, XCU 2.8.2).
    match status.code().unwrap_or_default() {
        127 => "exited with code 127: the shell does not find a program".to_owned(),
        code @ 129..=192 => format!("exited with code {code}, as the shell does for signal {}", code - 128),
        code => format!("exited with code {code}"),
    }
}

fn write(mut stdin: impl Write, texts: &Receiver<String>) {
    for text in texts {
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read(stdout: impl Read, lines: &SyncSender<Vec<u8>>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        match stdout.by_ref().take(LINE_MAX as u64).read_until(b'\n', &mut line) {
            Ok(1..) if lines.send(line).is_ok() => {}
            _ => return,
        }
    }
}

fn listen(mut stderr: impl Read, said: &Printed) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = stderr.read(&mut bytes) {
        said.add(&bytes[..count]);
    }
}
