//! Section 3.1.1, support for subnormal numbers.

use super::*;
use crate::describe::format::Format;
use crate::literature::run::results;

fn least_subnormal(format: &Format) -> Value {
    Value::power(format.exponent_min() - format.fraction_bits as i32)
}

pub(super) fn experiments() -> Vec<Experiment> {
    let place = "section 3.1.1";
    vec![
        Experiment {
            name: "subnormal-operand",
            question: "Do subnormal operands count as what they are?",
            source: "section 3.1.1: a = 2^-24, b = 2^2",
            products: 1,
            whole: true,
            fits: |bench| bench.a.subnormals,
            vectors: |bench| {
                let product = Term::Factors(least_subnormal(&bench.a), Value::power(2));
                one(bench, "the least subnormal a, times 4", Sum::default().at(0, product))
            },
            read: results,
            published: [
                on_both(&[WIDE, NARROW], &Reading::number(Value::power(-22)), place),
                expected(&[BINARY16, BINARY16_NARROW], &Reading::number(Value::power(-22))),
            ]
            .concat(),
        },
        Experiment {
            name: "subnormal-addend",
            question: "Does a subnormal addend count as what it is?",
            source: "section 3.1.1: c = 2^-149",
            products: 1,
            whole: true,
            fits: |bench| bench.has_addend && bench.c.subnormals,
            vectors: |bench| one(bench, "the least subnormal c", Sum::default().addend(least_subnormal(&bench.c))),
            read: results,
            published: everywhere(&Reading::number(Value::power(-149)), place),
        },
        Experiment {
            name: "subnormal-result",
            question: "Do normal operands give subnormal results?",
            source: "section 3.1.1: 2^-14 * 2^-1, and 2^-14 * 1 with c = -2^-15",
            products: 1,
            whole: true,
            fits: with_addend,
            vectors: |bench| {
                let least = bench.a.exponent_min();
                let product = |b: i32| Sum::default().at(0, Term::Factors(Value::power(least), Value::power(b)));
                let cancelled = product(0).addend(-Value::power(least - 1));
                let sums = [
                    ("the least normal a, times 1/2".to_owned(), product(-1)),
                    ("the least normal a, less half of it as c".to_owned(), cancelled),
                ];
                Questions::of(bench, sums)
            },
            read: results,
            published: [
                on_both(&[WIDE, NARROW], &Reading::all(2, Value::power(-15)), place),
                expected(&SINGLE_RANGE, &Reading::all(2, Value::power(-127))),
                expected(&[BINARY64], &Reading::all(2, Value::power(-1023))),
            ]
            .concat(),
        },
        rounded_down(place),
    ]
}

fn rounded_down(place: &'static str) -> Experiment {
    Experiment {
        name: "subnormal-rounded-down",
        question: "Is a subnormal operand rounded as the matrix unit rounds, and not to nearest as other cores do?",
        source: "section 3.1.1: b = 2^-23 + 2^-24 and 2, a = 1",
        products: 2,
        whole: true,
        fits: any,
        vectors: |bench| {
            let small = half_unit(bench, 0) + half_unit(bench, -1);
            one(bench, "3/4 of a unit in the last place of 2, and 2", products_of(bench, &[small, Value::power(1)]))
        },
        read: results,
        published: on_both(&[WIDE], &Reading::number(Value::power(1)), place),
    }
}
