//! Refining a hypothesis that explains all answers: distinguishing vectors are asked until no other value of any of its
//! parameters explains the answers too, or no vector is found that would exclude it. Then it is confirmed on many vectors, and
//! what is still indistinguishable from it is searched for longer, on vectors that the box is not asked, and put to a solver.

use std::mem;
use std::ops::Range;

use rayon::prelude::*;

use super::InferError;
use super::distinguish::BATCH;
use super::evidence::{Alternatives, Indistinguishable, Why};
use super::search::distinguishing::{Distinction, Trials};
use super::search::ladders::ladders;
use super::search::{Candidate, Constraints, Refuted, first_difference};
use super::solver::Decision;
use super::space::{Setting, Space};
use super::state::{Inference, ROUNDS};
use super::vectors::Mixed;
use super::wording::vector_text;
use crate::describe::instruction::Instruction;
use crate::engine::{Batch, Vector};

/// What refining a hypothesis ends with.
pub(super) enum Refinement {
    /// No answer is against it.
    Stands(Box<Refined>),
    Refuted(Refuted),
}

/// A hypothesis that no answer refutes, and what is known of its alternatives.
pub(super) struct Refined {
    pub hypothesis: Instruction,
    pub alternatives: Alternatives,
    /// Those for which no distinguishing vector was found.
    pub indistinguishable: Vec<(Setting, Indistinguishable)>,
    /// Vectors that are searched for distinguishing ones.
    trials: Option<Trials>,
    shaped_asked: bool,
    confirmed: bool,
}

impl Refined {
    /// Of a hypothesis of which nothing is known yet.
    fn new(hypothesis: Instruction) -> Refined {
        Refined {
            hypothesis,
            alternatives: Alternatives::default(),
            indistinguishable: Vec::new(),
            trials: None,
            shaped_asked: false,
            confirmed: false,
        }
    }

    fn is_indistinguishable(&self, setting: &Setting) -> bool {
        self.indistinguishable.iter().any(|(known, _)| known == setting)
    }

    /// The same hypothesis with the plain value of a parameter, where no difference from it was found.
    fn simpler(&self, space: &Space) -> Option<Instruction> {
        let plain = |setting: &Setting| space.is_plain(setting, &self.hypothesis) && self.is_indistinguishable(setting);
        self.alternatives.open.iter().find(|(setting, _)| plain(setting)).map(|(_, other)| other.clone())
    }

    /// Values nearer than one that was distinguished were passed over, and are to be searched now.
    fn no_longer_passed_over(&mut self, distinguished: &Setting) {
        let hypothesis = &self.hypothesis;
        self.indistinguishable.retain(|(other, known)| {
            let same_ladder = other.field() == distinguished.field()
                && other.is_below(hypothesis) == distinguished.is_below(hypothesis);
            !(same_ladder && known.why == Why::PassedOver)
        });
    }
}

impl Inference<'_, '_> {
    /// Refines a hypothesis of a candidate. One that is not refuted, but not done in the rounds there are either, ends as refuted
    /// by no answer.
    pub(super) fn refine(
        &mut self,
        candidate: &Candidate,
        first: Instruction,
        constraints: &mut Constraints,
    ) -> Result<Refinement, InferError> {
        let mut refined = Refined::new(first);
        let mut rounds = ROUNDS;
        while rounds > 0 {
            rounds -= 1;
            if !mem::replace(&mut refined.shaped_asked, true) {
                self.ask_shaped(&refined.hypothesis)?;
            }
            let own = refined.hypothesis.clone();
            match self.search.explain(candidate, own, constraints, &self.black_box.memory) {
                Err(refuted) => return Ok(Refinement::Refuted(refuted)),
                Ok(other) if other != refined.hypothesis => {
                    refined = Refined::new(other);
                    continue;
                }
                Ok(_) => {}
            }
            self.exclude(&mut refined);
            let distinguishing = self.distinguish(&mut refined);
            if !distinguishing.is_empty() {
                self.black_box.ask(&distinguishing)?;
                continue;
            }
            if let Some(simpler) = refined.simpler(self.space) {
                refined = Refined::new(simpler);
                continue;
            }
            if !refined.confirmed && !self.confirm(&refined)? {
                continue;
            }
            refined.confirmed = true;
            let distinguishing = self.final_search(&mut refined)?;
            if !distinguishing.is_empty() {
                self.black_box.ask(&distinguishing)?;
                // What a solver distinguishes becomes less as long as it does not refute the hypothesis.
                rounds += usize::from(self.solver.is_some() && self.explains(&refined.hypothesis));
            } else if refined.indistinguishable.len() < refined.alternatives.open.len() {
                // A recording cannot be asked, but the search freed values that were not searched yet. They become fewer.
                rounds += 1;
            } else {
                refined.trials = None;
                return Ok(Refinement::Stands(Box::new(refined)));
            }
        }
        Ok(Refinement::Refuted(self.search.refuted(refined.hypothesis, constraints)))
    }

