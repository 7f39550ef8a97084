//! The values of every parameter of a hypothesis, from which its alternatives are made.

use std::slice;

use super::interface::{Within, floors, widths};
use super::setting::Setting;
use super::{Space, flushes, with};
use crate::describe::format::{Overflow, Rounding};
use crate::describe::instruction::{Instruction, Order};
use crate::describe::unit::{
    ADDEND_REACH_MAX, AlignmentRounding, FRACTION_BITS_MAX, Flush, Formats, Groups, ProductOrder, ProductOverflow,
    Scheme, TOTAL_FRACTION_BITS_MAX, Unit,
};

/// Roundings of alignments.
/// Fraction bits that a window can have.
const FRACTION_BITS: std::ops::RangeInclusive<u32> = 1..=FRACTION_BITS_MAX;

impl Space {
    /// The values of every parameter, one list each, the hypothesis's own among them. A unit's floors come last: they can stand
    /// in for many another rule as long as that one is not found. Those of a final addition follow.
    pub fn parameters(&self, hypothesis: &Instruction) -> Vec<Vec<Setting>> {
        let scheme = hypothesis.unit.scheme;
        let windows = FRACTION_BITS.map(Setting::FractionBits).collect();
        let roundings = AlignmentRounding::ALL.map(Setting::AlignmentRounding).to_vec();
        let floors = |setting: fn(Option<i32>) -> Setting| {
            [None].into_iter().chain(floors(hypothesis).map(Some)).map(setting).collect()
        };
        let normalised = || [false, true].map(Setting::NormaliseProducts).to_vec();
        let carry = || [None].into_iter().chain((0..=7).map(Some)).map(Setting::CarryBits).collect();
        let (mut all, last): (Vec<Vec<Setting>>, Vec<Vec<Setting>>) = match scheme {
            Scheme::Fused => (vec![windows, roundings], vec![normalised(), carry(), floors(Setting::ExponentFloor)]),
            Scheme::BlockScaled => {
                (vec![self.scale_groups(), windows, roundings], vec![carry(), floors(Setting::ExponentFloor)])
            }
            Scheme::FusedThenAdd => {
                let mut first = vec![windows, roundings];
                first.extend(addition(&hypothesis.unit.formats));
                (first, vec![normalised(), floors(Setting::ExponentFloor), floors(Setting::AdditionFloor)])
            }
            Scheme::FmaChain => {
                (vec![[ProductOrder::Ascending, ProductOrder::Descending].map(Setting::Order).to_vec()], Vec::new())
            }
            _ => (Vec::new(), Vec::new()),
        };
        all.extend(self.conversion(hypothesis));
        all.extend(self.composition(hypothesis));
        all.extend(last);
        all.extend(self.final_addition(hypothesis));
        all.iter_mut().for_each(|values| include_own(values, hypothesis));
        all
    }

    /// The parameters that are numbers of places, each with the place of the hypothesis's own value.
    pub fn numbers(&self, hypothesis: &Instruction) -> Vec<(Vec<Setting>, usize)> {
        let place = |numbers: &[Setting]| numbers.iter().position(|setting| setting.is_own_of(hypothesis));
        let numbers = self.parameters(hypothesis).into_iter();
        let numbers = numbers.filter(|parameter| parameter.first().is_some_and(|setting| setting.place().is_some()));
        numbers.filter_map(|numbers| place(&numbers).map(|own| (numbers, own))).collect()
    }

    /// What every scheme has. NaN and the bits of the result are the final addition's where its result has a format of its own.
    fn conversion(&self, hypothesis: &Instruction) -> Vec<Vec<Setting>> {
        let scheme = hypothesis.unit.scheme;
        if scheme == Scheme::Integer {
            return vec![[Overflow::Wrap, Overflow::Saturate].map(Setting::Overflow).to_vec()];
        }
        let fraction_bits = self.interface.least_fraction_bits()..=self.interface.result_fraction_bits();
        let results = fraction_bits.map(|bits| Setting::Result(Box::new(self.interface.result(bits))));
        let nans = self.nans.iter().copied().map(Setting::Nan);
        let (nans, results) = match own_result(hypothesis) {
            true => (of_final_addition(nans), of_final_addition(results)),
            false => (nans.collect(), results.collect()),
        };
        let mut all = vec![
            Rounding::ALL.map(Setting::Rounding).to_vec(),
            [Overflow::Infinity, Overflow::Saturate, Overflow::Ieee].map(Setting::Overflow).to_vec(),
            nans,
            results,
            flushes(scheme).into_iter().map(Setting::Subnormals).collect(),
        ];
        if !scheme.rounds_each_operation() {
            all.push([false, true].map(Setting::ZeroNegative).to_vec());
            all.push([false, true].map(Setting::RoundedZeroPositive).to_vec());
        }
        all
    }

