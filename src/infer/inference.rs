//! The loop: ask, fit, look for vectors that tell the survivors apart, ask those, and confirm what is left.

use super::black_box::BlackBox;
use super::evidence::Finding;
use super::search::{Candidate, Constraints, Contradiction, Effort, Ended, Refuted, Search};
use super::settle::{Explained, Settled};
use super::solver::Solver;
use super::space::{Composition, Interface, SCHEMES, Space};
use super::{Decide, Evaluator, InferError, questions};
use crate::describe::instruction::Instruction;
use crate::describe::unit::Scheme;
use crate::engine::{Batch, Engine};

/// How much is asked.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Of the random numbers in all vectors but the directed probes.
    pub seed: u64,
    /// Vectors on which what was found must agree with the box in the end: three eighths are its own shaped vectors.
    pub confirm: u64,
    /// Vectors looked through in the end, without asking the box, for a difference from what was found.
    pub search: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { seed: 1, confirm: 1_000_000, search: 1_000_000 }
    }
}

/// What an inference ends with.
#[derive(Debug)]
pub enum Outcome {
    Found(Box<Finding>),
    Nothing(Box<Contradiction>),
}

/// Answers that first hypotheses are compared by.
pub(super) const ROUGH: usize = 256;

/// Answers that hypotheses are improved by.
pub(super) const FINE: usize = 1024;

/// Of those, a short search looks at one in so many, and at what refutes it among all.
const SAMPLED: usize = 8;

/// Where a search leaves no more answers than these, there is another one.
pub(super) const NEXT_TO_NOTHING: usize = 16;

/// Rounds of asking before a search is given up.
pub(super) const ROUNDS: usize = 100;

/// Products of one result at most: the search grows with their square.
const PRODUCTS_MAX: u32 = 128;

/// Finds a description of what an engine computes. A solver, where there is one, decides what no vector tells.
///
/// # Errors
/// The engine failed, or does not answer the same twice; or the interface has more than 128 products, or no scheme of the
/// space can have it; or what the solver decided does not stand.
pub fn infer(
    engine: &mut dyn Engine,
    interface: Interface,
    evaluate: Evaluator,
    decide: Option<Decide>,
    options: Options,
) -> Result<Outcome, InferError> {
    check(&interface)?;
    let bare = Space::new(interface.clone(), std::iter::empty());
    let whole = Composition::whole(&interface);
    let starts: Vec<Instruction> = SCHEMES.into_iter().filter_map(|scheme| bare.start(scheme, &whole)).collect();
    let Some(first) = starts.last().map(Instruction::interface) else {
        let schemes = SCHEMES.map(Scheme::name).join(", ");
        return Err(InferError::Interface(format!(
            "no scheme of the hypothesis space has these formats; the space holds {schemes}"
        )));
    };
    let mut black_box = BlackBox::new(engine, Batch::of_interface(&first));
    black_box.ask(&questions::probes(&first))?;
    for (number, unit) in questions::first_stimuli(&starts).iter().enumerate() {
        black_box.ask(&questions::shaped(unit, options.seed, number as u64, 512))?;
    }
    black_box.ask_sample_again()?;
    from_answers(black_box, interface, evaluate, decide, options)
}

/// Finds a description of what recorded answers show. What they do not decide is listed beside what was found.
///
/// # Errors
/// The interface has more than 128 products; or two answers to one vector differ.
pub fn infer_recorded(
    vectors: &Batch,
    answers: &[u64],
    interface: Interface,
    evaluate: Evaluator,
    options: Options,
) -> Result<Outcome, InferError> {
    check(&interface)?;
    let black_box = BlackBox::recorded(vectors, answers)?;
    from_answers(black_box, interface, evaluate, None, Options { confirm: 0, ..options })
}

fn check(interface: &Interface) -> Result<(), InferError> {
    match interface.products {
        0..=PRODUCTS_MAX => Ok(()),
        products => Err(InferError::Interface(format!("products: {products}; allowed: at most {PRODUCTS_MAX}"))),
    }
}

/// Goes on from the first answers.
fn from_answers(
    black_box: BlackBox,
    interface: Interface,
    evaluate: Evaluator,
    decide: Option<Decide>,
    options: Options,
) -> Result<Outcome, InferError> {
    let memory = &black_box.memory;
    let space = Space::new(interface, (0..memory.len()).map(|index| memory.entry(index).1));
    Inference {
        black_box,
        space: &space,
        search: Search { space: &space, evaluate, effort: Effort::Quick },
        solver: decide.map(|decide| Solver::new(decide, evaluate)),
        options,
        batch: 100,
    }
    .run()
}

