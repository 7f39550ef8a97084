//! Which terms are summed together, in which order, and how often is a sum normalised?

use super::{Bench, FRACTION_BITS, Fit, Probes, Sum, Term, Test, Units, Value, counts};

pub(super) const TESTS: &[Test] = &[
    Test {
        name: "largest-first",
        decides: "whether small terms are cut against the largest one, wherever that stands, or added to each other first",
        source: "Fasi et al. 2021, section 3.1.2: 1 and 4 times 2^-24, all five positions",
        units: Units::FloatingPoint,
        probes: largest_first,
    },
    BLOCK_WIDTH,
    Test {
        name: "order-of-sums",
        decides: "which pairs of terms cancel before a small one is added",
        source: "Hickmann and Bradford 2019, order of operations: Big, -Big, Small permuted over the inputs and c",
        units: Units::FloatingPoint,
        probes: order_of_sums,
    },
    Test {
        name: "normalise-once",
        decides: "whether partial sums are normalised: n small terms carry an addend just below 1 beyond it",
        source: "Fasi et al. 2021, section 3.1.4, normalization in addition: c = 1 - 2^-24 and 4 times 2^-24",
        units: Units::FloatingPoint,
        probes: normalise_once,
    },
    Test {
        name: "monotonicity",
        decides: "with the same terms as in normalise-once and a larger addend, 1: whether the result is smaller",
        source: "Fasi et al. 2021, section 3.1.4, monotonicity of dot product: c = 1 and 4 times 2^-24",
        units: Units::FloatingPoint,
        probes: monotonicity,
    },
    Test {
        name: "normalise-in-subtraction",
        decides: "whether a difference is normalised before the next term is added",
        source: "Fasi et al. 2021, section 3.1.4, normalization in subtraction: c = -1 + 2^-24, 1, -2^-24",
        units: Units::FloatingPoint,
        probes: normalise_in_subtraction,
    },
    Test {
        name: "addend-inside",
        decides: "whether the addend is in the sum of the products (1 + 2^-23) or added to it afterwards (1)",
        source: "Valpey et al. 2025, table 5, with b1 = 1.998046875 * 2^7",
        units: Units::FloatingPoint,
        probes: addend_inside,
    },
    Test {
        name: "one-vector-of-table-8",
        decides: "the family: 0, -0.375, -0.5, -0.75, -0.875 or -1",
        source: "Xie et al., arXiv 2511.10909v2, table 8",
        units: Units::FloatingPoint,
        probes: table_8,
    },
];

pub(super) const OPEN: &[Test] = &[
    Test {
        name: "block-order",
        decides: "which products are in one block, and which block comes first: a small one remains if its block is a later one",
        source: "after Hickmann and Bradford 2019, interconnection of dot-product units: the addend and every pair of products",
        units: Units::FloatingPoint,
        probes: block_order,
    },
    Test { name: "block-size", ..BLOCK_WIDTH },
];

const BLOCK_WIDTH: Test = Test {
    name: "block-width",
    decides: "L: with c = 1 and p_0 = -1, the first position from which a small product remains",
    source: "Li et al. 2024 (FTTN), T_blk_fma_width; Hickmann and Bradford 2019, order of operations",
    units: Units::FloatingPoint,
    probes: block_width,
};

/// The large term in every position and as the addend; four small ones in the positions after it, in turn.
fn largest_first(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let positions = bench.products;
    for distance in FRACTION_BITS {
        let small = Value::power(-distance);
        // Position -1 is the addend.
        for large in -1..positions as i32 {
            let mut sum = match large {
                -1 => Sum::default().addend(Value::power(0)),
                _ => Sum::default().at(large as usize, Value::power(0)),
            };
            let others = (0..positions).map(|step| (large + 1) as usize + step).map(|i| i % positions);
            for position in others.filter(|i| *i as i32 != large).take(4) {
                sum = sum.at(position, small);
            }
            probes.add(&[("distance", distance), ("position", large)], bench.fitted(&sum));
        }
    }
    probes
}

