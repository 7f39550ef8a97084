//! Makes a vector smaller while engines answer it differently.

use super::compare::Entrant;
use crate::engine::{Batch, EngineError, Vector};

/// Engine names and answers to one vector.
type Answers = Vec<(String, u64)>;

/// A vector on which answers differed in a run, and those answers.
pub(super) type Found = (Vector, Answers);

/// Of the vector at that place of the batch that was answered last.
pub(super) fn answers_at(entrants: &[Entrant], position: usize) -> Answers {
    entrants.iter().map(|entrant| (entrant.engine.name().to_owned(), entrant.results[position])).collect()
}

/// A vector as small as a disagreement allows, with the answers to it.
pub(super) struct Minimal {
    pub vector: Vector,
    pub answers: Answers,
    /// Why it stayed as it was found.
    pub not_shrunk: Option<String>,
}

/// The vector made as small as the disagreement allows, and the answers to it. An engine whose answers depend on what came
/// before may agree on the vector alone, or fail: then it stays as it was found, with the answers that were found.
pub(super) fn minimal(entrants: &mut [Entrant], found: Found) -> Minimal {
    let mut failure = None;
    let mut best: Option<Found> = None;
    let mut differs = |vector: &Vector| {
        if failure.is_some() {
            return false;
        }
        match answers(entrants, vector) {
            Ok(answers) => {
                let differs = answers.iter().any(|(_, answer)| *answer != answers[0].1);
                if differs {
                    best = Some((vector.clone(), answers));
                }
                differs
            }
            Err(error) => {
                failure = Some(error);
                false
            }
        }
    };
    if differs(&found.0) {
        shrink(&found.0, &mut differs);
    }
    let not_shrunk = match (&failure, &best) {
        (Some(error), _) => Some(format!("when it was asked again: {error}")),
        (None, None) => {
            Some("by itself this vector is answered alike: what differs depends on more than its operands".to_owned())
        }
        (None, Some(_)) => None,
    };
    let (vector, answers) = best.filter(|_| failure.is_none()).unwrap_or(found);
    Minimal { vector, answers, not_shrunk }
}

pub(super) fn answers(entrants: &mut [Entrant], vector: &Vector) -> Result<Answers, EngineError> {
    let batch = Batch::of(vector);
    let mut results = Vec::new();
    let mut all = Vec::new();
    for entrant in entrants {
        entrant.engine.run(&batch, &mut results)?;
        all.push((entrant.engine.name().to_owned(), results[0]));
    }
    Ok(all)
}

/// Greedily replaces operands by simpler encodings as long as `keeps` holds, until nothing more can be replaced.
fn shrink(vector: &Vector, keeps: &mut dyn FnMut(&Vector) -> bool) -> Vector {
    let mut best = vector.clone();
    loop {
        let before = best.clone();
        for position in 0..best.operands().count() {
            shrink_operand(&mut best, position, keeps);
        }
        if best == before {
            return best;
        }
    }
}

fn operand(vector: &mut Vector, position: usize) -> &mut u64 {
    let factors = vector.a.iter_mut().chain(&mut vector.b).chain(&mut vector.scale_a).chain(&mut vector.scale_b);
    factors.chain([&mut vector.c]).nth(position).expect("a position within the vector")
}

/// Tries 0, then clears single bits from the highest, then from the lowest.
fn shrink_operand(best: &mut Vector, position: usize, keeps: &mut dyn FnMut(&Vector) -> bool) {
    let value = *operand(best, position);
    let width = 64 - value.leading_zeros();
    let zero = std::iter::once(0);
    let without_high = (0..width).rev().map(|bit| !(1 << bit));
    let without_low = (0..width).map(|bit| !(u64::MAX >> (63 - bit)));
    for mask in zero.chain(without_low).chain(without_high) {
        let current = *operand(best, position);
        let candidate = current & mask;
        if candidate == current {
            continue;
        }
        *operand(best, position) = candidate;
        if !keeps(best) {
            *operand(best, position) = current;
        }
    }
}
