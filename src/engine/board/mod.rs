//! A unit or a tile on a board at the end of a serial line: an FPGA, or the same verilated behind a pseudo-terminal.
//!
//! `frame` makes frames of bytes, `link` asks and is answered, `layout` says how vectors lie in the bytes, `generator` reproduces
//! what the board makes by itself, `simulated` is a board without hardware. What the line loses or damages is asked again; a board
//! that does not answer is an error of the engine, never a mismatch.

mod frame;
mod generator;
mod layout;
mod link;
mod model;
mod port;
mod self_test;
#[cfg(all(feature = "rtl", unix))]
pub mod simulated;
mod turn;

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub use generator::{Generator, Signature};
pub use layout::{Layout, Masks, Shape};
pub use link::{COUNT_MAX, Trouble};
pub use model::Model;
pub use self_test::self_test;

use super::{Absence, Batch, Engine, EngineError, Identity, Opened};
use crate::describe::subject::Subject;
use crate::emit::kit;
use crate::emit::tile::Size;
#[cfg(all(feature = "rtl", unix))]
use crate::emit::tile::{Tile, pipelined};
use link::Link;
use port::Port;

/// What stands before the place of a board.
const SCHEME: &str = "board:";
/// The place of a board without hardware, with a colon and a size behind it of one that holds a tile.
const SIMULATED: &str = "sim";
/// Bits a second, unless the address says otherwise.
pub const BAUD: u32 = 3_000_000;
const BAUDS: std::ops::RangeInclusive<u32> = kit::BAUDS;

/// How long a board may take to answer, beside the time of the bytes.
const PATIENCE: Duration = Duration::from_millis(700);
/// Beside the time of the clocks, for a run of vectors.
const RUN_MARGIN: Duration = Duration::from_secs(1);

fn failed(message: String) -> EngineError {
    EngineError { engine: "board", message }
}

/// A board by the name of its engine: `board:PATH`, `board:PATH@BAUD`, `board:sim` or `board:sim:ROWSxCOLUMNS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Address {
    pub name: &'static str,
    pub place: Place,
}

/// Where a board is: at a serial port with its rate, or a simulated one, with a unit or a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    Simulated { tile: Option<Size> },
    Port { path: &'static str, baud: u32 },
}

impl Address {
    /// A simulated board with a unit.
    pub const SIMULATED: Address = Address { name: "board:sim", place: Place::Simulated { tile: None } };

    /// The board of that name. Addresses are `'static`: a name that was typed is kept for the process.
    pub fn of(name: &str) -> Option<Address> {
        let rest = name.strip_prefix(SCHEME)?;
        let name: &'static str = name.to_owned().leak();
        Place::of(&name[name.len() - rest.len()..]).map(|place| Address { name, place })
    }
}

impl Place {
    fn of(text: &'static str) -> Option<Place> {
        if let Some(size) = text.strip_prefix(SIMULATED) {
            if size.is_empty() {
                return Some(Place::Simulated { tile: None });
            }
            if let Some(size) = size.strip_prefix(':') {
                return size.parse().ok().map(|size| Place::Simulated { tile: Some(size) });
            }
        }
        let (path, baud) = match text.rsplit_once('@') {
            Some((path, rate)) => (path, rate.parse().ok().filter(|baud| BAUDS.contains(baud))?),
            None => (text, BAUD),
        };
        (!path.is_empty()).then_some(Place::Port { path, baud })
    }
}

/// A board that answers.
pub struct Board {
    name: &'static str,
    link: Link,
    identity: kit::Identity,
    layout: Arc<Layout>,
    /// Clocks that a vector takes, times as many as a simulated clock takes longer than one on hardware.
    slowness: u32,
    /// Why it answers no more.
    failure: Option<String>,
    /// The simulated board, as long as it is asked.
    #[cfg(all(feature = "rtl", unix))]
    simulated: Option<simulated::Simulated>,
}

