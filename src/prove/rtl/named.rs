//! The terms that a unit's modules have names for: the plan's signals, and a few that only the modules name.

use crate::compute::datapath::schemes::{block_scaled, fused, fused_then_add};
use crate::compute::datapath::{BlockScaledStages, FusedThenAddStages, Stages, Term as Product, Unpacked};
use crate::compute::signals;
use crate::compute::word::Word as _;
use crate::compute::word::term::{Interval, Term, TermFlag};
use crate::describe::plan::{FusedPlan, Plan, Signal};
use crate::describe::unit::Unit;
use crate::prove::{InputTerms, UnitTerms};

/// Terms of a unit's named signals, in an order in which each follows from those before it.
pub(super) struct Named {
    pub inputs: InputTerms,
    pub signals: Vec<(Signal, Vec<Term>)>,
    pub lemmas: Vec<Lemma>,
    /// The result, without flags.
    pub answer: Term,
}

/// A flag that always holds, the term that it is about, and the signal that is proved with it.
pub(super) struct Lemma {
    pub name: String,
    pub holds: Term,
    pub about: Term,
    pub serves: String,
}

/// A signal beside those of the plan, and the one that it follows.
struct Extra {
    after: &'static str,
    name: &'static str,
    values: Vec<Term>,
}

/// The terms of a unit, in the graph that is being built.
pub(super) fn named(unit: &Unit, plan: &Plan) -> Named {
    let inputs = InputTerms::new(unit);
    let (fused, stages, values, lemmas) = match plan {
        Plan::Fused(plan) => {
            let mut stages = Stages::new(plan.products);
            fused::evaluate(plan, inputs.inputs(), &mut stages);
            let values = signals::fused(plan, &stages);
            let lemmas = zero_products(plan, &stages, &stages.terms);
            (plan, stages, values, lemmas)
        }
        Plan::BlockScaled(plan) => {
            let mut stages = BlockScaledStages::new(plan.fused.products);
            block_scaled::evaluate(plan, inputs.inputs(), &mut stages);
            let values = signals::block_scaled(plan, &stages);
            let mut lemmas = zero_products(&plan.fused, &stages.fused, &stages.products);
            lemmas.extend(zero_scaled(&stages, plan.block as usize));
            (&plan.fused, stages.fused, values, lemmas)
        }
        Plan::FusedThenAdd(plan) => {
            let mut stages = FusedThenAddStages::new(plan.fused.products);
            fused_then_add::evaluate(plan, inputs.inputs(), &mut stages);
            let values = signals::fused_then_add(plan, &stages);
            let mut lemmas = zero_products(&plan.fused, &stages.fused, &stages.products);
            lemmas.extend(addend_below_anchor(&stages.fused));
            (&plan.fused, stages.fused, values, lemmas)
        }
        Plan::Operations(_) | Plan::Integer(_) => {
            let terms = UnitTerms::on(plan, inputs);
            let UnitTerms { inputs, answer, signals, .. } = terms;
            signals.iter().for_each(claim_room);
            return Named { inputs, signals, lemmas: Vec::new(), answer };
        }
    };
    let signals = plan.signals().iter().cloned().zip(values).collect();
    let signals = with_extras(signals, extras(fused, &stages));
    signals.iter().for_each(claim_room);
    Named { inputs, signals, lemmas, answer: stages.packed }
}

/// Where a range does not show that a signal holds its numbers, that is claimed.
fn claim_room((signal, values): &(Signal, Vec<Term>)) {
    let room = if signal.signed { Interval::signed(signal.width) } else { Interval::unsigned(signal.width) };
    for value in values {
        let _ = value.claim_within(room.clone());
    }
}

fn place(count: usize, index: usize) -> String {
    if count > 1 { format!("[{index}]") } else { String::new() }
}

/// Two flags are the same.
fn same(one: TermFlag, other: TermFlag) -> Term {
    Term::from_flag(!(one ^ other))
}

