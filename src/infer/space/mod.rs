//! The space of hypotheses: every scheme, every composition, and every value of each of their fields, made from formats and
//! sizes alone. Knows no unit of the catalogue, and no answer but what shows at once.

mod composition;
mod confusable;
mod dont_care;
mod interface;
mod parameters;
mod setting;
mod start;

pub use composition::Composition;
pub use dont_care::dont_care;
pub(in crate::infer) use dont_care::rounded_once;
pub use interface::Interface;
pub(in crate::infer) use interface::{Within, floors};
pub use setting::Setting;

use crate::describe::format::{Class, Decoded};
use crate::describe::instruction::Instruction;
use crate::describe::plan::carry_bits_of;
use crate::describe::unit::{Alignment, Flush, Scheme, Unit};
use composition::{brought_in_line, final_addition};

/// What is less is simpler: first whether c is added at the end by another addition than a correctly rounded one in one format,
/// then the place of the scheme among [`Scheme::ALL`].
pub(in crate::infer) fn simplicity(one: &Instruction) -> (bool, Option<usize>) {
    let plain = |adder: &Unit| *adder == final_addition(one, adder.conversion.rounding);
    let unusual = one.final_addition.as_ref().is_some_and(|adder| !plain(adder));
    (unusual, Scheme::ALL.iter().position(|other| *other == one.unit.scheme))
}

/// All hypotheses for an interface.
#[derive(Debug, Clone)]
pub struct Space {
    pub interface: Interface,
    /// NaN encodings that were seen, and the one that d has by itself.
    pub(in crate::infer) nans: Vec<u64>,
    /// Fraction bits of d that were seen to be used.
    pub(in crate::infer) fraction_bits_seen: u32,
    /// Exponent of the last bit that was ever set in a number, where that is not the last one of d: a floor may be the reason.
    pub(in crate::infer) last_place_seen: Option<i32>,
}

impl Space {
    /// The space of an interface, with what the answers to the first questions show at once: NaN encodings, and the last bit
    /// of d that is ever set, and its place.
    pub fn new(interface: Interface, answers: impl Iterator<Item = u64>) -> Space {
        let d = interface.result(interface.result_fraction_bits());
        if d.is_integer() {
            return Space { interface, nans: Vec::new(), fraction_bits_seen: 0, last_place_seen: None };
        }
        let answers: Vec<u64> = answers.map(|answer| answer & d.mask()).collect();
        let numbers = answers.iter().filter(|&&answer| answer != 0 && d.decode(answer).class != Class::Nan);
        let unused = numbers.map(|answer| answer.trailing_zeros()).min().unwrap_or(0);
        let fraction_bits_seen = (d.fraction_bits - unused.min(d.fraction_bits)).max(interface.least_fraction_bits());
        // What is NaN is known only with the fraction: in some formats it is the one that is all ones.
        let d = interface.result(fraction_bits_seen);
        let last_bit =
            |number: &Decoded| number.exponent - d.fraction_bits as i32 + number.significand.trailing_zeros() as i32;
        let decoded = answers.iter().map(|&answer| d.decode(answer)).filter(|number| number.significand != 0);
        let least = d.exponent_min() - d.fraction_bits as i32;
        let last_place_seen = decoded.map(|number| last_bit(&number)).min().filter(|&place| place > least);
        let mut nans: Vec<u64> = answers.into_iter().filter(|&answer| d.decode(answer).class == Class::Nan).collect();
        nans.extend(d.nan());
        nans.sort_unstable();
        nans.dedup();
        Space { interface, nans, fraction_bits_seen, last_place_seen }
    }
}

/// The hypothesis with these values and what follows from them; it may not be allowed.
pub(in crate::infer) fn with(hypothesis: &Instruction, settings: &[Setting]) -> Instruction {
    let mut other = hypothesis.clone();
    settings.iter().for_each(|setting| setting.apply(&mut other));
    derive(&mut other);
    other
}

/// The hypothesis with these values, if that is another one and allowed.
fn another(hypothesis: &Instruction, settings: &[Setting]) -> Option<Instruction> {
    Some(with(hypothesis, settings)).filter(|other| other != hypothesis && other.is_valid())
}

/// Brings what follows from other fields in line with them.
fn derive(hypothesis: &mut Instruction) {
    let unit = &mut hypothesis.unit;
    if unit.scheme.rounds_each_operation() {
        unit.formats.c = unit.formats.d.clone();
    }
    match Alignment::implied(unit.scheme, &unit.formats) {
        Some(implied) => unit.alignment = Some(implied),
        None if !unit.scheme.has_window() => unit.alignment = None,
        None => {}
    }
    unit.carry_bits = unit.carry_bits.filter(|&bits| bits < carry_bits_of(unit));
    if let Some(adder) = &hypothesis.final_addition {
        hypothesis.final_addition = Some(brought_in_line(adder, hypothesis));
    }
}

/// Every rule for subnormal numbers.
pub(in crate::infer) fn flushes(scheme: Scheme) -> Vec<Flush> {
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
