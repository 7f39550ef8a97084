//! What was found, and which answers excluded what. Never more than the answers say: a value that no vector could distinguish
//! from the one reported is listed beside it.

use rayon::prelude::*;

use super::black_box::Memory;
use super::distinguish::size;
use super::search::ladders::ladders;
use super::search::{Refuted, first_difference};
use super::space::{Setting, Space, dont_care};
use super::{Decision, Evaluator, wording};
use crate::describe::instruction::Instruction;
use crate::engine::Vector;

/// An answer, and the values that it excluded.
#[derive(Debug, Clone)]
pub struct Exclusion {
    pub vector: Vector,
    /// The engine's word, flags above d included.
    pub answer: u64,
    /// The feature test that has the vector; none of a vector that was drawn or searched for.
    pub test: Option<&'static str>,
    pub excluded: Vec<String>,
}

/// A value for which no difference from the one reported was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indistinguishable {
    pub value: String,
    pub reason: String,
    pub(super) why: Why,
}

/// Why a value makes no difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// For a reason that needs no search.
    Explained,
    /// No vector was found.
    NothingFound,
    /// A value further away makes none either.
    PassedOver,
}

impl Indistinguishable {
    /// A value of a hypothesis's parameter. `searched` is 0 for one that was passed over because a value further away makes no
    /// difference.
    pub(super) fn of(setting: &Setting, hypothesis: &Instruction, searched: u64) -> Indistinguishable {
        let value = setting.text();
        match (dont_care(setting, hypothesis), searched) {
            (Some(reason), _) => Indistinguishable::because(value, reason),
            (None, 0) => {
                let reason = "not searched: a value further away is indistinguishable too".to_owned();
                Indistinguishable { value, reason, why: Why::PassedOver }
            }
            (None, _) => Indistinguishable::on(value, searched),
        }
    }

    /// With a reason that needs no vectors.
    pub(super) fn because(value: String, reason: String) -> Indistinguishable {
        Indistinguishable { value, reason, why: Why::Explained }
    }

    /// Nothing was found, and a solver did not decide it either.
    pub(super) fn undecided(self, why: &str) -> Indistinguishable {
        Indistinguishable { reason: format!("{}; {why}", self.reason), ..self }
    }

    /// Nothing was found on so many vectors.
    pub(super) fn on(value: String, searched: u64) -> Indistinguishable {
        let reason = format!("no difference on {searched} vectors searched");
        Indistinguishable { value, reason, why: Why::NothingFound }
    }
}

/// One parameter of the hypothesis found.
#[derive(Debug, Clone)]
pub struct ParameterEvidence {
    pub field: &'static str,
    pub value: String,
    pub exclusions: Vec<Exclusion>,
    pub indistinguishable: Vec<Indistinguishable>,
}

impl ParameterEvidence {
    /// Whether the same values fit.
    fn fits_as(&self, other: &ParameterEvidence) -> bool {
        let values = |one: &ParameterEvidence| {
            let mut values: Vec<String> = one.indistinguishable.iter().map(|other| other.value.clone()).collect();
            values.push(one.value.clone());
            values.sort_unstable();
            values
        };
        self.field == other.field && values(self) == values(other)
    }

    /// The values that all answers fit, in few words: its own, and those indistinguishable from it.
    pub fn fitting(&self) -> String {
        let others = self.indistinguishable.iter().map(|other| other.value.as_str());
        wording::fitting(self.field, std::iter::once(self.value.as_str()).chain(others))
    }
}

/// A hypothesis of another scheme or composition than the one found that explains all answers too.
#[derive(Debug, Clone)]
pub struct Equivalent {
    pub hypothesis: Instruction,
    /// What recorded answers decide of it, and what they leave open. Empty where an engine answers: there only vectors that
    /// distinguish the two are searched.
    pub parameters: Vec<ParameterEvidence>,
    /// What a solver says of the two, where one was asked; it knows no distinguishing vector.
    pub decision: Option<Decision>,
}

