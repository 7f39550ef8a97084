//! Proves a unit's netlist: claims of the text, lemmas, then every named signal; equal questions are answered once.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use super::answer::{Answer, Method};
use super::composition::StepKind;
use super::discharge::{Means, discharge};
use super::miter::{self, Miter};
use super::problem::Problem;
use super::verdict::{self, Obligation, Outcome, RtlProof};
use super::{linear, maximum};
use crate::compute::record::Stage;
use crate::compute::word::term::Claim;
use crate::describe::unit::Unit;
use crate::prove::aig::{Cnf, Literal, Node};
use crate::prove::netlist::NetlistError;
use crate::prove::order;
use crate::prove::sat;

/// A question that waits for its answer.
struct Question {
    name: String,
    kind: StepKind,
    group: String,
    asked: Asked,
}

/// How far a proof is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Questions that are answered, and all.
    pub done: usize,
    pub all: usize,
    /// Answered by an earlier run.
    pub kept: usize,
}

/// An answer, its time, and whether an earlier run found it.
#[derive(Clone)]
struct Answered {
    answer: Answer,
    seconds: f64,
    kept: bool,
}

impl Answered {
    fn of(miter: &Miter, means: &Means) -> Answered {
        let start = Instant::now();
        let (answer, kept) = discharge(miter, means);
        Answered { answer, seconds: start.elapsed().as_secs_f64(), kept }
    }
}

enum Asked {
    /// Answered without a graph.
    Known {
        method: Method,
        uses: BTreeSet<String>,
        cells: BTreeSet<usize>,
        seconds: f64,
    },
    /// With the answer, where it was needed to find the question.
    Graph(Box<Miter>, Option<Answered>),
    Broken(NetlistError),
}

/// Proves that every named signal and every output of the netlist has the number that the text gives it. `progress` is told
/// whenever a question is answered.
pub fn prove(unit: &Unit, problem: &Problem, means: &Means, progress: &(dyn Fn(Progress) + Sync)) -> RtlProof {
    let questions = questions(problem, means);
    let obligations = answer(questions, means, progress);
    verdict::conclude(unit, problem, obligations, means)
}

/// Every obligation, with the clauses of its question where a graph was made for it.
pub fn clauses(problem: &Problem, means: &Means) -> Vec<(String, Option<Cnf>)> {
    let clauses = |question: Question| match question.asked {
        Asked::Graph(miter, _) => (question.name, Some(sat::clauses(&miter.aig, miter.constraint, miter.target))),
        _ => (question.name, None),
    };
    questions(problem, means).into_iter().map(clauses).collect()
}

/// Proves what the text claims of its own numbers.
pub fn prove_claims(problem: &Problem, means: &Means) -> Vec<Obligation> {
    answer(claims(problem, means), means, &|_| {})
}

/// What the text claims and its ranges do not show.
fn claims(problem: &Problem, means: &Means) -> Vec<Question> {
    let open: Vec<_> = problem.graph.claims().iter().filter(|claim| !claim.shown).collect();
    let claims = open.par_iter().enumerate().map(|(index, claim)| {
        let file = claim.place.file().rsplit('/').next().unwrap_or_default();
        let name = format!("claim {index}, {file}:{}", claim.place.line());
        let asked = match order::shows(&problem.graph, claim) {
            true => known(Method::Order, BTreeSet::new(), BTreeSet::new(), Instant::now()),
            false => claimed(problem, claim, means),
        };
        Question { group: name.clone(), name, kind: StepKind::Claim, asked }
    });
    claims.collect()
}

fn questions(problem: &Problem, means: &Means) -> Vec<Question> {
    let lemmas = problem.lemmas.par_iter().map(|lemma| Question {
        name: lemma.name.clone(),
        kind: StepKind::Lemma,
        group: lemma.name.clone(),
        asked: Asked::Graph(Box::new(miter::lemma(problem, lemma)), None),
    });
    let signals = problem.cuts.par_iter().enumerate().map(|(index, cut)| Question {
        name: cut.name.clone(),
        kind: StepKind::Signal,
        group: cut.group.clone(),
        asked: signal(problem, index, means),
    });
    let mut questions = claims(problem, means);
    questions.extend(lemmas.collect::<Vec<_>>());
    questions.extend(signals.collect::<Vec<_>>());
    questions
}

