//! Encoding against independent crates: apfloat with all five IEEE roundings (and rounding to odd put together from
//! them), and the nearest-even conversions of the crates for small formats.

use dashu_int::UBig;
use half::{bf16, f16};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tensorsmith::describe::format::{Format, Overflow, Rounding};

use crate::formats::apfloat::{Oracle, expected, oracles};
use crate::formats::definition::{Definition, Special};
use crate::formats::exact::Datum;
use crate::formats::tally::Tally;
use crate::formats::wrong;

/// Random numbers for each target of apfloat.
const RANDOM_NUMBERS: usize = 300_000;

/// The middle between the largest number of e4m3 and the place after it.
const E4M3_OVERFLOW_TIE: f64 = 464.0;

/// Every finite datum of every format up to 16 bits: `f64` holds them all.
fn small_numbers() -> Vec<f64> {
    let all = Definition::small().flat_map(|source| source.encodings().map(|bits| source.datum(bits)));
    let finite = all.filter_map(|datum| if let Datum::Finite(number) = datum { Some(number) } else { None });
    // Both steps are exact: at most 11 significand bits, and neither factor leaves the range of f64.
    let magnitude = |significand: u128, exponent: i32| significand as f64 * 2f64.powi(exponent);
    finite
        .map(|number| magnitude(number.significand, number.exponent).copysign(if number.negative { -1.0 } else { 1.0 }))
        .collect()
}

/// Seeded finite numbers around the target's range: exponents from far below its smallest to just above its largest
/// number, and a random number of low significand bits cleared, so that ties and exact values are common.
fn random_numbers(target: &Definition, count: usize) -> impl Iterator<Item = f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0x656e_636f);
    let lowest = (1 - target.bias - target.fraction_bits as i32 - 4).max(-1022);
    let highest = (target.bias + 3).min(1023);
    (0..count).map(move |_| {
        let word = random.next_u64();
        let exponent = lowest + (random.next_u64() % (highest - lowest + 1) as u64) as i32;
        let cleared = random.next_u64() % 53;
        let fraction = (word & ((1 << 52) - 1)) >> cleared << cleared;
        f64::from_bits(word & 1 << 63 | ((exponent + 1023) as u64) << 52 | fraction)
    })
}

/// The checker: `encode` and `from_f64` of each number with `asked(rounding)` give what apfloat gives with `rounding`.
fn compare(
    format: &Format,
    oracle: &Oracle,
    numbers: impl IntoIterator<Item = f64>,
    asked: fn(Rounding) -> Rounding,
) -> Tally {
    let mut tally = Tally::default();
    for number in numbers {
        let Datum::Finite(exact) = Datum::of_f64(number) else { panic!("{number} is finite") };
        let (significand, exponent) = (UBig::from(exact.significand), i64::from(exact.exponent));
        for rounding in Rounding::ALL {
            let theirs = expected(rounding, exact.negative, format.padding_bits, |round| (oracle.round)(number, round));
            // Where the target has no infinity, apfloat overflows to a NaN of either sign; ours has one fixed sign.
            let theirs = theirs.or(Definition::named(oracle.name).nan());
            let encoded = format.encode(exact.negative, &significand, exponent, asked(rounding), Overflow::Ieee);
            let converted = format.from_f64(number, asked(rounding), Overflow::Ieee);
            tally.check(Some(encoded) == theirs && Some(converted) == theirs, || {
                format!("{number:e} to {} {rounding:?}: {encoded:#x}, {converted:#x}, not {theirs:x?}", oracle.name)
            });
        }
    }
    tally
}

/// A conversion from `f32` to nearest even: format, crate, what it does above the largest number, function.
type Converter = (&'static str, &'static str, Overflow, fn(f32) -> u64);

macro_rules! micro {
    ($format:literal, $overflow:ident, $type:ident) => {
        ($format, "microfloat", Overflow::$overflow, |value| microfloat::$type::from_f32(value).to_bits().into())
    };
}

fn converters() -> [Converter; 10] {
    [
        ("binary16", "half", Overflow::Ieee, |value| f16::from_f32(value).to_bits().into()),
        ("bfloat16", "half", Overflow::Ieee, |value| bf16::from_f32(value).to_bits().into()),
        micro!("e4m3", Infinity, f8e4m3fn),
        micro!("e5m2", Infinity, f8e5m2),
        micro!("e3m2", Saturate, f6e3m2fn),
        micro!("e2m3", Saturate, f6e2m3fn),
        micro!("e2m1", Saturate, f4e2m1fn),
        micro!("e4m3fnuz", Infinity, f8e4m3fnuz),
        micro!("e5m2fnuz", Infinity, f8e5m2fnuz),
        micro!("ue8m0", Saturate, f8e8m0fnu),
    ]
}

