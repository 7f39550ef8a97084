//! Coverage where no engine counts it: an emulator observes the first vectors, and some later ones.

use tensorsmith::check::compare::{Comparison, Source, compare, compare_observed, to_the_end};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::compute::events::Event;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Emulator, Engine};

use super::support::made_up::MadeUp;

/// An emulator that does not say what it counts.
fn silent(unit: &Unit) -> Box<dyn Engine> {
    let mut emulator = Emulator::new(unit);
    MadeUp::boxed("silent", move |batch, results| emulator.run(batch, results))
}

#[test]
fn coverage_of_engines_that_count_none() {
    let unit = catalogue::unit("volta-fp16-fp32").expect("a unit");
    let both = || vec![silent(&unit), silent(&unit)];
    let source = |count| Source::Shaped { stimulus: Stimulus::shaped(&unit, 1), count };
    let observed = |count| {
        compare_observed(both(), (Some(&unit), None), &source(count), &mut to_the_end).expect("emulators answer")
    };
    let events = |comparison: &Comparison| {
        let coverage = comparison.coverage.as_ref().expect("coverage");
        (coverage.vectors(), Event::ALL.iter().map(|&event| coverage.of(event)).sum::<u64>())
    };
    let engines: Vec<Box<dyn Engine>> = vec![Box::new(Emulator::new(&unit)), silent(&unit)];
    let counted = compare(engines, &source(65_536), &mut |_| {}).expect("emulators answer");
    assert_eq!(events(&observed(65_536)), events(&counted), "the first vectors are all counted");
    assert_eq!(counted.coverage.as_ref().map(|coverage| coverage.vectors()), Some(65_536));
    let (vectors, more) = events(&observed(600_000));
    assert_eq!(vectors, 65_536 + 4 * 1024, "and chunks 128, 256, 384 and 512");
    assert!(more > events(&counted).1, "{more} events on {vectors} vectors");
    assert!(compare(both(), &source(4096), &mut |_| {}).expect("emulators answer").coverage.is_none());
    println!("observed 665,536 vectors");
}
