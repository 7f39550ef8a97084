//! Runs a circuit on planes: as machine code, or interpreted.

use std::io;

use super::allocate::{Program, allocate};
use super::circuit::{Circuit, Output};
#[cfg(target_arch = "x86_64")]
use super::code::Code;
use super::interpret::interpret;
use super::order::ordered;
use super::planes::Plane;
#[cfg(target_arch = "x86_64")]
use crate::isa::Isa;

/// What runs the steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Machine code of AVX-512.
    Code,
    /// The portable interpreter.
    Interpreter,
}

impl Mode {
    /// The fastest that the processor has.
    pub fn best() -> Mode {
        #[cfg(target_arch = "x86_64")]
        if Isa::best() == Isa::Avx512 {
            return Mode::Code;
        }
        Mode::Interpreter
    }

    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Code => "AVX-512 code",
            Mode::Interpreter => "portable interpreter",
        }
    }
}

/// A circuit ready to run.
pub struct Runner {
    program: Program,
    #[cfg(target_arch = "x86_64")]
    code: Option<Code>,
}

impl Runner {
    /// Orders a circuit and gives it registers.
    ///
    /// # Errors
    /// The code finds no memory that may be executed, or the processor has not the instructions that are asked for.
    pub fn new(circuit: &Circuit, mode: Mode) -> io::Result<Runner> {
        Runner::of_program(allocate(&ordered(circuit)), mode)
    }

    /// Runs these steps.
    ///
    /// # Errors
    /// The same.
    pub fn of_program(program: Program, mode: Mode) -> io::Result<Runner> {
        #[cfg(target_arch = "x86_64")]
        return Ok(Runner { code: (mode == Mode::Code).then(|| Code::new(&program)).transpose()?, program });
        #[cfg(not(target_arch = "x86_64"))]
        match mode {
            Mode::Interpreter => Ok(Runner { program }),
            Mode::Code => Err(io::Error::other("this is no x86-64 processor")),
        }
    }

    /// Number of planes that it uses: the inputs, then the outputs, then its own.
    pub fn planes(&self) -> usize {
        self.program.planes as usize
    }

    /// Number of steps.
    pub fn steps(&self) -> usize {
        self.program.steps.len()
    }

    pub fn mode(&self) -> Mode {
        if self.code_bytes().is_some() { Mode::Code } else { Mode::Interpreter }
    }

    /// Size of the machine code, if that is what runs.
    pub fn code_bytes(&self) -> Option<usize> {
        #[cfg(target_arch = "x86_64")]
        return self.code.as_ref().map(Code::bytes);
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// Sets the planes of constant outputs, which no step writes.
    pub fn prepare(&self, circuit: &Circuit, planes: &mut [Plane]) {
        for (output, plane) in circuit.outputs.iter().zip(&mut planes[circuit.inputs as usize..]) {
            if let Output::Constant(value) = output {
                *plane = Plane([if *value { u64::MAX } else { 0 }; 8]);
            }
        }
    }

    /// Computes the outputs from the inputs.
    pub fn run(&self, planes: &mut [Plane]) {
        #[cfg(target_arch = "x86_64")]
        if let Some(code) = &self.code {
            return code.run(planes);
        }
        interpret(&self.program, planes);
    }
}
