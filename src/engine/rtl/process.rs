//! The process of an isolated model: what is sent to it and received from it, without waiting for long; and how it ended. Understands no
//! request.

use std::io::{ErrorKind, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::design::Limits;
use crate::engine::child::{self, Printed};

/// Kinds of replies.
pub(super) const DONE: u64 = 1;
const FAILED: u64 = 2;
pub(super) const PROGRESS: u64 = 3;

/// Bytes of a number, and of what stands before each request and reply: its kind and its length.
pub(super) const WORD: usize = 8;
pub(super) const HEADER: usize = 2 * WORD;
/// Longest text of a failure.
const TEXT_MAX: usize = 1 << 16;
/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;
/// How long a process that sends nothing more may take to end, before it counts as running.
const LAST_BREATH: Duration = Duration::from_secs(1);
/// How often a process is looked at that sends nothing.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
/// How long what it started may outlive this program.
const GUARD: Duration = Duration::from_secs(1);
/// How often a program is started that another thread's new process still holds open for writing.
const STARTS: u32 = 50;
const START_AGAIN: Duration = Duration::from_millis(20);

/// A process that serves requests.
pub(super) struct Running {
    child: Child,
    /// Ends it where this program ends without doing so.
    guard: Option<Child>,
    requests: ChildStdin,
    replies: ChildStdout,
    /// What it prints; nothing once that is closed.
    prints: Option<ChildStderr>,
    /// Bytes of replies that are not looked at.
    received: Vec<u8>,
    buffer: Vec<u8>,
    reaped: bool,
}

/// Why a process serves no more.
#[derive(Clone, Copy)]
pub(super) enum End {
    Exit(i32),
    Signal(i32),
    /// Nothing more comes from it, and it runs.
    Closed,
    OutOfTime,
    TooMuchPrinted,
    /// It sent what is no reply.
    Garbled,
}

impl End {
    /// In words; `place` says in which cycle, where that is known.
    pub fn told(self, place: &str, limits: Limits) -> String {
        let Limits { time, output, memory } = limits;
        match self {
            End::Exit(code) => format!("the design ended the simulation by exit({code}){place}"),
            End::Signal(number) => {
                let limit = format!("it may take {} MiB of memory", memory >> 20);
                format!("the design ended the simulation by signal {number}{}{place}; {limit}", signal_name(number))
            }
            End::Closed => "the design closed the files of the simulation".to_owned(),
            End::OutOfTime => format!("the design does not end a clock within {} s{place}", time.as_secs_f32()),
            End::TooMuchPrinted => format!("the design printed more than {} KiB", output >> 10),
            End::Garbled => "the design wrote into the files of the simulation".to_owned(),
        }
    }
}

/// What one look at a process moved.
#[derive(Default)]
pub(super) struct Moved {
    pub sent: usize,
    pub printed: u64,
    pub end: Option<End>,
}

impl Running {
    /// Starts a program that may take so many bytes of memory.
    pub fn start(program: &Path, memory: u64) -> Result<Running, String> {
        let mut command = Command::new(program);
        command.arg(memory.to_string());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        child::own(&mut command);
        let mut starts = 1..STARTS;
        let mut child = loop {
            match command.spawn() {
                Err(error) if error.kind() == ErrorKind::ExecutableFileBusy && starts.next().is_some() => {
                    std::thread::sleep(START_AGAIN);
                }
                spawned => break spawned.map_err(|error| error.to_string())?,
            }
        };
        let guard = child::guard(&child, GUARD);
        let (requests, replies, prints) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(requests), Some(replies)) = (requests, replies) else { unreachable!("both are pipes") };
        let (received, buffer) = (Vec::new(), vec![0; CHUNK]);
        let mut running = Running { child, guard: None, requests, replies, prints, received, buffer, reaped: false };
        // Dropped, it ends.
        running.guard = guard.map_err(|error| error.to_string())?;
        let set = |outcome: rustix::io::Result<()>| outcome.map_err(|error| error.to_string());
        set(rustix::io::ioctl_fionbio(&running.requests, true))?;
        set(rustix::io::ioctl_fionbio(&running.replies, true))?;
        if let Some(prints) = &running.prints {
            set(rustix::io::ioctl_fionbio(prints, true))?;
        }
        Ok(running)
    }

    /// The next whole reply that was received: its kind and what is in it.
    pub fn reply(&mut self, most: usize) -> Option<Result<(u64, Vec<u8>), End>> {
        let header: Vec<u64> = words_of(self.received.get(..HEADER)?).collect();
        let (kind, bytes) = (header[0], usize::try_from(header[1]).unwrap_or(usize::MAX));
        let allowed = match kind {
            DONE => bytes <= most,
            FAILED => bytes <= TEXT_MAX,
            PROGRESS => bytes == WORD,
            _ => false,
        };
        if !allowed {
            return Some(Err(End::Garbled));
        }
        let content = self.received.get(HEADER..HEADER + bytes)?.to_vec();
        self.received.drain(..HEADER + bytes);
        Some(Ok((kind, content)))
    }

    /// Sends what can be sent at once of a request: most often all of it. How much it was.
    pub fn send(&mut self, request: &[u8]) -> usize {
        // What fails here fails again when it is waited for.
        if request.is_empty() { 0 } else { self.requests.write(request).unwrap_or_default() }
    }

    /// Waits a little until something can be sent or received, and does that.
    pub fn transfer(&mut self, request: &[u8], printed: &Printed) -> Moved {
        let mut moved = Moved::default();
        let [replies, prints, requests] = self.ready(!request.is_empty());
        if prints {
            moved.printed = self.print(printed);
        }
        if requests {
            match self.requests.write(request) {
                Ok(count) => moved.sent = count,
                Err(error) if is_later(&error) => {}
                Err(_) => moved.end = Some(self.ending()),
            }
        }
        if replies {
            match self.replies.read(&mut self.buffer) {
                Ok(count @ 1..) => self.received.extend(&self.buffer[..count]),
                Err(error) if is_later(&error) => {}
                Ok(0) | Err(_) => moved.end = Some(self.ending()),
            }
        }
        // What it started may hold its files open.
        if !replies && !prints && !requests && child::has_ended(&mut self.child) {
            moved.end = Some(self.ending());
        }
        moved
    }

    /// Which of its files can be used, or are closed: replies, what it prints, and requests if there is one to send.
    fn ready(&self, sends: bool) -> [bool; 3] {
        let mut files = vec![PollFd::new(&self.replies, PollFlags::IN)];
        files.extend(self.prints.as_ref().map(|prints| PollFd::new(prints, PollFlags::IN)));
        files.extend(sends.then(|| PollFd::new(&self.requests, PollFlags::OUT)));
        if !poll(&mut files, Some(&LOOK)).is_ok_and(|count| count > 0) {
            return [false; 3];
        }
        let mut ready = files.iter().map(|file| !file.revents().is_empty());
        let mut next = |there: bool| there && ready.next().unwrap_or_default();
        [next(true), next(self.prints.is_some()), next(sends)]
    }

    /// Keeps what was printed, and returns how much it was.
    pub fn print(&mut self, printed: &Printed) -> u64 {
        let mut count = 0;
        // Of one that never stops, about as much as a pipe holds at a time.
        while let Some(prints) = self.prints.as_mut().filter(|_| count < CHUNK as u64) {
            match prints.read(&mut self.buffer) {
                Ok(length @ 1..) => {
                    printed.add(&self.buffer[..length]);
                    count += length as u64;
                }
                Err(error) if is_later(&error) => break,
                Ok(0) | Err(_) => self.prints = None,
            }
        }
        count
    }

    /// How the process ended that sends nothing more.
    fn ending(&mut self) -> End {
        let deadline = Instant::now() + LAST_BREATH;
        while !child::has_ended(&mut self.child) {
            if Instant::now() > deadline {
                return End::Closed;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.reap();
        match self.child.wait() {
            Ok(status) => ended(status),
            Err(_) => End::Closed,
        }
    }
}

impl Running {
    /// Kills the process, if it runs, and all that it started.
    fn reap(&mut self) {
        // Once it is reaped the number of its group may be another's.
        if !std::mem::replace(&mut self.reaped, true) {
            child::kill(&mut self.child);
        }
        if let Some(mut guard) = self.guard.take() {
            let _ = guard.kill().and_then(|()| guard.wait());
        }
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.reap();
    }
}

/// Whole words of bytes.
pub(super) fn words_of(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.as_chunks::<WORD>().0.iter().map(|bytes| u64::from_ne_bytes(*bytes))
}

/// Whether it can be tried again.
fn is_later(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

fn ended(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exit(code),
        (None, signal) => End::Signal(signal.unwrap_or_default()),
    }
}

/// Names of the signals that a fault of a program leads to.
fn signal_name(number: i32) -> &'static str {
    use rustix::process::Signal;
    let names = [
        (Signal::ILL, " (SIGILL)"),
        (Signal::ABORT, " (SIGABRT)"),
        (Signal::BUS, " (SIGBUS)"),
        (Signal::FPE, " (SIGFPE)"),
        (Signal::KILL, " (SIGKILL)"),
        (Signal::SEGV, " (SIGSEGV)"),
        (Signal::TERM, " (SIGTERM)"),
    ];
    names.iter().find(|(signal, _)| signal.as_raw() == number).map_or("", |(_, name)| name)
}
