//! Machine code in memory of its own: written first, made executable then, and never both at once.

#![allow(unsafe_code, reason = "code that was made here is called")]

use std::io;

use memmap2::{Mmap, MmapMut};

use super::allocate::Program;
#[cfg(target_arch = "aarch64")]
use super::assemble_neon;
use super::mode::Mode;
use super::planes::Plane;
#[cfg(target_arch = "x86_64")]
use super::{assemble_avx2, assemble_avx512};

/// A program as machine code.
pub struct Code {
    memory: Mmap,
    mode: Mode,
    /// Where the function begins.
    entry: usize,
    /// Bytes of a plane that it computes at a time.
    part: usize,
    planes: usize,
}

impl Code {
    /// Assembles a program.
    ///
    /// # Errors
    /// The processor lacks the instructions, a step leaves registers or planes, there is no memory, or the system lets none be
    /// executed.
    pub fn new(program: &Program, mode: Mode) -> io::Result<Code> {
        if !mode.is_supported() {
            return Err(io::Error::other(format!("this processor has no {}", mode.isa().title())));
        }
        if !program.is_within_bounds(mode) {
            return Err(io::Error::other("a step uses a register or a plane that the program has not"));
        }
        let (code, entry, part) = assembled(program, mode)?;
        let mut memory = MmapMut::map_anon(code.len())?;
        memory.copy_from_slice(&code);
        let memory = memory.make_exec()?;
        #[cfg(target_arch = "aarch64")]
        publish(&memory);
        Ok(Code { memory, mode, entry, part, planes: program.planes as usize })
    }

    /// What it is made of.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Size of the code in bytes.
    pub fn bytes(&self) -> usize {
        self.memory.len() - self.entry
    }

    /// Runs the program on its planes.
    ///
    /// # Panics
    /// There are fewer planes than it uses.
    pub fn run(&self, planes: &mut [Plane]) {
        assert!(planes.len() >= self.planes, "the program uses {} planes", self.planes);
        #[cfg(target_arch = "aarch64")]
        forget_fetched();
        let first: *mut u8 = planes.as_mut_ptr().cast();
        // SAFETY: the processor has the instructions, or there were no code. The memory holds a whole function of this type,
        // which an assembler made of steps within bounds: it reads and writes a part of each of the first `planes` planes
        // behind its argument, and registers that a function of this ABI may overwrite.
        unsafe {
            let entry = self.memory.as_ptr().add(self.entry);
            #[cfg(target_arch = "x86_64")]
            let function: extern "sysv64" fn(*mut u8) = std::mem::transmute(entry);
            #[cfg(not(target_arch = "x86_64"))]
            let function: extern "C" fn(*mut u8) = std::mem::transmute(entry);
            (0..size_of::<Plane>()).step_by(self.part).for_each(|part| function(first.add(part)));
        }
    }
}

/// The code, where its function begins, and the bytes of a plane that it computes at a time.
fn assembled(program: &Program, mode: Mode) -> io::Result<(Vec<u8>, usize, usize)> {
    match mode {
        #[cfg(target_arch = "x86_64")]
        Mode::Avx512 => Ok((assemble_avx512::assemble(program)?, 0, 64)),
        #[cfg(target_arch = "x86_64")]
        Mode::Avx2 => Ok((assemble_avx2::assemble(program)?, assemble_avx2::ENTRY, 32)),
        #[cfg(target_arch = "aarch64")]
        Mode::Neon => Ok((assemble_neon::assemble(program)?, 0, 16)),
        _ => Err(io::Error::other(format!("{} is no machine code of this processor", mode.name()))),
    }
}

/// Has all processors fetch what was written as code: from data to where both meet, then instructions from there (Arm
/// Architecture Reference Manual, K11.5.2, "Instruction cache maintenance instructions").
#[cfg(target_arch = "aarch64")]
fn publish(code: &[u8]) {
    use std::arch::asm;
    let types: usize;
    // SAFETY: Linux lets a program read this register.
    unsafe { asm!("mrs {}, ctr_el0", out(reg) types, options(nomem, nostack, preserves_flags)) };
    // Both are logarithms of numbers of words of 4 bytes.
    let (data, instructions) = (4 << (types >> 16 & 15), 4 << (types & 15));
    let range = code.as_ptr_range();
    let lines = |line: usize| (range.start as usize & !(line - 1)..range.end as usize).step_by(line);
    // SAFETY: the addresses are those of memory that is there; caches are told of it, and nothing else changes.
    unsafe {
        lines(data).for_each(|line| asm!("dc cvau, {}", in(reg) line, options(nostack, preserves_flags)));
        asm!("dsb ish", options(nostack, preserves_flags));
        lines(instructions).for_each(|line| asm!("ic ivau, {}", in(reg) line, options(nostack, preserves_flags)));
        asm!("dsb ish", "isb", options(nostack, preserves_flags));
    }
}

/// Has this processor forget what it fetched before: the code may have been written on another one.
#[cfg(target_arch = "aarch64")]
fn forget_fetched() {
    // SAFETY: it changes no memory and no register.
    unsafe { std::arch::asm!("isb", options(nostack, preserves_flags)) };
}
