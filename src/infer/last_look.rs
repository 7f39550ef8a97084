//! The last look at a hypothesis that is confirmed: vectors that tell from it what none told so far, on many more of them, and by
//! a solver.

use rayon::prelude::*;

use super::InferError;
use super::distinguish::BATCH;
use super::evidence::{Account, Indifferent, Why};
use super::inference::Inference;
use super::output::vector_text;
use super::questions::Mixed;
use super::search::first_difference;
use super::settle::Look;
use super::solver::Decision;
use super::space::Setting;
use crate::describe::instruction::Instruction;
use crate::engine::{Batch, Vector};

impl Inference<'_, '_> {
    /// What no vector was found to tell from the hypothesis, on many more vectors; and before the solver, where those tell nothing
    /// and free no value that is to be looked for first.
    pub(super) fn last_look(
        &self,
        hypothesis: &Instruction,
        account: &Account,
        known: Vec<(Setting, Indifferent)>,
    ) -> Result<Look, InferError> {
        let (mut telling, rest) = self.looked_through(hypothesis, account, known);
        self.telling_confusable(hypothesis).iter().for_each(|vector| telling.push(vector));
        match telling.is_empty() && rest.len() == account.open.len() {
            true => self.decided(hypothesis, account, rest),
            false => Ok((telling, rest)),
        }
    }

    /// The alternatives that no vector was found to tell from the hypothesis, and nothing explains why, on many more vectors:
    /// those that do, and what is left.
    fn looked_through(&self, hypothesis: &Instruction, account: &Account, known: Vec<(Setting, Indifferent)>) -> Look {
        let mut batch = Batch::of_interface(&hypothesis.interface());
        let (open, mut rest): (Vec<_>, Vec<_>) =
            known.into_iter().partition(|(_, indifferent)| indifferent.why == Why::NothingFound);
        let (settings, others): (Vec<Setting>, Vec<&Instruction>) = open
            .into_iter()
            .filter_map(|(setting, _)| account.alternative(&setting).map(|other| (setting, other)))
            .unzip();
        let vectors = self.mixed(hypothesis, account, 0xdeed);
        let found = self.search.differences(hypothesis, &others, &vectors, self.options.search);
        for (setting, vector) in settings.into_iter().zip(found) {
            match vector {
                Some(vector) => {
                    no_longer_passed_over(&mut rest, &setting, hypothesis);
                    match self.black_box.answers_more() {
                        true => batch.push(&vector),
                        false => rest.push(not_recorded(setting, &vector)),
                    }
                }
                None => {
                    let value = setting.text();
                    rest.push((setting, Indifferent::on(value, self.options.search)));
                }
            }
        }
        (batch, rest)
    }

    /// Vectors that tell the hypothesis from those that hardly any vector tells from it and that are no single change of it: such
    /// as differ only where all that is above a floor cancels.
    fn telling_confusable(&self, hypothesis: &Instruction) -> Vec<Vector> {
        /// Vectors that are looked through for each; for those that the fewest tell, as many as for an open value.
        const LOOKED_THROUGH: u64 = 16 * BATCH as u64;
        if !self.black_box.answers_more() {
            return Vec::new();
        }
        let (search, seed, memory) = (self.search, self.options.seed, &self.black_box.memory);
        let every = self.options.search.max(LOOKED_THROUGH);
        let differing = |(other, nearest): &(Instruction, bool)| {
            if first_difference((search.evaluate)(other).as_mut(), memory).is_some() {
                return None;
            }
            let vectors = Mixed::new(other, seed, std::iter::empty(), Vec::new());
            let count = if *nearest { every } else { LOOKED_THROUGH };
            search.differences(hypothesis, &[other], &vectors, count).into_iter().next().flatten()
        };
        self.space.confusable(hypothesis).par_iter().filter_map(differing).collect()
    }

    /// The alternatives that no vector was found to tell from the hypothesis, before the solver: vectors that do, of
    /// confusable hypotheses too, and what is left, with the decision as its reason.
    fn decided(
        &self,
        hypothesis: &Instruction,
        account: &Account,
        known: Vec<(Setting, Indifferent)>,
    ) -> Result<Look, InferError> {
        let mut telling = Batch::of_interface(&hypothesis.interface());
        let Some(solver) = &self.solver else { return Ok((telling, known)) };
        let decide = |(setting, indifferent): &(Setting, Indifferent)| {
            let open = account.alternative(setting).filter(|_| indifferent.why == Why::NothingFound);
            open.map(|other| solver.decision(hypothesis, other)).transpose()
        };
        let decisions: Vec<Option<Decision>> = known.par_iter().map(decide).collect::<Result<_, _>>()?;
        let (mut told, mut rest) = (Vec::new(), Vec::new());
        for ((setting, indifferent), decision) in known.into_iter().zip(decisions) {
            match decision {
                Some(Decision::Refuted(vector)) => {
                    telling.push(&vector);
                    told.push(setting);
                }
                Some(Decision::Proved(reason)) => rest.push((setting, Indifferent::because(indifferent.value, reason))),
                Some(Decision::Unknown(reason)) => rest.push((setting, indifferent.undecided(&reason))),
                None => rest.push((setting, indifferent)),
            }
        }
        told.iter().for_each(|setting| no_longer_passed_over(&mut rest, setting, hypothesis));
        // One that is not decided is followed by others that are as hard.
        for (other, _) in self.space.confusable(hypothesis) {
            match self.explains(&other).then(|| solver.decision(hypothesis, &other)).transpose()? {
                Some(Decision::Refuted(vector)) => telling.push(&vector),
                Some(Decision::Unknown(_)) => break,
                Some(Decision::Proved(_)) | None => {}
            }
        }
        Ok((telling, rest))
    }
}

/// Of the values without a difference, those that lie nearer than one that was told apart are to be looked for now.
fn no_longer_passed_over(indifferent: &mut Vec<(Setting, Indifferent)>, told: &Setting, hypothesis: &Instruction) {
    let nearer = |(other, indifferent): &(Setting, Indifferent)| {
        let same_ladder = other.field() == told.field() && other.is_below(hypothesis) == told.is_below(hypothesis);
        same_ladder && indifferent.why == Why::NotLookedFor
    };
    indifferent.retain(|entry| !nearer(entry));
}

/// An alternative that a vector would tell, which a recording does not hold.
pub(super) fn not_recorded(setting: Setting, vector: &Vector) -> (Setting, Indifferent) {
    let reason = format!("they differ on {}, which is not recorded", vector_text(vector));
    let value = setting.text();
    (setting, Indifferent::because(value, reason))
}
