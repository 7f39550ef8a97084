//! Whether proved obligations make up a proof of the whole: checked anew, from names, nets and cells alone.
//!
//! It trusts no obligation's own account of where it belongs: what has to be there is read from plan and netlist.

use std::collections::{BTreeMap, BTreeSet};

use super::problem::{Cut, Problem};
use crate::compute::record::{Signal, signals};
use crate::describe::unit::Unit;
use crate::prove::netlist::{Bit, Driver};

/// An obligation as the composition sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What it concludes: a signal's element, a claim, a lemma.
    pub name: String,
    pub kind: StepKind,
    /// Signals whose conclusions it relies on.
    pub uses: BTreeSet<String>,
    /// Cells of the netlist that it speaks about, and the instance or signal that they belong to.
    pub cells: BTreeSet<usize>,
    pub group: String,
    pub proved: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepKind {
    /// Of the text: a number lies in a range. These come first, each resting on earlier nodes only.
    Claim,
    /// Of the text: a flag holds.
    Lemma,
    /// A signal of the netlist has the number of the text.
    Signal,
}

/// What the composition found.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Composition {
    /// Why the obligations do not make up a proof; empty if they do.
    pub gaps: Vec<String>,
    /// Cells that the outputs depend on, all of which are covered if there is no gap.
    pub cells: usize,
    /// Cells that no output depends on: lint's, of unused bits.
    pub unused_cells: usize,
}

/// Checks that the steps prove every named signal and every output of the netlist, each once, in order, and that every
/// cell that an output depends on was looked at for one stage.
pub fn check(unit: &Unit, problem: &Problem, steps: &[Step]) -> Composition {
    let mut gaps = Vec::new();
    signals_are_covered(&signals(unit), problem, steps, &mut gaps);
    inputs_are_covered(problem, &mut gaps);
    outputs_are_covered(problem, &mut gaps);
    steps_are_in_order(problem, steps, &mut gaps);
    let netlist = &problem.netlist;
    let live = netlist.cone(netlist.outputs.iter().flat_map(|(_, bits)| bits.iter().copied()));
    cells_are_covered(problem, steps, &live, &mut gaps);
    let cells = live.iter().filter(|live| **live).count();
    Composition { gaps, cells, unused_cells: live.len() - cells }
}

/// Names of a signal's elements.
fn elements(signal: &Signal) -> impl Iterator<Item = String> + '_ {
    let name = |index| if signal.elements > 1 { format!("{}[{index}]", signal.name) } else { signal.name.to_owned() };
    (0..signal.elements).map(name)
}

/// Every element of every signal of the unit is concluded once, about the nets that bear its name.
fn signals_are_covered(signals: &[Signal], problem: &Problem, steps: &[Step], gaps: &mut Vec<String>) {
    let mut concluded: BTreeMap<&str, usize> = BTreeMap::new();
    for step in steps.iter().filter(|step| step.kind == StepKind::Signal) {
        *concluded.entry(&step.name).or_default() += 1;
    }
    for name in problem.cuts.iter().map(|cut| &cut.name) {
        match concluded.remove(name.as_str()) {
            Some(1) => {}
            Some(times) => gaps.push(format!("{name} is concluded {times} times")),
            None => gaps.push(format!("{name} is not concluded")),
        }
    }
    gaps.extend(concluded.keys().map(|name| format!("{name} is concluded, but is no signal of the problem")));
    for signal in signals {
        let Some(bits) = problem.netlist.signal(signal.name) else {
            gaps.push(format!("the netlist has no signal {}", signal.name));
            continue;
        };
        for (name, bits) in elements(signal).zip(bits.chunks(signal.width as usize)) {
            let cuts: Vec<&Cut> = problem.cuts.iter().filter(|cut| cut.name == name).collect();
            match cuts[..] {
                [cut] if cut.bits == bits => {}
                [_] => gaps.push(format!("{name} is concluded of other nets than those of that name")),
                _ => gaps.push(format!("{name} is {} times among the signals", cuts.len())),
            }
        }
    }
}

/// Every bit of every input port belongs to one operand.
fn inputs_are_covered(problem: &Problem, gaps: &mut Vec<String>) {
    let mut given: BTreeMap<u32, usize> = BTreeMap::new();
    for bit in problem.inputs.iter().flat_map(|cut| &cut.bits) {
        if let Bit::Net(net) = bit {
            *given.entry(*net).or_default() += 1;
        }
    }
    for (net, driver) in problem.netlist.drivers.iter().enumerate() {
        if *driver == Driver::Input && given.get(&(net as u32)) != Some(&1) {
            gaps.push(format!("input net {net} does not belong to one operand"));
        }
    }
}

/// Every output port is the signal that the answer of the text is.
fn outputs_are_covered(problem: &Problem, gaps: &mut Vec<String>) {
    for (port, bits) in &problem.netlist.outputs {
        let bits: Vec<Bit> = bits.iter().map(|&bit| problem.netlist.resolve(bit)).collect();
        let is_answer = |cut: &&Cut| match port.as_str() {
            "d_o" => cut.node == problem.answer,
            "flags_o" => cut.name == "flags",
            _ => false,
        };
        if !problem.cuts.iter().filter(is_answer).any(|cut| cut.bits == bits) {
            gaps.push(format!("output {port} is no signal that the text's answer is"));
        }
    }
}

/// Claims come first, and every signal relies on inputs and on signals that were concluded before it.
fn steps_are_in_order(problem: &Problem, steps: &[Step], gaps: &mut Vec<String>) {
    let mut concluded: BTreeSet<&str> = problem.inputs.iter().map(|cut| cut.name.as_str()).collect();
    let mut last = StepKind::Claim;
    for step in steps {
        if !step.proved {
            gaps.push(format!("{} is not proved", step.name));
        }
        if step.kind < last {
            gaps.push(format!("{} comes after what relies on it", step.name));
        }
        last = step.kind;
        // Claims and lemmas speak about the text alone, where a signal's value is its term.
        if step.kind == StepKind::Signal {
            let missing = step.uses.iter().filter(|used| !concluded.contains(used.as_str()));
            gaps.extend(
                missing.map(|used| format!("{} relies on {used}, which is not concluded before it", step.name)),
            );
            concluded.insert(&step.name);
        }
    }
    let claims = problem.graph.claims().iter().filter(|claim| !claim.shown).count();
    let proved = steps.iter().filter(|step| step.kind == StepKind::Claim).count();
    if claims != proved {
        gaps.push(format!("{proved} claims are concluded, the text makes {claims}"));
    }
    let lemmas = steps.iter().filter(|step| step.kind == StepKind::Lemma).count();
    if lemmas != problem.lemmas.len() {
        gaps.push(format!("{lemmas} lemmas are concluded, {} are used", problem.lemmas.len()));
    }
}

/// Every cell that an output depends on was looked at for exactly one stage's element.
fn cells_are_covered(problem: &Problem, steps: &[Step], live: &[bool], gaps: &mut Vec<String>) {
    let mut groups: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for step in steps {
        for &cell in &step.cells {
            groups.entry(cell).or_default().insert(&step.group);
        }
    }
    for (index, cell) in problem.netlist.cells.iter().enumerate() {
        match (live[index], groups.get(&index)) {
            (true, None) => gaps.push(format!("{} ({}) is in no obligation", cell.path, cell.source)),
            (true, Some(groups)) if groups.len() > 1 => {
                gaps.push(format!("{} ({}) is in several: {groups:?}", cell.path, cell.source));
            }
            _ => {}
        }
    }
}
