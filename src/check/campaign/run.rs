//! Runs one piece of a campaign: a part of one stimulus through the engines of its run.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::file::{Campaign, Run};
use super::piece::{EngineCount, First, Outcome, Piece, PieceError, first};
use super::signed;
use crate::check::compare::{Comparison, Lineup, Mismatch, Ran, Source, compare_observed, line_up};
use crate::check::stimulus::Stimulus;
use crate::compute::events::{Event, concerns};
use crate::describe::plan::Plan;
use crate::describe::subject::Subject;

/// What came of a piece that was begun.
pub struct Ended {
    /// The outcome, or why there is none: an engine failed after a mismatch, or `progress` ended it.
    pub outcome: Result<Outcome, PieceError>,
    /// The first mismatch, as it is in an outcome and as it was found; of signatures without a vector only the former.
    pub first: Option<(First, Option<Mismatch>)>,
}

/// Runs a piece. `jobs` processors are for the engine beside a board that signs. `progress` may end it, unless it is signed.
///
/// # Errors
/// An engine exists on this machine but failed before there was a mismatch; one is missing, unless that is allowed; or fewer than two
/// are there.
pub fn run(
    campaign: &Campaign,
    piece: Piece,
    (allow_missing, jobs): (bool, usize),
    progress: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Ended, PieceError> {
    let run = &campaign.runs[piece.run];
    let go_on = |ready: usize, skipped: &[Ran]| may_go_on(run, ready, skipped, allow_missing);
    let (comparison, first) = match run.signed {
        true => signed::compare(run, piece, jobs, go_on)?,
        false => {
            let Lineup { ready, skipped } = line_up(&run.subject, &run.kinds)?;
            go_on(ready.len(), &skipped)?;
            let stimulus = Stimulus::of_classes(run.subject.frame(), run.seed, run.classes.clone());
            let whole = Box::new(Source::Shaped { stimulus, count: run.vectors });
            let source = Source::Part { whole, first: piece.first_chunk, count: piece.count };
            let mut comparison = compare_observed(ready, (None, None), &source, &mut |_| progress())?;
            comparison.engines.extend(skipped);
            let first = comparison.first.as_ref().map(first);
            (comparison, first)
        }
    };
    let outcome = Outcome {
        piece: piece.number,
        compared: comparison.compared,
        mismatches: comparison.mismatches,
        engines: comparison.engines.iter().map(count).collect(),
        first: first.clone(),
        events: events(&run.subject, &comparison),
    };
    let outcome = match comparison.failure {
        Some(error) => Err(error.into()),
        None if comparison.left > 0 => Err(PieceError::Stopped),
        None => Ok(outcome),
    };
    Ok(Ended { outcome, first: first.map(|first| (first, comparison.first)) })
}

/// Whether enough engines are there, and all of them unless some may be missing.
fn may_go_on(run: &Run, ready: usize, skipped: &[Ran], allow_missing: bool) -> Result<(), PieceError> {
    for ran in skipped {
        if let Ran::Skipped { engine, reason } = ran
            && reason.is_missing()
            && !allow_missing
        {
            let (subject, engine) = (run.subject.name().to_owned(), engine.clone());
            return Err(PieceError::Missing { subject, engine, reason: reason.to_string() });
        }
    }
    if ready < 2 {
        let reason = |ran: &Ran| match ran {
            Ran::Skipped { engine, reason } => Some(format!("{engine} skipped, because {reason}")),
            Ran::Vectors { .. } => None,
        };
        let reasons: Vec<String> = skipped.iter().filter_map(reason).collect();
        return Err(PieceError::Alone { subject: run.subject.name().to_owned(), reasons: reasons.join("; ") });
    }
    Ok(())
}

fn count(ran: &Ran) -> EngineCount {
    match ran {
        Ran::Vectors { identity, count, .. } => EngineCount {
            engine: identity.engine.clone(),
            version: identity.version.clone(),
            vectors: *count,
            skipped: None,
        },
        Ran::Skipped { engine, reason } => EngineCount {
            engine: engine.clone(),
            version: String::new(),
            vectors: 0,
            skipped: Some(reason.to_string()),
        },
    }
}

fn events(subject: &Subject, comparison: &Comparison) -> BTreeMap<String, u64> {
    let (Subject::Unit(unit), Some(coverage)) = (subject, &comparison.coverage) else { return BTreeMap::new() };
    let plan = Plan::of(unit);
    let own = Event::ALL.iter().filter(|event| concerns(&plan, **event));
    own.map(|&event| (event.name().to_owned(), coverage.of(event))).collect()
}