/// What a board says that it holds.
///
/// # Errors
/// Nothing is at that address, or what answers is no board.
pub fn identify(address: Address) -> Result<kit::Identity, String> {
    let Address { name, place } = address;
    match place {
        Place::Simulated { .. } => {
            Err(format!("{name} holds whatever unit it is asked for; allowed: the port of a board"))
        }
        Place::Port { path, baud } => {
            let port = Port::open(Path::new(path), baud).map_err(|error| not_opened(name, baud, &error))?;
            Ok(Link::open(port, name, baud, PATIENCE)?.1)
        }
    }
}

/// Why a port is not open.
fn not_opened(name: &str, baud: u32, error: &io::Error) -> String {
    let hint = match error.kind() {
        ErrorKind::PermissionDenied => "; on Linux ports belong to a group, often dialout, that one has to be in",
        ErrorKind::InvalidInput => "; the port may not have that rate",
        ErrorKind::NotFound => "; is the board plugged in?",
        _ => "",
    };
    format!("{name}: cannot be opened at {baud} baud: {error}{hint}")
}

impl Board {
    /// Opens the board at an address for a unit or an instruction, which it has to hold.
    ///
    /// # Errors
    /// What answers is no board.
    pub fn open(address: Address, subject: &Subject) -> Result<Opened, EngineError> {
        Ok(match Board::at(address, subject)? {
            Ok(board) => Opened::Ready(Box::new(board)),
            Err(absence) => Opened::Absent(absence),
        })
    }

    /// The board itself.
    ///
    /// # Errors
    /// What answers is no board.
    pub fn at(address: Address, subject: &Subject) -> Result<Result<Board, Absence>, EngineError> {
        let Address { name, place } = address;
        match place {
            Place::Simulated { tile } => open_simulated(name, subject, tile),
            Place::Port { path, baud } => match Port::open(Path::new(path), baud) {
                Ok(port) => {
                    let (link, identity) = Link::open(port, name, baud, PATIENCE).map_err(failed)?;
                    Ok(Board::holding(name, link, identity, subject))
                }
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    Ok(Err(Absence::Missing(not_opened(name, baud, &error))))
                }
                Err(error) => Err(failed(not_opened(name, baud, &error))),
            },
        }
    }

    /// The board, if it holds that unit, or a tile of that instruction.
    fn holding(name: &'static str, link: Link, identity: kit::Identity, subject: &Subject) -> Result<Board, Absence> {
        let (held, own) = (identity.held(), subject.name());
        let (interface, digest, steps) = match (identity.tile, subject) {
            (None, Subject::Unit(unit)) => (unit.interface(), kit::digest_of_unit(unit), 1),
            (None, Subject::Instruction(_)) => {
                let reason = format!("the board holds {held}, and no tile of {own}");
                return Err(Absence::Inapplicable(reason));
            }
            (Some(_), subject) => {
                let instruction = subject.instruction();
                (instruction.interface(), kit::digest_of_tile(&instruction), instruction.blocks().len())
            }
        };
        let layout = Layout::of_tile(&interface, identity.tile.unwrap_or(Size::ONE));
        let same = identity.description == digest
            && (identity.operands, identity.answer) == (layout.bits(), layout.answer_bits());
        if !same {
            return Err(Absence::Inapplicable(format!(
                "the board holds {held} with the description {}; {own} has {digest}",
                identity.description
            )));
        }
        Ok(Board {
            name,
            link,
            identity,
            layout: Arc::new(layout),
            slowness: steps as u32,
            failure: None,
            #[cfg(all(feature = "rtl", unix))]
            simulated: None,
        })
    }

    /// What the board says that it holds.
    pub fn held(&self) -> &kit::Identity {
        &self.identity
    }

    /// Whether the self-test passed: what a simulated board shows, since the line says nothing of it.
    #[cfg(all(feature = "rtl", unix))]
    pub fn passed_self_test(&self) -> Option<bool> {
        self.simulated.as_ref()?.passed()
    }

    /// What the line did so far.
    pub fn trouble(&self) -> Trouble {
        self.link.trouble()
    }

    /// How vectors lie in its words.
    pub fn layout(&self) -> Arc<Layout> {
        Arc::clone(&self.layout)
    }

    /// All elements that the next vector of a generator makes when it comes over the line.
    ///
    /// # Errors
    /// The line fails, or the board.
    pub fn alone(&mut self, generator: &Generator) -> Result<Vec<u64>, EngineError> {
        self.vectors(1, &|_| generator.next())
    }

    fn vectors(&mut self, count: usize, words: &dyn Fn(usize) -> Vec<u64>) -> Result<Vec<u64>, EngineError> {
        if let Some(failure) = &self.failure {
            return Err(failed(failure.clone()));
        }
        let mut results = Vec::new();
        let answered = self.link.vectors(&self.layout, count, words, &mut results);
        answered.map_err(|why| failed(self.failure.insert(why).clone()))?;
        Ok(results)
    }

    /// Signatures of the results of vectors that the board makes from a generator, one a window; the last may be shorter.
    ///
    /// # Errors
    /// The line fails, or the board.
    pub fn signatures(&mut self, generator: &Generator, count: u64, window: u64) -> Result<Vec<u64>, EngineError> {
        let clocks = Duration::from_secs_f64(count as f64 / self.identity.clock_hz as f64 * f64::from(self.slowness));
        let answer = self.link.run(&self.layout, generator, count, window, clocks * 2 + RUN_MARGIN);
        answer.map_err(|why| failed(self.failure.insert(why).clone()))
    }
}

