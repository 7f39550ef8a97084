//! What to record: selections of the stimulus, the same vectors on every machine for the same seed; and lists of directed
//! vectors, in which nothing is random.

use super::compare::Source;
use super::probe::{self, Test};
use super::stimulus::{Class, Stimulus};
use crate::describe::interface::{Frame, Interface};
use crate::engine::Batch;

/// A named selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Suite {
    /// All classes of the co-simulation in turn.
    Shaped,
    /// Uniform random bits.
    Random,
    /// Special values in every position, zeros of both signs, subnormals, floors, the overflow edge.
    Corners,
    /// Feature tests of the published papers, for every value that their constants could have: a list.
    Features,
    /// Questions on which sources disagree, or of which none speaks: a list.
    Open,
}

/// The classes of corners, of floating-point units and of integers.
const CORNERS: [Class; 9] = [
    Class::Subnormal,
    Class::Zero,
    Class::NonFinite,
    Class::OverflowEdge,
    Class::Floor,
    Class::SpecialPosition,
    Class::ExtremeIntegers,
    Class::IntegerOverflow,
    Class::LargestSums,
];

impl Suite {
    /// Name on the command line and in recordings.
    pub fn name(self) -> &'static str {
        match self {
            Suite::Shaped => "shaped",
            Suite::Random => "random",
            Suite::Corners => "corners",
            Suite::Features => "features",
            Suite::Open => "open",
        }
    }

    /// Whether it is a list, which takes neither a seed nor a number of vectors.
    pub fn is_list(self) -> bool {
        matches!(self, Suite::Features | Suite::Open)
    }

    /// The suite's vectors for a unit, or for the frame of an instruction: so many with that seed, or all of a list, which
    /// needs neither. `None` if the list has nothing to ask such a unit.
    pub fn source(self, frame: impl Into<Frame>, seed: u64, vectors: u64) -> Option<Source> {
        let frame = &frame.into();
        let stimulus = match self {
            Suite::Shaped => Stimulus::shaped(frame, seed),
            Suite::Random => Stimulus::of_classes(frame, seed, vec![Class::Uniform]),
            Suite::Corners => {
                let fitting = Class::of(&frame.unit).iter().copied().filter(|class| CORNERS.contains(class));
                Stimulus::of_classes(frame, seed, fitting.collect())
            }
            Suite::Features => return given(&probe::features(), frame),
            Suite::Open => return given(&probe::open_questions(), frame),
        };
        Some(Source::Shaped { stimulus, count: vectors })
    }
}

/// The vectors of all tests, in their order.
fn given(tests: &[Test], interface: &Interface) -> Option<Source> {
    let mut batch = Batch::of_interface(interface);
    tests.iter().flat_map(|test| test.probes(interface)).for_each(|probe| batch.push(&probe.vector));
    (!batch.is_empty()).then_some(Source::Given(batch))
}
