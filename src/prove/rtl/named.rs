//! The terms that a unit's modules have names for: the plan's signals, and a few that only the modules name.

use super::inner::{self, BiasedExponents, BiasedTerm, Inner, claim_room};
use crate::compute::datapath::number::{self, Summand};
use crate::compute::datapath::schemes::{Fused, LinkStages, Scheme, Steps};
use crate::compute::datapath::{Normalised, Stages, Term as Product, Unpacked, convert};
use crate::compute::record::{self, Record, Recorded, Signal, Stage};
use crate::compute::word::Word as _;
use crate::compute::word::term::{Interval, Term, TermFlag};
use crate::describe::format::Rounding;
use crate::describe::plan::{FusedPlan, LinkPlan, Plan, StepsPlan, SumKind, TermPlan};
use crate::describe::unit::{Target, Unit};
use crate::prove::InputTerms;

/// Terms of a unit's named signals, in an order in which each follows from those before it.
pub(super) struct Named {
    pub inputs: InputTerms,
    pub signals: Vec<(Signal, Vec<Term>)>,
    /// Of a list of steps, signals of each operation.
    pub steps: Vec<Vec<(Signal, Vec<Term>)>>,
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

/// The terms of a unit, in the graph that is being built.
pub(super) fn named(unit: &Unit, plan: &Plan) -> Named {
    let inputs = InputTerms::new(unit);
    let mut record = Record::default();
    let mut inner = Vec::new();
    let mut lemmas = Vec::new();
    let (fused, stages) = match plan {
        Plan::Fused(plan) => {
            let stages = on_terms::<Fused>(plan, &inputs, &mut record);
            let biased = BiasedExponents::of(plan, &stages);
            inner.extend(biased.signals(plan));
            inner.extend(inner::rows(plan, &stages));
            lemmas.extend(zero_products(plan, &stages, &stages.terms, "product_biased"));
            lemmas.extend(biased_products(&stages, &biased.products));
            lemmas.extend(biased.others.iter().map(|(name, term)| says((*name).to_owned(), term)));
            if plan.flags {
                lemmas.extend(classes(&stages));
            }
            (plan, stages)
        }
        Plan::Steps(plan) => return links(unit, plan, inputs),
        Plan::Integer(_) => {
            let (answer, record) = record::record(plan, inputs.inputs());
            return Named { inputs, signals: all(record.signals), steps: Vec::new(), inner, lemmas, answer };
        }
    };
    inner.extend(inner::normalisation(fused, &stages));
    claim_least(stages.normalised.exponent, fused);
    lemmas.push(rounded_number(fused, stages.sum, &stages.normalised, stages.rounded, "packed_word".to_owned()));
    Named { inputs, signals: all(record.signals), steps: Vec::new(), inner, lemmas, answer: stages.packed }
}

/// The stages of a unit of one scheme.
fn on_terms<S: Scheme>(plan: &S::Plan, inputs: &InputTerms, record: &mut Record<Term>) -> S::Stages<Term> {
    let mut stages = S::stages(plan);
    S::evaluate(plan, inputs.inputs(), &mut stages, record);
    stages
}

/// Every signal that was recorded, with room for its numbers.
fn all(recorded: Vec<Recorded<Term>>) -> Vec<(Signal, Vec<Term>)> {
    let named = |Recorded { signal, values, .. }| {
        claim_room(&signal, &values);
        (signal, values)
    };
    recorded.into_iter().map(named).collect()
}

/// The terms of a list of steps.
fn links(unit: &Unit, plan: &StepsPlan, inputs: InputTerms) -> Named {
    let mut record = Record::default();
    let mut stages = Steps::stages(plan);
    let answer = Steps::evaluate(plan, inputs.inputs(), &mut stages, &mut record);
    let mut steps: Vec<_> = record.operations.into_iter().map(all).collect();
    for (link, stages) in plan.links.iter().zip(&stages.links) {
        if matches!(link.sum.kind, SumKind::Window { .. }) {
            let signals = &mut steps[link.place];
            let at = signals.iter().position(|(signal, _)| signal.name == "anchor").unwrap_or(0);
            signals.splice(at..at, exponents(link, stages));
            let behind = signals.iter().position(|(signal, _)| signal.name == "sum").map_or(0, |at| at + 1);
            if unit.build.target == Target::Asic {
                signals.insert(behind, sum_less(link, stages));
            }
        }
        if let SumKind::Window { rounding, .. } = link.sum.kind {
            let signals = &mut steps[link.place];
            let at = signals.iter().position(|(signal, _)| signal.name == "aligned").unwrap_or(0);
            signals.splice(at..at, rows(link, stages, rounding));
        }
    }
    let signals = all(record.signals);
    let answer = signals.iter().find(|(signal, _)| signal.name == "packed_word").map_or(answer, |(_, terms)| terms[0]);
    Named { inputs, signals, steps, inner: Vec::new(), lemmas: Vec::new(), answer }
}

/// The exponents of which an anchor is the greatest.
fn exponents(link: &LinkPlan, stages: &LinkStages<Term>) -> Vec<(Signal, Vec<Term>)> {
    let signal = |name, terms: Vec<Term>| {
        let (elements, width) = (terms.len() as u32, link.sum.exponent_width());
        (Signal { name, stage: Stage::Anchor, elements, width, signed: true }, terms)
    };
    let of = |addend: bool| {
        let all = link.terms.iter().zip(&stages.inputs).filter(|(term, _)| term.is_addend == addend);
        all.map(|(_, x)| x.exponent).collect::<Vec<Term>>()
    };
    let all = [signal("anchor_exponent", of(false)), signal("anchor_addend", of(true))];
    all.into_iter().filter(|(_, terms)| !terms.is_empty()).collect()
}

/// The sum less one, from which modules for standard cells choose the magnitude.
fn sum_less(link: &LinkPlan, stages: &LinkStages<Term>) -> (Signal, Vec<Term>) {
    let width = link.sum.width;
    let less = (stages.sum.total - Term::literal(1)).wrap(width);
    (Signal { name: "sum_less", stage: Stage::Sum, elements: 1, width, signed: true }, vec![less])
}

/// Aligned numbers as sums take them: what is added where a number is negative or rounded up, and the row that is left.
fn rows(link: &LinkPlan, stages: &LinkStages<Term>, rounding: Rounding) -> [(Signal, Vec<Term>); 2] {
    let plan = &link.sum;
    let of_term = |((x, term), &aligned): ((&Summand<Term>, &TermPlan), &Term)| {
        let up = Term::from_flag(number::up(x, stages.sum.anchor, rounding, plan, &term.align));
        let row = aligned - up.shift_left(term.align.spare_left);
        let _ = row.claim_within(Interval::signed(plan.aligned_width));
        (up, row)
    };
    let (ups, rows): (Vec<Term>, Vec<Term>) =
        stages.inputs.iter().zip(&link.terms).zip(&stages.aligned).map(of_term).unzip();
    let elements = ups.len() as u32;
    let signal = |name, width, signed| Signal { name, stage: Stage::Aligned, elements, width, signed };
    // A row follows from its number; what is added to it alone says less.
    [(signal("aligned_row", plan.aligned_width, true), rows), (signal("aligned_up", 1, false), ups)]
}

/// No text claims it, but packing needs it: the result's exponent is not below its least one.
fn claim_least(exponent: Term, plan: &FusedPlan) {
    let _ = exponent.claim_within(Interval { low: plan.result.exponent_min.into(), high: exponent.range().high });
}

/// The place of an element behind the name of its signal.
pub(super) fn place(count: usize, index: usize) -> String {
    if count > 1 { format!("[{index}]") } else { String::new() }
}

/// Two flags are the same.
fn same(one: TermFlag, other: TermFlag) -> Term {
    Term::from_flag(!(one ^ other))
}

/// A product is zero exactly where a factor is: the text asks the product, the netlist the factors. A normalised product is
/// another number than the one that is asked.
fn zero_products(plan: &FusedPlan, stages: &Stages<Term>, products: &[Product<Term>], serves: &str) -> Vec<Lemma> {
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
            serves: format!("{serves}{place}"),
        }
    };
    factors.enumerate().map(lemma).collect()
}

