//! Random units: the emulator's answers equal the reference's on shaped vectors, whatever the unit file says.
//!
//! Beside the answers, every stage must fit the width that the plan gives it, and no event that the plan calls unreachable
//! may happen.

mod no_normal_numbers;

use crate::support;
use crate::support::odd_units;
use crate::support::random_unit;

use std::cell::RefCell;
use std::collections::BTreeMap;

use dashu_int::IBig;
use odd_units::{RARE_EVENTS, WORD_LIMITS};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use random_unit::{Recipe, recipe};
use tensorsmith::check::stimulus::{CHUNK, Stimulus};
use tensorsmith::compute::events::{Coverage, Event, unreachable};
use tensorsmith::compute::record::Signal;
use tensorsmith::compute::reference;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::Format;
use tensorsmith::describe::plan::Plan;
use tensorsmith::describe::unit::{FileError, Unit};
use tensorsmith::emit;
use tensorsmith::engine::{Batch, Emulator, Engine, Trace, Vector};

/// Vectors of a unit, and how many of them are traced; in the ordinary tier a quarter.
const VECTORS: u64 = 400;
const TRACED: u64 = 26;

/// How many units of each scheme take part at least, of 4,000.
const LEAST: [(&str, u64); 8] = [
    ("fused", 100),
    ("fma-chain", 50),
    ("even-odd-chain", 50),
    ("pairwise", 50),
    ("pair-chain", 50),
    ("exact", 30),
    ("fused-then-add", 100),
    ("block-scaled", 100),
];

/// What the run really covered.
#[derive(Debug, Default)]
struct Tally {
    units: u64,
    refused: u64,
    vectors: u64,
    traces: u64,
    /// Units of each scheme.
    schemes: BTreeMap<&'static str, u64>,
    /// Units on words of 64, 128, 256 and 1,024 bits.
    words: [u64; 4],
    /// Units without an addend, and with flags.
    bare: u64,
    flags: u64,
    /// Units with scales: products aligned one by one, and groups.
    scaled: [u64; 2],
}

fn fail(text: impl Into<String>) -> TestCaseError {
    TestCaseError::fail(text.into())
}

fn in_hexadecimal(vector: &Vector) -> String {
    let Vector { a, b, c, scale_a, scale_b } = vector;
    format!("a = {a:#x?}, b = {b:#x?}, c = {c:#x}, scale_a = {scale_a:#x?}, scale_b = {scale_b:#x?}")
}

fn fits(signal: &Signal, value: &IBig) -> bool {
    let (low, high) = match signal.signed {
        true => (-(IBig::ONE << (signal.width as usize - 1)), IBig::ONE << (signal.width as usize - 1)),
        false => (IBig::ZERO, IBig::ONE << signal.width as usize),
    };
    low <= *value && *value < high
}

/// Every value of a trace fits the width that the plan states.
fn check_widths(trace: &Trace, vector: &Vector) -> Result<(), TestCaseError> {
    for (signal, values) in &trace.values {
        if values.len() != signal.elements as usize {
            return Err(fail(format!("{} has {} values, not {}", signal.name, values.len(), signal.elements)));
        }
        if let Some(value) = values.iter().find(|value| !fits(signal, value)) {
            let message =
                format!("{} = {value} exceeds {} bits: {}", signal.name, signal.width, in_hexadecimal(vector));
            return Err(fail(message));
        }
    }
    Ok(())
}

fn check_operands(unit: &Unit, batch: &Batch) -> Result<(), TestCaseError> {
    let formats = &unit.formats;
    let mut operands = vec![(&batch.a, &formats.a), (&batch.b, &formats.b), (&batch.c, &formats.c)];
    if let Some(scales) = &unit.scales {
        operands.extend([(&batch.scale_a, &scales.a), (&batch.scale_b, &scales.b)]);
    }
    for (values, format) in operands {
        if let Some(bits) = values.iter().find(|bits| **bits & !format.mask() != 0) {
            return Err(fail(format!("the stimulus gives {bits:#x} for an operand of {} bits", format.width())));
        }
    }
    Ok(())
}

fn check_coverage(plan: &Plan, coverage: &Coverage) -> Result<(), TestCaseError> {
    for &event in Event::ALL {
        if let (Some(reason), count @ 1..) = (unreachable(plan, event), coverage.of(event)) {
            return Err(fail(format!("{} happened {count} times, but: {reason}", event.name())));
        }
    }
    Ok(())
}

/// All checks of one unit.
fn check_unit(unit: &Unit, tally: &mut Tally) -> Result<(), TestCaseError> {
    let plan = Plan::of(unit);
    tally.units += 1;
    *tally.schemes.entry(unit.scheme.name()).or_default() += 1;
    tally.bare += u64::from(!unit.has_addend());
    tally.flags += u64::from(unit.conversion.flags);
    if let Some(scales) = &unit.scales {
        tally.scaled[usize::from(scales.group.is_some())] += 1;
    }
    tally.words[[64, 128, 256].iter().filter(|&&bits| plan.word_bits() > bits).count()] += 1;
    emit::core(unit).map_err(|error| fail(error.to_string()))?;
    let mut batch = Batch::of_unit(unit);
    Stimulus::shaped(unit, 1).fill(0, support::vectors(VECTORS) as usize, &mut batch);
    check_operands(unit, &batch)?;

    let mut emulator = Emulator::new(unit);
    let mut answers = Vec::new();
    emulator.run(&batch, &mut answers).map_err(|error| fail(error.to_string()))?;
    let arithmetic = unit.arithmetic();
    for (v, &answer) in answers.iter().enumerate() {
        let expected = reference::evaluate(&arithmetic, batch.inputs(v));
        if answer != expected {
            let vector = in_hexadecimal(&batch.vector(v));
            return Err(fail(format!("emulator {answer:#x}, reference {expected:#x}: {vector}")));
        }
    }
    tally.vectors += answers.len() as u64;
    check_coverage(&plan, emulator.coverage().expect("the emulator counts events"))?;
    for v in 0..support::vectors(TRACED) as usize {
        let vector = batch.vector(v);
        check_widths(&emulator.trace_of(&vector).expect("a vector of the unit"), &vector)?;
        tally.traces += 1;
    }
    Ok(())
}

