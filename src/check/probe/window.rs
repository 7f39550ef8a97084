//! How many bits below the largest term are kept?

use super::{Bench, Probes, Sum, Term, Test, Units, Value};

pub(super) const TESTS: &[Test] = &[
    Test {
        name: "one-extra-bit",
        decides: "F, up to the precision of the addend: 1 - (1 - 2^-h) is 2^-h, or 2^-(h-1) if the last bit is lost",
        source: "Fasi et al. 2021, section 3.1.4: 1 - (1 - 2^-24); Li et al. 2024 (FTTN), T_1_bit",
        units: Units::FloatingPoint,
        probes: one_extra_bit,
    },
    Test {
        name: "two-extra-bits",
        decides: "whether bits beyond the result's precision are kept: 1.125 - 2^-k is below 1.125, or 1.125",
        source: "Li et al. 2024 (FTTN), T_3_bits_fin_rnd: 1.25 - (2^-3 + 2^-25)",
        units: Units::FloatingPoint,
        probes: two_extra_bits,
    },
    DATAPATH_WIDTH,
    Test {
        name: "product-normalisation",
        decides: "whether products are normalised before they are aligned: beside 1.5 * 1.5 the least term seen is one binade \
                  higher than beside 1",
        source: "Valpey et al. 2025, section 4.3, where products are normalised to [1, 2)",
        units: Units::FloatingPoint,
        probes: product_normalisation,
    },
    WIDTH_THROUGH_ROUNDING,
];

/// F of units with short results: no source tells it.
pub(super) const OPEN: &[Test] = &[
    Test { name: "fraction-bits-by-cancellation", ..DATAPATH_WIDTH },
    Test { name: "fraction-bits-by-rounding", ..WIDTH_THROUGH_ROUNDING },
];

const DATAPATH_WIDTH: Test = Test {
    name: "datapath-width",
    decides: "F: 2^-h remains beside 1 - 1 up to h = F",
    source: "Hickmann and Bradford 2019, internal precision: 2^30 - 2^30 + 2^N, N from 30 to -28",
    units: Units::FloatingPoint,
    probes: datapath_width,
};

const WIDTH_THROUGH_ROUNDING: Test = Test {
    name: "width-through-rounding",
    decides: "F of units that round to nearest: 2^-h breaks the tie of 1 + half a unit in the last place up to h = F",
    source: "after Hickmann and Bradford 2019, FP16 datapath width: 1 + 2^-11 + 2^N to fp16",
    units: Units::FloatingPoint,
    probes: width_through_rounding,
};

fn one_extra_bit(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    for distance in bench.fraction_bits() {
        let small = Value::power(-distance);
        let sum = Sum::default().at(0, Value::power(0)).addend(small - Value::power(0)).reading(small);
        probes.add(&[("distance", distance)], bench.fitted(&sum));
    }
    probes
}

/// The small part as the addend, and as two products.
fn two_extra_bits(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let large = Value::power(0) + Value::power(-2);
    for distance in bench.fraction_bits() {
        let (near, far) = (-Value::power(-3), -Value::power(-distance));
        let sums = [
            Sum::default().at(0, large).addend(near + far),
            Sum::default().at(bench.place(0), large).at(bench.place(1), near).at(bench.place(2), far),
        ];
        for (form, sum) in sums.iter().enumerate() {
            probes.add(&[("distance", distance), ("form", form as i32)], bench.fitted(sum));
        }
    }
    probes
}

/// Large, minus large and small, as three products; with the large one, and with the small one, as the addend.
fn datapath_width(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let (one, places) = (Value::power(0), [0, 1, 2].map(|index| bench.place(index)));
    for distance in 0..=bench.farthest() {
        let small = Value::power(-distance);
        let sums = [
            Sum::default().at(places[0], one).at(places[1], -one).at(places[2], small),
            Sum::default().at(places[0], -one).at(places[1], small).addend(one),
            Sum::default().at(places[0], one).at(places[1], -one).addend(small),
        ];
        for (form, sum) in sums.into_iter().enumerate() {
            probes.add(&[("distance", distance), ("form", form as i32)], bench.fitted(&sum.reading(small)));
        }
    }
    probes
}

/// 1.5 * 1.5, minus the same, and 2^-h as a product and as the addend.
fn product_normalisation(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let significand = Value::of(3, -1);
    let large = Sum::default().at(bench.place(0), Term::Factors(significand, significand));
    let pair = large.at(bench.place(1), Term::Factors(-significand, significand));
    for distance in bench.fraction_bits() {
        let small = Value::power(-distance);
        let sums = [pair.clone().at(bench.place(2), small), pair.clone().addend(small)];
        for (form, sum) in sums.into_iter().enumerate() {
            probes.add(&[("distance", distance), ("form", form as i32)], bench.fitted(&sum.reading(small)));
        }
    }
    probes
}

/// 1 + half a unit in its last place + 2^-h, as three products and with the 1 as the addend.
fn width_through_rounding(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let half = -(bench.d.precision() as i32);
    let (one, tie) = (Value::power(0), Value::power(half));
    for distance in bench.fraction_bits().filter(|distance| -distance < half) {
        let small = Value::power(-distance);
        let sums = [
            Sum::default().at(bench.place(0), one).at(bench.place(1), tie).at(bench.place(2), small),
            Sum::default().at(bench.place(0), tie).at(bench.place(1), small).addend(one),
        ];
        for (form, sum) in sums.iter().enumerate() {
            probes.add(&[("distance", distance), ("form", form as i32)], bench.fitted(sum));
        }
    }
    probes
}
