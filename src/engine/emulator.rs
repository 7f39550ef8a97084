//! The scalar emulator: the datapath text on the narrowest machine word that the plan allows.

use dashu_int::IBig;

use super::{Batch, Engine, EngineError, Identity, Trace, Vector};
use crate::compute::datapath::{Coverage, Stages, Unpacked, events, schemes};
use crate::compute::word::{MachineWord, Word64, Word128, Word1024};
use crate::describe::plan::Plan;
use crate::describe::unit::Unit;

/// Stages on the word that the plan chose.
enum Datapath {
    Narrow(Stages<Word64>),
    Wide(Stages<Word128>),
    Widest(Box<Stages<Word1024>>),
}

/// Emulates one unit and counts its datapath events.
pub struct Emulator {
    plan: Plan,
    datapath: Datapath,
    coverage: Coverage,
}

impl Emulator {
    /// The emulator of a unit.
    pub fn new(unit: &Unit) -> Emulator {
        let plan = Plan::of(unit);
        let datapath = match plan.word_bits {
            0..=64 => Datapath::Narrow(Stages::new(plan.products)),
            65..=128 => Datapath::Wide(Stages::new(plan.products)),
            _ => Datapath::Widest(Box::new(Stages::new(plan.products))),
        };
        Emulator { plan, datapath, coverage: Coverage::default() }
    }

    /// Answers one vector.
    pub fn evaluate(&mut self, a: &[u64], b: &[u64], c: u64) -> u64 {
        match &mut self.datapath {
            Datapath::Narrow(stages) => schemes::fused::evaluate(&self.plan, a, b, c, stages).low_bits(),
            Datapath::Wide(stages) => schemes::fused::evaluate(&self.plan, a, b, c, stages).low_bits(),
            Datapath::Widest(stages) => schemes::fused::evaluate(&self.plan, a, b, c, stages).low_bits(),
        }
    }

    /// The intermediate values of one vector.
    pub fn trace_of(&mut self, vector: &Vector) -> Trace {
        self.evaluate(&vector.a, &vector.b, vector.c);
        let values = match &self.datapath {
            Datapath::Narrow(stages) => values(stages),
            Datapath::Wide(stages) => values(stages),
            Datapath::Widest(stages) => values(stages),
        };
        Trace::new(&self.plan, values)
    }
}

fn run<W: MachineWord>(
    plan: &Plan,
    stages: &mut Stages<W>,
    batch: &Batch,
    results: &mut [u64],
    coverage: &mut Coverage,
) {
    for (v, result) in results.iter_mut().enumerate() {
        *result = schemes::fused::evaluate(plan, batch.a(v), batch.b(v), batch.c[v], stages).low_bits();
        coverage.count(events(plan, stages));
    }
}

impl Engine for Emulator {
    fn name(&self) -> &'static str {
        "emulator"
    }

    fn identity(&self) -> Identity {
        Identity {
            engine: self.name().to_owned(),
            version: concat!("tensorsmith ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        results.resize(batch.len(), 0);
        let (plan, coverage) = (&self.plan, &mut self.coverage);
        match &mut self.datapath {
            Datapath::Narrow(stages) => run(plan, stages, batch, results, coverage),
            Datapath::Wide(stages) => run(plan, stages, batch, results, coverage),
            Datapath::Widest(stages) => run(plan, stages, batch, results, coverage),
        }
        Ok(())
    }

    fn trace(&mut self, vector: &Vector) -> Result<Option<Trace>, EngineError> {
        Ok(Some(self.trace_of(vector)))
    }

    fn coverage(&self) -> Option<&Coverage> {
        Some(&self.coverage)
    }
}

/// The values of all signals, in the order of the plan's signals.
fn values<W: MachineWord>(stages: &Stages<W>) -> Vec<Vec<IBig>> {
    let flag = |value: bool| vec![IBig::from(u8::from(value))];
    let word = |value: W| vec![value.integer()];
    let products = stages.unpacked_a.len();
    let mut all = Vec::new();
    for operand in [&stages.unpacked_a[..], &stages.unpacked_b[..], std::slice::from_ref(&stages.unpacked_c)] {
        unpacked_values(operand, &mut all);
    }
    let terms = &stages.terms[..products];
    all.push(terms.iter().map(|term| IBig::from(u8::from(term.negative))).collect());
    all.push(terms.iter().map(|term| term.exponent.integer()).collect());
    all.push(terms.iter().map(|term| term.significand.integer()).collect());
    all.push(word(stages.terms[products].exponent));
    all.push(word(stages.anchor));
    all.push(stages.aligned.iter().map(|value| value.integer()).collect());
    all.push(word(stages.sum));
    all.push(flag(stages.normalised.negative));
    all.push(word(stages.normalised.exponent));
    all.push(word(stages.normalised.significand));
    all.push(word(stages.rounded));
    all.push(flag(stages.special.nan));
    all.push(flag(stages.special.infinite));
    all.push(word(stages.packed));
    all
}

fn unpacked_values<W: MachineWord>(operand: &[Unpacked<W>], all: &mut Vec<Vec<IBig>>) {
    let flag = |value: bool| IBig::from(u8::from(value));
    all.push(operand.iter().map(|value| flag(value.negative)).collect());
    all.push(operand.iter().map(|value| value.exponent.integer()).collect());
    all.push(operand.iter().map(|value| value.significand.integer()).collect());
    all.push(operand.iter().map(|value| flag(value.infinite)).collect());
    all.push(operand.iter().map(|value| flag(value.nan)).collect());
}
