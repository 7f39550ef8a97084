//! Decoding against independent crates and against the definitions.

use half::{bf16, f16};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tensorsmith::describe::format::{Class, Format};

use crate::formats::apfloat::oracles;
use crate::formats::definition::{DEFINITIONS, Definition};
use crate::formats::exact::Datum;
use crate::formats::tally::Tally;
use crate::formats::wrong;

/// Random words for each of the formats that are too wide to visit.
const RANDOM_WORDS: usize = 2_000_000;

/// An independent decoder: format, crate, function.
type Decoder = (&'static str, &'static str, fn(u64) -> Datum);

macro_rules! micro {
    ($format:literal, $type:ident) => {
        ($format, "microfloat", |bits| Datum::of_f64(microfloat::$type::from_bits(bits as u8).to_f64()))
    };
}

/// Decoders of formats up to 16 bits. No crate has ue4m3: as an unsigned format of 7 bits it is e4m3 with sign 0.
fn decoders() -> Vec<Decoder> {
    vec![
        ("binary16", "half", |bits| Datum::of_f64(f16::from_bits(bits as u16).to_f64())),
        ("bfloat16", "half", |bits| Datum::of_f64(bf16::from_bits(bits as u16).to_f64())),
        ("e4m3", "float8", |bits| Datum::of_f64(float8::F8E4M3::from_bits(bits as u8).to_f64())),
        ("e5m2", "float8", |bits| Datum::of_f64(float8::F8E5M2::from_bits(bits as u8).to_f64())),
        ("ue4m3", "float8", |bits| Datum::of_f64(float8::F8E4M3::from_bits(bits as u8 & 0x7f).to_f64())),
        ("e2m1", "float4", |bits| Datum::of_f64(float4::F4E2M1::from_bits(bits as u8).to_f64())),
        ("ue8m0", "float4", |bits| Datum::of_f64(float4::E8M0::from_bits(bits as u8).to_f64())),
        micro!("e4m3", f8e4m3fn),
        micro!("e5m2", f8e5m2),
        micro!("e3m2", f6e3m2fn),
        micro!("e2m3", f6e2m3fn),
        micro!("e2m1", f4e2m1fn),
        micro!("e4m3fnuz", f8e4m3fnuz),
        micro!("e5m2fnuz", f8e5m2fnuz),
        micro!("ue8m0", f8e8m0fnu),
    ]
}

/// The checker: the format's reading of each encoding equals the decoder's, as a number and through `to_f64`.
fn compare(format: &Format, decoder: impl Fn(u64) -> Datum, encodings: impl IntoIterator<Item = u64>) -> Tally {
    let mut tally = Tally::default();
    for bits in encodings {
        let (ours, theirs) = (Datum::of_format(format, bits), decoder(bits));
        let same = ours == theirs && Datum::of_f64(format.to_f64(bits)) == theirs;
        tally.check(same, || format!("{} {bits:#x}: {ours:?}, expected {theirs:?}", format.name));
    }
    tally
}

/// The checker of what a number does not show: class, sign, and the shape that `Decoded` promises.
fn compare_shape(format: &Format, definition: &Definition, encodings: impl IntoIterator<Item = u64>) -> Tally {
    let mut tally = Tally::default();
    let hidden = 1u64 << definition.fraction_bits;
    for bits in encodings {
        let decoded = format.decode(bits);
        let class = match definition.datum(bits) {
            Datum::Nan => Class::Nan,
            Datum::Infinite { .. } => Class::Infinite,
            Datum::Finite(number) if number.significand == 0 => Class::Zero,
            Datum::Finite(number) if number.significand < u128::from(hidden) => Class::Subnormal,
            Datum::Finite(_) => Class::Normal,
        };
        let smallest_normal = i32::from(definition.has_zero) - definition.bias;
        let shape = match class {
            Class::Nan | Class::Infinite => !decoded.is_finite() && decoded.significand == 0,
            Class::Zero => decoded.significand == 0 && decoded.exponent == smallest_normal,
            Class::Subnormal => decoded.significand < hidden && decoded.exponent == smallest_normal,
            Class::Normal => decoded.significand >> definition.fraction_bits == 1,
        };
        let negative = bits & definition.sign(true) != 0;
        let same = decoded.class == class && shape && decoded.negative == negative;
        tally.check(same, || format!("{} {bits:#x}: {decoded:?}, expected {class:?}", format.name));
    }
    tally
}

