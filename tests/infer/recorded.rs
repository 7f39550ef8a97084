//! What recorded answers decide, and what they leave open.

use tensorsmith::check::stimulus::{Class, Stimulus};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::Rounding;
use tensorsmith::describe::instruction::{Instruction, Order};
use tensorsmith::engine::{Batch, Composed};
use tensorsmith::infer::{Finding, InferError, Options, Outcome, infer_recorded};

use super::compositions::instruction as composed;
use super::public_recordings::open;
use super::shared::long_tier;

pub fn found(instruction: &Instruction, vectors: &Batch, answers: &[u64]) -> Finding {
    found_on(if long_tier() { 100_000 } else { 15_000 }, instruction, vectors, answers)
}

/// What is found with so many vectors searched in the end.
fn found_on(search: u64, instruction: &Instruction, vectors: &Batch, answers: &[u64]) -> Finding {
    let interface = instruction.interface();
    let options = Options { search, ..Options::default() };
    match infer_recorded(vectors, answers, interface, &Composed::emulated_wide, options) {
        Ok(Outcome::Found(finding)) => *finding,
        other => panic!("{}: {other:?}", instruction.name),
    }
}

pub fn answers(instruction: &Instruction, vectors: &Batch) -> Vec<u64> {
    let mut answers = Vec::new();
    Composed::emulated_wide(instruction).run(vectors, &mut answers).expect("an emulator answers");
    answers
}

/// The value of a parameter of what was found, and those that the recording leaves open.
fn left_open(finding: &Finding, field: &str) -> Vec<String> {
    open(&finding.parameters, field)
}

/// Interleaved blocks, and c added at the end: from 1,500 answers to plain numbers.
pub fn assert_two_interleaved_blocks(finding: &Finding, k: u32) {
    let instruction = &finding.hypothesis;
    assert_eq!((instruction.order, instruction.unit.products), (Order::InterleavedPairs, k / 2));
    let last = instruction.final_addition.as_ref().map(|adder| adder.conversion.rounding);
    assert_eq!(last, Some(Rounding::NearestEven));
}

#[test]
fn recorded_answers_show_the_composition() {
    // Blocks of four products are composed as those of 16 are, and searched for sooner.
    let (instruction, k) = match long_tier() {
        true => (catalogue::instruction("hopper-mma-m16n8k32-e4m3-fp16").expect("an instruction"), 32),
        false => (composed("volta-fp16-fp32", 8, "interleaved-pairs", Some("addition-fp32")), 8),
    };
    let stimulus = Stimulus::of_classes(instruction.frame(), 5, vec![Class::Simple, Class::Close]);
    let mut vectors = stimulus.empty_batch();
    stimulus.fill(0, 1500, &mut vectors);
    let answers = answers(&instruction, &vectors);
    let finding = found(&instruction, &vectors, &answers);
    assert!(finding.recorded && finding.asked == 1500);
    assert_two_interleaved_blocks(&finding, k);
    // No recorded answer is NaN.
    assert_eq!(left_open(&finding, "conversion.nan").last().map(String::as_str), Some("any other NaN"));
}

/// Further values are distinguished from the one found, by vectors that are not recorded: so the nearer ones are searched too. In
/// the ordinary tier of a unit with fewer products.
#[test]
fn open_values_are_open_for_a_reason() {
    let (name, search) = match long_tier() {
        true => ("hopper-mma-m16n8k16-fp16-fp32", 1_000_000),
        false => ("volta-mma-m8n8k4-fp16-fp32", 200_000),
    };
    let mut instruction = catalogue::instruction(name).expect("an instruction");
    (instruction.unit.alignment_mut().fraction_bits, instruction.unit.alignment_mut().exponent_floor) = (21, Some(-31));
    let stimulus = Stimulus::shaped(instruction.frame(), 5);
    let mut vectors = stimulus.empty_batch();
    stimulus.fill(0, 3000, &mut vectors);
    let answers = answers(&instruction, &vectors);
    let finding = found_on(search, &instruction, &vectors, &answers);
    assert!(left_open(&finding, "alignment.exponent_floor").contains(&"-31".to_owned()));
    let floor = finding.parameters.iter().find(|parameter| parameter.field == "alignment.exponent_floor");
    let reasons: Vec<&str> =
        floor.expect("a parameter").indistinguishable.iter().map(|other| other.reason.as_str()).collect();
    assert!(reasons.iter().filter(|reason| reason.ends_with("which is not recorded")).count() > 10, "{reasons:?}");
    assert!(!reasons.iter().any(|reason| reason.starts_with("not looked for")), "{reasons:?}");
}

/// Two answers to one vector end the inference before anything is searched.
#[test]
fn answers_that_contradict_each_other_are_refused() {
    let instruction = catalogue::instruction("volta-mma-m8n8k4-fp16-fp32").expect("an instruction");
    let stimulus = Stimulus::shaped(instruction.frame(), 5);
    let mut vectors = stimulus.empty_batch();
    stimulus.fill(0, 50, &mut vectors);
    let mut answers = answers(&instruction, &vectors);
    let repeated = vectors.vector(7);
    vectors.push(&repeated);
    answers.push(answers[7]);
    let refused = |answers: &[u64]| {
        let interface = instruction.interface();
        let options = Options { search: if long_tier() { 1_000_000 } else { 1_000 }, ..Options::default() };
        infer_recorded(&vectors, answers, interface, &Composed::emulated_wide, options).err()
    };
    assert!(refused(&answers).is_none(), "the same answer twice");
    answers[50] ^= 1;
    let error = refused(&answers).expect("two answers");
    assert!(error.to_string().contains(&format!("{:#x} and {:#x}", answers[7], answers[50])), "{error}");
    match error {
        InferError::Contradictory { vector, first, second } => {
            assert_eq!((*vector, first, second), (repeated, answers[7], answers[50]));
        }
        other => panic!("{other}"),
    }
}
