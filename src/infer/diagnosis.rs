//! What an engine computes that does not compute what it should: the description changed a parameter at a time, in the way that
//! leaves the fewest answers unexplained; then inference, for as long as there is time.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::distinguish::BATCH;
use super::inference::{Outcome, infer};
use super::space::{Space, with};
use super::state::Options;
use super::{Evaluator, FieldDifference, InferError, field_differences, vectors};
use crate::describe::instruction::Instruction;
use crate::describe::subject::Subject;
use crate::engine::{Batch, Engine, EngineError, Identity, Vector};

/// Batches of shaped vectors on which a description is confirmed that explains one of them.
const CONFIRMED: u64 = 16;
/// Less time is not worth beginning an inference, which looks at the time when it asks the engine only.
const WORTH_BEGINNING: Duration = Duration::from_secs(5);
/// Parameters that are changed at most.
const CHANGES: usize = 8;

/// What an engine computes, as far as it was found.
#[derive(Debug, Clone)]
pub struct Diagnosis {
    /// The description that explains most of the answers.
    pub nearest: Instruction,
    /// Where it differs from the one that was given.
    pub differences: Vec<FieldDifference>,
    /// Vectors that were compared, how many of them the given description does not explain, and how many the nearest.
    pub vectors: u64,
    pub unexplained_before: u64,
    pub unexplained: u64,
    pub ended: Ended,
}

/// What a diagnosis ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// A description that explains every answer.
    Explained,
    /// No description of the hypothesis space was found that does.
    Nothing,
    /// The time was up.
    TimeUp,
}

/// Finds what an engine computes in place of a subject, from where a vector shows that it does not.
///
/// # Errors
/// The engine failed, or does not answer the same twice.
pub fn diagnose(
    engine: &mut dyn Engine,
    subject: &Subject,
    shown: &Vector,
    evaluate: Evaluator,
    (seed, limit): (u64, Duration),
) -> Result<Diagnosis, InferError> {
    let deadline = Instant::now() + limit;
    let described = with(&subject.instruction(), &[]);
    let mut sample = Sample { asked: Batch::of(shown), answers: Vec::new() };
    add(&mut sample.asked, &vectors::probes(&described.interface()));
    add(&mut sample.asked, &vectors::shaped(&described, seed, 0, BATCH));
    engine.run(&sample.asked, &mut sample.answers)?;
    let mut nearest = described.clone();
    let mut unexplained = sample.unexplained(&nearest, evaluate);
    for number in 1..=CHANGES {
        if unexplained > 0 {
            let Some((other, fewer)) = changed(&nearest, &sample, evaluate, deadline) else { break };
            if fewer >= unexplained {
                break;
            }
            (nearest, unexplained) = (other, fewer);
        }
        if unexplained == 0 {
            for batch in 0..CONFIRMED {
                let more = vectors::shaped(&nearest, seed, number as u64 * CONFIRMED + batch, BATCH);
                let answers = engine.answers(&more)?;
                add(&mut sample.asked, &more);
                sample.answers.extend(answers);
            }
            unexplained = sample.unexplained(&nearest, evaluate);
            if unexplained == 0 {
                return Ok(sample.diagnosis(subject, &described, nearest, Ended::Explained, evaluate));
            }
        }
    }
    if deadline.saturating_duration_since(Instant::now()) < WORTH_BEGINNING {
        return Ok(sample.diagnosis(subject, &described, nearest, Ended::TimeUp, evaluate));
    }
    let mut bounded = Bounded { engine, deadline, is_over: false };
    let options = Options { seed, confirm: CONFIRMED * BATCH as u64, search: CONFIRMED * BATCH as u64 };
    let outcome = infer(&mut bounded, subject.interface(), evaluate, None, options);
    match outcome {
        Err(InferError::Engine(_)) if bounded.is_over => {
            Ok(sample.diagnosis(subject, &described, nearest, Ended::TimeUp, evaluate))
        }
        Err(error) => Err(error),
        Ok(Outcome::Nothing(_)) => Ok(sample.diagnosis(subject, &described, nearest, Ended::Nothing, evaluate)),
        Ok(Outcome::Found(finding)) => {
            let ended =
                if sample.unexplained(&finding.hypothesis, evaluate) == 0 { Ended::Explained } else { Ended::Nothing };
            Ok(sample.diagnosis(subject, &described, finding.hypothesis, ended, evaluate))
        }
    }
}

/// The change of one parameter that leaves the fewest answers unexplained, and how many; none where the time is up.
fn changed(
    nearest: &Instruction,
    sample: &Sample,
    evaluate: Evaluator,
    deadline: Instant,
) -> Option<(Instruction, u64)> {
    let space = Space::new(nearest.interface(), sample.answers.iter().copied());
    let settings: Vec<_> = space.parameters(nearest).into_iter().flatten().collect();
    let judged = settings.par_iter().enumerate().filter_map(|(place, setting)| {
        let other = with(nearest, std::slice::from_ref(setting));
        if Instant::now() > deadline || other == *nearest || !other.is_valid() {
            return None;
        }
        Some((sample.unexplained(&other, evaluate), place, other))
    });
    let (fewest, _, other) = judged.min_by_key(|(unexplained, place, _)| (*unexplained, *place))?;
    Some((other, fewest))
}

/// Vectors and what the engine answered.
struct Sample {
    asked: Batch,
    answers: Vec<u64>,
}

impl Sample {
    /// How many answers a description does not give.
    fn unexplained(&self, hypothesis: &Instruction, evaluate: Evaluator) -> u64 {
        let mut own = Vec::new();
        let ran = evaluate(hypothesis).run(&self.asked, &mut own);
        match ran {
            Ok(()) => own.iter().zip(&self.answers).filter(|(own, answer)| own != answer).count() as u64,
            Err(_) => self.answers.len() as u64,
        }
    }

    fn diagnosis(
        &self,
        subject: &Subject,
        described: &Instruction,
        nearest: Instruction,
        ended: Ended,
        evaluate: Evaluator,
    ) -> Diagnosis {
        Diagnosis {
            differences: field_differences(subject, &nearest),
            vectors: self.answers.len() as u64,
            unexplained_before: self.unexplained(described, evaluate),
            unexplained: self.unexplained(&nearest, evaluate),
            nearest,
            ended,
        }
    }
}

/// Appends vectors.
fn add(batch: &mut Batch, more: &Batch) {
    (0..more.len()).for_each(|index| batch.push(&more.vector(index)));
}

/// An engine that answers until a time.
struct Bounded<'a> {
    engine: &'a mut dyn Engine,
    deadline: Instant,
    is_over: bool,
}

impl Engine for Bounded<'_> {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn identity(&self) -> Identity {
        self.engine.identity()
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        if Instant::now() > self.deadline {
            self.is_over = true;
            return Err(EngineError { engine: self.engine.name(), message: "the time is up".to_owned() });
        }
        self.engine.run(batch, results)
    }
}
