//! Instructions of x86 processors as engines, where this program runs on one: AMX and AVX512-BF16 of Intel, FMA3 of AMD too.
//!
//! A unit is answered if its description is that of an instruction: scheme, formats, rules and number of products count, its
//! name does not. A unit has one NaN, while these instructions hand operands' NaN on (Software Developer's Manual, volume 1,
//! table 4-7); unless the setup says otherwise, every NaN becomes the unit's.
//!
//! Architecture invariant: no arithmetic here; operands are packed, the processor answers.

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
#[path = "absent.rs"]
mod kernels;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod kernels;

mod block;
mod details;
mod lanes;
mod operation;
mod tiles;

use std::collections::BTreeMap;

pub use operation::{LaneOperation, Operation, TileOperation};

use super::{Absence, Batch, Engine, EngineError, Identity, Matrices, Opened};
use crate::describe::format::Format;
use crate::describe::unit::Unit;
use lanes::LaneEngine;
use tiles::TileEngine;

const NAME: &str = "processor";

/// MXCSR as a program finds it: rounding to nearest even, subnormal numbers kept, all exceptions masked.
pub const MXCSR_DEFAULT: u32 = 0x1f80;

/// How the processor is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setup {
    /// MXCSR during the instruction; its exceptions stay masked.
    pub mxcsr: u32,
    /// Whether NaN results stay as the processor gives them.
    pub raw_nan: bool,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { mxcsr: MXCSR_DEFAULT, raw_nan: false }
    }
}

/// A unit answered by an instruction of this machine.
pub struct Processor {
    operation: Operation,
    machine: Machine,
    format: Format,
    /// What a NaN result becomes.
    nan: Option<u64>,
}

enum Machine {
    Tiles(TileEngine),
    Lanes(LaneEngine),
}

impl Processor {
    /// What this processor is among the devices of the catalogue: one with AMX is a Sapphire Rapids or later.
    pub fn target() -> Option<String> {
        let tiles = TileEngine::open(TileOperation::Tdpbf16ps, 32, Setup::default());
        tiles.is_ok().then(|| "sapphirerapids".to_owned())
    }

    /// Opens the instruction that computes a unit.
    pub fn open(unit: &Unit) -> Opened {
        match Operation::of(unit) {
            None => {
                let reason = format!("none of {} computes this unit", Operation::listed());
                Opened::Absent(Absence::Inapplicable(reason))
            }
            Some(operation) => match Processor::open_operation(operation, unit.products, Setup::default()) {
                Ok(engine) => {
                    let nan = engine.nan.map(|_| unit.conversion.nan);
                    Opened::Ready(Box::new(Processor { nan, ..engine }))
                }
                Err(reason) => Opened::Absent(Absence::Missing(reason)),
            },
        }
    }

    /// Opens an instruction for dot products of that many products. NaN results become the positive quiet NaN without
    /// payload.
    ///
    /// # Errors
    /// Why this machine cannot answer.
    pub fn open_operation(operation: Operation, products: u32, setup: Setup) -> Result<Processor, String> {
        if !operation.takes(products) {
            return Err(format!("{} does not take {products} products", operation.name()));
        }
        let machine = match operation {
            Operation::Tile(tile) => Machine::Tiles(TileEngine::open(tile, products, setup)?),
            Operation::Lane(lane) => Machine::Lanes(LaneEngine::open(lane, setup)?),
        };
        let format = operation.result();
        let nan = format.nan().filter(|_| !setup.raw_nan);
        Ok(Processor { operation, machine, format, nan })
    }

    /// Flags of MXCSR that any instruction so far has raised.
    pub fn raised(&self) -> u32 {
        match &self.machine {
            Machine::Tiles(tiles) => tiles.raised,
            Machine::Lanes(lanes) => lanes.raised,
        }
    }

    fn replace_nans(&self, results: &mut [u64]) {
        if let Some(nan) = self.nan {
            self.format.replace_nans(results, nan);
        }
    }
}

impl Engine for Processor {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Identity {
        let version = format!("{} of {}", self.operation.name(), kernels::processor());
        Identity { engine: NAME.to_owned(), version }
    }

    fn details(&self) -> BTreeMap<String, String> {
        let mut details = details::details();
        details.insert("name".to_owned(), kernels::processor());
        details.insert("instruction".to_owned(), self.operation.name().to_owned());
        details
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        results.resize(batch.len(), 0);
        match &mut self.machine {
            Machine::Tiles(tiles) => tiles.run(batch, results),
            Machine::Lanes(lanes) => lanes.run(batch, results),
        }
        self.replace_nans(results);
        Ok(())
    }

    fn multiply(&mut self, matrices: &Matrices) -> Result<Option<Vec<u64>>, EngineError> {
        let Machine::Tiles(tiles) = &mut self.machine else { return Ok(None) };
        let mut d = tiles.multiply(matrices);
        self.replace_nans(&mut d);
        Ok(Some(d))
    }
}
