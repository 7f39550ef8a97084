//! The composition notices every way in which obligations do not make up a proof.

use std::collections::BTreeSet;

use tensorsmith::describe::unit::Unit;
use tensorsmith::prove::netlist::Bit;
use tensorsmith::prove::rtl::{self, Outcome, Problem, RtlProof, Step, StepKind, check};

use super::{needs_yosys, volta};

struct Whole {
    unit: Unit,
    problem: Problem,
    steps: Vec<Step>,
}

fn steps(proof: &RtlProof) -> Vec<Step> {
    let step = |obligation: &tensorsmith::prove::rtl::Obligation| Step {
        name: obligation.name.clone(),
        kind: obligation.kind,
        uses: obligation.uses.clone(),
        cells: obligation.cells.clone(),
        group: obligation.group.clone(),
        proved: matches!(obligation.outcome, Outcome::Proved(_)),
    };
    proof.obligations.iter().map(step).collect()
}

fn whole() -> Whole {
    let volta = volta();
    let problem =
        rtl::pair(&volta.unit, volta.problem.netlist.clone()).expect("netlist and text have the same signals");
    Whole { unit: volta.unit.clone(), problem, steps: steps(&volta.proof) }
}

/// The first gap after a change.
fn gap(whole: &Whole, change: impl FnOnce(&mut Vec<Step>)) -> String {
    let mut steps = whole.steps.clone();
    change(&mut steps);
    check(&whole.unit, &whole.problem, &steps).gaps.first().expect("the gap is noticed").clone()
}

fn place(steps: &[Step], name: &str) -> usize {
    steps.iter().position(|step| step.name == name).expect("a step of that name")
}

#[test]
fn gaps_between_obligations_are_noticed() {
    let Some(()) = needs_yosys("composition") else { return };
    let whole = whole();
    assert!(check(&whole.unit, &whole.problem, &whole.steps).gaps.is_empty());
    let has = |gap: String, what: &str| assert!(gap.contains(what), "{gap}");
    has(gap(&whole, |steps| drop(steps.remove(place(steps, "sum")))), "sum is not concluded");
    has(gap(&whole, |steps| steps.push(steps[steps.len() - 1].clone())), "is concluded 2 times");
    has(
        gap(&whole, |steps| {
            let at = place(steps, "sum");
            steps[at].proved = false
        }),
        "sum is not proved",
    );
    let late = |steps: &mut Vec<Step>| {
        let sum = steps.remove(place(steps, "sum"));
        steps.push(sum);
    };
    has(gap(&whole, late), "relies on sum, which is not concluded before it");
    has(
        gap(&whole, |steps| {
            let at = place(steps, "sum");
            steps[at].uses = BTreeSet::from(["rounded".to_owned()])
        }),
        "sum relies on rounded",
    );
    has(
        gap(&whole, |steps| {
            let at = place(steps, "aligned_row[2]");
            steps[at].cells.clear()
        }),
        "is in no obligation",
    );
    let shared = |steps: &mut Vec<Step>| {
        let cells = steps[place(steps, "aligned_row[2]")].cells.clone();
        let sum = place(steps, "sum");
        steps[sum].cells.extend(cells);
    };
    has(gap(&whole, shared), "is in several");
    has(gap(&whole, |steps| drop(steps.remove(0))), "claims are concluded, the text makes");
    let first_lemma = |steps: &[Step]| steps.iter().position(|step| step.kind == StepKind::Lemma).expect("a lemma");
    has(gap(&whole, |steps| drop(steps.remove(first_lemma(steps)))), "lemmas are concluded");
    has(
        gap(&whole, |steps| {
            let claim = steps.remove(0);
            steps.push(claim)
        }),
        "comes after what relies on it",
    );
}

#[test]
fn netlists_that_are_paired_wrongly_are_noticed() {
    let Some(()) = needs_yosys("composition-pairing") else { return };
    let Whole { unit, mut problem, steps } = whole();
    let has = |problem: &Problem, what: &str| {
        let gaps = check(&unit, problem, &steps).gaps;
        assert!(gaps.iter().any(|gap| gap.contains(what)), "{what}: {gaps:?}");
    };
    let cuts = problem.cuts.clone();
    let sum = cuts.iter().position(|cut| cut.name == "sum").expect("it has a sum");
    problem.cuts[sum].bits.swap(0, 1);
    has(&problem, "sum is concluded of other nets than those of that name");
    problem.cuts = cuts;
    let outputs = problem.netlist.outputs.clone();
    problem.netlist.outputs[0].1[3] = Bit::Zero;
    has(&problem, "output d_o is no signal that the text's answer is");
    problem.netlist.outputs = outputs;
    let inputs = problem.inputs.clone();
    problem.inputs.remove(0);
    has(&problem, "does not belong to one operand");
    problem.inputs = inputs;
    assert!(check(&unit, &problem, &steps).gaps.is_empty());
}
