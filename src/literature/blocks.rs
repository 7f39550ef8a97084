//! How many products are summed together: two large terms that cancel, and one so small that no window holds it beside them.
//!
//! The distance comes from the formats. Other placements of the same terms show where the small one is never lost, or is lost
//! only because sums are rounded one after the other: then its place tells no block.

use super::features::remains;
use super::{Answered, Questions, Reading};
use crate::check::probe::{Bench, Fit, Sum, Value};

/// A small term so far from a large one that no window of fp32 results holds both.
const DISTANCE_MIN: i32 = 28;

/// The small term, as a power of two beside 1, and where the vectors stand: twice the precision of results and more, or the
/// farthest that the formats have; with normal operands where there are any.
fn far_apart(bench: &Bench, sum: impl Fn(Value) -> Sum) -> Option<(Value, Fit)> {
    let farthest = (2 * bench.d.precision() as i32 + 10).max(40);
    let fits = (DISTANCE_MIN..=farthest).rev().filter_map(|distance| {
        let small = Value::power(-distance);
        let fit = bench.fit(&sum(small).reading(small))?;
        // A large term alone must be a result too: where sums are rounded one after the other it is one.
        Value::power(fit.exponent).encoding(&bench.d, false)?;
        Some((small, fit))
    });
    let mut subnormal = None;
    for (small, fit) in fits {
        match fit.subnormals {
            false => return Some((small, fit)),
            true => subnormal = subnormal.or(Some((small, fit))),
        }
    }
    subnormal
}

/// How a label tells that all terms are moved.
fn moved(fit: Fit) -> String {
    if fit.exponent == 0 { String::new() } else { format!(", times 2^{}", fit.exponent) }
}

/// Places of the first products, and the addend's after them, in which terms are permuted.
const PLACES: usize = 5;

/// Every way to give three terms places of their own.
fn placements() -> impl Iterator<Item = [usize; 3]> {
    let all = (0..PLACES.pow(3)).map(|number| [number / PLACES / PLACES, number / PLACES % PLACES, number % PLACES]);
    all.filter(|[i, j, k]| i != j && j != k && i != k)
}

/// A term as one of the first products, or as the addend.
fn placed(sum: Sum, place: usize, value: Value) -> Sum {
    if place + 1 < PLACES { sum.at(place, value) } else { sum.addend(value) }
}

/// c = 1, -1 as the first product, and a small product in each other position up to the last, that position as the parameter;
/// the small one alone, 0; and the three terms in all placements over four products and c, -n where the first n products hold them.
pub(super) fn block_width(bench: &Bench) -> Questions {
    let mut questions = Questions::default();
    let last = bench.products - 1;
    let cancelled = Sum::default().at(0, -Value::power(0)).addend(Value::power(0));
    let Some((small, fit)) = far_apart(bench, |small| cancelled.clone().at(1, small)) else {
        questions.left_out.push(format!("c = 1, -1 and 2^-{DISTANCE_MIN} beside them"));
        return questions;
    };
    let (exponent, moved) = (small.leading(), moved(fit));
    for position in 1..=last {
        let label = format!("c = 1, -1, and 2^{exponent} in position {position}{moved}");
        questions.add(label, position as i32, bench.vector(&cancelled.clone().at(position, small), fit));
    }
    let alone = format!("2^{exponent} alone in position {last}{moved}");
    questions.add(alone, 0, bench.vector(&Sum::default().at(last, small), fit));
    for places in placements() {
        let values = [Value::power(0), -Value::power(0), small];
        let sum = places.into_iter().zip(values).fold(Sum::default(), |sum, (place, value)| placed(sum, place, value));
        let products = places.into_iter().filter(|place| place + 1 < PLACES).max().map_or(0, |place| place + 1);
        let names = places.map(|place| if place + 1 < PLACES { place.to_string() } else { "c".to_owned() });
        let label = format!("1, -1, 2^{exponent} in {}{moved}", names.join(", "));
        questions.add(label, -(products as i32), bench.vector(&sum, fit));
    }
    questions
}