/// The question of a claim: with all signals cut, or with as many as leave it true.
fn claimed(problem: &Problem, claim: &Claim, means: &Means) -> Asked {
    for before in [None, Some(Stage::Normalised), Some(Stage::Sum), Some(Stage::Anchor)] {
        let question = miter::claim(problem, claim, before);
        let answered = Answered::of(&question, means);
        if !matches!(answered.answer, Answer::Fails(_)) {
            return Asked::Graph(Box::new(question), Some(answered));
        }
    }
    Asked::Graph(Box::new(miter::claim(problem, claim, Some(Stage::Unpacked))), None)
}

fn known(method: Method, uses: BTreeSet<String>, cells: BTreeSet<usize>, start: Instant) -> Asked {
    Asked::Known { method, uses, cells, seconds: start.elapsed().as_secs_f64() }
}

fn signal(problem: &Problem, index: usize, means: &Means) -> Asked {
    let start = Instant::now();
    if let Some(proof) = linear::prove(problem, index, means) {
        return known(Method::Linear, proof.uses, proof.cells, start);
    }
    if let Some(proof) = maximum::prove(problem, index, means) {
        return known(Method::Maximum, proof.uses, proof.cells, start);
    }
    match miter::difference(problem, index, None) {
        Ok(miter) => Asked::Graph(Box::new(miter), None),
        Err(error) => Asked::Broken(error),
    }
}

/// Answers all questions, equal ones once.
fn answer(questions: Vec<Question>, means: &Means, progress: &(dyn Fn(Progress) + Sync)) -> Vec<Obligation> {
    let mut first: HashMap<(&[Node], Literal, Literal), usize> = HashMap::new();
    let mut asks: Vec<Option<usize>> = Vec::new();
    for (index, question) in questions.iter().enumerate() {
        asks.push(match &question.asked {
            Asked::Graph(miter, _) => {
                Some(*first.entry((miter.aig.nodes(), miter.constraint, miter.target)).or_insert(index))
            }
            _ => None,
        });
    }
    let mut distinct: Vec<usize> = first.into_values().collect();
    distinct.sort_unstable();
    let (done, kept) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let answers: HashMap<usize, Answered> = distinct
        .par_iter()
        .map(|&index| {
            let Asked::Graph(miter, known) = &questions[index].asked else {
                unreachable!("only graphs are asked about")
            };
            let answered = known.clone().unwrap_or_else(|| Answered::of(miter, means));
            let kept = kept.fetch_add(usize::from(answered.kept), Ordering::Relaxed) + usize::from(answered.kept);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress(Progress { done, all: distinct.len(), kept });
            (index, answered)
        })
        .collect();
    let names: Vec<String> = questions.iter().map(|question| question.name.clone()).collect();
    let obligation = |(index, question): (usize, Question)| {
        let asked = asks[index].map(|first| (&answers[&first], (first != index).then(|| names[first].clone())));
        obligation(question, asked)
    };
    questions.into_iter().enumerate().map(obligation).collect()
}

fn obligation(question: Question, asked: Option<(&Answered, Option<String>)>) -> Obligation {
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
        kept: false,
        same_as: None,
        refutation: None,
    };
    match question.asked {
        Asked::Known { method, uses, cells, seconds } => {
            obligation.outcome = Outcome::Proved(method);
            (obligation.uses, obligation.cells, obligation.seconds) = (uses, cells, seconds);
        }
        Asked::Broken(error) => obligation.outcome = Outcome::Unknown(error.to_string()),
        Asked::Graph(miter, _) => {
            (obligation.inputs, obligation.nodes) = (miter.inputs.len(), miter.aig.nodes().len());
            let inputs = miter.inputs;
            (obligation.uses, obligation.cells) = (miter.uses, miter.cells);
            let Some((Answered { answer, seconds, kept }, same_as)) = asked else { return obligation };
            obligation.kept = *kept;
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