/// The exponent of a product is what its biased one says, and that one is 0 for a zero product alone.
fn biased_products(stages: &Stages<Term>, biased: &[BiasedTerm]) -> Vec<Lemma> {
    let count = biased.len();
    let lemmas = |(index, biased): (usize, &BiasedTerm)| {
        let own = place(count, index);
        let term = &stages.terms[index];
        let zero = |serves: String| Lemma {
            name: format!("zero of product_biased{own}, for {serves}"),
            holds: same(biased.signal.is_zero(), term.significand.is_zero()),
            about: biased.number,
            serves,
        };
        let aligned = place(stages.aligned.len(), index);
        let served = ["aligned_up", "aligned_row", "aligned"].map(|name| zero(format!("{name}{aligned}")));
        served.into_iter().chain([says(format!("product_biased{own}"), biased)]).collect::<Vec<_>>()
    };
    biased.iter().enumerate().flat_map(lemmas).collect()
}

/// A signal with a bias says its number.
fn says(signal: String, biased: &BiasedTerm) -> Lemma {
    Lemma {
        name: format!("number of {signal}"),
        holds: Term::from_flag(biased.number.equals(biased.decoded)),
        about: biased.number,
        serves: signal,
    }
}

/// A rounded number without a leading bit has the result's least exponent or is zero, and a zero has no bits and the sign plus.
fn rounded_number(plan: &FusedPlan, sum: Term, normalised: &Normalised<Term>, rounded: Term, serves: String) -> Lemma {
    let least = convert::field(normalised.exponent, plan).equals(Term::literal(1));
    let leading = !rounded.less_than(Term::literal(1 << plan.result.fraction_bits));
    let plus_zero = rounded.is_zero() & !normalised.negative;
    Lemma {
        name: format!("leading bit of rounded, for {serves}"),
        holds: Term::from_flag((leading | least | normalised.zero) & (!normalised.zero | plus_zero)),
        about: convert::magnitude(sum, plan),
        serves,
    }
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
