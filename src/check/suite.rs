//! What to record: selections of the stimulus, the same vectors on every machine for the same seed.

use super::stimulus::{Class, Stimulus};
use crate::describe::unit::Unit;

/// A named selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Suite {
    /// All classes of the co-simulation in turn.
    Shaped,
    /// Uniform random bits.
    Random,
    /// Special values in every position, zeros of both signs, subnormals, floors, the overflow edge.
    Corners,
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
        }
    }

    /// The suite's vectors for a unit, or for the frame of an instruction.
    pub fn stimulus(self, frame: &Unit, seed: u64) -> Stimulus {
        match self {
            Suite::Shaped => Stimulus::shaped(frame, seed),
            Suite::Random => Stimulus::of_classes(frame, seed, vec![Class::Uniform]),
            Suite::Corners => {
                let fitting = Class::of(frame).iter().copied().filter(|class| CORNERS.contains(class));
                Stimulus::of_classes(frame, seed, fitting.collect())
            }
        }
    }
}
