//! The plan of a unit of integers: exact products, an exact sum, one wrap or saturation.

use super::{Constant, signed_width};
use crate::describe::format::{Format, Overflow};
use crate::describe::unit::Unit;

/// How one operand, or the result, is encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegerOperand {
    pub width: u32,
    pub signed: bool,
    pub least: i64,
    pub greatest: i64,
}

/// Everything that follows from the description of a unit of integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegerPlan {
    pub products: u32,
    pub a: IntegerOperand,
    pub b: IntegerOperand,
    pub c: IntegerOperand,
    pub d: IntegerOperand,
    /// Two's complement width of every product.
    pub product_width: u32,
    /// Two's complement width of a product or the addend.
    pub term_width: u32,
    /// Two's complement width of every sum.
    pub sum_width: u32,
    pub sum_least: i128,
    pub sum_greatest: i128,
    /// Whether a sum beyond the result becomes the nearest integer; otherwise its low bits.
    pub saturates: bool,
    /// Bits a signed machine word needs to run the datapath.
    pub word_bits: u32,
    /// The constants of the emitted module, in the order in which they are derived.
    pub constants: Vec<Constant>,
}

impl IntegerOperand {
    fn new(format: &Format) -> IntegerOperand {
        IntegerOperand {
            width: format.width(),
            signed: format.signed,
            least: format.integer_least(),
            greatest: format.integer_greatest(),
        }
    }
}

/// The least and the greatest product.
fn product_range(a: &IntegerOperand, b: &IntegerOperand) -> (i128, i128) {
    let corners = [(a.least, b.least), (a.least, b.greatest), (a.greatest, b.least), (a.greatest, b.greatest)];
    let products = corners.map(|(a, b)| i128::from(a) * i128::from(b));
    products.into_iter().fold((products[0], products[0]), |(low, high), value| (low.min(value), high.max(value)))
}

impl IntegerPlan {
    /// Derives the plan of a unit of integers.
    pub fn of(unit: &Unit) -> IntegerPlan {
        let formats = &unit.formats;
        let [a, b, c, d] = [&formats.a, &formats.b, &formats.c, &formats.d].map(IntegerOperand::new);
        let (low, high) = product_range(&a, &b);
        let count = i128::from(unit.products);
        let (sum_least, sum_greatest) = (count * low + i128::from(c.least), count * high + i128::from(c.greatest));
        let product_width = signed_width(low, high);
        let addend_width = signed_width(c.least.into(), c.greatest.into());
        let term_width = product_width.max(addend_width);
        let sum_width = signed_width(sum_least, sum_greatest);
        let constant = |name, value: u32, derivation: String| Constant {
            name,
            value: i64::from(value),
            expression: None,
            derivation,
        };
        let constants = vec![
            constant("ProductWidth", product_width, format!("two's complement of every product, {low} to {high}")),
            constant(
                "TermWidth",
                term_width,
                format!("two's complement of a product or c: the wider of {product_width} and {addend_width}"),
            ),
            constant(
                "SumWidth",
                sum_width,
                format!("two's complement of every sum, {sum_least} to {sum_greatest}: nothing is lost"),
            ),
        ];
        IntegerPlan {
            products: unit.products,
            product_width,
            term_width,
            sum_width,
            sum_least,
            sum_greatest,
            saturates: unit.conversion.overflow == Overflow::Saturate,
            // Room for a sign above the widest encoding, and for one doubling beyond the widest value.
            word_bits: 2 + sum_width.max(d.width).max(a.width).max(b.width).max(c.width),
            a,
            b,
            c,
            d,
            constants,
        }
    }
}
