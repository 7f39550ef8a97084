//! What comes of infinities and NaN?

use super::{Bench, Fit, Probes, Sum, Term, Test, Units, Value};
use crate::describe::format::{Class, Format};

pub(super) const TESTS: &[Test] = &[
    Test {
        name: "nan-payload",
        decides: "whether sign, payload and signalling bit of a NaN operand come through, from every position",
        source: "IEEE 754-2019, 6.2.3; Xie et al., arXiv 2511.10909: one NaN for all",
        units: Units::FloatingPoint,
        probes: payload,
    },
    Test {
        name: "two-nans",
        decides: "which of two NaN operands comes through",
        source: "IEEE 754-2019, 6.2.3; no source tells it",
        units: Units::FloatingPoint,
        probes: two_nans,
    },
    Test {
        name: "infinity-times-zero",
        decides: "whether an infinity by a zero is NaN, in every position and on either side",
        source: "IEEE 754-2019, 7.2; Xie et al., arXiv 2511.10909",
        units: Units::FloatingPoint,
        probes: infinity_times_zero,
    },
    Test {
        name: "infinities",
        decides: "what infinite products and addends of one sign, and of both, sum to",
        source: "IEEE 754-2019, 6.1 and 7.2; Xie et al., arXiv 2511.10909",
        units: Units::FloatingPoint,
        probes: infinities,
    },
];

/// NaN of a format: the least payload, which signals; quiet ones without and with payload; all ones; of both signs.
fn nans(format: &Format) -> Vec<u64> {
    let quiet = 1u64 << format.fraction_bits.saturating_sub(1);
    let all = (1u64 << format.fraction_bits) - 1;
    let exponent = format.infinity(false).map(|infinity| format.magnitude(infinity));
    let magnitudes = exponent.map(|exponent| [1, quiet, quiet | 1, all].map(|payload| exponent | payload));
    let own = magnitudes.into_iter().flatten().flat_map(|bits| [false, true].map(|sign| format.assemble(sign, bits)));
    let single = format.nan().into_iter().flat_map(|nan| [nan, nan | format.sign_bit()]);
    let mut nans: Vec<u64> = own.chain(single).filter(|bits| format.decode(*bits).class == Class::Nan).collect();
    nans.sort_unstable();
    nans.dedup();
    nans
}

fn one(format: &Format) -> u64 {
    Value::power(0).encoding(format, true).unwrap_or_else(|| format.largest(false))
}

/// Each NaN in each place, once beside zeros and once beside an addend of 1.
fn payload(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    for position in 0..bench.products {
        for (side, format) in [&bench.a, &bench.b].into_iter().enumerate() {
            for (number, nan) in nans(format).into_iter().enumerate() {
                let pair = if side == 0 { (nan, one(&bench.b)) } else { (one(&bench.a), nan) };
                let sum = Sum::default().at(position, Term::Encodings(pair.0, pair.1));
                let parameters = [("position", position as i32), ("side", side as i32), ("nan", number as i32)];
                probes.add(&parameters, bench.vector(&sum, Fit::EXACT));
            }
        }
    }
    for (number, nan) in nans(&bench.c).into_iter().enumerate().filter(|_| bench.has_addend) {
        let parameters = [("position", -1), ("nan", number as i32)];
        probes.add(&parameters, bench.vector(&Sum::default().addend_encoding(nan), Fit::EXACT));
        let beside = Sum::default().addend_encoding(nan).at(0, Term::Encodings(one(&bench.a), one(&bench.b)));
        probes.add(&[("position", -1), ("nan", number as i32), ("beside", 1)], bench.vector(&beside, Fit::EXACT));
    }
    probes
}

/// Two NaN of different signs and payloads: in a and b of one product, in two products, in a product and the addend.
fn two_nans(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let ends = |format: &Format| nans(format).first().copied().zip(nans(format).last().copied());
    let (Some((a_first, a_last)), Some((b_first, b_last))) = (ends(&bench.a), ends(&bench.b)) else { return probes };
    let second = bench.products - 1;
    let both = |a: u64, b: u64| Sum::default().at(0, Term::Encodings(a, b));
    let apart = |first: u64, last: u64| both(first, one(&bench.b)).at(second, Term::Encodings(last, one(&bench.b)));
    let mut sums = vec![both(a_first, b_last), both(a_last, b_first)];
    if second > 0 {
        sums.extend([apart(a_first, a_last), apart(a_last, a_first)]);
    }
    if let (true, Some((c_first, c_last))) = (bench.has_addend, ends(&bench.c)) {
        sums.extend([
            both(a_first, one(&bench.b)).addend_encoding(c_last),
            both(a_last, one(&bench.b)).addend_encoding(c_first),
        ]);
    }
    for (form, sum) in sums.iter().enumerate() {
        probes.add(&[("form", form as i32)], bench.vector(sum, Fit::EXACT));
    }
    probes
}

fn infinity_times_zero(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let signs = [(0, false, false), (1, true, false), (2, false, true), (3, true, true)];
    for position in 0..bench.products {
        for (form, negative, negative_zero) in signs {
            let left = bench.a.infinity(negative).map(|a| (a, bench.b.zero(negative_zero)));
            let right = bench.b.infinity(negative).map(|b| (bench.a.zero(negative_zero), b));
            for (side, pair) in [left, right].into_iter().enumerate() {
                let sum = pair.map(|(a, b)| Sum::default().at(position, Term::Encodings(a, b)));
                let parameters = [("position", position as i32), ("side", side as i32), ("signs", form)];
                probes.add(&parameters, sum.and_then(|sum| bench.vector(&sum, Fit::EXACT)));
            }
        }
    }
    probes
}

/// An infinite product in every position: alone, beside another of either sign, beside an addend of either sign.
fn infinities(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let product = |negative: bool| bench.a.infinity(negative).map(|a| Term::Encodings(a, one(&bench.b)));
    for position in 0..bench.products {
        let other = (position + 1) % bench.products;
        for (form, (first, second)) in
            [(false, false), (false, true), (true, false), (true, true)].into_iter().enumerate()
        {
            let Some(term) = product(first) else { continue };
            let alone = Sum::default().at(position, term);
            let parameters = |beside| [("position", position as i32), ("signs", form as i32), ("beside", beside)];
            probes.add(&parameters(0), bench.vector(&alone, Fit::EXACT));
            if let (Some(second), true) = (product(second), other != position) {
                probes.add(&parameters(1), bench.vector(&alone.clone().at(other, second), Fit::EXACT));
            }
            let with_addend = bench.c.infinity(second).map(|c| alone.addend_encoding(c));
            probes.add(&parameters(2), with_addend.and_then(|sum| bench.vector(&sum, Fit::EXACT)));
        }
    }
    for negative in [false, true] {
        let sum = bench.c.infinity(negative).map(|c| Sum::default().addend_encoding(c));
        let parameters = [("position", -1), ("negative", i32::from(negative))];
        probes.add(&parameters, sum.and_then(|sum| bench.vector(&sum, Fit::EXACT)));
    }
    probes
}
