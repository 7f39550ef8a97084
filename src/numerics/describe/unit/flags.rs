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
use crate::describe::file::{FileError, Given};
use crate::describe::format::Format;

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

    /// Bits of the word that is answered with a result d, with flags or without.
    pub(in crate::describe) fn answer_width(d: &Format, flags: bool) -> u32 {
        d.width() + if flags { Flags::WIDTH } else { 0 }
    }

    /// Result and flags of that word.
    pub(in crate::describe) fn split_answer(d: &Format, flags: bool, word: u64) -> (u64, Option<Flags>) {
        if !flags {
            return (word, None);
        }
        let bit = |bit: u32| word >> (d.width() + bit) & 1 == 1;
        (word & d.mask(), Some(Flags { invalid: bit(Flags::INVALID_BIT), overflow: bit(Flags::OVERFLOW_BIT) }))
    }
}

/// Reads `conversion.flags`: whether there are flags, or the list of both.
pub(super) fn read(unit: &mut Unit, given: &Given) -> Result<(), FileError> {
    let value = given.parse::<toml::Value>()?;
    let names =
        |list: &[toml::Value]| list.iter().map(|name| name.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>();
    unit.conversion.flags = match &value {
        toml::Value::Boolean(flags) => *flags,
        toml::Value::Array(list) if list.is_empty() => false,
        toml::Value::Array(list) if names(list).is_some_and(|names| names == ["overflow", "invalid"]) => true,
        other => return Err(given.refuse(other, "false, true, [\"overflow\", \"invalid\"]")),
    };
    Ok(())
}

impl Unit {
    /// Bits of the word that the unit answers.
    pub fn answer_width(&self) -> u32 {
        Flags::answer_width(&self.formats.d, self.conversion.flags)
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
        Flags::split_answer(&self.formats.d, self.conversion.flags, word)
    }
}
