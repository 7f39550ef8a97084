//! Both sides of a unit and where they are cut: the netlist's named signals beside the stages of the datapath text.

use std::collections::BTreeSet;

use super::named::{self, named, place};
use crate::compute::record::{Signal, Stage};
use crate::compute::word::term::{Graph, Interval, Node, NodeId, Term};
use crate::describe::plan::Plan;
use crate::describe::unit::{Flags, Unit};
use crate::emit::instance;
use crate::prove::InputTerms;
use crate::prove::netlist::{Bit, Netlist};

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
    /// Operands have none.
    pub stage: Option<Stage>,
    /// Where it says another number of the text with a bias.
    pub biased: Option<Biased>,
}

/// How a signal says a number of the text: with a bias, so that its bits need no sign, and with 0 left for a number that counts as
/// another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Biased {
    pub number: NodeId,
    /// The number as the text would compute it from the signal; a lemma says that it is the same.
    pub decoded: NodeId,
    pub bias: i64,
    /// What 0 says.
    pub zero: Option<i64>,
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
    /// The result, without flags.
    pub answer: NodeId,
}

/// Pairs the netlist of a unit with its text.
///
/// # Errors
/// A signal is missing in the netlist or has another width there, or a port has no counterpart.
pub fn pair(unit: &Unit, netlist: Netlist) -> Result<Problem, String> {
    let plan = Plan::of(unit);
    let (graph, named) = Graph::build(|| named(unit, &plan));
    let mut expected = vec![("d_o", unit.formats.d.width() as usize)];
    if unit.conversion.flags {
        expected.push(("flags_o", Flags::WIDTH as usize));
    }
    let mut outputs: Vec<(&str, usize)> =
        netlist.outputs.iter().map(|(port, bits)| (port.as_str(), bits.len())).collect();
    outputs.sort_unstable();
    if outputs != expected {
        return Err(format!("output ports and widths are {outputs:?}; the unit has {expected:?}"));
    }
    let mut inputs = Vec::new();
    for (port, bits) in &netlist.inputs {
        inputs.extend(input(&graph, port, bits, &named.inputs)?);
    }
    let mut cuts = Vec::new();
    for (signal, values) in &named.signals {
        let inner = named.inner.iter().filter(|inner| inner.before == signal.name);
        cuts.extend(inner.flat_map(|inner| inner.cuts(&graph, &netlist)));
        let bits = netlist.signal(signal.name).ok_or_else(|| format!("the netlist has no signal {}", signal.name))?;
        if bits.len() != (signal.elements * signal.width) as usize {
            let expected = signal.elements * signal.width;
            return Err(format!("signal {}: {} bits in the netlist, {expected} in the plan", signal.name, bits.len()));
        }
        if signal.name == RESULT {
            let prefixes = operations(&plan, &netlist);
            for (index, (step, prefix)) in named.steps.iter().zip(&prefixes).enumerate() {
                cuts.extend(inside(&graph, &netlist, (index, &format!("step[{index}]"), prefix), step)?);
            }
        }
        for (index, (bits, term)) in bits.chunks(signal.width as usize).zip(values).enumerate() {
            let place = place(signal.elements as usize, index);
            let group = format!("{}{place}", group(signal.name));
            cuts.push(cut(&graph, format!("{}{place}", signal.name), group, bits, signal, term.node())?);
        }
    }
    let lemma = |lemma: &named::Lemma| Lemma {
        name: lemma.name.clone(),
        holds: lemma.holds.node(),
        about: lemma.about.node(),
        serves: lemma.serves.clone(),
    };
    let lemmas = named.lemmas.iter().map(lemma).collect();
    Ok(Problem { netlist, graph, inputs, cuts, lemmas, terms: named.inputs, answer: named.answer.node() })
}

pub(super) fn cut(
    graph: &Graph,
    name: String,
    group: String,
    bits: &[Bit],
    signal: &Signal,
    node: NodeId,
) -> Result<Cut, String> {
    fits(graph, node, signal)?;
    Ok(Cut { name, group, bits: bits.to_vec(), node, signed: signal.signed, stage: Some(signal.stage), biased: None })
}

