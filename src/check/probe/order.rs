//! Which terms are summed together, in which order, and how often is a sum normalised?

use super::{Bench, Fit, Probes, Sum, Test, Units, Value, counts};

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

/// The large term as the addend and in many positions; four small ones in the positions after it, in turn.
fn largest_first(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let positions = bench.products;
    for distance in bench.fraction_bits() {
        let small = Value::power(-distance);
        // Position -1 is the addend.
        let last = counts(positions - 1).into_iter().filter(|place| *place > 0);
        for large in [-1, 0].into_iter().chain(last.map(|place| place as i32)) {
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

/// Bits between 1 and a small term that no window should hold beside it, at least; fewer where results are shorter.
const FAR_LEAST: i32 = 10;

/// A value as small beside 1 as the formats have one, so that a window does not hold both.
pub(super) fn far(bench: &Bench, sum: impl Fn(Value) -> Sum) -> Option<(Value, Fit)> {
    (FAR_LEAST.min(bench.d.precision() as i32)..=bench.farthest())
        .rev()
        .map(|distance| Value::power(-distance))
        .find_map(|small| {
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
    for distance in bench.fraction_bits() {
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
    for distance in bench.fraction_bits() {
        let sum = Sum::default().at(bench.place(0), Value::power(0)).at(bench.place(1), -Value::power(-distance));
        let sum = sum.addend(-below_one(bench));
        probes.add(&[("distance", distance)], bench.fitted(&sum));
    }
    probes
}
