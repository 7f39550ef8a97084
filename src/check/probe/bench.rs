//! From the terms of a probe to operands of a unit: exactly, or not at all.

use std::ops::RangeInclusive;

use super::value::Value;
use crate::describe::format::Format;
use crate::describe::interface::Interface;
use crate::describe::unit::{Formats, Scales};
use crate::engine::Vector;

/// What one position holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// A product of that value, split as fits.
    Product(Value),
    /// These two factors.
    Factors(Value, Value),
    /// These encodings of a and b, which no power of two moves.
    Encodings(u64, u64),
}

impl From<Value> for Term {
    fn from(value: Value) -> Term {
        Term::Product(value)
    }
}

/// Terms of a probe; positions that are not named hold zeros.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sum {
    products: Vec<(usize, Term)>,
    addend: Option<Value>,
    addend_encoding: Option<u64>,
    /// A result that the probe must be able to show.
    reading: Option<Value>,
}

impl Sum {
    /// Adds a term at a position.
    pub fn at(mut self, position: usize, term: impl Into<Term>) -> Sum {
        self.products.push((position, term.into()));
        self
    }

    /// With an addend of that value.
    pub fn addend(mut self, value: Value) -> Sum {
        self.addend = Some(value);
        self
    }

    /// With an addend of that encoding.
    pub fn addend_encoding(mut self, bits: u64) -> Sum {
        self.addend_encoding = Some(bits);
        self
    }

    /// Left out where the result's format does not have this value.
    pub fn reading(mut self, value: Value) -> Sum {
        self.reading = Some(value);
        self
    }
}

/// At which power of two a probe's terms stand, and whether subnormal operands may take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fit {
    pub exponent: i32,
    pub subnormals: bool,
}

impl Fit {
    /// Terms as they are.
    pub const EXACT: Fit = Fit { exponent: 0, subnormals: true };
}

/// Fraction bits that a window may have beyond the bits of results and of exact products.
const SPARE_BITS: i32 = 12;
/// Bits of exact products that a window is made for, at most: longer ones are summed exactly.
const PRODUCT_BITS_MAX: i32 = 64;
/// Hickmann and Bradford 2019, internal precision: from 2^30 to 2^-28.
const PUBLISHED_SPAN: i32 = 58;

/// Greatest power of two by which terms move to fit.
const SHIFT_MAX: i32 = 64;

/// The formats and sizes of a unit or an instruction. Of how it sums, nothing: a probe is the same for every hypothesis.
#[derive(Debug, Clone)]
pub struct Bench {
    pub products: usize,
    pub a: Format,
    pub b: Format,
    pub c: Format,
    pub d: Format,
    pub has_addend: bool,
    pub scales: Option<Scales>,
}

impl Bench {
    /// The bench of an interface.
    pub fn of(interface: &Interface) -> Bench {
        let has_addend = interface.has_addend();
        let Interface { products, formats: Formats { a, b, c, d }, scales, .. } = interface.clone();
        Bench { products: products as usize, a, b, c, d, has_addend, scales }
    }

    /// Precision of results, and of addends where they are shorter.
    pub fn precision(&self) -> i32 {
        let addend = if self.has_addend { self.c.precision() } else { self.d.precision() };
        self.d.precision().min(addend) as i32
    }

    /// Hypotheses for the fraction bits below the anchor: from half the bits of a result or of an exact product, whichever has
    /// fewer, to a few more than the longer one has. 11 to 36 for fp16 to fp32, 1 to 16 for e2m1 to e5m2, 24 to 65 for TF64.
    pub(super) fn fraction_bits(&self) -> RangeInclusive<i32> {
        let (result, product) = (self.d.precision() as i32, (self.a.precision() + self.b.precision()) as i32);
        (result.min(product) / 2).max(1)..=result.max(product.min(PRODUCT_BITS_MAX)) + SPARE_BITS
    }

