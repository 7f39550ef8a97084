//! Makes a vector smaller, in the order of `Size`, while engines still differ on it.
//!
//! All single and paired changes of a vector are answered in one batch and the smallest that still differs is taken, until
//! none is smaller. Unlike the shrinking of a mismatch, which clears bits whatever they mean, it looks for simple numbers.

use super::Panel;
use super::size::{Change, Size, changed, formats, operand, size};
use crate::describe::interface::Interface;
use crate::engine::{Batch, EngineError, Vector};

const SIMPLER: [Change; 14] = [
    Change::Zero,
    Change::One,
    Change::Negate,
    Change::Leading,
    Change::Above,
    Change::DropLast,
    Change::Shift(1),
    Change::Shift(-1),
    Change::Shift(2),
    Change::Shift(-2),
    Change::Shift(5),
    Change::Shift(-5),
    Change::Shift(14),
    Change::Shift(-14),
];

/// The vector with changes at several positions; none where one of them is impossible.
fn with(frame: &Interface, vector: &Vector, changes: &[(usize, Change)]) -> Option<Vector> {
    let formats = formats(frame);
    let mut new = vector.clone();
    for &(position, change) in changes {
        let bits = operand(&mut new, position);
        *bits = changed(formats[position], *bits, change)?;
    }
    Some(new)
}

/// The changes that a vector may take: of one operand, of two, of a whole side with the addend, of places.
fn neighbours(frame: &Interface, vector: &Vector, pairs: bool) -> Vec<Vector> {
    let products = frame.products as usize;
    let operands: Vec<u64> = vector.operands().collect();
    let count = operands.len();
    let zero = |position: usize| operands[position] == 0;
    let used: Vec<usize> = (0..count).filter(|&position| !zero(position)).collect();
    let mut edits: Vec<Vec<(usize, Change)>> = Vec::new();
    for &position in &used {
        edits.extend(SIMPLER.map(|change| vec![(position, change)]));
    }
    for change in SIMPLER.into_iter().filter(|change| matches!(change, Change::Shift(_) | Change::Negate)) {
        // All terms alike.
        for side in [0..products, products..2 * products] {
            let whole = side.chain([count - 1]).filter(|position| !zero(*position));
            edits.push(whole.map(|position| (position, change)).collect());
        }
    }
    for (index, &first) in used.iter().enumerate().filter(|_| pairs) {
        for &second in &used[index + 1..] {
            for change in SIMPLER {
                edits.push(vec![(first, change), (second, change)]);
                if let Change::Shift(binades) = change {
                    edits.push(vec![(first, change), (second, Change::Shift(-binades))]);
                }
            }
        }
    }
    let mut all: Vec<Vector> = edits.iter().filter_map(|edit| with(frame, vector, edit)).collect();
    for product in (0..products).filter(|&place| frame.scales.is_none() && !(zero(place) && zero(products + place))) {
        if zero(product) || zero(products + product) {
            all.extend(with(frame, vector, &[(product, Change::Zero)]));
            all.extend(with(frame, vector, &[(products + product, Change::Zero)]));
        }
        all.extend(with(frame, vector, &[(product, Change::Zero), (products + product, Change::Zero)]));
        for free in (0..product).filter(|&place| zero(place) && zero(products + place)) {
            let mut moved = vector.clone();
            moved.a.swap(free, product);
            moved.b.swap(free, product);
            all.push(moved);
        }
        let mut exchanged = vector.clone();
        if frame.formats.a == frame.formats.b {
            std::mem::swap(&mut exchanged.a[product], &mut exchanged.b[product]);
            all.extend(with(frame, &exchanged, &[(product, Change::One)]));
        }
    }
    all
}

/// The smallest vector that changes lead to and on which `keeps` holds, which answers for many at a time.
pub(super) fn smallest(
    frame: &Interface,
    vector: &Vector,
    keeps: &mut dyn FnMut(&Batch) -> Result<Vec<bool>, EngineError>,
) -> Result<(Size, Vector), EngineError> {
    let (mut best_size, mut best) = (size(frame, vector), vector.clone());
    let mut pairs = false;
    loop {
        let mut smaller: Vec<(Size, Vector)> = neighbours(frame, &best, pairs)
            .into_iter()
            .map(|vector| (size(frame, &vector), vector))
            .filter(|(size, _)| *size < best_size)
            .collect();
        smaller.sort_by_key(|(size, _)| *size);
        let mut found = None;
        for some in smaller.chunks(64) {
            let mut batch = Batch::of_interface(frame);
            some.iter().for_each(|(_, vector)| batch.push(vector));
            if let Some(index) = keeps(&batch)?.iter().position(|kept| *kept) {
                found = Some(some[index].clone());
                break;
            }
        }
        match found {
            Some(found) => (best_size, best) = found,
            None if pairs => return Ok((best_size, best)),
            None => pairs = true,
        }
    }
}

/// The smallest vector on which two of the panel still differ.
pub(super) fn apart(
    panel: &mut Panel,
    [left, right]: [usize; 2],
    vector: &Vector,
) -> Result<(Size, Vector), EngineError> {
    let frame = panel.frame().clone();
    smallest(&frame, vector, &mut |batch| {
        let answers = panel.answers(batch, &[left, right])?;
        Ok((0..batch.len()).map(|v| answers[0][v] != answers[1][v]).collect())
    })
}