/// Words of a wide format: the edges of every exponent field with both signs, then seeded random words, of which every
/// fourth has its exponent field cleared or filled.
fn words(definition: &Definition, random: usize) -> impl Iterator<Item = u64> {
    let fraction = definition.fraction_bits + definition.padding_bits;
    let (sign, filled) = (definition.sign(true), ((1u64 << definition.exponent_bits) - 1) << fraction);
    let edges = (0..1u64 << definition.exponent_bits).flat_map(move |field| {
        let low = (1u64 << fraction) - 1;
        let fractions = [0, 1, low, low - 1, low / 2, low / 2 + 1];
        fractions.into_iter().flat_map(move |part| [field << fraction | part, sign | field << fraction | part])
    });
    let mut random_words = Xoshiro256PlusPlus::seed_from_u64(0x666f_726d);
    let mask = u64::MAX >> (64 - definition.width());
    edges.chain((0..random).map(move |index| match (random_words.next_u64() & mask, index % 8) {
        (word, 0) => word & !filled,
        (word, 4) => word | filled,
        (word, _) => word,
    }))
}

#[test]
fn decode_crates_exhaustive_small_formats() {
    for (name, crate_name, decoder) in decoders() {
        let definition = Definition::named(name);
        compare(&definition.format(), decoder, definition.encodings()).must_agree(&format!("{name}, {crate_name}"));
    }
}

#[test]
fn decode_apfloat_exhaustive_and_random_formats() {
    for oracle in oracles() {
        let definition = Definition::named(oracle.name);
        let tally = match definition.width() {
            ..=16 => compare(&definition.format(), oracle.datum, definition.encodings()),
            _ => compare(&definition.format(), oracle.datum, words(definition, RANDOM_WORDS / 2)),
        };
        tally.must_agree(&format!("{}, apfloat", oracle.name));
    }
}

#[test]
fn decode_definition_exhaustive_and_random_formats() {
    for definition in &DEFINITIONS {
        let mut tally = Tally::default();
        let format = definition.format();
        let words: Vec<u64> = match definition.width() {
            ..=16 => definition.encodings().collect(),
            _ => words(definition, RANDOM_WORDS / 2).collect(),
        };
        tally.add(compare(&format, |bits| definition.datum(bits), words.iter().copied()));
        tally.add(compare_shape(&format, definition, words));
        tally.must_agree(&format!("{}, definition", definition.name));
    }
}

#[test]
fn decode_native_random_wide_formats() {
    let native: [Decoder; 3] = [
        ("tf32", "native", |bits| Datum::of_f64(f32::from_bits(bits as u32 & !0x1fff).into())),
        ("binary32", "native", |bits| Datum::of_f64(f32::from_bits(bits as u32).into())),
        ("binary64", "native", |bits| Datum::of_f64(f64::from_bits(bits))),
    ];
    for (name, _, decoder) in native {
        let definition = Definition::named(name);
        let tally = compare(&definition.format(), decoder, words(definition, RANDOM_WORDS));
        tally.must_agree(&format!("{name}, native"));
    }
}

/// Bits above the width do not take part, whatever they are.
#[test]
fn decode_itself_high_bits_set_formats() {
    let mut tally = Tally::default();
    for definition in DEFINITIONS.iter().filter(|definition| definition.width() < 64) {
        let (format, above) = (definition.format(), u64::MAX << definition.width());
        let words: Vec<u64> = match definition.width() {
            ..=16 => definition.encodings().collect(),
            _ => words(definition, 1000).collect(),
        };
        for bits in words {
            let same = format.decode(bits) == format.decode(bits | above);
            tally.check(same, || format!("{} {bits:#x}", definition.name));
        }
    }
    tally.must_agree("bits above the width");
}

#[test]
fn decode_wrong_twins_exhaustive_small_formats() {
    for (name, crate_name, decoder) in decoders() {
        let twins =
            [Some(wrong::bias(name)), Some(wrong::specials(name)), (name != "ue8m0").then(|| wrong::fraction(name))];
        for twin in twins.iter().flatten() {
            let definition = Definition::named(name);
            let named = format!("{twin:?} as {name}, {crate_name}");
            compare(twin, decoder, definition.encodings()).must_differ(&named);
            compare(twin, |bits| definition.datum(bits), definition.encodings()).must_differ(&named);
        }
        // The class of an encoding does not depend on the bias, so only the special encodings are broken here.
        let definition = Definition::named(name);
        compare_shape(&wrong::specials(name), definition, definition.encodings()).must_differ(name);
    }
}
