//! The order that PTX ISA 9.7.15 asks for around `wgmma`: a fence before it, a committed group, and a wait before anybody
//! touches its registers. Values are computed at once; this alone decides whether a program may see them.

use super::{KernelError, Outcome};
use crate::driver::codes;
use crate::ptx::program::Register;

/// A wgmma whose end nobody has waited for.
struct InFlight {
    d: Vec<Register>,
    a: Vec<Register>,
    /// Number of its group; none before the commit.
    group: Option<usize>,
}

/// Registers and groups of a block.
#[derive(Default)]
pub struct Hazards {
    in_flight: Vec<InFlight>,
    groups: usize,
    fenced: bool,
    /// Registers that another instruction named since the last wgmma.fence.
    unfenced: Vec<bool>,
}

fn failed<T>(message: impl Into<String>) -> Outcome<T> {
    Err(KernelError::new(codes::LAUNCH_FAILED, message))
}

impl Hazards {
    /// Another instruction names these registers.
    pub fn touch(&mut self, registers: &[Register]) -> Outcome<()> {
        for register in registers {
            if self.in_flight.iter().any(|flight| flight.d.contains(register) || flight.a.contains(register)) {
                return failed("a register of a wgmma is used before wgmma.wait_group");
            }
            if self.unfenced.len() <= *register {
                self.unfenced.resize(register + 1, false);
            }
            self.unfenced[*register] = true;
        }
        Ok(())
    }

    fn is_unfenced(&self, registers: &[Register]) -> bool {
        registers.iter().any(|register| self.unfenced.get(*register).copied().unwrap_or(false))
    }

    /// A wgmma with accumulator d, and A in registers or not.
    pub fn start(&mut self, d: &[Register], a: &[Register]) -> Outcome<()> {
        if !self.fenced || self.is_unfenced(d) || self.is_unfenced(a) {
            return failed("wgmma.mma_async without wgmma.fence after the last use of its registers");
        }
        for flight in &self.in_flight {
            let shares = |left: &[Register], right: &[Register]| left.iter().any(|register| right.contains(register));
            if (shares(&flight.d, d) && flight.d != d) || shares(&flight.d, a) || shares(&flight.a, d) {
                return failed("wgmma.mma_async on registers of another one in flight");
            }
        }
        self.in_flight.push(InFlight { d: d.to_vec(), a: a.to_vec(), group: None });
        Ok(())
    }

    pub fn fence(&mut self) -> Outcome<()> {
        self.fenced = true;
        self.unfenced.fill(false);
        Ok(())
    }

    pub fn commit(&mut self) -> Outcome<()> {
        let group = self.groups;
        self.in_flight.iter_mut().filter(|flight| flight.group.is_none()).for_each(|flight| flight.group = Some(group));
        self.groups += 1;
        Ok(())
    }

    /// Waits until at most so many of the latest groups are in flight.
    pub fn wait(&mut self, latest: usize) -> Outcome<()> {
        let (groups, left) = (self.groups, latest);
        self.in_flight.retain(|flight| flight.group.is_none_or(|group| group + left >= groups));
        Ok(())
    }

    /// The kernel is over.
    pub fn end(&self) -> Outcome<()> {
        match self.in_flight.is_empty() {
            true => Ok(()),
            false => failed("the kernel ends with a wgmma in flight"),
        }
    }
}
