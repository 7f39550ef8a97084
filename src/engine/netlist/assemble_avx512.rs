//! Machine code of AVX-512: one instruction a step, in one straight line.

use std::io;

use iced_x86::{Code, Encoder, IcedError, Instruction, MemoryOperand, Register};

use super::allocate::{Place, Program, Step};

/// Bytes of a plane.
const PLANE: i64 = 64;
/// Planes that one base register reaches with a short displacement: 128 before it, 127 behind it.
const REACH: i64 = 256;
/// Registers that a function may overwrite (System V ABI): each holds another place of the memory. RDI is the argument.
const BASES: [Register; 9] = [
    Register::RDI,
    Register::RSI,
    Register::RDX,
    Register::RCX,
    Register::R8,
    Register::R9,
    Register::R10,
    Register::R11,
    Register::RAX,
];

/// The code of a function that gets the address of the planes and answers nothing.
///
/// # Errors
/// The assembler refuses an instruction.
pub fn assemble(program: &Program) -> io::Result<Vec<u8>> {
    encoded(program).map_err(io::Error::other)
}

fn encoded(program: &Program) -> Result<Vec<u8>, IcedError> {
    let mut encoder = Encoder::new(64);
    // Nothing is relative to the place of an instruction: that place is not told.
    let mut add = |instruction: Instruction| encoder.encode(&instruction, 0).map(drop);
    // The argument itself comes last, for all others are made from it.
    for (index, &base) in BASES.iter().enumerate().rev() {
        let middle = (index as i64 * REACH + REACH / 2) * PLANE;
        let place = MemoryOperand::with_base_displ(Register::RDI, middle);
        add(Instruction::with2(Code::Lea_r64_m, base, place)?)?;
    }
    for step in &program.steps {
        add(instruction(*step)?)?;
    }
    add(Instruction::with(Code::VEX_Vzeroupper))?;
    add(Instruction::with(Code::Retnq))?;
    Ok(encoder.take_buffer())
}

fn instruction(step: Step) -> Result<Instruction, IcedError> {
    match step {
        Step::Move { to, from: Place::Register(from) } => {
            Instruction::with2(Code::EVEX_Vmovdqa64_zmm_k1z_zmmm512, zmm(to), zmm(from))
        }
        Step::Move { to, from: Place::Memory(plane) } => {
            Instruction::with2(Code::EVEX_Vmovdqa64_zmm_k1z_zmmm512, zmm(to), memory(plane))
        }
        Step::Store { to, from } => Instruction::with2(Code::EVEX_Vmovdqa64_zmmm512_k1z_zmm, memory(to), zmm(from)),
        Step::Lut { table, to, second, third } => {
            let code = Code::EVEX_Vpternlogq_zmm_k1z_zmm_zmmm512b64_imm8;
            let table = u32::from(table);
            match third {
                Place::Register(third) => Instruction::with4(code, zmm(to), zmm(second), zmm(third), table),
                Place::Memory(plane) => Instruction::with4(code, zmm(to), zmm(second), memory(plane), table),
            }
        }
    }
}

fn zmm(number: u8) -> Register {
    Register::ZMM0 + u32::from(number)
}

fn memory(plane: u32) -> MemoryOperand {
    let plane = i64::from(plane);
    let base = (plane / REACH).min(BASES.len() as i64 - 1);
    let displacement = (plane - base * REACH - REACH / 2) * PLANE;
    MemoryOperand::with_base_displ(BASES[base as usize], displacement)
}
