//! The terms of every unit, evaluated, equal the emulator: answers and all signals.

use dashu_int::IBig;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::compute::word::Word;
use tensorsmith::compute::word::term::{Graph, Interval, NodeId, Term};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::plan::Plan;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Batch, Emulator, Vector};
use tensorsmith::prove::{InputTerms, UnitTerms};

use crate::prove::random_unit::{Recipe, recipe};
use crate::prove::shared::long_tier;

const VECTORS: usize = 40;

fn vectors(unit: &Unit) -> Vec<Vector> {
    let mut batch = Batch::of_unit(unit);
    Stimulus::shaped(unit, 1).fill(0, VECTORS, &mut batch);
    (0..VECTORS).map(|index| batch.vector(index)).collect()
}

/// How the terms of one unit first differ from the emulator of another, or break a claim, or leave their range.
fn difference(graph: &Graph, terms: &UnitTerms, unit: &Unit) -> Option<String> {
    let mut emulator = Emulator::new(unit);
    for vector in vectors(unit) {
        let values = graph.evaluate(&terms.inputs.numbers(graph, &vector));
        if let Some(claim) = graph.broken(&values).next() {
            return Some(format!("{:?} is broken: {vector:x?}", claim.range));
        }
        let strays = graph.nodes().find(|(id, _)| !graph.range(*id).contains(values.of(*id)));
        if let Some((id, node)) = strays {
            return Some(format!("{node:?} is {}, outside {:?}", values.of(id), graph.range(id)));
        }
        let answer = emulator.evaluate(vector.inputs()).expect("a vector of the unit");
        if *values.of(terms.answer.node()) != IBig::from(answer) {
            return Some(format!("the answer is {}, not {answer}: {vector:x?}", values.of(terms.answer.node())));
        }
        let own = terms.signals.iter().map(|(signal, terms)| (signal.name.to_owned(), terms));
        let steps = terms.steps.iter().map(|(name, terms)| (name.clone(), terms));
        let stages = emulator.stages_of(&vector).expect("a vector of the unit");
        let own: Vec<_> = if terms.steps.is_empty() { own.collect() } else { steps.collect() };
        if own.len() != stages.len() {
            return Some(format!("{} signals, not {}", own.len(), stages.len()));
        }
        for ((name, terms), (expected_name, expected)) in own.iter().zip(&stages) {
            let found: Vec<&IBig> = terms.iter().map(|term| values.of(term.node())).collect();
            if name != expected_name || found != expected.iter().collect::<Vec<_>>() {
                return Some(format!("{name} is {found:?}, not {expected_name} = {expected:?}: {vector:x?}"));
            }
        }
    }
    None
}

#[test]
fn terms_emulator_shaped_every_unit() {
    let units = catalogue::units();
    let (mut nodes, mut claims, mut left) = (0, 0, 0);
    for unit in &units {
        let (graph, terms) = UnitTerms::of(unit);
        assert_eq!(difference(&graph, &terms, unit), None, "{}", unit.name);
        nodes += graph.len();
        claims += graph.claims().len();
        left += graph.claims().iter().filter(|claim| !claim.shown).count();
    }
    println!(
        "{} units, {VECTORS} vectors each: {nodes} nodes, {claims} claims, of which ranges leave {left} to prove",
        units.len()
    );
    assert!(units.len() > 100 && left > 0 && left < claims, "{} units, {left} of {claims} claims", units.len());
}

#[test]
fn terms_emulator_shaped_random_units() {
    let (cases, least) = if long_tier() { (300, 200) } else { (60, 35) };
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let units = std::cell::Cell::new(0);
    let outcome = runner.run(&recipe(), |recipe: Recipe| {
        let Ok(unit) = recipe.unit() else { return Ok(()) };
        let (graph, terms) = UnitTerms::of(&unit);
        assert_eq!(difference(&graph, &terms, &unit), None, "{}", unit.to_toml());
        units.set(units.get() + 1);
        Ok(())
    });
    assert!(outcome.is_ok(), "{outcome:?}");
    println!("ran {} random units", units.get());
    assert!(units.get() > least, "{} units", units.get());
}

/// A window one bit shorter, signals in another order and a claim that is too narrow are all noticed.
#[test]
fn faulty_terms_are_noticed() {
    let volta = catalogue::unit("volta-fp16-fp32").expect("in the catalogue");
    let mut shorter = volta.clone();
    shorter.alignment_mut().fraction_bits -= 1;
    let (graph, terms) = Graph::build(|| UnitTerms::on(&Plan::of(&shorter), InputTerms::new(&volta)));
    assert!(difference(&graph, &terms, &volta).expect("the answers differ").contains("not"));

    let (graph, mut terms) = UnitTerms::of(&volta);
    terms.signals.swap(0, 5);
    assert!(difference(&graph, &terms, &volta).expect("the signals differ").starts_with("unpacked_a_negative is"));

    let (graph, terms) = UnitTerms::of(&volta);
    let (graph, _) = graph.extend(|| terms.signal("anchor")[0].claim_within(Interval::unsigned(4)));
    assert!(difference(&graph, &terms, &volta).expect("a claim is broken").contains("is broken"));
}

/// A graph that is cut at the aligned terms computes the same from their numbers.
#[test]
fn cut_graphs_equal_the_whole_on_the_same_numbers() {
    let volta = catalogue::unit("volta-fp16-fp32").expect("in the catalogue");
    let (graph, terms) = UnitTerms::of(&volta);
    let cuts = ["aligned", "anchor", "special_nan", "special_infinite"];
    let cuts: std::collections::HashMap<NodeId, String> = cuts
        .into_iter()
        .flat_map(|name| {
            terms.signal(name).iter().enumerate().map(move |(i, term)| (term.node(), format!("{name}[{i}]")))
        })
        .collect();
    let root = terms.signal("rounded")[0].node();
    let rebuilt = graph.cut(&[root], &cuts);
    assert!(rebuilt.graph.len() < graph.len() / 2, "{} nodes of {}", rebuilt.graph.len(), graph.len());
    assert_eq!(rebuilt.graph.variables().len(), 6, "five aligned terms and the anchor");
    for vector in vectors(&volta) {
        let values = graph.evaluate(&terms.inputs.numbers(&graph, &vector));
        let number = |name: &str| cuts.iter().find(|(_, cut)| *cut == name).map(|(node, _)| values.of(*node).clone());
        let numbers: Vec<IBig> =
            rebuilt.graph.variables().iter().map(|variable| number(&variable.name).expect("a cut")).collect();
        let copy = rebuilt.copy_of(root).expect("a root is copied");
        assert_eq!(rebuilt.graph.evaluate(&numbers).of(copy), values.of(root));
    }
}

/// Known numbers are folded, and ranges decide comparisons.
#[test]
fn known_numbers_are_folded() {
    let (graph, (sum, larger, same, magnitude)) = Graph::build(|| {
        let x = Term::variable("x", Interval::signed(8));
        let magnitude = x.negate_if(x.less_than(Term::literal(0)));
        let sum = Term::literal(3) * Term::literal(5) + Term::literal(-2);
        (sum, Term::literal(128).less_than(x), (x + Term::literal(1)).equals(Term::literal(1) + x), magnitude)
    });
    let values = graph.evaluate(&[IBig::from(7)]);
    assert_eq!(*graph.range(sum.node()), Interval::point(IBig::from(13)));
    assert!(!values.holds(larger.node()) && values.holds(same.node()));
    assert_eq!(graph.range(magnitude.node()).high, IBig::from(128));
    assert_eq!(graph.range(magnitude.node()).low, IBig::ZERO);
    assert!(graph.claims().is_empty());
}