/// Random units, as many as asked for, the same in every run.
fn for_random_units(cases: u32, mut check: impl FnMut(Result<Unit, FileError>) -> Result<(), TestCaseError>) {
    let check = RefCell::new(&mut check);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 4_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let outcome = runner.run(&recipe(), |recipe: Recipe| check.borrow_mut()(recipe.unit()));
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn emulator_reference_shaped_random_units() {
    let mut tally = Tally::default();
    let hundreds = if support::long_tier() { 1_000 } else { 4 };
    for_random_units(100 * hundreds, |unit| match unit {
        Ok(unit) => check_unit(&unit, &mut tally),
        // The one limit that the generator does not know beforehand.
        Err(error) if error.to_string().contains("the sum needs") => {
            tally.refused += 1;
            Ok(())
        }
        Err(error) => Err(fail(format!("the reader refuses a valid unit: {error}"))),
    });
    println!("ran random units on emulator and reference: {tally:?}");
    for (scheme, least) in LEAST {
        let count = tally.schemes.get(scheme).copied().unwrap_or(0);
        assert!(40 * count > u64::from(hundreds) * least, "{count} units of the scheme {scheme}");
    }
    let [few, some] = if support::long_tier() { [50, 100] } else { [10, 15] };
    assert!(tally.bare > few && tally.flags > few, "{} without an addend, {} with flags", tally.bare, tally.flags);
    assert!(tally.scaled.iter().all(|&count| count > some), "scales take part: {:?}", tally.scaled);
    assert!(tally.words.iter().all(|&count| count > some), "every machine word takes part: {:?}", tally.words);
}

#[test]
fn emulator_reference_shaped_word_limits() {
    let mut tally = Tally::default();
    for text in WORD_LIMITS {
        let unit = Unit::from_toml("word-limit.toml", text).expect("the unit is valid");
        check_unit(&unit, &mut tally).unwrap_or_else(|error| panic!("{}: {error}", unit.name));
    }
    println!("ran {} units, {} vectors on emulator and reference", tally.units, tally.vectors);
    assert_eq!(tally.words, [0, 2, 0, 0], "both need more than 64 bits");
}

#[test]
fn rare_events_are_not_called_unreachable() {
    for (event, text) in RARE_EVENTS {
        let unit = Unit::from_toml("rare-event.toml", text).expect("the unit is valid");
        let mut batch = Batch::of_unit(&unit);
        Stimulus::shaped(&unit, 1).fill(0, 4 * CHUNK, &mut batch);
        let mut emulator = Emulator::new(&unit);
        emulator.run(&batch, &mut Vec::new()).expect("an emulator answers");
        let count = emulator.coverage().expect("the emulator counts events").of(event);
        assert!(count > 0, "{}: {} happens", unit.name, event.name());
        assert_eq!(unreachable(&Plan::of(&unit), event), None, "{}: {count} times", unit.name);
    }
}

/// Integers of every format as a, b, c and d, few and many of them, wrapping and saturating; in the ordinary tier every eleventh
/// of these units.
#[test]
fn emulator_reference_shaped_every_integer_unit() {
    let integers: Vec<Format> = Format::standard().into_iter().filter(Format::is_integer).collect();
    let mut tally = Tally::default();
    let cases: Vec<_> = (0..integers.len().pow(4)).flat_map(|index| [(index, "wrap"), (index, "saturate")]).collect();
    let cases = support::sampled(&cases, 11);
    for &&(index, overflow) in &cases {
        let [a, b, c, d] = [1, 5, 25, 125].map(|divisor| &integers[index / divisor % integers.len()].name);
        let products = [1, 64, 3][index % 3];
        let text = format!(
            "name = \"integers\"\nscheme = \"integer\"\nproducts = {products}\n\
             formats = {{ a = {a:?}, b = {b:?}, c = {c:?}, d = {d:?} }}\nconversion = {{ overflow = {overflow:?} }}\n"
        );
        let unit = Unit::from_toml("integers.toml", &text).expect("the unit is valid");
        check_unit(&unit, &mut tally).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    println!("ran {} units, {} vectors on emulator and reference: {:?}", tally.units, tally.vectors, tally.words);
    assert_eq!((integers.len(), tally.units), (5, cases.len() as u64));
    assert!(tally.words[0] > 0 && tally.words[1] > 0, "64-bit and 128-bit words take part");
}

#[test]
fn stimulus_within_encodings_random_units() {
    let mut units = 0;
    for_random_units(500, |unit| {
        let Ok(unit) = unit else { return Ok(()) };
        units += 1;
        let mut batch = Batch::of_unit(&unit);
        Stimulus::shaped(&unit, 2).fill(0, VECTORS as usize, &mut batch);
        check_operands(&unit, &batch)
    });
    for unit in catalogue::units() {
        units += 1;
        let mut batch = Batch::of_unit(&unit);
        Stimulus::shaped(&unit, 2).fill(0, 4 * CHUNK, &mut batch);
        check_operands(&unit, &batch).unwrap_or_else(|error| panic!("{}: {error}", unit.name));
    }
    println!("ran {units} units, random ones and the catalogue: every operand is an encoding of its format");
}
