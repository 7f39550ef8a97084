//! In which order are sums taken: one fused sum, a chain, two chains, or a tree; and where is the addend?

use super::order::far;
use super::{Bench, Fit, Probes, Sum, Term, Test, Units, Value};

pub(super) const TESTS: &[Test] = &[
    Test {
        name: "order-of-operations",
        decides: "the structure, by how much remains of s behind the -1 and 2 s before it, with -1 one and two positions from the \
                  1: 0 and 0 of one fused sum, s and s of a chain of FMAs, 0 and 3 s of an even and an odd chain, s and 0 of a \
                  tree of pairs, s and 3 s of an exact sum; form 1 is mirrored, for chains that begin with the last product",
        source: "after Hickmann and Bradford 2019, order of operations: 1, -1 and small terms in positions of their own",
        units: Units::FloatingPoint,
        probes: order_of_operations,
    },
    Test {
        name: "addend-inside",
        decides: "whether the addend is in the sum of the products (1 + ulp) or added to it afterwards (1); form 2, for windows shorter \
                  than the result: 2^(p - 1) inside, 2^(p - 1) + 1 afterwards",
        source: "Valpey et al. 2025, table 5, with b1 = 1.998046875 * 2^7 (form 0); forms 1 and 2 made from the formats",
        units: Units::FloatingPoint,
        probes: addend_inside,
    },
    Test {
        name: "one-vector-of-table-8",
        decides: "the family: 0, -0.375, -0.5, -0.75, -0.875 or -1, in units of the last place of the addend",
        source: "Xie et al., arXiv 2511.10909v2, table 8; 2^(p - 1) for 2^23 where the formats do not hold its factors",
        units: Units::FloatingPoint,
        probes: table_8,
    },
];

/// 1 in the first position, -1 in position j, 2 s in the one before that where this is free, s in the one after; j = 1, 2, 4, ...
fn order_of_operations(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let (one, last) = (Value::power(0), bench.products - 1);
    for cancels in (0..).map(|bit| 1 << bit).take_while(|cancels| cancels + 1 < bench.products) {
        for form in [0, 1] {
            let place = |position: usize| if form == 0 { position } else { last - position };
            let sum = |small: Value| {
                let sum = Sum::default().at(place(0), one).at(place(cancels), -one).at(place(cancels + 1), small);
                if cancels > 1 { sum.at(place(cancels - 1), small.shifted(1)) } else { sum }
            };
            let Some((small, fit)) = far(bench, sum) else { continue };
            probes.add(&[("cancels", cancels as i32), ("form", form)], bench.vector(&sum(small), fit));
        }
    }
    probes
}

fn addend_inside(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let tenth = |significand: i128, exponent: i32| Value::of(significand, exponent - 10);
    // 1.0009765625 * 2^-8 by 1.998046875 * 2^7; 1.326171875 * 2^-14 by 1.4443359375 * 2^-7; 2^-12 by 2^-12, twice.
    let factors = [
        Term::Factors(tenth(1025, -8), tenth(2046, 7)),
        Term::Factors(tenth(1358, -14), tenth(1479, -7)),
        Term::Factors(Value::power(-12), Value::power(-12)),
        Term::Factors(Value::power(-12), Value::power(-12)),
    ];
    let products = factors.into_iter().enumerate().fold(Sum::default(), |sum, (i, term)| sum.at(i, term));
    probes.add(&[("form", 0)], bench.vector(&products.addend(Value::power(-24)), Fit::EXACT));
    // Two products of 1/2 leave the window down to half a unit in the last place of 1; a product and the addend of that size
    // make a whole one. Of several blocks, the product must stand in the first one: hence its positions.
    let precision = bench.d.precision() as i32;
    let (half, half_ulp) = (Value::power(-1), Value::power(-precision));
    let halves = Sum::default().at(bench.place(0), half).at(bench.place(1), half).addend(half_ulp);
    for position in (1..).map(|bit| 1 << bit).take_while(|position| *position < bench.products) {
        let sum = halves.clone().at(bench.place(position), half_ulp);
        probes.add(&[("form", 1), ("position", position as i32)], bench.fitted(&sum));
    }
    // Beside the addend a short window loses the product, which the addend's last place holds.
    let sum = Sum::default().at(0, Value::power(0)).addend(Value::power(precision - 1));
    probes.add(&[("form", 2)], bench.fitted(&sum));
    probes
}

/// c = 2^23, -2^13 * 2^10, and three products in the last place of the addend and below.
fn table_8(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let power = Value::power;
    let with = |large: Term, addend: Value| {
        let sum = Sum::default().at(0, large).addend(addend);
        (1..=3).fold(sum, |sum, i| sum.at(i as usize, Term::Factors(-power(-i), power(0))))
    };
    let published = bench.vector(&with(Term::Factors(-power(13), power(10)), power(23)), Fit::EXACT);
    let top = power(bench.precision() - 1);
    probes.add(&[], published.or_else(|| bench.fitted(&with(Term::Product(-top), top))));
    probes
}