    /// Greatest distance of a small term: that of the publication, or the longest window's.
    pub(super) fn farthest(&self) -> i32 {
        PUBLISHED_SPAN.max(*self.fraction_bits().end())
    }

    /// Products that share their scales; one without scales.
    fn block(&self) -> usize {
        self.scales.as_ref().map_or(1, |scales| scales.block as usize)
    }

    /// Position of a probe's `index`-th product: in blocks of their own as long as there are any.
    pub fn place(&self, index: usize) -> usize {
        let blocks = self.products / self.block();
        index % blocks * self.block() + index / blocks
    }

    /// The power of two nearest to 1 at which the terms fit, with normal operands where that is possible.
    pub fn fit(&self, sum: &Sum) -> Option<Fit> {
        let distances = (0..=2 * SHIFT_MAX).map(|step| if step % 2 == 0 { step / 2 } else { -(step + 1) / 2 });
        let fits = [false, true]
            .into_iter()
            .flat_map(|subnormals| distances.clone().map(move |exponent| Fit { exponent, subnormals }));
        fits.into_iter().find(|fit| self.vector(sum, *fit).is_some())
    }

    /// The vector, at the power of two where it fits.
    pub fn fitted(&self, sum: &Sum) -> Option<Vector> {
        self.vector(sum, self.fit(sum)?)
    }

    /// The vector of a sum, or `None` where the formats do not have its values.
    pub fn vector(&self, sum: &Sum, fit: Fit) -> Option<Vector> {
        if let Some(reading) = sum.reading {
            reading.shifted(fit.exponent).encoding(&self.d, fit.subnormals)?;
        }
        let mut vector = self.zeros();
        match &self.scales {
            None => self.fill(&sum.products, fit, 0, &mut vector)?,
            Some(scales) => self.fill_blocks(scales, &sum.products, fit, &mut vector)?,
        }
        if let Some(value) = sum.addend {
            let wanted = self.has_addend || value.is_zero();
            vector.c =
                if wanted { value.shifted(fit.exponent).encoding(&self.c, fit.subnormals)? } else { return None };
        }
        if let Some(bits) = sum.addend_encoding {
            vector.c = self.has_addend.then_some(bits)?;
        }
        Some(vector)
    }

    /// Zeros, and scales of 1.
    fn zeros(&self) -> Vector {
        let scales = self.scales.as_ref().map_or(0, |_| self.products / self.block());
        let one = |format: fn(&Scales) -> &Format| {
            let bits = self.scales.as_ref().and_then(|scales| Value::power(0).encoding(format(scales), true));
            vec![bits.unwrap_or(0); scales]
        };
        Vector {
            a: vec![self.a.zero(false); self.products],
            b: vec![self.b.zero(false); self.products],
            c: self.c.zero(false),
            scale_a: one(|scales| &scales.a),
            scale_b: one(|scales| &scales.b),
        }
    }

    /// Splits terms into factors, and the scales of their blocks.
    fn fill_blocks(&self, scales: &Scales, terms: &[(usize, Term)], fit: Fit, vector: &mut Vector) -> Option<()> {
        let mut blocks: Vec<usize> = terms.iter().map(|(position, _)| position / self.block()).collect();
        blocks.sort_unstable();
        blocks.dedup();
        for block in blocks {
            let own = |(position, _): &&(usize, Term)| position / self.block() == block;
            let terms: Vec<_> = terms.iter().filter(own).copied().collect();
            let leading = terms.iter().find_map(|(_, term)| match term {
                Term::Product(value) => Some(value.leading() + fit.exponent),
                Term::Factors(a, b) => Some(a.leading() + b.leading() + fit.exponent),
                Term::Encodings(..) => None,
            });
            // Scales of 1, or those that bring the first term near 1.
            let around = leading.into_iter().flat_map(|leading| [0, -1, 1, -2, 2, -3, 3].map(|step| leading + step));
            let (scale_a, scale_b) = [0].into_iter().chain(around).find_map(|exponent| {
                let pair = split(&scales.a, &scales.b, Value::power(exponent), false)?;
                self.fill(&terms, fit, exponent, vector).map(|()| pair)
            })?;
            *vector.scale_a.get_mut(block)? = scale_a;
            *vector.scale_b.get_mut(block)? = scale_b;
        }
        Some(())
    }

