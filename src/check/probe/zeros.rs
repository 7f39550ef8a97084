//! Which sign has a zero result?

use super::subnormals::subnormals;
use super::{Bench, Fit, Probes, Sum, Term, Test, Units, Value};
use crate::describe::format::Format;

pub(super) const TESTS: &[Test] = &[
    Test {
        name: "sign-of-cancelled-zero",
        decides: "the sign of an exact zero sum of terms that are not zero",
        source: "IEEE 754-2019, 6.3; Xie et al., arXiv 2511.10909: plus zero",
        units: Units::FloatingPoint,
        probes: cancelled,
    },
    Test {
        name: "sign-of-zero-sum",
        decides: "the sign of a sum of zeros: all negative, and with one positive zero in every position",
        source: "IEEE 754-2019, 6.3; no source tells it for a fused sum",
        units: Units::FloatingPoint,
        probes: zeros,
    },
    Test {
        name: "sign-of-vanished-result",
        decides: "whether a negative result too small for its format is minus zero",
        source: "IEEE 754-2019, 6.3",
        units: Units::FloatingPoint,
        probes: vanished,
    },
    Test {
        name: "sign-of-flushed-operand",
        decides: "whether a subnormal number that counts as zero keeps its sign",
        source: "Xie et al., arXiv 2511.10909: MI250X flushes to plus zero",
        units: Units::FloatingPoint,
        probes: flushed,
    },
];

/// 1 - 1 in two products and in a product and the addend, either sign first, in every position.
fn cancelled(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    for negative in [0, 1] {
        let one = if negative == 1 { -Value::power(0) } else { Value::power(0) };
        for position in 0..bench.products {
            let with_addend = Sum::default().at(position, one).addend(-one);
            let parameters = [("position", position as i32), ("negative", negative), ("form", 0)];
            probes.add(&parameters, bench.fitted(&with_addend));
            let other = (position + 1) % bench.products;
            if other != position {
                let products = Sum::default().at(position, one).at(other, -one);
                let parameters = [("position", position as i32), ("negative", negative), ("form", 1)];
                probes.add(&parameters, bench.fitted(&products));
            }
        }
    }
    probes
}

/// Zeros only. Position -1 is the addend, -2 none.
fn zeros(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    for odd in -2..bench.products as i32 {
        for negative in [0, 1] {
            // The one zero that is not like the others.
            let is_negative = |position: i32| (negative == 1) != (position == odd);
            let b = Value::power(0).encoding(&bench.b, true).unwrap_or_default();
            let mut sum = Sum::default();
            for position in 0..bench.products {
                sum = sum.at(position, Term::Encodings(bench.a.zero(is_negative(position as i32)), b));
            }
            if bench.has_addend {
                sum = sum.addend_encoding(bench.c.zero(is_negative(-1)));
            }
            probes.add(&[("other", odd), ("negative", negative)], bench.vector(&sum, Fit::EXACT));
        }
    }
    probes
}

/// Zeros of one sign, some of them subnormal numbers: in a (side 0), in b (1), in c (2).
fn flushed(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let one = |format: &Format| Value::power(0).encoding(format, true);
    let (Some(one_a), Some(one_b)) = (one(&bench.a), one(&bench.b)) else { return probes };
    let least = |format: &Format, negative: bool| {
        let bits = *subnormals(format).first()?;
        Some(if negative { bits | format.sign_bit() } else { bits })
    };
    for negative in [false, true] {
        let (zero, c) = (bench.a.zero(negative), bench.c.zero(negative));
        let factors = [
            least(&bench.a, negative).map(|a| [a, one_b]),
            least(&bench.b, negative).map(|b| [one_a, b]),
            least(&bench.c, negative).filter(|_| bench.has_addend).map(|_| [zero, one_b]),
        ];
        for (side, factors) in factors.into_iter().enumerate() {
            let Some([a, b]) = factors else { continue };
            let all = (0..bench.products).fold(Sum::default(), |sum, place| sum.at(place, Term::Encodings(a, b)));
            let c = if side == 2 { least(&bench.c, negative).unwrap_or(c) } else { c };
            let sum = if bench.has_addend { all.addend_encoding(c) } else { all };
            let parameters = [("side", side as i32), ("negative", i32::from(negative))];
            probes.add(&parameters, bench.vector(&sum, Fit::EXACT));
        }
    }
    probes
}

/// Products below a quarter of the least result; an addend that cancels all but that.
fn vanished(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let least = bench.d.exponent_min() - bench.d.fraction_bits as i32;
    for below in [1, 2, 3, 8] {
        for negative in [0, 1] {
            let small = Value::power(least - below);
            let sum = Sum::default().at(0, if negative == 1 { -small } else { small });
            probes.add(&[("below", below), ("negative", negative)], bench.vector(&sum, Fit::EXACT));
        }
    }
    probes
}
