//! Encoding against the definition: every encoding of every format up to 16 bits, into every such format, with every
//! rounding and every overflow mode; and encoding what was decoded.

use dashu_int::UBig;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tensorsmith::describe::format::{Class, Format, NonFinite, Overflow, Rounding};

use crate::formats::definition::{DEFINITIONS, Definition, Special};
use crate::formats::exact::{Datum, Dyadic};
use crate::formats::rounding::{OVERFLOWS, bracket, magnitudes, rounded};
use crate::formats::tally::Tally;
use crate::formats::wrong;
use crate::support;

/// Every finite datum of a format that can be visited; of more than 8 bits the ordinary tier takes every eleventh, and
/// those that end in six zeros, among which are the ties of smaller formats.
fn numbers(definition: &Definition) -> Vec<Dyadic> {
    let whole = support::long_tier() || definition.width() <= 8;
    let taken = |bits: &u64| whole || bits.is_multiple_of(11) || bits.is_multiple_of(64);
    let data = definition.encodings().filter(taken).map(|bits| definition.datum(bits));
    data.filter_map(|datum| if let Datum::Finite(number) = datum { Some(number) } else { None }).collect()
}

/// The checker: each number, encoded with `asked(rounding)`, is what the definition gives for `rounding`.
fn compare(format: &Format, target: &Definition, numbers: &[Dyadic], asked: fn(Rounding) -> Rounding) -> Tally {
    let list = magnitudes(target);
    let mut tally = Tally::default();
    for number in numbers {
        let at = bracket(&list, number);
        let significand = UBig::from(number.significand);
        for rounding in Rounding::ALL {
            for overflow in OVERFLOWS {
                let exponent = i64::from(number.exponent);
                let ours = format.encode(number.negative, &significand, exponent, asked(rounding), overflow);
                let theirs = rounded(target, at, number.negative, rounding, overflow);
                tally.check(ours == theirs, || {
                    format!("{number:?} to {} {rounding:?} {overflow:?}: {ours:#x}, expected {theirs:#x}", target.name)
                });
            }
        }
    }
    tally
}

/// The checker of round trips: what `reader` decodes, `writer` encodes to the same bits.
fn compare_trips(reader: &Format, writer: &Format, encodings: impl IntoIterator<Item = u64>) -> Tally {
    let mut tally = Tally::default();
    for bits in encodings {
        let decoded = reader.decode(bits);
        if !decoded.is_finite() {
            continue;
        }
        let (significand, exponent) = (UBig::from(decoded.significand), i64::from(decoded.exponent));
        let last_place = exponent - i64::from(reader.fraction_bits);
        for rounding in Rounding::ALL {
            for overflow in OVERFLOWS {
                let ours = writer.encode(decoded.negative, &significand, last_place, rounding, overflow);
                tally.check(ours == bits, || format!("{} {bits:#x} {rounding:?}: {ours:#x}", reader.name));
            }
        }
    }
    tally
}

/// The checker of `from_f64` after `to_f64`: the same bits, except that every NaN becomes the preferred one.
fn compare_f64_trips(reader: &Format, writer: &Format, encodings: impl IntoIterator<Item = u64>) -> Tally {
    let mut tally = Tally::default();
    for bits in encodings {
        let expected = match reader.decode(bits).class {
            Class::Nan => reader.nan().expect("a format with a NaN has a preferred one"),
            _ => bits,
        };
        for rounding in Rounding::ALL {
            for overflow in [Overflow::Ieee, Overflow::Infinity] {
                let ours = writer.from_f64(reader.to_f64(bits), rounding, overflow);
                tally.check(ours == expected, || format!("{} {bits:#x} {rounding:?}: {ours:#x}", reader.name));
            }
        }
    }
    tally
}

/// Seeded encodings of a wide format with clear padding; a quarter of them subnormal.
fn wide_encodings(definition: &Definition) -> impl Iterator<Item = u64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0x7472_6970);
    let unused = 64 - definition.width();
    let fraction = definition.fraction_bits + definition.padding_bits;
    let (padding, field) = (definition.padding_bits, ((1u64 << definition.exponent_bits) - 1) << fraction);
    (0..50_000).map(move |index| {
        let word = random.next_u64() >> unused >> padding << padding;
        if index % 4 == 0 { word & !field } else { word }
    })
}

#[test]
fn encode_definition_exhaustive_small_format_pairs() {
    for target in Definition::small() {
        let mut tally = Tally::default();
        for source in Definition::small() {
            tally.add(compare(&target.format(), target, &numbers(source), wrong::no_swap));
        }
        tally.must_agree(&format!("every small format to {}", target.name));
    }
}

#[test]
fn encode_decode_exhaustive_and_random_formats() {
    for definition in &DEFINITIONS {
        let format = definition.format();
        let tally = match definition.width() {
            ..=16 => compare_trips(&format, &format, definition.encodings()),
            _ => compare_trips(&format, &format, wide_encodings(definition)),
        };
        tally.must_agree(&format!("{} to itself", definition.name));
    }
}

