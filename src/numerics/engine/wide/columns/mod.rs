//! The fused scheme on 32 vectors at a time: products and exponents in lanes of 16 bits, sums in lanes of 32 bits, those of
//! even and of odd vectors apart. Truncating units only; infinities and NaN are decided beside the arithmetic, in `special`.
//!
//! Written by hand, where the emulator is generated from the datapath text: it is tested against that.

#![allow(unsafe_code, reason = "functions for processors with AVX-512 are called")]

mod assembly;
mod constants;
mod convert;
mod numbers;
mod place;
mod special;

use std::arch::x86_64::*;

pub use numbers::{Addend, Numbers, Operand};

use self::constants::Constants;
use self::special::Found;
use super::numbers::BLOCK;
use crate::isa::Isa;

/// One product of every vector of a block.
#[derive(Clone, Copy)]
struct Product {
    significand_a: __m512i,
    significand_b: __m512i,
    /// The sum of two exponent fields less one, above the fraction bits; 0 where the product is zero.
    exponent: __m512i,
    /// In the top bit.
    sign: __m512i,
}

/// Operands of a block in columns, what stands below these where operands are wider, and products of them.
struct Room<const N: usize> {
    a: [__m512i; N],
    b: [__m512i; N],
    low_a: [__m512i; N],
    low_b: [__m512i; N],
    products: [Product; N],
}

/// What the products of a block have shown so far.
struct Seen {
    /// The greatest exponent of a nonzero product, 0 where there is none.
    greatest: __m512i,
    found: Found,
}

/// The sums of 16 vectors: of all magnitudes, and of those below zero.
#[derive(Clone, Copy)]
struct Sums {
    pub all: __m512i,
    pub negative: __m512i,
    /// As a sum of two exponent fields less one.
    pub anchor: __m512i,
}

/// Evaluates a unit.
#[derive(Debug)]
pub struct Kernel {
    numbers: Numbers,
    constants: Constants,
    run: Run,
}

/// Whole blocks: rows of operands a and b as a batch has them, addends, results.
type Run = unsafe fn(&Numbers, &Constants, &[u64], &[u64], &[u64], &mut [u64]);

impl Kernel {
    /// The kernel for these numbers, if there is one for as many products and the processor has the instructions.
    pub fn new(numbers: &Numbers) -> Option<Kernel> {
        let run: Run = match (numbers.products, numbers.low_bits > 0) {
            (4, false) => run::<4, 4, false>,
            (8, false) => run::<8, 8, false>,
            (16, false) => run::<16, 8, false>,
            (32, false) => run::<32, 8, false>,
            (4, true) => run::<4, 4, true>,
            (8, true) => run::<8, 8, true>,
            _ => return None,
        };
        // SAFETY: the processor has the instructions.
        let constants = Isa::Avx512.is_supported().then(|| unsafe { Constants::of(numbers) })?;
        Some(Kernel { numbers: *numbers, constants, run })
    }

    /// Answers whole blocks: rows of operands as a batch has them.
    ///
    /// # Panics
    /// The lists are not whole blocks, or do not fit each other.
    pub fn run(&self, a: &[u64], b: &[u64], c: &[u64], results: &mut [u64]) {
        let operands = self.numbers.products * c.len();
        assert!(c.len().is_multiple_of(BLOCK) && results.len() == c.len() && [a.len(), b.len()] == [operands; 2]);
        // SAFETY: a kernel is there only where the processor has the instructions.
        unsafe { (self.run)(&self.numbers, &self.constants, a, b, c, results) }
    }
}

