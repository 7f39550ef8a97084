//! `wgmma.mma_async`: a warpgroup multiplies matrices of which B, and A or not, lie in shared memory behind descriptors.
//! Layouts: PTX ISA 9.7.15.5.1. Only K-major matrices without swizzle are read; the order of fences is kept by `hazards`.

use std::sync::Arc;

use tensorsmith::describe::instruction::Instruction;

use super::arithmetic::Operands;
use super::{Fragment, Shape};
use crate::driver::codes;
use crate::ptx::program::Register;
use crate::run::{Cta, KernelError, LANES, Outcome};

/// Threads of a warpgroup.
const WARPGROUP: usize = 4 * LANES;
/// A core matrix is 8 rows of 16 bytes.
const CORE_ROWS: u64 = 8;
const CORE_BYTES: u64 = 16;

/// Where A lies.
#[derive(Debug, Clone)]
pub enum MultiplicandA {
    Registers(Fragment),
    Descriptor(Register),
}

/// A read instruction.
#[derive(Debug, Clone)]
pub struct Wgmma {
    pub shape: Shape,
    /// The accumulator, C and D.
    pub d: Fragment,
    pub a: MultiplicandA,
    pub a_element: super::Element,
    pub b: Register,
    pub b_element: super::Element,
    /// The predicate scale-d: without it C is zero.
    pub scale_d: Register,
    pub negate_a: bool,
    pub negate_b: bool,
    pub instruction: Arc<Instruction>,
}

/// A matrix descriptor, "Matrix Descriptor Format": byte offsets in units of 16.
struct Descriptor {
    start: u64,
    /// Between core matrices that follow each other in K.
    leading: u64,
    /// Between core matrices that follow each other in M or N.
    stride: u64,
}

impl Descriptor {
    fn read(bits: u64) -> Outcome<Descriptor> {
        let field = |low: u32| (bits >> low & 0x3fff) << 4;
        let (base_offset, swizzle) = (bits >> 49 & 0x7, bits >> 62);
        let known = 0x3fff | 0x3fff << 16 | 0x3fff << 32;
        if swizzle != 0 || base_offset != 0 || bits & !known != 0 {
            let message = format!(
                "matrix descriptor {bits:#018x}: swizzle {swizzle}, base offset {base_offset}, or bits outside of all fields"
            );
            return Err(KernelError::new(codes::LAUNCH_FAILED, message));
        }
        Ok(Descriptor { start: field(0), leading: field(16), stride: field(32) })
    }

    /// Address of element (row, k) of a K-major matrix; rows are those of M or N.
    fn address(&self, row: usize, k: usize, element_bytes: u64) -> u64 {
        let (row, k) = (row as u64, k as u64);
        let per_core = CORE_BYTES / element_bytes;
        self.start
            + row % CORE_ROWS * CORE_BYTES
            + row / CORE_ROWS * self.stride
            + k / per_core * self.leading
            + k % per_core * element_bytes
    }
}

/// Row and column of element i of the accumulator (figure 149): warp w has rows 16 w to 16 w + 15.
fn of_d(thread: usize, i: usize) -> (usize, usize) {
    let (warp, lane) = (thread / LANES, thread % LANES);
    (16 * warp + (lane >> 2) + (i & 0b10) * 4, i / 4 * 8 + lane % 4 * 2 + (i & 1))
}

/// Row and column of element i of A in registers (figures 148, 150, 152): pairs, single words or fours of a row.
fn of_a(thread: usize, i: usize, per_register: usize) -> (usize, usize) {
    let (warp, lane) = (thread / LANES, thread % LANES);
    let (register, within) = (i / per_register, i % per_register);
    let row = 16 * warp + (lane >> 2) + (register & 1) * 8;
    (row, (register >> 1) * 4 * per_register + lane % 4 * per_register + within)
}

impl Wgmma {
    /// Every warpgroup multiplies.
    pub fn run(&self, cta: &mut Cta) -> Outcome<()> {
        if !cta.threads().is_multiple_of(WARPGROUP) || !cta.all_active() {
            let message = "wgmma needs whole warpgroups of 128 threads, all of them active";
            return Err(KernelError::new(codes::LAUNCH_FAILED, message));
        }
        let a_registers = match &self.a {
            MultiplicandA::Registers(fragment) => fragment.registers.as_slice(),
            MultiplicandA::Descriptor(_) => &[],
        };
        cta.start_wgmma(&self.d.registers, a_registers)?;
        for first in (0..cta.threads()).step_by(WARPGROUP) {
            self.run_warpgroup(cta, first)?;
        }
        Ok(())
    }

    /// The value of a register that is the same in the whole warpgroup.
    fn uniform(cta: &Cta, register: Register, first: usize) -> Outcome<u64> {
        let value = cta.register(register, first);
        match (first..first + WARPGROUP).all(|thread| cta.register(register, thread) == value) {
            true => Ok(value),
            false => {
                Err(KernelError::new(codes::LAUNCH_FAILED, "wgmma: threads of a warpgroup disagree on an operand"))
            }
        }
    }

    fn run_warpgroup(&self, cta: &mut Cta, first: usize) -> Outcome<()> {
        let Shape { m, n, k } = self.shape;
        let sign = |negate: bool, element: super::Element| if negate { element.sign().unwrap_or(0) } else { 0 };
        let (sign_a, sign_b) = (sign(self.negate_a, self.a_element), sign(self.negate_b, self.b_element));
        let mut operands = Operands::new(self.shape);
        match &self.a {
            MultiplicandA::Descriptor(register) => {
                let descriptor = Descriptor::read(Self::uniform(cta, *register, first)?)?;
                let bytes = u64::from(self.a_element.container()) / 8;
                for row in 0..m {
                    for k in 0..k {
                        let value = cta.load_async(descriptor.address(row, k, bytes), bytes as usize)?;
                        *operands.a_mut(row, k) = value ^ sign_a;
                    }
                }
            }
            MultiplicandA::Registers(fragment) => {
                for thread in 0..WARPGROUP {
                    for i in 0..fragment.len() {
                        let (row, k) = of_a(thread, i, fragment.element.per_register());
                        *operands.a_mut(row, k) = fragment.get(cta, first + thread, i) ^ sign_a;
                    }
                }
            }
        }
        let descriptor = Descriptor::read(Self::uniform(cta, self.b, first)?)?;
        let bytes = u64::from(self.b_element.container()) / 8;
        for column in 0..n {
            for k in 0..k {
                let value = cta.load_async(descriptor.address(column, k, bytes), bytes as usize)?;
                *operands.b_mut(k, column) = value ^ sign_b;
            }
        }
        if Self::uniform(cta, self.scale_d, first)? != 0 {
            for thread in 0..WARPGROUP {
                for i in 0..self.d.len() {
                    let (row, column) = of_d(thread, i);
                    *operands.c_mut(row, column) = self.d.get(cta, first + thread, i);
                }
            }
        }
        let d = operands.multiply(&self.instruction, cta.fault())?;
        let place = |thread, i| {
            let (row, column) = of_d(thread, i);
            row * n + column
        };
        let held = |thread: usize| (0..self.d.len()).map(|i| d[place(thread, i)]).collect();
        let results: Vec<Vec<u64>> = (0..WARPGROUP).map(held).collect();
        cta.deliver(&self.d, first, results);
        Ok(())
    }
}
