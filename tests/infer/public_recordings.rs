//! The public recordings of real GPUs: what they decide of each, and what they leave open, beside what brute force finds.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::OnceLock;

use tensorsmith::describe::format::{Class, Rounding};
use tensorsmith::describe::instruction::{Instruction, Order};
use tensorsmith::describe::unit::Scheme;
use tensorsmith::engine::Batch;
use tensorsmith::infer::{Finding, ParameterEvidence};
use tensorsmith::recording::public::{Content, read_all};

use super::recorded::{answers, assert_two_interleaved_blocks, found};
use super::shared as support;

/// What was recorded of an instruction.
#[derive(Clone)]
struct Recorded {
    name: String,
    device: String,
    fp8: bool,
    /// Whether results are fp32.
    fp32: bool,
    instruction: Instruction,
    vectors: Batch,
    answers: Vec<u64>,
}

/// In the ordinary tier this alone, in the long tier all: it decides F, of the fewest products.
const ORDINARY: &str = "V100 fp16 -> fp32";

/// The recording with changed answers, and how many of them one bit less changes. One that leaves F open changes few; to infer
/// from that takes as long as from ten others, so that the ordinary tier changes the answers of its own recording.
fn changed() -> (&'static str, RangeInclusive<usize>) {
    if support::long_tier() { ("H100 fp16 -> fp16", 1..=10) } else { (ORDINARY, 1000..=1300) }
}

/// The fraction bits that recordings of fp16 results leave open; 100 is the most that is tried, so that nothing bounds them above.
const FP16_RESULTS: [(&str, RangeInclusive<u32>); 8] = [
    ("V100 fp16 -> fp16", 22..=100),
    ("A100 fp16 -> fp16", 24..=100),
    ("Ada fp16 -> fp16", 22..=100),
    ("H100 fp16 -> fp16", 22..=25),
    ("H100 E4M3 -> fp16", 17..=100),
    ("H100 E5M2 -> fp16", 18..=100),
    ("Ada E4M3 -> fp16", 13..=13),
    ("Ada E5M2 -> fp16", 13..=13),
];

/// The public recording of the ordinary tier, in the long tier all; none where no folder is named.
fn public_recordings() -> Vec<&'static Recorded> {
    static ALL: OnceLock<Vec<Recorded>> = OnceLock::new();
    let Some(folder) = support::recordings() else {
        support::skip("recordings", "TENSORSMITH_RECORDINGS names no folder");
        return Vec::new();
    };
    let all = ALL.get_or_init(|| all_in(&folder)).iter();
    let chosen: Vec<&Recorded> = all.filter(|one| support::long_tier() || one.name == ORDINARY).collect();
    assert!(!chosen.is_empty(), "the folder holds recordings of instructions of the catalogue");
    chosen
}

/// What a folder of public recordings holds of instructions.
fn all_in(folder: &Path) -> Vec<Recorded> {
    let mut all = Vec::new();
    for recording in read_all(folder).expect("well-formed recordings") {
        let Content::Rows { instruction, batch, expected } = recording.content else { continue };
        let name = format!("{} {} -> {}", recording.device, recording.operands, recording.result);
        let fp8 = ["E4M3", "E5M2"].contains(&recording.operands.as_str());
        let (device, fp32) = (recording.device, recording.result == "fp32");
        all.push(Recorded { name, device, fp8, fp32, instruction: *instruction, vectors: batch, answers: expected });
    }
    all
}

/// The value of a parameter, and those that the recording leaves open.
pub fn open(parameters: &[ParameterEvidence], field: &str) -> Vec<String> {
    let parameter = parameters.iter().find(|parameter| parameter.field == field);
    let parameter = parameter.unwrap_or_else(|| panic!("{field} is a parameter"));
    let others = parameter.indistinguishable.iter().map(|other| other.value.clone());
    std::iter::once(parameter.value.clone()).chain(others).collect()
}

