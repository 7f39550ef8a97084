//! One block of threads. Control flow must be the same for all of its threads: they have one program counter.

use super::hazards::Hazards;
use super::shared::Shared;
use super::{KernelError, LANES, Launch, Outcome, compute};
use crate::driver::codes;
use crate::driver::config::Fault;
use crate::matrix::Fragment;
use crate::ptx::program::{Operation, Register, Source, Special, Statement};

/// Statements that a block may execute; more is taken for an endless loop.
const MOST_STEPS: u64 = 500_000;
/// What registers hold before they are written.
const GARBAGE: u64 = 0xa5a5_a5a5_a5a5_a5a5;

/// A block while it runs.
pub struct Cta<'a> {
    pub(super) launch: &'a Launch<'a>,
    id: [u32; 3],
    threads: usize,
    /// Register by register, all threads of each.
    registers: Vec<u64>,
    /// Threads that have not returned.
    alive: Vec<bool>,
    /// Threads that execute the current statement.
    pub(super) active: Vec<bool>,
    pub(super) shared: Shared,
    hazards: Hazards,
    /// Whether the fault `unwritten` is still to come.
    pub(super) drops_store: bool,
}

impl<'a> Cta<'a> {
    pub fn new(launch: &'a Launch<'a>, id: [u32; 3]) -> Cta<'a> {
        let threads = launch.block.iter().product::<u32>() as usize;
        let kinds = &launch.kernel.registers;
        let registers = kinds.iter().flat_map(|kind| std::iter::repeat_n(GARBAGE & kind.mask(), threads)).collect();
        Cta {
            launch,
            id,
            threads,
            registers,
            alive: vec![true; threads],
            active: vec![true; threads],
            shared: Shared::new(launch.kernel.shared_end),
            hazards: Hazards::default(),
            drops_store: id == [0; 3] && launch.fault == Some(Fault::Unwritten),
        }
    }

    pub fn threads(&self) -> usize {
        self.threads
    }

    pub fn fault(&self) -> Option<Fault> {
        self.launch.fault
    }

    pub fn register(&self, register: Register, thread: usize) -> u64 {
        self.registers[register * self.threads + thread]
    }

    pub fn set(&mut self, register: Register, thread: usize, value: u64) {
        let mask = self.launch.kernel.registers[register].mask();
        self.registers[register * self.threads + thread] = value & mask;
    }

    /// Whether every thread executes the statement.
    pub fn all_active(&self) -> bool {
        self.active.iter().all(|active| *active)
    }

    /// Number of warps, for an instruction that needs all threads of whole warps.
    pub fn warps(&self) -> Outcome<usize> {
        match self.threads.is_multiple_of(LANES) && self.all_active() {
            true => Ok(self.threads / LANES),
            false => {
                Err(KernelError::new(codes::LAUNCH_FAILED, "a matrix instruction needs all threads of whole warps"))
            }
        }
    }

    /// A value as one thread sees it.
    pub fn value(&self, source: Source, thread: usize) -> u64 {
        let [width, height, _] = self.launch.block;
        let tid = [thread as u32 % width, thread as u32 / width % height, thread as u32 / width / height];
        u64::from(match source {
            Source::Register(register) => return self.register(register, thread),
            Source::Immediate(value) => return value,
            Source::Special(Special::Tid(dimension)) => tid[dimension],
            Source::Special(Special::Ntid(dimension)) => self.launch.block[dimension],
            Source::Special(Special::Ctaid(dimension)) => self.id[dimension],
            Source::Special(Special::Nctaid(dimension)) => self.launch.grid[dimension],
            Source::Special(Special::LaneId) => (thread % LANES) as u32,
            Source::Special(Special::WarpId) => (thread / LANES) as u32,
        })
    }

    /// A value that is the same in the warp that starts at `first`.
    pub fn uniform(&self, source: Source, first: usize) -> Outcome<u64> {
        let value = self.value(source, first);
        match (first..first + LANES).all(|thread| self.value(source, thread) == value) {
            true => Ok(value),
            false => Err(KernelError::new(codes::LAUNCH_FAILED, "the threads of a warp disagree on an operand")),
        }
    }

    /// Runs to the end.
    pub fn run(&mut self) -> Outcome<()> {
        let statements = &self.launch.kernel.statements;
        let (mut next, mut steps) = (0, 0);
        while self.alive.iter().any(|alive| *alive) {
            steps += 1;
            let Some(statement) = statements.get(next).filter(|_| steps < MOST_STEPS) else {
                return Err(KernelError::new(codes::LAUNCH_TIMEOUT, format!("{steps} statements executed")));
            };
            let place = |error: KernelError| {
                let (kernel, line, text) = (&self.launch.kernel.name, statement.line, &statement.text);
                KernelError::new(error.code, format!("kernel {kernel}, line {line}, {text}: {}", error.message))
            };
            let outcome = self.step(statement, next);
            next = outcome.map_err(place)?;
        }
        self.hazards.end()
    }

    /// Executes a statement; the number of the one to follow.
    fn step(&mut self, statement: &Statement, number: usize) -> Outcome<usize> {
        for thread in 0..self.threads {
            let guarded = |(register, expected)| (self.register(register, thread) != 0) == expected;
            self.active[thread] = self.alive[thread] && statement.guard.is_none_or(guarded);
        }
        if !matches!(statement.operation, Operation::Wgmma(_)) {
            self.hazards.touch(&statement.touched)?;
        }
        let any = self.active.iter().any(|active| *active);
        if let (Operation::Branch { target }, true) = (&statement.operation, any) {
            if self.active != self.alive {
                return Err(KernelError::new(
                    codes::LAUNCH_FAILED,
                    "the threads of the block part ways, which the fake refuses",
                ));
            }
            return Ok(*target);
        }
        if any {
            self.execute(&statement.operation)?;
        }
        Ok(number + 1)
    }

    fn execute(&mut self, operation: &Operation) -> Outcome<()> {
        match operation {
            Operation::Compute { .. } | Operation::Pack { .. } | Operation::Unpack { .. } => (0..self.threads)
                .try_for_each(|thread| match self.active[thread] {
                    true => compute::execute(self, operation, thread),
                    false => Ok(()),
                }),
            Operation::LoadParameter { .. } | Operation::Load { .. } | Operation::Store { .. } => {
                self.access(operation)
            }
            Operation::Branch { .. } | Operation::Nothing => Ok(()),
            Operation::Barrier => match self.active == self.alive {
                true => {
                    self.shared.barrier();
                    Ok(())
                }
                false => Err(KernelError::new(codes::LAUNCH_FAILED, "not every thread comes to the barrier")),
            },
            Operation::Exit => {
                self.alive.iter_mut().zip(&self.active).for_each(|(alive, active)| *alive &= !active);
                Ok(())
            }
            Operation::ProxyFence => {
                if self.active == self.alive {
                    self.shared.fence();
                }
                Ok(())
            }
            Operation::WgmmaFence => self.hazards.fence(),
            Operation::WgmmaCommit => self.hazards.commit(),
            Operation::WgmmaWait { groups } => self.hazards.wait(*groups),
            Operation::Mma(mma) => mma.run(self),
            Operation::WmmaLoad(memory) => memory.load(self),
            Operation::WmmaStore(memory) => memory.store(self),
            Operation::WmmaMultiply(multiply) => multiply.run(self),
            Operation::Wgmma(wgmma) => wgmma.run(self),
        }
    }

    /// Notes a wgmma in flight on these registers.
    pub fn start_wgmma(&mut self, d: &[Register], a: &[Register]) -> Outcome<()> {
        self.hazards.start(d, a)
    }

    /// Writes the results of a matrix instruction, thread by thread from `first` on, with the planted faults.
    pub fn deliver(&mut self, fragment: &Fragment, first: usize, mut results: Vec<Vec<u64>>) {
        match self.fault() {
            Some(Fault::Swapped) => results.swap(0, 1),
            Some(Fault::WrongBit) if self.id == [0; 3] && first == 0 => results[0][0] ^= 1,
            _ => {}
        }
        for (thread, elements) in results.iter().enumerate() {
            fragment.set(self, first + thread, elements);
        }
    }
}
