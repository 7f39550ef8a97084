//! Figure 3: rounding of the accumulator, extra bits, ties and sticky bit, products, width of a block, order, normalisation.

use super::*;
use crate::literature::Number;

/// Products of the vectors that look for the end of a block.
const LONGEST: usize = 33;

pub(super) fn experiments() -> Vec<Experiment> {
    [rounding(), extra_bits(), products(), several()].concat()
}

fn rounding() -> Vec<Experiment> {
    let nearest = Reading::Name("to nearest, ties to even");
    vec![Experiment {
        name: "rounding-direction",
        question: "Which way is a sum of two products rounded: to nearest, toward zero, up or down?",
        source: "figures 2 and 3, T_rnd_dir; vectors chosen here: 1 and quarters of a unit in its last place, both signs",
        products: 2,
        whole: true,
        fits: any,
        vectors: quarters,
        read: features::direction,
        published: [
            on_all(&NARROW, &nearest, "a public summary of the paper (linnk.ai), taken for fp16 results"),
            on_all(&WIDE[3..], &nearest, SUMMARY),
            toward_zero(),
        ]
        .concat(),
    }]
}

/// NVIDIA's results of fp32, of which the summary says the same.
fn toward_zero() -> Vec<Published> {
    let reason = "the summary tells no formats apart; fp32 results are cut: Fasi et al. 2021, section 3.1.3, and public recordings";
    let nearest = Reading::Name("to nearest, ties to even");
    let cut = |own: Published| own.instead(Reading::Name("toward zero"), reason);
    on_all(&WIDE[..3], &nearest, SUMMARY).into_iter().map(cut).collect()
}

/// How many of the bits below the last place of 1 are kept, one after the other. A negative parameter is the exponent of what is
/// exact. The second and third show only in results that are cut, and where nothing else leaves a trace.
pub(super) fn kept_bits(answered: &[Answered]) -> Reading {
    let [bits @ .., carry, far] = answered else {
        return Reading::Undecided("the formats do not have its terms");
    };
    let below =
        |answered: &Answered, limit: Value| answered.number.value().is_some_and(|value| (value - limit).is_negative());
    let nine_eighths = Value::of(9, -3);
    let kept = bits.iter().take_while(|own| match own.question.parameter {
        exact @ ..0 => own.number == Number::from(Value::power(exact)),
        _ => below(own, nine_eighths),
    });
    match kept.count() {
        2.. if traces::below_one(far) => {
            Reading::Undecided("what lies far below leaves a trace too, as in an exact sum or with a sticky bit")
        }
        count @ 1.. if count == bits.len() || !traces::is_cut(carry) => Reading::AtLeast(count as i32),
        count => Reading::Count(Some(count as i32)),
    }
}

/// 1 less almost 1, and 1.25 less a little more than 1/8: vectors that need one, two and three extra bits; then whether the result
/// is cut, and 1 less a far term.
pub(super) fn subtractions(bench: &Bench) -> Questions {
    let (precision, power) = (bench.precision(), Value::power);
    let mut questions = Questions::default();
    let first = products_of(bench, &[power(0)]).addend(power(-precision) - power(0));
    questions.add("1, and c just above -1", -precision, bench.vector(&first, Fit::EXACT));
    for bit in [2, 3] {
        let small = power(-3) + power(1 - precision - bit);
        let sum = products_of(bench, &[Value::of(5, -2)]).addend(-small);
        let label = format!("1.25, and c = -(2^-3 + 2^-{})", precision + bit - 1);
        questions.add(label, bit, bench.vector(&sum, Fit::EXACT));
    }
    let (label, carry) = traces::carry(bench);
    questions.add(label, traces::carry_parameter(bench), bench.vector(&carry, Fit::EXACT));
    let far = products_of(bench, &[power(0)]).addend(-traces::far(bench));
    questions.add("1, and c a little below 0", 0, bench.vector(&far, Fit::EXACT));
    questions
}

fn extra_bits() -> Vec<Experiment> {
    let place = "a public summary of the paper (linnk.ai): none, one, at least two";
    let [volta, ampere, hopper, ..] = WIDE;
    vec![
        Experiment {
            name: "extra-bits",
            question: "How many of three bits below the last place of 1 are kept in a subtraction, where the result is cut?",
            source: "figure 3, T_1_bit, T_3_bits_fin_rnd; 1 - (1 - 2^-24), 1.25 - (2^-3 + 2^-25), 1.25 - (2^-3 + 2^-26), with p for 24",
            products: 1,
            whole: true,
            fits: with_addend,
            vectors: subtractions,
            read: kept_bits,
            published: vec![
                on(volta, Reading::Count(Some(0)), place),
                on(ampere, Reading::Count(Some(1)), place),
                on(hopper, Reading::Count(Some(2)), place),
            ],
        },
        Experiment {
            name: "ties",
            question: "Down to which 2^-k of half a unit does a term lift a tie, where the result is rounded to nearest?",
            source: "figure 3, ties and sticky bit; figure 4; vectors chosen here: 1, and half a unit in its last place times 1 + 2^-k",
            products: 2,
            whole: false,
            fits: any,
            vectors: lifted_ties,
            read: least_lift,
            published: Vec::new(),
        },
        Experiment {
            name: "sticky-bit",
            question: "Does a term far below the last place leave a trace, so that it changes the rounding of a sum?",
            source: "figure 3, ties and sticky bit; vectors chosen here: 1, and a far c below 0; 1, and c a little above half a unit, where the \
                     result is rounded to nearest",
            products: 2,
            whole: false,
            fits: with_addend,
            vectors: traces::sticky,
            read: traces::sticky_read,
            published: Vec::new(),
        },
    ]
}