impl Engine for Board {
    fn name(&self) -> &'static str {
        self.name
    }

    fn identity(&self) -> Identity {
        let kit::Identity { cuts, clock_hz, version, .. } = &self.identity;
        let held = self.identity.held();
        let mhz = *clock_hz as f64 / 1e6;
        Identity {
            engine: self.name.to_owned(),
            version: format!("{held}, registers {cuts}, {mhz} MHz, tensorsmith {version}"),
        }
    }

    fn details(&self) -> BTreeMap<String, String> {
        let Trouble { lost, damaged, stray, repeated } = self.link.trouble();
        let counts = [("lost", lost), ("damaged", damaged), ("stray", stray), ("repeated", repeated)];
        let mut details: BTreeMap<String, String> =
            counts.iter().map(|(name, count)| ((*name).to_owned(), count.to_string())).collect();
        details.insert("holds".to_owned(), self.identity.to_string());
        details
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        results.clear();
        let layout = Arc::clone(&self.layout);
        let count = layout.count(batch);
        let all = self.vectors(count, &|number| layout.words(batch, number))?;
        for (number, answer) in all.chunks(layout.cells()).enumerate() {
            results.extend(layout.places(batch, number).map(|(_, cell)| answer[cell]));
        }
        Ok(())
    }
}

#[cfg(all(feature = "rtl", unix))]
fn open_simulated(
    name: &'static str,
    subject: &Subject,
    tile: Option<Size>,
) -> Result<Result<Board, Absence>, EngineError> {
    let held = match (tile, subject) {
        (None, Subject::Unit(unit)) => unit.clone().into(),
        (None, Subject::Instruction(instruction)) => {
            let reason = format!("it would hold a unit; board:sim:1x1 holds a tile of {}", instruction.name);
            return Ok(Err(Absence::Inapplicable(reason)));
        }
        (Some(size), subject) => {
            match Tile::new(&pipelined(&subject.instruction()), size).and_then(kit::Held::try_from) {
                Ok(held) => held,
                Err(error) => return Ok(Err(Absence::Inapplicable(error.to_string()))),
            }
        }
    };
    simulated::board(name, &held, &simulated::Faults::default())
}

#[cfg(not(all(feature = "rtl", unix)))]
fn open_simulated(
    name: &'static str,
    _subject: &Subject,
    _tile: Option<Size>,
) -> Result<Result<Board, Absence>, EngineError> {
    let reason = "a simulated board needs a Unix system, a build with the feature `rtl` (on by default) and Verilator";
    Ok(Err(Absence::Missing(format!("{name}: {reason}"))))
}
