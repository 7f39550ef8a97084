//! The terms of signals inside leaves: steps between the plan's signals, which the leaves name as the text computes them. What a
//! leaf does not name so is not cut.

use dashu_int::IBig;

use super::problem::{Biased, Cut, cut, group as stem, room};
use crate::compute::datapath::{Stages, Term as Product, align, convert};
use crate::compute::record::{Signal, Stage};
use crate::compute::word::Word as _;
use crate::compute::word::term::{Graph, Interval, Term, TermFlag};
use crate::describe::plan::FusedPlan;
use crate::prove::netlist::{Bit, Netlist};

/// A signal inside a leaf.
pub(super) struct Inner {
    /// The signal of the plan that follows from it.
    pub before: &'static str,
    signal: Signal,
    /// What it is proved together with.
    group: &'static str,
    terms: Vec<Term>,
    /// Its name in the netlist.
    place: String,
    /// Of each element, where it says a number of the text with a bias.
    biased: Vec<Biased>,
}

/// A number of the text and how a signal says it, as terms: the signal, and the number computed from it.
pub(super) struct BiasedTerm {
    pub number: Term,
    pub signal: Term,
    pub decoded: Term,
    bias: i64,
    zero: Option<i64>,
}

impl BiasedTerm {
    fn new(number: Term, zero: Option<(TermFlag, i64)>, bias: i64) -> BiasedTerm {
        let biased = number + Term::literal(bias);
        let signal = zero.map_or(biased, |(zero, _)| Term::select(zero, Term::literal(0), biased));
        let less = signal - Term::literal(bias);
        let decoded = zero.map_or(less, |(_, says)| Term::select(signal.is_zero(), Term::literal(says), less));
        BiasedTerm { number, signal, decoded, bias, zero: zero.map(|(_, says)| says) }
    }
}

/// Exponents of a fused unit as its modules bias them.
pub(super) struct BiasedExponents {
    pub products: Vec<BiasedTerm>,
    /// Of the addend, where there is one, and the anchor: those have a sign still.
    pub others: Vec<(&'static str, BiasedTerm)>,
}

impl BiasedExponents {
    pub fn of(plan: &FusedPlan, stages: &Stages<Term>) -> BiasedExponents {
        let bias = product_bias(plan);
        let (products, addend) = stages.terms.split_at(stages.unpacked_a.len());
        let product = |term: &Product<Term>| {
            BiasedTerm::new(term.exponent, Some((term.significand.is_zero(), plan.exponent_floor.into())), bias)
        };
        let addend = addend.iter().map(|term| ("biased_addend", term.exponent));
        let others = addend.chain([("biased_anchor", stages.anchor)]);
        BiasedExponents {
            products: products.iter().map(product).collect(),
            others: others.map(|(name, number)| (name, BiasedTerm::new(number, None, bias))).collect(),
        }
    }

    /// The signals that say these, as wide as the modules derive.
    pub fn signals(&self, plan: &FusedPlan) -> Vec<Inner> {
        let bias = product_bias(plan);
        let product_max = plan.a.exponent_max + plan.b.exponent_max + i32::from(plan.normalise_products);
        let product_width = Interval { low: IBig::ZERO, high: (i64::from(product_max) + bias).into() }.width();
        let anchor_max = plan.term_exponent_max.max(plan.exponent_floor);
        let [low, high] = [plan.term_exponent_min, anchor_max].map(|end| IBig::from(i64::from(end) + bias));
        let anchors = Interval { low, high };
        let anchor_width = (1..).find(|&width| anchors.lies_within(&Interval::signed(width))).unwrap_or_default();
        let products = Signal {
            name: "product_biased",
            stage: Stage::Product,
            elements: self.products.len() as u32,
            width: product_width,
            signed: false,
        };
        let other = |name| Signal { name, stage: Stage::Anchor, elements: 1, width: anchor_width, signed: true };
        let others = self.others.iter().map(|(name, term)| said(other(name), "anchor", std::slice::from_ref(term)));
        [said(products, "product_exponent", &self.products)].into_iter().chain(others).collect()
    }
}

/// Where a range does not show that a signal holds its numbers, that is claimed.
pub(super) fn claim_room(signal: &Signal, values: &[Term]) {
    for value in values {
        let _ = value.claim_within(room(signal));
    }
}

/// The signal that says some numbers with a bias.
fn said(signal: Signal, before: &'static str, terms: &[BiasedTerm]) -> Inner {
    let signals: Vec<Term> = terms.iter().map(|term| term.signal).collect();
    claim_room(&signal, &signals);
    let biased = |term: &BiasedTerm| Biased {
        number: term.number.node(),
        decoded: term.decoded.node(),
        bias: term.bias,
        zero: term.zero,
    };
    Inner {
        before,
        group: stem(signal.name),
        terms: signals,
        place: signal.name.to_owned(),
        biased: terms.iter().map(biased).collect(),
        signal,
    }
}

/// As the modules derive it: what makes the sum of two exponent fields of the sum of two exponents, and the least one of a normalised
/// product as much.
fn product_bias(plan: &FusedPlan) -> i64 {
    let normalised = if plan.normalise_products { i64::from(plan.product_width) - 2 } else { 0 };
    i64::from(plan.a.bias) + i64::from(plan.b.bias) + normalised
}

/// Magnitude and shift of the normalisation.
pub(super) fn normalisation(plan: &FusedPlan, stages: &Stages<Term>) -> Vec<Inner> {
    let magnitude = convert::magnitude(stages.sum, plan);
    let shift = convert::shift(magnitude, stages.anchor, plan);
    let count = u32::BITS - plan.normalised_width.leading_zeros();
    let inner = |name: &'static str, width, term, place: &str| Inner {
        before: "normalised_negative",
        signal: Signal { name, stage: Stage::Normalised, elements: 1, width, signed: false },
        group: "normalised",
        terms: vec![term],
        place: format!("u_normalise.{place}"),
        biased: Vec::new(),
    };
    let less = (stages.sum - Term::literal(1)).wrap(plan.sum_width);
    let mut all = vec![
        Inner {
            signal: Signal { name: "sum_less", stage: Stage::Sum, elements: 1, width: plan.sum_width, signed: true },
            group: "sum",
            place: "less".to_owned(),
            ..inner("sum_less", plan.sum_width, less, "")
        },
        inner("normalised_magnitude", plan.magnitude_width, magnitude, "magnitude"),
        inner("normalised_shift", count, shift, "shift"),
    ];
    let (signal, field) = field(plan, stages.normalised.exponent);
    all.push(Inner {
        before: "normalised_exponent",
        group: stem(signal.name),
        terms: vec![field],
        place: signal.name.to_owned(),
        signal,
        biased: Vec::new(),
    });
    all
}

