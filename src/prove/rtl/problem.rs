//! Both sides of a unit and where they are cut: the netlist's named signals beside the stages of the datapath text.

use std::collections::HashMap;

use crate::compute::datapath::{Stages, schemes};
use crate::compute::signals;
use crate::compute::word::Word as _;
use crate::compute::word::term::{Graph, Interval, Node, NodeId, Term};
use crate::describe::plan::{FusedPlan, Plan, Signal};
use crate::describe::unit::Unit;
use crate::prove::netlist::{Bit, Netlist};
use crate::prove::{InputTerms, UnitTerms};

/// A signal's element on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// `product_exponent[3]`.
    pub name: String,
    /// What it is proved together with: `product[3]`.
    pub group: String,
    /// In the netlist, ports resolved.
    pub bits: Vec<Bit>,
    /// In the text.
    pub node: NodeId,
    pub signed: bool,
}

/// A flag of the text that always holds and that a signal's proof needs.
#[derive(Debug, Clone)]
pub struct Lemma {
    pub name: String,
    pub holds: NodeId,
    /// The node that it is about, which is not cut where the lemma is proved.
    pub about: NodeId,
    /// The signal that is proved with it.
    pub serves: String,
}

/// What is to be proved.
pub struct Problem {
    pub netlist: Netlist,
    pub graph: Graph,
    pub inputs: Vec<Cut>,
    /// In datapath order: each is computed from inputs and those before it.
    pub cuts: Vec<Cut>,
    pub lemmas: Vec<Lemma>,
    pub terms: InputTerms,
}

/// A signal beside those of the plan, and the one that it follows.
struct Extra {
    after: &'static str,
    name: &'static str,
    values: Vec<Term>,
}

/// Terms of a unit's named signals.
struct Named {
    inputs: InputTerms,
    signals: Vec<(Signal, Vec<Term>)>,
    lemmas: Vec<(String, Term, Term, String)>,
}

/// Pairs the netlist of a unit with its text.
///
/// # Errors
/// A signal is missing in the netlist or has another width there, or a port has no counterpart.
pub fn pair(unit: &Unit, netlist: Netlist) -> Result<Problem, String> {
    let plan = Plan::of(unit);
    let (graph, named) = Graph::build(|| named(unit, &plan));
    let mut inputs = Vec::new();
    for (port, bits) in &netlist.inputs {
        inputs.extend(input(port, bits, &named.inputs)?);
    }
    let mut cuts = Vec::new();
    for (signal, values) in &named.signals {
        let bits = netlist.signal(signal.name).ok_or_else(|| format!("the netlist has no signal {}", signal.name))?;
        if bits.len() != (signal.elements * signal.width) as usize {
            let expected = signal.elements * signal.width;
            return Err(format!("signal {}: {} bits in the netlist, {expected} in the plan", signal.name, bits.len()));
        }
        for (index, (bits, term)) in bits.chunks(signal.width as usize).zip(values).enumerate() {
            let node = term.node();
            fits(&graph, node, signal)?;
            let place = if signal.elements > 1 { format!("[{index}]") } else { String::new() };
            cuts.push(Cut {
                name: format!("{}{place}", signal.name),
                group: format!("{}{place}", group(signal.name)),
                bits: bits.to_vec(),
                node,
                signed: signal.signed,
            });
        }
    }
    let lemma = |(name, holds, about, serves): &(String, Term, Term, String)| Lemma {
        name: name.clone(),
        holds: holds.node(),
        about: about.node(),
        serves: serves.clone(),
    };
    let lemmas = named.lemmas.iter().map(lemma).collect();
    Ok(Problem { netlist, graph, inputs, cuts, lemmas, terms: named.inputs })
}

/// What signals of one leaf have in common in their names.
fn group(signal: &str) -> &str {
    const STEMS: [&str; 12] = [
        "unpacked_a",
        "unpacked_b",
        "unpacked_c",
        "unpacked_left",
        "unpacked_scale_a",
        "unpacked_scale_b",
        "product",
        "group",
        "scaled",
        "dot",
        "normalised",
        "special",
    ];
    STEMS.into_iter().find(|stem| signal.strip_prefix(stem).is_some_and(|rest| rest.starts_with('_'))).unwrap_or(signal)
}

/// The ranges of the text have to fit the signal: only then do its bits say the number.
fn fits(graph: &Graph, node: NodeId, signal: &Signal) -> Result<(), String> {
    let room = if signal.signed { Interval::signed(signal.width) } else { Interval::unsigned(signal.width) };
    match graph.range(node).lies_within(&room) {
        true => Ok(()),
        false => Err(format!("signal {}: the text's range {:?} does not fit it", signal.name, graph.range(node))),
    }
}

