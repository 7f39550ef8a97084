//! Units of random formats and sizes: every probe is made of their encodings, and emulator and reference answer the same.

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tensorsmith::compute::reference;

use super::random_unit::recipe;
use super::*;

#[test]
fn probes_of_random_units() {
    let (cases, least) = if support::long_tier() { (400, 1000) } else { (8, 100) };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config { cases, failure_persistence: None, ..Config::default() }, rng);
    let compared = std::cell::Cell::new(0);
    let outcome = runner.run(&recipe(), |recipe| {
        let Ok(unit) = recipe.unit() else { return Ok(()) };
        for test in all() {
            let probes: Vec<Probe> = test.probes(&unit.interface()).into_iter().step_by(11).collect();
            let answers = answers(&unit.clone().into(), &probes);
            for (probe, answer) in probes.iter().zip(answers) {
                let vector = &probe.vector;
                assert!(vector.a.iter().all(|a| a & !unit.formats.a.mask() == 0), "{} {}", unit.name, test.name);
                assert_eq!(
                    answer,
                    reference::evaluate(&unit.arithmetic(), vector.inputs()),
                    "{} {vector:x?}",
                    test.name
                );
                compared.set(compared.get() + 1);
            }
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
    println!("{} vectors of {cases} random units", compared.get());
    assert!(compared.get() > least);
}
