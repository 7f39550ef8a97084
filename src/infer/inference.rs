//! The loop: counterexample-guided inductive synthesis of an instruction from a box that only answers vectors.
//!
//! ```text
//! ask directed and shaped vectors
//! at most PASSES times:
//!   rank every scheme and composition by the best of its first hypotheses
//!   for each of them, with little effort; then for the nearest, restarted with more and more:
//!     explain: climb to a hypothesis for a sample of the answers; add answers that refute it; until it explains all
//!     refine:  for every other value of every parameter find a distinguishing vector; ask those that split the values
//!              best; explain again; until no such vector is found; confirm on many; search many more, ask the solver
//!     if it stands: hold it against what else explains the answers, and return the simplest with its evidence
//! return the best hypotheses, and a few answers that none was found to explain together
//! ```
//!
//! Synthesis from counterexamples: Solar-Lezama et al., ASPLOS 2006. Distinguishing inputs, asked of an oracle without a
//! specification: Jha et al., ICSE 2010. Vectors that split best: Garey and Graham 1974. Directed vectors first, features one
//! after the other: Li et al. 2024, FTTN. How a search climbs and leaves local optima is in `search/local_search.rs`.

use super::black_box::BlackBox;
use super::distinguish::{BATCH, Mutator};
use super::evidence::Finding;
use super::refine::{Refined, Refinement};
use super::search::{Candidate, Constraints, Contradiction, Effort, Ended, Refuted, Search};
use super::solver::Solver;
use super::space::{Composition, Interface, Space};
use super::state::{FINE, Inference, NEXT_TO_NOTHING, Options, ROUGH};
use super::vectors::few_terms::few_terms;
use super::{Decide, Evaluator, InferError, vectors};
use crate::describe::instruction::Instruction;
use crate::describe::unit::Scheme;
use crate::engine::{Batch, Engine};

/// What an inference ends with.
#[derive(Debug)]
pub enum Outcome {
    Found(Box<Finding>),
    Nothing(Box<Contradiction>),
}

/// Products of one result at most: the search grows with their square.
const PRODUCTS_MAX: u32 = 128;

