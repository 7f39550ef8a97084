//! The loop: ask, fit, look for vectors that tell the survivors apart, ask those, and confirm what is left.

use super::black_box::BlackBox;
use super::contradiction::{Contradiction, Ended};
use super::evidence::{Account, Finding, Indifferent};
use super::fit::{Constraints, Fit, Refuted, Search};
use super::setting::Setting;
use super::settle::Settled;
use super::space::{Interface, SCHEMES, Space};
use super::{Evaluator, InferError, questions};
use crate::check::stimulus::CHUNK;
use crate::describe::unit::{Scheme, Unit};
use crate::engine::{Batch, Engine};

/// How much is asked.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    pub seed: u64,
    /// Shaped vectors that must agree in the end.
    pub confirm: u64,
    /// Vectors looked through, without asking the box, for a difference between two hypotheses.
    pub search: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { seed: 1, confirm: 1_000_000, search: 20_000 }
    }
}

/// What an inference ends with.
#[derive(Debug)]
pub enum Outcome {
    Found(Box<Finding>),
    Nothing(Box<Contradiction>),
}

/// First only hypotheses that explain nearly all answers are changed in two parameters at a time, which takes long; then all.
const PAIRS_BELOW: [usize; 2] = [20, 1];

/// Fraction bits for which the first shaped vectors are made.
const FIRST_FRACTION_BITS: [u32; 6] = [4, 10, 13, 24, 35, 60];

/// Finds a description of what an engine computes.
///
/// # Errors
/// The engine failed, or does not answer the same twice; or the interface is one that no scheme of the space can have.
pub fn infer(
    engine: &mut dyn Engine,
    interface: Interface,
    evaluate: Evaluator,
    options: Options,
) -> Result<Outcome, InferError> {
    let bare = Space::new(interface.clone(), std::iter::empty());
    let starts: Vec<Unit> = SCHEMES.into_iter().filter_map(|scheme| bare.start(scheme)).collect();
    let Some(frame) = starts.last() else {
        let schemes = SCHEMES.map(Scheme::name).join(", ");
        return Err(InferError::Interface(format!(
            "no scheme of the hypothesis space has these formats; the space holds {schemes}"
        )));
    };
    let mut black_box = BlackBox::new(engine, Batch::of_unit(frame));
    black_box.ask(&questions::probes(frame))?;
    for (number, unit) in first_stimuli(&starts).iter().enumerate() {
        black_box.ask(&questions::shaped(unit, options.seed, number as u64, 512))?;
    }
    black_box.ask_sample_again()?;
    from_answers(black_box, interface, evaluate, options)
}

/// Finds a description of what recorded answers show. What they do not decide is listed beside what was found.
///
/// # Errors
/// The interface is one that no scheme of the space can have.
pub fn infer_recorded(
    vectors: &Batch,
    answers: &[u64],
    interface: Interface,
    evaluate: Evaluator,
    options: Options,
) -> Result<Outcome, InferError> {
    from_answers(BlackBox::recorded(vectors, answers), interface, evaluate, Options { confirm: 0, ..options })
}

/// Goes on from the first answers.
fn from_answers(
    black_box: BlackBox,
    interface: Interface,
    evaluate: Evaluator,
    options: Options,
) -> Result<Outcome, InferError> {
    let memory = &black_box.memory;
    let space = Space::new(interface, (0..memory.len()).map(|index| memory.entry(index).1));
    Inference {
        black_box,
        space: &space,
        search: Search { space: &space, evaluate, pairs_below: 1 },
        options,
        chunk: 100,
    }
    .run()
}

/// Hypotheses whose shapes the first vectors take: each scheme, and fused sums with short and long windows.
fn first_stimuli(starts: &[Unit]) -> Vec<Unit> {
    let mut units = starts.to_vec();
    for unit in starts.iter().filter(|unit| unit.scheme == Scheme::Fused) {
        units.extend(FIRST_FRACTION_BITS.map(|bits| {
            let mut unit = unit.clone();
            Setting::FractionBits(bits).apply(&mut unit);
            let floor = unit.formats.d.exponent_min() - bits as i32 / 4;
            let mut floored = unit.clone();
            Setting::ExponentFloor(Some(floor)).apply(&mut floored);
            if floored.is_valid() { floored } else { unit }
        }));
    }
    units.retain(Unit::is_valid);
    units
}

pub(super) struct Inference<'a, 'b> {
    pub black_box: BlackBox<'b>,
    pub space: &'a Space,
    pub search: Search<'a>,
    pub options: Options,
    /// Number of the next chunk of shaped vectors.
    pub chunk: u64,
}

