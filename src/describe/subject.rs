//! What answers vectors: a unit by itself, or an instruction that composes units.

use super::catalogue;
use super::instruction::Instruction;
use super::unit::Unit;

/// A unit or an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "one subject a comparison")]
pub enum Subject {
    Unit(Unit),
    Instruction(Instruction),
}

impl Subject {
    /// The unit or the instruction of that name in the catalogue.
    pub fn named(name: &str) -> Option<Subject> {
        let instruction = || catalogue::instruction(name).map(Subject::Instruction);
        catalogue::unit(name).map(Subject::Unit).or_else(instruction)
    }

    /// Name in the catalogue or in the user's file.
    pub fn name(&self) -> &str {
        match self {
            Subject::Unit(unit) => &unit.name,
            Subject::Instruction(instruction) => &instruction.name,
        }
    }

    /// The unit, or the frame of the instruction: formats and number of operands of one vector. A frame computes nothing.
    pub fn frame(&self) -> Unit {
        match self {
            Subject::Unit(unit) => unit.clone(),
            Subject::Instruction(instruction) => instruction.frame(),
        }
    }
}

impl From<Unit> for Subject {
    fn from(unit: Unit) -> Subject {
        Subject::Unit(unit)
    }
}

impl From<Instruction> for Subject {
    fn from(instruction: Instruction) -> Subject {
        Subject::Instruction(instruction)
    }
}
