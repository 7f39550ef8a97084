//! Settling one hypothesis: vectors are asked until no single change of it explains the answers too, and then those that
//! confirm it.

use std::ops::Range;

use rayon::prelude::*;

use super::InferError;
use super::distinguish::BATCH;
use super::evidence::{self, Account, Indifferent, ParameterEvidence};
use super::inference::{Inference, ROUNDS};
use super::last_look::not_recorded;
use super::questions::{self, Mixed};
use super::search::ladders::ladders;
use super::search::telling::{Looked, Told};
use super::search::{Candidate, Constraints, Refuted};
use super::space::{Setting, Space};
use crate::describe::instruction::Instruction;
use crate::engine::{Batch, Vector};

/// What settling a hypothesis ends with.
pub(super) enum Settled {
    Found(Box<Explained>),
    Refuted(Refuted),
}

/// Vectors that tell values from those of a hypothesis, and the values that none tells.
pub(super) type Look = (Batch, Vec<(Setting, Indifferent)>);

/// A hypothesis that nothing refutes, with what excluded its alternatives and those that nothing tells from it.
pub(super) struct Explained {
    pub hypothesis: Instruction,
    pub account: Account,
    pub indifferent: Vec<(Setting, Indifferent)>,
}

impl Inference<'_, '_> {
    /// Asks until each single change is excluded by an answer, or no vector is found that would exclude it; then confirms the
    /// hypothesis. One that is not refuted, but not settled in the rounds there are either, ends as refuted by no answer.
    pub(super) fn settle(
        &mut self,
        candidate: &Candidate,
        first: Instruction,
        constraints: &mut Constraints,
    ) -> Result<Settled, InferError> {
        let mut hypothesis = first;
        let mut indifferent: Vec<(Setting, Indifferent)> = Vec::new();
        let mut kept: Option<Account> = None;
        let mut confirmed: Option<Instruction> = None;
        let mut looked: Option<Looked> = None;
        // That of which shaped vectors were asked.
        let mut shaped: Option<Instruction> = None;
        let mut rounds = ROUNDS;
        while rounds > 0 {
            rounds -= 1;
            let before = hypothesis.clone();
            if shaped.as_ref() != Some(&hypothesis) {
                self.ask_shaped(&hypothesis)?;
                shaped = Some(hypothesis.clone());
            }
            let refitted = self.search.explain(candidate, hypothesis, constraints, &self.black_box.memory);
            hypothesis = match refitted {
                Ok(hypothesis) => hypothesis,
                Err(refuted) => return Ok(Settled::Refuted(refuted)),
            };
            if hypothesis != before {
                (indifferent, kept) = (Vec::new(), None);
                continue;
            }
            let (evaluate, memory) = (self.search.evaluate, &self.black_box.memory);
            if let Some(account) = &mut kept {
                account.go_on(evaluate, &hypothesis, memory);
            }
            let account = kept.take().unwrap_or_else(|| {
                Account::of(self.space, evaluate, &hypothesis, memory, !self.black_box.answers_more())
            });
            let (telling, rest) = self.telling(&hypothesis, &mut looked, &account, &indifferent);
            indifferent = rest;
            if !telling.is_empty() {
                self.black_box.ask(&telling)?;
                kept = Some(account);
                continue;
            }
            if let Some(simpler) = simpler(&hypothesis, &account, &indifferent, self.space) {
                hypothesis = simpler;
                indifferent.clear();
                continue;
            }
            if confirmed.as_ref() != Some(&hypothesis) && !self.confirm(&hypothesis, &account)? {
                continue;
            }
            confirmed = Some(hypothesis.clone());
            let (telling, rest) = self.last_look(&hypothesis, &account, indifferent)?;
            indifferent = rest;
            // A recording cannot be asked; but the last look freed values that nobody has looked for yet. They become fewer.
            if telling.is_empty() && indifferent.len() < account.open.len() {
                kept = Some(account);
                rounds += 1;
                continue;
            }
            if telling.is_empty() {
                return Ok(Settled::Found(Box::new(Explained { hypothesis, account, indifferent })));
            }
            self.black_box.ask(&telling)?;
            // What a solver tells becomes fewer as long as it does not tell the hypothesis from the box.
            rounds += usize::from(self.solver.is_some() && self.explains(&hypothesis));
            kept = Some(account);
        }
        Ok(Settled::Refuted(self.search.refuted(hypothesis, constraints)))
    }

    /// Asks a batch of shaped vectors of a hypothesis. A recording is asked nothing.
    pub(super) fn ask_shaped(&mut self, hypothesis: &Instruction) -> Result<(), InferError> {
        self.batch += 1;
        self.black_box.ask(&questions::shaped(hypothesis, self.options.seed, self.batch, BATCH / 2))
    }

