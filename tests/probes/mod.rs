//! Directed probes: each one is there, reads what is published of known units, and tells a changed unit apart.

mod faults;
mod presence;
mod random;
mod readings;
mod structure;

use crate::support::{self, instruction, random_unit, subject, unit};

use tensorsmith::check::probe::{Probe, Test, all};
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Batch, Emulator, Engine, Kind, Opened};

fn test(name: &str) -> Test {
    all().into_iter().find(|test| test.name == name).unwrap_or_else(|| panic!("{name} is a test"))
}

/// What the emulator answers to probes.
fn answers(subject: &Subject, probes: &[Probe]) -> Vec<u64> {
    let mut engine: Box<dyn Engine> = match subject {
        // Also one that contradicts itself, to see what sees it.
        Subject::Unit(unit) => Box::new(Emulator::unchecked(unit)),
        _ => match Kind::Emulator.open_subject(subject) {
            Ok(Opened::Ready(engine)) => engine,
            _ => panic!("the emulator always runs"),
        },
    };
    let mut batch = Batch::of_interface(&subject.interface());
    probes.iter().for_each(|probe| batch.push(&probe.vector));
    let mut results = Vec::new();
    engine.run(&batch, &mut results).expect("the emulator never fails");
    results
}

/// The probes of a test that have these parameters, with the emulator's answers as values.
fn readings(subject: &Subject, name: &str, parameters: &[(&str, i32)]) -> Vec<(Probe, f64)> {
    let frame = subject.frame();
    let probes: Vec<Probe> = test(name).probes(&frame).into_iter().filter(|probe| probe.has(parameters)).collect();
    let answers = answers(subject, &probes);
    probes.into_iter().zip(answers.iter().map(|bits| frame.formats.d.to_f64(*bits))).collect()
}

/// One parameter of a probe.
fn parameter(probe: &Probe, name: &str) -> i32 {
    probe.parameters.iter().find(|(own, _)| *own == name).unwrap_or_else(|| panic!("{name} is a parameter")).1
}
