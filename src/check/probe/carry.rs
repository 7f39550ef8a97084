//! How far above the largest term does the sum reach?

use super::{Bench, Probes, Sum, Term, Test, Units, Value};

pub(super) const TESTS: &[Test] = &[
    Test {
        name: "carry-second-bit",
        decides: "whether the sum keeps its last bits while it grows beyond 4",
        source: "Fasi et al. 2021, section 3.1.4, extra bits for carry out: c = 1 + 2^-22 + 2^-23 and 1, 1, 1, 2^-23 in any order",
        units: Units::FloatingPoint,
        probes: second_bit,
    },
    Test {
        name: "carry-third-bit",
        decides: "whether every addition may carry: 8, or a sum that wrapped",
        source: "Fasi et al. 2021, section 3.1.4: c = 1.875 and 1, 1.5, 1.75, 1.875",
        units: Units::FloatingPoint,
        probes: third_bit,
    },
    Test {
        name: "carry-last-bit",
        decides: "how many carry bits there are: n largest products below 4 and the largest addend below 2 wrap beyond them",
        source: "Valpey et al. 2025, section 4.3, with products that are not normalised",
        units: Units::FloatingPoint,
        probes: last_bit,
    },
];

fn second_bit(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let (one, ulp) = (Value::power(0), Value::power(1 - bench.precision()));
    for small in 0..4 {
        let value = |i: usize| if i == small { ulp } else { one };
        let sum = (0..4).fold(Sum::default(), |sum, i| sum.at(bench.place(i), value(i)));
        probes.add(&[("position", small as i32)], bench.fitted(&sum.addend(one + ulp + ulp.shifted(1))));
    }
    probes
}

fn third_bit(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let eighths = [8, 12, 14, 15].map(|eighths| Value::of(eighths, -3));
    let sum = eighths.into_iter().enumerate().fold(Sum::default(), |sum, (i, value)| sum.at(bench.place(i), value));
    probes.add(&[], bench.fitted(&sum.addend(Value::of(15, -3))));
    probes
}

/// n products of the largest significands, and an addend of the largest significand; both signs.
fn last_bit(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let largest = |precision: u32| Value::power(1) - Value::power(1 - precision as i32);
    let (a, b, c) = (largest(bench.a.precision()), largest(bench.b.precision()), largest(bench.c.precision()));
    for count in 1..=bench.products {
        for negative in [0, 1] {
            let signed = |value: Value| if negative == 1 { -value } else { value };
            let products = (0..count).fold(Sum::default(), |sum, i| sum.at(i, Term::Factors(signed(a), b)));
            let sum = if bench.has_addend { products.addend(signed(c)) } else { products };
            probes.add(&[("terms", count as i32), ("negative", negative)], bench.fitted(&sum));
        }
    }
    probes
}
