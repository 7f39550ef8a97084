//! The wide emulator: many vectors at a time in registers of lanes, on the most able level of instructions that the processor
//! has. Fused units of common formats have kernels written by hand: `singles` on arithmetic of binary32, for every level, and
//! `columns` for AVX-512, which is faster there. All other units run the datapath text on lanes, where that is the
//! faster. The scalar emulator is the readable reference of all, and counts the events that this one does not.
//!
//! Architecture invariant: answers are the emulator's, bit for bit.

#[cfg(target_arch = "x86_64")]
pub mod columns;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod numbers;
pub mod singles;
mod text;

use std::collections::BTreeMap;

pub use numbers::{BLOCK, Conversion};

use self::text::Text;
use super::{Batch, Engine, EngineError, Identity, Opened};
use crate::describe::instruction::Instruction;
use crate::describe::plan::{FusedPlan, Plan};
use crate::describe::unit::Unit;
use crate::isa::Isa;

const NAME: &str = "wide";

/// Emulates one unit, many vectors at a time.
#[derive(Debug)]
pub struct Wide {
    unit: Unit,
    isa: Isa,
    path: Path,
}

#[derive(Debug)]
enum Path {
    Kernel(Kernel),
    /// And why there is no kernel.
    Text(Text, String),
}

/// A kernel written by hand.
#[derive(Debug)]
enum Kernel {
    #[cfg(target_arch = "x86_64")]
    Columns(Box<columns::Kernel>),
    Singles(Box<singles::Kernel>),
}

impl Wide {
    /// The engine for a unit, by its kernel if it has one, on the most able level of instructions. That for a unit that is not valid
    /// refuses every vector.
    pub fn open(unit: &Unit) -> Opened {
        Opened::Ready(Box::new(Wide::on(unit, Isa::best())))
    }

    /// The same on some level.
    ///
    /// # Panics
    /// The processor lacks it.
    pub fn on(unit: &Unit, isa: Isa) -> Wide {
        let plan = unit.is_valid().then(|| Plan::of(unit));
        let kernel = match plan {
            Some(_) => Kernel::of(unit, isa),
            None => Err("the unit is not valid".to_owned()),
        };
        let path = match kernel {
            Ok(kernel) => Path::Kernel(kernel),
            Err(reason) => Path::Text(Text::new(unit, plan.as_ref(), isa), reason),
        };
        Wide { unit: unit.clone(), isa, path }
    }

    /// The engine that runs the datapath text, whether the unit has a kernel or not.
    ///
    /// # Panics
    /// The processor lacks the level.
    pub fn of_text(unit: &Unit, isa: Isa) -> Wide {
        let plan = unit.is_valid().then(|| Plan::of(unit));
        let path = Path::Text(Text::new(unit, plan.as_ref(), isa), "not asked for".to_owned());
        Wide { unit: unit.clone(), isa, path }
    }

    /// Why the unit has no kernel on a level, if it has none.
    pub fn without_kernel(&self) -> Option<&str> {
        match &self.path {
            Path::Kernel(_) => None,
            Path::Text(_, reason) => Some(reason),
        }
    }
}

impl Kernel {
    /// The kernel of a unit.
    ///
    /// # Errors
    /// Why there is none.
    fn of(unit: &Unit, isa: Isa) -> Result<Kernel, String> {
        let plan = &FusedPlan::of(&unit.as_fused().ok_or("it is no fused unit")?);
        #[cfg(target_arch = "x86_64")]
        if isa == Isa::Avx512
            && let Some(kernel) = columns_of(plan)
        {
            return Ok(Kernel::Columns(Box::new(kernel)));
        }
        Ok(Kernel::Singles(Box::new(singles::Kernel::new(&singles::Numbers::of(plan)?, isa))))
    }

    fn name(&self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Columns(_) => "on columns of 16 bits",
            Kernel::Singles(_) => "on binary32",
        }
    }

    /// Answers whole blocks: rows of operands as a batch has them.
    fn run(&self, a: &[u64], b: &[u64], c: &[u64], results: &mut [u64]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Columns(kernel) => kernel.run(a, b, c, results),
            Kernel::Singles(kernel) => kernel.run(a, b, c, results),
        }
    }
}

/// The kernel of AVX-512, if the unit has one.
#[cfg(target_arch = "x86_64")]
fn columns_of(plan: &FusedPlan) -> Option<columns::Kernel> {
    columns::Kernel::new(&columns::Numbers::of(plan).ok()?)
}

impl Engine for Wide {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Identity {
        let version = format!("tensorsmith {}, {}", env!("CARGO_PKG_VERSION"), self.isa.title());
        Identity { engine: NAME.to_owned(), version }
    }

    fn details(&self) -> BTreeMap<String, String> {
        let path = match &self.path {
            Path::Kernel(kernel) => format!("a kernel {}", kernel.name()),
            Path::Text(text, reason) => format!("{}; no kernel: {reason}", text.name()),
        };
        BTreeMap::from([("path".to_owned(), path)])
    }

    fn computes(&self, instruction: &Instruction) -> bool {
        match &self.path {
            Path::Text(Text::One(emulator), _) => emulator.computes(instruction),
            _ => instruction.is_once(&self.unit),
        }
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        if let Path::Text(Text::One(emulator), _) = &mut self.path {
            return emulator.run(batch, results);
        }
        batch.check(NAME, self.unit.products, self.unit.scale_count())?;
        match &mut self.path {
            Path::Kernel(kernel) => {
                results.resize(batch.len(), 0);
                run_kernel(kernel, batch, results);
                Ok(())
            }
            Path::Text(text, _) => text.run(batch, results),
        }
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
