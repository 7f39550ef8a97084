//! Machine code of AVX2: one instruction a step, in one straight line, on half a plane.

use std::io;

use iced_x86::{Code, Encoder, Instruction, MemoryOperand, Register};

use super::allocate::{Place, Program, Step};
use super::mode::gates;

/// Bytes of a plane, and of what a register holds.
const PLANE: i64 = 64;
const HALF: usize = 32;
/// Where the function begins: ones stand before it, by which an inverter inverts.
pub const ENTRY: usize = HALF;

/// The code of a function that gets the address of the first half of the planes, or of the second, and answers nothing.
///
/// # Errors
/// The assembler refuses an instruction, or a step is none of this machine.
pub fn assemble(program: &Program) -> io::Result<Vec<u8>> {
    let mut encoder = Encoder::new(64);
    let mut code = vec![0xff; ENTRY];
    let end = [Code::VEX_Vzeroupper, Code::Retnq].map(|code| Ok(Instruction::with(code)));
    for instruction in program.steps.iter().map(|step| instruction(*step)).chain(end) {
        encoder.encode(&instruction?, code.len() as u64).map_err(io::Error::other)?;
        code.extend(encoder.take_buffer());
    }
    Ok(code)
}

fn instruction(step: Step) -> io::Result<Instruction> {
    let instruction = match step {
        Step::Move { to, from: Place::Register(from) } => {
            Instruction::with2(Code::VEX_Vmovdqa_ymm_ymmm256, ymm(to), ymm(from))
        }
        Step::Move { to, from: Place::Memory(plane) } => {
            Instruction::with2(Code::VEX_Vmovdqa_ymm_ymmm256, ymm(to), memory(plane))
        }
        Step::Store { to, from } => Instruction::with2(Code::VEX_Vmovdqa_ymmm256_ymm, memory(to), ymm(from)),
        Step::Lut { table, to, second, third } => {
            let code = match table {
                gates::AND => Code::VEX_Vpand_ymm_ymm_ymmm256,
                gates::NOT_AND => Code::VEX_Vpandn_ymm_ymm_ymmm256,
                gates::OR => Code::VEX_Vpor_ymm_ymm_ymmm256,
                gates::XOR | gates::NOT => Code::VEX_Vpxor_ymm_ymm_ymmm256,
                _ => return Err(io::Error::other(format!("AVX2 has no operation of the table {table:#04x}"))),
            };
            match third {
                _ if table == gates::NOT => Instruction::with3(code, ymm(to), ymm(second), ones()),
                Place::Register(third) => Instruction::with3(code, ymm(to), ymm(second), ymm(third)),
                Place::Memory(plane) => Instruction::with3(code, ymm(to), ymm(second), memory(plane)),
            }
        }
    };
    instruction.map_err(io::Error::other)
}

fn ymm(number: u8) -> Register {
    Register::YMM0 + u32::from(number)
}

fn memory(plane: u32) -> MemoryOperand {
    MemoryOperand::with_base_displ(Register::RDI, i64::from(plane) * PLANE)
}

/// Relative to the instruction; what is given is counted from the beginning of the code.
fn ones() -> MemoryOperand {
    MemoryOperand::with_base_displ(Register::RIP, 0)
}
