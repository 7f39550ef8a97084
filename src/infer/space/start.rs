//! First hypotheses, from which a search goes on: plain ones, and ones far apart from each other.

use super::composition::Composition;
use super::interface::{Interface, Within, floors};
use super::setting::Setting;
use super::{Space, another, derive};
use crate::describe::format::{Format, NonFinite, Overflow, Rounding};
use crate::describe::instruction::{Instruction, Shape};
use crate::describe::unit::{
    Addition, Alignment, AlignmentRounding, Conversion, Flush, Formats, Groups, ProductOrder, ProductOverflow, Scheme,
    Unit,
};

/// Fraction bits of the window of first hypotheses.
const FRACTION_BITS: [u32; 10] = [2, 5, 9, 13, 18, 24, 32, 45, 64, 90];

impl Space {
    /// A first hypothesis of a scheme, if the scheme can have this interface composed so.
    pub fn start(&self, scheme: Scheme, composition: &Composition) -> Option<Instruction> {
        let Interface { products: k, formats, scales, flags, .. } = &self.interface;
        let integers = formats.a.is_integer();
        if integers != (scheme == Scheme::Integer) || scales.is_some() != (scheme == Scheme::BlockScaled) {
            return None;
        }
        let d = self.first_result(scheme);
        let whole = self.interface.result(self.interface.result_fraction_bits());
        // A chain's c is the d of the block before.
        let chained = composition.products < *k || composition.added_last;
        let wide = (chained || scheme.rounds_each_operation()) && !formats.c.is_absent();
        let c = if wide && whole.holds(&formats.c) { whole } else { formats.c.clone() };
        let plain = Unit::plain(scheme);
        let unit = Unit {
            name: "inferred".to_owned(),
            products: composition.products,
            conversion: Conversion {
                rounding: if integers { Rounding::TowardZero } else { Rounding::NearestEven },
                nan: self.nans.first().copied().unwrap_or_default(),
                flags: *flags,
                ..plain.conversion
            },
            alignment: (!integers).then(|| Alignment { fraction_bits: d.precision(), ..Alignment::PLAIN }),
            addition: (scheme == Scheme::FusedThenAdd).then(|| addition(d.precision())),
            formats: Formats { c, d, ..formats.clone() },
            scales: scales.clone(),
            ..plain
        };
        let mut hypothesis = Instruction {
            shape: Shape { m: 1, n: 1, k: *k },
            order: composition.order,
            c: formats.c.clone(),
            ..Instruction::alone(unit)
        };
        if composition.added_last {
            Setting::FinalAddition(Some(Rounding::NearestEven)).apply(&mut hypothesis);
        }
        derive(&mut hypothesis);
        with_floor(hypothesis)
    }

    /// The result's format of a first hypothesis: with the fraction bits that were seen; with more of them where each operation
    /// is rounded, so that c is added in the same format, and c needs them.
    fn first_result(&self, scheme: Scheme) -> Format {
        let Interface { formats, .. } = &self.interface;
        let whole = self.interface.result_fraction_bits();
        let enough =
            |format: &Format| !scheme.rounds_each_operation() || formats.c.is_absent() || format.holds(&formats.c);
        let mut results = (self.fraction_bits_seen..=whole).map(|bits| self.interface.result(bits));
        results.find(enough).unwrap_or_else(|| self.interface.result(whole))
    }

    /// First hypotheses far apart from each other: windows of many widths, each alignment rounding, products as they are or
    /// normalised, exact groups, results of as many bits as were seen, or of all where the addition leaves as many as were seen,
    /// additions of few bits, subnormal results kept or flushed, and floors where there may be one.
    pub fn starts(&self, scheme: Scheme, composition: &Composition) -> Vec<Instruction> {
        let mut starts: Vec<Instruction> = self.start(scheme, composition).into_iter().collect();
        let windows = FRACTION_BITS.map(Setting::FractionBits).to_vec();
        let roundings = AlignmentRounding::ALL.map(Setting::AlignmentRounding).to_vec();
        let results = [false, true].map(|result| Setting::Subnormals(Flush { result, ..Flush::default() })).to_vec();
        let normalised = [false, true].map(Setting::NormaliseProducts).to_vec();
        let grid = match scheme {
            Scheme::Fused => vec![windows, roundings, normalised, results],
            Scheme::FusedThenAdd => {
                let last = AlignmentRounding::ALL.map(Setting::AdditionRounding).to_vec();
                let groups = [Groups::One, Groups::EvenOdd].map(Setting::Groups).to_vec();
                starts.extend(self.shortened(&starts));
                starts.extend(coarse(&starts));
                vec![windows, roundings, last, groups, normalised]
            }
            Scheme::BlockScaled => vec![self.scale_groups(), windows, roundings],
            Scheme::FmaChain => {
                let descending = vec![Setting::Order(ProductOrder::Descending)];
                let k = self.interface.products;
                let widths = (1..k).filter(|&products| k.is_multiple_of(products)).map(Setting::BlockWidth);
                vec![results, descending, widths.collect()]
            }
            _ => vec![results],
        };
        for parameter in grid {
            extend(&mut starts, |one| self.others(one, &parameter));
        }
        if self.interface.formats.d.non_finite == NonFinite::AllOnesNan {
            // The largest number of a format is NaN in the one with a bit less, and shows no bits; where it is not the largest
            // number, sums that end there are NaN.
            let whole = Setting::Result(Box::new(self.interface.result(self.interface.result_fraction_bits())));
            let overflows =
                [Overflow::Infinity, Overflow::Saturate].map(|overflow| [whole.clone(), Setting::Overflow(overflow)]);
            extend(&mut starts, |one| overflows.iter().filter_map(|settings| another(one, settings)).collect());
        }
        extend(&mut starts, |one| self.others(one, &self.floors_seen(one)));
        starts
    }

