//! The vectors that are being drawn, one in every lane, and the parts that most classes build them from.

use super::Shape;
use super::draw::{Draw, Source, pick};
use super::operand::Operand;
use crate::lanes::{LANES_MAX, Lanes, Mask, Work};

/// A product to build.
#[derive(Debug, Clone, Copy)]
pub(super) struct Term<L: Lanes> {
    /// About what power of two it is with its scales, as far as the formats allow.
    pub exponent: L,
    /// 1 or 0.
    pub negative: L,
    /// It is that power exactly.
    pub exact: L::Mask,
    /// It is zero, with that sign.
    pub absent: L::Mask,
}

/// One vector a lane.
pub(super) struct Vectors<'a, L: Lanes> {
    pub shape: &'a Shape,
    pub first_lane: usize,
    /// Number of the lane.
    pub lane: L,
    /// How many vectors of the class every lane has had before.
    pub round: u64,
    /// What the scales add to the exponents of products.
    pub scale: L,
    /// What products [`Vectors::build`] makes.
    pub terms: Vec<Term<L>>,
    pub a: Vec<L>,
    pub b: Vec<L>,
    pub scale_a: Vec<L>,
    pub scale_b: Vec<L>,
    pub c: L,
}

impl<'a, L: Lanes> Vectors<'a, L> {
    #[inline(always)]
    pub fn new(shape: &'a Shape, first_lane: usize) -> Vectors<'a, L> {
        let (zero, none) = (L::of(0), L::Mask::all(false));
        let numbers: [u64; LANES_MAX] = std::array::from_fn(|lane| lane as u64);
        let [products, scales] = [shape.products, shape.scales].map(|count| vec![zero; count]);
        Vectors {
            shape,
            first_lane,
            lane: L::load(&numbers[first_lane..]),
            round: 0,
            scale: zero,
            terms: vec![Term { exponent: zero, negative: zero, exact: none, absent: none }; shape.products],
            a: products.clone(),
            b: products,
            scale_a: scales.clone(),
            scale_b: scales,
            c: zero,
        }
    }

    /// A term of about 2^exponent with random sign and fraction.
    #[inline(always)]
    pub fn product(exponent: L, draw: &mut Draw<L>) -> Term<L> {
        let none = L::Mask::all(false);
        Term { exponent, negative: draw.sign(), exact: none, absent: none }
    }

    /// A term of exactly 2^exponent.
    #[inline(always)]
    pub fn power(negative: L, exponent: L) -> Term<L> {
        Term { exponent, negative, exact: L::Mask::all(true), absent: L::Mask::all(false) }
    }

    /// Builds the products from their terms.
    #[inline(always)]
    pub fn build(&mut self, draw: &mut Draw<L>) {
        L::call::<Self, Source<L>, Build>(self, draw.source);
    }

    /// A binade in which products and addend can both lie.
    #[inline(always)]
    pub fn common_exponent(&self, draw: &mut Draw<L>) -> L {
        let (a, b, c) = (&self.shape.a, &self.shape.b, &self.shape.c);
        let low = self.scale.plus(a.exponent_min + b.exponent_min).maximum(L::of(i64::from(c.exponent_min)));
        let high = self.scale.plus(a.exponent_max + b.exponent_max).minimum(L::of(i64::from(c.exponent_max)));
        draw.within(low, high)
    }

    /// Puts an infinity or a NaN into one operand, an element, a scale or the addend.
    #[inline(always)]
    pub fn place_non_finite(&mut self, draw: &mut Draw<L>) {
        L::call::<Self, Source<L>, PlaceNonFinite>(self, draw.source);
    }

    /// Puts a special value into one operand: over the rounds every value into every operand, in turn.
    #[inline(always)]
    pub fn place_special(&mut self, draw: &mut Draw<L>) {
        L::call::<Self, Source<L>, PlaceSpecial>(self, draw.source);
    }

    /// The lists of operands, each with its format: a, b, the scales and the addend.
    #[inline(always)]
    fn lists(&mut self) -> [(&'a Operand, &mut [L]); 5] {
        let shape = self.shape;
        let [scale_a, scale_b] = &shape.scale_operands;
        [
            (&shape.a, &mut self.a[..]),
            (&shape.b, &mut self.b),
            (scale_a, &mut self.scale_a),
            (scale_b, &mut self.scale_b),
            (&shape.c, std::slice::from_mut(&mut self.c)),
        ]
    }
}

/// Splits the exponents of products at random between their factors.
struct Build;

impl<L: Lanes> Work<Vectors<'_, L>, Source<L>> for Build {
    #[inline(always)]
    fn run(vectors: &mut Vectors<L>, source: &mut Source<L>) {
        let Vectors { shape, scale, terms, a, b, .. } = vectors;
        build(shape, *scale, terms, (a, b), source);
    }
}

/// What is read and what is written come apart, so that what is known of the formats stays in registers.
#[inline(always)]
fn build<L: Lanes>(shape: &Shape, scale: L, terms: &[Term<L>], (a, b): (&mut [L], &mut [L]), source: &mut Source<L>) {
    let draw = &mut Draw::new(source);
    // Not zipped: what makes an iterator of two is not inlined.
    for (i, term) in terms.iter().enumerate() {
        let &Term { exponent, negative, exact, absent } = term;
        let exponent = exponent - scale;
        let first = shape.factor_exponent(exponent, draw);
        let negative_b = L::select(exact, L::of(0), draw.sign());
        let fraction = |fraction: L| L::select(exact, L::of(0), fraction);
        let (of_a, of_b) = (fraction(shape.a.fraction(draw)), fraction(shape.b.fraction(draw)));
        let number = shape.a.number(negative ^ negative_b, first, of_a);
        a[i] = L::select(absent, shape.a.zero(negative), number);
        let number = shape.b.number(negative_b, exponent - first, of_b);
        b[i] = L::select(absent, shape.b.plain_zero(), number);
    }
}

/// Puts an infinity or a NaN into one operand.
struct PlaceNonFinite;

impl<L: Lanes> Work<Vectors<'_, L>, Source<L>> for PlaceNonFinite {
    #[inline(always)]
    fn run(vectors: &mut Vectors<L>, source: &mut Source<L>) {
        let draw = &mut Draw::new(source);
        let kind = draw.below(L::of(5));
        let scales = vectors.shape.scales > 0;
        for (number, (operand, places)) in vectors.lists().into_iter().enumerate() {
            if places.is_empty() || operand.non_finite.is_empty() {
                continue;
            }
            let mut own = kind.equals(L::of(number as i64));
            if !scales && number < 2 {
                own = own | kind.equals(L::of(number as i64 + 2));
            }
            let place = draw.below(L::of(places.len() as i64));
            put(places, own, place, draw.choose(&operand.non_finite));
        }
    }
}

