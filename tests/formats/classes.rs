//! How many encodings of each class a format has, and what its named encodings and limits are.

use tensorsmith::describe::format::{Class, Format, low_mask};

use crate::formats::definition::{DEFINITIONS, Definition, Special};
use crate::formats::exact::Datum;
use crate::formats::tally::Tally;
use crate::formats::wrong;

const CLASSES: [Class; 5] = [Class::Nan, Class::Infinite, Class::Zero, Class::Subnormal, Class::Normal];

/// Encodings of each class, in the order of `CLASSES`, counted from the field widths.
fn expected_counts(definition: &Definition) -> [u64; 5] {
    let signs = 1u64 << definition.sign_bits;
    let fractions = 1u64 << definition.fraction_bits;
    let fields = 1u64 << definition.exponent_bits;
    let (nan, infinite) = match definition.special {
        Special::Ieee => (signs * (fractions - 1), signs),
        Special::AllOnes => (signs, 0),
        Special::MinusZero => (1, 0),
        Special::Absent => (0, 0),
    };
    let (zero, subnormal) = match (definition.has_zero, definition.special) {
        (false, _) => (0, 0),
        (true, Special::MinusZero) => (1, signs * (fractions - 1)),
        (true, _) => (signs, signs * (fractions - 1)),
    };
    [nan, infinite, zero, subnormal, signs * fields * fractions - nan - infinite - zero - subnormal]
}

/// The checker: the classes of all encodings, counted.
fn compare(format: &Format, definition: &Definition) -> Tally {
    let mut counts = [0; 5];
    for bits in definition.encodings() {
        let class = format.decode(bits).class;
        counts[CLASSES.iter().position(|&other| other == class).expect("all classes are listed")] += 1;
    }
    let mut tally = Tally::default();
    for ((class, ours), theirs) in CLASSES.iter().zip(counts).zip(expected_counts(definition)) {
        tally.check(ours == theirs, || format!("{} {class:?}: {ours}, expected {theirs}", format.name));
    }
    tally
}

