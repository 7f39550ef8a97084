//! The fused-then-add scheme by definition (Xie et al., arXiv 2511.10909): products cut at the anchor of their group and
//! added; the groups added; that sum and c cut at the greatest exponent, added, rounded once, after a cut of its own or none.

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};

use super::fused::{Operands, Term, addend, align, convert, product, signed};
use crate::compute::Inputs;
use crate::describe::format::{Class, Decoded};
use crate::describe::unit::{Addition, AlignmentRounding, ProductOverflow, Unit};

/// An integer times 2^scale that takes part in sums with an exponent; `None` where nothing took part in it.
struct Sum {
    value: IBig,
    scale: i64,
    exponent: Option<i64>,
}

impl Sum {
    /// value * 2^scale in units of 2^last_place, rounded.
    fn cut(&self, last_place: i64, rounding: AlignmentRounding) -> IBig {
        let negative = self.value < IBig::ZERO;
        let magnitude = UBig::try_from(if negative { -&self.value } else { self.value.clone() }).expect("not negative");
        align(&Term { negative, significand: magnitude, scale: self.scale, exponent: 0 }, last_place, rounding).0
    }
}

impl Sum {
    /// Exponent of the last place that a sum of so many fraction bits has, where its exponent is that of a number of d: that of its
    /// leading one, or d's least.
    fn place_kept(&self, unit: &Unit, fraction_bits: u32) -> Option<i64> {
        let bits = (if self.value < IBig::ZERO { -&self.value } else { self.value.clone() }).bit_len() as i64;
        let leading = (bits > 0).then_some(self.scale + bits - 1)?;
        Some(leading.max(i64::from(unit.formats.d.exponent_min())) - i64::from(fraction_bits))
    }
}

/// Whether a product of finite operands is infinite: no finite result is as large as the binade it lies in.
fn too_large(unit: &Unit, addition: &Addition, term: &Term) -> bool {
    let end = term.scale + term.significand.bit_len() as i64;
    let nonzero = term.significand != UBig::ZERO;
    addition.product_overflow == ProductOverflow::Infinity
        && nonzero
        && end > i64::from(unit.formats.d.exponent_max()) + 1
}

/// Operands with every product that is too large turned into an infinity of its sign.
fn with_infinite_products(unit: &Unit, addition: &Addition, operands: Operands) -> Operands {
    let pair = |(mut a, b): (Decoded, Decoded)| {
        if a.is_finite() && b.is_finite() && too_large(unit, addition, &product(unit, &a, &b)) {
            a.class = Class::Infinite;
        }
        (a, b)
    };
    Operands { pairs: operands.pairs.into_iter().map(pair).collect(), c: operands.c }
}

/// The products of one group, cut at their own anchor and added.
fn group_sum(unit: &Unit, pairs: &[(Decoded, Decoded)], group: usize, groups: usize) -> Sum {
    let alignment = &unit.alignment;
    let all = pairs.iter().skip(group).step_by(groups).map(|(a, b)| product(unit, a, b));
    let terms: Vec<Term> = all.filter(|term| term.significand != UBig::ZERO).collect();
    let greatest = terms.iter().map(|term| term.exponent).max();
    let exponent = greatest.max(alignment.exponent_floor.map(i64::from));
    let last_place = exponent.unwrap_or(0) - i64::from(alignment.fraction_bits);
    let value = terms.iter().map(|term| align(term, last_place, alignment.rounding).0).sum();
    Sum { value, scale: last_place, exponent }
}

/// The sum of all groups, cut at the greatest of their anchors.
fn dot(unit: &Unit, addition: &Addition, pairs: &[(Decoded, Decoded)]) -> Sum {
    let groups = addition.groups.count() as usize;
    let mut sums: Vec<Sum> = (0..groups).map(|group| group_sum(unit, pairs, group, groups)).collect();
    if sums.len() == 1 {
        return sums.remove(0);
    }
    let exponent = sums.iter().filter_map(|sum| sum.exponent).max();
    let last_place = exponent.unwrap_or(0) - i64::from(unit.alignment.fraction_bits);
    Sum { value: sums.iter().map(|sum| sum.cut(last_place, addition.rounding)).sum(), scale: last_place, exponent }
}

/// Evaluates the fused-then-add scheme.
pub fn evaluate(unit: &Unit, inputs: Inputs) -> u64 {
    let addition = unit.addition.as_ref().expect("a unit of this scheme says how c is added");
    let operands = with_infinite_products(unit, addition, Operands::decode(unit, inputs));
    if let Some(result) = operands.special(unit) {
        return result;
    }
    let dot = dot(unit, addition, &operands.pairs);
    let c = addend(unit, &operands.c);
    let c_exponent = (c.significand != UBig::ZERO).then_some(c.exponent);
    let floor = addition.exponent_floor.map(i64::from);
    let greatest = dot.exponent.max(c_exponent).max(floor).unwrap_or(0);

    let dropped = addition.addend_reach.is_some_and(|reach| greatest - c.exponent > i64::from(reach));
    let last_place = greatest - i64::from(addition.sum_fraction_bits);
    let addend_place = greatest - i64::from(addition.addend_fraction_bits);
    let kept = if dropped { IBig::ZERO } else { align(&c, addend_place, addition.rounding).0 };
    let spare = addition.sum_fraction_bits - addition.addend_fraction_bits;
    let sum = dot.cut(last_place, addition.rounding) + signed(false, UBig::ONE << spare as usize) * kept;
    let total = Sum { value: sum, scale: last_place, exponent: None };
    match addition.total_fraction_bits.and_then(|bits| total.place_kept(unit, bits)) {
        Some(place) if place > last_place => convert(unit, &total.cut(place, AlignmentRounding::Downward), place),
        _ => convert(unit, &total.value, last_place),
    }
}
