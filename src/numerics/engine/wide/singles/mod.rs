//! The fused scheme on arithmetic of binary32, as many vectors at a time as a register has lanes of 32 bits: written once, for
//! every level of instructions. Truncating units only. A product of two significands is exact, a power of two puts it on the
//! grid of its anchor, and the conversion to an integer cuts what lies below.
//!
//! ```text
//!   significands a, b    1.fffff 1.fffff
//!   product              1i.ffffffffff        exact, 24 bits at most
//!   on the grid          product * 2^(F - distance from the anchor)
//!   as an integer        1iffff               toward zero, with its sign
//! ```
//!
//! Infinities and NaN are rare, and decided beside the arithmetic (`special`). Tested against the emulator, which is generated
//! from the datapath text.

mod convert;
mod numbers;
mod special;

use std::marker::PhantomData;

pub use numbers::{Numbers, Operand};

use self::numbers::{FRACTION_BITS, REACH};
use super::numbers::BLOCK;
use crate::isa::Isa;
use crate::lanes::{Lanes, Level, Mask, Singles, WithLevel, Work, with_level};

/// Evaluates a unit.
#[derive(Debug)]
pub struct Kernel {
    numbers: Numbers,
    run: fn(&mut Task),
}

/// Whole blocks: rows of operands a and b as a batch has them, addends, results.
struct Task<'a> {
    numbers: &'a Numbers,
    a: &'a [u64],
    b: &'a [u64],
    c: &'a [u64],
    results: &'a mut [u64],
}

impl Kernel {
    /// The kernel for these numbers.
    ///
    /// # Panics
    /// The processor lacks the level.
    pub fn new(numbers: &Numbers, isa: Isa) -> Kernel {
        Kernel { numbers: *numbers, run: with_level(isa, OnLevel) }
    }

    /// Answers whole blocks: rows of operands as a batch has them.
    ///
    /// # Panics
    /// The lists are not whole blocks, or do not fit each other.
    pub fn run(&self, a: &[u64], b: &[u64], c: &[u64], results: &mut [u64]) {
        let operands = self.numbers.products * c.len();
        assert!(c.len().is_multiple_of(BLOCK) && results.len() == c.len() && [a.len(), b.len()] == [operands; 2]);
        (self.run)(&mut Task { numbers: &self.numbers, a, b, c, results });
    }
}

struct OnLevel;

impl WithLevel for OnLevel {
    type Output = fn(&mut Task);

    fn run<S: Level>(self) -> fn(&mut Task) {
        |task| S::Lanes32::call::<_, _, Blocks<S::Lanes32>>(task, &mut ())
    }
}

struct Blocks<L>(PhantomData<L>);

impl<L: Singles> Work<Task<'_>, ()> for Blocks<L> {
    #[inline(always)]
    fn run(Task { numbers, a, b, c, results }: &mut Task, (): &mut ()) {
        let operands = numbers.products * L::COUNT;
        let mut products = [Product { value: L::of(0), exponent: L::of(0) }; 64];
        let products = &mut products[..numbers.products];
        let rows = a.chunks_exact(operands).zip(b.chunks_exact(operands));
        let others = c.chunks_exact(L::COUNT).zip(results.chunks_exact_mut(L::COUNT));
        for ((a, b), (c, results)) in rows.zip(others) {
            let c = L::load(c);
            let seen = multiply(numbers, a, b, products);
            let start = start(numbers, seen.greatest, c);
            let sums = add(numbers, products, &start);
            let mut result = convert::packed(numbers, sums, start.anchor);
            if seen.special.any() | special::is_special(&numbers.c, c).any() {
                result = special::replaced(numbers, [a, b], c, result);
            }
            result.store(results);
        }
    }
}

/// One product of every vector.
#[derive(Clone, Copy)]
struct Product<L> {
    /// Binary32, of significands as integers.
    value: L,
    /// Far below all others where the product is zero.
    exponent: L,
}

/// What the products have shown.
struct Seen<L: Singles> {
    greatest: L,
    special: L::Mask,
}

/// An operand taken apart.
struct Parts<L> {
    magnitude: L,
    /// The exponent field, at least 1, at bit 23.
    exponent: L,
    /// An integer with 23 fraction bits.
    significand: L,
}

/// An exponent in its place.
#[inline(always)]
fn exponents<L: Singles>(exponent: i32) -> L {
    L::of(i64::from(exponent) << FRACTION_BITS)
}

/// The magnitude of a placed operand.
#[inline(always)]
fn magnitude<L: Singles>(operand: &Operand, encoding: L) -> L {
    encoding.shift_left(operand.place_left) & L::of(operand.magnitude_mask.into())
}

