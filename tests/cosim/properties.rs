//! Properties of units on proptest's vectors, which shrink by themselves.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tensorsmith::compute::reference;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::{Class, Format};
use tensorsmith::describe::unit::{Scheme, Unit};
use tensorsmith::engine::{Emulator, Vector};

use super::strategies::vectors;
use super::support;

/// Vectors of each unit.
fn cases() -> u32 {
    support::vectors(400) as u32
}

/// Runs a property on vectors of a unit; the message of a failure holds the minimal vector.
fn holds(unit: &Unit, property: impl Fn(&mut Emulator, &Vector) -> bool) -> Result<(), String> {
    let config = Config { cases: cases(), failure_persistence: None, ..Config::default() };
    let emulator = std::cell::RefCell::new(Emulator::new(unit));
    let outcome = TestRunner::new(config).run(&vectors(unit), |vector| {
        prop_assert!(property(&mut emulator.borrow_mut(), &vector));
        Ok(())
    });
    outcome.map_err(|error| format!("{}: {error}", unit.name))
}

fn evaluate(emulator: &mut Emulator, vector: &Vector) -> u64 {
    emulator.evaluate(vector.inputs()).expect("a vector of the unit")
}

/// One unit of each kind; in the long tier all.
fn assert_for_all_units(name: &str, property: impl Fn(&Unit, &mut Emulator, &Vector) -> bool) {
    for unit in if support::long_tier() { catalogue::units() } else { support::one_unit_of_each_kind() } {
        holds(&unit, |emulator, vector| property(&unit, emulator, vector))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        println!("{}: {name}: {} vectors", unit.name, cases());
    }
}

#[test]
fn emulator_reference_proptest_catalogue() {
    assert_for_all_units("emulator equals reference", |unit, emulator, vector| {
        evaluate(emulator, vector) == reference::evaluate(&unit.arithmetic(), vector.inputs())
    });
}

/// Terms of a fused sum are aligned and added exactly: their order does not matter (Valpey et al. 2025, section 4.3). Where
/// each operation rounds it does.
#[test]
fn emulator_rotated_products_proptest_catalogue() {
    assert_for_all_units("products in another order", |unit, emulator, vector| {
        unit.scheme.rounds_each_operation() || evaluate(emulator, vector) == evaluate(emulator, &rotated(unit, vector))
    });
}

/// The products in another order: any for a unit without scales, else within groups or blocks, and whole blocks.
fn rotated(unit: &Unit, vector: &Vector) -> Vector {
    let mut rotated = vector.clone();
    let last = rotated.a.len() - 1;
    for elements in [&mut rotated.a, &mut rotated.b] {
        match &unit.scales {
            None => match &unit.addition {
                // Products of one group stay together.
                Some(addition) => elements.rotate_left(addition.groups.count() as usize),
                None => {
                    elements.rotate_left(1);
                    elements.swap(0, last);
                }
            },
            Some(scales) => {
                let together = scales.group.unwrap_or(scales.block) as usize;
                elements.chunks_exact_mut(together).for_each(|products| products.rotate_left(together / 2));
                elements.rotate_left(scales.block as usize);
            }
        }
    }
    for scales in [&mut rotated.scale_a, &mut rotated.scale_b].into_iter().filter(|scales| !scales.is_empty()) {
        scales.rotate_left(1);
    }
    rotated
}

/// Factors commute.
#[test]
fn emulator_swapped_factors_proptest_catalogue() {
    assert_for_all_units("factors swapped", |unit, emulator, vector| {
        let swapped = Vector {
            a: vector.b.clone(),
            b: vector.a.clone(),
            c: vector.c,
            scale_a: vector.scale_b.clone(),
            scale_b: vector.scale_a.clone(),
        };
        let same_scales = unit.scales.as_ref().is_none_or(|scales| scales.a == scales.b);
        let same_formats = unit.formats.a == unit.formats.b && same_scales;
        !same_formats || evaluate(emulator, vector) == evaluate(emulator, &swapped)
    });
}

/// Truncation in sign and magnitude, and rounding to nearest, are symmetric: the negated sum gives the negated result.
/// Two's complement is not symmetric, nor is rounding downward, so integers are left out, and units that round their sums
/// downward.
#[test]
fn emulator_negated_terms_proptest_catalogue() {
    assert_for_all_units("all terms negated", |unit, emulator, vector| {
        if matches!(unit.scheme, Scheme::Integer | Scheme::FusedThenAdd) {
            return true;
        }
        let negate = |format: &Format, bits: u64| bits ^ format.sign_bit();
        let mut negated = vector.clone();
        negated.a.iter_mut().for_each(|a| *a = negate(&unit.formats.a, *a));
        negated.c = negate(&unit.formats.c, negated.c);
        let (result, other) = (evaluate(emulator, vector), evaluate(emulator, &negated));
        let format = &unit.formats.d;
        // NaN is canonical and an exact zero is always plus zero; a result that underflows to zero keeps its sign.
        match format.decode(result).class {
            Class::Nan => other == result,
            Class::Zero => format.magnitude(other) == 0,
            _ => other == negate(format, result),
        }
    });
}

/// The runner reports a property that does not hold: that the result is the addend.
#[test]
fn emulator_false_property_proptest_volta() {
    let unit = catalogue::unit("volta-fp16-fp32").expect("a unit of the catalogue");
    let error = holds(&unit, |emulator, vector| evaluate(emulator, vector) == vector.c);
    assert!(error.is_err_and(|error| error.contains("minimal failing input")));
}
