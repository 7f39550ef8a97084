//! Units whose emitted SystemVerilog is proved, and what each proof consists of.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::{Scheme, Unit};
use tensorsmith::prove::rtl::{self, Means, Method, Outcome, StepKind, Verdict};

use super::{LIMIT, needs_yosys, problem, support, unit, volta};

/// How a signal's obligations have to be answered, so that no method is left untried.
const EXPECTED: [(&str, Method); 6] = [
    ("sum", Method::Linear),
    ("biased_anchor", Method::Maximum),
    ("aligned", Method::Linear),
    ("aligned_row", Method::Search),
    ("normalised_shift", Method::Search),
    ("unpacked_c_exponent", Method::Exhaustive),
];

fn is_proved(unit: &Unit) {
    is_proved_within(unit, LIMIT);
}

fn is_proved_within(unit: &Unit, limit: Duration) {
    let start = Instant::now();
    let problem = problem(unit);
    let proof = rtl::prove(unit, &problem, &Means::within(limit), &|_| {});
    println!("{}: {} obligations, {:.1?}", unit.name, proof.obligations.len(), start.elapsed());
    assert_eq!(proof.composition.gaps, Vec::<String>::new(), "{}", unit.name);
    assert_eq!(proof.verdict, Verdict::Proved, "{}", unit.name);
}

#[test]
fn volta_is_proved_by_every_method() {
    let Some(()) = needs_yosys("prove-volta") else { return };
    let proof = &volta().proof;
    assert_eq!(proof.verdict, Verdict::Proved);
    let mut methods: BTreeMap<&str, Method> = BTreeMap::new();
    for obligation in &proof.obligations {
        if let Outcome::Proved(method) = obligation.outcome {
            let signal = obligation.name.split('[').next().unwrap_or_default();
            methods.insert(signal, method);
            assert_eq!(obligation.refutation.is_some(), method == Method::Search && obligation.same_as.is_none());
        }
    }
    for (signal, method) in EXPECTED {
        assert_eq!(methods.get(signal), Some(&method), "{signal}");
    }
    let lemmas = proof.obligations.iter().filter(|obligation| obligation.kind == StepKind::Lemma);
    assert_eq!(lemmas.count(), 4 * 5 + 3, "five a product, one of the addend, the anchor and the rounded number each");
    let order = |outcome: &Outcome| *outcome == Outcome::Proved(Method::Order);
    let ordered = proof.obligations.iter().filter(|obligation| order(&obligation.outcome)).count();
    assert!(ordered >= 5, "one a term: {ordered}");
}

/// In the long tier only; Volta's unit, of the same text, is proved in both.
#[test]
fn ampere_and_hopper_are_proved() {
    if !support::long_tier() || needs_yosys("prove-ampere-hopper").is_none() {
        return;
    }
    for name in ["ampere-fp16-fp32", "hopper-fp16-fp32"] {
        is_proved(&unit(name));
    }
}

/// In the ordinary tier the first.
#[test]
fn small_units_of_other_schemes_are_proved() {
    let Some(()) = needs_yosys("prove-other-schemes") else { return };
    let names = [
        "tiny-then-add",
        "tiny-nearest",
        "tiny-truncating",
        "tiny-grouped",
        "tiny-scaled",
        "tiny-exact",
        "tiny-two-groups",
    ];
    for name in support::sampled(&names, 7) {
        is_proved(&unit(name));
    }
}

/// Groups under one scale, and exact sums of up to 525 bits: their wide sums are cut inside the leaves.
#[test]
fn units_with_groups_and_exact_sums_are_proved() {
    if !support::long_tier() || needs_yosys("prove-groups").is_none() {
        return;
    }
    for name in ["blackwell-mxf4-fp32", "blackwell-nvf4-fp32", "cdna1-fp16-fp32", "cdna1-bf16-fp32"] {
        // A processor that has other work, too, takes longer than it does alone.
        is_proved_within(&unit(name), 6 * LIMIT);
    }
}

/// Every fused unit with operands up to tf32 and 16 products, of eight bits 32.
#[test]
fn fused_units_of_the_catalogue_are_proved() {
    if !support::long_tier() || needs_yosys("prove-catalogue").is_none() {
        return;
    }
    let mut proved = 0;
    for unit in catalogue::units() {
        let widest = unit.formats.a.precision().max(unit.formats.b.precision());
        let narrow = unit.formats.a.width().max(unit.formats.b.width()) <= 8;
        let products = if narrow { 32 } else { 16 };
        if unit.scheme == Scheme::Fused && widest <= 11 && unit.products <= products {
            is_proved(&unit);
            proved += 1;
        }
    }
    println!("{proved} units");
    assert!(proved > 35, "{proved} units");
}

/// A limit ends in unknown, never in a pass.
#[test]
fn without_time_nothing_is_proved_by_search() {
    let Some(()) = needs_yosys("prove-without-time") else { return };
    let volta = volta();
    let proof = rtl::prove(&volta.unit, &volta.problem, &Means::within(Duration::ZERO), &|_| {});
    let Verdict::Unknown(reason) = &proof.verdict else { panic!("{:?}", proof.verdict) };
    assert!(reason.contains("the time limit was reached"), "{reason}");
    assert!(!proof.composition.gaps.is_empty());
    let searched = |outcome: &Outcome| *outcome == Outcome::Proved(Method::Search);
    assert!(!proof.obligations.iter().any(|obligation| searched(&obligation.outcome)));
}
