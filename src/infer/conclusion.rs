//! What is concluded from a refined hypothesis: what else explains the answers, the simplest of those, and the evidence.

use rayon::prelude::*;

use super::distinguish::BATCH;
use super::evidence::{Equivalent, Finding, Indistinguishable, ParameterEvidence};
use super::refine::{Refined, Refinement};
use super::search::{Candidate, Constraints, Effort, Fit, Refuted};
use super::solver::Decision;
use super::space::{Composition, Setting, Space, simplicity};
use super::state::{FINE, Inference, NEXT_TO_NOTHING, ROUGH, ROUNDS};
use super::{InferError, vectors};
use crate::describe::format::{Class, Format};
use crate::describe::instruction::Instruction;
use crate::describe::unit::Scheme;
use crate::engine::Batch;

impl Inference<'_, '_> {
    /// The finding; none where an answer that came since refutes the hypothesis.
    pub(super) fn conclude(
        &mut self,
        refined: Refined,
        refuted: &mut Vec<Refuted>,
        candidates: &[Candidate],
    ) -> Result<Option<Finding>, InferError> {
        let mut refined = self.with_plain_rules(refined)?;
        let mut others = self.others_that_explain(&refined.hypothesis, refuted, candidates)?;
        let simplest = (0..others.len()).min_by_key(|&index| simplicity(&others[index]));
        let simpler = simplest.filter(|&index| simplicity(&others[index]) < simplicity(&refined.hypothesis));
        if let Some(other) = simpler.map(|index| others.remove(index)) {
            let candidate = candidates.iter().find(|candidate| candidate.scheme == other.unit.scheme);
            let mut constraints = self.sample(FINE);
            self.search.effort = Effort::Quick;
            match candidate.map(|candidate| self.refine(candidate, other, &mut constraints)).transpose()? {
                Some(Refinement::Stands(simpler)) => others.push(std::mem::replace(&mut refined, *simpler).hypothesis),
                Some(Refinement::Refuted(other)) => refuted.push(other),
                None => {}
            }
        }
        let hypothesis = refined.hypothesis.clone();
        let (mut equal, others): (Vec<Instruction>, Vec<Instruction>) =
            others.into_iter().partition(|other| self.explains(other));
        refuted.extend(others.into_iter().map(|other| Refuted { hypothesis: Box::new(other), by: Vec::new() }));
        // What a short search of the same composition ended with says nothing of it.
        refuted.retain(|refuted| {
            let own = (hypothesis.unit.scheme, hypothesis.blocks());
            (refuted.hypothesis.unit.scheme, refuted.hypothesis.blocks()) != own
        });
        self.recount(refuted);
        equal.extend(refuted.extract_if(.., |other| other.by.is_empty()).map(|other| *other.hypothesis));
        let equal = self.equal_by_solver(&hypothesis, equal, refuted)?;
        if !self.explains(&hypothesis) {
            return Ok(None);
        }
        self.exclude(&mut refined);
        let mut parameters = self.evidence(refined);
        let mut equivalent = self.listed(&hypothesis, &parameters, equal)?;
        let of_others = equivalent.iter_mut().flat_map(|other| &mut other.parameters);
        name_tests(&hypothesis, parameters.iter_mut().chain(of_others));
        refuted.retain(|refuted| !equivalent.iter().any(|other| same(&other.hypothesis, &refuted.hypothesis)));
        Ok(Some(Finding {
            hypothesis,
            parameters,
            refuted: std::mem::take(refuted),
            equivalent,
            recorded: self.black_box.is_recording(),
            asked: self.asked(),
            confirmed: self.options.confirm,
        }))
    }

