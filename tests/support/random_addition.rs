//! Random tables `addition` that the reader accepts, as proptest strategies.

use std::fmt;

use proptest::prelude::*;
use proptest::sample::select;

/// The table of a unit that adds c to the sum of its products.
#[derive(Debug, Clone)]
pub struct AdditionRecipe {
    even_odd: bool,
    overflow: &'static str,
    sum_fraction_bits: u32,
    addend_cut_bits: u32,
    rounding: &'static str,
    /// In percent of the exponents that a floor may have, or none.
    floor: Option<i32>,
    reach: Option<u32>,
    /// Fraction bits of the total.
    total: Option<u32>,
    /// Least and greatest exponent that a floor may have.
    floors: (i32, i32),
}

impl AdditionRecipe {
    /// The table of a unit whose floors may lie in that range.
    pub fn with_floors(self, low: i32, high: i32) -> AdditionRecipe {
        AdditionRecipe { floors: (low, high), ..self }
    }

    /// The number of products next to a wanted one: even for two groups.
    pub fn products(&self, wanted: u32) -> u32 {
        if self.even_odd { wanted + wanted % 2 } else { wanted }
    }
}

impl fmt::Display for AdditionRecipe {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let (low, high) = self.floors;
        let floor =
            self.floor.map_or("\"none\"".to_owned(), |percent| (low + (high - low) * percent / 100).to_string());
        let reach = self.reach.map_or("\"unlimited\"".to_owned(), |reach| reach.to_string());
        writeln!(out, "[addition]\ngroups = {:?}", if self.even_odd { "even-odd" } else { "one" })?;
        writeln!(out, "product_overflow = {:?}\nsum_fraction_bits = {}", self.overflow, self.sum_fraction_bits)?;
        let addend_fraction_bits = self.sum_fraction_bits.saturating_sub(self.addend_cut_bits).max(1);
        writeln!(out, "addend_fraction_bits = {addend_fraction_bits}\nrounding = {:?}", self.rounding)?;
        let total = self.total.map_or("\"unlimited\"".to_owned(), |bits| bits.to_string());
        writeln!(out, "exponent_floor = {floor}\naddend_reach = {reach}\ntotal_fraction_bits = {total}\n")
    }
}

/// A table, or none: three of four units add everything at once.
pub fn addition() -> impl Strategy<Value = Option<AdditionRecipe>> {
    let overflow = select(vec!["none", "infinity"]);
    let rounding = select(vec!["toward-zero", "downward", "downward", "nearest-even", "to-odd"]);
    let sum = prop_oneof![3 => 1..=12u32, 2 => 13..=40u32, 1 => 41..=100u32];
    let floor = prop_oneof![1 => Just(None), 2 => (0..=100i32).prop_map(Some)];
    let reach = prop_oneof![1 => Just(None), 2 => (0..=40u32).prop_map(Some)];
    let total = prop_oneof![3 => Just(None), 2 => (0..=12u32).prop_map(Some), 2 => (13..=100u32).prop_map(Some)];
    let table = (any::<bool>(), overflow, sum, 0..=12u32, rounding, floor, reach, total).prop_map(
        |(even_odd, overflow, sum_fraction_bits, addend_cut_bits, rounding, floor, reach, total)| AdditionRecipe {
            even_odd,
            overflow,
            sum_fraction_bits,
            addend_cut_bits,
            rounding,
            floor,
            reach,
            total,
            floors: (0, 0),
        },
    );
    prop_oneof![3 => Just(None), 1 => table.prop_map(Some)]
}