fn input(port: &str, bits: &[Bit], terms: &InputTerms) -> Result<Vec<Cut>, String> {
    let c = std::slice::from_ref(&terms.c);
    let (name, terms) = match port {
        "a_i" => ("a", &terms.a[..]),
        "b_i" => ("b", &terms.b[..]),
        "c_i" => ("c", c),
        "scale_a_i" => ("scale_a", &terms.scale_a[..]),
        "scale_b_i" => ("scale_b", &terms.scale_b[..]),
        _ => return Err(format!("input {port} of the netlist has no counterpart in the text")),
    };
    if terms.is_empty() || bits.len() % terms.len() != 0 {
        return Err(format!("input {port}: {} bits for {} operands", bits.len(), terms.len()));
    }
    let width = bits.len() / terms.len();
    let cut = |(index, (bits, term)): (usize, (&[Bit], &Term))| {
        let name = if terms.len() > 1 { format!("{name}[{index}]") } else { name.to_owned() };
        Cut { group: name.clone(), name, bits: bits.to_vec(), node: term.node(), signed: false }
    };
    Ok(bits.chunks(width).zip(terms).enumerate().map(cut).collect())
}

/// The terms of a unit, in the graph that is being built.
fn named(unit: &Unit, plan: &Plan) -> Named {
    let inputs = InputTerms::new(unit);
    let Plan::Fused(fused) = plan else {
        let terms = UnitTerms::on(plan, inputs);
        return Named { inputs: terms.inputs, signals: terms.signals, lemmas: Vec::new() };
    };
    let mut stages = Stages::new(fused.products);
    schemes::fused::evaluate(fused, inputs.inputs(), &mut stages);
    let values = signals::fused(fused, &stages);
    let signals = with_extras(fused.signals.iter().cloned().zip(values).collect(), extras(fused, &stages));
    let lemmas = if fused.normalise_products { Vec::new() } else { zero_products(&stages) };
    Named { inputs, signals, lemmas }
}

/// A product is zero exactly where a factor is: the text asks the product, the netlist the factors.
fn zero_products(stages: &Stages<Term>) -> Vec<(String, Term, Term, String)> {
    let mut lemmas = Vec::new();
    for (index, (a, b)) in stages.unpacked_a.iter().zip(&stages.unpacked_b).enumerate() {
        let product = stages.terms[index].significand;
        let same = !(product.is_zero() ^ (a.significand.is_zero() | b.significand.is_zero()));
        let place = if stages.unpacked_a.len() > 1 { format!("[{index}]") } else { String::new() };
        let name = format!("zero of product_significand{place}");
        lemmas.push((name, Term::from_flag(same), product, format!("product_exponent{place}")));
    }
    lemmas
}

/// Signals that the modules name and the plan does not.
fn extras(plan: &FusedPlan, stages: &Stages<Term>) -> Vec<Extra> {
    let zeros = |operands: &[crate::compute::datapath::Unpacked<Term>]| {
        operands.iter().map(|operand| Term::from_flag(operand.zero)).collect()
    };
    let mut extras = vec![
        Extra { after: "unpacked_a_nan", name: "unpacked_a_zero", values: zeros(&stages.unpacked_a) },
        Extra { after: "unpacked_b_nan", name: "unpacked_b_zero", values: zeros(&stages.unpacked_b) },
        Extra {
            after: "normalised_significand",
            name: "normalised_zero",
            values: vec![Term::from_flag(stages.normalised.zero)],
        },
        Extra {
            after: "special_nan",
            name: "special_negative",
            values: vec![Term::from_flag(stages.special.negative)],
        },
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

/// The plan's signals with the others, products' significands before their exponents.
fn with_extras(signals: Vec<(Signal, Vec<Term>)>, extras: Vec<Extra>) -> Vec<(Signal, Vec<Term>)> {
    let mut all: Vec<(Signal, Vec<Term>)> = Vec::new();
    for (signal, values) in signals {
        let (name, stage) = (signal.name, signal.stage);
        let before =
            name == "product_significand" && all.last().is_some_and(|(last, _)| last.name == "product_exponent");
        let place = all.len() - usize::from(before);
        all.insert(place, (signal, values));
        for extra in extras.iter().filter(|extra| extra.after == name) {
            let elements = extra.values.len() as u32;
            let signal = Signal { name: extra.name, stage, elements, width: 1, signed: false };
            all.push((signal, extra.values.clone()));
        }
    }
    all
}

impl Problem {
    /// The range of a node with every claim that was made of it.
    pub fn range(&self, node: NodeId) -> Interval {
        let claims = self.graph.claims().iter().filter(|claim| claim.of == node);
        claims.fold(self.graph.range(node).clone(), |range, claim| range.intersection(&claim.range).unwrap_or(range))
    }

    /// The nodes that have the number of a node: what it is a claim about, and the flag that it is 1 for.
    pub fn same(&self, node: NodeId) -> Vec<(NodeId, bool)> {
        let mut all = vec![(node, false)];
        let is = |id: NodeId, value: u8| self.graph.range(id).only().is_some_and(|only| *only == value.into());
        loop {
            let (last, inverted) = all[all.len() - 1];
            match *self.graph.node(last) {
                Node::Claimed(of, _) => all.push((of, inverted)),
                Node::Select { flag, yes, no } if is(yes, 1) && is(no, 0) => all.push((flag, inverted)),
                Node::Not(of) => all.push((of, !inverted)),
                _ => return all,
            }
        }
    }

    /// Cuts by the nodes that they stand for.
    pub fn by_node(&self, cuts: &[Cut]) -> HashMap<NodeId, usize> {
        let mut places = HashMap::new();
        for (index, cut) in cuts.iter().enumerate() {
            places.entry(cut.node).or_insert(index);
        }
        places
    }
}
