//! The named intermediate values of one evaluation, comparable between engines.

use dashu_int::IBig;

use crate::compute::record::{Signal, Stage};

/// Values of every signal of a unit, in datapath order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    pub values: Vec<(Signal, Vec<IBig>)>,
}

/// Where two traces part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub stage: Stage,
    pub signal: &'static str,
    pub element: usize,
}

impl Trace {
    /// The first signal, in datapath order, whose values differ.
    pub fn first_difference(&self, other: &Trace) -> Option<Difference> {
        for ((signal, mine), (_, theirs)) in self.values.iter().zip(&other.values) {
            if let Some(element) = mine.iter().zip(theirs).position(|(mine, theirs)| mine != theirs) {
                return Some(Difference { stage: signal.stage, signal: signal.name, element });
            }
        }
        None
    }
}
