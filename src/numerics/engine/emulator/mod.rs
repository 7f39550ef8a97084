//! The scalar emulator: the datapath text on the narrowest machine word that the plan allows.

mod block_scaled;
mod fused;
mod fused_then_add;
mod integer;
mod operations;

use dashu_int::IBig;

use super::{Batch, Engine, EngineError, Identity, Trace, Vector};
use crate::compute::Inputs;
use crate::compute::datapath::{Coverage, EventSet};
use crate::compute::word::{MachineWord, Word64, Word128, Word256, Word512, Word1024};
use crate::describe::plan::Plan;
use crate::describe::unit::Unit;
use block_scaled::BlockScaled;
use fused::Fused;
use fused_then_add::FusedThenAdd;
use integer::Integer;
use operations::Operations;

/// The datapath of one scheme on one machine word, with the intermediate values of the last vector.
trait Datapath {
    fn evaluate(&mut self, inputs: Inputs) -> u64;

    /// What happened in the last evaluation.
    fn events(&self) -> EventSet;

    /// The values of the plan's signals in the last evaluation.
    fn values(&self) -> Vec<Vec<IBig>>;

    /// Every intermediate value of the last evaluation, also those that the RTL does not show.
    fn stages(&self) -> Vec<(String, Vec<IBig>)>;

    /// Answers a batch and counts its events, where somebody asks for them: one dynamic call for many vectors.
    fn run(&mut self, batch: &Batch, results: &mut [u64], coverage: Option<&mut Coverage>) {
        let Some(coverage) = coverage else {
            return results.iter_mut().enumerate().for_each(|(v, result)| *result = self.evaluate(batch.inputs(v)));
        };
        for (v, result) in results.iter_mut().enumerate() {
            *result = self.evaluate(batch.inputs(v));
            coverage.count(self.events());
        }
    }
}

/// The numbers that lists of words stand for.
fn integers<W: MachineWord>(values: Vec<Vec<W>>) -> Vec<Vec<IBig>> {
    values.into_iter().map(|list| list.into_iter().map(MachineWord::integer).collect()).collect()
}

/// A scheme's datapath on the narrowest machine word with that many bits.
macro_rules! on_narrowest_word {
    ($bits:expr, $scheme:ident, $plan:expr) => {{
        let datapath: Box<dyn Datapath> = match $bits {
            0..=64 => Box::new($scheme::<Word64>::new($plan)),
            65..=128 => Box::new($scheme::<Word128>::new($plan)),
            129..=256 => Box::new($scheme::<Word256>::new($plan)),
            257..=512 => Box::new($scheme::<Word512>::new($plan)),
            _ => Box::new($scheme::<Word1024>::new($plan)),
        };
        datapath
    }};
}

/// Emulates one unit and counts its datapath events.
///
/// ```
/// use tensorsmith_numerics::compute::Inputs;
/// use tensorsmith_numerics::describe::catalogue;
/// use tensorsmith_numerics::engine::Emulator;
///
/// // -8192 * 1024 - 0.5 - 0.25 - 0.125 + 2^23 is -0.875, of which Volta keeps no bit.
/// let unit = catalogue::unit("volta-fp16-fp32").expect("a unit");
/// let a = [0xf000, 0xb800, 0xb400, 0xb000];
/// let b = [0x6400, 0x3c00, 0x3c00, 0x3c00];
/// let d = Emulator::new(&unit).evaluate(Inputs::unscaled(&a, &b, 0x4b00_0000));
/// assert_eq!(unit.formats.d.to_f64(d), 0.0);
/// ```
pub struct Emulator {
    plan: Plan,
    datapath: Box<dyn Datapath>,
    coverage: Option<Coverage>,
}

impl Emulator {
    /// The emulator of a unit.
    pub fn new(unit: &Unit) -> Emulator {
        Emulator { coverage: Some(Coverage::default()), ..Emulator::uncounted(unit) }
    }

    /// One that counts no events, and is the faster for it.
    pub fn uncounted(unit: &Unit) -> Emulator {
        let plan = Plan::of(unit);
        let datapath = match &plan {
            Plan::Fused(plan) => on_narrowest_word!(plan.word_bits, Fused, plan),
            Plan::Operations(plan) => on_narrowest_word!(plan.word_bits(), Operations, plan),
            Plan::BlockScaled(plan) => on_narrowest_word!(plan.fused.word_bits, BlockScaled, plan),
            Plan::Integer(plan) => on_narrowest_word!(plan.word_bits, Integer, plan),
            Plan::FusedThenAdd(plan) => on_narrowest_word!(plan.fused.word_bits, FusedThenAdd, plan),
        };
        Emulator { plan, datapath, coverage: None }
    }

    /// Answers one vector.
    pub fn evaluate(&mut self, inputs: Inputs) -> u64 {
        self.datapath.evaluate(inputs)
    }

    /// The intermediate values of one vector.
    pub fn trace_of(&mut self, vector: &Vector) -> Trace {
        self.evaluate(vector.inputs());
        Trace::new(self.plan.signals(), self.datapath.values())
    }

    /// Every intermediate value of one vector, by name: what a trace holds, and of rounded operations the stages of each.
    pub fn stages_of(&mut self, vector: &Vector) -> Vec<(String, Vec<IBig>)> {
        self.evaluate(vector.inputs());
        self.datapath.stages()
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
        self.datapath.run(batch, results, self.coverage.as_mut());
        Ok(())
    }

    fn trace(&mut self, vector: &Vector) -> Result<Option<Trace>, EngineError> {
        Ok(Some(self.trace_of(vector)))
    }

    fn coverage(&self) -> Option<&Coverage> {
        self.coverage.as_ref()
    }
}
