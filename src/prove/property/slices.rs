//! Slices of Ozaki's scheme (Ozaki, Ogita, Oishi, Rump 2012; on integer units Ootomo, Ozaki, Yokota 2024): whole numbers of so many
//! bits beside the sign, whose sums of products a unit shall give exactly.
//!
//! ```text
//!   |slice| <= m = 2^bits - 1      |product| <= m^2      |sum of K products| <= K m^2
//!   each block adds L products to a c that is the sum of at most K - L products before
//! ```

use std::sync::Arc;

use dashu_int::IBig;

use super::stages::{count, sum_wrong, term, term_signals, unpacked_wrong};
use super::{Expected, Property, Subject, conversion, finite, own_widths, slice_probes, stages};
use crate::compute::word::term::{Interval, Term, TermFlag};
use crate::compute::word::{Flag, Word};
use crate::describe::format::Format;
use crate::describe::plan::Plan;
use crate::engine::Vector;
use crate::prove::numbers::Number;
use crate::prove::settle::Questions;
use crate::prove::{InputTerms, Question, UnitTerms};

/// Slices, and how many products of two a sum has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slices {
    /// Beside the sign.
    pub bits: u32,
    /// K.
    pub products: u32,
}

impl Slices {
    /// Bits that a slice may have.
    pub const BITS: std::ops::RangeInclusive<u32> = 1..=24;
    /// Products that a sum may have.
    pub const PRODUCTS: std::ops::RangeInclusive<u32> = 1..=1 << 20;

    /// m, the greatest slice.
    pub(super) fn greatest(self) -> i128 {
        (1 << self.bits) - 1
    }

    /// The blocks of a unit with so many products: the last whole one, and what is left. What holds of them holds of those before.
    fn blocks(self, length: u32) -> Vec<Block> {
        let (whole, left) = (self.products / length * length, self.products % length);
        let block = |before: u32, products: u32| Block { slices: self, before, products };
        let mut blocks = Vec::new();
        if whole > 0 {
            blocks.push(block(whole - length, length));
        }
        if left > 0 {
            blocks.push(block(whole, left));
        }
        blocks
    }
}

/// Products of slices that are added to the sum of those before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub slices: Slices,
    pub before: u32,
    pub products: u32,
}

impl Block {
    /// The greatest sum of so many products.
    fn reach(self, products: u32) -> i128 {
        i128::from(products) * self.slices.greatest().pow(2)
    }

    /// Products of the sum with this block.
    pub fn end(self) -> u32 {
        self.before + self.products
    }

    /// Bits of a sum, without sign.
    fn sum_bits(self) -> u32 {
        128 - self.reach(self.end()).leading_zeros()
    }
}

pub(super) fn properties() -> Vec<Property> {
    vec![Property {
        name: "slices-exact",
        statement: "a sum of --k products of slices, whole numbers of --slice-bits bits beside the sign, is exact, block by block",
        expected: Expected::None,
        inapplicable,
        questions,
        premises: own_widths,
        check: Some(slice_probes::check),
    }]
}

/// A question a block. Where a sum of whole blocks is seen to fail, what is left is not asked.
fn questions(subject: &Arc<Subject>) -> Questions {
    let slices = subject.slices.expect("asked of subjects with slices");
    let mut questions: Questions = Vec::new();
    for block in slices.blocks(subject.unit.products) {
        let (own, known) = (Arc::clone(subject), slice_probes::known(subject, block));
        let (fails, Block { before, products, .. }) = (known.is_some(), block);
        let label = format!("{products} products added to {before}");
        if fails {
            questions.push((label, Box::new(move || inexact(&own, block, known.as_ref()).known_to_hold())));
            break;
        }
        questions.push((label, Box::new(move || inexact(&own, block, None))));
    }
    questions
}

/// The greatest slices that a format holds, all of them.
fn bits_held(format: &Format) -> u32 {
    if format.is_integer() {
        return format.fraction_bits;
    }
    // Every whole number below 2^precision has a significand, if its exponent is there.
    let bits = format.precision().min(u32::try_from(format.exponent_max() + 1).unwrap_or_default());
    let greatest = |bits: u32| (1u64 << bits) as f64 - 1.0;
    let one_less = format.to_f64(format.largest(false)) < greatest(bits);
    if format.exponent_min() <= 0 { bits.saturating_sub(u32::from(one_less)) } else { 0 }
}

