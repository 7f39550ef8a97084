//! Runs a circuit on planes: as machine code, or interpreted.

use std::io;

use super::allocate::{Program, allocate};
use super::circuit::Circuit;
use super::code::Code;
use super::interpret::interpret;
use super::mode::Mode;
use super::order::ordered;
use super::planes::Plane;
use super::split::split;

/// A circuit ready to run.
pub struct Runner {
    program: Program,
    code: Option<Code>,
}

/// The steps of a circuit: in operations that there are, in a good order, in registers.
pub fn program(circuit: &Circuit, mode: Mode) -> Program {
    allocate(&ordered(&split(circuit, mode), mode), mode)
}

impl Runner {
    /// Orders a circuit and gives it registers.
    ///
    /// # Errors
    /// The code finds no memory that may be executed, or the processor has not the instructions that are asked for.
    pub fn new(circuit: &Circuit, mode: Mode) -> io::Result<Runner> {
        Runner::of_program(program(circuit, mode), mode)
    }

    /// Runs these steps.
    ///
    /// # Errors
    /// The same.
    pub fn of_program(program: Program, mode: Mode) -> io::Result<Runner> {
        let code = (mode != Mode::Interpreter).then(|| Code::new(&program, mode)).transpose()?;
        Ok(Runner { code, program })
    }

    /// Number of planes that it uses: the inputs, then the outputs, then its own.
    pub fn planes(&self) -> usize {
        self.program.planes as usize
    }

    /// Number of steps.
    pub fn steps(&self) -> usize {
        self.program.steps.len()
    }

    /// What runs them.
    pub fn mode(&self) -> Mode {
        self.code.as_ref().map_or(Mode::Interpreter, Code::mode)
    }

    /// Size of the machine code, if that is what runs.
    pub fn code_bytes(&self) -> Option<usize> {
        self.code.as_ref().map(Code::bytes)
    }

    /// Sets the planes of constant outputs, which no step writes.
    pub fn prepare(&self, planes: &mut [Plane]) {
        for &(plane, value) in &self.program.constants {
            planes[plane as usize] = Plane([if value { u64::MAX } else { 0 }; 8]);
        }
    }

    /// Computes the outputs from the inputs.
    pub fn run(&self, planes: &mut [Plane]) {
        match &self.code {
            Some(code) => code.run(planes),
            None => interpret(&self.program, planes),
        }
    }
}
