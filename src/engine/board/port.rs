//! The line to a board: bytes to a serial port and from it, each read with a limit in time.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::{Duration, Instant};

use serial2::SerialPort;

use super::frame::{Frame, Reader};
use super::turn::Turn;

/// How long a read waits before it is looked at whether the time is over.
const LOOK: Duration = Duration::from_millis(20);
/// A line that gave nothing for that long gives nothing more of what it began.
const QUIET: Duration = Duration::from_millis(60);
/// A line that is not quiet for that long is asked all the same: a request stops a board that signs vectors.
const NEVER_QUIET: Duration = Duration::from_secs(1);

/// An open serial port, of which nobody else has a turn.
pub(super) struct Port {
    port: SerialPort,
    reader: Reader,
    /// Bytes that were read, and how many of them are taken.
    read: Vec<u8>,
    taken: usize,
    /// Given back before the turn: whoever waits for that asks for this next.
    _lock: Option<File>,
    _turn: Turn,
}

impl Port {
    /// Opens the port, at that rate, for raw bytes. Whoever else of this program has it is waited for.
    ///
    /// # Errors
    /// There is no such port, it cannot be opened at that rate, or another program has it.
    pub fn open(path: &Path, baud: u32) -> io::Result<Port> {
        let turn = Turn::take(path)?;
        let mut port = SerialPort::open(path, |mut settings: serial2::Settings| {
            settings.set_raw();
            settings.set_baud_rate(baud)?;
            Ok(settings)
        })?;
        port.set_read_timeout(LOOK)?;
        port.set_write_timeout(Duration::from_secs(5))?;
        let lock = locked(path)?;
        port.discard_buffers()?;
        Ok(Port { _turn: turn, _lock: lock, port, reader: Reader::default(), read: Vec::new(), taken: 0 })
    }

    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.port.write_all(bytes)
    }

    /// The next frame, whole or damaged; `None` where the time is over before it ends.
    pub fn frame(&mut self, limit: Duration) -> io::Result<Option<Frame>> {
        let end = Instant::now() + limit;
        loop {
            while let Some(&byte) = self.read.get(self.taken) {
                self.taken += 1;
                if let Some(frame) = self.reader.take(byte) {
                    return Ok(Some(frame));
                }
            }
            self.fill()?;
            if self.read.is_empty() && Instant::now() >= end || Instant::now() >= end + limit {
                return Ok(None);
            }
        }
    }

    /// Reads what there is; 0 where nothing came for a moment.
    fn fill(&mut self) -> io::Result<usize> {
        self.taken = 0;
        self.read.resize(1 << 14, 0);
        let count = match self.port.read(&mut self.read) {
            Ok(0) => return Err(io::Error::new(ErrorKind::UnexpectedEof, "the port is closed")),
            Ok(count) => count,
            Err(error)
                if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock | ErrorKind::Interrupted) =>
            {
                0
            }
            Err(error) => return Err(error),
        };
        self.read.truncate(count);
        Ok(count)
    }

    /// Passes over everything until the line is quiet, or for a second.
    pub fn drain(&mut self) -> io::Result<()> {
        let start = Instant::now();
        let mut last = start;
        while last.elapsed() < QUIET && start.elapsed() < NEVER_QUIET {
            if self.fill()? > 0 {
                last = Instant::now();
            }
        }
        self.read.clear();
        self.reader.forget();
        Ok(())
    }
}

/// A lock of the port against other programs, where the system has such locks.
#[cfg(unix)]
fn locked(path: &Path) -> io::Result<Option<File>> {
    use std::fs::TryLockError;
    use std::os::unix::fs::OpenOptionsExt as _;

    let flags = rustix::fs::OFlags::NOCTTY | rustix::fs::OFlags::NONBLOCK;
    let file = File::options().read(true).write(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    let end = Instant::now() + NEVER_QUIET;
    // A process that this program starts at this moment holds what was open a little longer.
    while let Err(TryLockError::WouldBlock) = file.try_lock() {
        if Instant::now() >= end {
            return Err(io::Error::new(ErrorKind::ResourceBusy, "another program has it"));
        }
        std::thread::sleep(LOOK);
    }
    Ok(Some(file))
}

#[cfg(not(unix))]
fn locked(_path: &Path) -> io::Result<Option<File>> {
    Ok(None)
}