fn inapplicable(subject: &Subject) -> Option<String> {
    let (unit, formats) = (&subject.unit, &subject.unit.formats);
    let Some(slices) = subject.slices else { return Some("slices have no width; --slice-bits gives it".to_owned()) };
    if unit.scales.is_some() {
        return Some("operands with scales are not asked".to_owned());
    }
    for (name, format) in [("a", &formats.a), ("b", &formats.b)] {
        let held = bits_held(format);
        if slices.bits > held {
            let (bits, format) = (slices.bits, &format.name);
            let allowed = if held == 0 { "none".to_owned() } else { format!("1 to {held}") };
            return Some(format!("--slice-bits is {bits}; allowed: {allowed}, which {name} in {format} holds"));
        }
    }
    let longer = slices.products > unit.products && !(unit.has_addend() && formats.c.holds(&formats.d));
    let (k, length) = (slices.products, unit.products);
    longer.then(|| format!("--k is {k}; allowed: 1 to {length}, its products, for it has no c that holds its d"))
}

/// A whole number, and whether it is one that so many bits hold beside the sign.
///
/// ```text
///   significand   xxxx.yyyy     left by the place, or right by it: then no bit below the point may be lost
/// ```
pub(super) fn whole(number: Number, bits: u32) -> (Term, TermFlag) {
    let zero = Term::literal(0);
    let width = number.significand.range().width();
    let limit = |bits: u32| Term::literal(i64::from(bits));
    let (up, down) = (number.place.maximum(zero), (-number.place).maximum(zero));
    let (left, right) = (up.minimum(limit(bits)), down.minimum(limit(width)));
    let shifted = number.significand.shift_left_by(left);
    let kept = shifted.shift_right_by(right);
    let exact = up.equals(left) & kept.shift_left_by(right).equals(shifted) & down.equals(right);
    (kept.negate_if(number.negative), number.finite & (number.significand.is_zero() | exact))
}

/// The whole number that an encoding means, and whether it is one.
fn decoded(format: &Format, encoding: Term, bits: u32) -> (Term, TermFlag) {
    if format.is_integer() {
        let field = encoding.field(0, format.width());
        let number = if format.signed { field.wrap(format.width()) } else { field };
        return (number, TermFlag::constant(true));
    }
    whole(Number::decoded(format, encoding), bits)
}

/// Whether a whole number is at most so far from zero.
fn within((number, is_whole): (Term, TermFlag), reach: i128) -> TermFlag {
    let [low, high] = [-reach, reach].map(|bound| Term::number(IBig::from(bound)));
    is_whole & !number.less_than(low) & !high.less_than(number)
}

/// Whether a word is that number in the format of d.
fn is_answer(subject: &Subject, block: Block, answer: Term, number: Term) -> TermFlag {
    let d = &subject.unit.formats.d;
    let (own, is_whole) = decoded(d, answer.field(0, d.width()), block.sum_bits());
    is_whole & own.equals(number)
}

/// c of one sum: it may be any whole number that the products before could reach. Those that are one number of greatest products
/// and two others are asked first, because each is a sum of so many.
fn inexact(subject: &Subject, block: Block, known: Option<&Vector>) -> Question {
    let (unit, formats) = (&subject.unit, &subject.unit.formats);
    let Block { slices, before, products } = block;
    let (mut made, mut own) = (None, None);
    let mut question = Question::new(|| {
        let mut inputs = InputTerms::new(unit);
        if before == 0 {
            inputs.c = Term::literal(0);
        }
        for list in [&mut inputs.a, &mut inputs.b] {
            list.iter_mut().skip(products as usize).for_each(|operand| *operand = Term::literal(0));
        }
        let terms = subject.run(&inputs);
        let mut flag = TermFlag::constant(true);
        let mut sum = Term::literal(0);
        for (a, b) in inputs.a.iter().zip(&inputs.b) {
            let slice = |format: &Format, operand: Term| decoded(format, operand, slices.bits);
            let (a, b) = (slice(&formats.a, *a), slice(&formats.b, *b));
            flag = flag & within(a, slices.greatest()) & within(b, slices.greatest());
            sum = sum + a.0 * b.0;
        }
        if before > 0 {
            let c = decoded(&formats.c, inputs.c, block.sum_bits());
            let unsigned = !formats.a.signed && !formats.b.signed;
            flag = flag
                & within(c, block.reach(before))
                & !(c.0.less_than(Term::literal(0)) & TermFlag::constant(unsigned));
            sum = sum + c.0;
            made = Some(made_of_products(slices, before, c.0, unsigned).node());
        }
        own = Some(inputs);
        (flag & !is_answer(subject, block, terms.answer, sum), subject.parts(&terms))
    });
    let known = own.zip(known).map(|(inputs, vector)| inputs.numbers(&question.graph, vector));
    question.known.extend(known);
    question.narrower.extend(made);
    question.steps = steps(subject, block);
    question
}

