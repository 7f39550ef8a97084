//! Section 6, property 5: inputs for which the error of Ootomo and Yokota's algorithm is greater than that of Markidis et al.
//!
//! ```text
//!   A16 = fp16(A)     R_A = fp16(A - A16)              and the same of B
//!   Markidis          R_A R_B, then + A16 R_B, + R_A B16, + A16 B16, each a dot product of the unit that adds to the last one
//!   A16 = fp16(A)     R_A = fp16((A - A16) 2^11)       and the same of B
//!   Ootomo-Yokota     R_A R_B / 2^22 + (A16 R_B + R_A B16) / 2^11 + A16 B16, dot products of the unit, added in fp32, RNE
//! ```

use dashu_int::IBig;

use super::units::{all, part};
use super::{Question, Row, row};
use crate::compute::word::Word;
use crate::compute::word::term::{Interval, Term, TermFlag};
use crate::describe::catalogue;
use crate::describe::format::{Decoded, Format};
use crate::describe::unit::Unit;
use crate::prove::InputTerms;
use crate::prove::numbers::Number;
use crate::prove::question::{Confirmed, Part};

/// What the text leaves open, or what was tried beside it.
#[derive(Debug, Clone, Copy)]
struct Variant {
    name: &'static str,
    looked_for: &'static str,
    /// Rounding of fp32 operands and residuals to fp16.
    conversion: &'static str,
    /// Whether R_A R_B takes part.
    residual_product: bool,
    /// Whether Markidis' A16 B16 is added before R_A B16.
    product_before_last: bool,
}

const VARIANTS: [Variant; 4] = [
    Variant {
        name: "property-5",
        looked_for: "fp32 a, b of 4 elements: Ootomo-Yokota farther from the exact result than Markidis; as printed, conversions RNE",
        conversion: "nearest-even",
        residual_product: true,
        product_before_last: false,
    },
    Variant {
        name: "property-5-truncating",
        looked_for: "the same where conversions to fp16 truncate",
        conversion: "toward-zero",
        residual_product: true,
        product_before_last: false,
    },
    Variant {
        name: "property-5-without-residual-product",
        looked_for: "the same without R_A R_B in both",
        conversion: "nearest-even",
        residual_product: false,
        product_before_last: false,
    },
    Variant {
        name: "property-5-product-earlier",
        looked_for: "the same where conversions truncate, without R_A R_B, and A16 B16 is added before R_A B16",
        conversion: "toward-zero",
        residual_product: false,
        product_before_last: true,
    },
];

const ELEMENTS: usize = 4;
/// Exponent fields of operands: 2^-15 to 2^14, as in the paper.
const EXPONENT_FIELDS: [i64; 2] = [127 - 15, 127 + 14];
/// Every result here is a multiple of 2^LOWEST, and so is every exact one: fp16 residuals, scaled by 2^11 and unscaled, and fp32
/// operands from 2^-15.
const LOWEST: i32 = -76;
/// No result is as large as 2^(LOWEST + SPAN).
const SPAN: i64 = 110;
const ONE_FP16: u64 = 0x3c00;
const MINUS_ONE_FP16: u64 = 0xbc00;
const SCALE_FP16: u64 = 0x6800;

pub(super) fn rows() -> Vec<Row> {
    let of = |variant: Variant| {
        let mut row = row(variant.name, "section 6, property 5", variant.looked_for, None, move || question(&variant));
        row.published = super::published("-", "< 300");
        row.only_if_named = variant.name != "property-5";
        row.task.check = Some(check);
        row
    };
    VARIANTS.into_iter().map(of).collect()
}

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
    fma: Unit,
    parts: Vec<Part>,
}

