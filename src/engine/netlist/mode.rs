//! What runs the steps of a circuit, and what a step may be there.

use crate::isa::Isa;

/// What runs the steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The portable interpreter.
    Interpreter,
    /// Machine code of NEON.
    Neon,
    /// Machine code of AVX2.
    Avx2,
    /// Machine code of AVX-512.
    Avx512,
}

/// The tables of one operation on two operands y and z.
pub mod gates {
    pub const AND: u8 = 0x88;
    /// y and not z.
    pub const AND_NOT: u8 = 0x44;
    /// z and not y.
    pub const NOT_AND: u8 = 0x22;
    pub const OR: u8 = 0xee;
    pub const XOR: u8 = 0x66;
    /// Not z, where y is z too.
    pub const NOT: u8 = 0x55;
}

/// The tables of a selection: by which of x, y and z selects, then that which takes the first of the other two where that is
/// true, and that which takes the second.
pub const SELECTIONS: [[u8; 2]; 3] = [[0xca, 0xac], [0xe2, 0xb8], [0xe4, 0xd8]];

impl Mode {
    /// All of them, the least able first.
    pub const ALL: [Mode; 4] = [Mode::Interpreter, Mode::Neon, Mode::Avx2, Mode::Avx512];

    /// Those that the processor has, whatever the limit.
    pub fn supported() -> impl Iterator<Item = Mode> {
        Mode::ALL.into_iter().filter(|mode| mode.is_supported())
    }

    /// Whether the processor and the system have what is needed, whatever the limit.
    pub fn is_supported(self) -> bool {
        // How the caches of a processor of Arm are told of new code is known for Linux.
        self.isa().is_supported() && (self != Mode::Neon || cfg!(target_os = "linux"))
    }

    /// The fastest that the processor has and the limit allows.
    pub fn best() -> Mode {
        let best = Isa::best();
        Mode::supported().filter(|mode| mode.isa() <= best).last().unwrap_or(Mode::Interpreter)
    }

    /// The level of instructions that it needs.
    pub fn isa(self) -> Isa {
        match self {
            Mode::Interpreter => Isa::Portable,
            Mode::Neon => Isa::Neon,
            Mode::Avx2 => Isa::Avx2,
            Mode::Avx512 => Isa::Avx512,
        }
    }

    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Interpreter => "portable interpreter",
            Mode::Neon => "NEON code",
            Mode::Avx2 => "AVX2 code",
            Mode::Avx512 => "AVX-512 code",
        }
    }

    /// Registers of the machine.
    pub fn registers(self) -> usize {
        if self == Mode::Avx2 { 16 } else { 32 }
    }

    /// Whether the last operand of a step may lie in memory.
    pub fn reads_memory(self) -> bool {
        self != Mode::Neon
    }

    /// Whether every table is one step.
    pub fn has_all_tables(self) -> bool {
        matches!(self, Mode::Interpreter | Mode::Avx512)
    }

    /// Whether a table is one step on operands in registers.
    pub fn has(self, table: u8) -> bool {
        use gates::*;
        let selects = || SELECTIONS.as_flattened().contains(&table);
        match self {
            Mode::Interpreter | Mode::Avx512 => true,
            Mode::Avx2 | Mode::Neon => {
                matches!(table, AND | AND_NOT | NOT_AND | OR | XOR | NOT) || self == Mode::Neon && selects()
            }
        }
    }
}
