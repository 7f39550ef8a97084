//! A comparison on several threads reports what one thread reports: counts, the first mismatch, coverage, the earliest error.

use tensorsmith::check::compare::{Comparison, Ran, Source, Team, compare, compare_observed, to_the_end};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Emulator, Engine, EngineError, Vector};

use super::support::made_up::MadeUp;

const VECTORS: u64 = 300_000;

/// An emulator that answers some vectors wrongly, and fails at others.
fn broken(unit: &Unit, wrong: Vec<Vector>, failing: Vec<Vector>) -> Box<dyn Engine> {
    let mut emulator = Emulator::uncounted(unit);
    MadeUp::boxed("broken", move |batch, results| {
        emulator.run(batch, results)?;
        for (index, result) in results.iter_mut().enumerate() {
            let vector = batch.vector(index);
            if let Some(place) = failing.iter().position(|failing| *failing == vector) {
                return Err(EngineError { engine: "broken", message: format!("at vector {place} of those") });
            }
            *result ^= u64::from(wrong.contains(&vector));
        }
        Ok(())
    })
}

/// The vectors at these places of the stimulus.
fn at(source: &Source, places: &[u64]) -> Vec<Vector> {
    let vector = |place: &u64| {
        let mut batch = source.empty_batch();
        source.fill(place / 1024, 1024.min((VECTORS - place / 1024 * 1024) as usize), &mut batch);
        batch.vector((place % 1024) as usize)
    };
    places.iter().map(vector).collect()
}

/// Every place of the stimulus with one of the vectors at these places.
fn places_of(unit: &Unit, places: &[u64]) -> Vec<u64> {
    let source = Source::Shaped { stimulus: Stimulus::shaped(unit, 3), count: VECTORS };
    let (wanted, mut batch, mut found) = (at(&source, places), source.empty_batch(), Vec::new());
    for first in (0..VECTORS).step_by(1024) {
        source.fill(first / 1024, 1024.min((VECTORS - first) as usize), &mut batch);
        found.extend(
            (0..batch.len()).filter(|&index| wanted.contains(&batch.vector(index))).map(|index| first + index as u64),
        );
    }
    found
}

fn run(unit: &Unit, jobs: usize, wrong: &[u64], failing: &[u64]) -> Result<Comparison, EngineError> {
    let source = Source::Shaped { stimulus: Stimulus::shaped(unit, 3), count: VECTORS };
    let (wrong, failing) = (at(&source, wrong), at(&source, failing));
    let open = || -> Result<Vec<Box<dyn Engine>>, EngineError> {
        Ok(vec![Box::new(Emulator::uncounted(unit)), broken(unit, wrong.clone(), failing.clone())])
    };
    let team = Team { open: &open, jobs };
    compare_observed(open()?, (Some(unit), Some(team)), &source, &mut to_the_end)
}

#[test]
fn threads_report_as_one_does() {
    let unit = catalogue::unit("volta-fp16-fp32").expect("a unit");
    let wrong = [123_456, 200_000, 299_999];
    let reported = |jobs: usize| {
        let comparison = run(&unit, jobs, &wrong, &[]).expect("emulators answer");
        let counts: Vec<u64> = comparison
            .engines
            .iter()
            .map(|ran| match ran {
                Ran::Vectors { count, .. } => *count,
                Ran::Skipped { .. } => 0,
            })
            .collect();
        (comparison.compared, comparison.mismatches, comparison.first, comparison.coverage, counts)
    };
    let alone = reported(1);
    // Shaped vectors may come again.
    let places = places_of(&unit, &wrong);
    assert_eq!((alone.0, alone.1, &alone.4), (VECTORS, places.len() as u64, &vec![VECTORS; 2]));
    assert_eq!(alone.2.as_ref().map(|first| first.index), places.first().copied());
    assert!(alone.3.as_ref().is_some_and(|coverage| coverage.vectors() > 65_536));
    for jobs in [2, 3, 8] {
        assert_eq!(reported(jobs), alone, "{jobs} threads");
    }
}

/// Of several failures the one with the earliest vectors is said, however threads are run.
#[test]
fn the_earliest_failure_is_said() {
    let unit = catalogue::unit("volta-fp16-fp32").expect("a unit");
    let failing = [150_000, 151_500, 140_000];
    let first = places_of(&unit, &failing)[0];
    let source = Source::Shaped { stimulus: Stimulus::shaped(&unit, 3), count: VECTORS };
    let which = at(&source, &failing).iter().position(|vector| *vector == at(&source, &[first])[0]);
    for jobs in [1, 4, 8] {
        let Err(error) = run(&unit, jobs, &[], &failing) else { panic!("an engine fails") };
        assert_eq!(error.message, format!("at vector {} of those", which.expect("one of them")), "{jobs} threads");
    }
}

/// A mismatch that was found is the outcome, though an engine fails later or when it is asked again.
#[test]
fn a_failure_loses_no_mismatch() {
    let unit = catalogue::unit("volta-fp16-fp32").expect("a unit");
    let (wrong, failing) = ([5], [150_000]);
    let index = places_of(&unit, &wrong)[0];
    for jobs in [1, 4] {
        let comparison = run(&unit, jobs, &wrong, &failing).expect("a mismatch");
        let first = comparison.first.expect("the mismatch");
        assert_eq!(first.index, index, "{jobs} threads");
        assert!(comparison.failure.is_some() && comparison.mismatches > 0, "{jobs} threads");
    }
    // A failure before the first mismatch stays one, and so does it for those who have no place for both.
    assert!(run(&unit, 1, &failing, &wrong).is_err());
    let source = Source::Shaped { stimulus: Stimulus::shaped(&unit, 3), count: VECTORS };
    let engines = || -> Vec<Box<dyn Engine>> {
        vec![Box::new(Emulator::uncounted(&unit)), broken(&unit, at(&source, &wrong), at(&source, &failing))]
    };
    assert!(compare(engines(), &source, &mut |_| {}).is_err());
}

/// A vector that an engine evaluates otherwise by itself, or whose engine fails when it is asked again, stays as it was found.
#[test]
fn vectors_that_cannot_be_shrunk_stay_as_they_were_found() {
    let unit = catalogue::unit("volta-fp16-fp32").expect("a unit");
    for (fails, reason) in [(false, "evaluated again by itself"), (true, "engine moody: asked again")] {
        let mut emulator = Emulator::uncounted(&unit);
        let moody = MadeUp::boxed("moody", move |batch, results| {
            emulator.run(batch, results)?;
            if batch.len() == 1 && fails {
                return Err(EngineError { engine: "moody", message: "asked again".to_owned() });
            }
            if let Some(result) = results.get_mut(7) {
                *result ^= 1;
            }
            Ok(())
        });
        let source = Source::Shaped { stimulus: Stimulus::shaped(&unit, 3), count: 1024 };
        let comparison = compare(vec![Box::new(Emulator::uncounted(&unit)), moody], &source, &mut |_| {});
        let first = comparison.expect("a comparison").first.expect("a mismatch");
        assert_eq!((first.index, &first.vector), (7, &first.original));
        assert_eq!(first.answers[0].1, first.answers[1].1 ^ 1, "the answers of the run");
        assert!(first.not_shrunk.as_ref().is_some_and(|said| said.contains(reason)), "{:?}", first.not_shrunk);
        let twice: Vec<&str> = first.not_reproducible.iter().map(|one| &one.engine[..]).collect();
        assert_eq!(twice, if fails { &[][..] } else { &["moody"] }, "who returned two results");
    }
}
