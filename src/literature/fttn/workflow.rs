//! Figure 3: the direction of rounding is settled first, and decides what is asked of the bits below the result.

use super::accumulator::{kept_bits, least_lift, lifted_ties, quarters, subtractions};
use super::*;

/// Vectors of the first two steps.
const QUARTERS: usize = 14;
const SUBTRACTIONS: usize = 5;

/// All vectors of the three steps; none where the first two cannot be asked.
fn steps(bench: &Bench) -> Questions {
    let (mut questions, subtractions) = (quarters(bench), subtractions(bench));
    questions.asked.extend(subtractions.asked);
    questions.left_out.extend(subtractions.left_out);
    if questions.left_out.is_empty() {
        questions.asked.extend(lifted_ties(bench).asked);
    } else {
        questions.asked.clear();
    }
    questions
}

/// Reads the second step where sums are cut, the third where they are rounded to nearest.
fn conclusion(answered: &[Answered]) -> Reading {
    let (first, rest) = answered.split_at(QUARTERS);
    let (second, third) = rest.split_at(SUBTRACTIONS);
    Reading::Name(match (features::direction(first), kept_bits(second), least_lift(third)) {
        (Reading::Name("toward zero"), Reading::Count(Some(0)), _) => "cut, no extra bit",
        (Reading::Name("toward zero"), Reading::Count(Some(1)), _) => "cut, one extra bit",
        (Reading::Name("toward zero"), Reading::Count(Some(2)), _) => "cut, two extra bits",
        (Reading::Name("toward zero"), Reading::AtLeast(3), _) => "cut, at least three extra bits",
        (Reading::Name("toward zero"), ..) => "cut, extra bits not decided",
        (Reading::Name("to nearest, ties to even"), _, Reading::Count(None)) => "to nearest, lower bits lost",
        (Reading::Name("to nearest, ties to even"), _, Reading::AtLeast(_)) => "to nearest, lower bits count",
        (Reading::Name("to nearest, ties to even"), ..) => "to nearest, some lower bits count",
        _ => "rounded another way",
    })
}

pub(super) fn experiments() -> Vec<Experiment> {
    vec![Experiment {
        name: "workflow",
        question: "Is the sum cut, and then with how many extra bits; or rounded to nearest, and then from which bits?",
        source: "figure 3: rounding direction, then extra bits, then ties and sticky bit; the vectors of those tests",
        products: 2,
        whole: false,
        fits: with_addend,
        vectors: steps,
        read: conclusion,
        published: Vec::new(),
    }]
}
