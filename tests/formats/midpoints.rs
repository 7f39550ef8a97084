//! Encoding of the numbers where a rounding changes its mind: between each two adjacent values of a format, the lower
//! one, the middle, and the least bit beside each of them. The pair above the largest number decides overflow.

use dashu_int::UBig;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tensorsmith::describe::format::{Format, Rounding};

use crate::formats::definition::{DEFINITIONS, Definition};
use crate::formats::rounding::{Bracket, OVERFLOWS, Position, rounded};
use crate::formats::tally::Tally;
use crate::formats::wrong;

/// Binary places below the middle at which the tiny amounts lie: beyond any fixed sticky register.
const DEPTH: usize = 150;

/// Random pairs for each format with more than 8 bits.
const RANDOM_PAIRS: usize = 6000;

/// A number as significand and exponent, with the place where it lies by construction.
type Stimulus = (UBig, i64, Bracket);

/// The numbers in and at the interval above one magnitude:
///
/// ```text
///   lower  lower+t          middle-t  middle  middle+t          upper-t    t = 2^-DEPTH of the interval's last place
///     |------------------------------|------------------------------|
/// ```
fn interval(definition: &Definition, lower: u64) -> [Stimulus; 6] {
    let (below, above) = (definition.number(lower), definition.number(lower + 1));
    let twice_middle = below.add_magnitude(&above);
    let exponent = i64::from(twice_middle.exponent);
    let scaled = |number: crate::formats::exact::Dyadic| {
        UBig::from(number.significand) << ((i64::from(number.exponent) - exponent) as usize + DEPTH)
    };
    let (start, end) = (scaled(below), scaled(above));
    let middle = UBig::from(twice_middle.significand) << (DEPTH - 1);
    let tiny = UBig::ONE;
    let exponent = exponent - DEPTH as i64;
    let at = |position| Bracket { lower, position };
    [
        (start.clone(), exponent, at(Position::Lower)),
        (start + &tiny, exponent, at(Position::BelowHalf)),
        (&middle - &tiny, exponent, at(Position::BelowHalf)),
        (middle.clone(), exponent, at(Position::Half)),
        (middle + &tiny, exponent, at(Position::AboveHalf)),
        (end - &tiny, exponent, at(Position::AboveHalf)),
    ]
}

/// Numbers far from the intervals: at and beyond the place after the largest number, next to zero, and below the least
/// value of a format without zero. Exponents far outside every format must neither wrap nor allocate.
fn outside(definition: &Definition) -> Vec<Stimulus> {
    let (beyond, least) = (definition.number(definition.top() + 1), definition.number(0));
    let above = Bracket { lower: definition.top() + 1, position: Position::Lower };
    let mut stimuli = Vec::new();
    for factor in [1u64, 2, 3, 1 << 40] {
        stimuli.push((UBig::from(beyond.significand) * factor, i64::from(beyond.exponent), above));
    }
    for exponent in [5000, i64::from(i32::MAX), 1 << 40] {
        stimuli.push((UBig::from(5u8), exponent, above));
    }
    if least.significand != 0 {
        let tiny_below = (UBig::from(least.significand) << DEPTH) - UBig::ONE;
        let below = Bracket { lower: 0, position: Position::Lower };
        stimuli.push((tiny_below, i64::from(least.exponent) - DEPTH as i64, below));
        stimuli.push((UBig::ONE, -(1 << 40), below));
    } else {
        let just_above_zero = Bracket { lower: 0, position: Position::BelowHalf };
        stimuli.push((UBig::from(5u8), -5000, just_above_zero));
        stimuli.push((UBig::from(5u8), -(1 << 40), just_above_zero));
    }
    stimuli
}

