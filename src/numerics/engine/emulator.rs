//! The scalar emulator: the datapath text on the narrowest machine word that the plan allows.

use std::fmt::Debug;

use dashu_int::IBig;

use super::batch::check_inputs;
use super::{Batch, Engine, EngineError, Identity, Trace, Vector};
use crate::compute::Inputs;
use crate::compute::datapath::schemes::{Scheme, WithScheme, with_scheme};
use crate::compute::events::Coverage;
use crate::compute::record::{Discard, Signal, record};
use crate::compute::word::{MachineWord, Word64, Word128, Word256, Word512, Word1024};
use crate::describe::instruction::Instruction;
use crate::describe::plan::Plan;
use crate::describe::unit::Unit;

const NAME: &str = "emulator";

/// The datapath text of a unit on one machine word.
trait Datapath: Debug + Send {
    /// Answers one vector.
    fn evaluate(&mut self, inputs: Inputs) -> u64;

    /// Answers a batch and counts its events, where somebody asks for them: one dynamic call for many vectors.
    fn run(&mut self, batch: &Batch, results: &mut [u64], coverage: Option<&mut Coverage>);
}

/// A scheme's text on one word, with the intermediate values of the last vector.
#[derive(Debug)]
struct Text<S: Scheme, W: MachineWord> {
    plan: S::Plan,
    stages: S::Stages<W>,
}

impl<S: Scheme, W: MachineWord> Text<S, W> {
    fn boxed(plan: &S::Plan, is_counted: bool) -> Box<dyn Datapath> {
        let stages = if is_counted { S::stages(plan) } else { S::unread_stages(plan) };
        Box::new(Text::<S, W> { stages, plan: plan.clone() })
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
    is_counted: bool,
}

impl WithScheme for OnNarrowestWord {
    type Output = Box<dyn Datapath>;

    fn run<S: Scheme>(self, plan: &S::Plan) -> Box<dyn Datapath> {
        match self.bits {
            0..=64 => Text::<S, Word64>::boxed(plan, self.is_counted),
            65..=128 => Text::<S, Word128>::boxed(plan, self.is_counted),
            129..=256 => Text::<S, Word256>::boxed(plan, self.is_counted),
            257..=512 => Text::<S, Word512>::boxed(plan, self.is_counted),
            _ => Text::<S, Word1024>::boxed(plan, self.is_counted),
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
/// let d = Emulator::new(&unit).evaluate(Inputs::unscaled(&a, &b, 0x4b00_0000))?;
/// assert_eq!(unit.formats.d.to_f64(d), 0.0);
/// # Ok::<(), tensorsmith_numerics::engine::EngineError>(())
/// ```
#[derive(Debug)]
pub struct Emulator {
    /// Or why the unit is not emulated.
    emulated: Result<Emulated, EngineError>,
    coverage: Option<Coverage>,
}

/// A unit and its datapath.
#[derive(Debug)]
struct Emulated {
    unit: Unit,
    plan: Plan,
    datapath: Box<dyn Datapath>,
}

impl Emulated {
    fn new(unit: &Unit, is_counted: bool) -> Result<Emulated, EngineError> {
        unit.validate().map_err(|error| EngineError::invalid(NAME, &error))?;
        Ok(Emulated::unchecked(unit, is_counted))
    }

    fn unchecked(unit: &Unit, is_counted: bool) -> Emulated {
        let plan = Plan::of(unit);
        let datapath = with_scheme(&plan, OnNarrowestWord { bits: plan.word_bits(), is_counted });
        Emulated { unit: unit.clone(), plan, datapath }
    }
}

impl Emulator {
    /// The emulator of a unit. The unit is checked once, here: the emulator of one that is not valid refuses every vector.
    pub fn new(unit: &Unit) -> Emulator {
        Emulator { emulated: Emulated::new(unit, true), coverage: Some(Coverage::default()) }
    }

    /// One that counts no events, and is the faster for it.
    pub fn uncounted(unit: &Unit) -> Emulator {
        Emulator { emulated: Emulated::new(unit, false), coverage: None }
    }

    /// One of a deliberately broken unit, such as a chain whose steps lose their sticky bit: a negative control. It counts no events.
    ///
    /// # Panics
    /// Here or later, where the unit has values that nothing can compute with.
    pub fn unchecked(unit: &Unit) -> Emulator {
        Emulator { emulated: Ok(Emulated::unchecked(unit, false)), coverage: None }
    }

    /// One that refuses every vector.
    pub(super) fn refusing(reason: EngineError) -> Emulator {
        Emulator { emulated: Err(reason), coverage: None }
    }

    /// The result of one vector. An encoding has zeros above its width.
    ///
    /// # Errors
    /// The unit is not valid, or the vector has another number of elements or scales.
    pub fn evaluate(&mut self, inputs: Inputs) -> Result<u64, EngineError> {
        let Emulated { unit, datapath, .. } = self.emulated.as_mut().map_err(|error| error.clone())?;
        check_inputs(NAME, inputs, unit)?;
        Ok(datapath.evaluate(inputs))
    }

    /// The plan for a vector.
    fn plan_for(&self, vector: &Vector) -> Result<&Plan, EngineError> {
        let Emulated { unit, plan, .. } = self.emulated.as_ref().map_err(EngineError::clone)?;
        check_inputs(NAME, vector.inputs(), unit)?;
        Ok(plan)
    }

    /// The intermediate values of one vector, on the widest word.
    ///
    /// # Errors
    /// As [`Emulator::evaluate`].
    pub fn trace_of(&self, vector: &Vector) -> Result<Trace, EngineError> {
        let (_, record) = record::<Word1024>(self.plan_for(vector)?, vector.inputs());
        Ok(Trace { values: record.shown().into_iter().map(|(signal, values)| (signal, integers(values))).collect() })
    }

    /// Every intermediate value of one vector, by name: what a trace holds, or of rounded operations the stages of each.
    ///
    /// # Errors
    /// As [`Emulator::evaluate`].
    pub fn stages_of(&self, vector: &Vector) -> Result<Vec<(String, Vec<IBig>)>, EngineError> {
        let (_, mut record) = record::<Word1024>(self.plan_for(vector)?, vector.inputs());
        let steps = record.take_steps();
        if steps.is_empty() {
            let named = |(signal, values): (Signal, _)| (signal.name.to_owned(), integers(values));
            return Ok(record.shown().into_iter().map(named).collect());
        }
        Ok(steps.into_iter().map(|(name, values)| (name, integers(values))).collect())
    }
}

impl Engine for Emulator {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Identity {
        Identity {
            engine: self.name().to_owned(),
            version: concat!("tensorsmith ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }

    fn computes(&self, instruction: &Instruction) -> bool {
        self.emulated.as_ref().map_or(true, |emulated| instruction.is_once(&emulated.unit))
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        let Emulated { unit, datapath, .. } = self.emulated.as_mut().map_err(|error| error.clone())?;
        batch.check(NAME, unit.products, unit.scale_count())?;
        results.resize(batch.len(), 0);
        datapath.run(batch, results, self.coverage.as_mut());
        Ok(())
    }

    fn trace(&mut self, vector: &Vector) -> Result<Option<Trace>, EngineError> {
        self.trace_of(vector).map(Some)
    }

    fn coverage(&self) -> Option<&Coverage> {
        self.coverage.as_ref()
    }
}
