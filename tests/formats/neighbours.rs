//! `next_up` and `next_down` against the sorted list of a format's values, and against apfloat and native floats.

use std::cmp::Ordering;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tensorsmith::describe::format::Format;

use crate::formats::apfloat::oracles;
use crate::formats::definition::{Definition, Special};
use crate::formats::exact::Datum;
use crate::formats::tally::Tally;
use crate::formats::wrong;

/// Order of the values of two data that are not NaN; the zeros are equal.
fn order(left: &Datum, right: &Datum) -> Ordering {
    let key = |datum: &Datum| match *datum {
        Datum::Nan => panic!("NaN has no place in the order"),
        Datum::Infinite { negative: true } => -2,
        Datum::Infinite { negative: false } => 2,
        Datum::Finite(number) if number.significand == 0 => 0,
        Datum::Finite(number) => {
            if number.negative {
                -1
            } else {
                1
            }
        }
    };
    match (key(left).cmp(&key(right)), left, right) {
        (Ordering::Equal, Datum::Finite(left), Datum::Finite(right)) if left.negative && right.significand != 0 => {
            right.cmp_magnitude(left)
        }
        (Ordering::Equal, Datum::Finite(left), Datum::Finite(right)) => left.cmp_magnitude(right),
        (other, _, _) => other,
    }
}

/// What each encoding's `next_up` and `next_down` must be (IEEE 754-2019, 5.3.1), indexed by encoding: the adjacent
/// place of the sorted list of values. Zero is reached with the sign of the side one comes from, if it has two signs.
fn neighbours(definition: &Definition) -> Vec<(u64, u64)> {
    let mut table: Vec<(u64, u64)> = definition.encodings().map(|bits| (bits, bits)).collect();
    let mut sorted: Vec<u64> = definition.encodings().filter(|&bits| definition.datum(bits) != Datum::Nan).collect();
    sorted.sort_by(|&left, &right| order(&definition.datum(left), &definition.datum(right)));
    let places: Vec<&[u64]> =
        sorted.chunk_by(|&left, &right| order(&definition.datum(left), &definition.datum(right)).is_eq()).collect();
    for (lower, upper) in places.iter().zip(&places[1..]) {
        let from_above = *lower.iter().min().expect("a place has an encoding");
        let from_below = *upper.iter().max().expect("a place has an encoding");
        lower.iter().for_each(|&bits| table[bits as usize].0 = from_below);
        upper.iter().for_each(|&bits| table[bits as usize].1 = from_above);
    }
    table
}

/// The checker: `next_up` and `next_down` of each encoding equal the table's entries.
fn compare(format: &Format, definition: &Definition) -> Tally {
    let mut tally = Tally::default();
    for (bits, expected) in (0u64..).zip(neighbours(definition)) {
        let ours = (format.next_up(bits), format.next_down(bits));
        tally.check(ours == expected, || format!("{} {bits:#x}: {ours:x?}, expected {expected:x?}", definition.name));
    }
    tally
}

/// The checker against functions: `next_up` and `next_down` of each encoding equal `step(bits, up)`.
fn compare_steps(format: &Format, encodings: impl IntoIterator<Item = u64>, step: impl Fn(u64, bool) -> u64) -> Tally {
    let mut tally = Tally::default();
    for bits in encodings {
        let (ours, theirs) = ((format.next_up(bits), format.next_down(bits)), (step(bits, true), step(bits, false)));
        tally.check(ours == theirs, || format!("{} {bits:#x}: {ours:x?}, expected {theirs:x?}", format.name));
    }
    tally
}

/// Encodings of a wide format, padding clear and NaN left out, with the edges first.
fn wide_encodings(definition: &Definition) -> Vec<u64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0x6e65_7874);
    let (padding, fraction, top) = (definition.padding_bits, definition.fraction_bits, definition.top());
    let mut magnitudes = vec![0, 1, 2, (1 << fraction) - 1, 1 << fraction, top - 1, top, top + 1];
    magnitudes.extend((0..200_000).map(|_| random.next_u64() % (top + 1)));
    magnitudes
        .iter()
        .flat_map(|&magnitude| [false, true].map(|sign| definition.sign(sign) | magnitude << padding))
        .collect()
}

