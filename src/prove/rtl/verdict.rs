//! What obligations come to: proved, refuted by a vector, or unknown.

use std::collections::BTreeSet;

use super::answer::{Answer, Method};
use super::composition::{Composition, Step, StepKind, check};
use super::discharge::{Means, discharge};
use super::miter::{self, Miter};
use super::problem::Problem;
use super::witness::{Settled, Whole, Witness};
use crate::compute::record::Stage;
use crate::describe::unit::Unit;
use crate::prove::sat::Refutation;

/// Vectors that are searched for a witness.
const WITNESS_VECTORS: u64 = 1 << 18;

/// One statement and what became of it.
#[derive(Debug, Clone)]
pub struct Obligation {
    pub name: String,
    pub kind: StepKind,
    pub group: String,
    pub outcome: Outcome,
    /// Free bits, and nodes of the graph that was asked about; 0 where no graph was needed.
    pub inputs: usize,
    pub nodes: usize,
    /// Cells of the netlist in its cone.
    pub cells: BTreeSet<usize>,
    /// Signals before it that it relies on.
    pub uses: BTreeSet<String>,
    pub seconds: f64,
    /// Whether an earlier run answered it.
    pub kept: bool,
    /// The obligation that asked the same question first.
    pub same_as: Option<String>,
    /// Clauses and proof, where search answered.
    pub refutation: Option<Refutation>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Proved(Method),
    /// It is false for these values of the signals before it.
    Fails(String),
    Unknown(String),
}

/// What became of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Proved,
    /// An output differs.
    Refuted(Box<Witness>),
    /// A named signal inside differs, and no output that was found does: the netlist's text computes otherwise, not another
    /// function as far as is known.
    StageDiffers {
        witness: Box<Witness>,
        /// Whether search settled that no output differs for any operands.
        outputs_equal: bool,
    },
    Unknown(String),
}

/// The verdict and what it rests on.
#[derive(Debug, Clone)]
pub struct RtlProof {
    pub verdict: Verdict,
    pub obligations: Vec<Obligation>,
    pub composition: Composition,
}

/// The verdict. A signal that can differ for some values of those before it is looked at from earlier stages, at last from the
/// operands on: either they lead to such values, or it never differs. Where signals are proved and something is missing between them, or between them
/// and the outputs, a vector is looked for on the whole netlist.
pub(super) fn conclude(unit: &Unit, problem: &Problem, mut obligations: Vec<Obligation>, means: &Means) -> RtlProof {
    let composed =
        |obligations: &[Obligation]| check(unit, problem, &obligations.iter().map(step).collect::<Vec<Step>>());
    let all_proved = obligations.iter().all(is_proved);
    let mut composition = composed(&obligations);
    let whole = match all_proved && composition.gaps.is_empty() {
        true => None,
        false => Whole::of(problem).ok(),
    };
    let witness = whole.and_then(|whole| settle(unit, problem, &whole, &mut obligations, means));
    if !all_proved {
        composition = composed(&obligations);
    }
    let open = obligations.iter().find(|obligation| !is_proved(obligation));
    let verdict = match (witness, open) {
        (Some(verdict), _) => verdict,
        (None, None) if composition.gaps.is_empty() => Verdict::Proved,
        (None, None) => Verdict::Unknown(composition.gaps.join("; ")),
        (None, Some(Obligation { name, outcome, .. })) => Verdict::Unknown(match outcome {
            Outcome::Unknown(reason) => format!("{name}: {reason}"),
            Outcome::Fails(values) => {
                format!("{name} is false for {values}, but no operands were found that lead to these values")
            }
            Outcome::Proved(_) => name.clone(),
        }),
    };
    RtlProof { verdict, obligations, composition }
}

fn is_proved(obligation: &Obligation) -> bool {
    matches!(obligation.outcome, Outcome::Proved(_))
}

fn step(obligation: &Obligation) -> Step {
    Step {
        name: obligation.name.clone(),
        kind: obligation.kind,
        uses: obligation.uses.clone(),
        cells: obligation.cells.clone(),
        group: obligation.group.clone(),
        proved: is_proved(obligation),
    }
}

/// A refutation, if there is one; else signals that differ nowhere are noted as proved.
fn settle(
    unit: &Unit,
    problem: &Problem,
    whole: &Whole,
    obligations: &mut [Obligation],
    means: &Means,
) -> Option<Verdict> {
    if let Some(witness) = whole.search(unit, problem, WITNESS_VECTORS) {
        return Some(differs(unit, problem, whole, Box::new(witness), means));
    }
    let fails = |one: &&mut Obligation| one.kind == StepKind::Signal && matches!(one.outcome, Outcome::Fails(_));
    for obligation in obligations.iter_mut().filter(fails) {
        let signal = problem.cuts.iter().position(|cut| cut.name == obligation.name)?;
        if let Some(uses) = from_earlier_stages(problem, signal, means) {
            obligation.outcome = Outcome::Proved(Method::Earlier);
            obligation.uses = uses;
            continue;
        }
        match whole.settle(unit, problem, signal, means) {
            Settled::Differs(witness) => return Some(differs(unit, problem, whole, witness, means)),
            Settled::Never => {
                obligation.outcome = Outcome::Proved(Method::Operands);
                obligation.uses.clear();
            }
            Settled::Unknown => return None,
        }
    }
    None
}

/// What a witness comes to: where no output differs on it, operands are looked for on which one does.
fn differs(unit: &Unit, problem: &Problem, whole: &Whole, witness: Box<Witness>, means: &Means) -> Verdict {
    if witness.output_differs() {
        return Verdict::Refuted(witness);
    }
    let mut outputs_equal = true;
    for output in whole.outputs() {
        match whole.settle(unit, problem, output, &means.part(4)) {
            Settled::Differs(other) if other.output_differs() => return Verdict::Refuted(other),
            Settled::Never => {}
            Settled::Differs(_) | Settled::Unknown => outputs_equal = false,
        }
    }
    Verdict::StageDiffers { witness, outputs_equal }
}

/// The signals of earlier stages from which a signal never differs, if there are some; the latest stages are tried first, because
/// they leave the smallest question.
fn from_earlier_stages(problem: &Problem, signal: usize, means: &Means) -> Option<BTreeSet<String>> {
    const STAGES: [Stage; 6] =
        [Stage::Normalised, Stage::Sum, Stage::Aligned, Stage::Anchor, Stage::Product, Stage::Unpacked];
    let own = problem.cuts[signal].stage;
    let stages = STAGES.into_iter().filter(|stage| Some(*stage) <= own);
    let mut questions = stages.filter_map(|stage| miter::difference(problem, signal, Some(stage)).ok());
    // Most of the time is left to those that follow.
    let never = |question: &Miter| matches!(discharge(question, &means.part(4)).0, Answer::Proved { .. });
    questions.find(never).map(|question| question.uses)
}
