//! The terms that a unit's modules have names for: the plan's signals, and a few that only the modules name.

use super::inner::{self, Inner};
use crate::compute::datapath::schemes::{block_scaled, fused, fused_then_add};
use crate::compute::datapath::{BlockScaledStages, FusedThenAddStages, Stages, Term as Product, Unpacked};
use crate::compute::signals;
use crate::compute::word::Word as _;
use crate::compute::word::term::{Interval, Term, TermFlag};
use crate::describe::plan::{FusedPlan, Operation, OperationsPlan, Plan, Signal};
use crate::describe::unit::Unit;
use crate::prove::{InputTerms, UnitTerms};

/// Terms of a unit's named signals, in an order in which each follows from those before it.
pub(super) struct Named {
    pub inputs: InputTerms,
    pub signals: Vec<(Signal, Vec<Term>)>,
    /// Of rounded operations, what each one names inside, one element each.
    pub steps: Vec<Vec<(Signal, Term)>>,
    pub inner: Vec<Inner>,
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
    let mut inner = Vec::new();
    let (fused, stages, values, lemmas) = match plan {
        Plan::Fused(plan) => {
            let mut stages = Stages::new(plan.products);
            fused::evaluate(plan, inputs.inputs(), &mut stages);
            inner.extend(inner::rows(plan, &stages));
            let values = signals::fused(plan, &stages);
            let mut lemmas = zero_products(plan, &stages, &stages.terms);
            if plan.flags {
                lemmas.extend(classes(&stages));
            }
            (plan, stages, values, lemmas)
        }
        Plan::BlockScaled(plan) => {
            let mut stages = BlockScaledStages::new(plan.fused.products);
            block_scaled::evaluate(plan, inputs.inputs(), &mut stages);
            let values = signals::block_scaled(plan, &stages);
            let mut lemmas = zero_products(&plan.fused, &stages.fused, &stages.products);
            lemmas.extend(zero_scaled(&stages, plan.block as usize));
            inner.extend(inner::groups(plan, &stages.products));
            inner.extend(inner::rows(&plan.fused, &stages.fused));
            (&plan.fused, stages.fused, values, lemmas)
        }
        Plan::FusedThenAdd(plan) => {
            let mut stages = FusedThenAddStages::new(plan.fused.products);
            fused_then_add::evaluate(plan, inputs.inputs(), &mut stages);
            let values = signals::fused_then_add(plan, &stages);
            inner.extend(inner::rows_of_groups(plan, &stages));
            let mut lemmas = zero_products(&plan.fused, &stages.fused, &stages.products);
            lemmas.extend(addend_below_anchor(&stages.fused));
            if plan.total_cut_bits.is_some() {
                claim_least(stages.total.exponent, &plan.fused);
            }
            (&plan.fused, stages.fused, values, lemmas)
        }
        Plan::Operations(operations) => {
            let UnitTerms { inputs, answer, signals, steps: terms } = UnitTerms::on(plan, inputs);
            let steps = steps(operations, &terms);
            let lemma = |(index, step): (usize, &Vec<(Signal, Term)>)| {
                zero_product(index, step).into_iter().chain(zero_addend(index, step))
            };
            let lemmas = steps.iter().enumerate().flat_map(lemma).collect();
            signals.iter().for_each(claim_room);
            return Named { inputs, signals, steps, inner: Vec::new(), lemmas, answer };
        }
        Plan::Integer(_) => {
            let UnitTerms { inputs, answer, signals, .. } = UnitTerms::on(plan, inputs);
            signals.iter().for_each(claim_room);
            return Named { inputs, signals, steps: Vec::new(), inner: Vec::new(), lemmas: Vec::new(), answer };
        }
    };
    let mut signals: Vec<(Signal, Vec<Term>)> = plan.signals().iter().cloned().zip(values).collect();
    inner.extend(inner::normalisation(fused, &stages));
    // Whether the addend takes part follows from the anchor, and groups are aligned to the exponent of their sum.
    moved(&mut signals, "addend_dropped", "aligned");
    moved(&mut signals, "dot_exponent", "aligned_group");
    let signals = with_extras(signals, extras(fused, &stages));
    signals.iter().for_each(claim_room);
    Named { inputs, signals, steps: Vec::new(), inner, lemmas, answer: stages.packed }
}

/// Puts a signal before another one, where the unit has both.
fn moved(signals: &mut Vec<(Signal, Vec<Term>)>, name: &str, before: &str) {
    let place = |signals: &[(Signal, Vec<Term>)], name| signals.iter().position(|(signal, _)| signal.name == name);
    if let (Some(from), Some(_)) = (place(signals, name), place(signals, before)) {
        let signal = signals.remove(from);
        if let Some(to) = place(signals, before) {
            signals.insert(to, signal);
        }
    }
}

/// Where a range does not show that a signal holds its numbers, that is claimed.
fn claim_room((signal, values): &(Signal, Vec<Term>)) {
    let room = if signal.signed { Interval::signed(signal.width) } else { Interval::unsigned(signal.width) };
    for value in values {
        let _ = value.claim_within(room.clone());
    }
}

