//! Statements settled by questions: proved, refuted, or unknown with the reason, never anything in between.

use rayon::prelude::*;
use serde::Serialize;

use super::solver::Reason;
use super::{Confirmed, Found, Outcome, Prover, Question, Unconfirmed};

/// What a statement says of the inputs that its questions look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    /// There are some, for each question.
    Witness,
    /// There are none, for no question.
    None,
}

/// Questions with their labels, built when they are asked. A label is empty where a statement has one question.
pub type Questions = Vec<(String, Build)>;

/// Makes a question.
pub type Build = Box<dyn Fn() -> Question + Sync + Send>;

/// Confirms a witness in arithmetic of its own, and says what it is. What it refuses is a fault of this program.
pub type Check = Box<dyn Fn(&[Confirmed]) -> Result<Checked, String> + Sync + Send>;

/// A witness that is what was looked for, or may be: then the question stays open. With words for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    Stands(String),
    Open(String),
}

/// A statement.
pub struct Task {
    pub name: String,
    pub statement: String,
    pub expected: Expected,
    pub questions: Questions,
    /// Questions that find nothing where what no solver found may be believed: that no internal width overflows, for widths
    /// are taken from what the text claims.
    pub premises: Questions,
    pub check: Option<Check>,
}

impl Task {
    fn asked(&self) -> impl Iterator<Item = (bool, &(String, Build))> {
        let premises = self.premises.iter().map(|question| (true, question));
        self.questions.iter().map(|question| (false, question)).chain(premises)
    }

    /// Number of questions, premises too.
    pub fn count(&self) -> usize {
        self.questions.len() + self.premises.len()
    }
}

/// The outcome of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Proved,
    Refuted,
    Unknown,
}

impl Verdict {
    /// In reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::Refuted => "refuted",
            Verdict::Unknown => "unknown",
        }
    }
}

/// One question of a statement, settled.
#[derive(Debug, Clone)]
pub struct Settled {
    pub label: String,
    /// Whether it is a premise of the statement, and no part of it.
    pub premise: bool,
    pub found: Found,
    /// Solver time.
    pub seconds: f64,
    pub cached: bool,
    /// What the check says of a witness.
    pub note: Option<String>,
}

/// A statement, settled.
#[derive(Debug, Clone)]
pub struct Statement {
    pub name: String,
    pub statement: String,
    pub expected: Expected,
    pub questions: Vec<Settled>,
}

impl Statement {
    /// A statement that there is no such input is refuted by one witness; one that there is, by one question without. Either
    /// is proved by all questions. Where that rests on finding nothing, and a premise does not hold, it is unknown.
    pub fn verdict(&self) -> Verdict {
        let fits = |settled: &Settled| match (&settled.found, self.expected) {
            (Found::Unknown(_), _) => None,
            (Found::Witness(_), expected) => Some(expected == Expected::Witness),
            (Found::None, expected) => Some(expected == Expected::None),
        };
        let own = self.questions.iter().filter(|settled| !settled.premise);
        let verdicts: Vec<Option<bool>> = own.map(fits).collect();
        // Witnesses have been run again, and need no premise.
        let by_witness = match self.expected {
            Expected::None => verdicts.contains(&Some(false)),
            Expected::Witness => !verdicts.contains(&Some(false)),
        };
        match () {
            () if !by_witness && !self.premises_hold() => Verdict::Unknown,
            () if verdicts.contains(&Some(false)) => Verdict::Refuted,
            () if verdicts.contains(&None) => Verdict::Unknown,
            () => Verdict::Proved,
        }
    }

    fn premises_hold(&self) -> bool {
        let mut premises = self.questions.iter().filter(|settled| settled.premise);
        premises.all(|settled| matches!(settled.found, Found::None))
    }

    /// Solver time of all its questions together.
    pub fn seconds(&self) -> f64 {
        self.questions.iter().map(|settled| settled.seconds).sum()
    }

    /// Whether every answer came from the cache.
    pub fn cached(&self) -> bool {
        self.questions.iter().all(|settled| settled.cached)
    }

    /// Why it is unknown: the first reason.
    pub fn reason(&self) -> Option<String> {
        self.questions.iter().find_map(|settled| match &settled.found {
            Found::Unknown(reason) => Some(reason.to_string()),
            Found::Witness(_) if settled.premise => Some(format!("it does not hold that {}", settled.label)),
            _ => None,
        })
    }
}

/// Settles statements, so many questions at a time. `settled` hears of each question that is done.
///
/// # Errors
/// A witness is not confirmed.
pub fn settle(
    tasks: &[Task],
    prover: &Prover,
    jobs: usize,
    settled: &(dyn Fn() + Sync),
) -> Result<Vec<Statement>, Unconfirmed> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let pool = pool.map_err(|error| Unconfirmed::new(format!("no threads: {error}")))?;
    let all: Vec<(usize, usize)> = tasks
        .iter()
        .enumerate()
        .flat_map(|(index, task)| (0..task.count()).map(move |question| (index, question)))
        .collect();
    let answer = |&(task, question): &(usize, usize)| {
        let result = answered(&tasks[task], question, prover);
        settled();
        result
    };
    // Each question by itself, in their order: one that takes long holds up no other one.
    let answers: Vec<Result<Settled, Unconfirmed>> =
        pool.install(|| all.par_iter().with_max_len(1).map(answer).collect());
    let mut statements: Vec<Statement> = tasks
        .iter()
        .map(|task| Statement {
            name: task.name.clone(),
            statement: task.statement.clone(),
            expected: task.expected,
            questions: Vec::new(),
        })
        .collect();
    for (&(task, _), answer) in all.iter().zip(answers) {
        statements[task].questions.push(answer?);
    }
    Ok(statements)
}

fn answered(task: &Task, index: usize, prover: &Prover) -> Result<Settled, Unconfirmed> {
    let (premise, (label, build)) = task.asked().nth(index).expect("a question of the task");
    let Outcome { mut found, seconds, cached } = build().ask(prover)?;
    let checked = match (&found, &task.check) {
        (Found::Witness(parts), Some(check)) if !premise => Some(check(parts).map_err(Unconfirmed::new)?),
        _ => None,
    };
    let note = match checked {
        Some(Checked::Stands(text)) => Some(text),
        Some(Checked::Open(text)) => {
            found = Found::Unknown(Reason::Open(text));
            None
        }
        None => None,
    };
    Ok(Settled { label: label.clone(), premise, found, seconds, cached, note })
}