/// Those of the open values that are numbers.
fn open_numbers(parameters: &[ParameterEvidence], field: &str) -> Vec<i32> {
    let mut numbers: Vec<i32> = open(parameters, field).iter().filter_map(|value| value.parse().ok()).collect();
    numbers.sort_unstable();
    numbers
}

/// The fused hypothesis with the blocks of the catalogue's instruction: what was found, or what fits as well.
fn fused<'a>(finding: &'a Finding, instruction: &Instruction) -> (&'a Instruction, &'a [ParameterEvidence]) {
    let others = finding.equivalent.iter().map(|other| (&other.hypothesis, other.parameters.as_slice()));
    let mut all = std::iter::once((&finding.hypothesis, finding.parameters.as_slice())).chain(others);
    let own = |one: &Instruction| one.unit.scheme == Scheme::Fused && one.blocks() == instruction.blocks();
    let none = || panic!("{}: no fused hypothesis fits: {:?}", instruction.name, finding.equivalent);
    all.find(|(one, _)| own(one)).unwrap_or_else(none)
}

/// The numbers with which an instruction answers as recorded, each tried by itself.
fn fitting(
    recorded: &Recorded,
    instruction: &Instruction,
    numbers: impl Iterator<Item = i32>,
    put: impl Fn(&mut Instruction, i32),
) -> Vec<i32> {
    let fits = |number: &i32| {
        let mut other = instruction.clone();
        put(&mut other, *number);
        answers(&other, &recorded.vectors) == recorded.answers
    };
    numbers.filter(fits).collect()
}

fn put_fraction_bits(instruction: &mut Instruction, bits: i32) {
    instruction.unit.alignment_mut().fraction_bits = bits.unsigned_abs();
}

/// F of the catalogue's own instruction, by brute force.
fn fitting_fraction_bits(recorded: &Recorded) -> Vec<i32> {
    fitting(recorded, &recorded.instruction, 1..=100, put_fraction_bits)
}

/// Of fp32 results F, which is the one that brute force finds; the conversion, products as they are, and the composition.
fn assert_decided(recorded: &Recorded, finding: &Finding) {
    let (name, unit) = (&recorded.name, &finding.hypothesis.unit);
    let rounding = if recorded.fp32 { Rounding::TowardZero } else { Rounding::NearestEven };
    assert_eq!(unit.conversion.rounding, rounding, "{name}");
    let bits = match recorded.device.as_str() {
        "V100" => 23,
        _ if recorded.fp8 => 13,
        "H100" | "H200" | "B200" => 25,
        _ => 24,
    };
    if recorded.fp32 {
        assert_eq!(open_numbers(&finding.parameters, "alignment.fraction_bits"), [bits], "{name}");
        assert_eq!(open(&finding.parameters, "alignment.normalise_products"), ["false"], "{name}");
        assert_eq!(open(&finding.parameters, "conversion.rounding"), ["\"toward-zero\""], "{name}");
    }
    if recorded.fp8 && recorded.device == "H100" && !recorded.fp32 {
        assert_two_interleaved_blocks(finding, 32);
    }
    if recorded.fp8 && recorded.device == "Ada" {
        assert_eq!((finding.hypothesis.order, unit.products), (Order::Contiguous, 16), "{name}");
    }
}

/// Fraction bits and floors: exactly those that brute force finds.
fn assert_numbers_open(recorded: &Recorded, finding: &Finding) {
    /// Floors that are tried.
    const FLOORS: RangeInclusive<i32> = -12..=8;
    let (hypothesis, parameters) = fused(finding, &recorded.instruction);
    let bits = open_numbers(parameters, "alignment.fraction_bits");
    assert_eq!(bits, fitting_fraction_bits(recorded), "{}", recorded.name);
    let known = FP16_RESULTS.iter().find(|(name, _)| *name == recorded.name);
    if let Some((name, known)) = known {
        assert_eq!(bits, Vec::from_iter(*known.start() as i32..=*known.end() as i32), "{name}");
    }
    let field = "alignment.exponent_floor";
    let fits = fitting(recorded, hypothesis, FLOORS, |other, floor| {
        other.unit.alignment_mut().exponent_floor = Some(floor);
    });
    let floors = open_numbers(parameters, field);
    let tried: Vec<i32> = floors.iter().copied().filter(|floor| FLOORS.contains(floor)).collect();
    assert_eq!(tried, fits, "{}", recorded.name);
    // Floors further down cut less.
    assert!(floors.first() < Some(FLOORS.start()) && floors.is_sorted_by(|one, next| one + 1 == *next), "{floors:?}");
    assert!(open(parameters, field).contains(&"\"none\"".to_owned()), "{}", recorded.name);
}