/// Puts every special value into every operand, in turn.
struct PlaceSpecial;

impl<L: Lanes> Work<Vectors<'_, L>, Source<L>> for PlaceSpecial {
    #[inline(always)]
    fn run(vectors: &mut Vectors<L>, _source: &mut Source<L>) {
        let positions: u64 = vectors.lists().iter().map(|(_, places)| places.len() as u64).sum();
        let first = vectors.round * L::TOGETHER as u64;
        let (mut position, mut later) = (L::of((first % positions) as i64) + vectors.lane, L::of(0));
        // Lanes that are past the last position go on at the first one, with the next value.
        for _ in 0..L::TOGETHER as u64 / positions + 1 {
            let past = L::select(position.less_than(L::of(positions as i64)), L::of(0), L::of(1));
            position = position - past * L::of(positions as i64);
            later = later + past;
        }
        let mut before = 0;
        for (operand, places) in vectors.lists() {
            if places.is_empty() {
                continue;
            }
            let values = operand.specials.len() as u64;
            let mut index = later + L::of((first / positions % values) as i64);
            for _ in 0..L::TOGETHER as u64 / (positions * values) + 1 {
                let within = index.less_than(L::of(values as i64));
                index = L::select(within, index, index - L::of(values as i64));
            }
            let place = position - L::of(before);
            put(places, L::Mask::all(true), place, pick(&operand.specials, index));
            before += places.len() as i64;
        }
    }
}

/// Replaces one operand of a list, of that number, where the mask holds.
#[inline(always)]
pub(super) fn put<L: Lanes>(places: &mut [L], mask: L::Mask, place: L, value: L) {
    for (i, own) in places.iter_mut().enumerate() {
        *own = L::select(mask & place.equals(L::of(i as i64)), value, *own);
    }
}
