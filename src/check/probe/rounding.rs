//! Are products exact, and how is a sum rounded to a result?

use super::{Bench, Fit, Probes, Sum, Term, Test, Units, Value, counts};
use crate::describe::format::Format;

pub(super) const TESTS: &[Test] = &[
    Test {
        name: "exact-products",
        decides: "whether products keep all their bits until they are added",
        source: "Fasi et al. 2021, section 3.1.2: 4 times (1 - 2^-11)^2",
        units: Units::FloatingPoint,
        probes: exact_products,
    },
    Test {
        name: "exact-narrow-sum",
        decides: "whether products are exact too where addend and result are as short as the operands",
        source: "Fasi et al. 2021, section 3.1.2: (1 - 2^-11)^2 + (1 - 2^-11) * 2^-11",
        units: Units::FloatingPoint,
        probes: exact_narrow_sum,
    },
    Test {
        name: "exact-product-of-table-1",
        decides: "whether a product with a subnormal factor is exact; rounded to fp16 that of form 0 would be 181 * 2^-24",
        source: "Valpey et al. 2025, table 1, with the operands 0x0109 and 0x3979 (form 0); forms 1 and 2 made from the formats",
        units: Units::FloatingPoint,
        probes: product_of_table_1,
    },
    Test {
        name: "truncation",
        decides: "how a sum of two terms is rounded: quarters of a unit in the last place of 2, of both signs",
        source: "Fasi et al. 2021, section 3.1.3: 2 + (2^-23 + 2^-24); Hickmann and Bradford 2019, FP32 and FP16 round tests; Li et al. \
                 2024 (FTTN), T_rnd_dir",
        units: Units::FloatingPoint,
        probes: truncation,
    },
    Test {
        name: "normalised-rounding",
        decides: "how bits that the window still holds are rounded when the sum of several terms is normalised",
        source: "Hickmann and Bradford 2019, integer overflow test: 1 + 1 + 2^-23 + 2^-24; Fasi et al. 2021, section 3.1.4",
        units: Units::FloatingPoint,
        probes: normalised_rounding,
    },
    Test {
        name: "truncated-not-toward-zero",
        decides: "whether lost bits of a term are cut, or the exact sum is rounded toward zero; and from which bit on",
        source: "Valpey et al. 2025, table 3: 2 - 2^-40",
        units: Units::FloatingPoint,
        probes: truncated,
    },
    Test {
        name: "sticky",
        decides: "whether a lost bit leaves a sticky bit; and from which bit on one is lost",
        source: "Li et al. 2024 (FTTN), sticky bit; the constants after Valpey et al. 2025, section 4.2: 1 - 2^-40",
        units: Units::FloatingPoint,
        probes: sticky,
    },
    Test {
        name: "subnormal-conversion",
        decides: "how a sum below the least subnormal result is rounded: quarters of that number",
        source: "Fasi et al. 2021, section 3.1.3: 2^-24 * 2^-1 + 2^-24 * 2^-2 to fp16",
        units: Units::FloatingPoint,
        probes: subnormal_conversion,
    },
];

/// The largest significands below 1: (1 - 2^-p) of either side, n times.
fn exact_products(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let factors = largest_below_one(bench);
    for count in counts(bench.products) {
        let sum = (0..count).fold(Sum::default(), |sum, i| sum.at(bench.place(i), factors));
        probes.add(&[("terms", count as i32)], bench.fitted(&sum));
    }
    probes
}

fn largest_below_one(bench: &Bench) -> Term {
    let below = |precision: u32| Value::power(0) - Value::power(-(precision as i32));
    Term::Factors(below(bench.a.precision()), below(bench.b.precision()))
}

/// (1 - 2^-p)(1 - 2^-p) + (1 - 2^-p) 2^-p = 1 - 2^-p.
fn exact_narrow_sum(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let (a, b) = (bench.a.precision() as i32, bench.b.precision() as i32);
    let rest = Term::Factors(Value::power(0) - Value::power(-a), Value::power(-b));
    let sum = Sum::default().at(bench.place(0), largest_below_one(bench)).at(bench.place(1), rest);
    probes.add(&[], bench.fitted(&sum));
    probes
}

fn product_of_table_1(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    // 1.2587890625 * 2^-15 and 1.3681640625 * 2^-1: the factors of the encodings are 265 * 2^-24 and 1401 * 2^-11.
    let factors = Term::Factors(Value::of(265, -24), Value::of(1401, -11));
    probes.add(&[("form", 0)], bench.vector(&Sum::default().at(0, factors), Fit::EXACT));
    let [a, b] = [(&bench.a, &bench.b), (&bench.b, &bench.a)].map(|(small, other)| subnormal_by_ones(small, other));
    let sums = [a.map(|(a, b)| Term::Factors(a, b)), b.map(|(b, a)| Term::Factors(a, b))];
    for (form, term) in (1..).zip(sums) {
        let vector = term.and_then(|term| bench.vector(&Sum::default().at(0, term), Fit::EXACT));
        probes.add(&[("form", form)], vector);
    }
    probes
}

