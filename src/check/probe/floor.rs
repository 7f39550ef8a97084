//! Is there a least exponent to which terms are aligned, and what lies at the ends of the result's range?

use super::{Bench, Fit, Probes, Sum, Test, Units, Value};

pub(super) const TESTS: &[Test] = &[
    Test {
        name: "anchor-floor",
        decides: "floor - F of units that truncate: 2^n - 1 and 1 units of 2^-n least results are one result, or none",
        source: "Xie et al., arXiv 2511.10909; for bf16 255 * 2^-157 and 2^-157, for tf32 511 * 2^-158 and 2^-158",
        units: Units::FloatingPoint,
        probes: floor,
    },
    Test {
        name: "anchor-floor-by-rounding",
        decides: "floor - F of units that round to nearest: half a least result and 2^-n of one are one result, or none",
        source: "Xie et al., arXiv 2511.10909; for fp16 results 2^-12 * 2^-13 and 2^-24 * 2^k",
        units: Units::FloatingPoint,
        probes: floor_by_rounding,
    },
    Test {
        name: "overflow-boundary",
        decides: "from which sum on the result is infinite, and whether truncation stops at the largest finite number",
        source: "IEEE 754-2019, 7.4; Xie et al., arXiv 2511.10909: infinity also when truncating",
        units: Units::FloatingPoint,
        probes: overflow,
    },
    Test {
        name: "overflow-and-back",
        decides: "whether a partial sum beyond the largest finite number may come back",
        source: "IEEE 754-2019, 9.4: the order of sums in a reduction is free",
        units: Units::FloatingPoint,
        probes: overflow_and_back,
    },
    Test {
        name: "subnormal-range",
        decides: "whether addends and results below the least normal number are exact, truncated, rounded or flushed",
        source: "Fasi et al. 2021, section 3.1.1; Hickmann and Bradford 2019 report zero for fp32",
        units: Units::FloatingPoint,
        probes: subnormal_range,
    },
];

/// Exponent of the least subnormal result.
fn least_result(bench: &Bench) -> i32 {
    bench.d.exponent_min() - bench.d.fraction_bits as i32
}

/// 2^n - 1, in as many products as its bits need, and 1, all times 2^-n of the least result.
fn floor(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let bits = bench.a.precision().min(bench.b.precision()) as i32;
    for below in 1..=40 {
        let unit = least_result(bench) - below;
        let mut sum = Sum::default();
        let mut position = 0;
        let mut rest = below;
        while rest > 0 {
            // The highest bits that are left: ones from 2^(rest - 1) down to 2^(rest - length).
            let length = rest.min(bits);
            let ones = Value::of((1i128 << length) - 1, unit + rest - length);
            sum = sum.at(bench.place(position), ones);
            position += 1;
            rest -= length;
        }
        let sum = sum.at(bench.place(position), Value::power(unit));
        probes.add(&[("below", below)], bench.vector(&sum, Fit::EXACT));
    }
    probes
}

fn floor_by_rounding(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let least = least_result(bench);
    for below in 2..=60 {
        let half = Sum::default().at(bench.place(0), Value::power(least - 1));
        let sum = half.at(bench.place(1), Value::power(least - below));
        probes.add(&[("below", below)], bench.vector(&sum, Fit::EXACT));
    }
    probes
}

/// The largest finite result as the addend, or as two products where they reach it, and k/8 units of its last place more.
fn overflow(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let Some(largest) = Value::decoded(&bench.d, bench.d.largest(false)) else { return probes };
    let last = bench.d.exponent_max() - bench.d.fraction_bits as i32;
    for eighths in 0..=16 {
        for negative in [0, 1] {
            let signed = |value: Value| if negative == 1 { -value } else { value };
            let more = signed(Value::of(eighths, last - 3));
            let beyond = signed(Value::power(bench.d.exponent_max() + 1));
            let sums = [
                Sum::default().at(0, more).addend(signed(largest)),
                Sum::default().at(0, signed(largest)).addend(more),
                // The power of two above the range, less what reaches down to the largest number and k/8 below.
                Sum::default().at(bench.place(0), beyond).at(bench.place(1), -more),
            ];
            for (form, sum) in sums.iter().enumerate() {
                let parameters = [("eighths", eighths as i32), ("negative", negative), ("form", form as i32)];
                probes.add(&parameters, bench.vector(sum, Fit::EXACT));
            }
        }
    }
    probes
}

/// The greatest power of two as the addend and as a product, and the same power less: in every position.
fn overflow_and_back(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let top = Value::power(bench.d.exponent_max());
    for position in 0..bench.products {
        let first = if position == 0 { bench.products - 1 } else { 0 };
        for (negative, top) in [(0, top), (1, -top)] {
            let sum = Sum::default().at(first, top).at(position, -top).addend(top);
            let parameters = [("position", position as i32), ("negative", negative)];
            probes.add(&parameters, bench.vector(&sum, Fit::EXACT));
        }
    }
    probes
}

/// Around the least normal number: an addend alone, and with a product of the least addend's size or a part of it.
fn subnormal_range(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let format = &bench.c;
    if !bench.has_addend || !format.subnormals {
        return probes;
    }
    let normal = 1u64 << format.fraction_bits;
    let ulp = format.exponent_min() - format.fraction_bits as i32;
    for (number, magnitude) in [1, 2, 3, normal / 2, normal - 1, normal, normal + 1].into_iter().enumerate() {
        for negative in [0, 1] {
            let bits = format.assemble(negative == 1, magnitude);
            let alone = Sum::default().addend_encoding(bits);
            let parameters = [("number", number as i32), ("negative", negative)];
            probes.add(&parameters, bench.vector(&alone, Fit::EXACT));
            for quarters in [-4, -2, -1, 1, 2, 4] {
                let sum = alone.clone().at(0, Value::of(quarters, ulp - 2));
                let parameters = [("number", number as i32), ("negative", negative), ("quarters", quarters as i32)];
                probes.add(&parameters, bench.vector(&sum, Fit::EXACT));
            }
        }
    }
    probes
}
