//! How much of the addend is kept?

use super::{Bench, Probes, Sum, Test, Units, Value};

pub(super) const TESTS: &[Test] = &[
    Test {
        name: "addend-truncation",
        decides: "how many bits of an addend are kept: 1 + 2^-k alone, and less 1 by a product",
        source: "no source tells it for fp8 operands: the public recordings have c = 0",
        units: Units::FloatingPoint,
        probes: truncation,
    },
    Test {
        name: "addend-below-products",
        decides: "how many bits of an addend below the products are kept: (1 + 2^-k) * 2^-j beside 1 - 1",
        source: "no source tells it for fp8 operands: the public recordings have c = 0",
        units: Units::FloatingPoint,
        probes: below_products,
    },
    Test {
        name: "addend-in-anchor",
        decides: "whether the addend takes part in the anchor: 2^j, 2^j products of -1 and one of 2^-h, which is cut j bits earlier",
        source: "after Hickmann and Bradford 2019, how is the accumulator integrated; no source tells it for fp8 operands",
        units: Units::FloatingPoint,
        probes: in_anchor,
    },
];

/// The last bits that an addend can have.
fn last_bits(bench: &Bench) -> std::ops::Range<i32> {
    1..bench.c.precision() as i32
}

fn truncation(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let one = Value::power(0);
    for last in last_bits(bench) {
        for negative in [0, 1] {
            let signed = |value: Value| if negative == 1 { -value } else { value };
            let addend = Sum::default().addend(signed(one + Value::power(-last)));
            let parameters = |form| [("last", last), ("negative", negative), ("form", form)];
            probes.add(&parameters(0), bench.fitted(&addend));
            probes.add(&parameters(1), bench.fitted(&addend.at(0, signed(-one)).reading(Value::power(-last))));
        }
    }
    probes
}

fn below_products(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let one = Value::power(0);
    for below in 1..=8 {
        for last in last_bits(bench) {
            let addend = (one + Value::power(-last)).shifted(-below);
            let sum = Sum::default().at(bench.place(0), one).at(bench.place(1), -one).addend(addend);
            probes.add(&[("below", below), ("last", last)], bench.fitted(&sum));
        }
    }
    probes
}

fn in_anchor(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    for exponent in 0..=4 {
        let count = 1 << exponent;
        if count >= bench.products {
            break;
        }
        let ones = (0..count).fold(Sum::default(), |sum, i| sum.at(bench.place(i), -Value::power(0)));
        for distance in bench.fraction_bits() {
            let small = Value::power(-distance);
            let sum = ones.clone().at(bench.place(count), small).addend(Value::power(exponent)).reading(small);
            probes.add(&[("exponent", exponent), ("distance", distance)], bench.fitted(&sum));
        }
    }
    probes
}