/// A value so small beside 1 that no window holds both, if the formats have one: at most 2^-58.
fn far(bench: &Bench, sum: impl Fn(Value) -> Sum) -> Option<(Value, Fit)> {
    (10..=58).rev().map(|distance| Value::power(-distance)).find_map(|small| {
        // Normal operands first: what flushes subnormals would lose a small term for another reason.
        let fit = bench.fit(&sum(small).reading(small))?;
        (!fit.subnormals).then_some((small, fit))
    })
}

fn block_width(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let one = Value::power(0);
    let sum = |position: usize, small: Value| Sum::default().at(0, -one).at(position, small).addend(one);
    let Some((small, fit)) = far(bench, |small| sum(bench.place(1), small)) else { return probes };
    for position in 1..bench.products {
        probes.add(&[("position", position as i32)], bench.vector(&sum(position, small), fit));
    }
    probes
}

/// c = 1, p_i = -1, p_j small, for every i and j.
fn block_order(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let one = Value::power(0);
    let sum = |i: usize, j: usize, small: Value| Sum::default().at(i, -one).at(j, small).addend(one);
    let Some((small, fit)) = far(bench, |small| sum(0, bench.place(1), small)) else { return probes };
    for i in 0..bench.products {
        for j in (0..bench.products).filter(|j| *j != i) {
            let parameters = [("cancels", i as i32), ("small", j as i32)];
            probes.add(&parameters, bench.vector(&sum(i, j, small), fit));
        }
    }
    probes
}

/// 1 and -1 in every pair of products with a small addend; 1 in the first product, and -1 and small in all others.
fn order_of_sums(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let one = Value::power(0);
    let pair = |i: usize, j: usize, small: Value| Sum::default().at(i, one).at(j, -one).addend(small);
    if let Some((small, fit)) = far(bench, |small| pair(0, bench.place(1), small)) {
        for i in 0..bench.products {
            for j in i + 1..bench.products {
                let parameters = [("large", i as i32), ("cancels", j as i32), ("small", -1)];
                probes.add(&parameters, bench.vector(&pair(i, j, small), fit));
            }
        }
    }
    let triple = |i: usize, j: usize, small: Value| Sum::default().at(0, one).at(i, -one).at(j, small);
    if let Some((small, fit)) = far(bench, |small| triple(bench.place(1), bench.place(2), small)) {
        for i in 1..bench.products {
            for j in (1..bench.products).filter(|j| *j != i) {
                let parameters = [("large", 0), ("cancels", i as i32), ("small", j as i32)];
                probes.add(&parameters, bench.vector(&triple(i, j, small), fit));
            }
        }
    }
    probes
}

/// 1 less a unit in its last place: the largest addend below 1 that the result has too.
fn below_one(bench: &Bench) -> Value {
    Value::power(0) - Value::power(-bench.precision())
}

fn normalise_once(bench: &Bench) -> Probes {
    beside(bench, below_one(bench))
}

fn monotonicity(bench: &Bench) -> Probes {
    beside(bench, Value::power(0))
}

/// An addend and n times 2^-h.
fn beside(bench: &Bench, addend: Value) -> Probes {
    let mut probes = Probes::default();
    for distance in FRACTION_BITS {
        for count in counts(bench.products) {
            let small = Value::power(-distance);
            let sum = (0..count).fold(Sum::default().addend(addend), |sum, i| sum.at(bench.place(i), small));
            probes.add(&[("distance", distance), ("terms", count as i32)], bench.fitted(&sum));
        }
    }
    probes
}

fn normalise_in_subtraction(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    for distance in FRACTION_BITS {
        let sum = Sum::default().at(bench.place(0), Value::power(0)).at(bench.place(1), -Value::power(-distance));
        let sum = sum.addend(-below_one(bench));
        probes.add(&[("distance", distance)], bench.fitted(&sum));
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
    probes.add(&[], bench.vector(&products.addend(Value::power(-24)), Fit::EXACT));
    probes
}

fn table_8(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let power = Value::power;
    let factors = [(-power(13), power(10)), (-power(-1), power(0)), (-power(-2), power(0)), (-power(-3), power(0))];
    let products =
        factors.into_iter().enumerate().fold(Sum::default(), |sum, (i, (a, b))| sum.at(i, Term::Factors(a, b)));
    probes.add(&[], bench.vector(&products.addend(power(23)), Fit::EXACT));
    probes
}