pub(super) struct Inference<'a, 'b> {
    pub black_box: BlackBox<'b>,
    pub space: &'a Space,
    pub search: Search<'a>,
    pub solver: Option<Solver<'a>>,
    pub options: Options,
    /// Number of the last batch of shaped vectors.
    pub batch: u64,
}

impl Inference<'_, '_> {
    /// Searches until what was found explains everything that was asked since, too.
    fn run(mut self) -> Result<Outcome, InferError> {
        /// Searches from the beginning.
        const PASSES: usize = 4;
        let (mut refuted, mut candidates) = (Vec::new(), Vec::new());
        let mut again = self.black_box.answers_more();
        for _ in 0..PASSES {
            let rough = Constraints::of_memory(&self.black_box.memory, ROUGH);
            candidates = self.search.candidates(&rough);
            refuted.clear();
            match self.pass(&candidates, &mut refuted)? {
                Some(explained) => {
                    if let Some(finding) = self.found(explained, &mut refuted, &candidates)? {
                        return Ok(Outcome::Found(Box::new(finding)));
                    }
                }
                // What leaves next to nothing may be near what leaves nothing, and be led there by what was asked since. Or these
                // answers are wrong.
                None if again && refuted.iter().any(|refuted| refuted.by.len() <= NEXT_TO_NOTHING) => {
                    self.black_box.ask_all_again()?;
                    again = false;
                }
                None => break,
            }
        }
        self.nothing(refuted, &candidates)
    }

    /// First a short search from the best start of every scheme and composition; then longer ones.
    fn pass(&mut self, candidates: &[Candidate], refuted: &mut Vec<Refuted>) -> Result<Option<Explained>, InferError> {
        let fine = Constraints::of_memory(&self.black_box.memory, FINE);
        let few = fine.every(SAMPLED);
        self.search.effort = Effort::Light;
        for candidate in candidates {
            match self.attempt(candidate, candidate.start.hypothesis.clone(), &few)? {
                Settled::Found(explained) => return Ok(Some(*explained)),
                Settled::Refuted(other) => {
                    // What few answers drove it to may explain less than what it began with.
                    let both = [*other.hypothesis, candidate.start.hypothesis.clone()];
                    let both = both.map(|hypothesis| self.search.refuted(hypothesis, &fine));
                    refuted.extend(both.into_iter().min_by_key(|refuted| refuted.by.len()));
                }
            }
        }
        self.longer(candidates, refuted, fine)
    }

    /// The best hypothesis of a candidate, and if it explains everything, settled.
    pub(super) fn attempt(
        &mut self,
        candidate: &Candidate,
        first: Instruction,
        fine: &Constraints,
    ) -> Result<Settled, InferError> {
        let mut constraints = fine.clone();
        match self.search.explain(candidate, first, &mut constraints, &self.black_box.memory) {
            Err(refuted) => Ok(Settled::Refuted(refuted)),
            Ok(hypothesis) => {
                let effort = std::mem::replace(&mut self.search.effort, Effort::Quick);
                let settled = self.settle(candidate, hypothesis, &mut constraints);
                self.search.effort = effort;
                settled
            }
        }
    }

    fn nothing(mut self, mut refuted: Vec<Refuted>, candidates: &[Candidate]) -> Result<Outcome, InferError> {
        self.recount(&mut refuted);
        refuted.sort_by_key(|refuted| refuted.by.len());
        // One answer by chance contradicts every hypothesis.
        self.black_box.ask_all_again()?;
        self.search.effort = Effort::Quick;
        let together = match self.search.contradiction(&refuted, &self.black_box.memory) {
            Ended::Contradiction(together) => together,
            Ended::Explained(hypothesis) => {
                let candidate = candidates.iter().find(|candidate| candidate.scheme == hypothesis.unit.scheme);
                let mut constraints = Constraints::of_memory(&self.black_box.memory, ROUGH);
                let settled =
                    candidate.map(|candidate| self.settle(candidate, *hypothesis, &mut constraints)).transpose()?;
                match settled {
                    Some(Settled::Found(explained)) => {
                        if let Some(finding) = self.found(*explained, &mut refuted, &[])? {
                            return Ok(Outcome::Found(Box::new(finding)));
                        }
                    }
                    Some(Settled::Refuted(other)) => refuted.insert(0, other),
                    None => {}
                }
                Vec::new()
            }
        };
        let asked = self.asked();
        Ok(Outcome::Nothing(Box::new(Contradiction { best: refuted, together, asked })))
    }
}