/// The text of a unit alone, with the same cuts but no netlist: what is claimed of it can be proved, and its answer be compared
/// with another netlist's.
///
/// # Errors
/// The text's ranges do not fit its signals.
pub fn text(unit: &Unit) -> Result<Problem, String> {
    let plan = Plan::of(unit);
    let (graph, named) = Graph::build(|| named(unit, &plan));
    let nothing = |width: u32| vec![Bit::Undefined; width as usize];
    let terms = &named.inputs;
    let c = std::slice::from_ref(&terms.c);
    let c = if unit.has_addend() { c } else { &[] };
    let ports = [
        ("a_i", &terms.a[..]),
        ("b_i", &terms.b),
        ("scale_a_i", &terms.scale_a),
        ("scale_b_i", &terms.scale_b),
        ("c_i", c),
    ];
    let mut inputs = Vec::new();
    for (port, terms) in ports.into_iter().filter(|(_, terms)| !terms.is_empty()) {
        let width = terms.iter().map(|term| graph.range(term.node()).width()).sum();
        inputs.extend(input(&graph, port, &nothing(width), &named.inputs)?);
    }
    let mut cuts = Vec::new();
    for (signal, values) in &named.signals {
        let is_result = signal.name == RESULT;
        for (inner, _, term, name) in
            named.steps.iter().enumerate().filter(|_| is_result).flat_map(|(index, step)| elements(index, step))
        {
            cuts.push(cut(&graph, name, group(signal.name).to_owned(), &nothing(inner.width), inner, term.node())?);
        }
        for (index, term) in values.iter().enumerate() {
            let place = place(values.len(), index);
            let group = format!("{}{place}", group(signal.name));
            let name = format!("{}{place}", signal.name);
            cuts.push(cut(&graph, name, group, &nothing(signal.width), signal, term.node())?);
        }
    }
    let (netlist, lemmas) = (Netlist::default(), Vec::new());
    Ok(Problem { netlist, graph, inputs, cuts, lemmas, terms: named.inputs, answer: named.answer.node() })
}

/// The signal of a list's result, behind all its operations.
const RESULT: &str = "packed_word";

/// How the names of each operation of a list begin in the netlist. A loop's links are counted from its first one.
fn operations(plan: &Plan, netlist: &Netlist) -> Vec<String> {
    let Plan::Steps(plan) = plan else { return Vec::new() };
    let first_of_loop = |name: &String| name.strip_prefix("gen_link_")?.split('[').next()?.parse().ok();
    let loops: BTreeSet<usize> = netlist.signals.keys().filter_map(first_of_loop).collect();
    let mut prefixes = Vec::new();
    for (index, link) in plan.links.iter().enumerate() {
        let first = loops.range(..=index).next_back().copied().unwrap_or(index);
        let own = format!("gen_link_{first}[{}].", index - first);
        let scales = link.scale.iter().map(|_| format!("{own}gen_scaled."));
        let rounds = (0..link.rounds.len()).map(|round| format!("{own}gen_round_{round}."));
        prefixes.push(own.clone());
        prefixes.extend(scales.chain(rounds));
    }
    prefixes
}

/// Every element of what an operation names, with its name in the proof.
fn elements(index: usize, step: &[(Signal, Vec<Term>)]) -> impl Iterator<Item = (&Signal, usize, Term, String)> {
    step.iter().flat_map(move |(signal, terms)| {
        let name = move |element| format!("step[{index}].{}{}", signal.name, place(terms.len(), element));
        terms.iter().enumerate().map(move |(element, term)| (signal, element, *term, name(element)))
    })
}

