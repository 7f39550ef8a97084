//! Random significands of up to 200 bits: more than any machine number holds.

use std::cell::{Cell, RefCell};
use std::ops::RangeInclusive;

use dashu_int::UBig;
use proptest::collection::vec;
use proptest::prelude::{Strategy, any};
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};
use tensorsmith::describe::format::{Format, Overflow, Rounding};

use crate::formats::apfloat::{Oracle, expected, oracles};
use crate::formats::definition::Definition;
use crate::formats::tally::Tally;
use crate::formats::wrong;
use crate::support;

/// Random numbers for each format; in the ordinary tier a quarter.
fn cases() -> u32 {
    support::vectors(4000) as u32
}

/// (-1)^negative * significand * 2^exponent.
type Number = (bool, UBig, i64);

/// Significands of 1 to 200 bits with the leading bit at an exponent of that range. Below a head of at most `head` bits,
/// a third of them end, and others go on with a lone last bit or with half a place: ties and near ties.
fn numbers(head: usize, leading: RangeInclusive<i64>) -> impl Strategy<Value = Number> {
    let tails = 0u8..6;
    (any::<bool>(), vec(any::<u8>(), 25), 1usize..=200, tails, 1..=head, leading).prop_map(
        |(negative, bytes, width, tail, head, leading)| {
            let random = (UBig::from_le_bytes(&bytes) | UBig::ONE << 199) >> (200 - width);
            let below = width.saturating_sub(head);
            let kept = (&random >> below) << below;
            let significand = match tail {
                0 | 1 => kept,
                2 if below > 0 => kept | UBig::ONE,
                3 if below > 0 => kept | UBig::ONE << (below - 1),
                4 if below > 0 => kept | UBig::ONE << (below - 1) | UBig::ONE,
                _ => random,
            };
            (negative, significand, leading + 1 - width as i64)
        },
    )
}

/// Numbers in and just outside the range of a format.
fn near(format: &Format) -> impl Strategy<Value = Number> + use<> {
    let (precision, bias) = (format.precision() as usize, i64::from(format.bias));
    numbers(precision + 3, -bias - precision as i64 - 3..=bias + 4)
}

/// The checker: ours with `asked(rounding)` against apfloat's reading of the same number as a hexadecimal literal.
fn compare(format: &Format, oracle: &Oracle, number: &Number, asked: fn(Rounding) -> Rounding) -> Tally {
    let (negative, significand, exponent) = number;
    let literal = format!("{}0x{significand:x}p{exponent}", if *negative { "-" } else { "" });
    let mut tally = Tally::default();
    for rounding in Rounding::ALL {
        let theirs = expected(rounding, *negative, format.padding_bits, |round| (oracle.parse)(&literal, round));
        // Where the target has no infinity, apfloat overflows to a NaN of either sign; ours has one fixed sign.
        let theirs = theirs.or(Definition::named(oracle.name).nan());
        let ours = format.encode(*negative, significand, *exponent, asked(rounding), Overflow::Ieee);
        tally.check(Some(ours) == theirs, || format!("{literal} {rounding:?}: {ours:#x}, expected {theirs:x?}"));
    }
    tally
}

/// Runs a property on seeded numbers and returns how many it saw.
fn each(numbers: impl Strategy<Value = Number>, property: impl Fn(&Number) -> Result<(), TestCaseError>) -> u32 {
    let config = Config {
        cases: cases(),
        rng_seed: RngSeed::Fixed(0x7562_6967),
        failure_persistence: None,
        ..Config::default()
    };
    let seen = Cell::new(0);
    let outcome = TestRunner::new(config).run(&numbers, |number| {
        seen.set(seen.get() + 1);
        property(&number)
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    seen.get()
}

#[test]
fn encode_apfloat_random_long_significands() {
    for oracle in oracles() {
        let format = Definition::named(oracle.name).format();
        let property = |number: &Number| {
            let tally = compare(&format, &oracle, number, wrong::no_swap);
            tally.first.map_or(Ok(()), |first| Err(TestCaseError::fail(first)))
        };
        let seen = each(numbers(70, -1200..=1200), property) + each(near(&format), property);
        println!("long significands to {}, apfloat: {} compared", oracle.name, seen * 6);
        assert!(seen >= 2 * cases());
    }
}

/// Integers up to 128 bits, which Rust itself rounds to the nearest float, ties to even.
#[test]
fn encode_native_random_long_integers() {
    // The significand is an integer of up to 128 bits whatever the exponent says, so the exponent is left out.
    let seen = each(numbers(60, 0..=0), |(negative, significand, _)| {
        let integer = significand & &UBig::from(u128::MAX);
        let native = u128::try_from(&integer).expect("128 bits");
        let encode = |format: Format| format.encode(*negative, &integer, 0, Rounding::NearestEven, Overflow::Ieee);
        let (double, single) = (native as f64, native as f32);
        let (double, single) = if *negative { (-double, -single) } else { (double, single) };
        let same =
            encode(Format::binary64()) == double.to_bits() && encode(Format::binary32()) == u64::from(single.to_bits());
        if same { Ok(()) } else { Err(TestCaseError::fail(format!("{integer}"))) }
    });
    println!("long integers, native: {} compared", seen * 2);
    assert!(seen >= cases());
}

#[test]
fn encode_wrong_twins_random_long_significands() {
    for oracle in oracles() {
        let (name, right) = (oracle.name, Definition::named(oracle.name).format());
        let twins = [
            (wrong::bias(name), wrong::no_swap as fn(_) -> _),
            (wrong::fraction(name), wrong::no_swap),
            (right.clone(), wrong::ties),
            (right.clone(), wrong::directions),
            (right, wrong::odd),
        ];
        for (twin, asked) in twins {
            let total = RefCell::new(Tally::default());
            each(near(&twin), |number| {
                total.borrow_mut().add(compare(&twin, &oracle, number, asked));
                Ok(())
            });
            total.into_inner().must_differ(&format!("{twin:?} as {name}"));
        }
    }
}
