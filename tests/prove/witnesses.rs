//! Witnesses that nobody confirms, and specifications that assume something, are errors and no verdicts.

use tensorsmith::compute::word::Word;
use tensorsmith::describe::plan::Plan;
use tensorsmith::describe::unit::Unit;
use tensorsmith::prove::{Found, InputTerms, Part, Question, UnitTerms};

use crate::prove::shared::unit;
use crate::prove::support::prover;

/// Asks for an answer of 1 + 2^-24 + ... that only `computed` gives, and names `named` as the unit.
fn question(computed: &Unit, named: &Unit) -> Question {
    Question::new(|| {
        let inputs = InputTerms::new(computed);
        let terms = UnitTerms::on(&Plan::of(computed), inputs.clone());
        let other = UnitTerms::on(&Plan::of(named), inputs);
        let differ = !terms.answer.equals(other.answer);
        let flag = if computed == named { terms.answer.bit(0) } else { differ };
        (flag, vec![Part::of(named.clone(), terms)])
    })
}

#[test]
fn a_witness_of_another_unit_is_an_error() {
    let Some(prover) = prover() else { return };
    let volta = unit("volta-fp16-fp32");
    let mut other = Unit { name: "longer".to_owned(), ..volta.clone() };
    let outcome = question(&volta, &volta).ask(&prover).expect("emulator and reference confirm");
    assert!(matches!(outcome.found, Found::Witness(parts) if parts[0].by.starts_with(&["emulator", "reference"])));
    other.alignment_mut().fraction_bits += 1;
    let error = question(&volta, &other).ask(&prover).expect_err("the emulator of the other unit disagrees");
    assert!(error.to_string().contains("internal error: a witness is not confirmed"), "{error}");
    assert!(error.to_string().contains("emulator"), "{error}");
}

#[test]
fn a_specification_may_assume_nothing() {
    let Some(prover) = prover() else { return };
    let volta = unit("volta-fp16-fp32");
    let question = Question::new(|| {
        let terms = UnitTerms::on(&Plan::of(&volta), InputTerms::new(&volta));
        let assumed = terms.signal("anchor")[0].claim_unsigned(4);
        (assumed.is_zero(), Vec::new())
    });
    let error = question.ask(&prover).expect_err("the claim is nobody's");
    assert!(error.to_string().contains("rests on a claim of its own"), "{error}");
}
