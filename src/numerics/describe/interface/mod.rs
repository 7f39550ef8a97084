//! What goes into a unit or an instruction and comes out: formats and sizes. Says nothing of how results are computed.

#![doc = include_str!("INTERFACE_FILE.md")]

mod file;

pub use file::documentation;

use std::ops::Deref;

use super::instruction::Instruction;
use super::subject::Subject;
use super::unit::{Flags, Formats, Scales, Unit};

/// Formats and sizes of vectors and answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    /// That of the unit or the instruction.
    pub name: String,
    /// K: all products of one result.
    pub products: u32,
    pub formats: Formats,
    /// Formats of the scales, and how many products share one; without groups, which only say how they are summed.
    pub scales: Option<Scales>,
    /// Whether flags stand above the result: see [`Flags`].
    pub flags: bool,
}

impl Interface {
    /// Whether there is an addend c.
    pub fn has_addend(&self) -> bool {
        self.formats.has_addend()
    }

    /// Scales of a, and as many of b.
    pub fn scale_count(&self) -> u32 {
        self.scales.as_ref().map_or(0, |scales| self.products / scales.block)
    }

    /// Bits of a scale of a, and of one of b.
    pub fn scale_widths(&self) -> [u32; 2] {
        self.scales.as_ref().map_or([0; 2], |scales| [scales.a.width(), scales.b.width()])
    }

    /// Bits of all operands, scales and the addend together.
    pub fn input_bits(&self) -> u32 {
        let scale_bits = self.scale_widths().into_iter().sum::<u32>();
        let formats = &self.formats;
        self.products * (formats.a.width() + formats.b.width()) + self.scale_count() * scale_bits + formats.c.width()
    }

    /// Bits of the word that is answered.
    pub fn answer_width(&self) -> u32 {
        Flags::answer_width(&self.formats.d, self.flags)
    }

    /// Result and flags of a word that was answered.
    pub fn split_answer(&self, word: u64) -> (u64, Option<Flags>) {
        Flags::split_answer(&self.formats.d, self.flags, word)
    }
}

/// An interface, and the unit behind it whose sums the vectors are shaped for. It need not compute what is asked there: of an
/// instruction it is the unit of one block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    pub interface: Interface,
    pub unit: Unit,
}

impl Deref for Frame {
    type Target = Interface;

    fn deref(&self) -> &Interface {
        &self.interface
    }
}

impl Unit {
    pub fn interface(&self) -> Interface {
        Interface {
            name: self.name.clone(),
            products: self.products,
            formats: self.formats.clone(),
            scales: self.scales.clone().map(|scales| Scales { group: None, ..scales }),
            flags: self.conversion.flags,
        }
    }
}

impl Instruction {
    /// K products of the instruction's operands.
    pub fn interface(&self) -> Interface {
        let [a, b, c] = [&self.a, &self.b, &self.c].map(Clone::clone);
        Interface {
            name: self.name.clone(),
            products: self.shape.k,
            formats: Formats { a, b, c, d: self.d().clone() },
            ..self.unit.interface()
        }
    }

    pub fn frame(&self) -> Frame {
        Frame { interface: self.interface(), unit: self.unit.clone() }
    }
}

impl Subject {
    pub fn interface(&self) -> Interface {
        match self {
            Subject::Unit(unit) => unit.interface(),
            Subject::Instruction(instruction) => instruction.interface(),
        }
    }

    pub fn frame(&self) -> Frame {
        match self {
            Subject::Unit(unit) => unit.into(),
            Subject::Instruction(instruction) => instruction.frame(),
        }
    }
}

impl From<&Unit> for Frame {
    fn from(unit: &Unit) -> Frame {
        Frame { interface: unit.interface(), unit: unit.clone() }
    }
}

impl From<&Frame> for Frame {
    fn from(frame: &Frame) -> Frame {
        frame.clone()
    }
}
