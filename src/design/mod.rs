//! A design of a user's own: its file, its ports, and the module around it with the ports that a harness drives.
//!
//! Architecture invariant: nothing here knows what a design computes; it may be any that takes vectors and gives results.

mod calls;
mod drivers;
mod file;
mod guess;
mod limits;
mod parameters;
mod pattern;
mod place;
mod ports;
mod sources;
mod vhdl;
mod wrapper;

pub use file::{
    Clock, Constant, Design, Edge, Handshake, Level, Order, Ordered, Places, Ports, Reset, Said, Simulator, Timing,
};
pub use guess::{Guess, Subject, guess};
pub use limits::Limits;
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
/// The tree is not as expected, a variable has two drivers, or a parameter a value that its type has not: in which file, and why.
pub fn ports(design: &Design, tree: &[String; 2]) -> Result<Vec<Port>, String> {
    ports::read(tree, design)
}

/// Whether a parameter's value is one that few parameters have: no whole number of 32 bits.
pub fn is_unusual(value: &Value) -> bool {
    value.as_bool().is_none() && value.as_integer().is_none_or(|number| i32::try_from(number).is_err())
}

/// Checks the values of a design's parameters by a syntax tree in which none is set.
///
/// # Errors
/// A parameter has a number, and is set to something else or to one that its type has not: in which file, and why.
pub fn check_unset(design: &Design, tree: &[String; 2]) -> Result<(), String> {
    ports::check_unset(tree, design)
}

/// Where the text of a syntax tree calls C or the system, and what it calls.
///
/// # Errors
/// The tree is not as expected: why.
pub fn first_call(tree: &[String; 2]) -> Result<Option<String>, String> {
    ports::both(tree).map(|[tree, files]| calls::first(&tree, &files))
}

/// What a tool says, with files as seen from the current folder.
pub fn seen_from_here(text: &str) -> String {
    text.replace(&format!("{}/", std::env::current_dir().unwrap_or_default().display()), "")
}

/// A parameter's value as Verilog has it: a number without a size has 32 bits.
fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => format!("\"{text}\""),
        Value::Integer(number) if *number > i64::from(u32::MAX) => format!("64'sd{number}"),
        Value::Integer(number) if *number < i64::from(i32::MIN) => format!("-64'sd{}", number.unsigned_abs()),
        value => plain(value),
    }
}

/// A macro's value, or a generic's.
fn plain(value: &Value) -> String {
    match value {
        Value::Boolean(value) => u8::from(*value).to_string(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}
