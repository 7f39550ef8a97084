//! Machine code in memory of its own: written first, made executable then, and never both at once.

#![allow(unsafe_code, reason = "code that was made here is called")]

use std::io;

use memmap2::{Mmap, MmapMut};

use super::allocate::Program;
use super::assemble::assemble;
use super::planes::Plane;
use crate::isa::Isa;

/// A program as machine code.
pub struct Code {
    memory: Mmap,
    bytes: usize,
    planes: usize,
}

impl Code {
    /// Assembles a program.
    ///
    /// # Errors
    /// A step leaves registers or planes, there is no memory, or the system lets none be executed.
    pub fn new(program: &Program) -> io::Result<Code> {
        if !program.is_within_bounds() {
            return Err(io::Error::other("a step uses a register or a plane that the program has not"));
        }
        let code = assemble(program).map_err(io::Error::other)?;
        let mut memory = MmapMut::map_anon(code.len())?;
        memory.copy_from_slice(&code);
        Ok(Code { memory: memory.make_exec()?, bytes: code.len(), planes: program.planes as usize })
    }

    /// Size of the code in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Runs the program on its planes.
    ///
    /// # Panics
    /// There are fewer planes than it uses, or the processor lacks the instructions.
    pub fn run(&self, planes: &mut [Plane]) {
        assert!(Isa::Avx512.is_supported() && planes.len() >= self.planes, "the program uses {} planes", self.planes);
        // SAFETY: the memory holds a whole function of this type, which `assemble` made of steps within bounds: it reads and
        // writes the first `planes` planes behind its argument, and registers that a function of this ABI may overwrite.
        unsafe {
            let function: extern "sysv64" fn(*mut Plane) = std::mem::transmute(self.memory.as_ptr());
            function(planes.as_mut_ptr());
        }
    }
}
