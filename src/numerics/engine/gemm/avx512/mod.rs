//! A tile of D on registers of AVX-512: 16 columns of B a register, elements of A spread over it. Values are binary32, whose
//! products are exact; a power of two puts them on the grid of their block, and what lies below the grid is truncated by the
//! conversion to an integer.
//!
//! ```text
//!   a * b              1i.ffffffff                  exact
//!   * 2^(F - anchor)   1i.ffffffff * 2^distance     exact
//!   to an integer      1iffff                       toward zero, with its sign
//! ```
//!
//! Infinities, NaN and results that may overflow are rare, and left to `special`.

#![allow(unsafe_code, reason = "functions for processors with AVX-512 are called, and registers are read from memory")]

mod special;

use std::arch::x86_64::*;
use std::ops::Range;

use self::special::Found;
use super::numbers::{BIAS, Numbers, Scale, Target};
use super::panel::{Columns, Exponents16, LANES, Layout, PanelA, PanelB, ROWS, Rows, Singles, Tile};
use crate::isa::Isa;

const TRUNCATE: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
const NEAREST_EVEN: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;

/// Operands of a tile.
#[derive(Clone, Copy)]
struct Operands<'a> {
    a: Rows<'a>,
    b: Columns<'a>,
}

/// Evaluates tiles of D.
pub(super) struct Kernel {
    numbers: Numbers,
}

impl Kernel {
    /// The kernel.
    ///
    /// # Panics
    /// The processor lacks the instructions.
    pub fn new(numbers: Numbers) -> Kernel {
        assert!(Isa::Avx512.is_supported(), "the processor has no AVX-512");
        Kernel { numbers }
    }

    /// The same with the panels' blocks of K added to a tile: group `a` of rows and group `b` of columns.
    pub fn add(&self, layout: Layout, (a, row): (&PanelA, usize), (b, column): (&PanelB, usize), tile: &mut Tile) {
        let operands = Operands { a: a.rows(row), b: b.columns(column) };
        let places = operands.a.values.len();
        assert!(places == operands.b.values.len() && places.is_multiple_of(self.numbers.products));
        // SAFETY: a kernel is there only where the processor has the instructions.
        unsafe {
            match layout {
                Layout::Whole(scale) => add::<false>(&self.numbers, scale, operands, tile),
                Layout::Apart => add::<true>(&self.numbers, Scale { min: 0, max: 0 }, operands, tile),
            }
        }
    }

    /// Results in binary32 as encodings of binary16.
    pub fn halves(&self, singles: &[u32], halves: &mut [u16]) {
        assert_eq!(singles.len(), halves.len());
        // SAFETY: as above.
        unsafe { to_halves(self.numbers.nan as u16, singles, halves) }
    }
}

/// What a block has found before its products are added.
#[derive(Clone, Copy)]
struct Start {
    /// F less the exponent of the anchor.
    distance: __m512,
    /// 2 to that power.
    scale: __m512,
    /// The addend on the grid.
    addend: __m512i,
    /// Lanes that the arithmetic does not serve.
    rare: u16,
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn add<const APART: bool>(numbers: &Numbers, scale: Scale, operands: Operands, tile: &mut Tile) {
    for first in (0..operands.a.values.len()).step_by(numbers.products) {
        let own = first..first + numbers.products;
        let greatest = anchors(numbers, &operands.a.exponents[own.clone()], &operands.b.exponents[own.clone()]);
        let low = greatest.map(|row| _mm512_cvtepi16_epi32(_mm512_castsi512_si256(row)));
        add_half::<APART>(numbers, scale, operands, own.clone(), 0, low, tile);
        let high = greatest.map(|row| _mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64::<1>(row)));
        add_half::<APART>(numbers, scale, operands, own, 1, high, tile);
    }
}

