//! Vectors that distinguish a hypothesis from its alternatives, and those of them that split the alternatives best: after whose
//! answers the fewest remain. Asks the box nothing.

use std::collections::HashMap;

use rayon::prelude::*;

use super::ladders::Ladder;
use super::{Search, answers};
use crate::describe::instruction::Instruction;
use crate::engine::{Batch, Engine, Vector};
use crate::infer::distinguish::{BATCH, Mutator, neighbours};
use crate::infer::space::{Setting, dont_care};
use crate::infer::vectors::{self, Mixed};

/// An alternative, and a vector that distinguishes it from the hypothesis, if one was found.
pub(in crate::infer) struct Distinction<'a> {
    pub setting: &'a Setting,
    pub other: &'a Instruction,
    pub vector: Option<Vector>,
    /// Vectors that were searched for one.
    pub searched: u64,
}

/// Batches of vectors that are searched, those of mutated vectors and of neighbours among them.
const BATCHES: u64 = 6;
const MUTATED: u64 = 3;
const NEIGHBOURS: u64 = 5;

/// Vectors that may distinguish a hypothesis from others, with its own answers.
pub(in crate::infer) struct Trials {
    hypothesis: Instruction,
    answered: Vec<(Batch, Vec<u64>)>,
}

impl Trials {
    /// How many vectors these are.
    fn count(&self) -> u64 {
        self.answered.iter().map(|(batch, _)| batch.len() as u64).sum()
    }
}

fn shaped(hypothesis: &Instruction, number: u64, seed: u64) -> Batch {
    vectors::shaped(hypothesis, seed ^ 0x5eed, number, BATCH)
}

/// The first vector of a batch that an engine does not answer so.
fn first_differing(engine: &mut dyn Engine, batch: &Batch, expected: &[u64]) -> Option<Vector> {
    let answers = answers(engine, batch);
    (0..batch.len()).find(|&v| answers[v] != expected[v]).map(|v| batch.vector(v))
}

