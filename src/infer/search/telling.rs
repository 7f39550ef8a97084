//! Looking for vectors that tell a hypothesis from its alternatives. Asks the box nothing.

use std::sync::Mutex;

use rayon::prelude::*;

use super::Search;
use super::ladders::Ladder;
use crate::describe::instruction::Instruction;
use crate::engine::{Batch, Vector};
use crate::infer::distinguish::BATCH;
use crate::infer::distinguish::{Guided, neighbours};
use crate::infer::questions::{self, Mixed};
use crate::infer::space::{Setting, cannot_act};

/// An alternative, and a vector on which it differs from the hypothesis, if one was found.
pub(in crate::infer) struct Told<'a> {
    pub setting: &'a Setting,
    pub other: &'a Instruction,
    pub vector: Option<Vector>,
    /// Vectors that were looked through for one.
    pub searched: u64,
}

/// Batches of a search for a difference between two hypotheses, those of changed vectors and of neighbours among them.
const BATCHES: u64 = 6;
const CHANGED: u64 = 3;
const NEIGHBOURS: u64 = 5;

/// Vectors that tell a hypothesis from others, with its own answers.
pub(in crate::infer) struct Looked {
    hypothesis: Instruction,
    answered: Vec<(Batch, Vec<u64>)>,
}

impl Looked {
    /// Whether these are that hypothesis's.
    pub fn is_of(&self, hypothesis: &Instruction) -> bool {
        self.hypothesis == *hypothesis
    }

    pub fn hypothesis(&self) -> &Instruction {
        &self.hypothesis
    }

    /// How many vectors these are.
    fn searched(&self) -> u64 {
        self.batches().map(|batch| batch.len() as u64).sum()
    }

    pub fn batches(&self) -> impl Iterator<Item = &Batch> {
        self.answered.iter().map(|(batch, _)| batch)
    }
}

fn shaped(hypothesis: &Instruction, number: u64, seed: u64) -> Batch {
    questions::shaped(hypothesis, seed ^ 0x5eed, number, BATCH)
}

/// Whether a difference was found before a batch.
fn earlier(found: &Mutex<Vec<Option<(u64, Vector)>>>, index: usize, number: u64) -> bool {
    found.lock().expect("no holder panics")[index].as_ref().is_some_and(|(before, _)| *before < number)
}