/// Adds one block of K to the low or the high columns of a tile.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn add_half<const APART: bool>(
    numbers: &Numbers,
    scale: Scale,
    operands: Operands,
    own: Range<usize>,
    half: usize,
    greatest: [__m512i; ROWS],
    tile: &mut Tile,
) {
    let mut starts = [Start::none(); ROWS];
    for row in 0..ROWS {
        starts[row] = start(numbers, scale, greatest[row], singles(&tile[row][half]));
    }
    let middle = own.start + numbers.products.div_ceil(2);
    let mut sums = starts.map(|start| start.addend);
    sum::<APART>(operands, own.start..middle, half, &starts, &mut sums);
    let mut others = [_mm512_setzero_si512(); ROWS];
    sum::<APART>(operands, middle..own.end, half, &starts, &mut others);
    for row in 0..ROWS {
        let (sums, distance) = ([sums[row], others[row]], starts[row].distance);
        let mut result = convert(numbers, sums, distance);
        if starts[row].rare != 0 {
            let (magnitude, sign) = magnitude(sums);
            result = special::overflowed(numbers, result, magnitude, sign, distance);
            let mut found = Found::of_addend(singles(&tile[row][half]));
            for k in own.clone() {
                found.add(_mm512_set1_ps(operands.a.values[k][row]), singles(&operands.b.values[k][half]));
            }
            result = found.replace(numbers, result);
        }
        store(&mut tile[row][half], result);
    }
}

