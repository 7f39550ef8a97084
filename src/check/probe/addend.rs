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
        name: "addend-above-products",
        decides: "which products an addend cuts: 2^j and a product of 1 + 2^-k, less 2^j by another product",
        source: "no source tells it for fp8 operands: the public recordings have c = 0",
        units: Units::FloatingPoint,
        probes: above_products,
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

fn above_products(bench: &Bench) -> Probes {
    let mut probes = Probes::default();
    let one = Value::power(0);
    for above in 1..=16 {
        for last in 1..(bench.a.precision().min(bench.b.precision()) as i32) {
            let large = Value::power(above);
            let sum = Sum::default().at(bench.place(0), one + Value::power(-last)).at(bench.place(1), -large);
            probes.add(&[("above", above), ("last", last)], bench.fitted(&sum.addend(large)));
        }
    }
    probes
}