/// N products, G of them put into columns at a time.
///
/// Products are taken one after the other from memory, as many as the numbers say: with all of them in one text, the compiler
/// moves registers to memory and back some hundred times a block.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn run<const N: usize, const G: usize, const LOW: bool>(
    numbers: &Numbers,
    constants: &Constants,
    a: &[u64],
    b: &[u64],
    c: &[u64],
    results: &mut [u64],
) {
    let zero = _mm512_setzero_si512();
    let none = Product { significand_a: zero, significand_b: zero, exponent: zero, sign: zero };
    let mut room = Room { a: [zero; N], b: [zero; N], low_a: [zero; N], low_b: [zero; N], products: [none; N] };
    let results = results.as_chunks_mut().0;
    // Not zipped, here and below: what makes one iterator of two chained ones is not inlined.
    for (block, c) in c.as_chunks().0.iter().enumerate() {
        let own = BLOCK * N * block..BLOCK * N * (block + 1);
        let (a, b, results) = (&a[own.clone()], &b[own], &mut results[block]);
        let addends = place::addends::<N>(c);
        read::<N, G, LOW>(&numbers.a, a, &mut room.a, &mut room.low_a);
        read::<N, G, LOW>(&numbers.b, b, &mut room.b, &mut room.low_b);
        let seen = multiply::<N, LOW>(&constants.columns, numbers.products, &mut room);
        let mut sums = start(numbers, &constants.sums, seen.greatest, addends);
        add(constants, &room.products[..numbers.products], &mut sums);
        let [even, odd] = &sums;
        let mut packed =
            [convert::packed(even, &numbers.d, &constants.d), convert::packed(odd, &numbers.d, &constants.d)];
        special::replace(constants, &seen.found, &addends, &mut packed);
        place::store_results::<N>(packed, results);
    }
}

/// Puts operands of a block into columns.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn read<const N: usize, const G: usize, const LOW: bool>(
    operand: &Operand,
    rows: &[u64],
    columns: &mut [__m512i; N],
    lows: &mut [__m512i; N],
) {
    let lows = lows.as_chunks_mut::<G>().0;
    for (group, columns) in columns.as_chunks_mut::<G>().0.iter_mut().enumerate() {
        let lows = &mut lows[group];
        for i in G * group..G * (group + 1) {
            place::prefetch(rows, i);
        }
        *columns = place::words::<N, G>(rows, operand.word, G * group);
        if LOW {
            *lows = place::words::<N, G>(rows, 0, G * group);
            place::place_low(operand, columns, lows);
        }
        place::place(operand, columns);
    }
}

/// Takes operands apart.
///
/// ```text
///   magnitude     eeeee ffffffffff
///   exponent      eeeee 0000000000     1 for subnormal numbers; that of b is less by one
///   significand   00001 ffffffffff     0 on top for subnormal numbers
/// ```
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn multiply<const N: usize, const LOW: bool>(constants: &constants::Columns, count: usize, room: &mut Room<N>) -> Seen {
    let constants::Columns { magnitude_mask, exponent_mask, hidden, low_bits, b_left, .. } = *constants;
    let mut seen = Seen { greatest: _mm512_setzero_si512(), found: Found::new() };
    assert!(count <= N);
    for i in 0..count {
        let (a, b, low_a, low_b) = (room.a[i], room.b[i], room.low_a[i], room.low_b[i]);
        let (magnitude_a, magnitude_b) = (_mm512_and_si512(a, magnitude_mask), _mm512_and_si512(b, magnitude_mask));
        let exponent_a = _mm512_max_epu16(_mm512_and_si512(magnitude_a, exponent_mask), hidden);
        let exponent_b = _mm512_subs_epu16(_mm512_and_si512(magnitude_b, exponent_mask), hidden);
        let mut significand_a = _mm512_add_epi16(_mm512_sub_epi16(magnitude_a, exponent_a), hidden);
        let mut significand_b = _mm512_sub_epi16(magnitude_b, exponent_b);
        if LOW {
            significand_a = _mm512_or_si512(assembly::left_16(significand_a, low_bits), low_a);
            significand_b = _mm512_or_si512(assembly::left_16(significand_b, low_bits), low_b);
        }
        let lesser = _mm512_min_epu16(significand_a, significand_b);
        let nonzero = assembly::nonzero_16(lesser);
        let exponent = _mm512_maskz_add_epi16(nonzero, exponent_a, exponent_b);
        seen.greatest = _mm512_max_epu16(seen.greatest, exponent);
        let sign = _mm512_xor_si512(a, b);
        seen.found.add(_mm512_max_epu16(magnitude_a, magnitude_b), nonzero, sign, constants);
        room.products[i] =
            Product { significand_a, significand_b: assembly::left_16(significand_b, b_left), exponent, sign };
    }
    seen
}