/// The checker of nearest-even conversions.
fn compare_nearest(format: &Format, converter: &Converter, numbers: &[f64], asked: fn(Rounding) -> Rounding) -> Tally {
    let &(name, crate_name, overflow, convert) = converter;
    let definition = Definition::named(name);
    let mut tally = Tally::default();
    for &number in numbers {
        // microfloat, like the ml_dtypes it follows, makes a NaN of what an unsigned format cannot hold.
        if definition.sign_bits == 0 && number <= 0.0 {
            continue;
        }
        // microfloat overflows the tie between 448 and the next place, 480, although 448 is the even one.
        if name == "e4m3" && number.abs() == E4M3_OVERFLOW_TIE {
            continue;
        }
        let ours = format.from_f64(number, asked(Rounding::NearestEven), overflow);
        let theirs = convert(number as f32);
        // On overflow the crate's NaN has the sign of the number; ours has one fixed sign.
        let fixed_sign = if definition.special == Special::AllOnes { definition.sign(true) } else { 0 };
        let same = ours == theirs || Some(ours) == definition.nan() && Some(theirs & !fixed_sign) == definition.nan();
        tally.check(same, || format!("{number:e} to {name}: {ours:#x}, {crate_name} {theirs:#x}"));
    }
    tally
}

#[test]
fn encode_apfloat_exhaustive_small_sources() {
    let numbers = small_numbers();
    for oracle in oracles() {
        let format = Definition::named(oracle.name).format();
        let tally = compare(&format, &oracle, numbers.iter().copied(), wrong::no_swap);
        tally.must_agree(&format!("every small format to {}, apfloat", oracle.name));
    }
}

#[test]
fn encode_apfloat_random_doubles() {
    for oracle in oracles() {
        let target = Definition::named(oracle.name);
        let numbers = random_numbers(target, RANDOM_NUMBERS);
        let tally = compare(&target.format(), &oracle, numbers, wrong::no_swap);
        tally.must_agree(&format!("doubles to {}, apfloat", oracle.name));
    }
}

#[test]
fn encode_native_random_doubles() {
    let target = Definition::named("binary32");
    let mut tally = Tally::default();
    for number in random_numbers(target, RANDOM_NUMBERS) {
        let ours = target.format().from_f64(number, Rounding::NearestEven, Overflow::Ieee);
        tally.check(ours == u64::from((number as f32).to_bits()), || format!("{number:e} to f32: {ours:#x}"));
    }
    tally.must_agree("doubles to binary32, native");
}

#[test]
fn encode_crates_exhaustive_small_sources() {
    let numbers = small_numbers();
    for converter in converters() {
        let tally = compare_nearest(&Definition::named(converter.0).format(), &converter, &numbers, wrong::no_swap);
        tally.must_agree(&format!("every small format to {}, {}", converter.0, converter.1));
    }
}

/// The deviation that `compare_nearest` leaves out; when this fails, the exception can go.
#[test]
fn microfloat_itself_overflow_tie_e4m3() {
    assert!(microfloat::f8e4m3fn::from_f32(E4M3_OVERFLOW_TIE as f32).is_nan());
    assert_eq!(microfloat::f8e4m3fn::from_f32(463.99).to_f32(), 448.0);
}

#[test]
fn encode_wrong_twins_random_doubles() {
    for oracle in oracles() {
        let target = Definition::named(oracle.name);
        let (name, right) = (oracle.name, target.format());
        let compare_as = |format: &Format, asked| compare(format, &oracle, random_numbers(target, 10_000), asked);
        for twin in [wrong::bias(name), wrong::fraction(name), wrong::specials(name)] {
            // No double exceeds the range of binary64, where alone the special encodings matter.
            if name == "binary64" && twin == wrong::specials(name) {
                continue;
            }
            compare_as(&twin, wrong::no_swap).must_differ(&format!("{twin:?} as {name}"));
        }
        // Among doubles, every target but binary64 has ties and inexact numbers.
        if name != "binary64" {
            for asked in [wrong::ties, wrong::directions, wrong::odd] {
                compare_as(&right, asked).must_differ(&format!("{name} with a wrong rounding"));
            }
        }
    }
    let numbers = small_numbers();
    for converter in converters() {
        let tally = compare_nearest(&wrong::bias(converter.0), &converter, &numbers, wrong::no_swap);
        tally.must_differ(&format!("{} with a wrong bias, {}", converter.0, converter.1));
    }
}