/// A product is zero exactly where a factor is: the text asks the product, the netlist the factors. A normalised product is
/// another number than the one that is asked.
fn zero_products(plan: &FusedPlan, stages: &Stages<Term>, products: &[Product<Term>]) -> Vec<Lemma> {
    if plan.normalise_products {
        return Vec::new();
    }
    let count = stages.unpacked_a.len();
    let factors = stages.unpacked_a.iter().zip(&stages.unpacked_b);
    let lemma = |(index, (a, b)): (usize, (&Unpacked<Term>, &Unpacked<Term>))| {
        let product = products[index].significand;
        let place = place(count, index);
        Lemma {
            name: format!("zero of product_significand{place}"),
            holds: same(product.is_zero(), a.significand.is_zero() | b.significand.is_zero()),
            about: product,
            serves: format!("product_exponent{place}"),
        }
    };
    factors.enumerate().map(lemma).collect()
}

/// The addend is not above the anchor: what is claimed of its distance counts guard bits too.
fn addend_below_anchor(stages: &Stages<Term>) -> Option<Lemma> {
    let addend = stages.terms.last()?;
    Some(Lemma {
        name: "addend_exponent not above anchor".to_owned(),
        holds: Term::from_flag(!stages.anchor.less_than(addend.exponent)),
        about: stages.anchor,
        serves: format!("aligned{}", place(stages.aligned.len(), stages.aligned.len() - 1)),
    })
}

/// The same of a term that scales were multiplied into.
fn zero_scaled(stages: &BlockScaledStages<Term>, block: usize) -> Vec<Lemma> {
    let terms = if stages.groups.is_empty() { &stages.products } else { &stages.groups };
    let products = stages.products.len() / terms.len();
    let lemma = |(index, term): (usize, &Product<Term>)| {
        let scales = [&stages.scale_a, &stages.scale_b].map(|scales| scales[index * products / block].significand);
        let scaled = stages.fused.terms[index].significand;
        let place = place(terms.len(), index);
        let factors = term.significand.is_zero() | scales[0].is_zero() | scales[1].is_zero();
        Lemma {
            name: format!("zero of scaled_significand{place}"),
            holds: same(scaled.is_zero(), factors),
            about: scaled,
            serves: format!("scaled_exponent{place}"),
        }
    };
    terms.iter().enumerate().map(lemma).collect()
}

/// Signals that the modules name and the plan does not.
fn extras(plan: &FusedPlan, stages: &Stages<Term>) -> Vec<Extra> {
    let zeros = |operands: &[Unpacked<Term>]| operands.iter().map(|operand| Term::from_flag(operand.zero)).collect();
    let flag = |flag: TermFlag| vec![Term::from_flag(flag)];
    let mut extras = vec![
        Extra { after: "unpacked_a_nan", name: "unpacked_a_zero", values: zeros(&stages.unpacked_a) },
        Extra { after: "unpacked_b_nan", name: "unpacked_b_zero", values: zeros(&stages.unpacked_b) },
        Extra { after: "normalised_significand", name: "normalised_zero", values: flag(stages.normalised.zero) },
        Extra { after: "special_nan", name: "special_negative", values: flag(stages.special.negative) },
    ];
    if plan.has_addend {
        let values = zeros(std::slice::from_ref(&stages.unpacked_c));
        extras.push(Extra { after: "unpacked_c_nan", name: "unpacked_c_zero", values });
    }
    // No text claims it, but packing needs it: the result's exponent is not below its least one.
    let least = Interval { low: plan.result.exponent_min.into(), high: stages.normalised.exponent.range().high };
    let _ = stages.normalised.exponent.claim_within(least);
    extras
}

/// The plan's signals with the others, significands before the exponents that depend on whether they are zero.
fn with_extras(signals: Vec<(Signal, Vec<Term>)>, extras: Vec<Extra>) -> Vec<(Signal, Vec<Term>)> {
    let mut all: Vec<(Signal, Vec<Term>)> = Vec::new();
    for (signal, values) in signals {
        let (name, stage) = (signal.name, signal.stage);
        let stem = name.strip_suffix("significand").filter(|stem| ["product_", "scaled_"].contains(stem));
        let exponent = stem.map(|stem| format!("{stem}exponent"));
        let before = exponent.is_some() && all.last().map(|(last, _)| last.name) == exponent.as_deref();
        all.insert(all.len() - usize::from(before), (signal, values));
        for extra in extras.iter().filter(|extra| extra.after == name) {
            let elements = extra.values.len() as u32;
            let signal = Signal { name: extra.name, stage, elements, width: 1, signed: false };
            all.push((signal, extra.values.clone()));
        }
    }
    all
}