    /// Holds the alternatives against the answers that came since.
    pub(super) fn exclude(&self, refined: &mut Refined) {
        let (evaluate, memory) = (self.search.evaluate, &self.black_box.memory);
        let every = self.black_box.is_recording();
        refined.alternatives.exclude(self.space, evaluate, &refined.hypothesis, memory, every);
    }

    /// A distinguishing vector for each open alternative for which one is found, thinned to those that split them best; the other
    /// alternatives become indistinguishable.
    fn distinguish(&self, refined: &mut Refined) -> Batch {
        let (search, seed, recorded) = (self.search, self.options.seed, self.black_box.is_recording());
        let trials = refined.trials.take();
        let Refined { hypothesis, alternatives, .. } = &*refined;
        let trials = trials.unwrap_or_else(|| search.trials(hypothesis, &alternatives.distinguishing_vectors(), seed));
        let open = alternatives.open.iter().filter(|(setting, _)| !refined.is_indistinguishable(setting));
        let ladders = ladders(hypothesis, open.collect()).into_par_iter();
        // Of a recording, what is distinguished is listed and not asked.
        let all: Vec<Distinction> =
            ladders.flat_map(|ladder| search.distinguish_ladder(&trials, ladder, recorded, seed)).collect();
        let mut batch = Batch::of_interface(&hypothesis.interface());
        let mut differing = Vec::new();
        let mut indistinguishable = alternatives.still_open(&refined.indistinguishable);
        for Distinction { setting, other, vector, searched } in all {
            match vector {
                Some(vector) if !recorded => {
                    batch.push(&vector);
                    differing.push(other);
                }
                Some(vector) => indistinguishable.push(not_recorded(setting.clone(), &vector)),
                None => {
                    indistinguishable.push((setting.clone(), Indistinguishable::of(setting, hypothesis, searched)));
                }
            }
        }
        let asked = search.best_splitting(&trials, &differing, &batch);
        (refined.indistinguishable, refined.trials) = (indistinguishable, Some(trials));
        asked
    }

    /// Vectors by which a hypothesis is distinguished from what is still open, and from what was not thought of.
    fn mixed(&self, refined: &Refined, salt: u64) -> Mixed {
        let open = refined.alternatives.open.iter().map(|(_, other)| other.frame());
        let distinguishing = refined.alternatives.distinguishing_vectors();
        Mixed::new(&refined.hypothesis, self.options.seed ^ salt, open, distinguishing)
    }

    /// Whether the box agrees on many vectors. Those on which it does not are remembered. Few are asked first,
    /// since a wrong hypothesis mostly differs on those.
    fn confirm(&mut self, refined: &Refined) -> Result<bool, InferError> {
        /// Batches that the hypothesis answers beside the box.
        const AT_A_TIME: u64 = 16;
        let batches = self.options.confirm.div_ceil(BATCH as u64);
        let vectors = self.mixed(refined, 0xc0ff_ee00);
        let (mut first, mut count) = (0, 1);
        while first < batches {
            let numbers = first..(first + count).min(batches);
            (first, count) = (numbers.end, (2 * count).min(AT_A_TIME));
            let differing = self.differing(&refined.hypothesis, &vectors, numbers)?;
            if !differing.is_empty() {
                self.black_box.ask(&differing)?;
                return Ok(false);
            }
        }
        self.black_box.ask_sample_again()?;
        Ok(true)
    }

    /// The vectors of some batches on which box and hypothesis differ.
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
                let own = |batch: &Batch| evaluate(hypothesis).answers(batch);
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

    /// Distinguishing vectors for what is indistinguishable so far, among many more vectors; and by the solver, where there are
    /// none among those, and no value was freed that is to be searched first.
    fn final_search(&self, refined: &mut Refined) -> Result<Batch, InferError> {
        let mut distinguishing = self.among_many(refined);
        let confusable = self.among_confusable(&refined.hypothesis);
        confusable.iter().for_each(|vector| distinguishing.push(vector));
        match distinguishing.is_empty() && refined.indistinguishable.len() == refined.alternatives.open.len() {
            true => self.by_solver(refined),
            false => Ok(distinguishing),
        }
    }

