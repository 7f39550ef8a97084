//! Are subnormal numbers taken and given?

use super::{Bench, Fit, Probes, Sum, Term, Test, Units, Value};
use crate::describe::format::Format;

pub(super) const TESTS: &[Test] = &[
    Test {
        name: "subnormal-operand",
        decides: "whether subnormal operands count as what they are: the product, or zero",
        source: "Fasi, Higham, Mikaitis, Pranesh 2021, section 3.1.1: 2^-24 times a power of two",
        units: Units::FloatingPoint,
        probes: operand,
    },
    Test {
        name: "subnormal-addend",
        decides: "whether a subnormal addend counts as what it is",
        source: "Fasi et al. 2021, section 3.1.1: 2^-149; Li et al. 2024 (FTTN): 2^-127; Hickmann and Bradford 2019 report zero",
        units: Units::FloatingPoint,
        probes: addend,
    },
    Test {
        name: "subnormal-result",
        decides: "whether normal operands can give a subnormal result",
        source: "Fasi et al. 2021, section 3.1.1: 2^-14 * 2^-1, and 2^-14 * 1 with c = -2^-15",
        units: Units::FloatingPoint,
        probes: result,
    },
];

/// Least and largest subnormal encoding of a format.
pub(super) fn subnormals(format: &Format) -> Vec<u64> {
    match (format.subnormals, format.fraction_bits) {
        (false, _) | (_, 0) => Vec::new(),
        (_, 1) => vec![format.assemble(false, 1)],
        (_, bits) => [1, (1 << bits) - 1].map(|magnitude| format.assemble(false, magnitude)).to_vec(),
    }
}

/// A subnormal number times 1, in every position, on either side.
fn operand(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let one = |format: &Format| Value::power(0).encoding(format, true);
    for position in 0..bench.products {
        for (largest, &a) in subnormals(&bench.a).iter().enumerate() {
            let sum = one(&bench.b).map(|b| Sum::default().at(position, Term::Encodings(a, b)));
            let parameters = [("position", position as i32), ("side", 0), ("largest", largest as i32)];
            probes.add(&parameters, sum.and_then(|sum| bench.vector(&sum, Fit::EXACT)));
        }
        for (largest, &b) in subnormals(&bench.b).iter().enumerate() {
            let sum = one(&bench.a).map(|a| Sum::default().at(position, Term::Encodings(a, b)));
            let parameters = [("position", position as i32), ("side", 1), ("largest", largest as i32)];
            probes.add(&parameters, sum.and_then(|sum| bench.vector(&sum, Fit::EXACT)));
        }
    }
    probes
}

/// A subnormal addend, and nothing else: the least one, the largest one, half the least normal number.
fn addend(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let half = Value::power(bench.c.exponent_min() - 1).encoding(&bench.c, true);
    let values = subnormals(&bench.c).into_iter().chain(half).enumerate();
    for (number, bits) in values.filter(|_| bench.has_addend) {
        for negative in [0, 1] {
            let bits = if negative == 1 { bits | bench.c.sign_bit() } else { bits };
            let sum = Sum::default().addend_encoding(bits);
            probes.add(&[("number", number as i32), ("negative", negative)], bench.vector(&sum, Fit::EXACT));
        }
    }
    probes
}

/// Below the least normal number of the operands, and of the result: by one product, and by cancellation.
fn result(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let mut exponents = vec![bench.a.exponent_min(), bench.d.exponent_min()];
    exponents.dedup();
    for exponent in exponents {
        let (least, half) = (Value::power(exponent), Value::power(exponent - 1));
        let product = Sum::default().at(0, Term::Factors(least, Value::power(-1)));
        let product =
            bench.vector(&product, Fit::EXACT).or_else(|| bench.vector(&Sum::default().at(0, half), Fit::EXACT));
        probes.add(&[("exponent", exponent), ("cancelled", 0)], product);
        let cancelled = Sum::default().at(0, least).addend(-half);
        probes.add(&[("exponent", exponent), ("cancelled", 1)], bench.vector(&cancelled, Fit::EXACT));
    }
    probes
}