/// What no recorded vector or answer shows: wider blocks, NaN, infinities, subnormal numbers and signs of zeros.
fn assert_unseen_open(recorded: &Recorded, finding: &Finding) {
    let Recorded { name, instruction, vectors, answers, .. } = recorded;
    let d = &instruction.interface().formats.d;
    let (k, parameters) = (vectors.products() as usize, &finding.parameters);
    let used = |v: usize| {
        let vector = vectors.vector(v);
        (0..k).rev().find(|&place| vector.a[place] != 0 && vector.b[place] != 0).map_or(0, |place| place + 1)
    };
    let used = (0..answers.len()).map(used).max().unwrap_or_default();
    if used < k {
        assert_eq!(open_numbers(parameters, "products"), Vec::from_iter(used as i32..=k as i32), "{name}");
    }
    let shows = |class: Class| answers.iter().any(|&answer| d.decode(answer & d.mask()).class == class);
    assert!(!shows(Class::Nan) && !shows(Class::Infinite), "{name}");
    assert_eq!(open(parameters, "conversion.nan").last().map(String::as_str), Some("any other NaN"), "{name}");
    assert_eq!(open(parameters, "conversion.overflow").len(), 3, "{name}");
    assert!(open(parameters, "subnormals").len() > 1, "{name}");
    if !answers.iter().any(|answer| d.decode(answer & d.mask()).significand == 0) {
        assert_eq!(open(parameters, "conversion.exact_zero").len(), 2, "{name}");
    }
}

#[test]
fn public_recordings_decide_what_they_can_and_leave_open_the_rest() {
    for recorded in public_recordings() {
        let finding = found(&recorded.instruction, &recorded.vectors, &recorded.answers);
        let (_, parameters) = fused(&finding, &recorded.instruction);
        let bits = parameters.iter().find(|parameter| parameter.field == "alignment.fraction_bits");
        let bits = bits.map(ParameterEvidence::fitting).unwrap_or_default();
        println!("{}: {}, F {bits}", recorded.name, finding.hypothesis.unit.scheme.name());
        assert_decided(recorded, &finding);
        assert_numbers_open(recorded, &finding);
        assert_unseen_open(recorded, &finding);
    }
}

/// A negative control: with the answers changed that one bit less would give, that number fits, and no other.
#[test]
fn changed_answers_move_what_public_recordings_leave_open() {
    let (name, expected) = changed();
    let all = public_recordings();
    let own = all.iter().find(|recorded| recorded.name == name);
    assert_eq!(own.is_some(), !all.is_empty(), "{name} is among the recordings");
    if let Some(&own) = own {
        let mut recorded = own.clone();
        let before = fitting_fraction_bits(&recorded);
        let less = before.first().expect("the catalogue's instruction fits") - 1;
        let mut other = recorded.instruction.clone();
        put_fraction_bits(&mut other, less);
        let changed = answers(&other, &recorded.vectors);
        let count = changed.iter().zip(&recorded.answers).filter(|(one, other)| one != other).count();
        assert!(expected.contains(&count), "{count} answers");
        recorded.answers = changed;
        let finding = found(&recorded.instruction, &recorded.vectors, &recorded.answers);
        let (_, parameters) = fused(&finding, &recorded.instruction);
        let bits = open_numbers(parameters, "alignment.fraction_bits");
        assert!(bits.contains(&less) && !bits.iter().any(|bits| before.contains(bits)), "{bits:?}, {before:?}");
        assert_eq!(bits, fitting_fraction_bits(&recorded));
    }
}