/// Whether a number is that of so many products, all but two of them the greatest or the least.
fn made_of_products(slices: Slices, count: u32, number: Term, unsigned: bool) -> TermFlag {
    let m = slices.greatest();
    let variable = |name: &str, reach: i128| {
        let low = if unsigned { 0 } else { -reach };
        Term::variable(name, Interval { low: IBig::from(low), high: IBig::from(reach) })
    };
    let others = count.min(2);
    let greatest = variable("made_greatest", i128::from(count - others)) * Term::number(IBig::from(m * m));
    let products =
        (0..others).map(|index| variable(&format!("made_a[{index}]"), m) * variable(&format!("made_b[{index}]"), m));
    products.fold(greatest, |sum, product| sum + product).equals(number)
}

/// What makes sums exact, stage by stage; nothing of units that have no such stages.
fn steps(subject: &Subject, block: Block) -> Vec<Question> {
    match subject.plan {
        Plan::Integer(_) => vec![integer_sum_wrong(subject), integer_answer_wrong(subject, block)],
        Plan::Fused(_) => {
            let mut steps = vec![unpacked_wrong(subject), stages::product_wrong(subject)];
            if subject.unit.has_addend() {
                steps.push(addend_wrong(subject, block));
            }
            steps.extend((0..count(subject)).map(|index| bit_lost(subject, block, index)));
            steps.extend([sum_wrong(subject), answer_wrong(subject, block)]);
            steps
        }
        _ => Vec::new(),
    }
}

/// Whether the sum is another number than that of its operands.
fn integer_sum_wrong(subject: &Subject) -> Question {
    let formats = &subject.unit.formats;
    let (question, _) = subject.question(|terms| {
        let integer = |format: &Format, encoding: Term| decoded(format, encoding, 0).0;
        let mut sum = match subject.unit.has_addend() {
            true => integer(&formats.c, terms.inputs.c),
            false => Term::literal(0),
        };
        for (a, b) in terms.inputs.a.iter().zip(&terms.inputs.b) {
            sum = sum + integer(&formats.a, *a) * integer(&formats.b, *b);
        }
        !sum.equals(terms.signal("sum")[0])
    });
    question
}

/// Whether a sum within reach is answered as another number.
fn integer_answer_wrong(subject: &Subject, block: Block) -> Question {
    let (question, terms) = subject.question(|terms| {
        let sum = terms.signal("sum")[0];
        let reached = within((sum, TermFlag::constant(true)), block.reach(block.end()));
        reached & !is_answer(subject, block, terms.answer, sum)
    });
    let cut = terms.signal("sum").to_vec();
    question.or_wider(cut)
}

/// Whether an addend within reach is unpacked as another number.
fn addend_wrong(subject: &Subject, block: Block) -> Question {
    let unit = &subject.unit;
    let (question, _) = subject.question(|terms| {
        let c = Number::decoded(&unit.formats.c, terms.inputs.c);
        let reached = within(whole(c, block.sum_bits()), block.reach(block.before));
        reached & !term(subject, terms, unit.products as usize).equals(c)
    });
    question
}

/// Whether the terms of a sum are whole numbers within reach.
fn reached(subject: &Subject, block: Block, terms: &UnitTerms) -> TermFlag {
    let products = subject.unit.products as usize;
    let mut all = TermFlag::constant(true);
    for index in 0..count(subject) {
        let reach = match index < products {
            true => block.reach(1),
            false => block.reach(block.before),
        };
        all = all & within(whole(term(subject, terms, index), block.sum_bits()), reach);
    }
    all
}

/// Whether a term of such a sum loses a bit where it is aligned.
fn bit_lost(subject: &Subject, block: Block, index: usize) -> Question {
    let (question, terms) =
        subject.question(|terms| reached(subject, block, terms) & conversion::changed(subject, terms, index));
    let cut = term_signals(subject, &terms);
    question.or_wider(cut)
}

/// Whether a sum within reach is answered as another number.
fn answer_wrong(subject: &Subject, block: Block) -> Question {
    let (question, terms) = subject.question(|terms| {
        let sum = whole(conversion::sum(&subject.unit, terms), block.sum_bits());
        let wrong = !is_answer(subject, block, terms.answer, sum.0);
        finite(&subject.unit.formats, &terms.inputs) & within(sum, block.reach(block.end())) & wrong
    });
    question.or_wider([terms.signal("sum")[0], terms.signal("anchor")[0]])
}
