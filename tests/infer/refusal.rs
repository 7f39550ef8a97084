//! Engines that no hypothesis describes: that must be said, and shown. Every search there is goes before it, a minute or more: in
//! the ordinary tier the command line refuses a box that ends them early.

use std::hash::{DefaultHasher, Hash, Hasher};

use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Batch, Composed, Emulator, Engine};
use tensorsmith::infer::{Contradiction, InferError, Outcome};

use super::shared::made_up::MadeUp;
use super::shared::{long_tier, unit};
use super::support::{inferred, short};

/// A unit's emulator, whose vectors and answers are changed on the way; the fault knows how many answers came before.
fn faulty(unit: &Unit, mut fault: impl FnMut(u64, &mut Batch, &mut [u64]) + Send) -> impl Engine {
    let (mut inner, mut calls) = (Emulator::new(unit), 0);
    MadeUp::new("faulty", move |batch, results| {
        let mut changed = batch.clone();
        fault(calls, &mut changed, &mut []);
        inner.run(&changed, results)?;
        fault(calls, &mut changed, results);
        calls += results.len() as u64;
        Ok(())
    })
}

fn refused(unit: &Unit, fault: impl FnMut(u64, &mut Batch, &mut [u64]) + Send) -> Contradiction {
    match inferred(&mut faulty(unit, fault), &unit.clone().into(), short(20_000)) {
        Ok(Outcome::Nothing(contradiction)) => *contradiction,
        Ok(Outcome::Found(finding)) => panic!("{:?} was found", finding.hypothesis),
        Err(error) => panic!("{error}"),
    }
}

/// Its second product loses the last bit of a.
#[test]
fn fault_on_one_operand_position_is_refused_with_a_contradiction() {
    if !long_tier() {
        return;
    }
    let unit = unit("tiny-truncating");
    let products = unit.products as usize;
    let contradiction = refused(&unit, |_, batch, results| {
        if results.is_empty() {
            batch.a.iter_mut().skip(1).step_by(products).for_each(|a| *a &= !1);
        }
    });
    let fewest = &contradiction.best[0];
    assert!(!fewest.by.is_empty(), "the best hypothesis is contradicted by no answer");
    let mut best = Composed::emulated(&fewest.hypothesis);
    for (vector, answer) in &fewest.by {
        let mut answers = Vec::new();
        best.run(&Batch::of(vector), &mut answers).expect("an emulator answers");
        assert_ne!(answers, [*answer], "{vector:?} does not contradict {:?}", fewest.hypothesis);
    }
    // Alone, each of them is what some unit answers: the last bit of a is lost with a single product too.
    assert!((1..=12).contains(&contradiction.together.len()), "{:?}", contradiction.together);
}

/// An answer that depends on how many came before.
#[test]
fn engine_that_answers_differently_twice_is_named() {
    let unit = unit("tiny-nearest");
    let mut state = 1u64;
    let fault = |_: u64, _: &mut Batch, results: &mut [u64]| {
        for result in results {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *result ^= u64::from(state >> 40 & 15 == 0);
        }
    };
    match inferred(&mut faulty(&unit, fault), &unit.clone().into(), short(20_000)) {
        Err(InferError::Inconsistent { first, second, .. }) => assert_eq!(first ^ second, 1),
        other => panic!("an engine that answers by chance gives {other:?}"),
    }
}

/// Half of all results are rounded away from zero, drawn from the operands: the same vector is always rounded the same way.
#[test]
fn stochastic_rounding_is_refused_with_a_contradiction() {
    if !long_tier() {
        return;
    }

    /// Of e5m2.
    const LARGEST: u64 = 0x7b;
    let unit = Unit { products: 1, ..unit("tiny-nearest") };
    let contradiction = refused(&unit, |_, batch, results| {
        for (v, result) in results.iter_mut().enumerate() {
            let mut hasher = DefaultHasher::new();
            (batch.a(v), batch.b(v), batch.c[v]).hash(&mut hasher);
            let number = *result & !unit.formats.d.sign_bit() < LARGEST;
            *result += u64::from(number && hasher.finish() & 1 == 1);
        }
    });
    assert!(contradiction.best.iter().all(|refuted| !refuted.by.is_empty()), "every hypothesis is contradicted");
    assert!((1..=24).contains(&contradiction.together.len()), "{:?}", contradiction.together);
}

/// No sample need hold the vector.
#[test]
fn one_wrong_answer_is_found_when_all_are_asked_again() {
    if !long_tier() {
        return;
    }
    let unit = unit("tiny-truncating");
    let fault = |before: u64, _: &mut Batch, results: &mut [u64]| {
        let wrong = 1_001u64.checked_sub(before).and_then(|index| results.get_mut(index as usize));
        wrong.into_iter().for_each(|result| *result ^= 1);
    };
    match inferred(&mut faulty(&unit, fault), &unit.clone().into(), short(20_000)) {
        Err(InferError::Inconsistent { first, second, .. }) => assert_eq!(first ^ second, 1),
        other => panic!("an engine with one wrong answer gives {other:?}"),
    }
}

/// It is said before anything is asked.
#[test]
fn interface_that_is_too_wide_is_named() {
    let unit = Unit { products: 1024, ..unit("tiny-truncating") };
    match inferred(&mut Emulator::new(&unit), &unit.clone().into(), short(0)) {
        Err(InferError::Interface(what)) => assert_eq!(what, "products: 1024; allowed: at most 128"),
        other => panic!("{other:?}"),
    }
}
