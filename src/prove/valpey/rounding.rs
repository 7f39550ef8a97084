//! Sections 4.1 and 4.2: exact products, the precision of sums, rounding of the result and of the accumulator.

use super::units::{MODES, all, device, finite, operations, part, product, without_addend};
use super::{Question, Questions, Row, published, row};
use crate::compute::word::Word;
use crate::compute::word::term::Term;
use crate::describe::unit::Unit;
use crate::prove::InputTerms;
use crate::prove::numbers::Number;

pub(super) fn rows() -> Vec<Row> {
    vec![
        row(
            "exact-multiplication",
            "section 4.1, listing 1; table 4",
            "a, b whose product in binary16, in each rounding mode, is not the exact one",
            published("0.55", "0.027"),
            exact_multiplication,
        ),
        row(
            "exact-addition-in-fp16",
            "section 4.1, property 1; table 4",
            "a b and c d that binary16 does not hold, whose sum it holds, and that is another one in binary16 arithmetic",
            published("27.59", "0.12"),
            exact_addition,
        ),
        rounding_of_result(),
        rounding_of_accumulator(),
    ]
}

fn exact_multiplication() -> Question {
    Question::new(|| {
        let units = MODES.map(|(mode, _)| product("binary16", mode));
        let inputs = InputTerms::new(&units[0]);
        let number = |encoding| Number::decoded(&units[0].formats.a, encoding);
        let exact = number(inputs.a[0]).times(number(inputs.b[0]));
        let parts = units.clone().map(|unit| part(unit, &inputs));
        let inexact = parts.iter().map(|part| {
            let rounded = number(part.terms.answer);
            rounded.finite & !rounded.equals(exact)
        });
        (all(inexact) & finite(&inputs, &units[0]), parts.into())
    })
}

fn exact_addition() -> Question {
    Question::new(|| {
        let wide = operations("fma-chain", 2, "binary32", "toward-zero", "ascending");
        let narrow = operations("pairwise", 2, "binary16", "nearest-even", "");
        let inputs = without_addend(&wide);
        let half = |encoding| Number::decoded(&wide.formats.a, encoding);
        let (wide_part, narrow_part) = (part(wide.clone(), &inputs), part(narrow, &inputs));
        let sum = Number::decoded(&wide.formats.d, wide_part.terms.answer);
        // What binary16 holds: a product that rounding leaves as it is, and a sum with 13 fraction bits of 0 and an
        // exponent from -14 to 15.
        let lost = (0..2).map(|i| {
            let mut own = inputs.clone();
            (own.a, own.b) = (vec![inputs.a[i]], vec![inputs.b[i]]);
            let cut = part(product("binary16", "toward-zero"), &own);
            !half(cut.terms.answer).equals(half(inputs.a[i]).times(half(inputs.b[i])))
        });
        let field = wide_part.terms.answer.field(23, 8);
        let in_range = !field.less_than(Term::literal(127 - 14)) & field.less_than(Term::literal(127 + 16));
        let held = wide_part.terms.answer.field(0, 13).is_zero() & in_range;
        let narrow_sum = half(narrow_part.terms.answer);
        let differs = narrow_sum.finite & !narrow_sum.equals(sum);
        (all(lost) & held & differs & finite(&inputs, &wide), vec![wide_part, narrow_part])
    })
}

/// Numbers for which two units answer differently.
pub(super) fn apart(one: Unit, two: Unit) -> Question {
    Question::new(move || {
        let inputs = InputTerms::new(&one);
        let numbers = finite(&inputs, &one);
        let parts = vec![part(one, &inputs), part(two, &inputs)];
        (!parts[0].terms.answer.equals(parts[1].terms.answer) & numbers, parts)
    })
}

/// Each two of several units.
fn pairs(
    name: &'static str,
    source: &'static str,
    looked_for: &str,
    paper: Option<super::Published>,
    units: Vec<(&'static str, Unit)>,
) -> Row {
    let mut questions: Questions = Vec::new();
    for (index, (left, one)) in units.iter().enumerate() {
        for (right, two) in &units[index + 1..] {
            let (one, two) = (one.clone(), two.clone());
            questions.push((format!("{left}, {right}"), Box::new(move || apart(one.clone(), two.clone()))));
        }
    }
    Row::new(name, source, looked_for.to_owned(), paper, questions)
}

fn rounding_of_result() -> Row {
    pairs(
        "rounding-of-final-result",
        "section 4.2, property 2; table 4",
        "a, b whose product becomes another binary16 number in another rounding mode, for each two modes",
        published("0.52", "0.008"),
        MODES.map(|(mode, name)| (name, product("binary16", mode))).into(),
    )
}

fn rounding_of_accumulator() -> Row {
    let modes = MODES.map(|(mode, name)| (name, operations("fma-chain", 1, "binary32", mode, "ascending")));
    let cut = ("truncation", device("volta-fp16-fp32", 1, true));
    pairs(
        "rounding-of-accumulator",
        "section 4.2; table 4",
        "a, b, c whose sum a b + c differs between rounding modes of binary32 and the truncation of terms, for each two",
        published("0.34", "0.017"),
        modes.into_iter().chain([cut]).collect(),
    )
}
