//! Exception flags of a unit, and where they stand in what it answers. Decides none of them.
//!
//! A unit with `conversion.flags` answers one word: its flags above the bits of d. Engines, vectors and case files hold that
//! word; the SystemVerilog has a port of its own for the flags.
//!
//! ```text
//!   word      | invalid | overflow | d .......... |
//!   flags_o   |    1    |    0     |               the order of NV and OF in RISC-V fflags
//! ```

use super::Unit;

/// The exceptions of one evaluation (IEEE 754-2019, 7.2 and 7.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags {
    /// A signalling NaN operand, infinity times zero, or infinite terms of both signs; beside a quiet NaN too.
    pub invalid: bool,
    /// The largest finite number is exceeded by what would be the rounded result with an unbounded exponent.
    pub overflow: bool,
}

impl Flags {
    /// Number of flags.
    pub const WIDTH: u32 = 2;
    /// Bit of overflow, from the first bit above d.
    pub const OVERFLOW_BIT: u32 = 0;
    /// Bit of invalid.
    pub const INVALID_BIT: u32 = 1;

    /// The flags as a number of `WIDTH` bits.
    pub fn bits(self) -> u64 {
        u64::from(self.overflow) << Flags::OVERFLOW_BIT | u64::from(self.invalid) << Flags::INVALID_BIT
    }

    /// The names of the flags that are raised.
    pub fn names(self) -> Vec<&'static str> {
        let all = [(self.invalid, "invalid"), (self.overflow, "overflow")];
        all.into_iter().filter(|(raised, _)| *raised).map(|(_, name)| name).collect()
    }
}

impl Unit {
    /// Bits of the word that the unit answers.
    pub fn answer_width(&self) -> u32 {
        self.formats.d.width() + if self.conversion.flags { Flags::WIDTH } else { 0 }
    }

    /// The word of a result and its flags, which count only where the unit has them.
    pub fn answer(&self, d: u64, flags: Flags) -> u64 {
        match self.conversion.flags {
            true => d | flags.bits() << self.formats.d.width(),
            false => d,
        }
    }

    /// Result and flags of a word that the unit answered.
    pub fn split_answer(&self, word: u64) -> (u64, Option<Flags>) {
        if !self.conversion.flags {
            return (word, None);
        }
        let bit = |bit: u32| word >> (self.formats.d.width() + bit) & 1 == 1;
        let flags = Flags { invalid: bit(Flags::INVALID_BIT), overflow: bit(Flags::OVERFLOW_BIT) };
        (word & self.formats.d.mask(), Some(flags))
    }
}
