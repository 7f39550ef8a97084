//! The solver against exhaustive simulation, and its proofs: accepted as they are, refused when changed.

use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tensorsmith::prove::aig::{Aig, Cnf, Literal, first_difference};
use tensorsmith::prove::sat::lrat::{self, Proof};
use tensorsmith::prove::sat::{Answer, Refutation, Solver, Verdict, prove_never};

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

/// A random graph and a literal of it.
fn random_graph(random: &mut Xoshiro256PlusPlus, inputs: usize, ands: usize) -> (Aig, Literal) {
    let mut aig = Aig::default();
    let mut literals: Vec<Literal> = (0..inputs).map(|_| aig.input()).collect();
    for _ in 0..ands {
        let mut draw = || {
            let number = random.next_u64();
            literals[number as usize % literals.len()].invert_if(number >> 40 & 1 == 1)
        };
        let (a, b) = (draw(), draw());
        literals.push(aig.and(a, b));
    }
    (aig, literals[literals.len() - 1])
}

/// That two differently built sums are the same, as a target that never holds.
fn reordered_sum(width: usize) -> (Aig, Literal) {
    let mut aig = Aig::default();
    let words: Vec<_> = (0..3).map(|_| aig.word_input(width)).collect();
    let left = aig.add(&words[0], &words[1], Literal::FALSE);
    let left = aig.add(&left, &words[2], Literal::FALSE);
    let right = aig.add(&words[1], &words[2], Literal::FALSE);
    let right = aig.add(&words[0], &right, Literal::FALSE);
    let same = aig.equal(&left, &right);
    (aig, !same)
}

fn refutation() -> Refutation {
    let (aig, target) = reordered_sum(6);
    match prove_never(&aig, Literal::TRUE, target, soon()).verdict {
        Verdict::Never(refutation) => refutation,
        other => panic!("the sums are equal: {other:?}"),
    }
}

#[test]
fn search_simulation_random_graphs() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let (mut never, mut holds) = (0, 0);
    for round in 0..400 {
        let (aig, target) = random_graph(&mut random, 8, 20 + round % 60);
        let constraint = aig.nodes().len() / 2;
        let constraint = Literal::of(constraint).invert_if(round % 2 == 0);
        let mut both = aig.clone();
        let both_hold = both.and(constraint, target);
        let expected = first_difference(&both, both_hold);
        match prove_never(&aig, constraint, target, soon()).verdict {
            Verdict::Never(_) => {
                assert_eq!(expected, None, "round {round}");
                never += 1;
            }
            Verdict::Holds(_) => {
                assert!(expected.is_some(), "round {round}");
                holds += 1;
            }
            Verdict::Unknown(why) => panic!("round {round}: {why}"),
        }
    }
    assert!(never > 50 && holds > 50, "{never} never, {holds} hold");
}

#[test]
fn solver_models_satisfy_random_clauses() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let (mut satisfiable, mut unsatisfiable) = (0, 0);
    for _ in 0..200 {
        let literal = |number: u64| (number % 30 + 1) as i32 * if number >> 32 & 1 == 1 { -1 } else { 1 };
        let mut clauses = Vec::new();
        while clauses.len() < 128 {
            let clause = [0; 3].map(|_: i32| literal(random.next_u64()));
            let [a, b, c] = clause.map(i32::abs);
            if a != b && b != c && a != c {
                clauses.push(clause.to_vec());
            }
        }
        let mut cnf = Cnf { variables: 30, clauses };
        let scope: Vec<usize> = (0..30).collect();
        let mut solver = Solver::new(&cnf);
        match solver.solve(&[], &scope, u64::MAX) {
            Answer::Satisfiable(values) => {
                let holds = |literal: &i32| values[literal.unsigned_abs() as usize - 1] == (*literal > 0);
                assert!(cnf.clauses.iter().all(|clause| clause.iter().any(holds)));
                satisfiable += 1;
            }
            Answer::Unsatisfiable => {
                let proof = solver.into_proof();
                assert_eq!(lrat::check(&cnf, &proof), Ok(()));
                cnf.clauses.remove(0);
                unsatisfiable += 1;
            }
            Answer::Unknown => panic!("there was no limit"),
        }
    }
    assert!(satisfiable > 20 && unsatisfiable > 20, "{satisfiable} and {unsatisfiable}");
}

#[test]
fn a_short_time_limit_ends_in_unknown() {
    let (aig, target) = reordered_sum(40);
    let verdict = prove_never(&aig, Literal::TRUE, target, Instant::now()).verdict;
    assert_eq!(verdict, Verdict::Unknown("the time limit was reached".to_owned()));
}

#[test]
fn a_false_statement_gets_a_pattern() {
    let mut aig = Aig::default();
    let (a, b) = (aig.word_input(40), aig.word_input(40));
    let target = aig.equal(&a, &b);
    let Verdict::Holds(inputs) = prove_never(&aig, Literal::TRUE, target, soon()).verdict else {
        panic!("two words can be equal")
    };
    assert_eq!(inputs[..40], inputs[40..]);
}

#[test]
fn proofs_survive_as_text() {
    let Refutation { cnf, proof } = refutation();
    assert_eq!(Proof::parse(&proof.to_text()), Ok(proof.clone()));
    assert_eq!(lrat::check(&cnf, &proof), Ok(()));
    assert!(proof.steps.len() > 20, "the proof is not trivial: {} steps", proof.steps.len());
    assert!(Proof::parse("1 2 3").is_err());
    assert!(Proof::parse("1 2 0 x 0").is_err());
}

/// Each way to break a proof is refused.
#[test]
fn broken_proofs_are_refused() {
    let Refutation { cnf, proof } = refutation();
    let refused = |cnf: &Cnf, proof: &Proof, what: &str| {
        assert!(lrat::check(cnf, proof).is_err(), "{what} is not refused");
    };
    let last = proof.steps.len() - 1;
    let mut broken = proof.clone();
    broken.steps.truncate(last);
    refused(&cnf, &broken, "a proof without its end");
    for step in [0, last / 2, last] {
        let mut broken = proof.clone();
        broken.steps[step].hints.pop();
        refused(&cnf, &broken, "a step without its last hint");
    }
    let step = (0..last).find(|&step| proof.steps[step].clause.len() > 1).expect("a clause of two");
    let mut broken = proof.clone();
    broken.steps[step].clause.pop();
    refused(&cnf, &broken, "a shorter clause");
    let mut broken = proof.clone();
    broken.steps.remove(step);
    refused(&cnf, &broken, "a proof without a step that others need");
    // Without the target the formula has models.
    let mut weaker = cnf.clone();
    weaker.clauses.pop();
    refused(&weaker, &proof, "a formula without its target");
    let mut other = cnf.clone();
    let place = other.clauses.len() - 1;
    other.clauses[place][0] = -other.clauses[place][0];
    refused(&other, &proof, "a formula with the inverse target");
}
