//! Section 6, property 5: inputs for which the error of Ootomo and Yokota's algorithm is greater than that of Markidis et al.
//!
//! ```text
//!   A16 = fp16(A)     R_A = fp16(A - A16)              and the same of B
//!   Markidis          R_A R_B, then + A16 R_B, + R_A B16, + A16 B16, each a dot product of the unit that adds to the last one
//!   A16 = fp16(A)     R_A = fp16((A - A16) 2^11)       and the same of B
//!   Ootomo-Yokota     R_A R_B / 2^22 + (A16 R_B + R_A B16) / 2^11 + A16 B16, dot products of the unit, added in fp32, RNE
//! ```

use dashu_int::IBig;

use super::Question;
use super::units::{all, device, part};
use super::variants::Part16::{Half, Residual, Whole};
use super::variants::{Part16, Variant};
use crate::compute::word::Word;
use crate::compute::word::term::{Interval, Term, TermFlag};
use crate::describe::catalogue;
use crate::describe::format::Format;
use crate::describe::unit::Unit;
use crate::prove::InputTerms;
use crate::prove::numbers::Number;
use crate::prove::question::Part;

pub(super) const ELEMENTS: usize = 4;
/// Exponent fields of operands: 2^-15 to 2^14, as in the paper.
const EXPONENT_FIELDS: [i64; 2] = [127 - 15, 127 + 14];
/// Every result here is a multiple of 2^LOWEST, and so is every exact one: fp16 residuals, scaled by 2^11 and unscaled, and fp32
/// operands from 2^-15.
pub(super) const LOWEST: i32 = -76;
/// No result is as large as 2^(LOWEST + SPAN).
const SPAN: i64 = 110;
const ONE_FP16: u64 = 0x3c00;
const MINUS_ONE_FP16: u64 = 0xbc00;
const SCALE_FP16: u64 = 0x6800;

fn unit(name: &str, products: &str, formats: &str, fraction_bits: u32, mode: &str) -> Unit {
    let text = format!(
        "name = \"{name}\"\nscheme = \"fused\"\nproducts = {products}\nformats = {{ {formats} }}\n\
         alignment = {{ fraction_bits = {fraction_bits}, rounding = \"toward-zero\", exponent_floor = \"none\" }}\n\
         conversion = {{ rounding = \"{mode}\", overflow = \"ieee\" }}\n"
    );
    Unit::from_toml("query.toml", &text).unwrap_or_else(|error| panic!("{error}"))
}

/// Builds both algorithms and notes each unit that runs.
struct Builder {
    narrow: Unit,
    residual: Unit,
    tensor_core: Unit,
    /// fp32 * fp16, rounded to fp32.
    product: Unit,
    /// The tensor core's sum of fp32 terms, each a product with 1.
    terms: Unit,
    /// a0 b0 + a1 b1 + ... of fp32 operands in binary64 FMAs.
    wide: Unit,
    fma: Unit,
    parts: Vec<Part>,
}

impl Builder {
    fn new(variant: &Variant) -> Builder {
        let named = |name| catalogue::unit(name).expect("in the catalogue");
        let narrow = "a = \"binary32\", b = \"binary16\", d = \"binary16\"";
        let residual = "a = \"binary16\", b = \"binary16\", c = \"binary32\", d = \"binary32\"";
        let product = "a = \"binary32\", b = \"binary16\", d = \"binary32\"";
        let tensor_core = device("volta-fp16-fp32", ELEMENTS as u32, variant.normalised);
        let mut terms = Unit { name: format!("{}-terms", tensor_core.name), ..tensor_core.clone() };
        terms.formats.a = Format::binary32();
        let mut wide = Unit { products: ELEMENTS as u32, ..named("tf64-chain-fp32-fp64") };
        wide.name = format!("{}-{ELEMENTS}", wide.name);
        Builder {
            // One term stands at its own exponent, so that its 33 fraction bits are all there.
            narrow: unit("to-binary16", "1", narrow, 33, variant.conversion),
            residual: unit("residual", "1", residual, 40, "nearest-even"),
            tensor_core,
            // 24 by 11 bits.
            product: unit("product", "1", product, 33, "nearest-even"),
            terms,
            wide,
            fma: named("fma-fp32"),
            parts: Vec::new(),
        }
    }

