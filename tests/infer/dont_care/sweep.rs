//! No reason at all is given for what differs: every kind of change of many units.

use rayon::prelude::*;
use tensorsmith::describe::format::Rounding;
use tensorsmith::describe::instruction::{Instruction, Order};
use tensorsmith::describe::unit::Unit;
use tensorsmith::infer::{Setting, Space, dont_care};

use super::super::shared::long_tier;
use super::super::support::random_units;
use super::{differs, instruction, unit};

/// Whatever is claimed of any change of any of these is true.
#[test]
fn no_reason_is_given_for_what_differs() {
    let units =
        ["tiny-truncating", "tiny-nearest", "tiny-riscv", "tiny-fma", "tiny-scaled", "tiny-grouped", "tiny-exact"];
    let units = units
        .into_iter()
        .chain([
            "tiny-pairwise",
            "tiny-pair-chain",
            "tiny-then-add",
            "tiny-two-groups",
            "tiny-integer",
            "volta-fp16-fp16",
        ])
        .map(unit);
    let composed = ["volta-wmma-m16n16k16-fp16-fp32", "hopper-mma-m16n8k32-e4m3-fp16"].map(instruction);
    let claimed: usize = units.chain(composed).map(|one| reasons_hold(&one)).sum();
    assert!(claimed > 50, "only {claimed} reasons");
}

/// Nor of random units, by themselves, with c added last, in chains of two blocks, and half used.
#[test]
fn no_reason_is_given_for_what_differs_of_random_units() {
    let units = random_units(12, 64).map(|(_, unit)| unit).filter(|unit| long_tier() || unit.products <= 8);
    let units: Vec<Unit> = units.take(if long_tier() { 5_000 } else { 5 }).collect();
    let claims = |unit: &Unit| {
        let single = Instruction::alone(unit.clone());
        let mut chained = single.clone();
        chained.shape.k *= 2;
        let order = [Order::Contiguous, Order::InterleavedPairs][unit.products as usize % 2];
        let chained = Instruction { order, ..chained };
        let mut last = single.clone();
        if unit.has_addend() {
            Setting::FinalAddition(Some(Rounding::NearestEven)).apply(&mut last);
        }
        let mut partial = single.clone();
        partial.shape.k = unit.products.div_ceil(2);
        [single, last, chained, partial].iter().filter(|one| one.is_valid()).map(reasons_hold).sum::<usize>()
    };
    let claimed: usize = units.par_iter().map(claims).sum();
    assert!(claimed > units.len(), "only {claimed} reasons");
}

/// How many reasons are given for changes of an instruction, all of them true: of the changes of a parameter for the first and
/// the last, for each beside one that has none, and for some between.
fn reasons_hold(one: &Instruction) -> usize {
    /// Between those, one in so many.
    const STEP: usize = 5;
    let space = Space::new(one.interface(), std::iter::empty());
    let mut claimed = 0;
    for parameter in space.parameters(one) {
        let changes: Vec<_> = space.alternatives(one, &parameter).map(|(setting, _)| setting).collect();
        let reasons: Vec<_> = changes.iter().map(|setting| dont_care(setting, one)).collect();
        let none = |index: Option<usize>| index.and_then(|index| reasons.get(index)).is_none_or(Option::is_none);
        for (index, (setting, reason)) in changes.iter().zip(&reasons).enumerate() {
            let chosen = none(index.checked_sub(1)) || none(Some(index + 1)) || index % STEP == 0;
            if let (true, Some(reason)) = (chosen, reason) {
                claimed += 1;
                let unit = one.unit.to_toml();
                assert!(!differs(setting, one, 8_000), "{setting:?} acts, but {reason}; k = {}\n{unit}", one.shape.k);
            }
        }
    }
    claimed
}
