//! The space of hypotheses: every scheme, and every value of each of its fields, made from formats and sizes alone.
//! Knows no unit of the catalogue, and no answer.

use super::setting::Setting;
use crate::describe::format::{Class, Format, Overflow, Rounding};
use crate::describe::plan::{OperationsPlan, carry_bits_of, exact_alignment};
use crate::describe::unit::{
    Addition, Alignment, AlignmentRounding, Conversion, Flush, Formats, Groups, ProductOrder, ProductOverflow, Scheme,
    Unit,
};

/// What is known of the box beforehand: formats, number of products, whether flags stand above the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    pub products: u32,
    /// Of d only the word counts: how many of its fraction bits are there is sought.
    pub formats: Formats,
    pub flags: bool,
}

impl Interface {
    /// The interface of a unit. Everything else in its description is left behind.
    pub fn of(unit: &Unit) -> Interface {
        Interface { products: unit.products, formats: unit.formats.clone(), flags: unit.conversion.flags }
    }

    /// The word of d with that many of its fraction bits, under its name where a standard format has that layout.
    fn result(&self, fraction_bits: u32) -> Format {
        let d = &self.formats.d;
        let whole = d.fraction_bits + d.padding_bits;
        let name = format!("e{}m{fraction_bits}", d.exponent_bits);
        let format = Format { name, fraction_bits, padding_bits: whole - fraction_bits, ..d.clone() };
        let same_layout = |other: &&Format| Format { name: other.name.clone(), ..format.clone() } == **other;
        Format::standard().iter().find(same_layout).cloned().unwrap_or(format)
    }

    /// Fraction bits of the whole word of d.
    fn result_fraction_bits(&self) -> u32 {
        self.formats.d.fraction_bits + self.formats.d.padding_bits
    }

    /// Fewest fraction bits of d: at most 32 bits of a word are padding.
    fn least_fraction_bits(&self) -> u32 {
        self.result_fraction_bits().saturating_sub(32).max(1)
    }

    /// Least and greatest exponent at which a floor differs from none: above the least exponent of a product.
    fn floors(&self) -> std::ops::RangeInclusive<i32> {
        let Formats { a, b, c, .. } = &self.formats;
        let product = (a.exponent_min() + b.exponent_min(), a.exponent_max() + b.exponent_max());
        let (low, high) = match self.formats.c.is_absent() {
            true => product,
            false => (product.0.min(c.exponent_min()), product.1.max(c.exponent_max())),
        };
        low + 1..=high
    }
}

/// Roundings of alignments.
const ALIGNMENT_ROUNDINGS: [AlignmentRounding; 4] = [
    AlignmentRounding::TowardZero,
    AlignmentRounding::Downward,
    AlignmentRounding::NearestEven,
    AlignmentRounding::ToOdd,
];

/// Schemes in the order in which they are tried: what has fewer parameters first.
pub const SCHEMES: [Scheme; 5] =
    [Scheme::Exact, Scheme::FmaChain, Scheme::EvenOddChain, Scheme::Pairwise, Scheme::Fused];

/// All hypotheses for an interface.
#[derive(Debug, Clone)]
pub struct Space {
    pub interface: Interface,
    /// NaN encodings that were seen.
    nans: Vec<u64>,
    /// How many answers were NaN.
    pub nans_seen: usize,
    /// Fraction bits of d that were seen to be used.
    pub fraction_bits_seen: u32,
}

