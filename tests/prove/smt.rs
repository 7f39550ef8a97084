//! SMT-LIB text means what the graph means: on given operands a solver finds the answer and every signal of a unit, and no
//! other one.

use dashu_int::IBig;
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::compute::word::term::{Graph, Interval, Term, TermFlag};
use tensorsmith::compute::word::{Flag, Word};
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Batch, Vector};
use tensorsmith::prove::smt::Query;
use tensorsmith::prove::solver::{Answer, Program};
use tensorsmith::prove::{Prover, UnitTerms};

use crate::prove::shared::{long_tier, one_unit_of_each_entry, one_unit_of_each_kind};
use crate::prove::support::{prover, prover_of};

fn vectors(unit: &Unit, count: usize) -> Vec<Vector> {
    let mut batch = Batch::of_unit(unit);
    Stimulus::shaped(unit, 3).fill(0, 400, &mut batch);
    (0..count).map(|index| batch.vector(index * 400 / count)).collect()
}

/// A graph in which operands have the numbers of vectors, and the flag that any answer or signal is another than evaluation
/// says, or with `fault`, than that plus one in the last place of the answer.
fn question(unit: &Unit, fault: bool) -> (Graph, TermFlag) {
    let (mut graph, terms) = UnitTerms::of(unit);
    let mut any = None;
    for vector in vectors(unit, 2) {
        let numbers = terms.inputs.numbers(&graph, &vector);
        let values = graph.evaluate(&numbers);
        let variables: Vec<_> = graph.variables().iter().map(|variable| variable.node).collect();
        let all = terms.signals.iter().flat_map(|(_, terms)| terms).chain([&terms.answer]);
        let expected: Vec<(Term, IBig)> = all.map(|term| (*term, values.of(term.node()).clone())).collect();
        let extended = graph.extend(|| {
            let mut given = TermFlag::constant(true);
            for (node, number) in variables.iter().zip(&numbers) {
                let variable = Term::at(*node).expect("a number");
                given = given & variable.equals(Term::number(number.clone()));
            }
            let mut differs = TermFlag::constant(false);
            for (term, number) in expected {
                let number = number + IBig::from(u8::from(fault && term == terms.answer));
                differs = differs | !term.equals(Term::number(number));
            }
            let wrong = given & differs;
            any.map_or(wrong, |any| wrong | any)
        });
        graph = extended.0;
        any = Some(extended.1);
    }
    (graph, any.expect("two vectors"))
}

fn ask(prover: &Prover, graph: &Graph, flag: TermFlag) -> Answer {
    prover.ask(&Query { graph, asserted: vec![flag.node()] }).answer
}

#[test]
fn smt_terms_shaped_every_unit() {
    let Some(prover) = prover() else { return };
    let units = one_unit_of_each_kind();
    for unit in &units {
        let (graph, flag) = question(unit, false);
        assert_eq!(ask(&prover, &graph, flag), Answer::Unsatisfiable, "{}", unit.name);
    }
    println!("ran {} units on {}", units.len(), prover.solver.identity());
    let (graph, flag) = question(&units[0], true);
    assert!(matches!(ask(&prover, &graph, flag), Answer::Satisfiable(_)), "a wrong answer is noticed");
}

/// The same text on the other solvers.
#[test]
fn smt_terms_on_other_solvers() {
    for program in [Program::Z3, Program::Cvc5] {
        let Some(prover) = prover_of(program) else { continue };
        for unit in one_unit_of_each_entry().iter().take(3) {
            let (graph, flag) = question(unit, false);
            assert_eq!(ask(&prover, &graph, flag), Answer::Unsatisfiable, "{}: {}", program.name(), unit.name);
            let (graph, flag) = question(unit, true);
            assert!(matches!(ask(&prover, &graph, flag), Answer::Satisfiable(_)), "{}: {}", program.name(), unit.name);
        }
        println!("ran {}", prover.solver.identity());
    }
}

/// The number of a result for two numbers.
type Table<'a> = &'a dyn Fn(usize, &IBig, &IBig) -> IBig;

/// Every operation, on numbers with and without a sign, of every value of two small variables. The ordinary tier plants a fault in
/// one operation of five.
#[test]
fn smt_every_operation_every_small_number() {
    let Some(prover) = prover() else { return };
    let build = |table: Option<Table>| {
        Graph::build(|| {
            let (x, y) = (Term::variable("x", Interval::signed(4)), Term::variable("y", Interval::unsigned(3)));
            let magnitude = x.negate_if(x.less_than(Term::literal(0)));
            let results = [
                x + y,
                x - y,
                x * y,
                -x,
                x.shift_left(3),
                magnitude.shift_right(2),
                x.shift_left_by(y),
                magnitude.shift_right_by(y),
                magnitude.field(1, 2),
                Term::select(x.less_than(y), x, y - Term::literal(20)),
                magnitude.leading_zeros(4),
                (x * y).wrap(3),
                Term::from_flag(magnitude.bit(2)),
                Term::from_flag(x.equals(y) ^ (y.less_than(x) & !magnitude.bit(0))),
                (x.shift_left_by(y)).wrap(5),
            ];
            let Some(table) = table else { return (results, TermFlag::constant(false)) };
            let mut wrong = TermFlag::constant(false);
            for (index, result) in results.into_iter().enumerate() {
                let mut expected = Term::literal(1_000_000);
                for x_value in -8..8i64 {
                    for y_value in 0..8i64 {
                        let here = x.equals(Term::literal(x_value)) & y.equals(Term::literal(y_value));
                        let number = table(index, &IBig::from(x_value), &IBig::from(y_value));
                        expected = Term::select(here, Term::number(number), expected);
                    }
                }
                wrong = wrong | !result.equals(expected);
            }
            (results, wrong)
        })
    };
    let (plain, (results, _)) = build(None);
    let table =
        |index: usize, x: &IBig, y: &IBig| plain.evaluate(&[x.clone(), y.clone()]).of(results[index].node()).clone();
    let (graph, (_, wrong)) = build(Some(&table));
    assert_eq!(ask(&prover, &graph, wrong), Answer::Unsatisfiable);
    for fault in (0..results.len()).step_by(if long_tier() { 1 } else { 5 }) {
        let faulty = |index: usize, x: &IBig, y: &IBig| {
            let here = index == fault && *x == IBig::from(-3) && *y == IBig::from(5);
            table(index, x, y) + IBig::from(u8::from(here))
        };
        let (graph, (_, wrong)) = build(Some(&faulty));
        let Answer::Satisfiable(numbers) = ask(&prover, &graph, wrong) else { panic!("fault {fault} is not noticed") };
        assert_eq!(numbers, [IBig::from(-3), IBig::from(5)], "fault {fault}");
    }
}
