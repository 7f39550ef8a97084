//! Inferences that a solver takes part in: what no vector is found to tell apart is decided for all inputs.

use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Composed, Emulator};
use tensorsmith::infer::{Decide, Decision, Finding, Options, Outcome, infer};
use tensorsmith::prove::Prover;
use tensorsmith::prove::hypotheses::{decide, decider};

use crate::prove::shared::long_tier;
use crate::prove::support::prover;

fn hidden() -> Unit {
    Unit::from_toml("only-a-solver-tells.toml", include_str!("only-a-solver-tells.toml")).expect("a unit file")
}

/// What is found of the unit, with a solver or without one.
fn found(prover: Option<&Prover>) -> Finding {
    let unit = hidden();
    let options = Options { confirm: 100_000, search: 50_000, ..Options::default() };
    let decide = prover.map(decider);
    let decide = decide.as_ref().map(|decide| decide as Decide);
    let interface = unit.interface();
    match infer(&mut Emulator::new(&unit), interface, &Composed::emulated_wide, decide, options) {
        Ok(Outcome::Found(finding)) => *finding,
        other => panic!("{other:?}"),
    }
}

/// Vectors that are drawn do not show a window of 36 bits, and what is found without a solver is another unit. In the long tier
/// only: inferences that ask a solver have shorter tests too.
#[test]
fn window_that_only_a_solver_tells_is_found() {
    if !long_tier() {
        return;
    }
    let Some(prover) = prover() else { return };
    let own = Instruction::alone(hidden());
    let without = found(None).hypothesis;
    let decision = decide(&own, &without, &prover).expect("confirmed");
    assert!(matches!(decision, Decision::Refuted(_)), "{decision:?}");

    let finding = found(Some(&prover));
    let decision = decide(&own, &finding.hypothesis, &prover).expect("confirmed");
    assert_eq!(decision, Decision::Proved(format!("proved for all inputs by {}", prover.solver.identity())));
    let indistinguishable = finding.parameters.iter().flat_map(|parameter| &parameter.indistinguishable);
    let reasons: Vec<&str> = indistinguishable.map(|other| other.reason.as_str()).collect();
    assert!(reasons.iter().any(|reason| reason.starts_with("proved for all inputs by ")), "{reasons:?}");
    assert!(!reasons.iter().any(|reason| reason.starts_with("no difference on ")), "{reasons:?}");
}

#[test]
fn what_is_no_unit_alone_is_not_decided() {
    let Some(prover) = prover() else { return };
    let one = Instruction::alone(hidden());
    let mut blocks = one.clone();
    blocks.unit.products = 1;
    let decision = decide(&one, &blocks, &prover).expect("nothing is asked");
    let why = "blocks, wider formats or c added last, which no solver is asked about";
    assert_eq!(decision, Decision::Unknown(why.to_owned()));
}