impl Space {
    /// The space of an interface, with what the answers to the first questions show at once: NaN encodings, and the last bit
    /// of d that is ever set.
    pub fn new(interface: Interface, answers: impl Iterator<Item = u64>) -> Space {
        let d = interface.result(interface.result_fraction_bits());
        let answers: Vec<u64> = answers.map(|answer| answer & d.mask()).collect();
        let numbers = answers.iter().filter(|&&answer| answer != 0 && d.decode(answer).class != Class::Nan);
        let unused = numbers.map(|answer| answer.trailing_zeros()).min().unwrap_or(0);
        let fraction_bits_seen = (d.fraction_bits - unused.min(d.fraction_bits)).max(interface.least_fraction_bits());
        // What is NaN is known only with the fraction: in some formats it is the one that is all ones.
        let d = interface.result(fraction_bits_seen);
        let mut nans: Vec<u64> = answers.into_iter().filter(|&answer| d.decode(answer).class == Class::Nan).collect();
        let nans_seen = nans.len();
        nans.extend(d.nan());
        nans.sort_unstable();
        nans.dedup();
        Space { interface, nans, nans_seen, fraction_bits_seen }
    }

    /// A first hypothesis of a scheme, if the scheme can have this interface.
    pub fn start(&self, scheme: Scheme) -> Option<Unit> {
        let Interface { products, formats, flags } = &self.interface;
        let formats = Formats { d: self.interface.result(self.fraction_bits_seen), ..formats.clone() };
        let alignment = match scheme {
            Scheme::Exact => exact_alignment(&formats),
            Scheme::FmaChain | Scheme::EvenOddChain | Scheme::Pairwise => OperationsPlan::alignment(scheme, &formats),
            _ => Alignment {
                fraction_bits: formats.d.precision(),
                rounding: AlignmentRounding::TowardZero,
                exponent_floor: None,
                normalise_products: false,
            },
        };
        let addition = (scheme == Scheme::FusedThenAdd).then(|| Addition {
            groups: Groups::One,
            product_overflow: ProductOverflow::None,
            sum_fraction_bits: formats.d.precision() + 7,
            addend_fraction_bits: formats.d.precision(),
            rounding: AlignmentRounding::TowardZero,
            exponent_floor: None,
            addend_reach: None,
        });
        let unit = Unit {
            name: "inferred".to_owned(),
            summary: String::new(),
            scheme,
            products: *products,
            conversion: Conversion {
                rounding: Rounding::NearestEven,
                overflow: Overflow::Infinity,
                nan: self.nans.first().copied().unwrap_or_default(),
                zero_negative: false,
                flags: *flags,
            },
            formats,
            alignment,
            scales: None,
            addition,
            carry_bits: None,
            order: ProductOrder::Ascending,
            flush: Flush::default(),
            evidence: Default::default(),
        };
        self.with_floor(unit)
    }

    /// First hypotheses far apart from each other: each alignment rounding, products as they are or normalised, subnormal
    /// results kept or flushed.
    pub fn starts(&self, scheme: Scheme) -> Vec<Unit> {
        let mut starts: Vec<Unit> = self.start(scheme).into_iter().collect();
        let of_window = [
            ALIGNMENT_ROUNDINGS.map(Setting::AlignmentRounding).to_vec(),
            [false, true].map(Setting::NormaliseProducts).to_vec(),
        ];
        let results = [false, true].map(|result| Setting::Subnormals(Flush { result, ..Flush::default() })).to_vec();
        let of_window = of_window.into_iter().filter(|_| scheme == Scheme::Fused);
        for parameter in of_window.chain([results]) {
            let others: Vec<Unit> = starts
                .iter()
                .flat_map(|unit| self.alternatives(unit, &parameter).map(|(_, other)| other).collect::<Vec<_>>())
                .collect();
            starts.extend(others);
        }
        starts
    }

    /// The unit; or with the lowest floor that the emulator's words can hold, where it has none and cannot go without.
    fn with_floor(&self, unit: Unit) -> Option<Unit> {
        if unit.is_valid() {
            return Some(unit);
        }
        let floors = self.interface.floors().map(|floor| {
            let mut unit = unit.clone();
            match unit.scheme {
                Scheme::FusedThenAdd => Setting::AdditionFloor(Some(floor)).apply(&mut unit),
                _ => Setting::ExponentFloor(Some(floor)).apply(&mut unit),
            }
            unit
        });
        let mut fitting = floors.filter(|_| unit.scheme == Scheme::Fused).filter(Unit::is_valid);
        fitting.next()
    }