/// The first position from which the small product remains, where the placements agree that all before it are one block.
pub(super) fn width(answered: &[Answered]) -> Reading {
    let (swept, others): (Vec<_>, Vec<_>) = answered.iter().partition(|own| own.question.parameter > 0);
    let first = swept.iter().find(|own| remains(own)).map(|own| own.question.parameter);
    let longest = swept.len() as i32 + 1;
    let inside = |width: i32| others.iter().filter(move |own| (-width..0).contains(&own.question.parameter));
    match (first, first.unwrap_or(longest)) {
        (None, _) if others.iter().any(|own| own.question.parameter == 0 && !remains(own)) => {
            Reading::Undecided("the small term is lost even where it stands alone")
        }
        (Some(1), _) if inside(2).all(|own| remains(own)) => {
            Reading::Undecided("the small term is never lost, as in an exact sum or a wider window")
        }
        (Some(1), _) => Reading::Count(Some(1)),
        (_, width) if inside(width).any(|own| remains(own)) => Reading::Undecided(
            "whether the small term remains depends on its place, as where sums are rounded one after the other",
        ),
        (Some(width), _) => Reading::Count(Some(width)),
        (None, width) => Reading::AtLeast(width),
    }
}

/// 1 and -1 as the first two products, and a small one in each other position, that position as the parameter; and two
/// placements, 0 and 1, in which the small one stands between the large ones, next to them or not.
pub(super) fn partners(bench: &Bench) -> Questions {
    let mut questions = Questions::default();
    let pair = |minus: usize| Sum::default().at(0, Value::power(0)).at(minus, -Value::power(0));
    let Some((small, fit)) = far_apart(bench, |small| pair(1).at(2, small)) else {
        questions.left_out.push(format!("1, -1 and 2^-{DISTANCE_MIN} beside them"));
        return questions;
    };
    let (exponent, moved) = (small.leading(), moved(fit));
    let places = [(0, 2, 1), (1, 4, 1)].into_iter().chain((2..bench.products).map(|place| (place, 1, place)));
    for (parameter, minus, place) in places {
        let label = format!("1, -1 in {minus}, and 2^{exponent} in {place}{moved}");
        questions.add(label, parameter as i32, bench.vector(&pair(minus).at(place, small), fit));
    }
    questions
}

/// Which products stand in a block with the first two.
pub(super) fn partners_read(answered: &[Answered]) -> Reading {
    let (between, rest): (Vec<_>, Vec<_>) = answered.iter().partition(|own| own.question.parameter < 2);
    let as_if = |together: fn(i32) -> bool| rest.iter().all(|own| remains(own) != together(own.question.parameter));
    let kept = |parameter: i32| between.iter().any(|own| own.question.parameter == parameter && remains(own));
    Reading::Name(if as_if(|_| false) && kept(0) {
        return Reading::Undecided("the small term is never lost, as in an exact sum or a wider window");
    } else if as_if(|_| false) {
        "none of them"
    } else if as_if(|_| true) && !kept(0) && !kept(1) {
        "one block"
    } else if as_if(|place| place / 2 % 2 == 0) {
        "pairs in turn"
    } else if as_if(|place| place < 16) {
        "blocks of 16"
    } else if as_if(|place| place < 8) {
        "blocks of 8"
    } else if as_if(|place| place < 4) {
        "blocks of 4"
    } else {
        "otherwise"
    })
}

/// 1 and -1 as products, and a small c; then c = 1, and -1 and the small one as products, in both orders.
pub(super) fn small_addend(bench: &Bench) -> Questions {
    let (mut questions, one) = (Questions::default(), Value::power(0));
    let pair = Sum::default().at(0, one).at(1, -one);
    let Some((small, fit)) = far_apart(bench, |small| pair.clone().at(2, small).addend(small)) else {
        questions.left_out.push(format!("1, -1, and c = 2^-{DISTANCE_MIN}"));
        return questions;
    };
    let inside = |place: usize| Sum::default().at(1 - place, -one).at(place, small).addend(one);
    let name = format!("2^{}", small.leading());
    let sums = [
        (format!("1, -1, and c = {name}"), pair.addend(small)),
        (format!("c = 1, -1, and {name}"), inside(1)),
        (format!("c = 1, {name}, and -1"), inside(0)),
    ];
    for (number, (label, sum)) in sums.into_iter().enumerate() {
        questions.add(label + &moved(fit), number as i32, bench.vector(&sum, fit));
    }
    questions
}

/// Whether a small c remains, where small products are lost.
pub(super) fn small_addend_read(answered: &[Answered]) -> Reading {
    match answered {
        [addend, products @ ..] if remains(addend) && products.iter().all(remains) => {
            Reading::Undecided("a small product is not lost either, as in an exact sum or a wider window")
        }
        [addend, ..] => Reading::Truth(remains(addend)),
        [] => Reading::Undecided("the formats do not have its terms"),
    }
}
