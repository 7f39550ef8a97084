//! The wide emulator: many vectors at a time in registers of AVX-512, where this machine's processor has them. Fused units of
//! common formats have a kernel written by hand, 32 vectors at a time; all others run the datapath text on eight lanes, of
//! as many words as a unit needs. The scalar emulator is the readable reference of both, and counts the events that this one does
//! not.
//!
//! Architecture invariant: answers are the emulator's, bit for bit.

#[cfg(not(target_arch = "x86_64"))]
mod absent;
#[cfg(target_arch = "x86_64")]
mod assembly;
#[cfg(target_arch = "x86_64")]
mod columns;
#[cfg(target_arch = "x86_64")]
mod constants;
#[cfg(target_arch = "x86_64")]
mod convert;
#[cfg(target_arch = "x86_64")]
mod kernel;
mod numbers;
#[cfg(target_arch = "x86_64")]
mod special;
#[cfg(target_arch = "x86_64")]
mod text;

use std::collections::BTreeMap;

#[cfg(not(target_arch = "x86_64"))]
pub use absent::{Kernel, Text};
#[cfg(target_arch = "x86_64")]
pub use kernel::Kernel;
pub use numbers::{Addend, BLOCK, Conversion, Numbers, Operand};
#[cfg(target_arch = "x86_64")]
pub use text::Text;

use super::{Absence, Batch, Engine, EngineError, Identity, Opened};
use crate::describe::plan::Plan;
use crate::describe::unit::Unit;

const NAME: &str = "wide";

/// Emulates one unit, many vectors at a time.
pub struct Wide {
    path: Path,
}

enum Path {
    Kernel(Box<Kernel>),
    /// And why there is no kernel.
    Text(Box<Text>, String),
}

impl Wide {
    /// The engine for a unit, by its kernel if it has one.
    pub fn open(unit: &Unit) -> Opened {
        let plan = Plan::of(unit);
        let path = match kernel_of(&plan) {
            Ok(kernel) => Path::Kernel(Box::new(kernel)),
            Err(reason) => match Text::new(&plan) {
                Ok(text) => Path::Text(Box::new(text), reason),
                Err(reason) => return Opened::Absent(Absence::Missing(reason)),
            },
        };
        Opened::Ready(Box::new(Wide { path }))
    }

    /// The engine that runs the datapath text, whether the unit has a kernel or not.
    ///
    /// # Errors
    /// The processor lacks the instructions.
    pub fn of_text(unit: &Unit) -> Result<Wide, String> {
        let text = Text::new(&Plan::of(unit))?;
        Ok(Wide { path: Path::Text(Box::new(text), "not asked for".to_owned()) })
    }

    /// The kernel of a unit.
    ///
    /// # Errors
    /// Why there is none.
    pub fn kernel(unit: &Unit) -> Result<Kernel, String> {
        kernel_of(&Plan::of(unit))
    }
}

fn kernel_of(plan: &Plan) -> Result<Kernel, String> {
    let Plan::Fused(plan) = plan else { return Err("it is no fused unit".to_owned()) };
    let numbers = Numbers::of(plan)?;
    Kernel::new(&numbers).ok_or_else(|| format!("it has {} products", plan.products))
}

impl Engine for Wide {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Identity {
        let version = concat!("tensorsmith ", env!("CARGO_PKG_VERSION"), ", AVX-512");
        Identity { engine: NAME.to_owned(), version: version.to_owned() }
    }

    fn details(&self) -> BTreeMap<String, String> {
        let path = match &self.path {
            Path::Kernel(_) => format!("a kernel, {BLOCK} vectors at a time"),
            Path::Text(_, reason) => format!("the datapath text on eight lanes; no kernel: {reason}"),
        };
        BTreeMap::from([("path".to_owned(), path)])
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        results.resize(batch.len(), 0);
        match &mut self.path {
            Path::Kernel(kernel) => run_kernel(kernel, batch, results),
            Path::Text(text, _) => text.run(batch, results),
        }
        Ok(())
    }
}

/// Whole blocks, and then what is left with zeros behind it: so one vector alone is answered as it is among others.
fn run_kernel(kernel: &Kernel, batch: &Batch, results: &mut [u64]) {
    let products = batch.products() as usize;
    let whole = batch.len() / BLOCK * BLOCK;
    let operands = whole * products;
    kernel.run(&batch.a[..operands], &batch.b[..operands], &batch.c[..whole], &mut results[..whole]);
    if whole < batch.len() {
        let padded = |rest: &[u64], block: usize| {
            let mut padded = rest.to_vec();
            padded.resize(block, 0);
            padded
        };
        let [a, b] = [&batch.a, &batch.b].map(|operand| padded(&operand[operands..], BLOCK * products));
        let mut answers = [0; BLOCK];
        kernel.run(&a, &b, &padded(&batch.c[whole..], BLOCK), &mut answers);
        results[whole..].copy_from_slice(&answers[..batch.len() - whole]);
    }
}