impl Search<'_> {
    /// Vectors for alternatives of a ladder. With `every`, for one after the other, until none is found; else that place is found by
    /// halves, and those that were passed over are left out: a vector for one mostly tells those further away too. What cannot act
    /// is not looked for.
    pub fn told<'a>(&self, looked: &Looked, ladder: Ladder<'a>, every: bool, seed: u64) -> Vec<Told<'a>> {
        let tell = |(setting, other): &'a (Setting, Instruction)| {
            let acts = cannot_act(setting, looked.hypothesis()).is_none();
            let searched = if acts { looked.searched() } else { 0 };
            let vector = if acts { self.difference(looked, other, seed) } else { None };
            Told { setting, other, vector, searched }
        };
        let mut told = Vec::new();
        // What comes before the first was told or passed over; at the end nothing was found.
        let (mut first, mut end, mut nothing) = (0, ladder.len(), None);
        while first < end {
            let rung = if every || first == 0 { first } else { first + (end - first) / 2 };
            let one = tell(ladder[rung]);
            if one.vector.is_some() {
                told.push(one);
                first = rung + 1;
            } else {
                (end, nothing) = (rung, Some(one));
            }
        }
        told.extend(nothing);
        let beyond = ladder.into_iter().skip(end + 1);
        told.extend(beyond.map(|(setting, other)| Told { setting, other, vector: None, searched: 0 }));
        told
    }

    /// Shaped vectors of a hypothesis, changes of those that showed something new, and neighbours of vectors that told it from
    /// something, with its answers.
    pub fn looked(&self, hypothesis: &Instruction, telling: &[Vector], seed: u64) -> Looked {
        let frame = hypothesis.frame();
        let d = &frame.formats.d;
        let mut engine = (self.evaluate)(hypothesis);
        let mut guided = Guided::new(seed);
        let mut answered: Vec<(Batch, Vec<u64>)> = Vec::new();
        for number in 0..BATCHES {
            let mut batch = Batch::of_interface(&frame);
            match number {
                CHANGED => guided.fill(&frame, &mut batch),
                NEIGHBOURS => batch = neighbours(&frame, telling),
                _ => batch = shaped(hypothesis, number, seed),
            }
            let mut answers = Vec::new();
            // An engine of hypotheses does not fail.
            if engine.run(&batch, &mut answers).is_ok() {
                if number < CHANGED {
                    guided.learn(&frame, &batch, answers.iter().map(|&answer| d.to_f64(answer & d.mask())));
                }
                answered.push((batch, answers));
            }
        }
        Looked { hypothesis: hypothesis.clone(), answered }
    }

    /// A vector that another hypothesis answers differently: of those looked at, every second shaped batch its own in their
    /// stead.
    pub fn difference(&self, looked: &Looked, other: &Instruction, seed: u64) -> Option<Vector> {
        let (mut engine, mut own) = ((self.evaluate)(other), None);
        let (mut results, mut expected) = (Vec::new(), Vec::new());
        for (number, (batch, answers)) in (0..).zip(&looked.answered) {
            let own_too = number % 2 == 0;
            let shaped = own_too.then(|| shaped(other, number, seed));
            let (batch, answers) = match &shaped {
                Some(shaped) if shaped != batch => {
                    let own = own.get_or_insert_with(|| (self.evaluate)(&looked.hypothesis));
                    own.run(shaped, &mut expected).ok()?;
                    (shaped, &expected)
                }
                _ => (batch, answers),
            };
            engine.run(batch, &mut results).ok()?;
            if let Some(v) = (0..batch.len()).find(|&v| results[v] != answers[v]) {
                return Some(batch.vector(v));
            }
        }
        None
    }

    /// For each of some hypotheses, the first of so many vectors that it answers otherwise than the first one.
    pub fn differences(
        &self,
        one: &Instruction,
        others: &[&Instruction],
        vectors: &Mixed,
        count: u64,
    ) -> Vec<Option<Vector>> {
        /// Batches that engines are made for.
        const AT_A_TIME: u64 = 16;
        let found: Mutex<Vec<Option<(u64, Vector)>>> = Mutex::new(vec![None; others.len()]);
        let batches = if others.is_empty() { 0 } else { count.div_ceil(BATCH as u64) };
        let look = |first: u64| {
            let open = |index: &usize| !earlier(&found, *index, first);
            let own: Vec<usize> = (0..others.len()).filter(open).collect();
            let mut engines: Vec<_> = own.iter().map(|&index| (index, (self.evaluate)(others[index]))).collect();
            let mut engine = (self.evaluate)(one);
            let (mut expected, mut results) = (Vec::new(), Vec::new());
            for number in first..(first + AT_A_TIME).min(batches) {
                if engines.is_empty() {
                    return;
                }
                let batch = vectors.batch(number, BATCH);
                // An engine of hypotheses does not fail.
                if engine.run(&batch, &mut expected).is_err() {
                    return;
                }
                engines.retain_mut(|(index, other)| {
                    let differing = match other.run(&batch, &mut results) {
                        Ok(()) => (0..batch.len()).find(|&v| results[v] != expected[v]),
                        Err(_) => None,
                    };
                    let Some(v) = differing else { return true };
                    let mut found = found.lock().expect("no holder panics");
                    if found[*index].as_ref().is_none_or(|(before, _)| number < *before) {
                        found[*index] = Some((number, batch.vector(v)));
                    }
                    false
                });
            }
        };
        (0..batches.div_ceil(AT_A_TIME)).into_par_iter().for_each(|number| look(number * AT_A_TIME));
        let found = found.into_inner().expect("no holder panics");
        found.into_iter().map(|first| first.map(|(_, vector)| vector)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{BATCH, NEIGHBOURS, Search};
    use crate::check::case::Expected;
    use crate::describe::format::Overflow;
    use crate::describe::instruction::Instruction;
    use crate::engine::Engine;
    use crate::infer::search::Effort;
    use crate::infer::search::example::fused;
    use crate::infer::search::ladders::ladders;
    use crate::infer::space::{Setting, floors};

    /// In this world only saturation shows.
    fn evaluated(hypothesis: &Instruction) -> Box<dyn Engine> {
        Box::new(Expected(u64::from(hypothesis.unit.conversion.overflow == Overflow::Saturate)))
    }

    /// Of floors that make a difference those are told that find the lowest of them, the first and the last among them.
    #[test]
    fn floors_are_told_by_halves() {
        const LOWEST: i32 = 11;
        let (space, hypothesis) = fused();
        let floor = |other: &Instruction| other.unit.alignment.exponent_floor;
        let shown =
            |other: &Instruction| -> Box<dyn Engine> { Box::new(Expected(u64::from(floor(other) >= Some(LOWEST)))) };
        let search = Search { space: &space, evaluate: &shown, effort: Effort::Light };
        let looked = search.looked(&hypothesis, &[], 1);
        let range = floors(&hypothesis);
        let floors: Vec<Setting> = range.clone().map(|floor| Setting::ExponentFloor(Some(floor))).collect();
        let alternatives: Vec<_> =
            space.alternatives(&hypothesis, &floors).map(|(setting, other)| (setting.clone(), other)).collect();
        let told = |every: bool, differing: bool| -> Vec<i32> {
            let ladders = ladders(&hypothesis, alternatives.iter().collect()).into_iter();
            let told = ladders.flat_map(|ladder| search.told(&looked, ladder, every, 1));
            told.filter(|told| told.vector.is_some() == differing).filter_map(|told| floor(told.other)).rev().collect()
        };
        assert_eq!(told(true, true), Vec::from_iter(LOWEST..=*range.end()));
        let halves = told(false, true);
        assert_eq!((halves.first(), halves.last()), (Some(&LOWEST), Some(range.end())));
        assert!(halves.len() < 12, "{halves:?} of {range:?}");
        assert_eq!(told(false, false), Vec::from_iter(*range.start()..LOWEST));
    }

    /// Rounded to nearest, what overflows is infinity by the rule of IEEE 754 too.
    #[test]
    fn what_cannot_act_is_not_searched_for() {
        let (space, hypothesis) = fused();
        let search = Search { space: &space, evaluate: &evaluated, effort: Effort::Light };
        let looked = search.looked(&hypothesis, &[], 1);
        let rules = [Overflow::Ieee, Overflow::Saturate].map(Setting::Overflow);
        let alternatives: Vec<_> =
            space.alternatives(&hypothesis, &rules).map(|(setting, other)| (setting.clone(), other)).collect();
        let ladders = ladders(&hypothesis, alternatives.iter().collect());
        let told = ladders.into_iter().flat_map(|ladder| search.told(&looked, ladder, true, 1));
        let searched: Vec<_> = told.map(|told| (told.setting.text(), told.searched, told.vector.is_some())).collect();
        let [ieee, saturate] = ["\"ieee\"", "\"saturate\""].map(str::to_owned);
        assert_eq!(searched, [(ieee, 0, false), (saturate, NEIGHBOURS * BATCH as u64, true)]);
    }
}