impl Builder {
    fn new(conversion: &str) -> Builder {
        let named = |name| catalogue::unit(name).expect("in the catalogue");
        let narrow = "a = \"binary32\", b = \"binary16\", d = \"binary16\"";
        let residual = "a = \"binary16\", b = \"binary16\", c = \"binary32\", d = \"binary32\"";
        Builder {
            // One term stands at its own exponent, so that its 33 fraction bits are all there.
            narrow: unit("to-binary16", "1", narrow, 33, conversion),
            residual: unit("residual", "1", residual, 40, "nearest-even"),
            tensor_core: named("volta-fp16-fp32"),
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

    /// The operands in fp16, and what is left of them, as it is and times 2^11.
    fn split(&mut self, operands: &[Term]) -> [Vec<Term>; 3] {
        let halves: Vec<Term> = operands.iter().map(|operand| self.narrow(*operand, ONE_FP16)).collect();
        let rests: Vec<Term> = operands.iter().zip(&halves).map(|(whole, half)| self.residual(*whole, *half)).collect();
        let plain = rests.iter().map(|rest| self.narrow(*rest, ONE_FP16)).collect();
        let scaled = rests.iter().map(|rest| self.narrow(*rest, SCALE_FP16)).collect();
        [halves, plain, scaled]
    }

    fn markidis(&mut self, variant: &Variant, [a, ra, _]: &[Vec<Term>; 3], [b, rb, _]: &[Vec<Term>; 3]) -> Term {
        let mut sum = Builder::zero();
        if variant.residual_product {
            sum = self.tensor_core(ra, rb, sum);
        }
        sum = self.tensor_core(a, rb, sum);
        let last = if variant.product_before_last { [(a, b), (ra, b)] } else { [(ra, b), (a, b)] };
        last.into_iter().fold(sum, |sum, (a, b)| self.tensor_core(a, b, sum))
    }

    fn ootomo_yokota(&mut self, variant: &Variant, [a, _, ra]: &[Vec<Term>; 3], [b, _, rb]: &[Vec<Term>; 3]) -> Term {
        let zero = Builder::zero();
        let cross = self.tensor_core(a, rb, zero);
        let cross = self.tensor_core(ra, b, cross);
        let product = self.tensor_core(a, b, zero);
        let mut sum = self.fma(cross, 2f32.powi(-11), zero);
        if variant.residual_product {
            let residuals = self.tensor_core(ra, rb, zero);
            sum = self.fma(residuals, 2f32.powi(-22), sum);
        }
        self.fma(sum, 1.0, product)
    }
}

/// A number in units of 2^LOWEST, and whether it is one of those that fit.
fn fixed(number: Number) -> (Term, TermFlag) {
    let above = number.place - Term::literal(i64::from(LOWEST));
    let amount = above.maximum(Term::literal(0)).minimum(Term::literal(SPAN));
    let fits = number.finite & above.equals(amount);
    (number.significand.shift_left_by(amount).negate_if(number.negative), fits)
}

fn magnitude(term: Term) -> Term {
    term.negate_if(term.less_than(Term::literal(0)))
}

fn question(variant: &Variant) -> Question {
    let mut narrower = Vec::new();
    let mut question = Question::new(|| {
        let mut builder = Builder::new(variant.conversion);
        let list = |name: &str| -> Vec<Term> {
            (0..ELEMENTS).map(|i| Term::variable(&format!("{name}[{i}]"), Interval::unsigned(32))).collect()
        };
        let (a, b) = (list("a"), list("b"));
        let (split_a, split_b) = (builder.split(&a), builder.split(&b));
        let markidis = builder.markidis(variant, &split_a, &split_b);
        let ootomo_yokota = builder.ootomo_yokota(variant, &split_a, &split_b);

        let binary32 = Format::binary32();
        let [least, greatest] = EXPONENT_FIELDS.map(Term::literal);
        let in_range = a.iter().chain(&b).map(|operand| {
            let field = operand.field(23, 8);
            !field.less_than(least) & !greatest.less_than(field)
        });
        let mut exact = Term::literal(0);
        let mut all_fit = all(in_range);
        for (a, b) in a.iter().zip(&b) {
            let (product, fits) = fixed(Number::decoded(&binary32, *a).times(Number::decoded(&binary32, *b)));
            exact = exact + product;
            all_fit = all_fit & fits;
        }
        let errors = [markidis, ootomo_yokota].map(|result| {
            let (number, fits) = fixed(Number::decoded(&binary32, result));
            all_fit = all_fit & fits;
            magnitude(number - exact)
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
    question
}

/// A binary32 number in units of 2^lowest, if that is whole.
fn whole(bits: u64, lowest: i32) -> Result<IBig, String> {
    let format = Format::binary32();
    let Decoded { negative, exponent, significand, .. } = format.decode(bits);
    let place = exponent - format.fraction_bits as i32 - lowest;
    let shift = usize::try_from(place).map_err(|_| format!("{bits:#x} is no multiple of 2^{lowest}"))?;
    let number = IBig::from(significand) << shift;
    match format.decode(bits).is_finite() {
        true => Ok(if negative { -number } else { number }),
        false => Err(format!("{bits:#x} is no number")),
    }
}

/// The errors of both, computed again from the operands alone, in whole numbers: 2^(2 * LOWEST) divides everything.
fn check(parts: &[Confirmed]) -> Result<String, String> {
    let operands: Vec<u64> =
        parts.iter().filter(|part| part.unit.name == "residual").map(|part| part.vector.c).collect();
    let (a, b) = operands.split_at_checked(ELEMENTS).ok_or("operands are missing")?;
    let mut exact = IBig::ZERO;
    for (a, b) in a.iter().zip(b) {
        exact += whole(*a, LOWEST)? * whole(*b, LOWEST)?;
    }
    let results = [parts.len() - 2, parts.len() - 1].map(|index| parts[index].answer);
    let mut errors = Vec::new();
    for result in results {
        let error = whole(result, 2 * LOWEST)? - &exact;
        errors.push(if error < IBig::ZERO { -error } else { error });
    }
    let shown = |error: &IBig| error.to_f64().value() * 2f64.powi(2 * LOWEST);
    let hex = |list: &[u64]| list.iter().map(|bits| format!("{bits:08x}")).collect::<Vec<_>>().join(" ");
    let text = format!(
        "a = {}, b = {}: Markidis {:08x}, error {:e}; Ootomo-Yokota {:08x}, error {:e}",
        hex(a),
        hex(b),
        results[0],
        shown(&errors[0]),
        results[1],
        shown(&errors[1])
    );
    if errors[0] < errors[1] { Ok(text) } else { Err(format!("not so in exact arithmetic: {text}")) }
}