impl Equivalent {
    /// Its parameters that the one found does not have, or with other values that fit.
    pub fn differing<'a>(&'a self, found: &'a [ParameterEvidence]) -> impl Iterator<Item = &'a ParameterEvidence> {
        let known = |own: &ParameterEvidence| found.iter().any(|found| found.fits_as(own));
        self.parameters.iter().filter(move |own| !known(own))
    }

    /// That it makes no difference where an engine was asked: for all inputs, or on all vectors searched. `what` names it.
    pub fn equality(&self, what: &str) -> String {
        match &self.decision {
            Some(Decision::Proved(reason)) => format!("{what} is the same: {reason}"),
            Some(Decision::Unknown(reason)) => format!("no difference from {what} was found; {reason}"),
            Some(Decision::Refuted(_)) | None => format!("no difference from {what} was found"),
        }
    }
}

/// A hypothesis that explains every answer.
#[derive(Debug, Clone)]
pub struct Finding {
    pub hypothesis: Instruction,
    pub parameters: Vec<ParameterEvidence>,
    /// The best of other schemes and compositions, with answers that it does not explain.
    pub refuted: Vec<Refuted>,
    /// Hypotheses of other schemes and compositions that explain all answers too: no vector was found that distinguishes them
    /// from the one found, or none that was recorded.
    pub equivalent: Vec<Equivalent>,
    /// Whether only recorded answers were there.
    pub recorded: bool,
    /// Vectors that the engine was asked, or that were recorded, and how many of them only confirmed.
    pub asked: u64,
    pub confirmed: u64,
}

/// What excluded single changes of a hypothesis, and those that nothing is known to exclude. Nearer than an open number,
/// other numbers are held only against answers that excluded something, until nothing more can be asked.
#[derive(Default)]
pub(super) struct Alternatives {
    pub parameters: Vec<ParameterEvidence>,
    pub open: Vec<(Setting, Instruction)>,
    /// Answers of the memory that they were held against.
    seen: usize,
}

impl Alternatives {
    /// Every single change of a hypothesis.
    fn list(&mut self, space: &Space, hypothesis: &Instruction) {
        for parameter in space.parameters(hypothesis) {
            let Some(own) = parameter.iter().find(|setting| setting.is_own_of(hypothesis)) else { continue };
            let alternatives = space.alternatives(hypothesis, &parameter);
            self.open.extend(alternatives.map(|(setting, other)| (setting.clone(), other)));
            self.parameters.push(ParameterEvidence {
                field: own.field(),
                value: own.text(),
                exclusions: Vec::new(),
                indistinguishable: Vec::new(),
            });
        }
    }

    /// The open alternative with this value.
    pub fn with(&self, setting: &Setting) -> Option<&Instruction> {
        self.open.iter().find(|(open, _)| open == setting).map(|(_, other)| other)
    }

    /// Those of the indistinguishable values that no answer excludes.
    pub fn still_open(&self, known: &[(Setting, Indistinguishable)]) -> Vec<(Setting, Indistinguishable)> {
        known.iter().filter(|(setting, _)| self.with(setting).is_some()).cloned().collect()
    }

    /// Vectors that distinguished other values of parameters of which some are open: what distinguishes those may be near.
    pub fn distinguishing_vectors(&self) -> Vec<Vector> {
        let is_open = |parameter: &&ParameterEvidence| {
            self.open.is_empty() || self.open.iter().any(|(setting, _)| setting.field() == parameter.field)
        };
        let exclusions = self.parameters.iter().filter(is_open).flat_map(|parameter| &parameter.exclusions);
        exclusions.map(|exclusion| exclusion.vector.clone()).collect()
    }

    /// Holds them against the answers that came since, from the smallest vector on; every one against every answer where nothing
    /// more can be asked.
    pub fn exclude(
        &mut self,
        space: &Space,
        evaluate: Evaluator,
        hypothesis: &Instruction,
        memory: &Memory,
        every: bool,
    ) {
        if self.parameters.is_empty() {
            self.list(space, hypothesis);
        }
        let newer = smallest_first(hypothesis, memory, self.seen);
        // What came since is little, and was asked for some of these alternatives.
        let every = every || self.seen > 0;
        self.seen = memory.len();
        let mut open = std::mem::take(&mut self.open);
        let mut of_field = |field| open.extract_if(.., |(setting, _)| setting.field() == field).collect();
        let fields: Vec<Vec<(Setting, Instruction)>> =
            self.parameters.iter().map(|parameter| of_field(parameter.field)).collect();
        let excluded =
            |alternatives: &Vec<(Setting, Instruction)>| excluded(evaluate, hypothesis, alternatives, &newer, every);
        let excluded: Vec<_> = fields.par_iter().map(excluded).collect();
        for (parameter, (exclusions, open)) in self.parameters.iter_mut().zip(excluded) {
            parameter.exclusions.extend(exclusions);
            self.open.extend(open);
        }
    }
}

