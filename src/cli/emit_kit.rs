//! `tensorsmith emit --kit`: all that turns a unit or a tile into a bitstream of a board.

use clap::Args;

use super::{Failure, input};
use tensorsmith::emit::SourceFile;
use tensorsmith::emit::kit::{BAUDS, Board, Held, Kit, megahertz};
use tensorsmith::engine::board::self_test;

/// The options of kits.
#[derive(Args)]
pub(super) struct Options {
    /// Write what is needed to build and load a bitstream with the unit at the end of a serial line, in place of the rest:
    /// ulx3s-85f, orangecrab, ecpix-5, icebreaker, tang-nano-20k or arty-a7. UNIT may be an instruction: the board holds a tile of
    /// it then, of --tile, or of one element. A unit without registers gets those of the longest measured row
    #[arg(long, value_name = "BOARD", value_parser = board, conflicts_with_all = ["catalogue", "dpi"])]
    kit: Option<&'static Board>,
    /// Clock of the unit on the board, in MHz; without, one that suits the board
    #[arg(long, value_name = "MHZ", value_parser = hertz, requires = "kit")]
    clock: Option<Hertz>,
    /// Bits a second on the line, at most a quarter of the clock; without, what the board's USB chip takes, at most 3000000
    #[arg(long, value_name = "N", value_parser = input::number::<u32>(BAUDS), requires = "kit")]
    baud: Option<u32>,
}

/// A frequency.
#[derive(Debug, Clone, Copy)]
struct Hertz(u64);

/// A board by its name.
fn board(name: &str) -> Result<&'static Board, String> {
    let names: Vec<&str> = Board::all().iter().map(|board| board.name).collect();
    Board::named(name).ok_or_else(|| format!("allowed: {}", names.join(", ")))
}

/// Reads a frequency in MHz.
fn hertz(text: &str) -> Result<Hertz, String> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let is_plain = |part: &str| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit());
    let fits = is_plain(whole) && is_plain(decimals) && whole.len() <= 4 && decimals.len() <= 6;
    let hz = fits.then(|| format!("{whole}{decimals:0<6}").parse().ok()).flatten().filter(|hz| *hz > 0);
    hz.map(Hertz).ok_or_else(|| "allowed: MHz above 0 and below 10000, with at most six decimals".to_owned())
}

impl Options {
    /// The files of the kit, if one was asked for; `held` says what the board is to hold.
    pub(super) fn files(
        &self,
        held: impl FnOnce() -> Result<Held, Failure>,
    ) -> Result<Option<Vec<SourceFile>>, Failure> {
        let Some(board) = self.kit else { return Ok(None) };
        let wanted = self.clock.map_or(board.clock.default_hz, |Hertz(hz)| hz);
        let clock = board.clock(wanted).ok_or_else(|| {
            let range = board.family.limits().output_hz;
            let [own, least, most] = [board.clock.hz, *range.start(), *range.end()].map(megahertz);
            Failure(format!(
                "--clock is {}; allowed on {}: its own {own} MHz, or what its loop makes of that within a hundredth, of \
                 {least} to {most} MHz",
                megahertz(wanted),
                board.name
            ))
        })?;
        let allowed = Board::bauds(clock.hz);
        let baud = self.baud.unwrap_or_else(|| board.baud(clock.hz));
        if !allowed.contains(&baud) {
            let clock = megahertz(clock.hz);
            let (least, most) = allowed.into_inner();
            return Err(Failure(format!(
                "--baud is {baud}; allowed: {least} to {most}, a quarter of the clock of {clock} MHz"
            )));
        }
        let held = held()?;
        let test = self_test(&held)?;
        Ok(Some(Kit { held: &held, test: &test, board, clock, baud }.files()?))
    }
}