/// The signals of every operation: those that it has in common with a fused sum, and which significands are zero.
fn steps(plan: &OperationsPlan, terms: &[(String, Vec<Term>)]) -> Vec<Vec<(Signal, Term)>> {
    let mut steps = Vec::new();
    for (index, operation) in plan.operations.iter().enumerate() {
        let of = if let Operation::Add { .. } = operation { &plan.addition } else { &plan.step };
        // A module's own packed word has not yet the sign of an exact zero.
        let inner = of.signals.iter().filter(|signal| !["packed_word", "flags"].contains(&signal.name));
        let term = |signal: &Signal| {
            let name = format!("step[{index}].{}", signal.name);
            let found = terms.iter().find(|(known, _)| *known == name)?;
            Some((signal.clone(), vec![*found.1.first()?]))
        };
        let signals: Vec<(Signal, Vec<Term>)> = inner.filter_map(term).collect();
        signals.iter().for_each(claim_room);
        let value = |name: &str| signals.iter().find(|(signal, _)| signal.name == name).map(|(_, terms)| terms[0]);
        let zero = |name: &str| value(name).map(|value| vec![Term::from_flag(value.is_zero())]).unwrap_or_default();
        let mut offsets = Vec::new();
        if let Some(exponent) = value("normalised_exponent") {
            claim_least(exponent, of);
            offsets.extend(inner::offsets(of, exponent).map(|(signal, term)| (signal, vec![term])));
        }
        let extras = [
            ("unpacked_a_nan", "unpacked_a_zero", "unpacked_a_significand"),
            ("unpacked_b_nan", "unpacked_b_zero", "unpacked_b_significand"),
            ("unpacked_c_nan", "unpacked_c_zero", "unpacked_c_significand"),
            ("unpacked_left_nan", "unpacked_left_zero", "unpacked_left_significand"),
            ("normalised_significand", "normalised_zero", "sum"),
        ];
        let extras = extras.map(|(after, name, of)| Extra { after, name, values: zero(of) });
        let mut signals = with_extras(signals.clone(), extras.into_iter().collect());
        if let Some(place) = signals.iter().position(|(signal, _)| signal.name == "normalised_exponent") {
            signals.splice(place..place, offsets);
        }
        steps.push(signals.into_iter().filter_map(|(signal, terms)| Some((signal, *terms.first()?))).collect());
    }
    steps
}

/// As [`zero_products`], of one operation.
fn zero_product(index: usize, step: &[(Signal, Term)]) -> Option<Lemma> {
    let value = |name: &str| step.iter().find(|(signal, _)| signal.name == name).map(|(_, term)| *term);
    let [a, b] = [value("unpacked_a_significand")?, value("unpacked_b_significand")?];
    let product = value("product_significand")?;
    Some(Lemma {
        name: format!("zero of step[{index}].product_significand"),
        holds: same(product.is_zero(), a.is_zero() | b.is_zero()),
        about: product,
        serves: format!("step[{index}].product_exponent"),
    })
}

/// A zero addend has the least exponent there is, so that the netlist need not look at it.
fn zero_addend(index: usize, step: &[(Signal, Term)]) -> Option<Lemma> {
    let value = |name: &str| step.iter().find(|(signal, _)| signal.name == name).map(|(_, term)| *term);
    let (exponent, significand) = (value("unpacked_c_exponent")?, value("unpacked_c_significand")?);
    let least = Term::number(exponent.range().low);
    Some(Lemma {
        name: format!("exponent of a zero step[{index}].unpacked_c"),
        holds: Term::from_flag(!significand.is_zero() | exponent.equals(least)),
        about: if significand.node() < exponent.node() { significand } else { exponent },
        serves: format!("step[{index}].anchor"),
    })
}

/// No text claims it, but packing needs it: the result's exponent is not below its least one.
fn claim_least(exponent: Term, plan: &FusedPlan) {
    let _ = exponent.claim_within(Interval { low: plan.result.exponent_min.into(), high: exponent.range().high });
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

/// An infinite factor is neither NaN nor zero.
fn classes(stages: &Stages<Term>) -> Vec<Lemma> {
    let mut lemmas = Vec::new();
    for (name, operands) in [("a", &stages.unpacked_a), ("b", &stages.unpacked_b)] {
        for (index, operand) in operands.iter().enumerate() {
            lemmas.push(Lemma {
                name: format!("class of unpacked_{name}{}", place(operands.len(), index)),
                holds: Term::from_flag(!(operand.infinite & (operand.nan | operand.significand.is_zero()))),
                about: operand.significand,
                serves: "flags".to_owned(),
            });
        }
    }
    lemmas
}

/// The addend is not above the anchor: what is claimed of its distance counts guard bits too.
fn addend_below_anchor(stages: &Stages<Term>) -> Vec<Lemma> {
    let Some(addend) = stages.terms.last() else { return Vec::new() };
    let last = format!("aligned{}", place(stages.aligned.len(), stages.aligned.len() - 1));
    let lemma = |serves: &str| Lemma {
        name: format!("addend_exponent not above anchor, for {serves}"),
        holds: Term::from_flag(!stages.anchor.less_than(addend.exponent)),
        about: stages.anchor,
        serves: serves.to_owned(),
    };
    [last.as_str(), "addend_dropped"].map(lemma).into()
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
    claim_least(stages.normalised.exponent, plan);
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
