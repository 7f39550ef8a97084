//! The numbers of a unit in every lane of a register, so that they are read from memory and not spread anew for each block.
//! Decides nothing.

use std::arch::x86_64::*;

use super::numbers::Numbers;

/// Lanes of 16 bits, of columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Columns {
    pub magnitude_mask: __m512i,
    pub exponent_mask: __m512i,
    pub hidden: __m512i,
    pub fraction_bits: __m512i,
    pub low_bits: __m512i,
    pub guard_bits: __m512i,
    pub a_left: __m512i,
    pub b_left: __m512i,
    /// Takes infinity to the least number with the top bit.
    pub infinity_to_top: __m512i,
    pub one: __m512i,
}

/// Lanes of 32 bits, of addends, sums and results.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sums {
    pub even_words: __m512i,
    pub even_sign: __m512i,
    pub one: __m512i,
    pub guard_bits: __m512i,
    pub column_fraction_bits: __m512i,
    pub floor: __m512i,
    pub c_magnitude_mask: __m512i,
    pub c_sign: __m512i,
    pub c_hidden: __m512i,
    pub c_fraction_bits: __m512i,
    pub c_exponent_offset: __m512i,
    pub c_place_left: __m512i,
    pub c_special_from: __m512i,
}

/// Lanes of 32 bits, of the conversion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conversion {
    pub exponent_min: __m512i,
    pub top_offset: __m512i,
    /// Bits below the fraction of a normal result, where its leading bit is on top.
    pub below_fraction: __m512i,
    pub fraction_bits: __m512i,
    pub padding_bits: __m512i,
    pub overflow: __m512i,
    pub sign: __m512i,
    pub plus_infinity: __m512i,
    pub minus_infinity: __m512i,
    pub nan: __m512i,
}

/// All of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constants {
    pub columns: Columns,
    pub sums: Sums,
    pub d: Conversion,
}

impl Constants {
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    pub fn of(numbers: &Numbers) -> Constants {
        let (c, d) = (&numbers.c, &numbers.d);
        let infinity = d.infinity << d.padding_bits;
        Constants {
            columns: Columns {
                magnitude_mask: words(i16::MAX as u16),
                exponent_mask: words(0x7fff & !((1 << numbers.fraction_bits) - 1)),
                hidden: words(1 << numbers.fraction_bits),
                fraction_bits: words(numbers.fraction_bits as u16),
                low_bits: words(numbers.low_bits as u16),
                guard_bits: words(numbers.guard_bits as u16),
                a_left: words(numbers.a_left as u16),
                b_left: words(numbers.b_left as u16),
                infinity_to_top: words(0x8000 - numbers.infinity),
                one: words(1),
            },
            sums: Sums {
                even_words: lanes(0xffff),
                even_sign: lanes(0x8000),
                one: lanes(1),
                guard_bits: lanes(numbers.guard_bits),
                column_fraction_bits: lanes(numbers.fraction_bits),
                floor: lanes(numbers.exponent_floor as u32),
                c_magnitude_mask: lanes(c.magnitude_mask),
                c_sign: lanes(c.magnitude_mask + 1),
                c_hidden: lanes(1 << c.fraction_bits),
                c_fraction_bits: lanes(c.fraction_bits),
                c_exponent_offset: lanes(c.exponent_offset as u32),
                c_place_left: lanes(c.place_left),
                c_special_from: lanes(c.special_from),
            },
            d: Conversion {
                exponent_min: lanes(d.exponent_min as u32),
                top_offset: lanes(d.top_offset as u32),
                below_fraction: lanes(31 - d.fraction_bits),
                fraction_bits: lanes(d.fraction_bits),
                padding_bits: lanes(d.padding_bits),
                overflow: lanes(d.overflow),
                sign: lanes(d.sign),
                plus_infinity: lanes(infinity),
                minus_infinity: lanes(infinity | d.sign),
                nan: lanes(d.nan),
            },
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn words(number: u16) -> __m512i {
    _mm512_set1_epi16(number as i16)
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn lanes(number: u32) -> __m512i {
    _mm512_set1_epi32(number as i32)
}