    /// A vector for each open alternative that was found to differ from the hypothesis, thinned to those that split them best;
    /// and the alternatives for which no vector was found.
    fn telling(
        &self,
        hypothesis: &Instruction,
        looked: &mut Option<Looked>,
        account: &Account,
        known: &[(Setting, Indifferent)],
    ) -> Look {
        let open = account.open.iter().filter(|(setting, _)| !known.iter().any(|(known, _)| known == setting));
        let (search, seed) = (self.search, self.options.seed);
        let ladders = ladders(hypothesis, open.collect());
        looked.take_if(|looked| !looked.is_of(hypothesis));
        let looked = &*looked.get_or_insert_with(|| search.looked(hypothesis, &telling_vectors(account), seed));
        // Of a recording, what is told is listed and not asked.
        let every = !self.black_box.answers_more();
        let told: Vec<Told> =
            ladders.into_par_iter().flat_map(|ladder| search.told(looked, ladder, every, seed)).collect();
        let mut batch = Batch::of_interface(&hypothesis.interface());
        let mut differing = Vec::new();
        let mut indifferent = account.still_open(known);
        for Told { setting, other, vector, searched } in told {
            match vector {
                Some(vector) if self.black_box.answers_more() => {
                    batch.push(&vector);
                    differing.push(other);
                }
                Some(vector) => indifferent.push(not_recorded(setting.clone(), &vector)),
                None => indifferent.push((setting.clone(), evidence::indifferent(setting, hypothesis, searched))),
            }
        }
        (search.best_splitting(looked, &differing, batch), indifferent)
    }

    /// Vectors by which a hypothesis is told from what is not yet told from it, and from what was not thought of.
    pub(super) fn mixed(&self, hypothesis: &Instruction, account: &Account, salt: u64) -> Mixed {
        let open = account.open.iter().map(|(_, other)| other.frame());
        let telling = telling_vectors(account);
        Mixed::new(hypothesis, self.options.seed ^ salt, open, telling)
    }

    /// Whether the box agrees on many vectors. Those on which it does not are remembered. Few are asked first,
    /// since a wrong hypothesis mostly differs on those.
    fn confirm(&mut self, hypothesis: &Instruction, account: &Account) -> Result<bool, InferError> {
        /// Batches that the hypothesis answers beside the box.
        const AT_A_TIME: u64 = 16;
        let batches = self.options.confirm.div_ceil(BATCH as u64);
        let vectors = self.mixed(hypothesis, account, 0xc0ff_ee00);
        let (mut first, mut count) = (0, 1);
        while first < batches {
            let numbers = first..(first + count).min(batches);
            (first, count) = (numbers.end, (2 * count).min(AT_A_TIME));
            let differing = self.differing(hypothesis, &vectors, numbers)?;
            if !differing.is_empty() {
                self.black_box.ask(&differing)?;
                return Ok(false);
            }
        }
        self.black_box.ask_sample_again()?;
        Ok(true)
    }

    /// The vectors of some batches on which the box answers otherwise than the hypothesis.
    fn differing(
        &mut self,
        hypothesis: &Instruction,
        vectors: &Mixed,
        numbers: Range<u64>,
    ) -> Result<Batch, InferError> {
        let (confirm, evaluate) = (self.options.confirm, self.search.evaluate);
        let count = |number: u64| (confirm - number * BATCH as u64).min(BATCH as u64) as usize;
        let batch = |number| vectors.batch(number, count(number));
        let batches: Vec<Batch> = numbers.into_par_iter().map(batch).collect();
        let (mut expected, mut answers) = (Vec::new(), Vec::new());
        rayon::in_place_scope(|scope| {
            scope.spawn(|_| {
                let own = |batch: &Batch| {
                    let mut results = Vec::new();
                    evaluate(hypothesis).run(batch, &mut results).map(|()| results)
                };
                expected = batches.par_iter().map(own).collect();
            });
            answers = batches.iter().map(|batch| self.black_box.answers(batch)).collect();
        });
        let mut differing = Batch::of_interface(&hypothesis.interface());
        for (batch, (answers, expected)) in batches.iter().zip(answers.into_iter().zip(expected)) {
            let (answers, expected) = (answers?, expected?);
            let all = (0..batch.len()).filter(|&v| expected[v] != answers[v]);
            all.for_each(|v| differing.push(&batch.vector(v)));
        }
        Ok(differing)
    }
}

/// Vectors that told a hypothesis from values of the parameters of which others are open: what tells those may be near.
fn telling_vectors(account: &Account) -> Vec<Vector> {
    let is_open = |parameter: &&ParameterEvidence| {
        account.open.is_empty() || account.open.iter().any(|(setting, _)| setting.field() == parameter.field)
    };
    let exclusions = account.parameters.iter().filter(is_open).flat_map(|parameter| &parameter.exclusions);
    exclusions.map(|exclusion| exclusion.vector.clone()).collect()
}

/// The same hypothesis with the plain value of a parameter, where no difference from it was found.
fn simpler(
    hypothesis: &Instruction,
    account: &Account,
    indifferent: &[(Setting, Indifferent)],
    space: &Space,
) -> Option<Instruction> {
    let idle = |setting: &Setting| indifferent.iter().any(|(known, _)| known == setting);
    let mut open = account.open.iter().filter(|(setting, _)| space.is_plain(setting, hypothesis) && idle(setting));
    open.next().map(|(_, other)| other.clone())
}