/// Aligns the products, cuts them in sign and magnitude and adds them.
///
/// ```text
///   product   ii.ffffff|gggg      in a lane of 32 bits
///   aligned   --.--iiff|          right by the distance from the anchor and the guard bits
/// ```
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn add(constants: &Constants, products: &[Product], [even, odd]: &mut [Sums; 2]) {
    const EVEN: u32 = 0x5555_5555;
    let constants::Sums { even_words, even_sign, .. } = constants.sums;
    let constants::Columns { fraction_bits, guard_bits, a_left, .. } = constants.columns;
    let odd_anchor = _mm512_slli_epi32::<16>(odd.anchor);
    let both = _mm512_or_si512(_mm512_and_si512(even.anchor, even_words), odd_anchor);
    let anchor = _mm512_add_epi16(both, guard_bits);
    for product in products {
        let (a, b, sign) = (product.significand_a, product.significand_b, product.sign);
        let distance = _mm512_sub_epi16(anchor, assembly::right_16(product.exponent, fraction_bits));

        let exact = _mm512_madd_epi16(assembly::left_16_where(EVEN, a, a_left), b);
        let aligned = assembly::right_32(exact, _mm512_and_si512(distance, even_words));
        even.all = _mm512_add_epi32(even.all, aligned);
        let below = _mm512_test_epi32_mask(sign, even_sign);
        even.negative = _mm512_mask_add_epi32(even.negative, below, even.negative, aligned);

        let exact = _mm512_madd_epi16(assembly::left_16_where(!EVEN, a, a_left), b);
        let aligned = assembly::right_32(exact, _mm512_srli_epi32::<16>(distance));
        odd.all = _mm512_add_epi32(odd.all, aligned);
        let below = _mm512_movepi32_mask(sign);
        odd.negative = _mm512_mask_add_epi32(odd.negative, below, odd.negative, aligned);
    }
}

/// Anchors of even and of odd vectors, and sums of the addends alone.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn start(numbers: &Numbers, constants: &constants::Sums, greatest: __m512i, [even, odd]: [__m512i; 2]) -> [Sums; 2] {
    let even_greatest = _mm512_and_si512(greatest, constants.even_words);
    let odd_greatest = _mm512_srli_epi32::<16>(greatest);
    let flushes = numbers.c.flush_subnormals;
    [start_half(flushes, constants, even_greatest, even), start_half(flushes, constants, odd_greatest, odd)]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn start_half(flushes: bool, constants: &constants::Sums, greatest: __m512i, encoding: __m512i) -> Sums {
    let constants::Sums { floor, one, guard_bits, c_hidden, c_fraction_bits, .. } = *constants;
    let magnitude = _mm512_and_si512(encoding, constants.c_magnitude_mask);
    let field = _mm512_max_epu32(assembly::right_32(magnitude, c_fraction_bits), one);
    let fraction = _mm512_sub_epi32(magnitude, assembly::left_32(field, c_fraction_bits));
    let mut significand = _mm512_add_epi32(fraction, c_hidden);
    if flushes {
        significand = _mm512_maskz_mov_epi32(_mm512_cmpge_epu32_mask(significand, c_hidden), significand);
    }
    let nonzero = _mm512_test_epi32_mask(significand, significand);
    let exponent = _mm512_mask_add_epi32(floor, nonzero, field, constants.c_exponent_offset);
    let any_product = _mm512_test_epi32_mask(greatest, greatest);
    let products = assembly::right_32(greatest, constants.column_fraction_bits);
    let anchor = _mm512_max_epi32(exponent, floor);
    let anchor = _mm512_mask_max_epi32(anchor, any_product, anchor, products);
    let distance = _mm512_add_epi32(_mm512_sub_epi32(anchor, exponent), guard_bits);
    let all = assembly::right_32(assembly::left_32(significand, constants.c_place_left), distance);
    let below = _mm512_test_epi32_mask(encoding, constants.c_sign);
    Sums { all, negative: _mm512_maskz_mov_epi32(below, all), anchor }
}
