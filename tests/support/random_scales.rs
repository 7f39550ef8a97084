//! Random tables `scales` that the reader accepts, as proptest strategies: named and custom formats, blocks and groups.

use std::fmt;

use proptest::prelude::*;
use proptest::sample::select;

/// A scale format, and the exponents of its numbers.
#[derive(Debug, Clone)]
struct ScaleEntry {
    text: String,
    exponent_min: i32,
    exponent_max: i32,
}

/// The table of a unit with `blocks` blocks.
#[derive(Debug, Clone)]
pub struct ScalesRecipe {
    a: ScaleEntry,
    b: ScaleEntry,
    block: u32,
    blocks: u32,
    pub group: Option<u32>,
}

impl ScalesRecipe {
    pub fn products(&self) -> u32 {
        self.block * self.blocks
    }

    /// Least and greatest exponent that the two scales add.
    pub fn exponents(&self) -> (i32, i32) {
        (self.a.exponent_min + self.b.exponent_min, self.a.exponent_max + self.b.exponent_max)
    }
}

impl fmt::Display for ScalesRecipe {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        writeln!(out, "[scales]\na = {}\nb = {}\nblock = {}", self.a.text, self.b.text, self.block)?;
        self.group.map_or(Ok(()), |group| writeln!(out, "group = {group}"))
    }
}

fn named() -> impl Strategy<Value = ScaleEntry> {
    select(vec![("ue8m0", -127, 127), ("ue4m3", -6, 8)]).prop_map(|(name, exponent_min, exponent_max)| ScaleEntry {
        text: format!("{name:?}"),
        exponent_min,
        exponent_max,
    })
}

fn layout() -> impl Strategy<Value = ScaleEntry> {
    let kinds = select(vec!["none", "all-ones-nan"]);
    // Mostly in the middle of the exponent field, sometimes far outside it.
    let bias = prop_oneof![6 => (0..=100i32).prop_map(Some), 1 => Just(None)];
    (1..=8i32, 0..=8i32, bias, -300..=300i32, kinds).prop_map(|(exponent_bits, fraction_bits, percent, far, kind)| {
        let bias = percent.map_or(far, |percent| (1 << exponent_bits) * percent / 100);
        ScaleEntry {
            text: format!(
                "{{ exponent_bits = {exponent_bits}, fraction_bits = {fraction_bits}, bias = {bias}, non_finite = {kind:?} }}"
            ),
            exponent_min: i32::from(fraction_bits > 0) - bias,
            exponent_max: (1 << exponent_bits) - 2 - bias,
        }
    })
}

/// A table, or none: three of four units have no scales.
pub fn scales() -> impl Strategy<Value = Option<ScalesRecipe>> {
    let entry = || prop_oneof![1 => named(), 1 => layout()];
    let group = prop_oneof![1 => Just(None), 1 => select(vec![1, 2, 4, 8, 16]).prop_map(Some)];
    let table = (entry(), entry(), 1..=4u32, 1..=4u32, group).prop_map(|(a, b, parts, blocks, group)| ScalesRecipe {
        a,
        b,
        // At most 64 products.
        block: group.map_or(parts * 4, |group: u32| group * parts.min(64 / group / blocks).max(1)),
        blocks: group.map_or(blocks, |group| blocks.min(64 / group)),
        group,
    });
    prop_oneof![3 => Just(None), 1 => table.prop_map(Some)]
}