    /// Fills in the factors of terms, which scales multiply by a power of two.
    fn fill(&self, terms: &[(usize, Term)], fit: Fit, scale: i32, vector: &mut Vector) -> Option<()> {
        for &(position, term) in terms {
            let shift = fit.exponent - scale;
            let (a, b) = match term {
                Term::Product(value) => split(&self.a, &self.b, value.shifted(shift), fit.subnormals)?,
                Term::Factors(a, b) => {
                    // The power of two goes to both, so that neither leaves its format early.
                    let half = shift.div_euclid(2);
                    let a = a.shifted(half).encoding(&self.a, fit.subnormals)?;
                    (a, b.shifted(shift - half).encoding(&self.b, fit.subnormals)?)
                }
                Term::Encodings(a, b) => (shift == 0).then_some((a, b))?,
            };
            *vector.a.get_mut(position)? = a;
            *vector.b.get_mut(position)? = b;
        }
        Some(())
    }
}

/// Two factors of a value: all its bits in one and a power of two in the other where that is possible.
fn split(a: &Format, b: &Format, value: Value, subnormals: bool) -> Option<(u64, u64)> {
    if value.is_zero() {
        return Some((a.zero(false), b.zero(false)));
    }
    let exchanged = |(b, a)| (a, b);
    bits_and_power(a, b, value, subnormals)
        .or_else(|| bits_and_power(b, a, value, subnormals).map(exchanged))
        .or_else(|| two_factors(a, b, value, subnormals))
}

/// A factor with all bits of the value, and a power of two that brings it nearest to 1.
fn bits_and_power(bits: &Format, power: &Format, value: Value, subnormals: bool) -> Option<(u64, u64)> {
    let least = |format: &Format| format.exponent_min() - if subnormals { format.fraction_bits as i32 } else { 0 };
    // The power's exponent y leaves the other factor within its format: leading bit and last bit, less y.
    let lowest = least(power).max(value.leading() - bits.exponent_max());
    let highest = power.exponent_max().min(match subnormals {
        true => value.last() - least(bits),
        false => value.leading() - bits.exponent_min(),
    });
    if lowest > highest {
        return None;
    }
    let exponent = value.leading().div_euclid(2).clamp(lowest, highest);
    let factor = value.shifted(-exponent).encoding(bits, subnormals)?;
    Some((factor, Value::power(exponent).encoding(power, subnormals)?))
}

/// Two factors that share the bits of the value.
fn two_factors(a: &Format, b: &Format, value: Value, subnormals: bool) -> Option<(u64, u64)> {
    let magnitude = value.magnitude();
    let limit = 1u128 << a.precision().min(12);
    // What is left must fit b.
    let least = (magnitude >> b.precision()).max(3);
    let divides = |divisor: &u64| match u64::try_from(magnitude) {
        Ok(short) => short.is_multiple_of(*divisor),
        Err(_) => magnitude.is_multiple_of((*divisor).into()),
    };
    let divisors = (least.min(limit) as u64..limit.min(magnitude + 1) as u64).rev().filter(divides);
    for divisor in divisors {
        let own = Value::of(divisor.into(), -(divisor.ilog2() as i32));
        let quotient = (magnitude / u128::from(divisor)) as i128;
        let rest =
            Value::of(if value.is_negative() { -quotient } else { quotient }, value.last() + divisor.ilog2() as i32);
        for exponent in [0, rest.leading().div_euclid(2), rest.leading()] {
            let own = own.shifted(exponent).encoding(a, subnormals);
            if let (Some(own), Some(rest)) = (own, rest.shifted(-exponent).encoding(b, subnormals)) {
                return Some((own, rest));
            }
        }
    }
    None
}
