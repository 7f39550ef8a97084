//! Properties of units, and of units that are broken on purpose: each must be refuted.

use tensorsmith::describe::format::Rounding;
use tensorsmith::describe::plan::{FusedPlan, Plan};
use tensorsmith::describe::unit::{AlignmentRounding, Unit};
use tensorsmith::prove::property::{Property, Subject};
use tensorsmith::prove::settle::{Statement, Verdict};
use tensorsmith::prove::{Confirmed, Found, Prover};

use crate::prove::shared::{long_tier, unit};
use crate::prove::support::{prover, settled};

fn ask(subject: &Subject, property: &str, prover: &Prover) -> Statement {
    let property = Property::named(property).unwrap_or_else(|| panic!("no property {property}"));
    let task = property.task(subject).unwrap_or_else(|reason| panic!("{}: {reason}", property.name));
    print!("{}: ", subject.unit.name);
    settled(task, prover)
}

fn expect(unit: &Unit, refuted: &[&str], prover: &Prover) {
    expect_of(unit, |_| true, refuted, prover);
}

/// The same of the properties of some names.
fn expect_of(unit: &Unit, asked: impl Fn(&str) -> bool, refuted: &[&str], prover: &Prover) {
    let subject = Subject::of(unit);
    for property in Property::all() {
        if !asked(property.name) || property.task(&subject).is_err() {
            continue;
        }
        let expected = if refuted.contains(&property.name) { Verdict::Refuted } else { Verdict::Proved };
        let statement = ask(&subject, property.name, prover);
        assert_eq!(statement.verdict(), expected, "{}: {statement:?}", unit.name);
    }
}

/// Properties that take most of the time: of a small unit in the ordinary tier.
const LONGEST: [&str; 5] = [
    "truncation-error",
    "carry-bits-necessary",
    "carry-bits-necessary-normalised",
    "conversion-rounded",
    "operand-order",
];

#[test]
fn volta_has_every_property_but_monotonicity() {
    let Some(prover) = prover() else { return };
    let volta = unit("volta-fp16-fp32");
    // Slices are asked about with their width only.
    let says_something = |property: &Property| property.task(&Subject::of(&volta)).is_ok();
    assert!(Property::all().iter().all(|property| says_something(property) || property.name == "slices-exact"));
    expect_of(&volta, |name| long_tier() || !LONGEST.contains(&name), &["monotone"], &prover);
    // Sums of the small unit stay below 8, so that it needs one carry bit fewer than others with three terms.
    let small = unit("tiny-truncating");
    expect_of(&small, |name| LONGEST.contains(&name), &["carry-bits-necessary"], &prover);
}

/// Two sums that Fasi et al. would try, of which the one with the greater c is less.
#[test]
fn known_vectors_refute_monotonicity_before_a_solver_is_asked() {
    let Some(prover) = prover() else { return };
    for name in ["volta-fp16-fp32", "ampere-tf32-fp32", "ampere-fp16-fp32", "hopper-fp16-fp32", "hopper-e4m3-fp32"] {
        let statement = ask(&Subject::of(&unit(name)), "monotone", &prover);
        assert_eq!(statement.verdict(), Verdict::Refuted, "{name}: {statement:?}");
        let own: Vec<_> = statement.questions.iter().filter(|question| !question.premise).collect();
        let Found::Witness(witness) = &own[0].found else { panic!("{name}: {:?}", own[0].found) };
        assert!(own[0].seconds == 0.0 && !own[0].cached && witness.len() == 2, "{name}: {:?}", own[0]);
        let number = |place: usize| {
            let Confirmed { unit, vector, answer, .. } = &witness[place];
            (unit.formats.c.to_f64(vector.c), unit.formats.d.to_f64(*answer))
        };
        let ((less_c, greater_d), (greater_c, less_d)) = (number(0), number(1));
        assert!(less_c < greater_c && less_d < greater_d, "{name}: {witness:?}");
        if ["volta-fp16-fp32", "ampere-tf32-fp32"].contains(&name) {
            // Those of Fasi et al.: just below 1, then 1, become 1 + 2^-23, then 1.
            assert_eq!([less_c, greater_c, greater_d, less_d], [1.0 - 2f64.powi(-24), 1.0, 1.0 + 2f64.powi(-23), 1.0]);
        }
    }
}

