//! Pictures of the internal-width sweep, of rounding between elements, and of the permutations over the 16 x 16 matrix.

use super::order::{EXPONENTS, SWEEP};
use super::top_level::{MATRIX, is_kept, is_nearest, places_of_pairs};
use super::{ELEMENT, least, place_name, placements};
use crate::check::probe::Value;
use crate::literature::grid::{Axis, Counts, Grid};
use crate::literature::{Answered, Number, Outcome};

/// The picture of an experiment that has one and was asked.
pub(in crate::literature) fn grid(outcome: &Outcome) -> Option<Grid> {
    let draw = match outcome.experiment.name {
        "internal-precision" => sweep,
        "rounding-between-elements" => pairs,
        "permutations" => permutations,
        _ => return None,
    };
    let (experiment, question) = (outcome.experiment.name, outcome.experiment.question);
    outcome.reading.as_ref().ok().map(|_| Grid { experiment, question, ..draw(&outcome.answered) })
}

/// A grid without its experiment's texts.
fn untitled(columns: Axis, rows: Axis, states: [&'static str; 3], cells: Vec<Vec<Option<Counts>>>) -> Grid {
    Grid { experiment: "", question: "", columns, rows, states, cells }
}

/// Counts a vector in its state.
fn count(cell: &mut Option<Counts>, state: usize) {
    cell.get_or_insert_default()[state] += 1;
}

const STATES: [&str; 3] = ["kept", "changed", "lost"];

/// The small term as it is, lost altogether, or another number.
fn state(answered: &Answered, small: Value) -> usize {
    match answered.number {
        number if number == Number::from(small) => 0,
        Number::Zero { .. } => 2,
        _ => 1,
    }
}

/// A column for each exponent, a row for each placement.
fn sweep(answered: &[Answered]) -> Grid {
    let labels = (EXPONENTS.1..=EXPONENTS.0).rev().map(|exponent| match exponent % 4 {
        0 => exponent.to_string(),
        _ => String::new(),
    });
    let sign = |places: [usize; 3], place: usize| match places.iter().position(|own| *own == place) {
        Some(0) => "+L ",
        Some(1) => "-L ",
        Some(_) => " s ",
        None => " 0 ",
    };
    let name =
        |places: [usize; 3]| (0..ELEMENT).map(|place| sign(places, place)).collect::<String>().trim_end().to_owned();
    let cells = answered.chunks(SWEEP).map(|sweep| {
        let own = |answered: &Answered| {
            let mut cell = None;
            count(&mut cell, state(answered, Value::power(answered.question.parameter)));
            cell
        };
        sweep.iter().map(own).collect()
    });
    untitled(
        Axis { name: "exponent N of the small term s = 2^N; L = 2^30", labels: labels.collect() },
        Axis { name: "products 0 to 3", labels: placements(ELEMENT).map(name).collect() },
        STATES,
        cells.collect(),
    )
}

/// Names of places, the addend's after the products'.
fn places(count: usize) -> Vec<String> {
    (0..count).map(|place| place_name(MATRIX, place)).collect()
}

/// A column for the place of 1, a row for that of the small term.
fn pairs(answered: &[Answered]) -> Grid {
    let mut cells = vec![vec![None; MATRIX]; MATRIX];
    let cut = Number::from(Value::power(0) + Value::power(-23));
    for ([one, small], answered) in places_of_pairs().zip(answered) {
        let state = match answered {
            answered if is_nearest(answered) => 0,
            answered if answered.number == cut => 2,
            _ => 1,
        };
        count(&mut cells[small][one], state);
    }
    untitled(
        Axis { name: "product that is 1", labels: places(MATRIX) },
        Axis { name: "product that is 2^-23 + 2^-24", labels: places(MATRIX) },
        ["to nearest", "otherwise", "cut"],
        cells,
    )
}

/// A column for the place of the large term, a row for that of its negative; a cell counts the places of the small one.
fn permutations(answered: &[Answered]) -> Grid {
    let mut cells = vec![vec![None; MATRIX + 1]; MATRIX + 1];
    for ([large, minus, _], answered) in placements(MATRIX + 1).zip(answered) {
        let state = if is_kept(answered) { 0 } else { state(answered, least()) };
        count(&mut cells[minus][large], state);
    }
    untitled(
        Axis { name: "place of 2^30: product, or C", labels: places(MATRIX + 1) },
        Axis { name: "place of -2^30", labels: places(MATRIX + 1) },
        STATES,
        cells,
    )
}
