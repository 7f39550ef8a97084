//! A board without hardware: the module that boards hold, verilated, behind a pseudo-terminal. What asks it opens the terminal as
//! it would the port of a board.
//!
//! Faults can be planted: on the line, in either direction, and in the chip by other sources.

use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::link::Link;
use super::port::Port;
use super::{Board, failed, not_opened, self_test};
use crate::describe::text::shown_lines;
use crate::emit::{SourceFile, kit};
use crate::engine::rtl::BuildError;
use crate::engine::rtl::library::Builder;
use crate::engine::rtl::model::Model;
use crate::engine::{Absence, EngineError};
use crate::verilate;

/// Clock and line of the simulated board: six and a quarter clocks a bit, so that the rate does not divide the clock.
pub const LINE: kit::Line = kit::Line { clock_hz: 50_000_000, baud: 8_000_000, buffer_log2: 11 };
/// A simulated clock takes so much longer than a board's, on a busy machine.
const SLOWNESS: u32 = 400;
/// How long it may take to answer.
const PATIENCE: Duration = Duration::from_secs(4);

/// Clocks of a bit of the line, in 1/256.
const BIT: u64 = 256 * LINE.clock_hz / LINE.baud as u64;
/// Levels of a line that rests.
const IDLE: u64 = 0x3ff;
/// Lowest bit of a result that tells of the self-test, and what tells there that it passed.
const SELF_TEST: u32 = 61;
const PASSED: u8 = 2;
/// Bit of the levels that holds the board in reset.
const RESET: u64 = 1 << 10;
/// Characters of a step while the board works by itself, and while it could answer.
const STEPS: [usize; 2] = [256, 16];
/// Characters without a request under way after which nothing more comes.
const QUIET: usize = 32;

/// What is planted on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A byte is lost.
    Lost,
    /// A byte comes twice.
    Doubled,
    /// A bit of a byte is inverted.
    Flipped,
    /// The line is 0 for two characters.
    Break,
    /// Nothing comes for a hundred characters.
    Pause,
    /// The board is reset.
    Reset,
}

/// A fault in every so many bytes.
pub type Planted = Option<(Fault, u64)>;

/// What is planted: on the line to the board, on the line from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Faults {
    pub to_board: Planted,
    pub from_board: Planted,
}

/// A running board; it ends with this value.
pub struct Simulated {
    path: PathBuf,
    ends: Arc<AtomicBool>,
    self_test: Arc<AtomicU8>,
    thread: Option<JoinHandle<()>>,
}

impl Simulated {
    /// Builds the module of these sources and starts it.
    ///
    /// # Errors
    /// Verilator refuses the sources, or there is no pseudo-terminal.
    pub fn start(module: &str, sources: &[SourceFile], faults: &Faults) -> Result<Simulated, BuildError> {
        let texts: Vec<&str> = sources.iter().map(|file| file.text.as_str()).collect();
        let request = verilate::Design {
            module: module.to_owned(),
            wrapper: texts.join("\n"),
            harness: "board_model.cpp",
            arguments: Vec::new(),
            definitions: vec![
                ("PRODUCTS", 1),
                ("A_WIDTH", 16),
                ("B_WIDTH", 32),
                ("C_WIDTH", 32),
                ("D_WIDTH", 64),
                ("SCALES", 0),
                ("SCALE_A_WIDTH", 0),
                ("SCALE_B_WIDTH", 0),
            ],
            wave: false,
        };
        let library = Builder::shared()?.design_library(&request)?;
        let model = Model::load(&library).map_err(|error| BuildError::Build(error.to_string()))?;
        let (master, path) = terminal().map_err(|error| BuildError::Files(format!("no pseudo-terminal: {error}")))?;
        let ends = Arc::new(AtomicBool::new(false));
        let self_test = Arc::new(AtomicU8::new(0));
        let mut chip = Chip::new(model, master, *faults, Arc::clone(&ends), Arc::clone(&self_test));
        let thread = Some(thread::spawn(move || chip.run()));
        Ok(Simulated { path, ends, self_test, thread })
    }

    /// The terminal that stands for the board's port.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the board shows of its self-test: whether it passed, once it is over.
    pub fn passed(&self) -> Option<bool> {
        match self.self_test.load(Ordering::Relaxed) {
            0 => None,
            shown => Some(shown & PASSED != 0),
        }
    }
}

