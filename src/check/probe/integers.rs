//! Of integers: are sums exact, and what happens beyond the result's range?

use super::{Bench, Fit, Probes, Sum, Term, Test, Units, Value, counts};
use crate::describe::format::Format;

pub(super) const TESTS: &[Test] = &[
    Test {
        name: "integer-products",
        decides: "whether products of extreme integers and their sums are exact",
        source: "PTX ISA, mma with integer operands",
        units: Units::Integer,
        probes: products,
    },
    Test {
        name: "integer-overflow",
        decides: "whether a sum beyond the result's range wraps or saturates, at both ends",
        source: "PTX ISA, mma: .satfinite",
        units: Units::Integer,
        probes: overflow,
    },
    Test {
        name: "integer-saturation-order",
        decides: "how often the sum saturates: a sum that leaves the range and comes back, for every pair of products",
        source: "no source tells whether a block saturates once or after every product",
        units: Units::Integer,
        probes: saturation_order,
    },
];

/// Least and greatest integer of a format, as values.
fn extremes(format: &Format) -> [Value; 2] {
    [format.integer_least(), format.integer_greatest()].map(|integer| Value::of(integer.into(), 0))
}

fn products(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    for (side_a, a) in extremes(&bench.a).into_iter().enumerate() {
        for (side_b, b) in extremes(&bench.b).into_iter().enumerate() {
            for count in counts(bench.products) {
                let sum = (0..count).fold(Sum::default(), |sum, i| sum.at(i, Term::Factors(a, b)));
                let parameters = [("terms", count as i32), ("a", side_a as i32), ("b", side_b as i32)];
                probes.add(&parameters, bench.vector(&sum, Fit::EXACT));
            }
        }
    }
    probes
}

/// The ends of the range and 1, 2 or the greatest products beyond them, and just not.
fn overflow(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let [least, greatest] = extremes(&bench.d);
    let [lowest, highest] = [extremes(&bench.a)[0], extremes(&bench.a)[1]];
    let one = Value::power(0);
    for (end, addend) in [(0, least), (1, greatest)] {
        for (step, a) in [one, -one, one + one, -(one + one), lowest, highest].into_iter().enumerate() {
            for count in counts(bench.products) {
                let sum = (0..count).fold(Sum::default().addend(addend), |sum, i| sum.at(i, Term::Factors(a, one)));
                let parameters = [("greatest", end), ("step", step as i32), ("terms", count as i32)];
                probes.add(&parameters, bench.vector(&sum, Fit::EXACT));
            }
        }
    }
    probes
}

/// The greatest addend, 1 in one product and -1 in another; the least one, -1 and 1.
fn saturation_order(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let one = Value::power(0);
    let [least, greatest] = extremes(&bench.d);
    for i in 0..bench.products {
        for j in (0..bench.products).filter(|j| *j != i) {
            for (end, addend, out) in [(0, least, -one), (1, greatest, one)] {
                let sum = Sum::default().at(i, Term::Factors(out, one)).at(j, Term::Factors(-out, one)).addend(addend);
                let parameters = [("greatest", end), ("leaves", i as i32), ("returns", j as i32)];
                probes.add(&parameters, bench.vector(&sum, Fit::EXACT));
            }
        }
    }
    probes
}
