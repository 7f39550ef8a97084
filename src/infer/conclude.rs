//! What is said of a hypothesis that was settled: what else explains the answers, the simplest of those, and the evidence.

use super::InferError;
use super::equivalent::same;
use super::evidence::{Account, Equivalent, Finding, Indifferent, ParameterEvidence};
use super::inference::{FINE, Inference};
use super::search::{Candidate, Constraints, Effort, Fit, Refuted};
use super::settle::{Explained, Settled};
use super::space::{Composition, Setting, simplicity};
use crate::describe::format::{Class, Format};
use crate::describe::instruction::Instruction;

impl Inference<'_, '_> {
    /// The finding; none where an answer that came since refutes the hypothesis.
    pub(super) fn found(
        &mut self,
        explained: Explained,
        refuted: &mut Vec<Refuted>,
        candidates: &[Candidate],
    ) -> Result<Option<Finding>, InferError> {
        let Explained { mut hypothesis, mut account, mut indifferent } = explained;
        let mut equivalent = self.equivalent(&hypothesis, refuted, candidates)?;
        let place = |one: &Instruction| simplicity(one.unit.scheme);
        let simplest = (0..equivalent.len()).min_by_key(|&index| place(&equivalent[index]));
        let simpler = simplest.filter(|&index| place(&equivalent[index]) < place(&hypothesis));
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
        if !self.explains(&hypothesis) {
            return Ok(None);
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
        account.go_on(self.search.evaluate, &hypothesis, &self.black_box.memory);
        let indifferent = account.still_open(&indifferent);
        let parameters = self.parameters(account, indifferent, &hypothesis.frame().formats.d);
        let equivalent = self.described(&hypothesis, &parameters, alike)?;
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

    /// Hypotheses that explain all answers beside the one found, each scheme and composition once; of recorded answers, with
    /// what they leave open of each.
    fn described(
        &mut self,
        found: &Instruction,
        parameters: &[ParameterEvidence],
        alike: Vec<Instruction>,
    ) -> Result<Vec<Equivalent>, InferError> {
        let mut described: Vec<Equivalent> = Vec::new();
        for hypothesis in alike {
            let other = match self.black_box.answers_more() {
                true => Equivalent { hypothesis, parameters: Vec::new() },
                false => self.with_evidence(self.plain(hypothesis))?,
            };
            let known = |known: &Equivalent| same(&known.hypothesis, &other.hypothesis);
            if !same(found, &other.hypothesis) && !described.iter().any(known) {
                described.push(other);
            }
        }
        Ok(described)
    }

    /// A hypothesis that explains recorded answers, settled as the one found was.
    fn with_evidence(&mut self, hypothesis: Instruction) -> Result<Equivalent, InferError> {
        let candidate = Candidate {
            scheme: hypothesis.unit.scheme,
            composition: Composition::whole(&self.space.interface),
            start: Fit { hypothesis: hypothesis.clone(), failures: 0 },
        };
        let mut constraints = Constraints::of_memory(&self.black_box.memory, FINE);
        Ok(match self.settle(&candidate, hypothesis, &mut constraints)? {
            Settled::Found(explained) => {
                let Explained { hypothesis, account, indifferent } = *explained;
                let parameters = self.parameters(account, indifferent, &hypothesis.frame().formats.d);
                Equivalent { hypothesis, parameters }
            }
            Settled::Refuted(other) => Equivalent { hypothesis: *other.hypothesis, parameters: Vec::new() },
        })
    }

    /// The hypothesis with the first value of each rule that explains all answers too, so that what was searched from
    /// elsewhere leaves the same numbers open. Its composition stays as it is.
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
        let own = parameters.iter_mut().find(|parameter| unseen && parameter.field == "conversion.nan");
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