    /// The values of every parameter of a scheme, one list each. Floors come last: they can stand in for many another rule
    /// as long as that one is not found.
    pub fn parameters(&self, scheme: Scheme) -> Vec<Vec<Setting>> {
        let conversion = self.conversion(scheme);
        match scheme {
            Scheme::Fused => {
                let carry = [None].into_iter().chain((0..=7).map(Some));
                let floors = [None].into_iter().chain(self.interface.floors().map(Some));
                let first = [
                    (1..=100).map(Setting::FractionBits).collect(),
                    ALIGNMENT_ROUNDINGS.map(Setting::AlignmentRounding).to_vec(),
                ];
                let last = [
                    [false, true].map(Setting::NormaliseProducts).to_vec(),
                    carry.map(Setting::CarryBits).collect(),
                    floors.map(Setting::ExponentFloor).collect(),
                ];
                first.into_iter().chain(conversion).chain(last).collect()
            }
            Scheme::FmaChain => {
                let orders = [ProductOrder::Ascending, ProductOrder::Descending].map(Setting::Order).to_vec();
                [orders].into_iter().chain(conversion).collect()
            }
            _ => conversion,
        }
    }

    /// What every scheme has.
    fn conversion(&self, scheme: Scheme) -> Vec<Vec<Setting>> {
        let fraction_bits = self.interface.least_fraction_bits()..=self.interface.result_fraction_bits();
        let results = fraction_bits.map(|bits| self.interface.result(bits));
        let mut all = vec![
            Rounding::ALL.map(Setting::Rounding).to_vec(),
            [Overflow::Infinity, Overflow::Saturate, Overflow::Ieee].map(Setting::Overflow).to_vec(),
            self.nans.iter().copied().map(Setting::Nan).collect(),
            results.map(|format| Setting::Result(Box::new(format))).collect(),
            flushes(scheme).into_iter().map(Setting::Subnormals).collect(),
        ];
        if !scheme.rounds_each_operation() {
            all.push([false, true].map(Setting::ZeroNegative).to_vec());
        }
        all
    }

    /// The hypotheses that differ from a unit in one of these parameters, with what differs.
    pub fn alternatives<'a>(
        &self,
        unit: &'a Unit,
        parameter: &'a [Setting],
    ) -> impl Iterator<Item = (&'a Setting, Unit)> {
        parameter.iter().filter_map(|setting| {
            let mut other = unit.clone();
            setting.apply(&mut other);
            derive(&mut other);
            // As many carry bits as always suffice are the derived number.
            let named_twice = matches!(setting, Setting::CarryBits(Some(_))) && other.carry_bits.is_none();
            (!named_twice && other != *unit && other.is_valid()).then_some((setting, other))
        })
    }
}

/// Brings what follows from other fields in line with them.
pub(super) fn derive(unit: &mut Unit) {
    match unit.scheme {
        Scheme::Exact => unit.alignment = exact_alignment(&unit.formats),
        Scheme::FmaChain | Scheme::EvenOddChain | Scheme::Pairwise => {
            unit.alignment = OperationsPlan::alignment(unit.scheme, &unit.formats);
        }
        _ => {}
    }
    unit.carry_bits = unit.carry_bits.filter(|&bits| bits < carry_bits_of(unit));
}

/// Every rule for subnormal numbers.
fn flushes(scheme: Scheme) -> Vec<Flush> {
    let mut all = Vec::new();
    for bits in 0..32u32 {
        let bit = |place: u32| bits >> place & 1 == 1;
        let flush =
            Flush { operands: bit(0), addend: bit(1), result: bit(2), tiny_result: bit(3), to_plus_zero: bit(4) };
        let idle = (flush.tiny_result && !flush.result) || (flush.to_plus_zero && !flush.operands && !flush.addend);
        let only_operations = flush.tiny_result || flush.to_plus_zero;
        if !idle && (scheme.rounds_each_operation() || !only_operations) {
            all.push(flush);
        }
    }
    all
}
