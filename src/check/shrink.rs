//! Makes a vector smaller while engines answer it differently.

use super::compare::{Entrant, NotReproducible};
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
    /// Engines that returned something else when they were evaluated again.
    pub not_reproducible: Vec<NotReproducible>,
}

/// The vector made as small as the disagreement allows, and the answers to it. It stays as it was found, with the answers that were
/// found, where an engine fails or returns something else when it is evaluated again. The smaller vector is evaluated once more: a
/// result that chance made wrong is no reason to call an engine wrong.
pub(super) fn minimal(entrants: &mut [Entrant], found: Found) -> Minimal {
    let (again, failure) = evaluated_again(entrants, &found);
    if !again.is_empty() || failure.is_some() {
        let not_shrunk = failure.or_else(|| Some(CHANGED.to_owned()));
        return Minimal { vector: found.0, answers: found.1, not_shrunk, not_reproducible: again };
    }
    let mut failure = None;
    let mut best = found.clone();
    let mut differs = |vector: &Vector| {
        if failure.is_some() {
            return false;
        }
        match answers(entrants, vector) {
            Ok(answers) => {
                let differs = answers.iter().any(|(_, answer)| *answer != answers[0].1);
                if differs {
                    best = (vector.clone(), answers);
                }
                differs
            }
            Err(error) => {
                failure = Some(failed_again(&error));
                false
            }
        }
    };
    shrink(&found.0, &mut differs);
    if failure.is_some() {
        return Minimal { vector: found.0, answers: found.1, not_shrunk: failure, not_reproducible: Vec::new() };
    }
    let (not_reproducible, not_shrunk) = evaluated_again(entrants, &best);
    Minimal { vector: best.0, answers: best.1, not_shrunk, not_reproducible }
}

/// The engines that return something else for the same vector now, or why one of them returns nothing.
pub(super) fn evaluated_again(entrants: &mut [Entrant], found: &Found) -> (Vec<NotReproducible>, Option<String>) {
    match answers(entrants, &found.0) {
        Ok(again) => {
            let both = found.1.iter().zip(again);
            let differing = both.filter(|((_, first), (_, again))| first != again);
            (
                differing.map(|((engine, first), (_, again))| NotReproducible::new(engine, [*first, again])).collect(),
                None,
            )
        }
        Err(error) => (Vec::new(), Some(failed_again(&error))),
    }
}

/// Why a vector stays as it was found.
const CHANGED: &str =
    "evaluated again by itself it has another result: that depends on chance, or on the vectors before";

fn failed_again(error: &EngineError) -> String {
    format!("when it was asked again: {error}")
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
