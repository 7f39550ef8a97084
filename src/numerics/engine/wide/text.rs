//! The datapath text of a unit: on lanes where they gain, else one vector at a time, as the emulator answers.

use super::super::{Batch, Emulator, Engine, EngineError};
#[cfg(target_arch = "x86_64")]
use super::lanes::{Vectors, on_lanes};
use crate::describe::plan::Plan;
use crate::describe::unit::Unit;
use crate::isa::Isa;

/// One unit's text.
#[derive(Debug)]
pub enum Text {
    #[cfg(target_arch = "x86_64")]
    Lanes(Box<dyn Vectors>),
    One(Box<Emulator>),
}

impl Text {
    /// The text of a unit on a level. There is no plan for a unit that is not valid: the text is then an emulator that refuses it.
    ///
    /// # Panics
    /// The processor lacks the level.
    pub fn new(unit: &Unit, plan: Option<&Plan>, isa: Isa) -> Text {
        assert!(isa.is_supported(), "the processor has no {}", isa.title());
        #[cfg(target_arch = "x86_64")]
        if let Some(vectors) = plan.and_then(|plan| on_lanes(plan, isa)) {
            return Text::Lanes(vectors);
        }
        Text::One(Box::new(Emulator::uncounted(unit)))
    }

    /// What it does, for people.
    pub fn name(&self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Text::Lanes(_) => "the datapath text on lanes",
            Text::One(_) => "the datapath text, one vector at a time",
        }
    }

    /// Answers the vectors of a batch.
    ///
    /// # Errors
    /// None is known.
    pub fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        match self {
            #[cfg(target_arch = "x86_64")]
            Text::Lanes(vectors) => {
                results.resize(batch.len(), 0);
                vectors.answer(batch, results);
                Ok(())
            }
            Text::One(emulator) => emulator.run(batch, results),
        }
    }
}