impl Start {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    fn none() -> Start {
        let (zero, none) = (_mm512_setzero_si512(), _mm512_setzero_ps());
        Start { distance: none, scale: none, addend: zero, rare: 0 }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn singles(register: &Singles) -> __m512 {
    // SAFETY: 16 numbers, aligned to their whole.
    unsafe { _mm512_load_ps(register.0.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn store(register: &mut Singles, value: __m512) {
    // SAFETY: as above.
    unsafe { _mm512_store_ps(register.0.as_mut_ptr(), value) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn words(register: &Exponents16) -> __m512i {
    // SAFETY: 32 numbers, aligned to their whole.
    unsafe { _mm512_load_si512(register.0.as_ptr().cast()) }
}

/// The greatest exponents of the products of a block, not below the floor, in lanes of 16 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn anchors(numbers: &Numbers, a: &[[u32; ROWS]], b: &[Exponents16]) -> [__m512i; ROWS] {
    let mut greatest = [_mm512_set1_epi16((numbers.floor - BIAS) as i16); ROWS];
    for (a, b) in a.iter().zip(b) {
        let b = words(b);
        for row in 0..ROWS {
            let exponent = _mm512_add_epi16(_mm512_set1_epi32(a[row] as i32), b);
            greatest[row] = _mm512_max_epi16(greatest[row], exponent);
        }
    }
    greatest
}

/// The anchor of the products and the addend, and the addend on the grid.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn start(numbers: &Numbers, scale: Scale, greatest: __m512i, addend: __m512) -> Start {
    let lanes = |number: i32| _mm512_set1_epi32(number);
    let magnitude = _mm512_and_si512(_mm512_castps_si512(addend), lanes(i32::MAX));
    let nonzero = _mm512_test_epi32_mask(magnitude, magnitude);
    let field = _mm512_max_epi32(_mm512_srli_epi32::<23>(magnitude), lanes(numbers.addend_min));
    let exponent = _mm512_sub_epi32(field, lanes(BIAS));
    let anchor = _mm512_mask_max_epi32(greatest, nonzero, greatest, exponent);
    let rare = _mm512_cmpgt_epi32_mask(anchor, lanes(numbers.limit - BIAS));
    let distance = _mm512_sub_epi32(lanes(numbers.fraction_bits), anchor);
    let clamped = _mm512_min_epi32(_mm512_max_epi32(distance, lanes(scale.min)), lanes(scale.max));
    let power = _mm512_slli_epi32::<23>(_mm512_add_epi32(clamped, lanes(BIAS)));
    // What lies below the grid is left out: subnormal numbers take some processors a hundred times as long.
    let on_grid = _mm512_cmpge_epi32_mask(_mm512_add_epi32(exponent, distance), _mm512_setzero_si512());
    let distance = _mm512_cvtepi32_ps(distance);
    let addend = _mm512_cvttps_epi32(_mm512_maskz_scalef_ps(on_grid, addend, distance));
    Start { distance, scale: _mm512_castsi512_ps(power), addend, rare }
}

/// Adds products on the grid.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn sum<const APART: bool>(
    operands: Operands,
    places: Range<usize>,
    half: usize,
    starts: &[Start; ROWS],
    sums: &mut [__m512i; ROWS],
) {
    let (a, b) = (&operands.a.values[places.clone()], &operands.b.values[places.clone()]);
    if APART {
        let (apart_a, apart_b) = (&operands.a.apart[places.clone()], &operands.b.apart[places]);
        for ((a, b), (apart_a, apart_b)) in a.iter().zip(b).zip(apart_a.iter().zip(apart_b)) {
            let (b, apart_b) = (singles(&b[half]), singles(&apart_b[half]));
            // Far below the grid, and never subnormal.
            let lowest = _mm512_set1_ps(-64.0);
            for row in 0..ROWS {
                let product = _mm512_mul_ps(_mm512_set1_ps(a[row]), b);
                let distance =
                    _mm512_add_ps(_mm512_add_ps(_mm512_set1_ps(apart_a[row]), starts[row].distance), apart_b);
                let aligned = _mm512_cvttps_epi32(_mm512_scalef_ps(product, _mm512_max_ps(distance, lowest)));
                sums[row] = _mm512_add_epi32(sums[row], aligned);
            }
        }
        return;
    }
    for (a, b) in a.iter().zip(b) {
        let b = singles(&b[half]);
        for row in 0..ROWS {
            let product = _mm512_mul_ps(_mm512_set1_ps(a[row]), b);
            let aligned = _mm512_cvttps_epi32(_mm512_mul_ps(product, starts[row].scale));
            sums[row] = _mm512_add_epi32(sums[row], aligned);
        }
    }
}

/// A sum becomes a result in binary32. Each half of it has its sign in 32 bits, the sum itself needs one bit more: that is
/// the sign of both halves, and where theirs differ that of the sum of 32 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn convert(numbers: &Numbers, [one, other]: [__m512i; 2], distance: __m512) -> __m512 {
    let (magnitude, sign) = magnitude([one, other]);
    let exponent = _mm512_sub_ps(_mm512_setzero_ps(), distance);
    let truncated = _mm512_cvt_roundepu32_ps::<TRUNCATE>(magnitude);
    let result = match numbers.target {
        Target::Single { mask } => {
            let result = _mm512_scalef_round_ps::<TRUNCATE>(truncated, exponent);
            let result = _mm512_and_si512(_mm512_castps_si512(result), _mm512_set1_epi32(mask as i32));
            _mm512_castsi512_ps(_mm512_or_si512(result, sign))
        }
        Target::Half => {
            // To odd first: 24 bits are enough that the second rounding is the only one that shows.
            let inexact = _mm512_cmpneq_epu32_mask(_mm512_cvttps_epu32(truncated), magnitude);
            let bits = _mm512_castps_si512(truncated);
            let odd = _mm512_mask_or_epi32(bits, inexact, bits, _mm512_set1_epi32(1));
            let result = _mm512_scalef_ps(_mm512_castsi512_ps(odd), exponent);
            let signed = _mm512_castsi512_ps(_mm512_or_si512(_mm512_castps_si512(result), sign));
            _mm512_cvtph_ps(_mm512_cvtps_ph::<NEAREST_EVEN>(signed))
        }
    };
    // Minus zero and plus zero are plus zero.
    if numbers.rounded_zero_positive { _mm512_add_ps(result, _mm512_setzero_ps()) } else { result }
}

/// The magnitude of a sum, and its sign in the top bit.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn magnitude([one, other]: [__m512i; 2]) -> (__m512i, __m512i) {
    let sum = _mm512_add_epi32(one, other);
    let majority = _mm512_ternarylogic_epi32::<0xe8>(one, other, sum);
    let below = _mm512_movepi32_mask(majority);
    let magnitude = _mm512_mask_sub_epi32(sum, below, _mm512_setzero_si512(), sum);
    (magnitude, _mm512_and_si512(majority, _mm512_set1_epi32(i32::MIN)))
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn to_halves(nan: u16, singles: &[u32], halves: &mut [u16]) {
    for (singles, halves) in singles.chunks(LANES).zip(halves.chunks_mut(LANES)) {
        let mut register = Singles([0.0; LANES]);
        register.0.iter_mut().zip(singles).for_each(|(lane, &bits)| *lane = f32::from_bits(bits));
        let value = self::singles(&register);
        let numbers = _mm512_cmp_ps_mask::<_CMP_ORD_Q>(value, value);
        let packed = _mm512_cvtps_ph::<NEAREST_EVEN>(value);
        let packed = _mm256_mask_mov_epi16(_mm256_set1_epi16(nan as i16), numbers, packed);
        let mut lanes = [0; LANES];
        // SAFETY: 16 numbers of 16 bits.
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), packed) };
        halves.copy_from_slice(&lanes[..halves.len()]);
    }
}
