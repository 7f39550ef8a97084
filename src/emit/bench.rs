//! A test bench for a module with the ports of an emitted one, and the lines of the file that holds its vectors.

use dashu_int::UBig;
use tera::Context;

use super::shape::ports;
use super::{EmitError, SourceFile, context, render_with};
use crate::describe::interface::Interface;

/// What a bench is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Language {
    /// SystemVerilog, for any simulator
    Sv,
    /// Python, for a simulator under cocotb
    Cocotb,
}

/// A test bench: of which module, and with which vectors.
#[derive(Debug, Clone)]
pub struct Bench<'a> {
    pub language: Language,
    /// Name of the module.
    pub module: &'a str,
    /// Its ports.
    pub interface: &'a Interface,
    /// Edges of `clk_i` with `ce_i` = 1 after which a result comes; 0 of a module without these ports.
    pub latency: u32,
    /// Lines of the file of vectors.
    pub vectors: u64,
    /// What the vectors are.
    pub what: &'a str,
    /// The command that writes the files again.
    pub command: &'a str,
}

impl Bench<'_> {
    /// Most vectors: a bench counts them in 32 bits.
    pub const VECTORS_MAX: u64 = 1 << 30;

    /// Name of the file of vectors.
    pub fn vectors_file(module: &str) -> String {
        format!("{module}_vectors.hex")
    }

    /// The bench.
    ///
    /// # Errors
    /// A template is broken.
    pub fn render(&self) -> Result<SourceFile, EmitError> {
        let mut context = Context::new();
        context::stream(self.interface, &mut context);
        let latency = (self.latency > 0).then(|| (self.latency, String::new()));
        context.insert("shape", &ports(self.interface, "products of a result", latency));
        context.insert("unit", &self.interface.name);
        context.insert("module", self.module);
        context.insert("command", self.command);
        context.insert("what", self.what);
        context.insert("pipelined", &(self.latency > 0));
        context.insert("latency", &self.latency);
        context.insert("vectors", &self.vectors);
        let (template, ending) = match self.language {
            Language::Sv => ("test.sv", "sv"),
            Language::Cocotb => ("test.py", "py"),
        };
        Ok(SourceFile { name: format!("{}_test.{ending}", self.module), text: render_with(template, &context)? })
    }
}

/// A line of a memory file, in hexadecimal: the elements of each operand with their width, from the lowest bit up; of each the
/// first element lowest. Operands of a vector are a, b, scales of a, scales of b, c, then d and flags.
pub fn line<const COUNT: usize>(operands: [(&[u64], u32); COUNT]) -> String {
    let (mut word, mut place) = (UBig::ZERO, 0);
    for (elements, width) in operands {
        for element in elements {
            word |= UBig::from(*element) << place;
            place += width as usize;
        }
    }
    format!("{word:0digits$x}", digits = place.div_ceil(4))
}