    /// Distinguishing vectors, among many, for the alternatives for which none was found, and nothing explains why.
    fn among_many(&self, refined: &mut Refined) -> Batch {
        let mut batch = Batch::of_interface(&refined.hypothesis.interface());
        let vectors = self.mixed(refined, 0xdeed);
        let unexplained = |(_, known): &mut (Setting, Indistinguishable)| known.why == Why::NothingFound;
        let settings: Vec<Setting> =
            refined.indistinguishable.extract_if(.., unexplained).map(|(setting, _)| setting).collect();
        let others = settings.iter().filter_map(|setting| refined.alternatives.with(setting)).collect::<Vec<_>>();
        let found = self.search.distinguishing_vectors(&refined.hypothesis, &others, &vectors, self.options.search);
        for (setting, vector) in settings.into_iter().zip(found) {
            let Some(vector) = vector else {
                let none = Indistinguishable::on(setting.text(), self.options.search);
                refined.indistinguishable.push((setting, none));
                continue;
            };
            refined.no_longer_passed_over(&setting);
            match self.black_box.is_recording() {
                false => batch.push(&vector),
                true => refined.indistinguishable.push(not_recorded(setting, &vector)),
            }
        }
        batch
    }

    /// Vectors that distinguish the hypothesis from those that hardly any vector does and that are no single change of it: such
    /// as differ only where all that is above a floor cancels.
    fn among_confusable(&self, hypothesis: &Instruction) -> Vec<Vector> {
        /// Vectors that are searched for each; for those that the fewest distinguish, as many as for an open value.
        const SEARCHED: u64 = 16 * BATCH as u64;
        if self.black_box.is_recording() {
            return Vec::new();
        }
        let (search, seed, memory) = (self.search, self.options.seed, &self.black_box.memory);
        let every = self.options.search.max(SEARCHED);
        let differing = |(other, nearest): &(Instruction, bool)| {
            if first_difference((search.evaluate)(other).as_mut(), memory).is_some() {
                return None;
            }
            let vectors = Mixed::new(other, seed, std::iter::empty(), Vec::new());
            let count = if *nearest { every } else { SEARCHED };
            search.distinguishing_vectors(hypothesis, &[other], &vectors, count).into_iter().next().flatten()
        };
        self.space.confusable(hypothesis).par_iter().filter_map(differing).collect()
    }

    /// Distinguishing vectors of the solver, for the alternatives for which none was found and for confusable hypotheses; where it
    /// has none, what it says becomes the reason.
    fn by_solver(&self, refined: &mut Refined) -> Result<Batch, InferError> {
        let hypothesis = &refined.hypothesis;
        let mut distinguishing = Batch::of_interface(&hypothesis.interface());
        let Some(solver) = &self.solver else { return Ok(distinguishing) };
        let decide = |(setting, known): &(Setting, Indistinguishable)| {
            let open = refined.alternatives.with(setting).filter(|_| known.why == Why::NothingFound);
            open.map(|other| solver.decision(hypothesis, other)).transpose()
        };
        let decisions: Vec<Option<Decision>> =
            refined.indistinguishable.par_iter().map(decide).collect::<Result<_, _>>()?;
        let (mut refuted, mut rest) = (Vec::new(), Vec::new());
        for ((setting, known), decision) in mem::take(&mut refined.indistinguishable).into_iter().zip(decisions) {
            match decision {
                Some(Decision::Refuted(vector)) => {
                    distinguishing.push(&vector);
                    refuted.push(setting);
                }
                Some(Decision::Proved(reason)) => rest.push((setting, Indistinguishable::because(known.value, reason))),
                Some(Decision::Unknown(reason)) => rest.push((setting, known.undecided(&reason))),
                None => rest.push((setting, known)),
            }
        }
        refined.indistinguishable = rest;
        refuted.iter().for_each(|setting| refined.no_longer_passed_over(setting));
        // One that is not decided is followed by others that are as hard.
        for (other, _) in self.space.confusable(&refined.hypothesis) {
            match self.explains(&other).then(|| solver.decision(&refined.hypothesis, &other)).transpose()? {
                Some(Decision::Refuted(vector)) => distinguishing.push(&vector),
                Some(Decision::Unknown(_)) => break,
                Some(Decision::Proved(_)) | None => {}
            }
        }
        Ok(distinguishing)
    }
}

/// An alternative with a distinguishing vector that a recording does not hold.
fn not_recorded(setting: Setting, vector: &Vector) -> (Setting, Indistinguishable) {
    let reason = format!("they differ on {}, which is not recorded", vector_text(vector));
    let value = setting.text();
    (setting, Indistinguishable::because(value, reason))
}
