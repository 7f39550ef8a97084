//! Inference from a unit's emulator, of which it sees formats and answers only, and judging what it found.

use std::fmt;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tensorsmith::check::stimulus::{CHUNK, Stimulus};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::plan::Plan;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Composed, Engine, Kind, Opened};
use tensorsmith::infer::{Decide, InferError, Options, Outcome, infer};
use tensorsmith::prove::Prover;
use tensorsmith::prove::hypotheses::decider;

use super::random_instruction::instruction;
use super::random_unit::recipe;
use super::shared::long_tier;

/// Every unit and every instruction of the catalogue.
pub fn subjects() -> Vec<Subject> {
    let units = catalogue::units().into_iter().map(Subject::from);
    units.chain(catalogue::instructions().into_iter().map(Subject::from)).collect()
}

/// The emulator of a unit or an instruction.
pub fn emulator(subject: &Subject) -> Box<dyn Engine> {
    match Kind::Emulator.open_subject(subject) {
        Ok(Opened::Ready(engine)) => engine,
        _ => panic!("{} has an emulator", subject.name()),
    }
}

/// Less effort than the program's own: so many vectors that confirm, and in the ordinary tier a fifth of them, and few that are
/// searched.
pub fn short(confirm: u64) -> Options {
    match long_tier() {
        true => Options { confirm, search: 1_000_000, ..Options::default() },
        false => Options { confirm: confirm / 5, search: 25_000, ..Options::default() },
    }
}

/// The inference from an engine behind the interface of a subject.
pub fn inferred(engine: &mut dyn Engine, subject: &Subject, options: Options) -> Result<Outcome, InferError> {
    inferred_with(None, engine, subject, options)
}

/// The same, where there may be a solver.
pub fn inferred_with(
    prover: Option<&Prover>,
    engine: &mut dyn Engine,
    subject: &Subject,
    options: Options,
) -> Result<Outcome, InferError> {
    let decide = prover.map(decider);
    let decide = decide.as_ref().map(|decide| decide as Decide);
    infer(engine, subject.interface(), &Composed::emulated_wide, decide, options)
}

/// A shaped vector on which a subject and a hypothesis differ, of `count` shaped for each of them, with what they answer.
pub fn difference(subject: &Subject, hypothesis: &Instruction, count: u64) -> Option<String> {
    let mut engines = [&subject.instruction(), hypothesis].map(Composed::emulated_wide);
    let mut results = [Vec::new(), Vec::new()];
    for frame in [subject.frame(), hypothesis.frame()] {
        let stimulus = Stimulus::shaped(&frame, 77);
        let mut batch = stimulus.empty_batch();
        for chunk in 0..count.div_ceil(CHUNK as u64) {
            stimulus.fill(chunk, CHUNK, &mut batch);
            for (engine, results) in engines.iter_mut().zip(&mut results) {
                engine.run(&batch, results).expect("an emulator answers");
            }
            if let Some(v) = (0..CHUNK).find(|&v| results[0][v] != results[1][v]) {
                return Some(format!("{:x?}: {:#x} and {:#x}", batch.vector(v), results[0][v], results[1][v]));
            }
        }
    }
    None
}

/// What a strategy draws, one after the other: the same for the same seed.
fn drawn<T: fmt::Debug>(seed: u8, strategy: impl Strategy<Value = T>) -> impl Iterator<Item = T> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, rng);
    std::iter::from_fn(move || Some(strategy.new_tree(&mut runner).expect("the strategy draws").current()))
}

/// Random units on words of at most so many bits, each with the text that it was drawn as: the same for the same seed.
pub fn random_units(seed: u8, word_bits: u32) -> impl Iterator<Item = (String, Unit)> {
    let units = drawn(seed, recipe()).filter_map(|drawn| drawn.unit().ok().map(|unit| (drawn.to_string(), unit)));
    units.filter(move |(_, unit)| Plan::of(unit).word_bits() <= word_bits)
}

/// Random instructions of units on words of at most 64 bits, each with the text of its files: the same for the same seed.
pub fn random_instructions(seed: u8) -> impl Iterator<Item = (String, Instruction)> {
    let fits = |instruction: &Instruction| instruction.units().all(|unit| Plan::of(unit).word_bits() <= 64);
    drawn(seed, instruction()).filter(fits).map(|instruction| (text(&instruction), instruction))
}

/// The files of an instruction.
fn text(instruction: &Instruction) -> String {
    let adder = instruction.final_addition.as_ref();
    let own = instruction.to_toml("unit.toml", adder.map(|_| "addition.toml"));
    instruction.units().fold(own, |text, unit| text + "\n" + &unit.to_toml())
}
