//! Summation schemes: each composes the stages in its own order. Everything that is done with units of any scheme asks
//! [`with_scheme`] for theirs.

pub mod fused;
pub mod integer;
pub mod steps;

pub use fused::Fused;
pub use integer::Integer;
pub use steps::{LinkStages, Steps};

use std::fmt::Debug;

use crate::compute::Inputs;
use crate::compute::events::{Event, EventSet};
use crate::compute::record::Recorder;
use crate::compute::word::{MachineWord, Word};
use crate::describe::plan::Plan;

/// One summation scheme.
pub trait Scheme: Debug + 'static {
    /// Every width and constant of a unit.
    type Plan: Clone + Debug + Send + 'static;

    /// The intermediate values that events are read from. The buffers are reused from one evaluation to the next.
    type Stages<W: Word>: Debug + Send + 'static;

    /// Empty stages.
    fn stages<W: Word>(plan: &Self::Plan) -> Self::Stages<W>;

    /// Those of evaluations whose intermediate values nobody reads: an evaluation may leave some of them out.
    fn unread_stages<W: Word>(plan: &Self::Plan) -> Self::Stages<W> {
        Self::stages(plan)
    }

    /// Evaluates d, with the flags above it if the unit has them, leaves the intermediate values in `stages` and hands
    /// those that have names to the recorder.
    fn evaluate<W: Word>(
        plan: &Self::Plan,
        inputs: Inputs<W::Encoding>,
        stages: &mut Self::Stages<W>,
        recorder: &mut impl Recorder<W>,
    ) -> W;

    /// The events of the evaluation that left `stages`.
    fn events<W: MachineWord>(plan: &Self::Plan, stages: &Self::Stages<W>) -> EventSet;

    /// Whether the event is one of the scheme: reports list no other.
    fn concerns(plan: &Self::Plan, event: Event) -> bool;

    /// Why the unit can never show an event of the scheme; `None` for one that a good stimulus must reach.
    fn unreachable(plan: &Self::Plan, event: Event) -> Option<String>;
}

/// What is done with a unit, whatever its scheme is.
pub trait WithScheme {
    type Output;

    fn run<S: Scheme>(self, plan: &S::Plan) -> Self::Output;
}

/// Does it with the scheme that the plan is of.
pub fn with_scheme<T: WithScheme>(plan: &Plan, task: T) -> T::Output {
    match plan {
        Plan::Fused(plan) => task.run::<Fused>(plan),
        Plan::Integer(plan) => task.run::<Integer>(plan),
        Plan::Steps(plan) => task.run::<Steps>(plan),
    }
}
