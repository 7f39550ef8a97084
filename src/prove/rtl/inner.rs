//! The terms of signals inside leaves: steps between the plan's signals, which the leaves name as the text computes them. What a
//! leaf does not name so is not cut.

use super::problem::{Cut, cut, group};
use crate::compute::datapath::{Stages, Term as Product, convert, scale};
use crate::compute::word::term::{Graph, Term};
use crate::describe::plan::{BlockScaledPlan, FusedPlan, Signal, Stage};
use crate::prove::netlist::Netlist;

/// A signal inside a leaf.
pub(super) struct Inner {
    /// The signal of the plan that follows from it.
    pub before: &'static str,
    signal: Signal,
    terms: Vec<Term>,
    /// Its name in each instance of the leaf.
    places: Vec<String>,
}

/// Magnitude and shift of the normalisation.
pub(super) fn normalisation(plan: &FusedPlan, stages: &Stages<Term>) -> Vec<Inner> {
    let cut = plan.signals.iter().any(|signal| signal.name == "total_exponent");
    let magnitude = convert::magnitude(stages.sum, plan);
    let shift = convert::shift(magnitude, stages.anchor, plan);
    let count = u32::BITS - plan.normalised_width.leading_zeros();
    let inner = |name: &'static str, width, term, place: &str| Inner {
        before: if cut { "total_exponent" } else { "normalised_negative" },
        signal: Signal { name, stage: Stage::Normalised, elements: 1, width, signed: false },
        terms: vec![term],
        places: vec![format!("u_normalise.{place}")],
    };
    vec![
        inner("normalised_magnitude", plan.magnitude_width, magnitude, "magnitude"),
        inner("normalised_shift", count, shift, "shift"),
    ]
}

/// Products and sums of groups as fixed-point numbers.
pub(super) fn groups(plan: &BlockScaledPlan, products: &[Product<Term>]) -> Vec<Inner> {
    let Some(group) = &plan.group else { return Vec::new() };
    let chunks = || products.chunks_exact(group.products as usize);
    let inner = |name: &'static str, width, terms: Vec<Term>, place: &str| Inner {
        before: "group_negative",
        signal: Signal { name, stage: Stage::Product, elements: terms.len() as u32, width, signed: true },
        terms,
        places: (0..chunks().len())
            .map(|index| format!("gen_grouped.gen_group[{index}].u_group_sum.{place}"))
            .collect(),
    };
    let fixed = products.iter().map(|product| scale::fixed(product, plan, group)).collect();
    let totals = chunks().map(|products| scale::total(products, plan, group)).collect();
    let width = 1 + plan.fused.product_width + group.span;
    vec![inner("fixed_product", width, fixed, "addends"), inner("group_total", group.sum_width, totals, "sum")]
}

impl Inner {
    /// Its cuts; none where the netlist has no such signal, or the text's range does not fit it.
    pub fn cuts(&self, graph: &Graph, netlist: &Netlist) -> Vec<Cut> {
        let Inner { signal, terms, places, .. } = self;
        let of_place = terms.len() / places.len();
        let mut cuts = Vec::new();
        for (place, (path, terms)) in places.iter().zip(terms.chunks(of_place)).enumerate() {
            let bits = netlist.signal(path).filter(|bits| bits.len() == of_place * signal.width as usize);
            let Some(bits) = bits else { return Vec::new() };
            for (index, (bits, term)) in bits.chunks(signal.width as usize).zip(terms).enumerate() {
                let element = match signal.elements {
                    1 => String::new(),
                    _ => format!("[{}]", place * of_place + index),
                };
                let names = [signal.name, group(signal.name)].map(|name| format!("{name}{element}"));
                let [name, group] = names;
                match cut(graph, name, group, bits, signal, term.node()) {
                    Ok(cut) => cuts.push(cut),
                    Err(_) => return Vec::new(),
                }
            }
        }
        cuts
    }
}