/// One format in print: name, width, precision, least and greatest exponent, least positive number, least normal
/// number, largest number.
type Limits = (&'static str, u32, u32, i32, i32, f64, f64, f64);

fn limits() -> [Limits; 14] {
    let two = |exponent| 2f64.powi(exponent);
    [
        ("binary16", 16, 11, -14, 15, two(-24), two(-14), 65504.0),
        ("bfloat16", 16, 8, -126, 127, two(-133), two(-126), 255.0 * two(120)),
        ("tf32", 32, 11, -126, 127, two(-136), two(-126), 2047.0 * two(117)),
        ("binary32", 32, 24, -126, 127, two(-149), f32::MIN_POSITIVE.into(), f32::MAX.into()),
        ("binary64", 64, 53, -1022, 1023, f64::from_bits(1), f64::MIN_POSITIVE, f64::MAX),
        ("e4m3", 8, 4, -6, 8, two(-9), two(-6), 448.0),
        ("e5m2", 8, 3, -14, 15, two(-16), two(-14), 57344.0),
        ("e3m2", 6, 3, -2, 4, 0.0625, 0.25, 28.0),
        ("e2m3", 6, 4, 0, 2, 0.125, 1.0, 7.5),
        ("e2m1", 4, 2, 0, 2, 0.5, 1.0, 6.0),
        ("e4m3fnuz", 8, 4, -7, 7, two(-10), two(-7), 240.0),
        ("e5m2fnuz", 8, 3, -15, 15, two(-17), two(-15), 57344.0),
        ("ue8m0", 8, 1, -127, 127, two(-127), two(-127), two(127)),
        ("ue4m3", 7, 4, -6, 8, two(-9), two(-6), 448.0),
    ]
}

/// The checker of limits: the numbers in print against the format's.
fn compare_limits(format: &Format, limits: &Limits) -> Tally {
    let &(name, width, precision, exponent_min, exponent_max, least, least_normal, largest) = limits;
    let mut tally = Tally::default();
    let mut check = |what: &str, same: bool| tally.check(same, || format!("{name}: {what}"));
    check("width", format.width() == width);
    check("precision", format.precision() == precision);
    check("exponent_min", format.exponent_min() == exponent_min);
    check("exponent_max", format.exponent_max() == exponent_max);
    check("mask", format.mask() == u64::MAX >> (64 - width));
    let first = if format.subnormals { 1 } else { 0 };
    check("least number", format.to_f64(format.assemble(false, first)) == least);
    let first_normal = first << format.fraction_bits;
    check("least normal number", format.to_f64(format.assemble(false, first_normal)) == least_normal);
    check("largest number", format.to_f64(format.largest(false)) == largest);
    let least_of_all = if format.signed { -largest } else { largest };
    check("largest negative number", format.to_f64(format.largest(true)) == least_of_all);
    let one = (format.bias as u64) << format.fraction_bits;
    check("one", format.to_f64(format.assemble(false, one)) == 1.0);
    tally
}

/// The checker of named encodings: they are the definition's, and they decode to what they claim.
fn compare_named(format: &Format, definition: &Definition) -> Tally {
    let mut tally = Tally::default();
    let mut check = |what: &str, same: bool| tally.check(same, || format!("{}: {what}", definition.name));
    check("nan", format.nan() == definition.nan());
    check("nan decodes", format.nan().is_none_or(|bits| definition.datum(bits) == Datum::Nan));
    check("magnitude_max", format.magnitude_max() == definition.top());
    check("sign_bit", format.sign_bit() == definition.sign(true));
    let special_field = (1 << definition.exponent_bits) - 1 - definition.bias;
    check("exponent_field_max", format.exponent_field_max() == special_field);
    for negative in [false, true] {
        check("infinity", format.infinity(negative) == definition.infinity(negative));
        let infinite = |bits| definition.datum(bits) == Datum::Infinite { negative };
        check("infinity decodes", format.infinity(negative).is_none_or(infinite));
        let keeps_sign = definition.has_zero && definition.special != Special::MinusZero;
        check("zero", format.zero(negative) == definition.sign(negative && keeps_sign));
        let zero_class = format.decode(format.zero(negative)).class;
        check("zero decodes", (zero_class == Class::Zero) == definition.has_zero);
        let largest = definition.sign(negative) | definition.top() << definition.padding_bits;
        check("largest", format.largest(negative) == largest);
        check("magnitude", format.magnitude(largest) == definition.top());
        check("assemble", format.assemble(negative, definition.top()) == largest);
    }
    tally
}

#[test]
fn classes_definition_exhaustive_small_formats() {
    for definition in Definition::small() {
        compare(&definition.format(), definition).must_agree(&format!("classes of {}", definition.name));
    }
}

#[test]
fn limits_literals_formats() {
    let floating = Format::standard().into_iter().filter(|format| !format.is_integer());
    let names: Vec<String> = floating.map(|format| format.name).collect();
    assert_eq!(names, limits().map(|row| row.0), "every named floating-point format has its row");
    assert_eq!(
        names,
        DEFINITIONS.map(|definition| definition.name),
        "every named floating-point format has its definition"
    );
    for row in limits() {
        compare_limits(&Definition::named(row.0).format(), &row).must_agree(&format!("limits of {}", row.0));
    }
}

#[test]
fn named_encodings_definition_formats() {
    for definition in &DEFINITIONS {
        compare_named(&definition.format(), definition).must_agree(&format!("encodings of {}", definition.name));
    }
    assert!(Format::named("e9m9").is_none());
}

#[test]
fn low_mask_definition_widths() {
    let mut tally = Tally::default();
    for width in 0..=64 {
        let expected = ((1u128 << width) - 1) as u64;
        tally.check(low_mask(width) == expected, || format!("{width}"));
    }
    tally.must_agree("masks");
}

#[test]
fn classes_wrong_twins_formats() {
    for (definition, row) in DEFINITIONS.iter().zip(limits()) {
        let name = definition.name;
        compare_limits(&wrong::bias(name), &row).must_differ(&format!("limits of {name} with a wrong bias"));
        compare_named(&wrong::specials(name), definition).must_differ(&format!("encodings of {name}, wrong specials"));
        if definition.fraction_bits > 0 {
            compare_limits(&wrong::fraction(name), &row).must_differ(&format!("limits of {name} with a bit less"));
        }
        if definition.width() <= 16 {
            compare(&wrong::specials(name), definition).must_differ(&format!("classes of {name}, wrong specials"));
        }
    }
}
