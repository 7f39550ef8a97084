//! A matrix instruction on any engine: its unit's engine driven block by block, in the order of the composition.

use super::{Batch, Engine, EngineError, Identity, Kind, Opened};
use crate::describe::format::{Class, Format, Overflow, Rounding};
use crate::describe::instruction::{Instruction, Start};

/// An instruction composed of runs of its unit's engine.
pub struct Composed {
    instruction: Instruction,
    blocks: Vec<Vec<usize>>,
    unit: Box<dyn Engine>,
    adder: Option<Box<dyn Engine>>,
    a: Conversion,
    b: Conversion,
    /// Encoding of 1 in the format of the final addition's b.
    one: u64,
}

/// Operands of the instruction in the unit's format.
enum Conversion {
    Same,
    Table(Vec<u64>),
}

impl Conversion {
    /// A table of the operand format's encodings, at most 16 bits wide.
    fn new(from: &Format, to: &Format) -> Conversion {
        if from == to {
            return Conversion::Same;
        }
        let convert = |bits: u64| match from.decode(bits).class {
            Class::Nan => to.nan().unwrap_or_default(),
            _ => to.from_f64(from.to_f64(bits), Rounding::TowardZero, Overflow::Ieee),
        };
        Conversion::Table((0..=from.mask()).map(convert).collect())
    }

    #[inline]
    fn apply(&self, bits: u64) -> u64 {
        match self {
            Conversion::Same => bits,
            Conversion::Table(table) => table[bits as usize],
        }
    }
}

impl Composed {
    /// Opens the instruction on engines of one kind.
    ///
    /// # Errors
    /// The engine exists on this machine but failed to start.
    pub fn open(instruction: &Instruction, kind: Kind) -> Result<Opened, EngineError> {
        let unit = match kind.open(&instruction.unit)? {
            Opened::Ready(engine) => engine,
            Opened::Unsupported(reason) => return Ok(Opened::Unsupported(reason)),
        };
        let adder = match instruction.final_addition.as_ref().map(|adder| kind.open(adder)).transpose()? {
            None => None,
            Some(Opened::Ready(engine)) => Some(engine),
            Some(Opened::Unsupported(reason)) => return Ok(Opened::Unsupported(reason)),
        };
        let one = instruction
            .final_addition
            .as_ref()
            .map_or(0, |adder| adder.formats.b.from_f64(1.0, Rounding::NearestEven, Overflow::Ieee));
        Ok(Opened::Ready(Box::new(Composed {
            blocks: instruction.blocks(),
            a: Conversion::new(&instruction.a, &instruction.unit.formats.a),
            b: Conversion::new(&instruction.b, &instruction.unit.formats.b),
            instruction: instruction.clone(),
            unit,
            adder,
            one,
        })))
    }

    /// The operands of one block, padded with zeros, beside the chain's value.
    fn block_batch(&self, batch: &Batch, block: &[usize], chain: &[u64]) -> Batch {
        let products = self.instruction.unit.products;
        let mut inner = Batch::of_unit(&self.instruction.unit);
        inner.resize(batch.len());
        for v in 0..batch.len() {
            let (a, b) = (batch.a(v), batch.b(v));
            let first = v * products as usize;
            for (place, &index) in block.iter().enumerate() {
                inner.a[first + place] = self.a.apply(a[index]);
                inner.b[first + place] = self.b.apply(b[index]);
            }
        }
        inner.c.copy_from_slice(chain);
        inner
    }

    fn add(&mut self, chain: &[u64], batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        let Some(adder) = &mut self.adder else {
            results.copy_from_slice(chain);
            return Ok(());
        };
        let mut inner = Batch::new(1, 0);
        inner.resize(batch.len());
        inner.a.copy_from_slice(chain);
        inner.b.fill(self.one);
        inner.c.copy_from_slice(&batch.c);
        adder.run(&inner, results)
    }
}

impl Engine for Composed {
    fn name(&self) -> &'static str {
        self.unit.name()
    }

    fn identity(&self) -> Identity {
        self.unit.identity()
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        let mut chain = match self.instruction.start {
            Start::Addend => batch.c.clone(),
            Start::Zero => vec![self.instruction.unit.formats.c.zero(false); batch.len()],
        };
        let mut next = Vec::new();
        for block in self.blocks.clone() {
            let inner = self.block_batch(batch, &block, &chain);
            self.unit.run(&inner, &mut next)?;
            std::mem::swap(&mut chain, &mut next);
        }
        results.resize(batch.len(), 0);
        self.add(&chain, batch, results)
    }
}