    /// What else explains all answers, those too that distinguish it from what was found: of schemes and compositions that were
    /// not tried yet, two a scheme; and of simpler ones of which next to nothing is left, with what was found. Ends early where an
    /// answer refutes what was found.
    fn others_that_explain(
        &mut self,
        found: &Instruction,
        refuted: &mut Vec<Refuted>,
        candidates: &[Candidate],
    ) -> Result<Vec<Instruction>, InferError> {
        let rough = self.sample(ROUGH);
        self.search.effort = Effort::Light;
        let mut equal = Vec::new();
        let (space, search, memory) = (self.space, self.search, &self.black_box.memory);
        let others = self.others(found, refuted, candidates);
        let explained: Vec<(&Candidate, Constraints, Result<Instruction, Refuted>)> = others
            .into_par_iter()
            .map(|(candidate, first)| {
                let mut constraints = rough.clone();
                let mut explained = search.explain(candidate, first, &mut constraints, memory);
                let left = explained.as_ref().err();
                if let Some(other) = left.and_then(|left| from_found(space, found, candidate, left)) {
                    explained = search.explain(candidate, other, &mut constraints, memory);
                }
                (candidate, constraints, explained)
            })
            .collect();
        let mut trials = None;
        for (candidate, mut constraints, mut explained) in explained {
            for _ in 0..ROUNDS {
                let Ok(other) = &explained else { break };
                let trials = trials.get_or_insert_with(|| self.search.trials(found, &[], self.options.seed));
                let mut vector = self.search.distinguishing_vector(trials, other, self.options.seed);
                if let Some(solver) = self.solver.as_ref().filter(|_| vector.is_none() && !same(other, found))
                    && let Decision::Refuted(distinguishing) = solver.decision(found, other)?
                {
                    vector = Some(*distinguishing);
                }
                let Some(vector) = vector.filter(|_| !self.black_box.is_recording()) else { break };
                self.black_box.ask(&Batch::of(&vector))?;
                if !self.explains(found) {
                    return Ok(equal);
                }
                let other = other.clone();
                explained = self.search.explain(candidate, other, &mut constraints, &self.black_box.memory);
            }
            let known = |other: &Refuted| refuted.iter().any(|known| same(&known.hypothesis, &other.hypothesis));
            match explained {
                Ok(other) if same(&other, found) => {}
                Ok(other) => equal.push(other),
                Err(other) if !other.by.is_empty() && known(&other) => {}
                Err(other) => refuted.push(other),
            }
        }
        Ok(equal)
    }

