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
pub use absent::{Kernel, Text, is_supported};
#[cfg(target_arch = "x86_64")]
pub use kernel::Kernel;
pub use numbers::{Addend, BLOCK, Conversion, Numbers, Operand};
#[cfg(target_arch = "x86_64")]
pub use text::Text;

#[cfg(target_arch = "x86_64")]
pub use crate::compute::word::vector::is_supported;

use super::{Batch, Engine, EngineError, Identity, Opened};
use crate::describe::plan::Plan;
use crate::describe::unit::Unit;

const NAME: &str = "wide";

/// Emulates one unit, many vectors at a time.
pub struct Wide {
    kernel: Result<Kernel, String>,
    text: Text,
}

impl Wide {
    /// The engine for a unit, with its kernel if it has one.
    pub fn open(unit: &Unit) -> Opened {
        let plan = Plan::of(unit);
        let kernel = kernel_of(&plan);
        match Text::new(plan) {
            Ok(text) => Opened::Ready(Box::new(Wide { kernel, text })),
            Err(reason) => Opened::Unsupported(reason),
        }
    }

    /// The engine that runs the datapath text, whether the unit has a kernel or not.
    ///
    /// # Errors
    /// The processor lacks the instructions.
    pub fn of_text(unit: &Unit) -> Result<Wide, String> {
        let text = Text::new(Plan::of(unit))?;
        Ok(Wide { kernel: Err("not asked for".to_owned()), text })
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
        let path = match &self.kernel {
            Ok(_) => format!("a kernel, {BLOCK} vectors at a time"),
            Err(reason) => format!("the datapath text on eight lanes; no kernel: {reason}"),
        };
        BTreeMap::from([("path".to_owned(), path)])
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        results.resize(batch.len(), 0);
        let mut done = 0;
        if let Ok(kernel) = &self.kernel {
            done = batch.len() / BLOCK * BLOCK;
            let operands = done * batch.products() as usize;
            kernel.run(&batch.a[..operands], &batch.b[..operands], &batch.c[..done], &mut results[..done]);
        }
        self.text.run(batch, done, &mut results[done..]);
        Ok(())
    }
}