impl Search<'_> {
    /// Vectors for alternatives of a ladder. With `every`, for one after the other, until none is found; else that place is found by
    /// halves, and those that were passed over are left out: a vector for one mostly distinguishes those further away too. For a
    /// don't care none is searched.
    pub fn distinguish_ladder<'a>(
        &self,
        trials: &Trials,
        ladder: Ladder<'a>,
        every: bool,
        seed: u64,
    ) -> Vec<Distinction<'a>> {
        let distinguish = |(setting, other): &'a (Setting, Instruction)| {
            let acts = dont_care(setting, &trials.hypothesis).is_none();
            let searched = if acts { trials.count() } else { 0 };
            let vector = if acts { self.distinguishing_vector(trials, other, seed) } else { None };
            Distinction { setting, other, vector, searched }
        };
        let mut all = Vec::new();
        // What comes before the first was distinguished or passed over; at the end nothing was found.
        let (mut first, mut end, mut nothing) = (0, ladder.len(), None);
        while first < end {
            let rung = if every || first == 0 { first } else { first + (end - first) / 2 };
            let one = distinguish(ladder[rung]);
            if one.vector.is_some() {
                all.push(one);
                first = rung + 1;
            } else {
                (end, nothing) = (rung, Some(one));
            }
        }
        all.extend(nothing);
        let beyond = ladder.into_iter().skip(end + 1);
        all.extend(beyond.map(|(setting, other)| Distinction { setting, other, vector: None, searched: 0 }));
        all
    }

    /// Shaped vectors of a hypothesis, mutations of those that showed something new, and neighbours of vectors that distinguished
    /// it from something, with its answers.
    pub fn trials(&self, hypothesis: &Instruction, distinguishing: &[Vector], seed: u64) -> Trials {
        let frame = hypothesis.frame();
        let d = &frame.formats.d;
        let mut engine = (self.evaluate)(hypothesis);
        let mut mutator = Mutator::new(seed);
        let mut answered: Vec<(Batch, Vec<u64>)> = Vec::new();
        for number in 0..BATCHES {
            let mut batch = Batch::of_interface(&frame);
            match number {
                MUTATED => mutator.fill(&frame, &mut batch),
                NEIGHBOURS => batch = neighbours(&frame, distinguishing),
                _ => batch = shaped(hypothesis, number, seed),
            }
            let answers = answers(engine.as_mut(), &batch);
            if number < MUTATED {
                mutator.learn(&frame, &batch, answers.iter().map(|&answer| d.to_f64(answer & d.mask())));
            }
            answered.push((batch, answers));
        }
        Trials { hypothesis: hypothesis.clone(), answered }
    }

    /// A vector that another hypothesis answers differently: of the trials, in place of every second batch the other's own shaped
    /// vectors.
    pub fn distinguishing_vector(&self, trials: &Trials, other: &Instruction, seed: u64) -> Option<Vector> {
        let (mut engine, mut own) = ((self.evaluate)(other), None);
        (0..).zip(&trials.answered).find_map(|(number, (batch, expected))| {
            let shaped = (number % 2 == 0).then(|| shaped(other, number, seed)).filter(|shaped| shaped != batch);
            let Some(shaped) = shaped else { return first_differing(engine.as_mut(), batch, expected) };
            let own = own.get_or_insert_with(|| (self.evaluate)(&trials.hypothesis));
            first_differing(engine.as_mut(), &shaped, &answers(own.as_mut(), &shaped))
        })
    }

    /// For each of some hypotheses, the first of so many vectors that distinguishes it from the first one.
    pub fn distinguishing_vectors(
        &self,
        one: &Instruction,
        others: &[&Instruction],
        vectors: &Mixed,
        count: u64,
    ) -> Vec<Option<Vector>> {
        /// Batches that engines are made for.
        const RUN: u64 = 16;
        let batches = count.div_ceil(BATCH as u64);
        let runs: Vec<u64> = (0..batches).step_by(RUN as usize).collect();
        let mut found: Vec<Option<Vector>> = vec![None; others.len()];
        for at_a_time in runs.chunks(rayon::current_num_threads()) {
            let open: Vec<usize> = (0..others.len()).filter(|&other| found[other].is_none()).collect();
            if open.is_empty() {
                break;
            }
            let search = |first: &u64| {
                let mut engine = (self.evaluate)(one);
                let mut engines: Vec<_> = open.iter().map(|&other| (other, (self.evaluate)(others[other]))).collect();
                let mut first_of: Vec<Option<Vector>> = vec![None; others.len()];
                for number in *first..(first + RUN).min(batches) {
                    if engines.is_empty() {
                        break;
                    }
                    let batch = vectors.batch(number, BATCH);
                    let expected = answers(engine.as_mut(), &batch);
                    engines.retain_mut(|(other, engine)| {
                        first_of[*other] = first_differing(engine.as_mut(), &batch, &expected);
                        first_of[*other].is_none()
                    });
                }
                first_of
            };
            let searched: Vec<Vec<Option<Vector>>> = at_a_time.par_iter().map(search).collect();
            for first_of in searched {
                let both = found.iter_mut().zip(first_of).filter(|(found, _)| found.is_none());
                both.for_each(|(found, first)| *found = first);
            }
        }
        found
    }

    /// The vectors that split a hypothesis and its alternatives best, of the trials and of those given, one of which distinguishes
    /// each alternative from it.
    pub fn best_splitting(&self, trials: &Trials, others: &[&Instruction], distinguishing: &Batch) -> Batch {
        let batches: Vec<&Batch> = trials.answered.iter().map(|(batch, _)| batch).chain([distinguishing]).collect();
        let answers_of = |hypothesis: &Instruction| -> Vec<u64> {
            let mut engine = (self.evaluate)(hypothesis);
            batches.iter().flat_map(|batch| answers(engine.as_mut(), batch)).collect()
        };
        let own = answers_of(&trials.hypothesis);
        let all: Vec<Vec<u64>> = others.par_iter().map(|other| answers_of(other)).collect();
        let differing: Vec<usize> = (0..own.len()).filter(|&v| all.iter().any(|other| other[v] != own[v])).collect();
        let row = |answers: &Vec<u64>| differing.iter().map(|&v| answers[v]).collect();
        let rows: Vec<Vec<u64>> = [&own].into_iter().chain(&all).map(row).collect();
        let vectors: Vec<_> = batches.iter().flat_map(|batch| (0..batch.len()).map(move |v| (batch, v))).collect();
        let mut asked = Batch::of_interface(&trials.hypothesis.interface());
        for index in splitting(&rows) {
            let (batch, v) = vectors[differing[index]];
            asked.push(&batch.vector(v));
        }
        asked
    }
}

/// Of so many vectors, those to ask: each next one is that after whose answer the fewest hypotheses remain on average, until
/// every hypothesis that some vector distinguishes from the first one is distinguished from it (the splitting algorithm; Garey and
/// Graham 1974).
///
/// `answers` has a row for each hypothesis, with its answer to each vector.
fn splitting(answers: &[Vec<u64>]) -> Vec<usize> {
    let Some((own, others)) = answers.split_first() else { return Vec::new() };
    let mut classes = vec![0; answers.len()];
    let mut open: Vec<usize> = (1..=others.len()).filter(|&other| answers[other] != *own).collect();
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let remaining = |&v: &usize| {
            let sizes = sizes(&classes, answers, v);
            sizes.values().map(|size| size * size).sum::<usize>()
        };
        let Some(best) = (0..own.len()).min_by_key(remaining) else { break };
        let numbers: HashMap<(usize, u64), usize> = sizes(&classes, answers, best).into_keys().zip(0..).collect();
        classes = classes.iter().zip(answers).map(|(&class, answers)| numbers[&(class, answers[best])]).collect();
        open.retain(|&other| classes[other] == classes[0]);
        chosen.push(best);
    }
    chosen
}

