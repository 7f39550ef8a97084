//! What else explains the answers: other schemes and compositions, against everything that was answered and vectors that
//! tell them from what was found.

use rayon::prelude::*;

use super::InferError;
use super::inference::{Inference, NEXT_TO_NOTHING, ROUGH, ROUNDS};
use super::search::{Candidate, Constraints, Effort, Refuted, first_difference};
use super::solver::Decision;
use super::space::{Space, simplicity};
use crate::describe::instruction::Instruction;
use crate::describe::unit::Scheme;
use crate::engine::Batch;

impl Inference<'_, '_> {
    /// What else explains all answers, those too that tell it from what was found: of schemes and compositions that were not
    /// tried yet, two a scheme; and of simpler ones of which next to nothing is left, with what was found. Ends early where an
    /// answer refutes what was found.
    pub(super) fn equivalent(
        &mut self,
        hypothesis: &Instruction,
        refuted: &mut Vec<Refuted>,
        candidates: &[Candidate],
    ) -> Result<Vec<Instruction>, InferError> {
        let rough = Constraints::of_memory(&self.black_box.memory, ROUGH);
        self.search.effort = Effort::Light;
        let mut equivalent = Vec::new();
        let (space, search, memory) = (self.space, self.search, &self.black_box.memory);
        let others = self.others(hypothesis, refuted, candidates);
        let explained: Vec<(&Candidate, Constraints, Result<Instruction, Refuted>)> = others
            .into_par_iter()
            .map(|(candidate, first)| {
                let mut constraints = rough.clone();
                let mut explained = search.explain(candidate, first, &mut constraints, memory);
                let left = explained.as_ref().err();
                if let Some(other) = left.and_then(|left| from_found(space, hypothesis, candidate, left)) {
                    explained = search.explain(candidate, other, &mut constraints, memory);
                }
                (candidate, constraints, explained)
            })
            .collect();
        let mut looked = None;
        for (candidate, mut constraints, mut explained) in explained {
            for _ in 0..ROUNDS {
                let Ok(other) = &explained else { break };
                let looked = looked.get_or_insert_with(|| self.search.looked(hypothesis, &[], self.options.seed));
                let mut vector = self.search.difference(looked, other, self.options.seed);
                if let Some(solver) = self.solver.as_ref().filter(|_| vector.is_none() && !same(other, hypothesis))
                    && let Decision::Refuted(telling) = solver.decision(hypothesis, other)?
                {
                    vector = Some(*telling);
                }
                let Some(vector) = vector.filter(|_| self.black_box.answers_more()) else { break };
                self.black_box.ask(&Batch::of(&vector))?;
                if !self.explains(hypothesis) {
                    return Ok(equivalent);
                }
                let other = other.clone();
                explained = self.search.explain(candidate, other, &mut constraints, &self.black_box.memory);
            }
            let known = |other: &Refuted| refuted.iter().any(|known| same(&known.hypothesis, &other.hypothesis));
            match explained {
                Ok(other) if same(&other, hypothesis) => {}
                Ok(other) => equivalent.push(other),
                Err(other) if !other.by.is_empty() && known(&other) => {}
                Err(other) => refuted.push(other),
            }
        }
        Ok(equivalent)
    }

    /// Compositions and schemes beside a hypothesis, and what each is begun with.
    fn others<'c>(
        &self,
        hypothesis: &Instruction,
        refuted: &[Refuted],
        candidates: &'c [Candidate],
    ) -> Vec<(&'c Candidate, Instruction)> {
        // The width of blocks is a parameter of each search, so that two compositions of a scheme are enough to begin with.
        let mut begun: Vec<Scheme> = Vec::new();
        let untried = candidates.iter().skip(refuted.len());
        let untried = untried.filter(|candidate| !same(&candidate.start.hypothesis, hypothesis)).filter(|candidate| {
            begun.push(candidate.scheme);
            begun.iter().filter(|scheme| **scheme == candidate.scheme).count() <= 2
        });
        let untried = untried.map(|candidate| (candidate, candidate.start.hypothesis.clone()));
        let tried = candidates.iter().zip(refuted);
        let again = tried
            .filter_map(|(candidate, left)| Some((candidate, from_found(self.space, hypothesis, candidate, left)?)));
        untried.chain(again).collect()
    }

    /// Whether a hypothesis explains everything that was answered.
    pub(super) fn explains(&self, hypothesis: &Instruction) -> bool {
        first_difference((self.search.evaluate)(hypothesis).as_mut(), &self.black_box.memory).is_none()
    }
}

/// Whether two instructions are of one scheme and one composition.
pub(super) fn same(one: &Instruction, other: &Instruction) -> bool {
    one.unit.scheme == other.unit.scheme
        && one.blocks() == other.blocks()
        && one.final_addition.is_some() == other.final_addition.is_some()
}

/// What was found, in a scheme of which next to nothing is left: a simpler one, or any where c is added last otherwise than
/// correctly rounded.
fn from_found(space: &Space, found: &Instruction, candidate: &Candidate, left: &Refuted) -> Option<Instruction> {
    let near = left.by.len() <= NEXT_TO_NOTHING;
    let (unusual, scheme) = simplicity(found);
    let (_, own) = simplicity(&candidate.start.hypothesis);
    let simpler = (unusual && candidate.composition.added_last, own) < (unusual, scheme);
    if !near || !simpler {
        return None;
    }
    space.in_scheme(found, candidate.scheme, &candidate.composition)
}
