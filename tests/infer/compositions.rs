//! Instructions whose blocks are composed in every way, of units of every scheme: found from their emulators.

use std::slice;

use tensorsmith::describe::format::{Format, Rounding};
use tensorsmith::describe::instruction::{Instruction, Order};
use tensorsmith::describe::unit::{AlignmentRounding, Flush, ProductOrder};
use tensorsmith::infer::{Finding, Outcome, Setting};

use super::shared::long_tier;
use super::support::{difference, emulator, inferred, short};

/// An instruction with K products of a unit of the catalogue; `last` names the unit that adds c in the end, if any does.
pub fn instruction(unit: &str, k: u32, order: &str, last: Option<&str>) -> Instruction {
    let start = if last.is_some() { "zero" } else { "addend" };
    let last = last.map_or(String::new(), |adder| format!("final_addition = \"{adder}\"\n"));
    let text = format!(
        "name = \"composed\"\nsummary = \"\"\nunit = \"{unit}\"\nshape = {{ m = 1, n = 1, k = {k} }}\n\
         order = \"{order}\"\nstart = \"{start}\"\n{last}[evidence]\ngrade = \"chosen\"\nsource = \"a test\"\n"
    );
    Instruction::from_toml("composed.toml", &text).expect("an instruction file")
}

fn assert_found(instruction: Instruction) -> Finding {
    let subject = instruction.clone().into();
    let name = format!("{}, K = {}", instruction.unit.name, instruction.shape.k);
    match inferred(emulator(&subject).as_mut(), &subject, short(100_000)) {
        Ok(Outcome::Found(finding)) => {
            assert_eq!(difference(&subject, &finding.hypothesis, 50_000), None, "{name}");
            assert_eq!(finding.hypothesis.blocks(), instruction.blocks(), "{name}");
            *finding
        }
        other => panic!("{name}: {other:?}"),
    }
}

/// In the long tier only: the ordinary one finds such blocks from recorded answers.
#[test]
fn interleaved_blocks_of_every_scheme_are_found() {
    if !long_tier() {
        return;
    }
    for (unit, k) in [
        ("cdna2-fp16-fp32", 8),
        ("cdna1-fp16-fp32", 8),
        ("cdna3-fp16-fp32", 16),
        ("volta-fp16-fp32", 8),
        ("integer-int8-int32-saturate", 32),
    ] {
        let found = assert_found(instruction(unit, k, "interleaved-pairs", None));
        assert_eq!(found.hypothesis.order, Order::InterleavedPairs, "{unit}");
    }
}

/// In the long tier only: the ordinary one finds such an addend from recorded answers.
#[test]
fn addend_after_blocks_of_every_scheme_is_found() {
    if !long_tier() {
        return;
    }
    for (unit, k, order) in [
        ("cdna2-fp16-fp32", 8, "interleaved-pairs"),
        ("arm-bf16-fp32", 4, "contiguous"),
        ("cdna1-fp16-fp32", 8, "contiguous"),
        ("cdna3-fp16-fp32", 32, "contiguous"),
    ] {
        let found = assert_found(instruction(unit, k, order, Some("addition-fp32")));
        assert!(found.hypothesis.final_addition.is_some(), "{unit}");
    }
}

/// A chain in ascending order is the same chain in any blocks, one in descending order is not.
#[test]
fn blocks_of_descending_chains_are_found() {
    let mut small = instruction("tiny-fma", 4, "contiguous", None);
    small.unit.order = ProductOrder::Descending;
    assert_found(small);
    let sizes: &[u32] = if long_tier() { &[4, 8] } else { &[] };
    for &k in sizes {
        assert_found(instruction("avx512-bf16-fp32", k, "contiguous", None));
    }
}

/// An instruction is found whose final addition these settings make another one than a correctly rounded one.
fn assert_addition_is_found(unit: &str, k: u32, settings: &[Setting]) {
    let mut rounded = instruction(unit, k, "contiguous", None);
    Setting::FinalAddition(Some(Rounding::NearestEven)).apply(&mut rounded);
    let mut described = rounded.clone();
    settings.iter().for_each(|setting| setting.apply(&mut described));
    assert!(described.is_valid(), "{settings:?}");
    assert!(difference(&described.clone().into(), &rounded, 50_000).is_some(), "{settings:?} change nothing");
    assert!(assert_found(described).hypothesis.final_addition.is_some(), "{settings:?}");
}

#[test]
fn final_addition_that_cuts_is_found() {
    let truncated = |bits: u32| {
        [
            Setting::FinalAddition(Some(Rounding::TowardZero)),
            Setting::of_final_addition(Setting::FractionBits(bits)),
            Setting::of_final_addition(Setting::AlignmentRounding(AlignmentRounding::TowardZero)),
        ]
    };
    assert_addition_is_found("tiny-nearest", 4, &truncated(3));
    if !long_tier() {
        return;
    }
    assert_addition_is_found("ampere-fp16-fp32", 16, &truncated(24));
    let downward = [
        Setting::of_final_addition(Setting::FractionBits(31)),
        Setting::of_final_addition(Setting::AlignmentRounding(AlignmentRounding::Downward)),
    ];
    assert_addition_is_found("cdna1-bf16-fp32", 4, &downward);
    let flushed = Flush { operands: true, addend: true, result: true, ..Flush::default() };
    assert_addition_is_found("volta-fp16-fp32", 8, &[Setting::of_final_addition(Setting::Subnormals(flushed))]);
}

/// In the long tier only: the ordinary one finds random instructions with such additions, too.
#[test]
fn final_addition_of_wider_sums_is_found() {
    if !long_tier() {
        return;
    }
    let blocks = Setting::OfBlocks(Box::new(Format::binary32()));
    assert_addition_is_found("hopper-fp16-fp16", 32, slice::from_ref(&blocks));
    assert_addition_is_found("ada-e4m3-fp16", 32, &[blocks, Setting::of_final_addition(Setting::FractionBits(20))]);
}
