//! A design of a user's own: its file, its ports, and the module around it with the ports that a harness drives.
//!
//! Architecture invariant: nothing here knows what a design computes; it may be any that takes vectors and gives results.

mod drivers;
mod file;
mod guess;
mod place;
mod ports;
mod sources;
mod wrapper;

pub use file::{
    Clock, Constant, Design, Edge, Handshake, Level, Order, Ordered, Places, Ports, Reset, Said, Simulator, Timing,
};
pub use guess::{Guess, Subject, guess};
pub use place::{Piece, pieces};
pub use ports::{Direction, Port, Range};
pub use sources::{SourceError, Sources, VHDL, is_vhdl};
pub use wrapper::{Driven, MODULE, Wrapper, wrapper};

use std::sync::OnceLock;

use toml::Value;

/// The design of the process: kinds of engine are names, copied into lists and reports, and hold no file.
static NAMED: OnceLock<Design> = OnceLock::new();

/// Names the design of the process; only the first one counts, and `false` says that this is another.
pub fn name(design: Design) -> bool {
    *NAMED.get_or_init(|| design.clone()) == design
}

/// The design of the process, if one was named.
pub fn named() -> Option<&'static Design> {
    NAMED.get()
}

/// The ports of the module in a syntax tree of Verilator's, in order, and the names of its files.
///
/// # Errors
/// The tree is not as expected, or a variable has two drivers: why.
pub fn ports(tree: &[String; 2], top: &str) -> Result<Vec<Port>, String> {
    ports::read(tree, top)
}

/// What a tool says, with files as seen from the current folder.
pub fn seen_from_here(text: &str) -> String {
    text.replace(&format!("{}/", std::env::current_dir().unwrap_or_default().display()), "")
}

/// A parameter's value as Verilog has it.
fn literal(value: &Value) -> String {
    match value {
        Value::Boolean(value) => u8::from(*value).to_string(),
        Value::String(text) => format!("\"{text}\""),
        value => value.to_string(),
    }
}
