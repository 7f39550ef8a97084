//! What recorded answers decide, and what they leave open.

use tensorsmith::check::stimulus::{Class, Stimulus};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::Rounding;
use tensorsmith::describe::instruction::{Instruction, Order};
use tensorsmith::engine::recording::public::{Content, read_all};
use tensorsmith::engine::{Batch, Composed};
use tensorsmith::infer::{Finding, Interface, Options, Outcome, infer_recorded};

use super::shared as support;

fn found(instruction: &Instruction, vectors: &Batch, answers: &[u64]) -> Finding {
    let interface = Interface::of(&instruction.frame());
    let options = Options { search: 100_000, ..Options::default() };
    match infer_recorded(vectors, answers, interface, &Composed::emulated_wide, options) {
        Ok(Outcome::Found(finding)) => *finding,
        other => panic!("{}: {other:?}", instruction.name),
    }
}

/// The value of a parameter, and those that the recording leaves open.
fn left_open(finding: &Finding, field: &str) -> Vec<String> {
    let parameter = finding.parameters.iter().find(|parameter| parameter.field == field);
    let parameter = parameter.unwrap_or_else(|| panic!("{field} is a parameter"));
    let others = parameter.indifferent.iter().map(|other| other.value.clone());
    std::iter::once(parameter.value.clone()).chain(others).collect()
}

/// Interleaved blocks, and c added at the end: from 1,500 answers to plain numbers.
fn assert_two_interleaved_blocks(finding: &Finding, k: u32) {
    let instruction = &finding.hypothesis;
    assert_eq!((instruction.order, instruction.unit.products), (Order::InterleavedPairs, k / 2));
    let last = instruction.final_addition.as_ref().map(|adder| adder.conversion.rounding);
    assert_eq!(last, Some(Rounding::NearestEven));
}

#[test]
fn recorded_answers_show_the_composition() {
    let instruction = catalogue::instruction("hopper-mma-m16n8k32-e4m3-fp16").expect("an instruction");
    let stimulus = Stimulus::of_classes(&instruction.frame(), 5, vec![Class::Simple, Class::Close]);
    let mut vectors = stimulus.empty_batch();
    stimulus.fill(0, 1500, &mut vectors);
    let mut answers = Vec::new();
    Composed::emulated(&instruction).run(&vectors, &mut answers).expect("an emulator answers");
    let finding = found(&instruction, &vectors, &answers);
    assert!(finding.recorded && finding.asked == 1500);
    assert_two_interleaved_blocks(&finding, 32);
    // No recorded answer is NaN.
    assert_eq!(left_open(&finding, "conversion.nan").last().map(String::as_str), Some("any other NaN"));
}

/// Further values are told from the one found, by vectors that are not recorded: so the nearer ones are looked for too.
#[test]
fn open_values_are_open_for_a_reason() {
    let mut instruction = catalogue::instruction("hopper-mma-m16n8k16-fp16-fp32").expect("an instruction");
    (instruction.unit.alignment.fraction_bits, instruction.unit.alignment.exponent_floor) = (21, Some(-31));
    let stimulus = Stimulus::shaped(&instruction.frame(), 5);
    let mut vectors = stimulus.empty_batch();
    stimulus.fill(0, 3000, &mut vectors);
    let mut answers = Vec::new();
    Composed::emulated(&instruction).run(&vectors, &mut answers).expect("an emulator answers");
    let finding = found(&instruction, &vectors, &answers);
    assert!(left_open(&finding, "alignment.exponent_floor").contains(&"-31".to_owned()));
    let floor = finding.parameters.iter().find(|parameter| parameter.field == "alignment.exponent_floor");
    let reasons: Vec<&str> =
        floor.expect("a parameter").indifferent.iter().map(|other| other.reason.as_str()).collect();
    assert!(reasons.iter().filter(|reason| reason.ends_with("which is not recorded")).count() > 10, "{reasons:?}");
    assert!(!reasons.iter().any(|reason| reason.starts_with("not looked for")), "{reasons:?}");
}

/// Whether fraction bits are among those that a recording leaves open.
fn assert_fraction_bits(name: &str, finding: &Finding, bits: std::ops::RangeInclusive<u32>) {
    let mut open: Vec<u32> =
        left_open(finding, "alignment.fraction_bits").iter().filter_map(|value| value.parse().ok()).collect();
    open.sort_unstable();
    assert_eq!((open.first(), open.last()), (Some(bits.start()), Some(bits.end())), "{name}: {open:?}");
}

const ORDINARY: [&str; 4] = ["V100 fp16 -> fp32", "Ada E4M3 -> fp32", "H100 E4M3 -> fp16", "H100 fp16 -> fp32"];

/// Of the public recordings: F of fp32 results, the final conversion, products as they are, and the composition.
#[test]
fn public_recordings_decide_what_they_can() {
    let Some(folder) = support::recordings() else {
        return support::skip("recordings", "TENSORSMITH_RECORDINGS names no folder");
    };
    let mut seen = 0;
    for recording in read_all(&folder).expect("well-formed recordings") {
        let Content::Rows { instruction, batch, expected } = recording.content else { continue };
        let name = format!("{} {} -> {}", recording.device, recording.operands, recording.result);
        // In the ordinary tier one of each kind; the long tier takes all.
        if !support::long_tier() && !ORDINARY.contains(&name.as_str()) {
            continue;
        }
        let finding = found(&instruction, &batch, &expected);
        let unit = &finding.hypothesis.unit;
        println!("{name}: {} {:?}", unit.scheme.name(), finding.hypothesis.unit.alignment);
        let fp32 = recording.result == "fp32";
        assert_eq!(unit.conversion.rounding, if fp32 { Rounding::TowardZero } else { Rounding::NearestEven }, "{name}");
        let fp8 = ["E4M3", "E5M2"].contains(&recording.operands.as_str());
        let expected_bits = match recording.device.as_str() {
            "V100" => 23,
            _ if fp8 => 13,
            "H100" | "H200" | "B200" => 25,
            _ => 24,
        };
        if fp32 {
            assert_fraction_bits(&name, &finding, expected_bits..=expected_bits);
            assert!(!unit.alignment.normalise_products, "{name}");
        }
        if fp8 && recording.device == "H100" && !fp32 {
            assert_two_interleaved_blocks(&finding, 32);
        }
        if fp8 && recording.device == "Ada" {
            assert_eq!((finding.hypothesis.order, unit.products), (Order::Contiguous, 16), "{name}");
        }
        seen += 1;
    }
    assert!(seen > 0, "the folder holds recordings of instructions of the catalogue");
}