    /// How blocks are composed, and formats that values are widened to.
    fn composition(&self, hypothesis: &Instruction) -> Vec<Vec<Setting>> {
        let operands = self.interface.operands().into_iter();
        let mut all: Vec<Vec<Setting>> = vec![operands.map(|formats| Setting::Operands(Box::new(formats))).collect()];
        // Where each operation is rounded, c has the format of d.
        if !hypothesis.unit.scheme.rounds_each_operation() {
            let own = &hypothesis.unit.formats.c;
            let mut addends = self.interface.addends();
            addends.extend((!addends.contains(own)).then(|| own.clone()));
            all.push(addends.into_iter().map(|format| Setting::Addend(Box::new(format))).collect());
        }
        all.push((1..=self.interface.products).map(Setting::BlockWidth).collect());
        if self.interface.scales.is_none() && self.interface.products > 2 {
            all.push([Order::Contiguous, Order::InterleavedPairs].map(Setting::BlockOrder).to_vec());
        }
        if hypothesis.unit.scheme != Scheme::Integer && !self.interface.formats.c.is_absent() {
            let last = [None].into_iter().chain(Rounding::ALL.map(Some));
            all.push(last.map(Setting::FinalAddition).collect());
        }
        all
    }

    /// How c is added at the end, and what it is added to.
    fn final_addition(&self, hypothesis: &Instruction) -> Vec<Vec<Setting>> {
        let Some(adder) = &hypothesis.final_addition else { return Vec::new() };
        let floors = floors(&Instruction::alone(adder.clone()));
        vec![
            self.results_of_blocks(adder),
            of_final_addition(FRACTION_BITS.map(Setting::FractionBits)),
            // Rounded to odd, as a correctly rounded addition is, comes first.
            of_final_addition(AlignmentRounding::ALL.into_iter().rev().map(Setting::AlignmentRounding)),
            of_final_addition(flushes(adder.scheme).into_iter().map(Setting::Subnormals)),
            of_final_addition([None].into_iter().chain(floors.map(Some)).map(Setting::ExponentFloor)),
        ]
    }

    /// Formats of the results of blocks: that of the final addition's, and standard ones that hold it.
    fn results_of_blocks(&self, adder: &Unit) -> Vec<Setting> {
        let d = &adder.formats.d;
        let wider = widths().into_iter().filter(|format| format.holds(d) && format != d);
        [d.clone()].into_iter().chain(wider).map(|format| Setting::OfBlocks(Box::new(format))).collect()
    }

    /// Whether a hypothesis with the value says less than one with another value.
    pub fn is_plain(&self, setting: &Setting, hypothesis: &Instruction) -> bool {
        match setting {
            Setting::ExponentFloor(None)
            | Setting::AdditionFloor(None)
            | Setting::CarryBits(None)
            | Setting::AddendReach(None)
            | Setting::TotalFractionBits(None)
            | Setting::FinalAddition(None)
            | Setting::ScaleGroup(None)
            | Setting::BlockOrder(Order::Contiguous)
            | Setting::ProductOverflow(ProductOverflow::None) => true,
            Setting::OfFinalAddition(own) => self.is_plain(own, hypothesis),
            Setting::OfBlocks(format) => hypothesis.final_addition.iter().any(|adder| adder.formats.d == **format),
            Setting::Subnormals(flush) => *flush == Flush::default(),
            Setting::Operands(formats) => formats.as_ref() == &self.interface.operands()[0],
            Setting::Addend(format) => **format == self.interface.formats.c,
            // As wide as the longest block.
            Setting::BlockWidth(products) => hypothesis.blocks().iter().map(Vec::len).max() == Some(*products as usize),
            _ => false,
        }
    }

    /// Groups that a block of one scale can have.
    pub(in crate::infer) fn scale_groups(&self) -> Vec<Setting> {
        let block = self.interface.scales.as_ref().map_or(0, |scales| scales.block);
        let groups = (1..=block).filter(|group| block.is_multiple_of(*group)).map(Some);
        [None].into_iter().chain(groups).map(Setting::ScaleGroup).collect()
    }

    /// The hypotheses that differ from one in one of these values, with what differs.
    pub fn alternatives<'a>(
        &self,
        hypothesis: &'a Instruction,
        parameter: &'a [Setting],
    ) -> impl Iterator<Item = (&'a Setting, Instruction)> {
        parameter.iter().filter_map(|setting| {
            let other = with(hypothesis, slice::from_ref(setting));
            // As many carry bits as always suffice are the derived number.
            let named_twice = matches!(setting, Setting::CarryBits(Some(_))) && other.unit.carry_bits.is_none();
            (!named_twice && other != *hypothesis && other.is_valid()).then_some((setting, other))
        })
    }
}