/// The signals that the module of one operation names as the text does. What it does not name is not cut.
fn inside<'n>(
    graph: &Graph,
    netlist: &'n Netlist,
    (index, group, prefix): (usize, &str, &str),
    step: &[(Signal, Vec<Term>)],
) -> Result<Vec<Cut>, String> {
    let of_unit =
        |name: &'n String| name.strip_prefix(instance::NAME).map_or(&name[..], |name| name.trim_start_matches('.'));
    let mut names: Vec<&str> = netlist.signals.keys().map(of_unit).filter(|name| name.starts_with(prefix)).collect();
    names.sort_by_key(|name| (name.matches('.').count(), *name));
    let mut cuts = Vec::new();
    for (signal, element, term, name) in elements(index, step) {
        let suffix = format!(".{}", signal.name);
        let found = names.iter().find(|name| name.ends_with(&suffix)).and_then(|name| netlist.signal(name));
        let Some(bits) = found.filter(|bits| bits.len() == (signal.elements * signal.width) as usize) else { continue };
        let own = bits.chunks(signal.width as usize).nth(element).unwrap_or_default();
        cuts.push(cut(graph, name, group.to_owned(), own, signal, term.node())?);
    }
    Ok(cuts)
}

/// What signals of one leaf have in common in their names.
pub(super) fn group(signal: &str) -> &str {
    const STEMS: [&str; 7] = ["unpacked_a", "unpacked_b", "unpacked_c", "scale", "product", "normalised", "special"];
    STEMS.into_iter().find(|stem| signal.strip_prefix(stem).is_some_and(|rest| rest.starts_with('_'))).unwrap_or(signal)
}

/// The range of a node with every claim that was made of it.
fn narrowed(graph: &Graph, node: NodeId) -> Interval {
    let claims = graph.claims().iter().filter(|claim| claim.of == node);
    claims.fold(graph.range(node).clone(), |range, claim| range.intersection(&claim.range).unwrap_or(range))
}

/// The numbers that the bits of a signal can say.
pub(super) fn room(signal: &Signal) -> Interval {
    if signal.signed { Interval::signed(signal.width) } else { Interval::unsigned(signal.width) }
}

/// The ranges of the text have to fit the signal: only then do its bits say the number.
fn fits(graph: &Graph, node: NodeId, signal: &Signal) -> Result<(), String> {
    let range = narrowed(graph, node);
    match range.lies_within(&room(signal)) {
        true => Ok(()),
        false => Err(format!("signal {}: the text's range {range:?} does not fit it", signal.name)),
    }
}

fn input(graph: &Graph, port: &str, bits: &[Bit], terms: &InputTerms) -> Result<Vec<Cut>, String> {
    let c = std::slice::from_ref(&terms.c);
    let (name, terms) = match port {
        "a_i" => ("a", &terms.a[..]),
        "b_i" => ("b", &terms.b[..]),
        "c_i" => ("c", c),
        "scale_a_i" => ("scale_a", &terms.scale_a[..]),
        "scale_b_i" => ("scale_b", &terms.scale_b[..]),
        "clk_i" | "ce_i" => {
            return Err(format!(
                "the files have registers (input {port}), and the unit has none; allowed: the unit file that was emitted with them"
            ));
        }
        _ => return Err(format!("input {port} of the netlist has no counterpart in the text")),
    };
    if terms.is_empty() || !bits.len().is_multiple_of(terms.len()) {
        return Err(format!("input {port}: {} bits for {} operands", bits.len(), terms.len()));
    }
    let width = bits.len() / terms.len();
    if terms.iter().any(|term| *graph.range(term.node()) != Interval::unsigned(width as u32)) {
        return Err(format!("input {port}: {width} bits an operand, which is not the width of its format"));
    }
    let cut = |(index, (bits, term)): (usize, (&[Bit], &Term))| {
        let name = if terms.len() > 1 { format!("{name}[{index}]") } else { name.to_owned() };
        Cut {
            group: name.clone(),
            name,
            bits: bits.to_vec(),
            node: term.node(),
            signed: false,
            stage: None,
            biased: None,
        }
    };
    Ok(bits.chunks(width).zip(terms).enumerate().map(cut).collect())
}

impl Problem {
    /// The range of a node with every claim that was made of it.
    pub fn range(&self, node: NodeId) -> Interval {
        narrowed(&self.graph, node)
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
}