    fn run(&mut self, unit: fn(&Builder) -> &Unit, a: Vec<Term>, b: Vec<Term>, c: Term) -> Term {
        let inputs = InputTerms { a, b, c, scale_a: Vec::new(), scale_b: Vec::new() };
        let part = part(unit(self).clone(), &inputs);
        let answer = part.terms.answer;
        self.parts.push(part);
        answer
    }

    fn zero() -> Term {
        Term::literal(0)
    }

    /// fp16(a * scale).
    fn narrow(&mut self, a: Term, scale: u64) -> Term {
        self.run(|own| &own.narrow, vec![a], vec![Term::bits(scale)], Builder::zero())
    }

    /// a - a16, which is exact in fp32.
    fn residual(&mut self, a: Term, a16: Term) -> Term {
        self.run(|own| &own.residual, vec![a16], vec![Term::bits(MINUS_ONE_FP16)], a)
    }

    fn tensor_core(&mut self, a: &[Term], b: &[Term], c: Term) -> Term {
        self.run(|own| &own.tensor_core, a.to_vec(), b.to_vec(), c)
    }

    /// a * factor + c in fp32.
    fn fma(&mut self, a: Term, factor: f32, c: Term) -> Term {
        self.run(|own| &own.fma, vec![a], vec![Term::bits(factor.to_bits().into())], c)
    }

    fn split(&mut self, operands: &[Term]) -> Split {
        let halves: Vec<Term> = operands.iter().map(|operand| self.narrow(*operand, ONE_FP16)).collect();
        let residuals: Vec<Term> =
            operands.iter().zip(&halves).map(|(whole, half)| self.residual(*whole, *half)).collect();
        let plain = residuals.iter().map(|residual| self.narrow(*residual, ONE_FP16)).collect();
        let scaled = residuals.iter().map(|residual| self.narrow(*residual, SCALE_FP16)).collect();
        Split { whole: operands.to_vec(), half: halves, residual: plain, scaled }
    }

    /// A dot product of parts of a and b, added to c.
    fn dot(&mut self, [a, b]: [(Part16, &[Term]); 2], c: Term) -> Term {
        let (whole, other) = match [a.0, b.0] {
            [Whole, _] => (a.1, b.1),
            [_, Whole] => (b.1, a.1),
            _ => return self.tensor_core(a.1, b.1, c),
        };
        let products = whole.iter().zip(other);
        let products: Vec<Term> = products
            .map(|(whole, other)| self.run(|own| &own.product, vec![*whole], vec![*other], Builder::zero()))
            .collect();
        self.run(|own| &own.terms, products, vec![Term::bits(ONE_FP16); ELEMENTS], c)
    }

    fn markidis(&mut self, variant: &Variant, a: &Split, b: &Split, c: Term) -> Term {
        let products = variant.markidis.iter();
        products.fold(c, |sum, [of_a, of_b]| self.dot([(*of_a, a.part(*of_a)), (*of_b, b.part(*of_b))], sum))
    }

    fn ootomo_yokota(&mut self, variant: &Variant, a: &Split, b: &Split, c: Term) -> Term {
        let zero = Builder::zero();
        let scaled = |split: &Split, part: Part16| match part {
            Residual => split.scaled.clone(),
            _ => split.part(part).to_vec(),
        };
        let cross = variant.cross.into_iter().fold(zero, |sum, [of_a, of_b]| {
            let (a, b) = (scaled(a, of_a), scaled(b, of_b));
            self.tensor_core(&a, &b, sum)
        });
        let product = self.tensor_core(&a.half, &b.half, zero);
        let mut sum = self.fma(cross, 2f32.powi(-11), zero);
        if variant.residual_product {
            let residuals = self.tensor_core(&a.scaled, &b.scaled, zero);
            sum = self.fma(residuals, 2f32.powi(-22), sum);
        }
        let sum = self.fma(sum, 1.0, product);
        if variant.addend { self.fma(sum, 1.0, c) } else { sum }
    }
}

/// Operands, in fp16, and their residuals, as they are and times 2^11.
struct Split {
    whole: Vec<Term>,
    half: Vec<Term>,
    residual: Vec<Term>,
    scaled: Vec<Term>,
}

impl Split {
    fn part(&self, part: Part16) -> &[Term] {
        match part {
            Half => &self.half,
            Residual => &self.residual,
            Whole => &self.whole,
        }
    }
}