impl Drop for Simulated {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        // A board that died has said so.
        self.thread.take().map(JoinHandle::join);
    }
}

/// A pseudo-terminal, and the path of its other end.
fn terminal() -> io::Result<(OwnedFd, PathBuf)> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    // Programs that are started do not hold the line, and nothing waits for a host that does not read.
    fcntl_setfd(&master, FdFlags::CLOEXEC)?;
    fcntl_setfl(&master, OFlags::RDWR | OFlags::NONBLOCK)?;
    let name = ptsname(&master, Vec::new())?;
    Ok((master, PathBuf::from(std::ffi::OsStr::from_bytes(name.as_bytes()))))
}

/// The sources of a simulated board.
///
/// # Errors
/// The emulator fails, or a template is broken.
pub fn sources(held: &kit::Held, line: kit::Line) -> Result<Vec<SourceFile>, EngineError> {
    let test = self_test(held)?;
    kit::sources(held, line, &test, "tensorsmith").map_err(|error| failed(error.to_string()))
}

/// The simulated board that holds this, with faults planted on its line.
///
/// # Errors
/// The board does not answer.
pub fn board(name: &'static str, held: &kit::Held, faults: &Faults) -> Result<Result<Board, Absence>, EngineError> {
    let sources = sources(held, LINE)?;
    of_sources(name, held, &sources, faults)
}

/// The same of other sources.
///
/// # Errors
/// The board does not answer.
pub fn of_sources(
    name: &'static str,
    held: &kit::Held,
    sources: &[SourceFile],
    faults: &Faults,
) -> Result<Result<Board, Absence>, EngineError> {
    let simulated = match Simulated::start(&held.module_name(), sources, faults) {
        Ok(simulated) => simulated,
        Err(error) => {
            return error
                .missing()
                .map(|reason| Err(Absence::Missing(reason)))
                .ok_or_else(|| failed(error.to_string()));
        }
    };
    let port = Port::open(simulated.path(), LINE.baud).map_err(|error| failed(not_opened(name, LINE.baud, &error)))?;
    // A tile takes longer, the more units it has.
    let cells = held.size().map_or(1, |size| size.cells() as u32);
    let (link, identity) = Link::open(port, name, LINE.baud, PATIENCE * cells).map_err(failed)?;
    Ok(Board::holding(name, link, identity, &held.subject()).map(|board| Board {
        slowness: board.slowness * SLOWNESS * cells,
        simulated: Some(simulated),
        ..board
    }))
}

/// A line with a fault planted now and then.
struct Wire {
    planted: Planted,
    count: u64,
}

impl Wire {
    /// The fault of the next byte.
    fn fault(&mut self) -> Option<Fault> {
        let (fault, every) = self.planted?;
        self.count += 1;
        self.count.is_multiple_of(every).then_some(fault)
    }

    /// Which bit of a byte is inverted, another one each time.
    fn bit(&self) -> u64 {
        self.planted.map_or(0, |(_, every)| self.count / every % 8)
    }
}

/// The chip between its line and the terminal.
struct Chip {
    model: Model,
    terminal: OwnedFd,
    ends: Arc<AtomicBool>,
    /// What the self-test shows: bits of a result from the first of them on.
    self_test: Arc<AtomicU8>,
    to_board: Wire,
    from_board: Wire,
    /// Levels of characters that are to be sent to the board.
    levels: VecDeque<u64>,
    /// Bytes from the board that the terminal has not taken.
    answers: VecDeque<u8>,
}

impl Chip {
    fn new(model: Model, terminal: OwnedFd, faults: Faults, ends: Arc<AtomicBool>, self_test: Arc<AtomicU8>) -> Chip {
        let wire = |planted| Wire { planted, count: 0 };
        let (to_board, from_board) = (wire(faults.to_board), wire(faults.from_board));
        Chip {
            model,
            terminal,
            ends,
            self_test,
            to_board,
            from_board,
            levels: VecDeque::new(),
            answers: VecDeque::new(),
        }
    }

