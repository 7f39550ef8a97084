//! The block-scaled scheme by definition (Xie et al., arXiv 2511.10909): exact terms that carry the scales of their
//! blocks, cut at the anchor, added, rounded once.

use dashu_int::{IBig, UBig};

use super::fused::{Exact, PRODUCT_INTEGER_BITS, Term, addend, convert, decode, signed, special_result, sums};
use crate::compute::Inputs;
use crate::describe::format::{Class, Decoded};
use crate::describe::unit::{Scales, Unit};

/// The factors of one product: elements, and the scales of their blocks.
struct Factors {
    a: Decoded,
    b: Decoded,
    scale_a: Decoded,
    scale_b: Decoded,
}

impl Factors {
    fn all(&self) -> [&Decoded; 4] {
        [&self.a, &self.b, &self.scale_a, &self.scale_b]
    }

    fn any(&self, class: Class) -> bool {
        self.all().iter().any(|factor| factor.class == class)
    }

    fn negative(&self) -> bool {
        self.a.negative != self.b.negative
    }

    /// Exponent of the product of the elements.
    fn element_exponent(&self) -> i64 {
        i64::from(self.a.exponent) + i64::from(self.b.exponent)
    }

    /// Exponent of the product of the scales.
    fn scale_exponent(&self) -> i64 {
        i64::from(self.scale_a.exponent) + i64::from(self.scale_b.exponent)
    }

    fn element_significand(&self) -> UBig {
        UBig::from(self.a.significand) * UBig::from(self.b.significand)
    }

    fn scale_significand(&self) -> UBig {
        UBig::from(self.scale_a.significand) * UBig::from(self.scale_b.significand)
    }
}

/// The products of a vector with their scales. Each scale stands for `block` consecutive elements.
fn products(unit: &Unit, scales: &Scales, inputs: Inputs) -> Vec<Factors> {
    let formats = &unit.formats;
    let block = scales.block as usize;
    let factors = |index: usize| Factors {
        a: decode(&formats.a, inputs.a[index], unit.flush.operands),
        b: decode(&formats.b, inputs.b[index], unit.flush.operands),
        scale_a: scales.a.decode(inputs.scale_a[index / block]),
        scale_b: scales.b.decode(inputs.scale_b[index / block]),
    };
    (0..inputs.a.len()).map(factors).collect()
}

/// NaN, an infinity or `None` for finite arithmetic (IEEE 754-2019, 6.1 and 7.2). An infinite element whose other
/// element or scale is zero makes NaN.
fn special(unit: &Unit, products: &[Factors], c: &Decoded) -> Option<u64> {
    let mut infinities = [false; 2];
    let mut invalid = c.class == Class::Nan;
    if c.class == Class::Infinite {
        infinities[usize::from(c.negative)] = true;
    }
    for product in products {
        let infinite = product.any(Class::Infinite);
        invalid |= product.any(Class::Nan) || (infinite && product.any(Class::Zero));
        infinities[usize::from(product.negative())] |= infinite;
    }
    special_result(unit, invalid, infinities)
}

fn scale_fraction_bits(scales: &Scales) -> u32 {
    scales.a.fraction_bits + scales.b.fraction_bits
}

/// Each product is a term: its exponent is the sum of all four.
fn elementwise(unit: &Unit, scales: &Scales, products: &[Factors]) -> Vec<Term> {
    let formats = &unit.formats;
    let fraction_bits = formats.a.fraction_bits + formats.b.fraction_bits + scale_fraction_bits(scales);
    let term = |product: &Factors| {
        let exponent = product.element_exponent() + product.scale_exponent();
        let significand = product.element_significand() * product.scale_significand();
        Term { negative: product.negative(), significand, scale: exponent - i64::from(fraction_bits), exponent }
    };
    products.iter().map(term).collect()
}

/// Each group is a term: its exponent is that of the scales alone, its significand the exact sum of the products times
/// the significands of the scales.
fn grouped(unit: &Unit, scales: &Scales, group: u32, products: &[Factors]) -> Vec<Term> {
    let formats = &unit.formats;
    let lowest = i64::from(formats.a.exponent_min() + formats.b.exponent_min());
    let fraction_bits = formats.a.fraction_bits + formats.b.fraction_bits + scale_fraction_bits(scales);
    let term = |group: &[Factors]| {
        let mut sum = IBig::ZERO;
        for product in group {
            let above = (product.element_exponent() - lowest) as usize;
            sum += signed(product.negative(), product.element_significand() << above);
        }
        let negative = sum < IBig::ZERO;
        let magnitude = UBig::try_from(if negative { -sum } else { sum }).expect("not negative");
        let exponent = group[0].scale_exponent();
        let significand = magnitude * group[0].scale_significand();
        Term { negative, significand, scale: exponent + lowest - i64::from(fraction_bits), exponent }
    };
    products.chunks(group as usize).map(term).collect()
}

/// Integer bits of the window: two for a product, one for each scale with a fraction; a group's sum takes part with the
/// exponents of its elements, so it needs the greatest of those too, and the bits that its number of products adds.
fn integer_bits(unit: &Unit, scales: &Scales) -> u32 {
    let fractions = [&scales.a, &scales.b].into_iter().filter(|format| format.fraction_bits > 0).count() as u32;
    let group = scales.group.map_or(0, |group| {
        let exponents = unit.formats.a.exponent_field_max() + unit.formats.b.exponent_field_max();
        exponents.max(0).unsigned_abs() + group.next_power_of_two().ilog2()
    });
    PRODUCT_INTEGER_BITS + fractions + group
}

/// What an evaluation gives: a special result, or the sums of finite terms.
fn results(unit: &Unit, inputs: Inputs) -> Result<Exact, u64> {
    let scales = unit.scales.as_ref().expect("a block-scaled unit has scales");
    let products = products(unit, scales, inputs);
    let c = decode(&unit.formats.c, inputs.c, unit.flush.addend);
    if let Some(result) = special(unit, &products, &c) {
        return Err(result);
    }
    let mut terms = match scales.group {
        None => elementwise(unit, scales, &products),
        Some(group) => grouped(unit, scales, group, &products),
    };
    terms.push(addend(unit, &c));
    terms.retain(|term| term.significand != UBig::ZERO);
    Ok(sums(unit, &terms, integer_bits(unit, scales)))
}

/// The sums behind an evaluation, or `None` where an operand makes the result NaN or infinite.
pub fn exact(unit: &Unit, inputs: Inputs) -> Option<Exact> {
    results(unit, inputs).ok()
}

/// Evaluates the block-scaled scheme.
pub fn evaluate(unit: &Unit, inputs: Inputs) -> u64 {
    match results(unit, inputs) {
        Ok(sums) => convert(unit, &sums.aligned, sums.anchor - i64::from(unit.alignment.fraction_bits)),
        Err(special) => special,
    }
}