    /// Compositions and schemes beside a hypothesis, and what each is begun with.
    fn others<'c>(
        &self,
        found: &Instruction,
        refuted: &[Refuted],
        candidates: &'c [Candidate],
    ) -> Vec<(&'c Candidate, Instruction)> {
        // The width of blocks is a parameter of each search, so that two compositions of a scheme are enough to begin with.
        let mut begun: Vec<Scheme> = Vec::new();
        let untried = candidates.iter().skip(refuted.len());
        let untried = untried.filter(|candidate| !same(&candidate.start.hypothesis, found)).filter(|candidate| {
            begun.push(candidate.scheme);
            begun.iter().filter(|scheme| **scheme == candidate.scheme).count() <= 2
        });
        let untried = untried.map(|candidate| (candidate, candidate.start.hypothesis.clone()));
        let tried = candidates.iter().zip(refuted);
        let again =
            tried.filter_map(|(candidate, left)| Some((candidate, from_found(self.space, found, candidate, left)?)));
        untried.chain(again).collect()
    }

    /// Of hypotheses that explain all answers, those that the solver does not distinguish from the one found, with what it says. The
    /// vectors of the others are asked, and one may refute what was found.
    fn equal_by_solver(
        &mut self,
        found: &Instruction,
        equal: Vec<Instruction>,
        refuted: &mut Vec<Refuted>,
    ) -> Result<Vec<(Instruction, Option<Decision>)>, InferError> {
        let mut left = Vec::new();
        for other in equal {
            let solver = self.solver.as_ref().filter(|_| self.explains(found));
            match solver.map(|solver| solver.decision(found, &other)).transpose()? {
                Some(Decision::Refuted(vector)) => {
                    self.black_box.ask(&Batch::of(&vector))?;
                    refuted.push(Refuted { hypothesis: Box::new(other), by: Vec::new() });
                    self.recount(refuted);
                }
                decision => left.push((other, decision)),
            }
        }
        Ok(left)
    }

    /// Hypotheses that explain all answers beside the one found, each scheme and composition once; of recorded answers, with
    /// what they leave open of each. Those are left out that differ from the one found in what is open there alone.
    fn listed(
        &mut self,
        found: &Instruction,
        parameters: &[ParameterEvidence],
        equal: Vec<(Instruction, Option<Decision>)>,
    ) -> Result<Vec<Equivalent>, InferError> {
        let mut listed: Vec<Equivalent> = Vec::new();
        for (other, decision) in equal {
            let known = |other: &Instruction, listed: &[Equivalent]| {
                same(found, other) || listed.iter().any(|known| same(&known.hypothesis, other))
            };
            if known(&other, &listed) {
                continue;
            }
            let other = match self.black_box.is_recording() {
                false => Equivalent { hypothesis: other, parameters: Vec::new(), decision },
                true => self.with_evidence(other)?,
            };
            let open_alone = !other.parameters.is_empty() && other.differing(parameters).next().is_none();
            let open_alone = open_alone && other.hypothesis.unit.scheme == found.unit.scheme;
            if !open_alone && !known(&other.hypothesis, &listed) {
                listed.push(other);
            }
        }
        Ok(listed)
    }

    /// A hypothesis that explains recorded answers, refined as the one found was.
    fn with_evidence(&mut self, hypothesis: Instruction) -> Result<Equivalent, InferError> {
        /// Vectors searched in the end: enough to say on which vector most values differ.
        const SEARCH: u64 = 16 * BATCH as u64;
        let search = self.options.search;
        self.options.search = search.min(SEARCH);
        let refinement = self.refine_alone(self.plain(hypothesis));
        self.options.search = search;
        let (hypothesis, parameters) = match refinement? {
            Refinement::Stands(refined) => (refined.hypothesis.clone(), self.evidence(*refined)),
            Refinement::Refuted(other) => (*other.hypothesis, Vec::new()),
        };
        Ok(Equivalent { hypothesis, parameters, decision: None })
    }

    /// Of recorded answers, a hypothesis with plain rules instead of those that the search came to.
    fn with_plain_rules(&mut self, refined: Refined) -> Result<Refined, InferError> {
        if !self.black_box.is_recording() {
            return Ok(refined);
        }
        let plain = self.plain(refined.hypothesis.clone());
        if plain == refined.hypothesis {
            return Ok(refined);
        }
        match self.refine_alone(plain)? {
            Refinement::Stands(plain) => Ok(*plain),
            Refinement::Refuted(_) => Ok(refined),
        }
    }

    /// Refines a hypothesis that explains everything.
    fn refine_alone(&mut self, hypothesis: Instruction) -> Result<Refinement, InferError> {
        let candidate = Candidate {
            scheme: hypothesis.unit.scheme,
            composition: Composition::whole(&self.space.interface),
            start: Fit { hypothesis: hypothesis.clone(), failures: 0 },
        };
        let mut constraints = self.sample(FINE);
        self.search.effort = Effort::Quick;
        self.refine(&candidate, hypothesis, &mut constraints)
    }

    /// The hypothesis with the first value of each rule that explains all answers too, so that which numbers are open does
    /// not depend on the way the search took. Its composition stays as it is.
    fn plain(&self, hypothesis: Instruction) -> Instruction {
        let mut plain = hypothesis;
        for values in self.space.parameters(&plain) {
            let first: Vec<Setting> = values.into_iter().take(1).filter(|first| first.place().is_none()).collect();
            let other = self.space.alternatives(&plain, &first).next().map(|(_, other)| other);
            if let Some(other) = other.filter(|other| same(&plain, other) && self.explains(other)) {
                plain = other;
            }
        }
        plain
    }

    /// What excluded values of each parameter, and those that are open.
    fn evidence(&self, refined: Refined) -> Vec<ParameterEvidence> {
        let open = refined.alternatives.still_open(&refined.indistinguishable);
        let mut parameters = refined.alternatives.parameters;
        for (setting, indistinguishable) in open {
            let own = parameters.iter_mut().find(|parameter| parameter.field == setting.field());
            if let Some(parameter) = own {
                parameter.indistinguishable.push(indistinguishable);
            }
        }
        let format: &Format = refined.hypothesis.d();
        let is_nan = |answer: &u64| format.decode(*answer & format.mask()).class == Class::Nan;
        let mut answers = self.black_box.memory.blocks().iter().flat_map(|block| &block.answers);
        let unseen = !format.is_integer() && !answers.any(is_nan);
        let own = parameters.iter_mut().find(|parameter| unseen && parameter.field.ends_with("conversion.nan"));
        if let Some(parameter) = own {
            let reason = "no answer was NaN".to_owned();
            parameter.indistinguishable.push(Indistinguishable::because("any other NaN".to_owned(), reason));
        }
        parameters
    }
}

/// Whether two instructions are of one scheme and one composition.
fn same(one: &Instruction, other: &Instruction) -> bool {
    one.unit.scheme == other.unit.scheme
        && one.blocks() == other.blocks()
        && one.final_addition.is_some() == other.final_addition.is_some()
}

/// What was found, in a scheme of which next to nothing is left: a simpler one, or any where c is added last and not
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

/// Names the feature test that has the vector of each exclusion, of several the first.
fn name_tests<'a>(hypothesis: &Instruction, parameters: impl Iterator<Item = &'a mut ParameterEvidence>) {
    let tests = vectors::tests(&hypothesis.frame());
    for exclusion in parameters.flat_map(|parameter| &mut parameter.exclusions) {
        exclusion.test = tests.get(&exclusion.vector).copied();
    }
}
