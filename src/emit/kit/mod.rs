//! What a board needs to hold a unit, or a tile.

pub mod board;
mod held;
mod identity;
mod package;
pub mod pll;
mod self_test;

pub use board::{Board, Clock};
pub use held::{BITS_MAX, Held, digest_of_tile, digest_of_unit};
pub use identity::{Identity, IdentityError, PROTOCOL};
pub use package::{Kit, megahertz, with_registers};
pub use self_test::SelfTest;

use tera::Context;

use super::{EmitError, SourceFile, render_with};

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// The modules between a serial line and what the board holds, each behind what it instantiates.
        const BRIDGE: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../../rtl/board/", $name)))),*];
    };
}

files!(
    "tensorsmith_uart_receiver.sv",
    "tensorsmith_uart_sender.sv",
    "tensorsmith_byte_fifo.sv",
    "tensorsmith_crc32.sv",
    "tensorsmith_frame_receiver.sv",
    "tensorsmith_frame_sender.sv",
    "tensorsmith_generator.sv",
    "tensorsmith_bridge.sv",
    "tensorsmith_self_test.sv",
    "tensorsmith_serial_bridge.sv",
);

/// Rates of lines, in bits a second.
pub const BAUDS: std::ops::RangeInclusive<u32> = 9_600..=24_000_000;

/// Clock and line of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Of the unit and the bridge.
    pub clock_hz: u64,
    /// Bits a second.
    pub baud: u32,
    /// Two to this power bytes of requests may be on their way.
    pub buffer_log2: u32,
}

/// What a board holds at the end of a serial line: the modules that it needs, each behind what it instantiates, and the module that
/// takes clock, reset and the line's two wires. It tests itself when it starts.
///
/// # Errors
/// A template is broken.
pub fn sources(held: &Held, line: Line, test: &SelfTest, command: &str) -> Result<Vec<SourceFile>, EmitError> {
    let mut files = held.sources()?;
    files.extend(BRIDGE.iter().map(SourceFile::from));
    let identity = Identity::of(held, line.clock_hz, line.baud, 1 << line.buffer_log2);
    let mut parts = identity.fields();
    let last = parts.len() - 1;
    parts[..last].iter_mut().for_each(|part| part.push(';'));
    let mut context = Context::new();
    context.insert("title", &held.title());
    context.insert("module", &held.stem());
    context.insert("goes_along", &held.size().is_none());
    context.insert("operands_width", &identity.operands);
    context.insert("answer_width", &identity.answer);
    context.insert("command", command);
    context.insert("clock_hz", &line.clock_hz);
    context.insert("baud", &line.baud);
    context.insert("buffer_log2", &line.buffer_log2);
    context.insert("identity_bytes", &identity.to_string().len());
    context.insert("identity", &parts);
    let ([request_words, answer_words], [requests, answers]) = (test.words(), test.constants());
    context.insert("request_words", &request_words);
    context.insert("answer_words", &answer_words);
    context.insert("requests", &requests);
    context.insert("answers", &answers);
    let text = render_with("board.sv", &context)?;
    files.push(SourceFile { name: format!("{}.sv", held.module_name()), text });
    Ok(files)
}
