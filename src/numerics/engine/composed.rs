//! A matrix instruction on any engine: its unit's engine driven block by block, in the order of the composition.

use std::collections::BTreeMap;
use std::fmt;

use super::conversion::Conversion;
use super::{Batch, Emulator, Engine, EngineError, Identity, Matrices, Opened, Wide};
use crate::describe::format::{Format, Overflow, Rounding};
use crate::describe::instruction::{Instruction, Order, Start};
use crate::describe::unit::Unit;

/// An instruction composed of runs of its unit's engine.
pub struct Composed {
    instruction: Instruction,
    /// Scales of a in a vector of the instruction.
    scales: u32,
    blocks: Vec<Vec<usize>>,
    unit: Box<dyn Engine>,
    adder: Option<Box<dyn Engine>>,
    widening: Widening,
    /// Whether whole matrices may go to the unit's engine as they are.
    plain: bool,
    /// The unit's c when the chain starts from zero.
    zero: u64,
    /// Encoding of 1 in the format of the final addition's b.
    one: u64,
    /// The vectors of one block; kept for their room in memory.
    block: Batch,
    /// The vectors of the final addition.
    addition: Batch,
}

/// Without the tables of conversions, which have an entry for every encoding.
impl fmt::Debug for Composed {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Composed { instruction, unit, .. } = self;
        out.debug_struct("Composed").field("instruction", &instruction.name).field("unit", unit).finish_non_exhaustive()
    }
}

/// From the instruction's formats to the unit's.
struct Widening {
    /// Whether a goes to the unit's b and b to its a.
    exchanged: bool,
    a: Conversion,
    b: Conversion,
    /// c, for the first block or for the final addition.
    c: Conversion,
    /// d of a block, as c of the next one.
    chained: Conversion,
}

impl Widening {
    fn of(instruction: &Instruction) -> Widening {
        let unit = &instruction.unit.formats;
        let exchanged = instruction.exchanged();
        let (a, b) = if exchanged { (&unit.b, &unit.a) } else { (&unit.a, &unit.b) };
        let c = &instruction.final_addition.as_ref().unwrap_or(&instruction.unit).formats.c;
        let conversion = |from: &Format, to: &Format| Conversion::new(from, to);
        let checked = "an instruction's values reach its unit without loss";
        Widening {
            exchanged,
            a: conversion(&instruction.a, a).expect(checked),
            b: conversion(&instruction.b, b).expect(checked),
            c: conversion(&instruction.c, c).expect(checked),
            // Without a second block nothing is chained, and the formats may be any.
            chained: conversion(&unit.d, &unit.c).unwrap_or(Conversion::Same),
        }
    }
}

impl Composed {
    /// The instruction on scalar emulators, which run everywhere. The engine of an instruction that is not valid refuses every
    /// vector.
    pub fn emulated(instruction: &Instruction) -> Box<dyn Engine> {
        Composed::on(instruction, |unit| match instruction.is_alone() {
            true => Box::new(Emulator::new(unit)),
            false => Box::new(Emulator::uncounted(unit)),
        })
    }

    /// The same on wide emulators, where they run its units: answers are the same, and many at a time come sooner. No events are
    /// counted.
    pub fn emulated_wide(instruction: &Instruction) -> Box<dyn Engine> {
        Composed::on(instruction, |unit| match Wide::open(unit) {
            Opened::Ready(wide) => wide,
            Opened::Absent(_) => Box::new(Emulator::uncounted(unit)),
        })
    }

    fn on(instruction: &Instruction, engine: impl Fn(&Unit) -> Box<dyn Engine>) -> Box<dyn Engine> {
        if let Err(error) = instruction.validate() {
            return Box::new(Emulator::refusing(EngineError::invalid("emulator", &error)));
        }
        let unit = engine(&instruction.unit);
        if instruction.is_alone() {
            return unit;
        }
        let adder = instruction.final_addition.as_ref().map(engine);
        Box::new(Composed::of(instruction, unit, adder))
    }

    /// The instruction on engines that are opened for its units.
    ///
    /// # Errors
    /// The instruction is not valid, or an engine exists on this machine but failed to start.
    pub fn open(
        instruction: &Instruction,
        open: impl Fn(&Unit) -> Result<Opened, EngineError>,
    ) -> Result<Opened, EngineError> {
        instruction.validate().map_err(|error| EngineError::invalid("composed", &error))?;
        let unit = match open(&instruction.unit)? {
            Opened::Ready(engine) => engine,
            Opened::Absent(reason) => return Ok(Opened::Absent(reason)),
        };
        let adder = match instruction.final_addition.as_ref().map(open).transpose()? {
            None => None,
            Some(Opened::Ready(engine)) => Some(engine),
            Some(Opened::Absent(reason)) => return Ok(Opened::Absent(reason)),
        };
        Ok(Opened::Ready(Box::new(Composed::of(instruction, unit, adder))))
    }

