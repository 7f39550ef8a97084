//! Where registers stand in a unit's module. They delay results and change none: emulator and reference know nothing of them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Family, Scheme, Unit};
use crate::describe::file::{FileError, Given};
use crate::describe::words::words_of;

/// A place where registers can stand, in the order of the flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cut {
    /// In front of everything.
    Input,
    /// Behind the products.
    Product,
    /// Behind products, or sums of groups of them, with their scales.
    Scaled,
    /// Between the greatest exponent and the distances from it.
    Anchor,
    /// Between the distances and the shifts.
    Distance,
    /// Behind the aligned terms.
    Aligned,
    /// On the way through the sum.
    Tree,
    /// Behind the sum.
    Sum,
    /// Behind the sum of products, where c is added to it.
    Dot,
    /// Between the greater exponent of that sum and c and the shifts.
    TotalAnchor,
    /// Between those shifts and the addition.
    TotalAligned,
    /// Behind the sum's magnitude.
    Magnitude,
    /// In the middle of the shift to the left.
    Shift,
    /// Behind every sum of a list of steps, rounded.
    Step,
    /// Behind everything.
    Result,
}

use Cut::*;

/// Cuts by their number, less one, between registers that a design has around the unit. With 1 to 10 of them `volta-fp16-fp32` has clock
/// rates of 32, 49, 50, 61, 73, 82, 72, 79, 78 and 74 MHz after placement on an ECP5 of speed grade 6, and `hopper-fp16-fp32` with 8
/// has 48 MHz (`compare --fpga ecp5`: Yosys 0.23 synth_ecp5, nextpnr-ecp5 0.11.1, seed 1).
const BEST: [&[Cut]; 10] = [
    &[Aligned],
    &[Anchor, Sum],
    &[Product, Distance, Magnitude],
    &[Product, Distance, Sum, Shift],
    &[Product, Anchor, Aligned, Magnitude, Shift],
    &[Product, Anchor, Aligned, Sum, Magnitude, Shift],
    &[Product, Anchor, Aligned, Tree, Sum, Magnitude, Shift],
    &[Product, Anchor, Distance, Aligned, Tree, Sum, Magnitude, Shift],
    &[Product, Anchor, Distance, Aligned, Tree, Sum, Magnitude, Shift, Result],
    &[Input, Product, Anchor, Distance, Aligned, Tree, Sum, Magnitude, Shift, Result],
];

impl Cut {
    /// The places that the module of a scheme has.
    pub fn places(scheme: Scheme) -> &'static [Cut] {
        match scheme {
            Scheme::Fused | Scheme::Exact => {
                &[Input, Product, Anchor, Distance, Aligned, Tree, Sum, Magnitude, Shift, Result]
            }
            Scheme::BlockScaled => {
                &[Input, Product, Scaled, Anchor, Distance, Aligned, Tree, Sum, Magnitude, Shift, Result]
            }
            Scheme::FusedThenAdd => &[
                Input,
                Product,
                Anchor,
                Distance,
                Aligned,
                Tree,
                Sum,
                Dot,
                TotalAnchor,
                TotalAligned,
                Magnitude,
                Shift,
                Result,
            ],
            Scheme::Integer => &[Input, Product, Tree, Sum, Result],
            _ => &[Input, Product, Scaled, Anchor, Distance, Aligned, Tree, Sum, Magnitude, Shift, Step, Result],
        }
    }

    /// Bit of the parameter `Cuts` of the modules that have it.
    fn bit(self) -> Option<u32> {
        let bit = match self {
            Input => 0,
            Product => 1,
            Anchor => 2,
            Distance => 3,
            Aligned => 4,
            Tree => 5,
            Sum => 6,
            Magnitude => 7,
            Shift => 8,
            Result => 9,
            Scaled | Dot | TotalAnchor | TotalAligned | Step => return None,
        };
        Some(bit)
    }

    /// Name in unit files and on the command line.
    pub fn name(self) -> &'static str {
        words_of::<Cut>()[self as usize]
    }

    /// The place of that name in the module of a scheme.
    pub fn named(scheme: Scheme, name: &str) -> Option<Cut> {
        Cut::places(scheme).iter().find(|cut| cut.name() == name).copied()
    }

    /// So many cuts for a unit of a scheme, at the places that the measured clock rates speak for; `None` if it has not so many
    /// places, or is of a scheme of which nothing was measured.
    pub fn best(scheme: Scheme, count: usize) -> Option<BTreeSet<Cut>> {
        let measured = scheme.family() == Family::Fused;
        let cuts = BEST.get(count.checked_sub(1)?).filter(|_| measured)?;
        Some(cuts.iter().copied().collect())
    }

    /// The names of a scheme's places, as errors list them.
    pub fn listed(scheme: Scheme) -> String {
        Cut::places(scheme).iter().map(|cut| format!("{:?}", cut.name())).collect::<Vec<_>>().join(", ")
    }
}

/// Reads the field `pipeline.cuts`.
pub(super) fn read_cuts(unit: &mut Unit, given: &Given) -> std::result::Result<(), FileError> {
    let (names, scheme) = (given.parse::<Vec<String>>()?, unit.scheme);
    let cut = |name: &String| {
        let allowed = || format!("{} for {:?}", Cut::listed(scheme), scheme.name());
        Cut::named(scheme, name).ok_or_else(|| given.refuse(format!("{name:?}"), allowed()))
    };
    unit.build.cuts = names.iter().map(cut).collect::<std::result::Result<_, _>>()?;
    match unit.build.cuts.len() < names.len() {
        true => Err(given.refuse(format!("{names:?}"), "each place once")),
        false => Ok(()),
    }
}

impl Unit {
    /// The same unit without registers.
    #[must_use]
    pub fn combinational(&self) -> Unit {
        self.with_cuts([])
    }

    /// The cuts as the parameter `Cuts` of a module has them.
    pub fn cut_mask(&self) -> u32 {
        self.build.cuts.iter().filter_map(|cut| Some(1 << cut.bit()?)).sum()
    }
}