/// How many hypotheses of each class give each answer to a vector.
fn sizes(classes: &[usize], answers: &[Vec<u64>], vector: usize) -> HashMap<(usize, u64), usize> {
    let mut sizes = HashMap::new();
    for (&class, answers) in classes.iter().zip(answers) {
        *sizes.entry((class, answers[vector])).or_default() += 1;
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::{BATCH, Engine, NEIGHBOURS, Search, splitting};
    use crate::check::case::Expected;
    use crate::describe::format::Overflow;
    use crate::describe::instruction::Instruction;
    use crate::infer::search::Effort;
    use crate::infer::search::example::fused;
    use crate::infer::search::ladders::ladders;
    use crate::infer::space::{Setting, floors};

    /// In this world only saturation shows.
    fn evaluated(hypothesis: &Instruction) -> Box<dyn Engine> {
        Box::new(Expected(u64::from(hypothesis.unit.conversion.overflow == Overflow::Saturate)))
    }

    /// Of floors that make a difference those are distinguished that find the lowest of them, the first and the last among them.
    #[test]
    fn floors_are_distinguished_by_halves() {
        const LOWEST: i32 = 11;
        let (space, hypothesis) = fused();
        let floor = |other: &Instruction| other.unit.alignment().exponent_floor;
        let shown =
            |other: &Instruction| -> Box<dyn Engine> { Box::new(Expected(u64::from(floor(other) >= Some(LOWEST)))) };
        let search = Search { space: &space, evaluate: &shown, effort: Effort::Light };
        let trials = search.trials(&hypothesis, &[], 1);
        let range = floors(&hypothesis);
        let floors: Vec<Setting> = range.clone().map(|floor| Setting::ExponentFloor(Some(floor))).collect();
        let alternatives: Vec<_> =
            space.alternatives(&hypothesis, &floors).map(|(setting, other)| (setting.clone(), other)).collect();
        let of_vectors = |every: bool, differing: bool| -> Vec<i32> {
            let ladders = ladders(&hypothesis, alternatives.iter().collect()).into_iter();
            let all = ladders.flat_map(|ladder| search.distinguish_ladder(&trials, ladder, every, 1));
            all.filter(|one| one.vector.is_some() == differing).filter_map(|one| floor(one.other)).rev().collect()
        };
        assert_eq!(of_vectors(true, true), Vec::from_iter(LOWEST..=*range.end()));
        let halves = of_vectors(false, true);
        assert_eq!((halves.first(), halves.last()), (Some(&LOWEST), Some(range.end())));
        assert!(halves.len() < 12, "{halves:?} of {range:?}");
        assert_eq!(of_vectors(false, false), Vec::from_iter(*range.start()..LOWEST));
    }

    /// Rounded to nearest, what overflows is infinity by the rule of IEEE 754 too.
    #[test]
    fn dont_care_is_not_searched_for() {
        let (space, hypothesis) = fused();
        let search = Search { space: &space, evaluate: &evaluated, effort: Effort::Light };
        let trials = search.trials(&hypothesis, &[], 1);
        let rules = [Overflow::Ieee, Overflow::Saturate].map(Setting::Overflow);
        let alternatives: Vec<_> =
            space.alternatives(&hypothesis, &rules).map(|(setting, other)| (setting.clone(), other)).collect();
        let ladders = ladders(&hypothesis, alternatives.iter().collect());
        let all = ladders.into_iter().flat_map(|ladder| search.distinguish_ladder(&trials, ladder, true, 1));
        let searched: Vec<_> = all.map(|one| (one.setting.text(), one.searched, one.vector.is_some())).collect();
        let [ieee, saturate] = ["\"ieee\"", "\"saturate\""].map(str::to_owned);
        assert_eq!(searched, [(ieee, 0, false), (saturate, NEIGHBOURS * BATCH as u64, true)]);
    }

    #[test]
    fn vector_that_distinguishes_all_is_asked_alone() {
        let answers = [vec![0, 0, 0, 0], vec![1, 0, 0, 1], vec![0, 1, 0, 2], vec![0, 0, 1, 3]];
        assert_eq!(splitting(&answers), [3]);
    }

    #[test]
    fn vector_for_each_is_asked_where_none_distinguishes_two() {
        let answers = [vec![0, 0, 0], vec![1, 0, 0], vec![0, 1, 0], vec![0, 0, 1]];
        assert_eq!(splitting(&answers).len(), 3);
    }

    #[test]
    fn halves_are_split_before_one_of_many() {
        // The first vector splits one hypothesis from four, the second two from three.
        let answers = [vec![0, 0], vec![1, 0], vec![0, 1], vec![0, 1], vec![0, 0]];
        assert_eq!(splitting(&answers), [1, 0]);
    }

    #[test]
    fn where_no_vector_distinguishes_nothing_is_asked() {
        assert!(splitting(&[vec![5, 6], vec![5, 6], vec![5, 6]]).is_empty());
        assert!(splitting(&[vec![5, 6]]).is_empty());
        assert!(splitting(&[]).is_empty());
    }

    /// A vector that distinguishes only the others from each other is no end.
    #[test]
    fn asking_goes_on_until_each_is_distinguished_from_the_first() {
        let answers = [vec![0, 0], vec![0, 1], vec![1, 2], vec![1, 3]];
        let asked = splitting(&answers);
        let distinguished = |other: usize| asked.iter().any(|&v| answers[other][v] != answers[0][v]);
        assert!((1..4).all(distinguished), "{asked:?}");
    }
}
