//! Hypotheses that are no single change of another one: such as may answer nearly everything as it does, and such as a search
//! leaps to. Knows no answers.

use super::composition::with_result;
use super::setting::Setting;
use super::{Composition, Space, another, derive, flushes, with};
use crate::describe::instruction::Instruction;
use crate::describe::unit::Scheme;

impl Space {
    /// That whose floors are exchanged, that which does or does not normalise products, and hypotheses with a window some places
    /// longer or shorter and its floor as much higher or lower, the nearest first; each with whether it is one place only,
    /// in which case the fewest vectors distinguish it.
    pub fn confusable(&self, hypothesis: &Instruction) -> Vec<(Instruction, bool)> {
        let exchanged = self.floors_exchanged(hypothesis).map(|exchanged| (exchanged, false));
        let normalised = with_normalising_changed(hypothesis).map(|other| (other, true));
        exchanged.into_iter().chain(normalised).chain(windows_moved(hypothesis)).collect()
    }

    /// The hypothesis with the floor of each window at the other one: the higher one ends both where nothing cancels.
    pub fn floors_exchanged(&self, hypothesis: &Instruction) -> Option<Instruction> {
        let unit = &hypothesis.unit;
        let floor = unit.addition.as_ref()?.exponent_floor;
        another(hypothesis, &[Setting::ExponentFloor(floor), Setting::AdditionFloor(unit.alignment().exponent_floor)])
    }

    /// The hypothesis with what the window of the products has at that of the sum, and the other way round.
    pub fn windows_exchanged(&self, hypothesis: &Instruction) -> Option<Instruction> {
        let (alignment, addition) = (hypothesis.unit.alignment.as_ref()?, hypothesis.unit.addition.as_ref()?);
        let exchanged = [
            Setting::FractionBits(addition.sum_fraction_bits),
            Setting::SumFractionBits(alignment.fraction_bits),
            Setting::AddendFractionBits(addition.addend_fraction_bits.min(alignment.fraction_bits)),
            Setting::AlignmentRounding(addition.rounding),
            Setting::AdditionRounding(alignment.rounding),
            Setting::ExponentFloor(addition.exponent_floor),
            Setting::AdditionFloor(alignment.exponent_floor),
        ];
        another(hypothesis, &exchanged)
    }

    /// A first hypothesis of a scheme in a composition with what another hypothesis has, so far as that scheme can have it: window,
    /// addition, conversion, format of the result and rules for subnormal numbers; with groups and the order of products where
    /// both have the same scheme, and with the final addition where both have one.
    pub fn in_scheme(&self, other: &Instruction, scheme: Scheme, composition: &Composition) -> Option<Instruction> {
        let mut hypothesis = self.start(scheme, composition)?;
        let (unit, from) = (&mut hypothesis.unit, &other.unit);
        unit.formats.d = other.d().clone();
        unit.conversion = from.conversion.clone();
        if let Some(adder) = &other.final_addition {
            unit.conversion.nan = adder.conversion.nan;
        }
        unit.conversion.zero_negative &= !scheme.rounds_each_operation();
        unit.conversion.rounded_zero_positive &= !scheme.rounds_each_operation();
        if from.scheme.has_window() {
            unit.alignment = from.alignment.clone();
        }
        if flushes(scheme).contains(&from.flush) {
            unit.flush = from.flush;
        }
        if scheme == from.scheme {
            (unit.addition, unit.carry_bits) = (from.addition.clone(), from.carry_bits);
            (unit.scales, unit.order) = (from.scales.clone(), from.order);
        }
        derive(&mut hypothesis);
        if let (Some(_), Some(from)) = (&hypothesis.final_addition, &other.final_addition) {
            hypothesis = with(&hypothesis, &[Setting::OfBlocks(Box::new(other.unit.formats.d.clone()))]);
            hypothesis.final_addition = Some(with_result(from, &hypothesis, from.formats.d.clone()));
        }
        Some(hypothesis).filter(Instruction::is_valid)
    }
}

/// The hypothesis that normalises products where it does not, or the other way round, with a window and a floor that end at the same
/// place beside most products: those of two or more.
fn with_normalising_changed(hypothesis: &Instruction) -> Option<Instruction> {
    let alignment = hypothesis.unit.alignment.as_ref()?;
    let by = if alignment.normalise_products { -1 } else { 1 };
    let moved = [
        Setting::NormaliseProducts(!alignment.normalise_products),
        Setting::FractionBits(alignment.fraction_bits.checked_add_signed(by)?),
        Setting::ExponentFloor(alignment.exponent_floor.map(|floor| floor + by)),
    ];
    hypothesis.unit.scheme.has_window().then(|| another(hypothesis, &moved)).flatten()
}