/// ```text
///   magnitude     eeeee ffffffffff
///   exponent      eeeee 0000000000     1 for subnormal numbers
///   significand   00001 ffffffffff     0 on top for subnormal numbers
/// ```
#[inline(always)]
fn parts<L: Singles>(operand: &Operand, encoding: L) -> Parts<L> {
    let magnitude = magnitude(operand, encoding);
    let hidden = exponents::<L>(1);
    let exponent = (magnitude & L::of(0x7f80_0000)).maximum(hidden);
    Parts { magnitude, exponent, significand: magnitude - exponent + hidden }
}

/// The sign of an operand in the top bit, and others below it.
#[inline(always)]
fn sign<L: Singles>(operand: &Operand, encoding: L) -> L {
    encoding.shift_left(operand.sign_left)
}

/// Takes operands apart and multiplies them.
#[inline(always)]
fn multiply<L: Singles>(numbers: &Numbers, a: &[u64], b: &[u64], products: &mut [Product<L>]) -> Seen<L> {
    let (centre, top, none) = (exponents::<L>(numbers.centre), L::of(1 << 31), L::of(i64::from(i32::MIN)));
    let (rows_a, rows_b) = (a.as_chunks().0, b.as_chunks().0);
    let (mut greatest, mut greatest_a, mut greatest_b) = (none, L::of(0), L::of(0));
    let fours = numbers.products / 4;
    for (group, products) in products.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let (a, b) = (L::load_rows(rows_a, group, fours), L::load_rows(rows_b, group, fours));
        for i in 0..4 {
            let (parts_a, parts_b) = (parts(&numbers.a, a[i]), parts(&numbers.b, b[i]));
            greatest_a = greatest_a.maximum(parts_a.magnitude);
            greatest_b = greatest_b.maximum(parts_b.magnitude);
            let single = parts_a.significand.single_of_integer().times_single(parts_b.significand.single_of_integer());
            let exponent = parts_a.exponent + (parts_b.exponent - centre);
            let exponent = L::select(single.equals(L::of(0)), none, exponent);
            greatest = greatest.maximum(exponent);
            let sign = (sign(&numbers.a, a[i]) ^ sign(&numbers.b, b[i])) & top;
            products[i] = Product { value: single | sign, exponent };
        }
    }
    let special_a = L::of(numbers.a.finite_max.into()).less_than(greatest_a);
    let special_b = L::of(numbers.b.finite_max.into()).less_than(greatest_b);
    Seen { greatest, special: special_a | special_b }
}

/// The anchor of a vector, and its addend on the grid.
struct Start<L> {
    anchor: L,
    addend: L,
}

/// Where terms far below an anchor are taken to lie.
#[inline(always)]
fn lowest<L: Singles>(anchor: L) -> L {
    anchor.maximum(exponents(REACH - 254)) - exponents(REACH)
}

/// A power of two times 2^(F + exponent - anchor), as binary32.
#[inline(always)]
fn scale<L: Singles>(numbers: &Numbers, power: i32, exponent: L, anchor: L) -> L {
    exponent - (anchor - exponents(127 + power + numbers.fraction_bits as i32))
}

#[inline(always)]
fn start<L: Singles>(numbers: &Numbers, greatest: L, encoding: L) -> Start<L> {
    let none = L::of(i64::from(i32::MIN));
    let Parts { exponent, mut significand, .. } = parts(&numbers.c, encoding);
    if numbers.flush_addends {
        significand = L::select(significand.less_than(exponents(1)), L::of(0), significand);
    }
    let exponent = exponent + exponents(numbers.addend_offset);
    let exponent = L::select(significand.equals(L::of(0)), none, exponent);
    let anchor = greatest.maximum(exponent).maximum(exponents(numbers.floor));
    let scale = scale(numbers, -(FRACTION_BITS as i32), exponent.maximum(lowest(anchor)), anchor);
    let sign = sign(&numbers.c, encoding) & L::of(1 << 31);
    let addend = (significand.single_of_integer() | sign).times_single(scale).integer_of_single();
    Start { anchor, addend }
}

/// Aligns the products, cuts them and adds them: the first half of them with the addend, and the second half.
#[inline(always)]
fn add<L: Singles>(numbers: &Numbers, products: &[Product<L>], start: &Start<L>) -> [L; 2] {
    let lowest = lowest(start.anchor);
    // The same as subtracting anchors one by one.
    let zero = scale(numbers, -2 * FRACTION_BITS as i32, L::of(0), start.anchor);
    let (mut one, mut other) = (start.addend, L::of(0));
    for [first, second] in products.as_chunks::<2>().0 {
        one = one + first.value.times_single(first.exponent.maximum(lowest) + zero).integer_of_single();
        other = other + second.value.times_single(second.exponent.maximum(lowest) + zero).integer_of_single();
    }
    [one, other]
}