/// The largest subnormal number of a format, and a significand of ones of the other that brings the product near 1.
fn subnormal_by_ones(small: &Format, other: &Format) -> Option<(Value, Value)> {
    let ones = |bits: u32, exponent: i32| Value::of((1 << bits) - 1, exponent + 1 - bits as i32);
    let subnormal = ones(small.fraction_bits, small.exponent_min() - 1);
    // One below the greatest exponent, whose ones may be a NaN.
    let exponent = (-small.exponent_min()).min(other.exponent_max() - 1);
    (small.subnormals && small.fraction_bits > 0).then(|| (subnormal, ones(other.precision(), exponent)))
}

/// 2 + k/4 units in the last place, as two products, and with either term as the addend.
fn truncation(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let quarter = Value::power(-(bench.d.precision() as i32));
    for quarters in 1..=7 {
        for negative in [0, 1] {
            let signed = |value: Value| if negative == 1 { -value } else { value };
            let (large, small) = (signed(Value::power(1)), signed(Value::of(quarters, 0) * quarter));
            let sums = [
                Sum::default().at(bench.place(0), large).at(bench.place(1), small),
                Sum::default().at(bench.place(0), large).addend(small),
                Sum::default().at(bench.place(0), small).addend(large),
            ];
            for (form, sum) in sums.iter().enumerate() {
                let parameters = [("quarters", quarters as i32), ("negative", negative), ("form", form as i32)];
                probes.add(&parameters, bench.fitted(sum));
            }
        }
    }
    probes
}

/// n ones, and k/2 units in the last place of 1: nothing is lost at alignment, but the normalised sum has fewer bits.
fn normalised_rounding(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let half = Value::power(-(bench.d.precision() as i32));
    for count in counts(bench.products).into_iter().filter(|count| (2..=16).contains(count) && *count < bench.products)
    {
        for halves in 1..=7 {
            for negative in [0, 1] {
                let signed = |value: Value| if negative == 1 { -value } else { value };
                let ones = (0..count).fold(Sum::default(), |sum, i| sum.at(bench.place(i), signed(Value::power(0))));
                let sum = ones.at(bench.place(count), signed(Value::of(halves, 0) * half));
                let parameters = [("ones", count as i32), ("halves", halves as i32), ("negative", negative)];
                probes.add(&parameters, bench.fitted(&sum));
            }
        }
    }
    probes
}

/// 2 - 2^-n.
fn truncated(bench: &Bench) -> Probes {
    less(bench, 1)
}

/// 1 - 2^-n.
fn sticky(bench: &Bench) -> Probes {
    less(bench, 0)
}

/// A power of two less a small one, as two products, and with either as the addend; both signs.
fn less(bench: &Bench, top: i32) -> Probes {
    let mut probes = Probes::default();
    let last = bench.d.precision() as i32;
    // Up to the exponent of the publication at least.
    for exponent in last - 2..=(last + 24).max(40) {
        for negative in [0, 1] {
            let signed = |value: Value| if negative == 1 { -value } else { value };
            let (large, small) = (signed(Value::power(top)), signed(-Value::power(-exponent)));
            let sums = [
                Sum::default().at(bench.place(0), large).at(bench.place(1), small),
                Sum::default().at(bench.place(0), large).addend(small),
                Sum::default().at(bench.place(0), small).addend(large),
            ];
            for (form, sum) in sums.iter().enumerate() {
                let parameters = [("exponent", exponent), ("negative", negative), ("form", form as i32)];
                probes.add(&parameters, bench.fitted(sum));
            }
        }
    }
    probes
}

/// k/4 of the least subnormal result, as a sum of powers of two.
fn subnormal_conversion(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let least = bench.d.exponent_min() - bench.d.fraction_bits as i32;
    for quarters in 1..=7i32 {
        for negative in [0, 1] {
            let bits = (0..3).rev().filter(|bit| quarters >> bit & 1 == 1);
            let sum = bits.enumerate().fold(Sum::default(), |sum, (i, bit)| {
                let value = Value::power(least - 2 + bit);
                sum.at(bench.place(i), if negative == 1 { -value } else { value })
            });
            probes.add(&[("quarters", quarters), ("negative", negative)], bench.vector(&sum, Fit::EXACT));
        }
    }
    probes
}
