//! Section 3.1.2, accuracy of the dot products; and of section 3.2 what the order of additions and one more bit give.

use super::*;
use crate::literature::run::results;

/// The largest significands below 1.
fn below_one(precision: u32) -> Value {
    Value::power(0) - Value::power(-(precision as i32))
}

/// One addend of equation 3 is 1 and the others are small, in all five places.
fn permutations(bench: &Bench, next_bit: i32) -> Questions {
    let (one, small) = (Value::power(0), half_unit(bench, next_bit));
    let sums = (0..5).map(|large| {
        let value = |place: usize| if place == large { one } else { small };
        let sum = products_of(bench, &[0, 1, 2, 3].map(value)).addend(value(4));
        let place = if large == 4 { "c".to_owned() } else { format!("b[{large}]") };
        (format!("1 as {place}, and 4 times {}", crate::literature::Number::from(small)), sum)
    });
    Questions::of(bench, sums)
}

pub(super) fn experiments() -> Vec<Experiment> {
    [products(), additions()].concat()
}

fn products() -> Vec<Experiment> {
    let place = "section 3.1.2";
    let square = |precision: u32| below_one(precision) * below_one(precision);
    let exact =
        |(precision, program): (&u32, &Program)| expected(&[*program], &Reading::number(square(*precision).shifted(2)));
    vec![
        Experiment {
            name: "exact-products",
            question: "Are products kept in full?",
            source: "section 3.1.2: 4 times (1 - 2^-11)^2",
            products: 4,
            whole: true,
            fits: any,
            vectors: |bench| {
                let factors = Term::Factors(below_one(bench.a.precision()), below_one(bench.b.precision()));
                let sum = (0..4).fold(Sum::default(), |sum, position| sum.at(position, factors));
                one(bench, "4 products of the largest operands below 1", sum)
            },
            read: results,
            published: [
                on_both(&[WIDE], &Reading::number(square(11).shifted(2)), place),
                PRECISIONS.iter().zip(&SINGLE).flat_map(exact).collect(),
            ]
            .concat(),
        },
        Experiment {
            name: "exact-products-narrow",
            question: "Are products kept in full too where c and d have the format of a and b?",
            source: "section 3.1.2: (1 - 2^-11)^2 + (1 - 2^-11) * 2^-11",
            products: 2,
            whole: true,
            fits: any,
            vectors: |bench| {
                let (a, b) = (below_one(bench.a.precision()), below_one(bench.b.precision()));
                let rest = Term::Factors(a, Value::power(-(bench.b.precision() as i32)));
                let sum = Sum::default().at(0, Term::Factors(a, b)).at(1, rest);
                one(bench, "(1 - 2^-p)^2 + (1 - 2^-p) * 2^-p", sum)
            },
            read: results,
            published: everywhere_narrow(&Reading::number(below_one(11)), place),
        },
    ]
}

fn additions() -> Vec<Experiment> {
    let one_of = Value::power(0);
    vec![
        Experiment {
            name: "order-of-additions",
            question: "Are small terms added to the largest one, each with its rounding error, wherever that stands?",
            source: "section 3.1.2: 1 and 4 times 2^-24 in equation 3, all five places",
            products: 4,
            whole: true,
            fits: with_addend,
            vectors: |bench| permutations(bench, 0),
            read: results,
            published: on_volta(Reading::all(5, one_of), "section 3.1.2"),
        },
        Experiment {
            name: "order-of-additions-next-bit",
            question: "The same with terms of half that size, for an accumulator with one more bit?",
            source: "section 3.2: 2^-24 should be replaced by 2^-25",
            products: 4,
            whole: true,
            fits: with_addend,
            vectors: |bench| permutations(bench, 1),
            read: results,
            published: on_turing(Reading::all(5, one_of), "section 3.2"),
        },
        Experiment {
            name: "one-more-bit",
            question: "Has the accumulator a bit below the last place of 1?",
            source: "section 3.2: 1 + 2^-24 + 2^-24, exact on T4 because of its extra bit",
            products: 3,
            whole: true,
            fits: any,
            vectors: |bench| {
                let small = half_unit(bench, 0);
                one(
                    bench,
                    "1 and twice half a unit in its last place",
                    products_of(bench, &[Value::power(0), small, small]),
                )
            },
            read: results,
            published: [
                on_volta(Reading::number(one_of), "section 3.2"),
                on_turing(Reading::number(one_of + Value::power(-23)), "section 3.2"),
            ]
            .concat(),
        },
    ]
}
