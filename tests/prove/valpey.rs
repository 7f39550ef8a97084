//! The queries of Valpey et al.: every row of table 4, more carry bits, and the two algorithms of property 5.

use dashu_int::IBig;
use tensorsmith::prove::settle::{Checked, Statement, Task, Verdict};
use tensorsmith::prove::solver::Program;
use tensorsmith::prove::valpey::{Row, rows};
use tensorsmith::prove::{Confirmed, Found, Prover};

use crate::prove::shared::long_tier;
use crate::prove::support::{prover, prover_of, settled};

/// Rows in the long tier only: those that take longer than others of their kind, such as sums of 9 and 17 terms beside those of 5,
/// and property 5, whose printed form has a test of its own.
fn takes_long(row: &Row) -> bool {
    let name = row.task.name.as_str();
    ["property-5", "17-terms", "9-terms"].iter().any(|start| name.starts_with(start))
        || ["exact-addition-in-fp16", "rounding-of-accumulator", "5-terms-3-carry-bits"].contains(&name)
}

fn check(statement: &Statement) {
    assert_eq!(statement.verdict(), Verdict::Proved, "{statement:?}");
    for question in &statement.questions {
        if let Found::Witness(parts) = &question.found {
            assert_confirmed(parts);
        }
    }
}

fn assert_confirmed(parts: &[Confirmed]) {
    for part in parts {
        assert!(part.by.starts_with(&["emulator", "reference"]), "{part:?}");
    }
}

#[test]
fn every_query_has_the_published_answer() {
    let Some(prover) = prover() else { return };
    let names: Vec<String> = rows().into_iter().map(|row| row.task.name).collect();
    assert_eq!(names.len(), 24);
    assert_eq!(names.iter().collect::<std::collections::HashSet<_>>().len(), names.len(), "names are unique");
    for row in rows().into_iter().filter(|row| long_tier() || !takes_long(row)) {
        check(&settled(row.task, &prover));
    }
}

/// The same text on another solver.
#[test]
fn queries_on_z3() {
    let Some(prover) = prover_of(Program::Z3) else { return };
    for name in ["exact-multiplication", "rounding-of-final-result"] {
        let row = rows().into_iter().find(|row| row.task.name == name).expect("it is a query");
        check(&settled(row.task, &prover));
    }
}

/// Elements of a and b that the solver found for property 5.
const KNOWN: [u32; 8] =
    [0xc438_ce24, 0x4391_ff52, 0x467f_f659, 0xc4ff_ffff, 0xc380_0000, 0xc380_0000, 0xc380_0000, 0xc380_0000];

/// The witness of a query that those elements are, without a solver.
fn known(task: &Task, prover: &Prover) -> Vec<Confirmed> {
    let (_, build) = &task.questions[0];
    let mut question = build();
    question.known.push(KNOWN.map(IBig::from).to_vec());
    let outcome = question.ask(prover).expect("the witness is confirmed");
    assert_eq!(outcome.seconds, 0.0, "no solver is asked");
    match outcome.found {
        Found::Witness(parts) => parts,
        other => panic!("{other:?}"),
    }
}

/// What the solver finds, in a minute.
fn searched(task: Task, prover: &Prover) -> Vec<Confirmed> {
    let statement = settled(task, prover);
    check(&statement);
    match statement.questions[0].found.clone() {
        Found::Witness(parts) => parts,
        _ => panic!("{statement:?}"),
    }
}

/// The errors are computed again from the witness: where the algorithms change places, the check says so. The long tier lets the
/// solver find a witness, the ordinary one takes one that it found.
#[test]
fn property_5_is_checked_in_exact_arithmetic() {
    let Some(prover) = prover() else { return };
    let [row, again] =
        [0, 1].map(|_| rows().into_iter().find(|row| row.task.name == "property-5").expect("it is a query"));
    let exactly = again.task.check.expect("it is checked");
    let mut parts = if long_tier() { searched(row.task, &prover) } else { known(&row.task, &prover) };
    assert_confirmed(&parts);
    let Ok(Checked::Stands(text)) = exactly(&parts) else { panic!("it is a witness") };
    println!("{text}");
    let count = parts.len();
    parts.swap(count - 2, count - 1);
    assert!(exactly(&parts).expect_err("the contrary is no witness").contains("not so in exact arithmetic"));
}

/// What a solver found for the authors' program stands for its variant, whose true result is that of binary64 FMAs.
#[test]
fn property_5_as_the_authors_program_has_it() {
    let Some(prover) = prover() else { return };
    let row = rows().into_iter().find(|row| row.task.name == "property-5-artefact").expect("it is a query");
    let statement = settled(row.task, &prover);
    check(&statement);
    let text = statement.questions[0].note.as_deref().expect("it is read again");
    assert!(
        text.contains("Markidis 3bbc1703, error 1.4") && text.contains("Ootomo-Yokota 3bbc1702, error 3.2"),
        "{text}"
    );
    assert!(text.contains("property-5: not") && text.contains("property-5-product-earlier: too"), "{text}");
}

/// The input of table 5 is a witness with its c, and none without; what every variant answers to it stands beside.
#[test]
fn property_5_with_the_addend_of_table_5() {
    let Some(prover) = prover() else { return };
    let [row, again] =
        [0, 1].map(|_| rows().into_iter().find(|row| row.task.name == "property-5-addend").expect("it is a query"));
    let exactly = again.task.check.expect("it is checked");
    let statement = settled(row.task, &prover);
    check(&statement);
    assert!(statement.seconds() == 0.0, "no solver is asked");
    let text = statement.questions[0].note.as_deref().expect("it is read again");
    println!("{text}");
    assert!(text.contains("c = 33800000: Markidis 3f800001, ") && text.contains("Ootomo-Yokota 3f800000, "), "{text}");
    for variant in ["property-5: not", "property-5-truncating: not", "property-5-artefact: not"] {
        assert!(text.contains(variant), "{variant}: {text}");
    }
    let Found::Witness(mut parts) = statement.questions[0].found.clone() else { panic!("{statement:?}") };
    let first = parts.iter_mut().find(|part| part.unit.name.starts_with("volta")).expect("a dot product");
    first.vector.c = 0xbf80_0000;
    assert!(exactly(&parts).expect_err("another c is no witness").contains("not so in exact arithmetic"));
}