    /// Simulates until nobody asks any more. A line that rests costs nothing.
    fn run(&mut self) {
        let (mut quiet, mut busy) = (QUIET, false);
        while !self.ends.load(Ordering::Relaxed) {
            let waits = quiet >= QUIET && self.levels.is_empty();
            if !self.listen(if waits { Duration::from_millis(20) } else { Duration::ZERO }) {
                // Nobody has opened the terminal, or no longer.
                thread::sleep(Duration::from_millis(2));
                continue;
            }
            if quiet >= QUIET && self.levels.is_empty() {
                continue;
            }
            let step = STEPS[usize::from(!busy || !self.levels.is_empty())];
            let given = self.levels.len().min(step);
            let mut levels: Vec<u64> = self.levels.drain(..given).collect();
            levels.resize(step, IDLE);
            let Ok(answered) = self.clock(&levels) else { return };
            busy = answered.busy;
            quiet = if busy || answered.bytes || given > 0 { 0 } else { quiet + step };
        }
    }

    /// Takes what the host sent, after so long at most; false where the terminal is closed.
    fn listen(&mut self, limit: Duration) -> bool {
        if !self.levels.is_empty() {
            return true;
        }
        let time = Timespec { tv_sec: 0, tv_nsec: i64::from(limit.subsec_nanos()) };
        let mut polled = [PollFd::new(&self.terminal, PollFlags::IN)];
        let ready = poll(&mut polled, Some(&time)).unwrap_or(0);
        let found = polled[0].revents();
        if ready == 0 {
            return true;
        }
        let mut bytes = [0; 1024];
        match rustix::io::read(&self.terminal, &mut bytes) {
            Ok(count) => {
                bytes[..count].iter().for_each(|&byte| self.send(byte));
                count > 0
            }
            Err(_) => !found.contains(PollFlags::HUP),
        }
    }

    /// Puts a byte of the host on the line to the board.
    fn send(&mut self, byte: u8) {
        let levels = |byte: u8| u64::from(byte) << 1 | 1 << 9;
        match self.to_board.fault() {
            Some(Fault::Lost) => {}
            Some(Fault::Doubled) => self.levels.extend([levels(byte); 2]),
            Some(Fault::Flipped) => self.levels.push_back(levels(byte) ^ 2 << self.to_board.bit()),
            Some(Fault::Break) => self.levels.extend([levels(byte), 0, 0, IDLE]),
            Some(Fault::Pause) => self.levels.extend([levels(byte)].into_iter().chain([IDLE; 100])),
            Some(Fault::Reset) => self.levels.extend([levels(byte), IDLE | RESET]),
            None => self.levels.push_back(levels(byte)),
        }
    }

    /// Simulates characters, and hands on what the board sent.
    fn clock(&mut self, levels: &[u64]) -> Result<Answered, ()> {
        let each = vec![BIT; levels.len()];
        let mut results = vec![0; levels.len()];
        if let Err(error) = self.model.run(levels, &each, &each, &mut results) {
            eprintln!("the simulated board stopped: {}", shown_lines(&error.to_string()));
            return Err(());
        }
        let mut any = false;
        for result in &results {
            for index in 0..result & 0xff {
                any = true;
                self.answer((result >> (8 + 8 * index)) as u8);
            }
        }
        self.hand_on();
        if let Some(last) = results.last() {
            self.self_test.store((last >> SELF_TEST) as u8 & 3, Ordering::Relaxed);
        }
        Ok(Answered { busy: results.last().is_some_and(|result| result >> 63 == 1), bytes: any })
    }

    /// Takes a byte of the board from the line.
    fn answer(&mut self, byte: u8) {
        match self.from_board.fault() {
            Some(Fault::Lost) => {}
            Some(Fault::Doubled) => self.answers.extend([byte; 2]),
            Some(Fault::Flipped) => self.answers.push_back(byte ^ 1 << self.from_board.bit()),
            // A receiver takes a line that is 0 for zeros, and has no frame of them.
            Some(Fault::Break) => self.answers.extend([byte, 0, 0]),
            Some(Fault::Pause | Fault::Reset) | None => self.answers.push_back(byte),
        }
    }

    fn hand_on(&mut self) {
        while !self.answers.is_empty() {
            let (bytes, _) = self.answers.as_slices();
            match rustix::io::write(&self.terminal, bytes) {
                Ok(count) if count > 0 => drop(self.answers.drain(..count)),
                // A board's bytes would be lost; here the host is given time, and its end ends the waiting.
                Err(rustix::io::Errno::AGAIN) if !self.ends.load(Ordering::Relaxed) => {
                    thread::sleep(Duration::from_millis(1));
                }
                _ => self.answers.clear(),
            }
        }
    }
}

/// What came of some characters.
struct Answered {
    /// Whether a request is under way.
    busy: bool,
    /// Whether the board sent any byte.
    bytes: bool,
}