/// The exponent field of a result whose significand's top bit is one.
pub(super) fn field(plan: &FusedPlan, exponent: Term) -> (Signal, Term) {
    let width = field_width(plan);
    let field = convert::field(exponent, plan);
    let _ = field.claim_within(Interval { low: IBig::ONE, ..Interval::unsigned(width) });
    (Signal { name: "normalised_field", stage: Stage::Normalised, elements: 1, width, signed: false }, field)
}

/// As the modules derive it.
fn field_width(plan: &FusedPlan) -> u32 {
    plan.exponent_width.max(plan.result.exponent_bits) + 1
}

/// Aligned terms as the sum takes them: what is added where a term is negative or rounded up, and the row that is left.
pub(super) fn rows(plan: &FusedPlan, stages: &Stages<Term>) -> [Inner; 2] {
    let last = stages.terms.len() - usize::from(plan.has_addend);
    let up = |(index, term): (usize, &Product<Term>)| {
        let place_left = if index < last { plan.term_place_left } else { plan.addend_place_left };
        Term::from_flag(align::up(stages.anchor - term.exponent, term, place_left, plan))
    };
    let ups: Vec<Term> = stages.terms.iter().enumerate().map(up).collect();
    let row = |(aligned, up): (&Term, &Term)| {
        let row = *aligned - *up;
        let _ = row.claim_within(Interval::signed(plan.aligned_width));
        row
    };
    let rows: Vec<Term> = stages.aligned.iter().zip(&ups).map(row).collect();
    let inner = |name, width, signed, terms: Vec<Term>| Inner {
        before: "aligned",
        signal: Signal { name, stage: Stage::Aligned, elements: terms.len() as u32, width, signed },
        group: "aligned",
        terms,
        place: format!("u_sum.{name}"),
        biased: Vec::new(),
    };
    [inner("aligned_up", 1, false, ups), inner("aligned_row", plan.aligned_width, true, rows)]
}

impl Inner {
    /// Its cuts; none where the netlist has no such signal, or the text's range does not fit it.
    pub fn cuts(&self, graph: &Graph, netlist: &Netlist) -> Vec<Cut> {
        let Inner { signal, terms, place, .. } = self;
        let bits = netlist.signal(place).filter(|bits| bits.len() == terms.len() * signal.width as usize);
        // A constant is not what it could be where another target is chosen.
        let is_net = |&bit: &Bit| matches!(netlist.resolve(bit), Bit::Net(_));
        let Some(bits) = bits.filter(|bits| bits.iter().any(is_net)) else { return Vec::new() };
        let all = bits.chunks(signal.width as usize).zip(terms).enumerate().map(|(index, (bits, term))| {
            let element = if signal.elements == 1 { String::new() } else { format!("[{index}]") };
            let [name, group] = [signal.name, self.group].map(|name| format!("{name}{element}"));
            let cut = cut(graph, name, group, bits, signal, term.node()).ok()?;
            Some(Cut { biased: self.biased.get(index).cloned(), ..cut })
        });
        all.collect::<Option<_>>().unwrap_or_default()
    }
}