/// A number in units of 2^LOWEST, and whether it is one of those that fit.
fn fixed(number: Number) -> (Term, TermFlag) {
    let above = number.place - Term::literal(i64::from(LOWEST));
    let amount = above.maximum(Term::literal(0)).minimum(Term::literal(SPAN));
    let fits = number.finite & (above.equals(amount) | number.significand.is_zero());
    (number.significand.shift_left_by(amount).negate_if(number.negative), fits)
}

fn magnitude(term: Term) -> Term {
    term.negate_if(term.less_than(Term::literal(0)))
}

pub(super) fn question(variant: &Variant) -> Question {
    let mut narrower = Vec::new();
    let mut question = Question::new(|| {
        let mut builder = Builder::new(variant);
        let list = |name: &str| -> Vec<Term> {
            (0..ELEMENTS).map(|i| Term::variable(&format!("{name}[{i}]"), Interval::unsigned(32))).collect()
        };
        let (a, b) = (list("a"), list("b"));
        let c = if variant.addend { Term::variable("c", Interval::unsigned(32)) } else { Builder::zero() };
        let (split_a, split_b) = (builder.split(&a), builder.split(&b));
        let markidis = builder.markidis(variant, &split_a, &split_b, c);
        let ootomo_yokota = builder.ootomo_yokota(variant, &split_a, &split_b, c);

        let (truth, mut all_fit) = match variant.true_in_binary64 {
            true => fixed(Number::decoded(
                &Format::binary64(),
                builder.run(|own| &own.wide, a.clone(), b.clone(), Builder::zero()),
            )),
            false => exact(&a, &b, c),
        };
        let [least, greatest] = EXPONENT_FIELDS.map(Term::literal);
        let in_range = a.iter().chain(&b).map(|operand| {
            let field = operand.field(23, 8);
            !field.less_than(least) & !greatest.less_than(field)
        });
        all_fit = all_fit & all(in_range);
        let errors = [markidis, ootomo_yokota].map(|result| {
            let (number, fits) = fixed(Number::decoded(&Format::binary32(), result));
            all_fit = all_fit & fits;
            magnitude(number - truth)
        });
        // Such inputs are there even where all elements of b are one power of two, which makes products shifts.
        narrower.push(all(b.iter().map(|operand| operand.field(0, 23).is_zero() & operand.equals(b[0]))).node());
        // Both last, where the check looks for them.
        let last = |answer: Term| move |part: &Part| part.terms.answer == answer;
        for result in [markidis, ootomo_yokota] {
            let index = builder.parts.iter().rposition(last(result)).expect("a unit gave the result");
            let part = builder.parts.remove(index);
            builder.parts.push(part);
        }
        (errors[0].less_than(errors[1]) & all_fit, builder.parts)
    });
    question.narrower = narrower;
    question.known = KNOWN.iter().map(|operands| numbers(&question, *operands)).collect();
    question
}

/// The exact result, in units of 2^LOWEST, and whether all of it fits.
fn exact(a: &[Term], b: &[Term], c: Term) -> (Term, TermFlag) {
    let number = |encoding| Number::decoded(&Format::binary32(), encoding);
    let (mut sum, mut all_fit) = fixed(number(c));
    for (a, b) in a.iter().zip(b) {
        let (product, fits) = fixed(number(*a).times(number(*b)));
        sum = sum + product;
        all_fit = all_fit & fits;
    }
    (sum, all_fit)
}

/// Operands of both algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Operands {
    pub a: [u64; ELEMENTS],
    pub b: [u64; ELEMENTS],
    pub c: u64,
}

/// Inputs that are tried before a solver is asked: those of table 5, with b1 = 1.998046875 * 2^7, for the variant with c, and what a solver
/// found in half a minute for that of the authors' program.
const KNOWN: [Operands; 2] = [
    Operands {
        a: [0x3b80_2000, 0x38a9_c000, 0x3980_0000, 0x3980_0000],
        b: [0x437f_c000, 0x3c38_e000, 0x3980_0000, 0x3980_0000],
        c: 0x3380_0000,
    },
    Operands { a: [0x3b81_2001, 0x4340_2002, 0xc07e_0063, 0xbd90_0008], b: [0x3800_0000; ELEMENTS], c: 0 },
];

/// Operands for the variables of a question, c for those that have one.
pub(super) fn numbers(question: &Question, operands: Operands) -> Vec<IBig> {
    let Operands { a, b, c } = operands;
    let all = a.into_iter().chain(b).chain([c]);
    all.take(question.graph.variables().len()).map(IBig::from).collect()
}