/// What excludes alternatives in one parameter, and those that nothing does. Unless `every` one is to be held against all
/// answers, what lies nearer on a ladder than what none excludes is held only against those that excluded another.
fn excluded(
    evaluate: Evaluator,
    hypothesis: &Instruction,
    alternatives: &[(Setting, Instruction)],
    memory: &Memory,
    every: bool,
) -> (Vec<Exclusion>, Vec<(Setting, Instruction)>) {
    let mut held = Held { evaluate, hypothesis, excluding: Memory::new(memory.empty_batch()), exclusions: Vec::new() };
    let no_answers = Memory::new(memory.empty_batch());
    let mut open: Vec<&(Setting, Instruction)> = Vec::new();
    for ladder in ladders(hypothesis, alternatives.iter().collect()) {
        let mut rungs: Vec<Option<bool>> = vec![None; ladder.len()];
        // How far down rungs are excluded.
        let (mut first, mut end) = (0, if every { 0 } else { ladder.len() });
        while first < end {
            let rung = first + (end - first) / 2;
            let excludes = held.exclude(ladder[rung], memory);
            rungs[rung] = Some(excludes);
            if excludes { first = rung + 1 } else { end = rung }
        }
        // What excludes one mostly excludes those further away too.
        for (rung, excluded) in rungs.into_iter().enumerate().rev() {
            let answers = if every || rung < end { memory } else { &no_answers };
            if !excluded.unwrap_or_else(|| held.exclude(ladder[rung], answers)) {
                open.push(ladder[rung]);
            }
        }
    }
    // In the order of the values.
    let is_open = |own: &&(Setting, Instruction)| open.iter().any(|open| std::ptr::eq(*open, *own));
    (held.exclusions, alternatives.iter().filter(is_open).cloned().collect())
}

/// The answers that excluded alternatives of a hypothesis, and which ones.
struct Held<'a> {
    evaluate: Evaluator<'a>,
    hypothesis: &'a Instruction,
    /// Vector and answer of each exclusion.
    excluding: Memory,
    exclusions: Vec<Exclusion>,
}

impl Held<'_> {
    /// Whether an alternative is excluded: by an answer that excluded another one, or, if it can act, by one of `answers`.
    fn exclude(&mut self, (setting, other): &(Setting, Instruction), answers: &Memory) -> bool {
        let mut engine = (self.evaluate)(other);
        if let Some(index) = first_difference(engine.as_mut(), &self.excluding) {
            self.exclusions[index].excluded.push(setting.text());
            return true;
        }
        let acts = dont_care(setting, self.hypothesis).is_none();
        let Some(index) = acts.then(|| first_difference(engine.as_mut(), answers)).flatten() else { return false };
        let (vector, answer) = answers.entry(index);
        self.excluding.push(&vector, answer);
        self.exclusions.push(Exclusion { vector, answer, test: None, excluded: vec![setting.text()] });
        true
    }
}

/// The vectors and answers from a place on, in the order of [`Size`](super::distinguish::Size).
fn smallest_first(hypothesis: &Instruction, memory: &Memory, from: usize) -> Memory {
    let interface = hypothesis.interface();
    let mut order: Vec<_> =
        (from..memory.len()).map(|index| (size(&interface, &memory.entry(index).0), index)).collect();
    order.sort_unstable();
    let mut sorted = Memory::new(memory.empty_batch());
    for (_, index) in order {
        let (vector, answer) = memory.entry(index);
        sorted.push(&vector, answer);
    }
    sorted
}