    /// The instruction on engines of its units.
    fn of(instruction: &Instruction, unit: Box<dyn Engine>, adder: Option<Box<dyn Engine>>) -> Composed {
        let one = instruction
            .final_addition
            .as_ref()
            .map_or(0, |adder| adder.formats.b.from_f64(1.0, Rounding::NearestEven, Overflow::Ieee));
        Composed {
            instruction: instruction.clone(),
            scales: instruction.interface().scale_count(),
            blocks: instruction.blocks(),
            unit,
            adder,
            widening: Widening::of(instruction),
            plain: is_plain(instruction),
            zero: instruction.unit.formats.c.zero(false),
            one,
            block: Batch::of_unit(&instruction.unit),
            addition: Batch::new(1, 0),
        }
    }
}

/// Whether an instruction is nothing but its unit, once or several times: whole blocks in their order, no value widened.
fn is_plain(instruction: &Instruction) -> bool {
    let unit = &instruction.unit;
    let own = [&instruction.a, &instruction.b, &instruction.c] == [&unit.formats.a, &unit.formats.b, &unit.formats.c];
    let whole = instruction.shape.k.is_multiple_of(unit.products) && instruction.order == Order::Contiguous;
    own && whole && instruction.start == Start::Addend && (unit.formats.c == unit.formats.d)
}

/// Puts the operands of one block beside the chain's values, padded with zeros.
fn gather(batch: &Batch, indices: &[usize], widening: &Widening, block: &mut Batch) {
    let products = block.products() as usize;
    let (unit_a, unit_b) = match widening.exchanged {
        false => (&mut block.a, &mut block.b),
        true => (&mut block.b, &mut block.a),
    };
    for v in 0..batch.len() {
        let (a, b) = (batch.a(v), batch.b(v));
        let own = v * products..(v + 1) * products;
        let (own_a, own_b) = (&mut unit_a[own.clone()], &mut unit_b[own]);
        for (place, &index) in indices.iter().enumerate() {
            own_a[place] = widening.a.apply(a[index]);
            own_b[place] = widening.b.apply(b[index]);
        }
        own_a[indices.len()..].fill(0);
        own_b[indices.len()..].fill(0);
    }
}

/// Puts the scales of one block beside its operands. Blocks of scaled units are whole and follow each other.
fn gather_scales(batch: &Batch, number: usize, widening: &Widening, block: &mut Batch) {
    let (all, own) = (batch.scales() as usize, block.scales() as usize);
    let (unit_a, unit_b) = match widening.exchanged {
        false => (&mut block.scale_a, &mut block.scale_b),
        true => (&mut block.scale_b, &mut block.scale_a),
    };
    for (unit, instruction) in [(unit_a, &batch.scale_a), (unit_b, &batch.scale_b)] {
        let rows = unit.chunks_exact_mut(own.max(1)).zip(instruction.chunks_exact(all.max(1)));
        rows.for_each(|(unit, instruction)| unit.copy_from_slice(&instruction[number * own..][..own]));
    }
}

impl Engine for Composed {
    fn name(&self) -> &'static str {
        self.unit.name()
    }

    fn identity(&self) -> Identity {
        self.unit.identity()
    }

    fn details(&self) -> BTreeMap<String, String> {
        self.unit.details()
    }

    fn computes(&self, instruction: &Instruction) -> bool {
        self.instruction.has_arithmetic_of(instruction)
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        let Composed { instruction, scales, blocks, unit, adder, widening, zero, one, block, addition, .. } = self;
        batch.check(unit.name(), instruction.shape.k, *scales)?;
        block.resize(batch.len());
        for (c, &addend) in block.c.iter_mut().zip(&batch.c) {
            *c = match instruction.start {
                Start::Addend => widening.c.apply(addend),
                Start::Zero => *zero,
            };
        }
        for (number, indices) in blocks.iter().enumerate() {
            if number > 0 {
                block.c.iter_mut().zip(results.iter()).for_each(|(c, &d)| *c = widening.chained.apply(d));
            }
            gather(batch, indices, widening, block);
            gather_scales(batch, number, widening, block);
            unit.run(block, results)?;
        }
        if let Some(adder) = adder {
            addition.resize(batch.len());
            addition.a.copy_from_slice(results);
            addition.b.fill(*one);
            addition.c.iter_mut().zip(&batch.c).for_each(|(c, &addend)| *c = widening.c.apply(addend));
            adder.run(addition, results)?;
        }
        Ok(())
    }

    fn multiply(&mut self, matrices: &Matrices) -> Result<Option<Vec<u64>>, EngineError> {
        if self.plain { self.unit.multiply(matrices) } else { Ok(None) }
    }
}