#[test]
fn neighbours_definition_exhaustive_small_formats() {
    for definition in Definition::small() {
        compare(&definition.format(), definition).must_agree(&format!("neighbours of {}", definition.name));
    }
}

#[test]
fn neighbours_apfloat_exhaustive_and_random_formats() {
    for oracle in oracles() {
        let definition = Definition::named(oracle.name);
        let encodings = match definition.width() {
            ..=16 => definition.encodings().collect(),
            _ => wide_encodings(definition),
        };
        let largest = [false, true].map(|sign| definition.sign(sign) | definition.top() << definition.padding_bits);
        let comparable = encodings.into_iter().filter(|&bits| match definition.datum(bits) {
            // apfloat quiets NaNs; ours stay as they are.
            Datum::Nan => false,
            // Above the largest number of a format without infinity apfloat goes on to NaN; ours stays.
            _ => definition.special == Special::Ieee || !largest.contains(&bits),
        });
        let tally = compare_steps(&definition.format(), comparable, oracle.step);
        tally.must_agree(&format!("neighbours of {}, apfloat", oracle.name));
    }
}

#[test]
fn neighbours_native_random_wide_formats() {
    let single = Definition::named("binary32");
    let step = |bits: u64, up| {
        let value = f32::from_bits(bits as u32);
        u64::from(if up { value.next_up() } else { value.next_down() }.to_bits())
    };
    compare_steps(&single.format(), wide_encodings(single), step).must_agree("neighbours of binary32, native");
    let double = Definition::named("binary64");
    let step = |bits: u64, up| {
        let value = f64::from_bits(bits);
        if up { value.next_up() } else { value.next_down() }.to_bits()
    };
    compare_steps(&double.format(), wide_encodings(double), step).must_agree("neighbours of binary64, native");
}

/// Down after up returns to the start, unless the start is the top, or a zero, which comes back as plus zero.
#[test]
fn next_down_next_up_exhaustive_small_formats() {
    let mut tally = Tally::default();
    for definition in Definition::small() {
        let format = definition.format();
        for bits in definition.encodings() {
            let stays = format.next_up(bits) == bits;
            let is_zero = matches!(definition.datum(bits), Datum::Finite(number) if number.significand == 0);
            let there_and_back = format.next_down(format.next_up(bits));
            let expected = match (stays, is_zero) {
                (true, _) => format.next_down(bits),
                (false, true) => 0,
                (false, false) => bits,
            };
            tally.check(there_and_back == expected, || format!("{} {bits:#x}: {there_and_back:#x}", definition.name));
            let nan = definition.datum(bits) == Datum::Nan;
            let at_top = bits == definition.infinity(false).unwrap_or(definition.top() << definition.padding_bits);
            tally.check(stays == (nan || at_top), || format!("{} {bits:#x} stays: {stays}", definition.name));
        }
    }
    tally.must_agree("down after up");
}

#[test]
fn neighbours_wrong_twins_exhaustive_small_formats() {
    for definition in Definition::small() {
        // Neighbours do not depend on the bias, so that fault is none here.
        compare(&wrong::specials(definition.name), definition).must_differ(&format!("{}, specials", definition.name));
        if definition.fraction_bits > 0 {
            compare(&wrong::fraction(definition.name), definition)
                .must_differ(&format!("{}, fraction", definition.name));
        }
    }
    for oracle in oracles() {
        let definition = Definition::named(oracle.name);
        let twin = wrong::fraction(oracle.name);
        let tally = compare_steps(&twin, (0..1 << 15).map(|word| word << definition.padding_bits), oracle.step);
        tally.must_differ(&format!("{}, fraction, apfloat", oracle.name));
    }
}
