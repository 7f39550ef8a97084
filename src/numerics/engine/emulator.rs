//! The scalar emulator: the datapath text on the narrowest machine word that the plan allows.

use dashu_int::IBig;

use super::{Batch, Engine, EngineError, Identity, Trace, Vector};
use crate::compute::Inputs;
use crate::compute::datapath::schemes::{Scheme, WithScheme, with_scheme};
use crate::compute::events::Coverage;
use crate::compute::record::{Discard, Signal, record};
use crate::compute::word::{MachineWord, Word64, Word128, Word256, Word512, Word1024};
use crate::describe::plan::Plan;
use crate::describe::unit::Unit;

/// The datapath text of a unit on one machine word.
trait Datapath {
    /// Answers one vector.
    fn evaluate(&mut self, inputs: Inputs) -> u64;

    /// Answers a batch and counts its events, where somebody asks for them: one dynamic call for many vectors.
    fn run(&mut self, batch: &Batch, results: &mut [u64], coverage: Option<&mut Coverage>);
}

/// A scheme's text on one word, with the intermediate values of the last vector.
struct Text<S: Scheme, W: MachineWord> {
    plan: S::Plan,
    stages: S::Stages<W>,
}

impl<S: Scheme, W: MachineWord> Text<S, W> {
    fn boxed(plan: &S::Plan) -> Box<dyn Datapath> {
        Box::new(Text::<S, W> { stages: S::stages(plan), plan: plan.clone() })
    }
}

impl<S: Scheme, W: MachineWord> Datapath for Text<S, W> {
    // Compiled once for a scheme and a word: inlined wherever it is called it would be compiled three times, and no vector would be
    // answered sooner.
    #[inline(never)]
    fn evaluate(&mut self, inputs: Inputs) -> u64 {
        S::evaluate(&self.plan, inputs, &mut self.stages, &mut Discard).low_bits()
    }

    fn run(&mut self, batch: &Batch, results: &mut [u64], coverage: Option<&mut Coverage>) {
        let Some(coverage) = coverage else {
            return results.iter_mut().enumerate().for_each(|(v, result)| *result = self.evaluate(batch.inputs(v)));
        };
        for (v, result) in results.iter_mut().enumerate() {
            *result = self.evaluate(batch.inputs(v));
            coverage.count(S::events(&self.plan, &self.stages));
        }
    }
}

/// Makes a text on the narrowest machine word with that many bits.
struct OnNarrowestWord {
    bits: u32,
}

impl WithScheme for OnNarrowestWord {
    type Output = Box<dyn Datapath>;

    fn run<S: Scheme>(self, plan: &S::Plan) -> Box<dyn Datapath> {
        match self.bits {
            0..=64 => Text::<S, Word64>::boxed(plan),
            65..=128 => Text::<S, Word128>::boxed(plan),
            129..=256 => Text::<S, Word256>::boxed(plan),
            257..=512 => Text::<S, Word512>::boxed(plan),
            _ => Text::<S, Word1024>::boxed(plan),
        }
    }
}

/// The numbers that words stand for.
fn integers<W: MachineWord>(values: Vec<W>) -> Vec<IBig> {
    values.into_iter().map(MachineWord::integer).collect()
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
        let datapath = with_scheme(&plan, OnNarrowestWord { bits: plan.word_bits() });
        Emulator { plan, datapath, coverage: None }
    }

    /// Answers one vector.
    pub fn evaluate(&mut self, inputs: Inputs) -> u64 {
        self.datapath.evaluate(inputs)
    }

    /// The intermediate values of one vector, on the widest word.
    pub fn trace_of(&self, vector: &Vector) -> Trace {
        let (_, record) = record::<Word1024>(&self.plan, vector.inputs());
        Trace { values: record.shown().into_iter().map(|(signal, values)| (signal, integers(values))).collect() }
    }

    /// Every intermediate value of one vector, by name: what a trace holds, or of rounded operations the stages of each.
    pub fn stages_of(&self, vector: &Vector) -> Vec<(String, Vec<IBig>)> {
        let (_, mut record) = record::<Word1024>(&self.plan, vector.inputs());
        let steps = record.take_steps();
        if steps.is_empty() {
            let named = |(signal, values): (Signal, _)| (signal.name.to_owned(), integers(values));
            return record.shown().into_iter().map(named).collect();
        }
        steps.into_iter().map(|(name, values)| (name, integers(values))).collect()
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