impl Inference<'_, '_> {
    fn run(mut self) -> Result<Outcome, InferError> {
        let mut refuted: Vec<Refuted> = Vec::new();
        for pairs_below in PAIRS_BELOW {
            self.search.pairs_below = pairs_below;
            refuted.clear();
            for scheme in SCHEMES {
                let mut constraints = self.constraints();
                let Some(fit) = self.search.fit(scheme, &constraints) else { continue };
                match self.search.explain(fit, &mut constraints, &self.black_box.memory) {
                    Err(other) => refuted.push(other),
                    Ok(unit) => match self.settle(unit, &mut constraints)? {
                        Settled::Refuted(other) => refuted.push(other),
                        Settled::Unit(unit, account, indifferent) => {
                            return self.found(*unit, account, indifferent, refuted, &constraints);
                        }
                    },
                }
            }
        }
        self.nothing(refuted)
    }

    /// A sample of what was answered.
    fn constraints(&self) -> Constraints {
        let memory = &self.black_box.memory;
        let (mut refuting, mut sample) = (memory.clone(), memory.clone());
        refuting.clear();
        sample.clear();
        for index in (0..memory.len()).step_by(memory.len().div_ceil(1024).max(1)) {
            let (vector, answer) = memory.entry(index);
            sample.push(&vector, answer);
        }
        Constraints { refuting, sample }
    }

    fn found(
        mut self,
        unit: Unit,
        account: Account,
        indifferent: Vec<(Setting, Indifferent)>,
        mut refuted: Vec<Refuted>,
        constraints: &Constraints,
    ) -> Result<Outcome, InferError> {
        let mut equivalent = Vec::new();
        let tried = refuted.len();
        for scheme in SCHEMES.into_iter().filter(|scheme| *scheme != unit.scheme) {
            if refuted[..tried].iter().any(|refuted| refuted.unit.scheme == scheme) {
                continue;
            }
            let mut constraints = constraints.clone();
            let Some(fit) = self.search.fit(scheme, &constraints) else { continue };
            let mut explained = self.search.explain(fit, &mut constraints, &self.black_box.memory);
            while let Ok(other) = &explained {
                let Some(vector) = self.difference(&unit, other) else { break };
                if !self.black_box.answers_more() {
                    break;
                }
                self.black_box.ask(&Batch::of(&vector))?;
                let fit = Fit { unit: other.clone(), failures: 0 };
                explained = self.search.explain(fit, &mut constraints, &self.black_box.memory);
            }
            match explained {
                Ok(other) => equivalent.push(other),
                Err(other) => refuted.push(other),
            }
        }
        let mut parameters = account.parameters;
        for (setting, indifferent) in indifferent {
            let own = parameters.iter_mut().find(|parameter| parameter.field == setting.field());
            if let Some(parameter) = own {
                parameter.indifferent.push(indifferent);
            }
        }
        let nan = self.space.nans_seen == 0;
        let own = parameters.iter_mut().find(|parameter| nan && parameter.field == "conversion.nan");
        if let Some(parameter) = own {
            let reason = "no answer was NaN".to_owned();
            parameter.indifferent.push(Indifferent { value: "any other NaN".to_owned(), reason });
        }
        let recorded = !self.black_box.answers_more();
        let asked = if recorded { self.black_box.memory.len() as u64 } else { self.black_box.asked };
        let confirmed = self.options.confirm;
        Ok(Outcome::Found(Box::new(Finding { unit, parameters, refuted, equivalent, recorded, asked, confirmed })))
    }

    fn nothing(mut self, mut refuted: Vec<Refuted>) -> Result<Outcome, InferError> {
        refuted.sort_by_key(|refuted| refuted.by.len());
        // A box that answers by chance contradicts every hypothesis: what contradicts them is asked again.
        for _ in 0..8 {
            let all: Vec<usize> = (0..self.black_box.memory.len()).collect();
            self.black_box.ask_again(&all[all.len().saturating_sub(CHUNK)..])?;
        }
        self.black_box.ask_sample_again()?;
        match self.search.contradiction(&refuted, &self.black_box.memory) {
            Ended::Contradiction(together) => {
                let asked = self.black_box.asked;
                Ok(Outcome::Nothing(Box::new(Contradiction { best: refuted, together, asked })))
            }
            Ended::Explained(unit) => {
                let mut constraints = self.constraints();
                match self.settle(*unit, &mut constraints)? {
                    Settled::Unit(unit, account, indifferent) => {
                        self.found(*unit, account, indifferent, refuted, &constraints)
                    }
                    Settled::Refuted(other) => {
                        refuted.insert(0, other);
                        let asked = self.black_box.asked;
                        let best = refuted;
                        Ok(Outcome::Nothing(Box::new(Contradiction { best, together: Vec::new(), asked })))
                    }
                }
            }
        }
    }
}
