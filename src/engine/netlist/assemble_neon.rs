//! Machine code of NEON: an instruction a step, in one straight line, on a quarter of a plane. It is made on every processor, for
//! the tests, and run on those that have it.
//!
//! Arm Architecture Reference Manual for A-profile, C7.2 and C6.2. An instruction is a word: registers n and m are operands, d is
//! what it writes.
//!
//! ```text
//!   31 .. 21          20 .. 16  15 .. 10   9 .. 5  4 .. 0
//!   operation            m      operation     n       d     vectors
//!   operation            distance in units    n       d     from and to memory: 12 bits
//! ```

use std::io;

use super::allocate::{Place, Program, Step};
use super::mode::gates;

/// Operations on vectors of 16 bytes.
mod operation {
    pub const AND: u32 = 0x4e20_1c00;
    /// n and not m.
    pub const BIC: u32 = 0x4e60_1c00;
    pub const ORR: u32 = 0x4ea0_1c00;
    pub const EOR: u32 = 0x6e20_1c00;
    /// n where d is one, else m.
    pub const BSL: u32 = 0x6e60_1c00;
    /// n where m is one, else d.
    pub const BIT: u32 = 0x6ea0_1c00;
    /// n where m is zero, else d.
    pub const BIF: u32 = 0x6ee0_1c00;
    /// Not n.
    pub const MVN: u32 = 0x6e20_5800;
}

/// LDR and STR of 16 bytes, so many times 16 bytes behind a base.
const LOAD: u32 = 0x3dc0_0000;
const STORE: u32 = 0x3d80_0000;
/// ADD of a multiple of 4096 to X0, the argument, into X16.
const BASE: u32 = 0x9140_0000 | FAR;
/// The register with the address of planes that X0 does not reach.
const FAR: u32 = 16;
const RETURN: u32 = 0xd65f_03c0;

/// STP and LDP of the lower halves of V8 to V15, which a function of this ABI leaves as they were.
const SAVE: [u32; 4] = [0x6dbc_27e8, 0x6d01_2fea, 0x6d02_37ec, 0x6d03_3fee];
const RESTORE: [u32; 4] = [0x6d43_3fee, 0x6d42_37ec, 0x6d41_2fea, 0x6cc4_27e8];

/// Units of 16 bytes in a plane.
const PLANE: u32 = 4;
/// Units of 16 bytes that a base reaches, and units of 4096 in them.
const REACH: u32 = 4096;
const STEP: u32 = 16;
/// Units of 4096 that the argument reaches.
const FARTHEST: u32 = 4096;

/// The code of a function that gets the address of the first quarter of the planes, or of another, and answers nothing.
///
/// # Errors
/// A step is none of this machine, or there are more than a quarter of a million planes.
pub fn assemble(program: &Program) -> io::Result<Vec<u8>> {
    let mut code = Assembler { words: SAVE.to_vec(), far: 0 };
    program.steps.iter().try_for_each(|step| code.step(*step))?;
    code.words.extend(RESTORE);
    code.words.push(RETURN);
    Ok(code.words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

struct Assembler {
    words: Vec<u32>,
    /// How many reaches behind the argument X16 points, 0 where it does not.
    far: u32,
}

impl Assembler {
    fn step(&mut self, step: Step) -> io::Result<()> {
        match step {
            Step::Move { to, from: Place::Register(from) } => self.vector(operation::ORR, to, from, from),
            Step::Move { to, from: Place::Memory(plane) } => return self.memory(LOAD, plane, to),
            Step::Store { to, from } => return self.memory(STORE, to, from),
            Step::Lut { table, to, second, third: Place::Register(third) } => {
                let (operation, n, m) = operation_of(table, second, third)?;
                self.vector(operation, to, n, m);
            }
            Step::Lut { .. } => return Err(io::Error::other("NEON computes on registers only")),
        }
        Ok(())
    }

    fn vector(&mut self, operation: u32, d: u8, n: u8, m: u8) {
        self.words.push(operation | u32::from(m) << 16 | u32::from(n) << 5 | u32::from(d));
    }

    fn memory(&mut self, operation: u32, plane: u32, register: u8) -> io::Result<()> {
        let (far, near) = (plane * PLANE / REACH, plane * PLANE % REACH);
        if far * STEP >= FARTHEST {
            return Err(io::Error::other(format!("plane {plane} lies farther than NEON's code reaches")));
        }
        if far != 0 && far != self.far {
            self.words.push(BASE | (far * STEP) << 10);
            self.far = far;
        }
        let base = if far == 0 { 0 } else { FAR };
        self.words.push(operation | near << 10 | base << 5 | u32::from(register));
        Ok(())
    }
}

/// The operation of a table, and its operands n and m.
fn operation_of(table: u8, second: u8, third: u8) -> io::Result<(u32, u8, u8)> {
    Ok(match table {
        gates::AND => (operation::AND, second, third),
        gates::AND_NOT => (operation::BIC, second, third),
        gates::NOT_AND => (operation::BIC, third, second),
        gates::OR => (operation::ORR, second, third),
        gates::XOR => (operation::EOR, second, third),
        // It has no m.
        gates::NOT => (operation::MVN, third, 0),
        // What the instruction overwrites is x.
        0xca => (operation::BSL, second, third),
        0xac => (operation::BSL, third, second),
        0xb8 => (operation::BIT, third, second),
        0xe2 => (operation::BIF, third, second),
        0xd8 => (operation::BIT, second, third),
        0xe4 => (operation::BIF, second, third),
        _ => return Err(io::Error::other(format!("NEON has no operation of the table {table:#04x}"))),
    })
}