/// Lower ends of intervals: all of them up to 8 bits, else the ends of the format, both sides of each binade boundary
/// and a seeded sample.
fn lower_ends(definition: &Definition) -> Vec<u64> {
    let top = definition.top();
    if definition.width() <= 8 {
        return (0..=top).collect();
    }
    let mut ends = vec![0, 1, top - 1, top];
    for field in 1..=top >> definition.fraction_bits {
        let boundary = field << definition.fraction_bits;
        ends.extend([boundary - 1, boundary]);
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0x6d69_6464);
    ends.extend((0..RANDOM_PAIRS).map(|_| random.next_u64() % (top + 1)));
    ends
}

/// The checker: every stimulus with both signs, every `asked(rounding)` and every overflow mode.
fn compare(format: &Format, definition: &Definition, asked: fn(Rounding) -> Rounding) -> Tally {
    let mut tally = Tally::default();
    let inside = lower_ends(definition).into_iter().flat_map(|lower| interval(definition, lower));
    for (significand, exponent, at) in inside.chain(outside(definition)) {
        for negative in [false, true] {
            for rounding in Rounding::ALL {
                for overflow in OVERFLOWS {
                    let ours = format.encode(negative, &significand, exponent, asked(rounding), overflow);
                    let theirs = rounded(definition, at, negative, rounding, overflow);
                    tally.check(ours == theirs, || {
                        let name = definition.name;
                        format!("{name} {at:?} {negative} {rounding:?} {overflow:?}: {ours:#x}, expected {theirs:#x}")
                    });
                }
            }
        }
    }
    tally
}

#[test]
fn encode_definition_midpoints_formats() {
    for definition in &DEFINITIONS {
        let tally = compare(&definition.format(), definition, wrong::no_swap);
        tally.must_agree(&format!("midpoints of {}", definition.name));
    }
}

/// The overflow thresholds as numbers in print: the largest finite number plus half a place.
#[test]
fn encode_literals_overflow_thresholds() {
    use tensorsmith::describe::format::Overflow;
    let thresholds = [
        ("binary16", 65520.0, 0x7bff, 0x7c00, true),
        ("e4m3", 464.0, 0x7e, 0x7f, false),
        ("e5m2", 61440.0, 0x7b, 0x7c, true),
        ("e4m3fnuz", 248.0, 0x7f, 0x80, true),
        ("e5m2fnuz", 61440.0, 0x7f, 0x80, true),
        ("ue4m3", 464.0, 0x7e, 0x7f, false),
        ("ue8m0", 1.5 * 2f64.powi(127), 0xfe, 0xff, true),
        ("e2m1", 7.0, 0x7, 0x7, true),
    ];
    let mut tally = Tally::default();
    for (name, threshold, largest, beyond, tie_overflows) in thresholds {
        let format = Definition::named(name).format();
        let encode = |value: f64| format.from_f64(value, Rounding::NearestEven, Overflow::Ieee);
        let at_tie = if tie_overflows { beyond } else { largest };
        for (value, expected) in [(threshold.next_down(), largest), (threshold, at_tie), (threshold.next_up(), beyond)]
        {
            tally.check(encode(value) == expected, || format!("{name} {value}: {:#x}", encode(value)));
        }
    }
    tally.must_agree("overflow thresholds");
}

#[test]
fn encode_wrong_twins_midpoints_formats() {
    for definition in DEFINITIONS.iter().filter(|definition| definition.width() <= 16) {
        let name = definition.name;
        for twin in [wrong::bias(name), wrong::specials(name)] {
            compare(&twin, definition, wrong::no_swap).must_differ(&format!("{twin:?} as {name}"));
        }
        // With one significand digit ties always go away and to-odd truncates: those two faults are none there.
        let mut faults = vec![wrong::directions as fn(Rounding) -> Rounding];
        if definition.fraction_bits > 0 {
            compare(&wrong::fraction(name), definition, wrong::no_swap).must_differ(&format!("{name}, a bit less"));
            faults.extend([wrong::ties as fn(Rounding) -> Rounding, wrong::odd]);
        }
        for asked in faults {
            compare(&definition.format(), definition, asked).must_differ(&format!("{name} with a wrong rounding"));
        }
    }
}
