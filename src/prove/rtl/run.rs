//! Proves a unit's netlist: claims of the text, lemmas, then every named signal; equal questions are answered once.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::composition::{Composition, StepKind};
use super::discharge::{Answer, Method, discharge};
use super::miter::{self, Miter};
use super::problem::Problem;
use super::witness::Witness;
use super::{linear, maximum, order, verdict};
use crate::compute::word::term::Claim;
use crate::describe::plan::Stage;
use crate::describe::unit::Unit;
use crate::prove::aig::{Cnf, Literal, Node};
use crate::prove::netlist::NetlistError;
use crate::prove::sat::{self, Refutation};

/// Time for the comparisons of maxima where only clauses are asked for.
const CLAUSES_LIMIT: Duration = Duration::from_secs(60);

/// One statement and what became of it.
#[derive(Debug, Clone)]
pub struct Obligation {
    pub name: String,
    pub kind: StepKind,
    pub group: String,
    pub outcome: Outcome,
    /// Free bits, and nodes of the graph that was asked about; 0 where no graph was needed.
    pub inputs: usize,
    pub nodes: usize,
    /// Cells of the netlist in its cone.
    pub cells: BTreeSet<usize>,
    /// Signals before it that it relies on.
    pub uses: BTreeSet<String>,
    pub seconds: f64,
    /// The obligation that asked the same question first.
    pub same_as: Option<String>,
    /// Clauses and proof, where search answered.
    pub refutation: Option<Refutation>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Proved(Method),
    /// It is false for these values of the signals before it.
    Fails(String),
    Unknown(String),
}

/// What became of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Proved,
    Refuted(Box<Witness>),
    Unknown(String),
}

/// The verdict and what it rests on.
#[derive(Debug, Clone)]
pub struct RtlProof {
    pub verdict: Verdict,
    pub obligations: Vec<Obligation>,
    pub composition: Composition,
}

/// A question that waits for its answer.
struct Question {
    name: String,
    kind: StepKind,
    group: String,
    asked: Asked,
}

enum Asked {
    /// Answered without a graph.
    Known {
        method: Method,
        uses: BTreeSet<String>,
        cells: BTreeSet<usize>,
        seconds: f64,
    },
    Graph(Box<Miter>),
    Broken(NetlistError),
}

/// Proves that every named signal and every output of the netlist has the number that the text gives it. `progress` is told
/// how many questions of how many are answered.
pub fn prove(unit: &Unit, problem: &Problem, limit: Duration, progress: &(dyn Fn(usize, usize) + Sync)) -> RtlProof {
    let deadline = Instant::now() + limit;
    let questions = questions(problem, deadline);
    let obligations = answer(questions, deadline, progress);
    verdict::conclude(unit, problem, obligations, deadline)
}

/// Every obligation, with the clauses of its question where a graph was made for it.
pub fn clauses(problem: &Problem) -> Vec<(String, Option<Cnf>)> {
    let clauses = |question: Question| match question.asked {
        Asked::Graph(miter) => (question.name, Some(sat::clauses(&miter.aig, miter.constraint, miter.target))),
        _ => (question.name, None),
    };
    questions(problem, Instant::now() + CLAUSES_LIMIT).into_iter().map(clauses).collect()
}

fn questions(problem: &Problem, deadline: Instant) -> Vec<Question> {
    let open: Vec<_> = problem.graph.claims().iter().filter(|claim| !claim.shown).collect();
    let claims = open.par_iter().enumerate().map(|(index, claim)| {
        let file = claim.place.file().rsplit('/').next().unwrap_or_default();
        let name = format!("claim {index}, {file}:{}", claim.place.line());
        let asked = match order::shows(problem, claim) {
            true => known(Method::Order, BTreeSet::new(), BTreeSet::new(), Instant::now()),
            false => Asked::Graph(Box::new(claimed(problem, claim, deadline))),
        };
        Question { group: name.clone(), name, kind: StepKind::Claim, asked }
    });
    let lemmas = problem.lemmas.par_iter().map(|lemma| Question {
        name: lemma.name.clone(),
        kind: StepKind::Lemma,
        group: lemma.name.clone(),
        asked: Asked::Graph(Box::new(miter::lemma(problem, lemma))),
    });
    let signals = problem.cuts.par_iter().enumerate().map(|(index, cut)| Question {
        name: cut.name.clone(),
        kind: StepKind::Signal,
        group: cut.group.clone(),
        asked: signal(problem, index, deadline),
    });
    let mut questions: Vec<Question> = claims.collect();
    questions.extend(lemmas.collect::<Vec<_>>());
    questions.extend(signals.collect::<Vec<_>>());
    questions
}

