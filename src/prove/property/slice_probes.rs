//! Sums of greatest slices, run through a unit block by block before a solver is asked, and witnesses read in whole numbers.

use std::sync::Arc;

use dashu_int::IBig;
use dashu_int::ops::Abs;

use super::Subject;
use super::slices::{Block, Slices};
use crate::describe::format::{Format, Overflow, Rounding};
use crate::engine::{Chained, Emulator, Vector};
use crate::prove::Confirmed;
use crate::prove::settle::{Check, Checked};

/// The encoding of a whole number that a format holds.
fn encoded(format: &Format, number: i128) -> u64 {
    match format.is_integer() {
        true => format.encode_integer(&IBig::from(number), Overflow::Wrap),
        false => format.from_f64(number as f64, Rounding::TowardZero, Overflow::Saturate),
    }
}

/// The whole number that an encoding means; none where it means another one or none.
fn decoded(format: &Format, bits: u64) -> Option<IBig> {
    if format.is_integer() {
        return Some(IBig::from(format.integer(bits)));
    }
    let decoded = format.decode(bits & format.mask());
    let place = decoded.exponent - format.fraction_bits as i32;
    let (significand, down) = (IBig::from(decoded.significand), usize::try_from(-place).unwrap_or_default());
    let magnitude = match place < 0 {
        true => &significand >> down,
        false => &significand << place as usize,
    };
    let whole = decoded.is_finite() && (place >= 0 || &magnitude << down == significand);
    whole.then(|| if decoded.negative { -magnitude } else { magnitude })
}

/// The vector of the first block whose answer is not the sum so far, of sums of the greatest slices: all alike, or with the last
/// factor or both last ones one less.
pub(super) fn known(subject: &Subject, block: Block) -> Option<Vector> {
    let lasts = [[0, 0], [1, 0], [1, 1]];
    let signs: &[i128] = if subject.unit.formats.a.signed { &[1, -1] } else { &[1] };
    let mut tried = lasts.into_iter().flat_map(|last| signs.iter().map(move |sign| (last, *sign)));
    let found = subject.genuine.then(|| tried.find_map(|(last, sign)| first_inexact(subject, block, last, sign)));
    found.flatten()
}

fn first_inexact(subject: &Subject, block: Block, last: [i128; 2], sign: i128) -> Option<Vector> {
    let (unit, formats) = (&subject.unit, &subject.unit.formats);
    let (k, length, greatest) = (block.end() as usize, unit.products as usize, block.slices.greatest());
    let of = |format: &Format, number: i128| vec![encoded(format, number); k];
    let mut vector = Vector { a: of(&formats.a, sign * greatest), b: of(&formats.b, greatest), ..Vector::default() };
    vector.a[k - 1] = encoded(&formats.a, sign * (greatest - last[0]));
    vector.b[k - 1] = encoded(&formats.b, greatest - last[1]);
    vector.c = if unit.has_addend() { formats.c.zero(false) } else { 0 };
    let mut chain = Chained::new(Box::new(Emulator::uncounted(unit)), &unit.interface(), k as u32, &formats.c).ok()?;
    let steps = chain.steps(&vector).ok()?;
    let exact = |products: usize| {
        let less = greatest.pow(2) - (greatest - last[0]) * (greatest - last[1]);
        IBig::from(sign * (products as i128 * greatest.pow(2) - if products == k { less } else { 0 }))
    };
    let end = |run: usize| k.min((run + 1) * length);
    let is_exact = |run: usize| decoded(&formats.d, steps[run]) == Some(exact(end(run)));
    let run = (0..steps.len()).find(|run| !is_exact(*run))?;
    let padded = |list: &[u64], format: &Format| {
        let mut own = list[run * length..end(run)].to_vec();
        own.resize(length, format.zero(false));
        own
    };
    let c = match run.checked_sub(1) {
        Some(before) if formats.c == formats.d => steps[before],
        Some(before) => encoded(&formats.c, i128::try_from(&decoded(&formats.d, steps[before])?).ok()?),
        None => vector.c,
    };
    Some(Vector { a: padded(&vector.a, &formats.a), b: padded(&vector.b, &formats.b), c, ..Vector::default() })
}

/// Whether a number is the sum of at most so many products: greatest ones, and at most two for what is left.
fn is_made(slices: Slices, count: u32, number: &IBig) -> bool {
    let [m, product] = [slices.greatest(), slices.greatest().pow(2)].map(IBig::from);
    let magnitude = number.clone().abs();
    let greatest = &magnitude / &product;
    let rest = &magnitude - &greatest * &product;
    let others = [&rest / &m, &rest % &m].iter().filter(|part| **part != IBig::ZERO).count();
    greatest + IBig::from(others) <= IBig::from(count)
}

/// How many products were added before those of a witness: it is the last block if none of its products stands beyond what that has,
/// else the last whole one.
fn before(slices: Slices, length: u32, a: &[IBig], b: &[IBig]) -> u32 {
    let left = slices.products % length;
    let whole = slices.products - left;
    let is_zero = |(a, b): (&IBig, &IBig)| *a == IBig::ZERO || *b == IBig::ZERO;
    let is_last = left > 0 && a.iter().zip(b).skip(left as usize).all(is_zero);
    if is_last { whole } else { whole.saturating_sub(length) }
}

/// Reads a witness in whole numbers.
pub(super) fn check(subject: &Arc<Subject>) -> Check {
    let (unit, slices) = (subject.unit.clone(), subject.slices);
    Box::new(move |parts: &[Confirmed]| {
        let Some(slices) = slices else { return Err("no slices".to_owned()) };
        // Nobody answers for a unit that is broken on purpose.
        let Some(part) = parts.first() else { return Ok(Checked::Stands("not run".to_owned())) };
        let formats = &unit.formats;
        let numbers = |list: &[u64], format: &Format| -> Option<Vec<IBig>> {
            list.iter().map(|bits| decoded(format, *bits)).collect()
        };
        let m = IBig::from(slices.greatest());
        let all = numbers(&part.vector.a, &formats.a).zip(numbers(&part.vector.b, &formats.b));
        let (a, b) = all.ok_or("an operand is no whole number")?;
        if a.iter().chain(&b).any(|slice| slice.clone().abs() > m) {
            return Err("an operand is no slice".to_owned());
        }
        let c = match unit.has_addend() {
            true => decoded(&formats.c, part.vector.c).ok_or("c is no whole number")?,
            false => IBig::ZERO,
        };
        let sum = a.iter().zip(&b).fold(c.clone(), |sum, (a, b)| sum + a * b);
        let answer = decoded(&formats.d, unit.interface().split_answer(part.answer).0);
        if answer.as_ref() == Some(&sum) {
            return Err(format!("not so in exact arithmetic: the answer is {sum}"));
        }
        let shown = answer.map_or_else(|| "no whole number".to_owned(), |answer| answer.to_string());
        let operands = part.vector.a.iter().zip(&part.vector.b).map(|(a, b)| format!("{a:x}*{b:x}"));
        let operands = operands.collect::<Vec<_>>().join(" ");
        let before = before(slices, unit.products, &a, &b);
        let text = format!("c = {c} ({:x}), and {operands}: exactly {sum}, the unit answers {shown}", part.vector.c);
        match is_made(slices, before, &c) {
            true => Ok(Checked::Stands(text)),
            false => Ok(Checked::Open(format!("whether {before} products of slices have this sum is open: {text}"))),
        }
    })
}
