//! PTX text to a program: the subset that the fake executes, as NVIDIA's PTX ISA defines it. Whatever is not understood is an
//! error with the line and its text; nothing is passed over in silence.

mod block;
mod directives;
mod instructions;
mod matrices;
mod module;
mod operands;
pub mod program;
mod target;
mod text;
pub mod types;

pub use module::parse;
pub use target::{DRIVER_VERSION, Target};

use crate::driver::codes::{self, Code};

/// Why a text is no program for this device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PtxError {
    pub code: Code,
    /// As it goes to the error log of the caller.
    pub message: String,
}

impl PtxError {
    /// An error of a line of the text.
    pub fn at(line: u32, message: impl AsRef<str>) -> PtxError {
        let message = format!("ptxas application ptx input, line {line}; error   : {}", message.as_ref());
        PtxError { code: codes::INVALID_PTX, message }
    }

    /// An error of the whole text.
    pub fn fatal(code: Code, message: impl AsRef<str>) -> PtxError {
        PtxError { code, message: format!("ptxas fatal   : {}", message.as_ref()) }
    }
}

/// What a part of the text became.
pub type Parsed<T> = Result<T, PtxError>;
