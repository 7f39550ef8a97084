//! Targets of PTX: which GPU, and which version of the language its instructions need.

use crate::describe::instruction::{Form, Instruction, Kind};

/// A GPU by its compute capability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    /// Compute capability times ten, such as 90.
    capability: u32,
    /// Whether instructions are allowed that only this very capability has.
    specific: bool,
}

impl Target {
    /// The target for an instruction on a GPU of that compute capability times ten.
    pub fn of(instruction: &Instruction, capability: u32) -> Target {
        let of_blackwell = |kind| matches!(kind, Kind::F8f6f4 | Kind::Mxf8f6f4 | Kind::Mxf4 | Kind::Mxf4nvf4);
        let specific = match instruction.form {
            Some(Form::Mma) => instruction.kind.is_some_and(of_blackwell),
            form => matches!(form, Some(Form::Wgmma | Form::Tcgen05)),
        };
        Target { capability, specific }
    }

    /// Name, such as `sm_90a`.
    pub fn name(self) -> String {
        format!("sm_{}{}", self.capability, if self.specific { "a" } else { "" })
    }

    /// The first version of PTX that has the target and the instruction (PTX ISA, "Release Notes").
    pub(super) fn version(self, instruction: &Instruction) -> &'static str {
        let fp8 = instruction.form == Some(Form::Mma) && instruction.a.width() == 8 && instruction.a.exponent_bits > 0;
        let later = instruction.d().width() < 32 || instruction.shape.k == 16;
        let integers = instruction.a.is_integer() && instruction.form == Some(Form::Wgmma);
        let mixed_integers = integers && instruction.a != instruction.b;
        match self.capability {
            120.. => "8.7",
            _ if fp8 && later => "8.7",
            100.. => "8.6",
            _ if fp8 || mixed_integers => "8.4",
            90.. => "8.0",
            89.. => "7.8",
            80.. => "7.1",
            _ => "6.5",
        }
    }
}