/// The question of a claim: with all signals cut, or with as many as leave it true.
fn claimed(problem: &Problem, claim: &Claim, deadline: Instant) -> Miter {
    for before in [None, Some(Stage::Sum), Some(Stage::Anchor)] {
        let question = miter::claim(problem, claim, before);
        if !matches!(discharge(&question, deadline), Answer::Fails(_)) {
            return question;
        }
    }
    miter::claim(problem, claim, Some(Stage::Unpacked))
}

fn known(method: Method, uses: BTreeSet<String>, cells: BTreeSet<usize>, start: Instant) -> Asked {
    Asked::Known { method, uses, cells, seconds: start.elapsed().as_secs_f64() }
}

fn signal(problem: &Problem, index: usize, deadline: Instant) -> Asked {
    let start = Instant::now();
    if let Some(proof) = linear::prove(problem, index) {
        return known(Method::Linear, proof.uses, proof.cells, start);
    }
    if let Some(proof) = maximum::prove(problem, index, deadline) {
        return known(Method::Maximum, proof.uses, proof.cells, start);
    }
    match miter::difference(problem, index) {
        Ok(miter) => Asked::Graph(Box::new(miter)),
        Err(error) => Asked::Broken(error),
    }
}

/// Answers all questions, equal ones once.
fn answer(questions: Vec<Question>, deadline: Instant, progress: &(dyn Fn(usize, usize) + Sync)) -> Vec<Obligation> {
    let mut first: HashMap<(&[Node], Literal, Literal), usize> = HashMap::new();
    let mut asks: Vec<Option<usize>> = Vec::new();
    for (index, question) in questions.iter().enumerate() {
        asks.push(match &question.asked {
            Asked::Graph(miter) => {
                Some(*first.entry((miter.aig.nodes(), miter.constraint, miter.target)).or_insert(index))
            }
            _ => None,
        });
    }
    let mut distinct: Vec<usize> = first.into_values().collect();
    distinct.sort_unstable();
    let done = AtomicUsize::new(0);
    let answers: HashMap<usize, (Answer, f64)> = distinct
        .par_iter()
        .map(|&index| {
            let Asked::Graph(miter) = &questions[index].asked else { unreachable!("only graphs are asked about") };
            let start = Instant::now();
            let answer = discharge(miter, deadline);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, distinct.len());
            (index, (answer, start.elapsed().as_secs_f64()))
        })
        .collect();
    let names: Vec<String> = questions.iter().map(|question| question.name.clone()).collect();
    let obligation = |(index, question): (usize, Question)| {
        let asked = asks[index].map(|first| (&answers[&first], (first != index).then(|| names[first].clone())));
        obligation(question, asked)
    };
    questions.into_iter().enumerate().map(obligation).collect()
}

fn obligation(question: Question, asked: Option<(&(Answer, f64), Option<String>)>) -> Obligation {
    let mut obligation = Obligation {
        name: question.name,
        kind: question.kind,
        group: question.group,
        outcome: Outcome::Unknown(String::new()),
        inputs: 0,
        nodes: 0,
        cells: BTreeSet::new(),
        uses: BTreeSet::new(),
        seconds: 0.0,
        same_as: None,
        refutation: None,
    };
    match question.asked {
        Asked::Known { method, uses, cells, seconds } => {
            obligation.outcome = Outcome::Proved(method);
            (obligation.uses, obligation.cells, obligation.seconds) = (uses, cells, seconds);
        }
        Asked::Broken(error) => obligation.outcome = Outcome::Unknown(error.to_string()),
        Asked::Graph(miter) => {
            (obligation.inputs, obligation.nodes) = (miter.inputs.len(), miter.aig.nodes().len());
            let inputs = miter.inputs;
            (obligation.uses, obligation.cells) = (miter.uses, miter.cells);
            let Some(((answer, seconds), same_as)) = asked else { return obligation };
            obligation.outcome = match answer {
                Answer::Proved { method, .. } => Outcome::Proved(*method),
                Answer::Fails(values) => Outcome::Fails(miter::values(&inputs, values)),
                Answer::Unknown(reason) => Outcome::Unknown(reason.clone()),
            };
            if same_as.is_none() {
                obligation.seconds = *seconds;
                if let Answer::Proved { refutation, .. } = answer {
                    obligation.refutation = refutation.clone();
                }
            }
            obligation.same_as = same_as;
        }
    }
    obligation
}
