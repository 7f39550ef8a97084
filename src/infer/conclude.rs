//! What is said of a hypothesis that was settled: what else explains the answers, the simplest of those, and the evidence.

use super::distinguish::BATCH;
use super::equivalent::same;
use super::evidence::{Account, Equivalent, Finding, Indifferent, ParameterEvidence};
use super::inference::{FINE, Inference};
use super::search::{Candidate, Constraints, Effort, Fit, Refuted};
use super::settle::{Explained, Settled};
use super::solver::{Decision, Solver};
use super::space::{Composition, Setting, simplicity};
use super::{InferError, questions};
use crate::describe::format::{Class, Format};
use crate::describe::instruction::Instruction;
use crate::engine::Batch;

impl Inference<'_, '_> {
    /// The finding; none where an answer that came since refutes the hypothesis.
    pub(super) fn found(
        &mut self,
        explained: Explained,
        refuted: &mut Vec<Refuted>,
        candidates: &[Candidate],
    ) -> Result<Option<Finding>, InferError> {
        let Explained { mut hypothesis, mut account, mut indifferent } = self.plainly(explained)?;
        let mut equivalent = self.equivalent(&hypothesis, refuted, candidates)?;
        let simplest = (0..equivalent.len()).min_by_key(|&index| simplicity(&equivalent[index]));
        let simpler = simplest.filter(|&index| simplicity(&equivalent[index]) < simplicity(&hypothesis));
        if let Some(other) = simpler.map(|index| equivalent.remove(index)) {
            let candidate = candidates.iter().find(|candidate| candidate.scheme == other.unit.scheme);
            let mut constraints = Constraints::of_memory(&self.black_box.memory, FINE);
            self.search.effort = Effort::Quick;
            match candidate.map(|candidate| self.settle(candidate, other, &mut constraints)).transpose()? {
                Some(Settled::Found(found)) => {
                    equivalent.push(hypothesis);
                    Explained { hypothesis, account, indifferent } = *found;
                }
                Some(Settled::Refuted(other)) => refuted.push(other),
                None => {}
            }
        }
        let (mut alike, others): (Vec<Instruction>, Vec<Instruction>) =
            equivalent.into_iter().partition(|other| self.explains(other));
        refuted.extend(others.into_iter().map(|other| Refuted { hypothesis: Box::new(other), by: Vec::new() }));
        // What a short search of the same composition ended with says nothing of it.
        refuted.retain(|refuted| {
            let own = (hypothesis.unit.scheme, hypothesis.blocks());
            (refuted.hypothesis.unit.scheme, refuted.hypothesis.blocks()) != own
        });
        self.recount(refuted);
        alike.extend(refuted.extract_if(.., |other| other.by.is_empty()).map(|other| *other.hypothesis));
        let alike = self.not_told_apart(&hypothesis, alike, refuted)?;
        if !self.explains(&hypothesis) {
            return Ok(None);
        }
        account.go_on(self.search.evaluate, &hypothesis, &self.black_box.memory);
        let indifferent = account.still_open(&indifferent);
        let mut parameters = self.parameters(account, indifferent, &hypothesis.interface().formats.d);
        let mut equivalent = self.described(&hypothesis, &parameters, alike)?;
        let of_others = equivalent.iter_mut().flat_map(|other| &mut other.parameters);
        questions::name_tests(&hypothesis.interface(), parameters.iter_mut().chain(of_others));
        refuted.retain(|refuted| !equivalent.iter().any(|other| same(&other.hypothesis, &refuted.hypothesis)));
        Ok(Some(Finding {
            hypothesis,
            parameters,
            refuted: std::mem::take(refuted),
            equivalent,
            recorded: !self.black_box.answers_more(),
            asked: self.asked(),
            confirmed: self.options.confirm,
        }))
    }