fn of_final_addition(settings: impl IntoIterator<Item = Setting>) -> Vec<Setting> {
    settings.into_iter().map(Setting::of_final_addition).collect()
}

/// Whether the result of the final addition has another format than those of blocks.
fn own_result(hypothesis: &Instruction) -> bool {
    hypothesis.final_addition.as_ref().is_some_and(|adder| adder.formats.d != hypothesis.unit.formats.d)
}

/// Adds a hypothesis's own value in its place, where it comes from answers and is not among those that are tried.
fn include_own(values: &mut Vec<Setting>, hypothesis: &Instruction) {
    let own = values.first().and_then(|value| value.own(hypothesis));
    if let Some(own) = own.filter(|own| !values.contains(own)) {
        values.insert(values.partition_point(|value| value.place() < own.place()), own);
    }
}

/// How the sum of products and the addend are added.
fn addition(formats: &Formats) -> [Vec<Setting>; 7] {
    let reaches = (0..=reach_max(formats)).map(Some).chain([None]);
    let totals = (0..=TOTAL_FRACTION_BITS_MAX).map(Some).chain([None]);
    [
        [Groups::One, Groups::EvenOdd].map(Setting::Groups).to_vec(),
        [ProductOverflow::None, ProductOverflow::Infinity].map(Setting::ProductOverflow).to_vec(),
        FRACTION_BITS.map(Setting::SumFractionBits).collect(),
        FRACTION_BITS.map(Setting::AddendFractionBits).collect(),
        AlignmentRounding::ALL.map(Setting::AdditionRounding).to_vec(),
        reaches.map(Setting::AddendReach).collect(),
        totals.map(Setting::TotalFractionBits).collect(),
    ]
}

/// The greatest distance of an addend below any product: one that reaches farther is unlimited, but for carries.
fn reach_max(formats: &Formats) -> u32 {
    let Formats { a, b, c, .. } = formats;
    let distance = a.exponent_max() + b.exponent_max() + 1 - c.exponent_min();
    distance.clamp(1, ADDEND_REACH_MAX as i32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::search::example::fused;

    /// A floor that answers show may lie below all that are tried.
    #[test]
    fn own_value_is_among_those_of_its_parameter() {
        let (space, mut hypothesis) = fused();
        let low = *floors(&hypothesis).start() - 20;
        for own in [Setting::ExponentFloor(Some(low)), Setting::FractionBits(120), Setting::Nan(0x7fc0_0001)] {
            own.apply(&mut hypothesis);
            let parameters = space.parameters(&hypothesis);
            let values = parameters.iter().find(|values| values[0].field() == own.field()).expect("the parameter");
            assert_eq!(values.iter().filter(|value| value.is_own_of(&hypothesis)).collect::<Vec<_>>(), [&own]);
            assert!(values.is_sorted_by_key(|value| value.place()), "{values:?}");
        }
    }

    /// Another rounding of the final addition leaves its window as it is, and every parameter has an own value.
    #[test]
    fn rounding_of_a_final_addition_leaves_the_rest() {
        let (space, mut hypothesis) = fused();
        let flush = Flush { result: true, ..Flush::default() };
        let own = [
            Setting::FinalAddition(Some(Rounding::NearestEven)),
            Setting::of_final_addition(Setting::FractionBits(20)),
            Setting::of_final_addition(Setting::AlignmentRounding(AlignmentRounding::Downward)),
            Setting::of_final_addition(Setting::Subnormals(flush)),
            Setting::of_final_addition(Setting::ExponentFloor(Some(-3))),
            Setting::FinalAddition(Some(Rounding::TowardZero)),
        ];
        own.iter().for_each(|setting| setting.apply(&mut hypothesis));
        assert!(own[1..].iter().all(|setting| setting.is_own_of(&hypothesis)), "{:?}", hypothesis.final_addition);
        assert!(!own[0].is_own_of(&hypothesis));
        for values in space.parameters(&hypothesis) {
            assert!(values.iter().any(|value| value.is_own_of(&hypothesis)), "{}", values[0].field());
        }
        let others = space.alternatives(&hypothesis, &own[..1]).map(|(_, other)| other.final_addition);
        let windows: Vec<_> = others.flatten().map(|adder| (adder.alignment().fraction_bits, adder.flush)).collect();
        assert_eq!(windows, [(20, flush)]);
    }
}
