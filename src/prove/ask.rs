//! A solver with its limits, and answers that are kept: by the content of the query, the solver and its version.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use dashu_int::IBig;
use serde::{Deserialize, Serialize};

use super::smt::Query;
use super::solver::{Answer, Limits, Missing, Program, Solver};
use crate::engine::cache::{Key, Store};

/// Asks one solver, and remembers.
#[derive(Debug, Clone)]
pub struct Prover {
    pub solver: Solver,
    pub limits: Limits,
    pub store: Store,
    before: Before,
}

/// What is called before each query.
#[derive(Clone)]
struct Before(Arc<dyn Fn() + Send + Sync>);

impl fmt::Debug for Before {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        text.write_str("Before")
    }
}

/// An answer and what it cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub answer: Answer,
    /// Time of the solver's process when it was asked.
    pub time: Duration,
    pub cached: bool,
}

/// An answer as it is kept. What is unknown is not: more time may decide it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    solver: String,
    seconds: f64,
    verdict: KeptVerdict,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum KeptVerdict {
    Unsatisfiable,
    /// Numbers of the variables, in decimal.
    Satisfiable(Vec<String>),
}

/// The name of these answers in the cache.
const SUBJECT: &str = "answer";

impl Prover {
    /// A solver within limits, whose answers are not kept.
    pub fn new(solver: Solver, limits: Limits) -> Prover {
        Prover { solver, limits, store: Store::default(), before: Before(Arc::new(|| {})) }
    }

    /// The same with a solver that is looked for.
    ///
    /// # Errors
    /// There is no such solver.
    pub fn find(program: Program, limits: Limits) -> Result<Prover, Missing> {
        Ok(Prover::new(Solver::find(program)?, limits))
    }

    /// Calls this before each query, of which a verdict may need several. It may panic, where nobody waits for answers any more.
    pub fn before_each(self, call: impl Fn() + Send + Sync + 'static) -> Prover {
        Prover { before: Before(Arc::new(call)), ..self }
    }

    /// Its answers are kept there.
    pub fn keeping(self, store: Store) -> Prover {
        Prover { store, ..self }
    }

    /// The answer to a query, from the cache where it is known. A kept witness is checked again.
    pub fn ask(&self, query: &Query) -> Asked {
        (self.before.0)();
        let key = Key::new("answer").text(&self.solver.identity()).text(&query.text()).finish();
        if let Some(asked) = self.recall(query, &key) {
            return asked;
        }
        let (answer, time) = self.solver.ask(query, self.limits);
        self.keep(&key, &answer, time);
        Asked { answer, time, cached: false }
    }

    fn keep(&self, key: &str, answer: &Answer, time: Duration) {
        let verdict = match answer {
            Answer::Satisfiable(numbers) => KeptVerdict::Satisfiable(numbers.iter().map(IBig::to_string).collect()),
            Answer::Unsatisfiable => KeptVerdict::Unsatisfiable,
            Answer::Unknown(_) => return,
        };
        let kept = Kept { solver: self.solver.identity(), seconds: time.as_secs_f64(), verdict };
        if let Ok(text) = serde_json::to_vec(&kept) {
            self.store.put(SUBJECT, key, &text);
        }
    }

    fn recall(&self, query: &Query, key: &str) -> Option<Asked> {
        let kept: Kept = serde_json::from_slice(&self.store.get(SUBJECT, key)?).ok()?;
        let answer = match kept.verdict {
            KeptVerdict::Unsatisfiable => Answer::Unsatisfiable,
            KeptVerdict::Satisfiable(numbers) => {
                let numbers: Vec<IBig> = numbers.iter().map(|number| number.parse().ok()).collect::<Option<_>>()?;
                query.is_satisfied_by(&numbers).then_some(Answer::Satisfiable(numbers))?
            }
        };
        let time = Duration::try_from_secs_f64(kept.seconds).ok()?;
        (kept.solver == self.solver.identity()).then_some(Asked { answer, time, cached: true })
    }
}
