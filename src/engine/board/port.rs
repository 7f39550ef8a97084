//! The line to a board: bytes to a serial port and from it, each read with a limit in time.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::{Duration, Instant};

use serial2::SerialPort;

use super::frame::{Frame, Reader};

/// How long a read waits before it is looked at whether the time is over.
const LOOK: Duration = Duration::from_millis(20);
/// A line that gave nothing for that long gives nothing more of what it began.
const QUIET: Duration = Duration::from_millis(60);

/// An open serial port.
pub(super) struct Port {
    port: SerialPort,
    reader: Reader,
    /// Bytes that were read, and how many of them are taken.
    read: Vec<u8>,
    taken: usize,
}

impl Port {
    /// Opens the port, at that rate, for raw bytes.
    pub fn open(path: &Path, baud: u32) -> io::Result<Port> {
        let mut port = SerialPort::open(path, |mut settings: serial2::Settings| {
            settings.set_raw();
            settings.set_baud_rate(baud)?;
            Ok(settings)
        })?;
        port.set_read_timeout(LOOK)?;
        port.set_write_timeout(Duration::from_secs(5))?;
        port.discard_buffers()?;
        Ok(Port { port, reader: Reader::default(), read: Vec::new(), taken: 0 })
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
            if self.fill()? == 0 && Instant::now() >= end {
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

    /// Passes over everything until the line is quiet.
    pub fn drain(&mut self) -> io::Result<()> {
        let mut last = Instant::now();
        while last.elapsed() < QUIET {
            if self.fill()? > 0 {
                last = Instant::now();
            }
        }
        self.read.clear();
        self.reader.forget();
        Ok(())
    }
}