/// Windows that end at the same places where their floors hold, the nearest first.
fn windows_moved(hypothesis: &Instruction) -> Vec<(Instruction, bool)> {
    /// By how many places.
    const STEPS: [i32; 16] = [-1, 1, -2, 2, -3, 3, -4, 4, -6, 6, -8, 8, -16, 16, -32, 32];
    let unit = &hypothesis.unit;
    let moved = |bits: u32, floor: i32, by: i32| Some((bits.checked_add_signed(by)?, Some(floor + by)));
    let alignment = |by| {
        let own = unit.alignment.as_ref()?;
        let (bits, floor) = moved(own.fraction_bits, own.exponent_floor?, by)?;
        another(hypothesis, &[Setting::FractionBits(bits), Setting::ExponentFloor(floor)])
    };
    let addition = |by| {
        let addition = unit.addition.as_ref()?;
        let (bits, floor) = moved(addition.sum_fraction_bits, addition.exponent_floor?, by)?;
        another(hypothesis, &[Setting::SumFractionBits(bits), Setting::AdditionFloor(floor)])
    };
    let both = |by: i32| [alignment(by), addition(by)].into_iter().flatten().map(move |other| (other, by.abs() == 1));
    STEPS.into_iter().flat_map(both).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::format::Format;
    use crate::describe::unit::{Flush, Formats};
    use crate::infer::search::example::fused;
    use crate::infer::space::Interface;

    #[test]
    fn other_scheme_takes_over_what_it_can_have() {
        let (space, mut hypothesis) = fused();
        let whole = Composition::whole(&space.interface);
        let flush = Flush { operands: true, ..Flush::default() };
        for setting in [
            Setting::FractionBits(17),
            Setting::ExponentFloor(Some(-3)),
            Setting::CarryBits(Some(0)),
            Setting::ZeroNegative(true),
            Setting::Subnormals(flush),
        ] {
            setting.apply(&mut hypothesis);
        }
        let in_scheme = |other: &Instruction, scheme| space.in_scheme(other, scheme, &whole);
        let own = |scheme| space.start(scheme, &whole).expect("a hypothesis").unit;
        assert_eq!(in_scheme(&hypothesis, Scheme::Fused), Some(hypothesis.clone()));
        let added = in_scheme(&hypothesis, Scheme::FusedThenAdd).expect("a fused-then-add unit").unit;
        assert_eq!((&added.alignment, added.flush), (&hypothesis.unit.alignment, flush));
        assert_eq!((added.addition, added.carry_bits), (own(Scheme::FusedThenAdd).addition, None));
        // Rounded operations have their own zeros, and rules for subnormal numbers that no sum has.
        let mut chain = in_scheme(&hypothesis, Scheme::FmaChain).expect("a chain");
        assert_eq!((chain.unit.flush, chain.unit.conversion.zero_negative), (flush, false));
        Setting::Subnormals(Flush { to_plus_zero: true, ..flush }).apply(&mut chain);
        let back = in_scheme(&chain, Scheme::Fused).expect("a fused unit").unit;
        assert_eq!((back.flush, back.alignment), (Flush::default(), own(Scheme::Fused).alignment));
        assert_eq!(in_scheme(&hypothesis, Scheme::Integer), None);
    }

    /// What follows from the formats of blocks follows from those taken over.
    #[test]
    fn final_addition_is_taken_over_with_its_formats() {
        let half = Format::binary16;
        let formats = Formats { a: half(), b: half(), c: half(), d: half() };
        let interface = Interface { name: String::new(), products: 4, formats, scales: None, flags: false };
        let space = Space::new(interface, std::iter::empty());
        let last = Composition { added_last: true, ..Composition::whole(&space.interface) };
        let mut hypothesis = space.start(Scheme::Fused, &last).expect("a fused unit, and c");
        let cut = Setting::of_final_addition(Setting::FractionBits(20));
        for setting in [Setting::OfBlocks(Box::new(Format::binary32())), cut.clone()] {
            hypothesis = with(&hypothesis, &[setting]);
        }
        let chain = space.in_scheme(&hypothesis, Scheme::FmaChain, &last).expect("a chain, and c");
        assert_eq!((chain.unit.formats.d.clone(), chain.d()), (Format::binary32(), &Format::binary16()));
        assert!(cut.is_own_of(&chain), "{chain:?}");
    }
}