    /// Of hypotheses that explain all answers, those that the solver does not tell from the one found, with what it says. The vectors
    /// of the others are asked, and one may refute what was found.
    fn not_told_apart(
        &mut self,
        found: &Instruction,
        alike: Vec<Instruction>,
        refuted: &mut Vec<Refuted>,
    ) -> Result<Vec<(Instruction, Option<Decision>)>, InferError> {
        let mut left = Vec::new();
        for other in alike {
            let ask = |solver: &Solver| solver.decision(found, &other);
            match self.solver.as_ref().filter(|_| self.explains(found)).map(ask).transpose()? {
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
    fn described(
        &mut self,
        found: &Instruction,
        parameters: &[ParameterEvidence],
        alike: Vec<(Instruction, Option<Decision>)>,
    ) -> Result<Vec<Equivalent>, InferError> {
        let mut described: Vec<Equivalent> = Vec::new();
        for (other, decision) in alike {
            let known = |other: &Instruction, described: &[Equivalent]| {
                same(found, other) || described.iter().any(|known| same(&known.hypothesis, other))
            };
            if known(&other, &described) {
                continue;
            }
            let other = match self.black_box.answers_more() {
                true => Equivalent { hypothesis: other, parameters: Vec::new(), decision },
                false => self.with_evidence(other)?,
            };
            let listed = !other.parameters.is_empty() && other.unlike(parameters).next().is_none();
            let listed = listed && other.hypothesis.unit.scheme == found.unit.scheme;
            if !listed && !known(&other.hypothesis, &described) {
                described.push(other);
            }
        }
        Ok(described)
    }

    /// A hypothesis that explains recorded answers, settled as the one found was.
    fn with_evidence(&mut self, hypothesis: Instruction) -> Result<Equivalent, InferError> {
        /// Vectors looked through in the end: enough to say on which vector most values differ.
        const SEARCH: u64 = 16 * BATCH as u64;
        let search = self.options.search;
        self.options.search = search.min(SEARCH);
        let settled = self.settled(self.plain(hypothesis));
        self.options.search = search;
        Ok(match settled? {
            Settled::Found(explained) => {
                let Explained { hypothesis, account, indifferent } = *explained;
                let parameters = self.parameters(account, indifferent, &hypothesis.interface().formats.d);
                Equivalent { hypothesis, parameters, decision: None }
            }
            Settled::Refuted(other) => {
                Equivalent { hypothesis: *other.hypothesis, parameters: Vec::new(), decision: None }
            }
        })
    }

    /// Of recorded answers, a hypothesis with plain rules instead of those that the search came to.
    fn plainly(&mut self, explained: Explained) -> Result<Explained, InferError> {
        if self.black_box.answers_more() {
            return Ok(explained);
        }
        let plain = self.plain(explained.hypothesis.clone());
        if plain == explained.hypothesis {
            return Ok(explained);
        }
        match self.settled(plain)? {
            Settled::Found(plain) => Ok(*plain),
            Settled::Refuted(_) => Ok(explained),
        }
    }

    /// A hypothesis that explains everything, settled.
    fn settled(&mut self, hypothesis: Instruction) -> Result<Settled, InferError> {
        let candidate = Candidate {
            scheme: hypothesis.unit.scheme,
            composition: Composition::whole(&self.space.interface),
            start: Fit { hypothesis: hypothesis.clone(), failures: 0 },
        };
        let mut constraints = Constraints::of_memory(&self.black_box.memory, FINE);
        self.search.effort = Effort::Quick;
        self.settle(&candidate, hypothesis, &mut constraints)
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

    /// Of hypotheses that no answer of a sample refuted, all answers that do.
    pub(super) fn recount(&self, refuted: &mut [Refuted]) {
        let all = Constraints::of_memory(&self.black_box.memory, usize::MAX);
        for refuted in refuted.iter_mut().filter(|refuted| refuted.by.is_empty()) {
            *refuted = self.search.refuted(refuted.hypothesis.as_ref().clone(), &all);
        }
    }

    fn parameters(
        &self,
        account: Account,
        indifferent: Vec<(Setting, Indifferent)>,
        format: &Format,
    ) -> Vec<ParameterEvidence> {
        let mut parameters = account.parameters;
        for (setting, indifferent) in indifferent {
            let own = parameters.iter_mut().find(|parameter| parameter.field == setting.field());
            if let Some(parameter) = own {
                parameter.indifferent.push(indifferent);
            }
        }
        let is_nan = |answer: &u64| format.decode(*answer & format.mask()).class == Class::Nan;
        let mut answers = self.black_box.memory.blocks().iter().flat_map(|block| &block.answers);
        let unseen = !format.is_integer() && !answers.any(is_nan);
        let own = parameters.iter_mut().find(|parameter| unseen && parameter.field.ends_with("conversion.nan"));
        if let Some(parameter) = own {
            let reason = "no answer was NaN".to_owned();
            parameter.indifferent.push(Indifferent::because("any other NaN".to_owned(), reason));
        }
        parameters
    }

    /// Vectors that the engine was asked, or that were recorded.
    pub(super) fn asked(&self) -> u64 {
        if self.black_box.answers_more() { self.black_box.asked } else { self.black_box.memory.len() as u64 }
    }
}