    /// The same hypotheses, the plainest last, and before them with infinite products beside finite results: what seems to be
    /// an overflow of results may be one of products.
    pub fn last_starts(&self, scheme: Scheme, composition: &Composition) -> Vec<Instruction> {
        let starts = self.starts(scheme, composition);
        let infinite = [Setting::ProductOverflow(ProductOverflow::Infinity), Setting::Overflow(Overflow::Saturate)];
        let with_addition = starts.iter().filter(|one| one.unit.addition.is_some());
        let mut all: Vec<Instruction> = with_addition.filter_map(|one| another(one, &infinite)).collect();
        all.extend(starts.into_iter().rev());
        all
    }

    /// Results of as many fraction bits as there can be, where it is the addition that leaves no more than were seen.
    fn shortened(&self, starts: &[Instruction]) -> Vec<Instruction> {
        let whole = self.interface.result(self.interface.result_fraction_bits());
        let seen = self.fraction_bits_seen.max(1);
        let short =
            [Setting::Result(Box::new(whole)), Setting::AddendFractionBits(seen), Setting::SumFractionBits(seen)];
        let seen_less = starts.iter().filter(|_| seen < self.interface.result_fraction_bits());
        seen_less.filter_map(|start| another(start, &short)).collect()
    }

    fn others(&self, one: &Instruction, parameter: &[Setting]) -> Vec<Instruction> {
        self.alternatives(one, parameter).map(|(_, other)| other).collect()
    }

    /// Floors whose windows end where the last bit of all numbers was seen.
    fn floors_seen(&self, one: &Instruction) -> Vec<Setting> {
        let Some(place) = self.last_place_seen else { return Vec::new() };
        let floor = |fraction_bits: u32| Some(place + fraction_bits as i32);
        let Unit { alignment, addition, .. } = &one.unit;
        let first = alignment.iter().map(|own| Setting::ExponentFloor(floor(own.fraction_bits)));
        first.chain(addition.iter().map(|own| Setting::AdditionFloor(floor(own.sum_fraction_bits)))).collect()
    }
}

/// Additions that cut off almost all: sums have more bits than these, as many as they lie above the place where they end.
fn coarse(starts: &[Instruction]) -> Vec<Instruction> {
    let coarse = [1, 2].map(|bits| [Setting::AddendFractionBits(bits), Setting::SumFractionBits(bits)]);
    starts.iter().flat_map(|start| coarse.iter().filter_map(|coarse| another(start, coarse))).collect()
}

/// Adds what each of some hypotheses leads to.
fn extend(starts: &mut Vec<Instruction>, others: impl Fn(&Instruction) -> Vec<Instruction>) {
    let others: Vec<Instruction> = starts.iter().flat_map(others).collect();
    starts.extend(others);
}

fn addition(precision: u32) -> Addition {
    Addition {
        groups: Groups::One,
        product_overflow: ProductOverflow::None,
        sum_fraction_bits: precision + 7,
        addend_fraction_bits: precision,
        rounding: AlignmentRounding::TowardZero,
        exponent_floor: None,
        addend_reach: None,
        total_fraction_bits: None,
    }
}

/// The hypothesis; or with the lowest floor that the emulator's words can hold, where it has none and cannot go without.
fn with_floor(hypothesis: Instruction) -> Option<Instruction> {
    if hypothesis.is_valid() {
        return Some(hypothesis);
    }
    let floors = floors(&hypothesis).map(|floor| {
        let mut floored = hypothesis.clone();
        match floored.unit.scheme {
            Scheme::FusedThenAdd => Setting::AdditionFloor(Some(floor)).apply(&mut floored),
            _ => Setting::ExponentFloor(Some(floor)).apply(&mut floored),
        }
        floored
    });
    floors.filter(|_| hypothesis.unit.scheme.has_window()).find(Instruction::is_valid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::search::example::fused;

    #[test]
    fn last_starts_have_infinite_products_and_end_with_the_plainest() {
        let (space, fused) = fused();
        let whole = Composition::whole(&space.interface);
        let all = space.last_starts(Scheme::FusedThenAdd, &whole);
        let infinite = |one: &Instruction| {
            let addition = one.unit.addition.as_ref();
            addition.is_some_and(|addition| addition.product_overflow == ProductOverflow::Infinity)
        };
        let count = space.starts(Scheme::FusedThenAdd, &whole).len();
        assert_eq!((all.len(), all.iter().filter(|one| infinite(one)).count()), (2 * count, count));
        assert_eq!(all.last(), space.start(Scheme::FusedThenAdd, &whole).as_ref());
        // Sums without an addition have no such rule.
        assert_eq!(space.last_starts(Scheme::Fused, &whole).last(), Some(&fused));
    }
}
