//! Settling one hypothesis: vectors are asked until no single change of it explains the answers too, and then those that
//! confirm it.

use super::evidence::{Account, Indifferent, account, reason};
use super::fit::{Candidate, Constraints, Refuted};
use super::inference::Inference;
use super::output::encodings;
use super::setting::Setting;
use super::{InferError, questions};
use crate::check::stimulus::CHUNK;
use crate::describe::instruction::Instruction;
use crate::engine::{Batch, Vector};

/// Rounds of asking before the search is given up.
const ROUNDS: u64 = 100;

/// What settling a hypothesis ends with.
pub(super) enum Settled {
    /// Nothing tells it from its alternatives but what is in the account.
    Found(Box<Instruction>, Account, Vec<(Setting, Indifferent)>),
    Refuted(Refuted),
}

impl Inference<'_, '_> {
    /// Asks until no answer tells the hypothesis from its single changes any more, and it has been confirmed.
    pub(super) fn settle(
        &mut self,
        candidate: &Candidate,
        first: Instruction,
        constraints: &mut Constraints,
    ) -> Result<Settled, InferError> {
        let mut hypothesis = first;
        let mut indifferent: Vec<(Setting, Indifferent)> = Vec::new();
        for _ in 0..ROUNDS {
            let before = hypothesis.clone();
            self.ask_shaped(&hypothesis)?;
            let refitted = self.search.explain(candidate, hypothesis, constraints, &self.black_box.memory);
            hypothesis = match refitted {
                Ok(hypothesis) => hypothesis,
                Err(refuted) => return Ok(Settled::Refuted(refuted)),
            };
            if hypothesis != before {
                indifferent.clear();
                continue;
            }
            let account = account(self.space, self.search.evaluate, &hypothesis, &self.black_box.memory);
            let (telling, rest) = self.telling(&hypothesis, &account, &indifferent);
            indifferent = rest;
            if !telling.is_empty() {
                self.black_box.ask(&telling)?;
                continue;
            }
            if let Some(simpler) = simpler(&account, &indifferent) {
                hypothesis = simpler;
                indifferent.clear();
                continue;
            }
            if self.confirm(&hypothesis)? {
                return Ok(Settled::Found(Box::new(hypothesis), account, indifferent));
            }
        }
        let by = self.black_box.memory.len().checked_sub(1).map(|last| self.black_box.memory.entry(last));
        Ok(Settled::Refuted(Refuted { hypothesis: Box::new(hypothesis), by: by.into_iter().collect() }))
    }

    /// Of a recording, nothing.
    fn ask_shaped(&mut self, hypothesis: &Instruction) -> Result<(), InferError> {
        self.chunk += 1;
        self.black_box.ask(&questions::shaped(hypothesis, self.options.seed, self.chunk, CHUNK / 2)).map(drop)
    }

    /// A vector for every open alternative that differs from the hypothesis on one, and the alternatives that were not found to.
    fn telling(
        &self,
        hypothesis: &Instruction,
        account: &Account,
        known: &[(Setting, Indifferent)],
    ) -> (Batch, Vec<(Setting, Indifferent)>) {
        let mut batch = Batch::of_unit(&hypothesis.frame());
        let mut indifferent = known.to_vec();
        for (setting, other) in &account.open {
            if known.iter().any(|(known, _)| known == setting) {
                continue;
            }
            match self.difference(hypothesis, other) {
                Some(vector) if self.black_box.answers_more() => batch.push(&vector),
                Some(vector) => {
                    let (a, b, c) = (encodings(&vector.a), encodings(&vector.b), vector.c);
                    let reason = format!("they differ on a = {a}, b = {b}, c = {c:#x}, which is not recorded");
                    indifferent.push((setting.clone(), Indifferent { value: setting.text(), reason }));
                }
                None => {
                    let reason = reason(setting, hypothesis, self.options.search);
                    indifferent.push((setting.clone(), Indifferent { value: setting.text(), reason }));
                }
            }
        }
        (batch, indifferent)
    }

    /// A vector that two hypotheses answer differently, from shaped vectors of both. Asks the box nothing.
    pub(super) fn difference(&self, one: &Instruction, other: &Instruction) -> Option<Vector> {
        let mut engines = [one, other].map(|hypothesis| (self.search.evaluate)(hypothesis));
        let mut results = [Vec::new(), Vec::new()];
        let chunks = self.options.search.div_ceil(CHUNK as u64);
        for chunk in 0..chunks {
            let shape = if chunk % 2 == 0 { other } else { one };
            let batch = questions::shaped(shape, self.options.seed ^ 0x5eed, chunk, CHUNK);
            for (engine, results) in engines.iter_mut().zip(&mut results) {
                engine.run(&batch, results).ok()?;
            }
            if let Some(v) = (0..batch.len()).find(|&v| results[0][v] != results[1][v]) {
                return Some(batch.vector(v));
            }
        }
        None
    }

    /// Whether the box agrees on the shaped vectors that remain. Those on which it does not are remembered.
    fn confirm(&mut self, hypothesis: &Instruction) -> Result<bool, InferError> {
        let mut engine = (self.search.evaluate)(hypothesis);
        let (mut results, mut done) = (Vec::new(), 0);
        while done < self.options.confirm {
            let count = (self.options.confirm - done).min(CHUNK as u64);
            let batch =
                questions::shaped(hypothesis, self.options.seed ^ 0xc0ff_ee00, done / CHUNK as u64, count as usize);
            let answers = self.black_box.answers(&batch)?;
            engine.run(&batch, &mut results)?;
            let mut differing = Batch::of_unit(&hypothesis.frame());
            let all = (0..batch.len()).filter(|&v| results[v] != answers[v]);
            all.for_each(|v| differing.push(&batch.vector(v)));
            if !differing.is_empty() {
                self.black_box.ask(&differing)?;
                return Ok(false);
            }
            done += count;
        }
        self.black_box.ask_sample_again()?;
        Ok(true)
    }
}

/// The same hypothesis without a floor, or with the derived carry bits, where no difference was found.
fn simpler(account: &Account, indifferent: &[(Setting, Indifferent)]) -> Option<Instruction> {
    let none = [Setting::ExponentFloor(None), Setting::CarryBits(None)];
    let idle = |setting: &Setting| indifferent.iter().any(|(known, _)| known == setting);
    let mut open = account.open.iter().filter(|(setting, _)| none.contains(setting) && idle(setting));
    open.next().map(|(_, other)| other.clone())
}
