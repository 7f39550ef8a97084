//! Answers a question about a graph: by its structure, by all patterns, or by search with a checked proof.

use std::time::{Duration, Instant};

use super::answer::{Answer, Method};
use super::kept::Kept;
use super::miter::Miter;
use crate::prove::aig::{Aig, Literal, first_difference};
use crate::prove::sat::{Verdict, prove_never};

/// Inputs up to which all patterns are simulated.
const EXHAUSTIVE_INPUTS: usize = 24;

/// What questions may use: time, and what was answered before.
#[derive(Debug)]
pub struct Means {
    /// All the time that there is, to name in messages.
    pub limit: Duration,
    /// The moment at which questions without an answer become unknown.
    pub deadline: Instant,
    /// Answers of earlier runs, and where those of this one go.
    pub kept: Kept,
}

impl Means {
    /// One of so many parts of the time that is left; nothing is kept.
    pub(super) fn part(&self, parts: u32) -> Means {
        Means::within(self.deadline.saturating_duration_since(Instant::now()) / parts)
    }

    /// So much time from now on; nothing is kept.
    pub fn within(limit: Duration) -> Means {
        Means { limit, deadline: after(limit), kept: Kept::default() }
    }
}

/// That time from now on; one that no clock reaches is as good as a year.
fn after(limit: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(limit).unwrap_or(now + Duration::from_secs(365 * 24 * 60 * 60))
}

/// Whether the target never holds where the constraint does, and whether an earlier run found that.
pub fn discharge(miter: &Miter, means: &Means) -> (Answer, bool) {
    let mut aig = miter.aig.clone();
    let both = aig.and(miter.constraint, miter.target);
    if both == Literal::FALSE {
        return (Answer::Proved { method: Method::Structure, refutation: None }, false);
    }
    let key = Kept::key(miter);
    if let Some(recalled) = key.as_deref().and_then(|key| means.kept.recall(key, miter)) {
        return recalled;
    }
    let answer = answer(miter, &aig, both, means.deadline);
    if let Some(key) = key {
        means.kept.keep(key, &answer);
    }
    (answer, false)
}

fn answer(miter: &Miter, aig: &Aig, both: Literal, deadline: Instant) -> Answer {
    if aig.inputs().len() <= EXHAUSTIVE_INPUTS {
        let proved = Answer::Proved { method: Method::Exhaustive, refutation: None };
        return first_difference(aig, both).map_or(proved, Answer::Fails);
    }
    match prove_never(&miter.aig, miter.constraint, miter.target, deadline).verdict {
        Verdict::Never(refutation) => Answer::Proved { method: Method::Search, refutation: Some(refutation) },
        Verdict::Holds(inputs) => Answer::Fails(inputs),
        Verdict::Unknown(reason) => Answer::Unknown(reason),
    }
}
