//! The queries of Valpey et al.: every row of table 4, more carry bits, and the two algorithms of property 5.

use tensorsmith::prove::Found;
use tensorsmith::prove::settle::{Statement, Verdict};
use tensorsmith::prove::solver::Program;
use tensorsmith::prove::valpey::{Row, rows};

use crate::prove::shared::long_tier;
use crate::prove::support::{prover, prover_of, settled};

/// Rows that take longer, in the long tier only: 17 terms in the count of unit files, and property 5, whose printed form has a
/// test of its own.
fn takes_long(row: &Row) -> bool {
    row.task.name.starts_with("property-5")
        || row.task.name.starts_with("17-terms") && row.task.name.ends_with("window")
}

fn check(statement: &Statement) {
    assert_eq!(statement.verdict(), Verdict::Proved, "{statement:?}");
    for question in &statement.questions {
        if let Found::Witness(parts) = &question.found {
            for part in parts {
                assert!(part.by.starts_with(&["emulator", "reference"]), "{part:?}");
            }
        }
    }
}

#[test]
fn every_query_has_the_published_answer() {
    let Some(prover) = prover() else { return };
    let names: Vec<String> = rows().into_iter().map(|row| row.task.name).collect();
    assert_eq!(names.len(), 22);
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

/// The errors are computed again from the witness: where the algorithms change places, the check says so.
#[test]
fn property_5_is_checked_in_exact_arithmetic() {
    let Some(prover) = prover() else { return };
    let row = rows().into_iter().find(|row| row.task.name == "property-5").expect("it is a query");
    let exactly = row.task.check.expect("it is checked");
    let statement = settled(row.task, &prover);
    check(&statement);
    let Found::Witness(mut parts) = statement.questions[0].found.clone() else { panic!("{statement:?}") };
    let text = exactly(&parts).expect("it is a witness");
    println!("{text}");
    let count = parts.len();
    parts.swap(count - 2, count - 1);
    assert!(exactly(&parts).expect_err("the contrary is no witness").contains("not so in exact arithmetic"));
}