#[test]
fn from_f64_to_f64_exhaustive_and_random_formats() {
    for definition in &DEFINITIONS {
        let format = definition.format();
        let tally = match definition.width() {
            ..=16 => compare_f64_trips(&format, &format, definition.encodings()),
            _ => compare_f64_trips(&format, &format, wide_encodings(definition)),
        };
        tally.must_agree(&format!("{} through f64", definition.name));
    }
}

/// NaN and the infinities have no neighbours: what they become is written out.
#[test]
fn from_f64_definition_nan_and_infinity_formats() {
    let mut tally = Tally::default();
    for target in &DEFINITIONS {
        let format = target.format();
        for (rounding, overflow) in
            Rounding::ALL.into_iter().flat_map(|rounding| OVERFLOWS.map(|mode| (rounding, mode)))
        {
            let nan = format.from_f64(f64::NAN, rounding, overflow);
            tally.check(nan == target.nan().unwrap_or(0), || format!("{} NaN: {nan:#x}", target.name));
            for (infinity, negative) in [(f64::INFINITY, false), (f64::NEG_INFINITY, true)] {
                let largest = target.sign(negative) | target.top() << target.padding_bits;
                let expected = match overflow {
                    _ if negative && target.sign_bits == 0 => 0, // like every other negative number
                    Overflow::Saturate => largest,
                    Overflow::Wrap => panic!("no floating-point number wraps"),
                    Overflow::Ieee | Overflow::Infinity => {
                        target.infinity(negative).or(target.nan()).unwrap_or(largest)
                    }
                };
                let ours = format.from_f64(infinity, rounding, overflow);
                tally.check(ours == expected, || format!("{} {infinity} {overflow:?}: {ours:#x}", target.name));
            }
        }
    }
    tally.must_agree("NaN and infinities");
}

/// The definition of a layout that no standard names, and the format that a unit file with that layout gives.
fn custom(exponent_bits: u32, fraction_bits: u32, bias: i32, special: Special) -> (Definition, Format) {
    let non_finite = match special {
        Special::Ieee => NonFinite::Ieee,
        Special::AllOnes => NonFinite::AllOnesNan,
        Special::MinusZero => NonFinite::NegativeZeroNan,
        Special::Absent => NonFinite::None,
    };
    let (name, padding_bits) = ("custom", exponent_bits % 2);
    let definition =
        Definition { name, sign_bits: 1, exponent_bits, fraction_bits, padding_bits, bias, special, has_zero: true };
    let (name, signed, subnormals) = (name.to_owned(), true, true);
    (definition, Format { name, signed, exponent_bits, fraction_bits, padding_bits, bias, non_finite, subnormals })
}

/// Layouts of up to 5 exponent and 3 fraction bits, with every kind of special encodings.
#[test]
fn encode_definition_exhaustive_custom_layouts() {
    let sources = numbers(Definition::named("e5m2"));
    let mut tally = Tally::default();
    for exponent_bits in 1..=5 {
        for (fraction_bits, bias) in (1..=3).flat_map(|fraction| [-4, 0, 1, 9].map(|bias| (fraction, bias))) {
            for special in [Special::Ieee, Special::AllOnes, Special::MinusZero, Special::Absent] {
                let (definition, format) = custom(exponent_bits, fraction_bits, bias, special);
                tally.add(compare(&format, &definition, &sources, wrong::no_swap));
                let unpadded = definition.encodings().step_by(1 << definition.padding_bits);
                tally.add(compare_trips(&format, &format, unpadded));
            }
        }
    }
    tally.must_agree("custom layouts");
}

#[test]
fn encode_wrong_twins_exhaustive_small_formats() {
    for target in Definition::small().filter(|target| target.width() <= 8) {
        let sources = numbers(Definition::named("bfloat16"));
        let compare_as = |format: &Format| compare(format, target, &sources, wrong::no_swap);
        compare_as(&wrong::bias(target.name)).must_differ(&format!("{} with a wrong bias", target.name));
        compare_as(&wrong::specials(target.name)).must_differ(&format!("{} with wrong specials", target.name));
        let encodings = || target.encodings();
        let (right, shifted) = (target.format(), wrong::bias(target.name));
        compare_trips(&right, &shifted, encodings()).must_differ(target.name);
        compare_f64_trips(&right, &shifted, encodings()).must_differ(target.name);
        if target.fraction_bits > 0 {
            let narrow = wrong::fraction(target.name);
            compare_as(&narrow).must_differ(&format!("{} with a fraction bit less", target.name));
            compare_trips(&right, &narrow, encodings()).must_differ(target.name);
            compare_f64_trips(&right, &narrow, encodings()).must_differ(target.name);
        }
    }
}

#[test]
fn encode_wrong_roundings_exhaustive_small_formats() {
    let sources = numbers(Definition::named("binary16"));
    for target in Definition::small().filter(|target| target.width() <= 8 && target.fraction_bits > 0) {
        for (fault, asked) in
            [("ties", wrong::ties as fn(_) -> _), ("directions", wrong::directions), ("odd", wrong::odd)]
        {
            compare(&target.format(), target, &sources, asked)
                .must_differ(&format!("{} with wrong {fault}", target.name));
        }
    }
}
