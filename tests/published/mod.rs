//! Experiments of published works: the catalogue reads what was published or the documented difference, and a changed unit
//! reads otherwise where the change concerns the experiment.

mod fasi;
mod framework;
mod fttn;
mod hickmann;
mod khattak;
mod mutation;
mod reach;
mod valpey;

use tensorsmith::describe::subject::Subject;
use tensorsmith::engine::{Emulator, Kind};
use tensorsmith::literature::{Answers, Experiment, Outcome, Verdict, Work};

use crate::support::{subject, unit};

fn experiment(work: Work, name: &str) -> Experiment {
    let mut all = work.experiments().into_iter();
    all.find(|experiment| experiment.name == name).unwrap_or_else(|| panic!("{name} is an experiment"))
}

/// What the emulator answers to experiments.
fn outcomes(subject: &Subject, experiments: Vec<Experiment>) -> Vec<Outcome> {
    let mut answers = match subject {
        // Also one that contradicts itself, to see what sees it.
        Subject::Unit(unit) => Answers::of(subject, Kind::Emulator, Box::new(Emulator::unchecked(unit))),
        _ => Answers::open(subject, Kind::Emulator)
            .expect("the emulator never fails")
            .unwrap_or_else(|reason| panic!("the emulator always runs: {reason}")),
    };
    experiments.into_iter().map(|experiment| answers.run(experiment).expect("the emulator never fails")).collect()
}

/// Every published reading is read, or differs as documented; returns how many are documented.
fn assert_published(work: Work) -> usize {
    let (mut same, mut documented) = (0, 0);
    for name in work.subjects() {
        for outcome in outcomes(&subject(name), work.experiments()) {
            let experiment = &outcome.experiment;
            let published = experiment.published.iter().filter(|published| published.unit == name).count();
            assert_eq!(outcome.comparisons.len(), published, "{name}: {}: {:?}", experiment.name, outcome.reading);
            for comparison in &outcome.comparisons {
                let (own, reading) = (&comparison.published, outcome.reading.as_ref().expect("it was compared"));
                let text = format!("{name}: {}: published {}, read {reading}", experiment.name, own.reading);
                match comparison.verdict {
                    Verdict::Differs => panic!("{text}"),
                    Verdict::Same => {
                        assert_eq!(own.instead, None, "a documented difference that there is not: {text}");
                        same += 1;
                    }
                    Verdict::Documented(reason) => {
                        assert!(reason.len() > 20, "{text}: {reason}");
                        documented += 1;
                    }
                }
            }
        }
    }
    println!("{}: {same} published readings are the same, {documented} differ as documented", work.name());
    documented
}