/// Finds a description of what an engine computes. A solver, where there is one, decides what no vector distinguishes.
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
    let starts: Vec<Instruction> = Scheme::ALL.into_iter().filter_map(|scheme| bare.start(scheme, &whole)).collect();
    let Some(first) = starts.last().map(Instruction::interface) else {
        let schemes = Scheme::ALL.map(Scheme::name).join(", ");
        return Err(InferError::Interface(format!(
            "no scheme of the hypothesis space has these formats; the space holds {schemes}"
        )));
    };
    let mut black_box = BlackBox::new(engine, Batch::of_interface(&first));
    black_box.ask(&vectors::probes(&first))?;
    for (number, unit) in vectors::first_stimuli(&starts).iter().enumerate() {
        black_box.ask(&vectors::shaped(unit, options.seed, number as u64, 512))?;
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

/// The candidate of each scheme that explains most, and every one that leaves no more than one answer in so many to explain,
/// is worth a restart; a thorough one only the latter.
const NEAR: usize = 8;

/// Restarts: with which effort, for how many candidates at most, and whether more is asked around what refutes them first.
const RESTARTS: [(Effort, usize, bool); 7] = [
    (Effort::Quick, 12, false),
    (Effort::Quick, 4, true),
    (Effort::Staged, 1, false),
    (Effort::Thorough, 4, false),
    (Effort::Perturbed, 4, true),
    (Effort::Thorough, 4, false),
    (Effort::Last, Scheme::ALL.len(), false),
];

impl Inference<'_, '_> {
    /// Searches until what was found explains everything that was asked since, too.
    fn run(mut self) -> Result<Outcome, InferError> {
        /// Searches from the beginning.
        const PASSES: usize = 4;
        let (mut refuted, mut candidates) = (Vec::new(), Vec::new());
        let mut again = !self.black_box.is_recording();
        for _ in 0..PASSES {
            candidates = self.search.candidates(&self.sample(ROUGH));
            refuted.clear();
            match self.pass(&candidates, &mut refuted)? {
                Some(refined) => {
                    if let Some(finding) = self.conclude(refined, &mut refuted, &candidates)? {
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
        self.give_up(refuted, &candidates)
    }

    /// First a short search from the best start of every scheme and composition; then restarts.
    fn pass(&mut self, candidates: &[Candidate], refuted: &mut Vec<Refuted>) -> Result<Option<Refined>, InferError> {
        /// A short search looks at one in so many answers, and at what refutes it among all.
        const SAMPLED: usize = 8;
        let fine = self.sample(FINE);
        let few = fine.every(SAMPLED);
        self.search.effort = Effort::Light;
        for candidate in candidates {
            match self.attempt(candidate, candidate.start.hypothesis.clone(), &few)? {
                Refinement::Stands(refined) => return Ok(Some(*refined)),
                Refinement::Refuted(other) => {
                    // What few answers drove it to may explain less than what it began with.
                    let both = [*other.hypothesis, candidate.start.hypothesis.clone()];
                    let both = both.map(|hypothesis| self.search.refuted(hypothesis, &fine));
                    refuted.extend(both.into_iter().min_by_key(|refuted| refuted.by.len()));
                }
            }
        }
        self.restart(candidates, refuted, fine)
    }

    /// The best hypothesis of a candidate, and if it explains everything, refined.
    fn attempt(
        &mut self,
        candidate: &Candidate,
        first: Instruction,
        fine: &Constraints,
    ) -> Result<Refinement, InferError> {
        let mut constraints = fine.clone();
        match self.search.explain(candidate, first, &mut constraints, &self.black_box.memory) {
            Err(refuted) => Ok(Refinement::Refuted(refuted)),
            Ok(hypothesis) => {
                let effort = std::mem::replace(&mut self.search.effort, Effort::Quick);
                let refinement = self.refine(candidate, hypothesis, &mut constraints);
                self.search.effort = effort;
                refinement
            }
        }
    }

    /// Searches with more effort, from where those before came closest.
    fn restart(
        &mut self,
        candidates: &[Candidate],
        refuted: &mut [Refuted],
        mut fine: Constraints,
    ) -> Result<Option<Refined>, InferError> {
        for (effort, count, asks) in RESTARTS {
            let mut nearest = self.nearest(effort, candidates, refuted);
            nearest.truncate(count);
            if asks {
                let near: Vec<&Refuted> = nearest.iter().map(|&index| &refuted[index]).collect();
                fine = self.ask_around(&near)?;
            }
            self.search.effort = effort;
            for index in nearest {
                let (candidate, own) = (&candidates[index], &refuted[index].hypothesis);
                let other = match effort {
                    Effort::Staged => Some(self.staged(candidate, &mut fine)?),
                    _ => self.search.transferred(candidate, own, refuted),
                };
                let better = self.search.better(own, other, &fine);
                match self.attempt(candidate, better, &fine)? {
                    Refinement::Stands(refined) => return Ok(Some(*refined)),
                    Refinement::Refuted(other) => refuted[index] = other,
                }
            }
        }
        Ok(None)
    }

    /// The candidates that are worth a restart, by index, those first whose hypotheses leave least to explain.
    fn nearest(&self, effort: Effort, candidates: &[Candidate], refuted: &[Refuted]) -> Vec<usize> {
        let whole = Composition::whole(&self.space.interface);
        let mut nearest: Vec<usize> =
            (0..candidates.len()).filter(|&index| effort.is_for(candidates[index].scheme)).collect();
        // One block is the likeliest composition: of the same unit, others leave as little where few answers exclude them.
        let likelihood = |index: usize| 1 + usize::from(candidates[index].composition == whole);
        nearest.sort_by_key(|&index| refuted[index].by.len() / likelihood(index));
        let mut begun: Vec<Scheme> = Vec::new();
        let mut seen: Vec<&Instruction> = Vec::new();
        nearest.retain(|&index| {
            let Refuted { hypothesis, by } = &refuted[index];
            let first = effort != Effort::Thorough && !begun.contains(&candidates[index].scheme);
            // Searches of many compositions end with the same hypothesis.
            let new = !seen.contains(&hypothesis.as_ref());
            begun.extend(first.then_some(candidates[index].scheme));
            seen.push(hypothesis);
            new && (first || by.len() <= FINE / NEAR)
        });
        nearest
    }

    /// Asks what lies around the vectors that refute these hypotheses, so that a search finds its way from them. The answers
    /// to explain then, with those that refute them.
    fn ask_around(&mut self, near: &[&Refuted]) -> Result<Constraints, InferError> {
        for refuted in near {
            let frame = refuted.hypothesis.frame();
            self.ask_shaped(&refuted.hypothesis)?;
            let vectors = refuted.by.iter().map(|(vector, _)| vector.clone());
            let mut around = Batch::of_interface(&frame);
            Mutator::around(vectors, self.options.seed ^ self.batch).fill(&frame, &mut around);
            self.black_box.ask(&around)?;
        }
        let mut constraints = self.sample(FINE);
        for (vector, answer) in near.iter().flat_map(|near| &near.by) {
            constraints.refuting.push(vector, *answer);
        }
        Ok(constraints)
    }

    /// The best hypothesis of a search in stages, after vectors of few terms were asked; they are among the answers to explain then.
    fn staged(&mut self, candidate: &Candidate, fine: &mut Constraints) -> Result<Instruction, InferError> {
        /// Vectors of few terms.
        const FEW_TERMS: usize = 2 * BATCH;
        let frame = candidate.start.hypothesis.frame();
        self.batch += 1;
        self.black_box.ask(&few_terms(&frame, self.options.seed ^ self.batch, FEW_TERMS))?;
        fine.sample = self.sample(FINE).sample;
        Ok(self.search.staged(candidate, &self.black_box.memory))
    }

    /// Nothing stands: the best hypotheses, and answers that contradict each other, unless the search for these comes upon a
    /// hypothesis after all.
    fn give_up(mut self, mut refuted: Vec<Refuted>, candidates: &[Candidate]) -> Result<Outcome, InferError> {
        self.recount(&mut refuted);
        refuted.sort_by_key(|refuted| refuted.by.len());
        // One answer by chance contradicts every hypothesis.
        self.black_box.ask_all_again()?;
        self.search.effort = Effort::Quick;
        let together = match self.search.contradiction(&refuted, &self.black_box.memory) {
            Ended::Contradiction(together) => together,
            Ended::Explained(hypothesis) => {
                let candidate = candidates.iter().find(|candidate| candidate.scheme == hypothesis.unit.scheme);
                let mut constraints = self.sample(ROUGH);
                let refinement =
                    candidate.map(|candidate| self.refine(candidate, *hypothesis, &mut constraints)).transpose()?;
                match refinement {
                    Some(Refinement::Stands(refined)) => {
                        if let Some(finding) = self.conclude(*refined, &mut refuted, &[])? {
                            return Ok(Outcome::Found(Box::new(finding)));
                        }
                    }
                    Some(Refinement::Refuted(other)) => refuted.insert(0, other),
                    None => {}
                }
                Vec::new()
            }
        };
        let asked = self.asked();
        Ok(Outcome::Nothing(Box::new(Contradiction { best: refuted, together, asked })))
    }
}