/// Products of e4m3 stay so far below 4 that one carry bit fewer is enough.
#[test]
fn fp8_needs_one_carry_bit_fewer() {
    let Some(prover) = prover() else { return };
    let ada = Subject::of(&unit("ada-e4m3-fp32"));
    assert_eq!(ask(&ada, "carry-bits-sufficient", &prover).verdict(), Verdict::Proved);
    assert_eq!(ask(&ada, "carry-bits-necessary", &prover).verdict(), Verdict::Refuted);
}

/// No bit is lost, but a sum with too few carry bits wraps.
#[test]
fn a_sum_that_wraps_is_not_monotone() {
    let Some(prover) = prover() else { return };
    let wraps = "name = \"wraps\"\nscheme = \"fused\"\nproducts = 2\n\
                 formats = { a = \"e4m3\", b = \"e4m3\", c = \"binary16\", d = \"binary16\" }\n\
                 alignment = { fraction_bits = 40, rounding = \"toward-zero\", exponent_floor = \"none\" }\n\
                 sum = { carry_bits = 0 }\n\
                 conversion = { rounding = \"nearest-even\", overflow = \"infinity\" }\n";
    let wraps = Unit::from_toml("wraps.toml", wraps).expect("the unit is valid");
    assert_eq!(ask(&Subject::of(&wraps), "monotone", &prover).verdict(), Verdict::Refuted);
    assert_eq!(ask(&Subject::of(&wraps), "carry-bits-sufficient", &prover).verdict(), Verdict::Refuted);
}

#[test]
fn an_exact_sum_is_monotone() {
    let Some(prover) = prover() else { return };
    let small = "name = \"exact-e4m3-fp16\"\nscheme = \"exact\"\nproducts = 2\n\
                 formats = { a = \"e4m3\", b = \"e4m3\", c = \"binary16\", d = \"binary16\" }\n\
                 conversion = { rounding = \"nearest-even\", overflow = \"ieee\" }\n";
    let small = Unit::from_toml("exact.toml", small).expect("the unit is valid");
    let units = [small].into_iter().chain(long_tier().then(|| unit("cdna1-fp16-fp32")));
    for unit in units {
        assert_eq!(ask(&Subject::of(&unit), "monotone", &prover).verdict(), Verdict::Proved);
    }
}

#[test]
fn other_units_long() {
    if !long_tier() {
        return;
    }
    let Some(prover) = prover() else { return };
    for name in ["ampere-fp16-fp32", "ampere-fp16-fp16", "hopper-fp16-fp32"] {
        expect(&unit(name), &["monotone"], &prover);
    }
    let mut wide = unit("hopper-fp16-fp32");
    (wide.name, wide.products) = ("hopper-fp16-fp32-32".to_owned(), 32);
    for property in ["carry-bits-sufficient", "carry-bits-sufficient-normalised", "truncation-error"] {
        assert_eq!(ask(&Subject::of(&wide), property, &prover).verdict(), Verdict::Proved);
    }
}

#[test]
fn no_width_of_block_scaled_and_exact_units_overflows() {
    let Some(prover) = prover() else { return };
    for name in ["blackwell-mx-e4m3-fp32", "blackwell-nvf4-fp32", "cdna1-bf16-fp32"] {
        assert_eq!(ask(&Subject::of(&unit(name)), "no-overflow", &prover).verdict(), Verdict::Proved, "{name}");
    }
}

/// A unit's text on the plan that `change` makes of its own.
fn with_plan(unit: &Unit, change: impl FnOnce(&mut FusedPlan)) -> Subject {
    let mut plan = FusedPlan::of(unit);
    change(&mut plan);
    Subject::of(unit).with_plan(Plan::Fused(Box::new(plan)))
}

/// A unit's text on the plan of another description.
fn described_otherwise(unit: &Unit, change: impl FnOnce(&mut Unit)) -> Subject {
    let mut other = unit.clone();
    change(&mut other);
    Subject::of(unit).with_plan(Plan::of(&other))
}

