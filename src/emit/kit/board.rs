//! The boards that kits are written for, each a file of data: what is where, and what turns it into a bitstream.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use serde::Deserialize;

use super::BAUDS;
use super::pll::{Dividers, Limits};

macro_rules! boards {
    ($($name:literal),* $(,)?) => {
        /// Name and description of every board, in the order of listings.
        const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../../templates/kit/", $name, ".toml")))),*];
    };
}

boards!("ulx3s-85f", "orangecrab", "ecpix-5", "icebreaker", "tang-nano-20k", "arty-a7");

/// Clock cycles that a bit on the line takes at least.
const CYCLES_A_BIT: u64 = 4;
/// The clock that is made may be lower than the one asked for by one part in so many.
const SHORTFALL: u64 = 100;

/// FPGAs whose tools and loops are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    Ecp5,
    Ice40,
    Gowin,
    Xilinx,
}

impl Family {
    /// Two to this power bytes of requests may be on their way.
    pub fn buffer_log2(self) -> u32 {
        if self == Family::Ice40 { 9 } else { 11 }
    }

    /// What its phase-locked loop can do.
    pub fn limits(self) -> Limits {
        match self {
            Family::Ecp5 => Limits::ecp5(),
            Family::Ice40 => Limits::ice40(),
            Family::Gowin => Limits::gowin(),
            Family::Xilinx => Limits::xilinx(),
        }
    }
}

/// A board, as its file describes it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// As the command line has it.
    #[serde(skip)]
    pub name: &'static str,
    /// As people call it.
    pub title: String,
    /// The FPGA, with package and speed.
    pub part: String,
    pub family: Family,
    /// What tells the tool that places and routes which FPGA it is, beside the part.
    pub options: String,
    /// What openFPGALoader calls the board.
    pub loader: String,
    /// Where that puts the bitstream.
    pub loads: String,
    pub clock: Oscillator,
    pub line: Serial,
    pub leds: Leds,
    #[serde(default)]
    pub held: Vec<HeldPin>,
}

/// The clock that a board has.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Oscillator {
    pub pin: String,
    pub hz: u64,
    /// Of a kit whose clock nobody chose.
    pub default_hz: u64,
}

/// The line to the host.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Serial {
    /// Where bytes of the host arrive.
    pub receive: String,
    /// Where bytes for the host leave.
    pub transmit: String,
    /// What stands between line and host.
    pub chip: String,
    /// What Linux usually calls it.
    pub device: String,
    /// Of a kit whose rate nobody chose, where its clock is fast enough.
    pub baud: u32,
}

/// LEDs: the first is lit while a request is under way, the second blinks, the others are dark.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leds {
    pub pins: Vec<String>,
    pub lit: Level,
}

/// A pin that has to have a level.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldPin {
    pub pin: String,
    pub level: Level,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    Low,
    High,
}

/// The clock of a unit and its bridge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    pub hz: u64,
    /// What was asked for.
    pub wanted_hz: u64,
    /// Of the phase-locked loop; `None` where the board's clock is taken as it is.
    pub dividers: Option<Dividers>,
}

static BOARDS: LazyLock<Vec<Board>> = LazyLock::new(|| {
    let read = |(name, text): &(&'static str, &str)| {
        let board: Board = toml::from_str(text).unwrap_or_else(|error| panic!("templates/kit/{name}.toml: {error}"));
        Board { name, ..board }
    };
    FILES.iter().map(read).collect()
});

impl Board {
    /// All of them, in the order of listings.
    pub fn all() -> &'static [Board] {
        &BOARDS
    }

    /// The board of that name.
    pub fn named(name: &str) -> Option<&'static Board> {
        Board::all().iter().find(|board| board.name == name)
    }

    /// The clock that is closest to a wanted one and not above it; `None` where it would be lower by more than a hundredth.
    pub fn clock(&self, wanted_hz: u64) -> Option<Clock> {
        if wanted_hz == self.clock.hz {
            return Some(Clock { hz: wanted_hz, wanted_hz, dividers: None });
        }
        let dividers = self.family.limits().search(self.clock.hz, wanted_hz)?;
        let near = u128::from(wanted_hz - dividers.hz) * u128::from(SHORTFALL) <= u128::from(wanted_hz);
        near.then_some(Clock { hz: dividers.hz, wanted_hz, dividers: Some(dividers) })
    }

    /// The rates that a line can have at a clock.
    pub fn bauds(clock_hz: u64) -> RangeInclusive<u32> {
        let fastest = u32::try_from(clock_hz / CYCLES_A_BIT).unwrap_or(u32::MAX);
        *BAUDS.start()..=fastest.min(*BAUDS.end())
    }

    /// The rate of a line that nobody chose.
    pub fn baud(&self, clock_hz: u64) -> u32 {
        self.line.baud.min(*Board::bauds(clock_hz).end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_what_it_says() {
        for board in Board::all() {
            let clock = board.clock(board.clock.default_hz).expect("its own clock");
            assert_eq!(clock.hz, board.clock.default_hz, "{}", board.name);
            assert_eq!(board.baud(clock.hz), board.line.baud, "{}", board.name);
            assert!(board.leds.pins.len() >= 2, "{}", board.name);
            let mut pins: Vec<&String> =
                board.leds.pins.iter().chain(board.held.iter().map(|held| &held.pin)).collect();
            pins.extend([&board.clock.pin, &board.line.receive, &board.line.transmit]);
            let count = pins.len();
            pins.sort_unstable();
            pins.dedup();
            assert_eq!(pins.len(), count, "{}: a pin is named twice", board.name);
        }
        assert_eq!(Board::named("ulx3s"), None);
    }

    #[test]
    fn clocks() {
        let hz = |board: &str, wanted: u64| Board::named(board).expect("a board").clock(wanted).map(|clock| clock.hz);
        assert_eq!(hz("ulx3s-85f", 25_000_000), Some(25_000_000));
        assert_eq!(hz("ulx3s-85f", 48_000_000), Some(47_916_667));
        assert_eq!(hz("ulx3s-85f", 3_000_000), None);
        assert_eq!(hz("icebreaker", 13_000_000), None);
        assert_eq!(hz("ulx3s-85f", u64::MAX), None);
        assert_eq!(Board::bauds(12_000_000), 9_600..=3_000_000);
        assert_eq!(Board::named("icebreaker").expect("a board").baud(12_000_000), 3_000_000);
    }
}