/// Greatest k of ties, where formats have no more.
const LIFT_MAX: i32 = 60;

/// 1, and half a unit in its last place, alone with the parameter 0, and a little more as long as the formats have it, with k.
pub(super) fn lifted_ties(bench: &Bench) -> Questions {
    let mut questions = Questions::default();
    let sum = |half: Value| in_places(&[Value::power(0), half.shifted(-(bench.d.precision() as i32))]);
    questions.add("1, and half a unit", 0, bench.vector(&sum(Value::power(0)), Fit::EXACT));
    for bits in 1..=LIFT_MAX {
        let vector = bench.vector(&sum(Value::power(0) + Value::power(-bits)), Fit::EXACT);
        let missing = vector.is_none();
        questions.add(format!("1, and half a unit times 1 + 2^-{bits}"), bits, vector);
        if missing {
            break;
        }
    }
    questions
}

/// The greatest k for which the tie is lifted.
pub(super) fn least_lift(answered: &[Answered]) -> Reading {
    let above = |value: Value| (Value::power(0) - value).is_negative();
    let lifted = answered.iter().filter(|own| own.number.value().is_some_and(above));
    let parameters = |own: &Answered| own.question.parameter;
    let (least, greatest) = (lifted.clone().map(parameters).min(), lifted.map(parameters).max());
    match (least, greatest) {
        (Some(0), _) => Reading::Undecided("half a unit alone is rounded up too"),
        (_, Some(greatest)) if answered.iter().all(|own| own.question.parameter <= greatest) => {
            Reading::AtLeast(greatest)
        }
        _ => Reading::Count(greatest),
    }
}

/// Quarters of a unit beside 1, as two products.
pub(super) fn quarters(bench: &Bench) -> Questions {
    features::quarters(bench, |sign, count| {
        let rest = Value::of(count, -(bench.d.precision() as i32) - 1);
        in_places(&[sign, sign * rest])
    })
}

fn products() -> Vec<Experiment> {
    vec![Experiment {
        name: "product-rounding",
        question: "Is a product kept in full until it is added?",
        source: "figure 2, T_prod; vector chosen here: (1 + 2^-10)^2, and c = -(1 + 2^-9), with the operands' last place for 2^-10; 1, \
                 2^-20, and c = -1",
        products: 2,
        whole: true,
        fits: |bench| bench.has_addend && bench.a == bench.b,
        vectors: |bench| {
            let last = Value::power(1 - bench.a.precision() as i32);
            let factor = Value::power(0) + last;
            let sum = Sum::default().at(0, Term::Factors(factor, factor)).addend(-factor - last);
            let alone = Sum::default().at(0, Value::power(0)).at(1, Term::Factors(last, last)).addend(-Value::power(0));
            let sums = [("(1 + 1 unit)^2, and c = -(1 + 2 units)", sum), ("1, 1 unit^2, and c = -1", alone)];
            Questions::of(bench, sums.map(|(label, sum)| (label.to_owned(), sum)))
        },
        read: |answered| match answered {
            [square, _] if features::remains(square) => Reading::Truth(true),
            [_, alone] if features::remains(alone) => Reading::Truth(false),
            _ => Reading::Undecided("the last bits of a product are lost beside 1 even if it is kept in full"),
        },
        published: Vec::new(),
    }]
}

fn several() -> Vec<Experiment> {
    let place = "a public summary of the paper (linnk.ai): 4, 8, at least 16";
    let [volta, ampere, hopper, ..] = WIDE;
    vec![
        Experiment {
            name: "block-width",
            question: "How many products are summed together with c?",
            source: "figure 3, T_blk_fma_width; vectors chosen here: c large, its negative first, and a small product in position i; \
                     and these three in all places",
            products: LONGEST as u32,
            whole: false,
            fits: with_addend,
            vectors: blocks::block_width,
            read: blocks::width,
            published: vec![
                on(volta, Reading::Count(Some(4)), place),
                on(ampere, Reading::Count(Some(8)), place),
                on(hopper, Reading::Count(Some(16)), place),
            ],
        },
        Experiment {
            name: "accumulation-order",
            question: "Is the result the same wherever the large one of five terms stands?",
            source: "figure 3, T_acc_order; vectors chosen here: 1 and 4 times 2^-24, 2^-25, 2^-26 in all places, with p for 24",
            products: 4,
            whole: true,
            fits: with_addend,
            vectors: features::orders,
            read: |answered| {
                let alike = |places: &[Answered]| places.windows(2).all(|pair| pair[0].number == pair[1].number);
                Reading::Truth(answered.chunks(5).all(alike))
            },
            published: Vec::new(),
        },
        Experiment {
            name: "normalised-once",
            question: "Does the result decrease while c grows, because the sum is normalised once?",
            source: "figures 1 and 3, normalization happens once, which implies non-monotonicity; vectors chosen here: c just below 1, \
                     then 1, and small terms",
            products: 12,
            whole: false,
            fits: with_addend,
            vectors: features::carried,
            read: features::decreases,
            published: Vec::new(),
        },
    ]
}