/// Broken units, each with a property that it must lack.
fn twins() -> Vec<(&'static str, &'static str, Subject)> {
    let [volta, ampere, hopper] = ["volta-fp16-fp32", "ampere-bf16-fp32", "hopper-bf16-fp32"].map(unit);
    let shorter = |unit: &mut Unit| unit.alignment_mut().fraction_bits -= 1;
    let floor = |by: i32| {
        described_otherwise(&ampere, move |unit| {
            unit.alignment_mut().exponent_floor = unit.alignment().exponent_floor.map(|floor| floor + by);
        })
    };
    let (mut fewer, mut exchanged) = (volta.clone(), vec![0, 1, 2, 3]);
    (fewer.name, fewer.carry_bits) = ("volta-2-carry-bits".to_owned(), Some(2));
    exchanged.swap(1, 2);
    vec![
        ("F one too small", "truncation-error", described_otherwise(&volta, shorter)),
        ("F one too small", "conversion-rounded", described_otherwise(&volta, shorter)),
        ("a carry bit dropped", "carry-bits-sufficient", Subject::of(&fewer)),
        ("a carry bit dropped", "truncation-error", Subject::of(&fewer)),
        (
            "a carry bit dropped in the plan alone",
            "carry-bits-sufficient",
            with_plan(&volta, |plan| (plan.carry_bits, plan.sum_width) = (plan.carry_bits - 1, plan.sum_width - 1)),
        ),
        (
            "a sticky bit added",
            "truncation-error",
            described_otherwise(&volta, |unit| unit.alignment_mut().rounding = AlignmentRounding::ToOdd),
        ),
        ("a floor one too high", "anchor-greatest", floor(1)),
        ("a floor one too low", "anchor-greatest", floor(-1)),
        ("operands b exchanged", "products-exact", Subject::of(&volta).with_order_of_b(exchanged)),
        ("a bias one too great", "products-exact", with_plan(&volta, |plan| plan.a.bias += 1)),
        ("another NaN", "special-values", with_plan(&volta, |plan| plan.result.nan ^= 1)),
        (
            "another rounding",
            "conversion-rounded",
            described_otherwise(&volta, |unit| unit.conversion.rounding = Rounding::NearestEven),
        ),
        ("a negative zero", "conversion-rounded", with_plan(&volta, |plan| plan.result.zero_negative = true)),
        ("a signed zero", "conversion-rounded", with_plan(&hopper, |plan| plan.result.rounded_zero_positive = false)),
        ("a sum one bit too narrow", "no-overflow", with_plan(&volta, |plan| plan.sum_width -= 1)),
        ("a magnitude one bit too narrow", "no-overflow", with_plan(&volta, |plan| plan.magnitude_width -= 1)),
        ("an exponent range too short", "no-overflow", with_plan(&volta, |plan| plan.term_exponent_max -= 1)),
    ]
}

#[test]
fn broken_twins_are_refuted() {
    let Some(prover) = prover() else { return };
    let twins = twins();
    // In the ordinary tier the first of each property.
    let first = |place: usize| !twins[..place].iter().any(|before| before.1 == twins[place].1);
    for (place, (fault, property, subject)) in twins.iter().enumerate() {
        if !long_tier() && !first(place) {
            continue;
        }
        let statement = ask(subject, property, &prover);
        assert_eq!(statement.verdict(), Verdict::Refuted, "{fault}: {statement:?}");
    }
}

/// A chain of rounded sums depends on the order of its products, and the witness is confirmed. In the ordinary tier a small one.
#[test]
fn a_chain_depends_on_the_order_of_products() {
    let Some(prover) = prover() else { return };
    let mut chain = unit(if long_tier() { "hickmann-fma-chain-fp16-fp32" } else { "tiny-fma" });
    (chain.name, chain.products) = ("chain-of-two".to_owned(), 2);
    let statement = ask(&Subject::of(&chain), "operand-order", &prover);
    assert_eq!(statement.verdict(), Verdict::Refuted, "{statement:?}");
    let witness = statement.questions.iter().find_map(|question| match &question.found {
        Found::Witness(parts) => Some(parts),
        _ => None,
    });
    let parts = witness.expect("a witness");
    assert_eq!(parts.len(), 2);
    assert_ne!(parts[0].answer, parts[1].answer);
    assert_eq!(parts[0].by, ["emulator", "reference"]);
}
