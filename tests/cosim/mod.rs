//! The same vectors through emulator, reference, RTL and Icarus: every unit of the catalogue.

use crate::support;
use crate::support::strategies;

mod bounds;
mod catalogue;
mod cdna3;
mod families;
mod fma;
mod instructions;
mod matrices;
mod observer;
mod operations;
mod own_instructions;
mod own_recordings;
mod properties;
mod random_units;
mod recordings;
mod riscv;
mod scales;
mod second_simulator;
mod threads;
mod traces;
mod whole_matrices;
mod wide;

use tensorsmith::check::compare::{Comparison, Source, compare};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::engine::{Engine, Kind};

/// The engine of an instruction; where there is none, the check is skipped.
fn open(check: &str, instruction: &Instruction, kind: Kind) -> Option<Box<dyn Engine>> {
    support::ready(check, kind, kind.open_instruction(instruction).expect("the engine starts"))
}

fn emulator(instruction: &Instruction) -> Box<dyn Engine> {
    open("emulator", instruction, Kind::Emulator).expect("the emulator always runs")
}

/// The engines against each other on shaped vectors of an instruction.
fn run(engines: Vec<Box<dyn Engine>>, instruction: &Instruction, seed: u64, count: u64) -> Comparison {
    let source = Source::Shaped { stimulus: Stimulus::shaped(instruction.frame(), seed), count };
    compare(engines, &source, &mut |_| {}).expect("the engines answer")
}

fn transposed(elements: &[u64], rows: usize, columns: usize) -> Vec<u64> {
    (0..columns).flat_map(|column| (0..rows).map(move |row| elements[row * columns + column])).collect()
}
