//! Sums of Ozaki's slices: exact up to the bound, refuted above it by a sum that is run, and broken units refuted.

use tensorsmith::describe::format::{Format, Overflow, Rounding};
use tensorsmith::describe::plan::{FusedPlan, Plan};
use tensorsmith::describe::unit::Unit;
use tensorsmith::prove::property::{Property, Slices, Subject};
use tensorsmith::prove::settle::{Checked, Statement, Verdict};
use tensorsmith::prove::{Found, Prover};

use crate::prove::shared::{long_tier, unit};
use crate::prove::support::{prover, settled};

fn property() -> Property {
    Property::named("slices-exact").expect("it is a property")
}

fn ask(subject: Subject, bits: u32, products: u32, prover: &Prover) -> Statement {
    let subject = subject.with_slices(Slices { bits, products });
    let task = property().task(&subject).unwrap_or_else(|reason| panic!("{reason}"));
    print!("{}, {products} products of {bits} bits: ", subject.unit.name);
    settled(task, prover)
}

/// The greatest K for int8 and int32: 133,144 * 127^2 = 2^31 - 4,072.
#[test]
fn int8_slices_are_exact_up_to_the_last_product_that_int32_holds() {
    let Some(prover) = prover() else { return };
    let int8 = || Subject::of(&unit("integer-int8-int32"));
    assert_eq!(ask(int8(), 7, 133_144, &prover).verdict(), Verdict::Proved);
    let refuted = ask(int8(), 7, 133_145, &prover);
    assert_eq!(refuted.verdict(), Verdict::Refuted);
    let note = refuted.questions.iter().find_map(|question| question.note.as_deref()).expect("it is read again");
    println!("{note}");
    assert!(note.contains("exactly 2147495705, the unit answers -2147471591"), "{note}");
}

/// Two e4m3 products, added to 11 bits.
const SMALL: &str = "name = \"two-e4m3\"\nscheme = \"fused\"\nproducts = 2\n\
    formats = { a = \"e4m3\", b = \"e4m3\", c = \"binary16\", d = \"binary16\" }\n\
    alignment = { fraction_bits = 11, rounding = \"toward-zero\", exponent_floor = \"none\" }\n\
    conversion = { rounding = \"toward-zero\", overflow = \"infinity\" }\n";

fn small() -> Unit {
    Unit::from_toml("two-e4m3.toml", SMALL).expect("the unit is valid")
}

/// K (2^bits - 1)^2 up to 2^precision: 9 * 15^2 = 2025 of 2048, for fp32 258 * 255^2 = 2^24 - 766.
#[test]
fn floating_slices_are_exact_up_to_the_accumulators_precision() {
    let Some(prover) = prover() else { return };
    let mut cases = vec![(small(), 4, 8, 10), (small(), 4, 9, 11)];
    if long_tier() {
        cases.push((unit("volta-fp16-fp32"), 8, 258, 259));
    }
    for (unit, bits, exact, inexact) in cases {
        let subject = || Subject::of(&unit);
        assert_eq!(ask(subject(), bits, exact, &prover).verdict(), Verdict::Proved, "{}", unit.name);
        assert_eq!(ask(subject(), bits, inexact, &prover).verdict(), Verdict::Refuted, "{}", unit.name);
    }
}

/// A witness stands where its c is the sum of products before its block, and is open where more would be needed.
#[test]
fn witnesses_need_a_c_that_was_summed() {
    let Some(prover) = prover() else { return };
    let subject = || Subject::of(&small()).with_slices(Slices { bits: 4, products: 11 });
    let statement = settled(property().task(&subject()).expect("it says something"), &prover);
    let witness = statement.questions.iter().find_map(|question| match &question.found {
        Found::Witness(parts) => Some(parts.clone()),
        _ => None,
    });
    let mut parts = witness.expect("it is refuted");
    let check = property().task(&subject()).expect("as before").check.expect("it is checked");
    let half = |number: f64| Format::binary16().from_f64(number, Rounding::TowardZero, Overflow::Ieee);
    let slice = Format::named("e4m3").expect("a format").from_f64(15.0, Rounding::TowardZero, Overflow::Ieee);
    let mut stands = |operands: [u64; 2], c: f64| {
        let part = &mut parts[0];
        (part.vector.a, part.vector.b, part.vector.c, part.answer) = (operands.to_vec(), vec![slice; 2], half(c), 0);
        matches!(check(&parts).expect("an inexact sum"), Checked::Stands(_))
    };
    // Of the last whole block, behind eight products of at most 225, and of the eleventh product, behind ten.
    assert_eq!([1800.0, 1802.0].map(|c| stands([slice, slice], c)), [true, false]);
    assert_eq!([1802.0, 2026.0, 2252.0].map(|c| stands([slice, 0], c)), [true, true, false]);
}

/// Fraction bits or carry bits fewer, in the plan alone: nothing is run, and a solver finds the sum.
#[test]
fn broken_units_lose_sums_of_slices() {
    let Some(prover) = prover() else { return };
    let mut fewer = small();
    fewer.alignment_mut().fraction_bits -= 2;
    let cut = Subject::of(&small()).with_plan(Plan::of(&fewer));
    assert_eq!(ask(cut, 4, 8, &prover).verdict(), Verdict::Refuted);
    let mut plan = FusedPlan::of(&small());
    (plan.carry_bits, plan.sum_width) = (plan.carry_bits - 2, plan.sum_width - 2);
    let wraps = Subject::of(&small()).with_plan(Plan::Fused(Box::new(plan)));
    assert_eq!(ask(wraps, 4, 8, &prover).verdict(), Verdict::Refuted);
}

#[test]
fn slices_that_are_none_of_the_units_are_not_asked() {
    let refused = |unit: Unit, slices: Option<Slices>, words: &str| {
        let subject = Subject::of(&unit);
        let subject = slices.map_or(subject.clone(), |slices| subject.with_slices(slices));
        let reason = property().task(&subject).err().expect("it says nothing of it");
        assert!(reason.contains(words), "{reason}");
    };
    let slices = |bits, products| Some(Slices { bits, products });
    refused(unit("integer-int8-int32"), None, "--slice-bits gives it");
    refused(unit("integer-int8-int32"), slices(8, 4), "--slice-bits is 8; allowed: 1 to 7, which a in int8 holds");
    refused(unit("ampere-fp16-fp32"), slices(12, 4), "allowed: 1 to 11, which a in binary16 holds");
    refused(unit("blackwell-mx-e4m3-fp32"), slices(2, 32), "scales");
    let mut bare = unit("tiny-integer");
    bare.formats.c = tensorsmith::describe::format::Format::absent();
    refused(bare, slices(1, 200), "it has no c that holds its d");
}
