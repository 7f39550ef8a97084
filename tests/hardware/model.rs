//! What the bfloat16 instructions of Intel processors compute, written with the fused multiply-add of the C library; and the
//! same with one rule changed, for negative controls. Shares nothing with the project.
//!
//! Rounding is to nearest even, whatever MXCSR says. Subnormal operands count as zeros of their sign. A result becomes a zero
//! of its sign if it lies below 2^-126 after rounding to 24 bits with an unbounded exponent. NaN operands are handed on, made
//! quiet; an invalid operation gives the negative NaN without payload. All of it was measured.

/// When a result becomes zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tiny {
    /// Below 2^-126 after rounding to 24 bits with an unbounded exponent: the rule.
    AfterRounding,
    /// Below 2^-126 before rounding.
    BeforeRounding,
    /// A subnormal number after rounding to the numbers of binary32.
    Subnormal,
    Never,
}

/// The order of the sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// TDPBF16PS: a chain of even and one of odd products from plus zero, their sum, then c.
    EvenOdd,
    /// The same, both chains from the last product to the first.
    EvenOddDescending,
    /// The chain of even products starts from c.
    AddendFirst,
    /// One chain of all products from plus zero, then c.
    OneChain,
    /// One chain from c, from the last product to the first: VDPBF16PS with its one pair.
    Descending,
    /// One chain from c, from the first product to the last.
    Ascending,
}

/// The rules of a dot product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    pub order: Order,
    pub tiny: Tiny,
    pub flush_operands: bool,
}

pub const TDPBF16PS: Rules = Rules { order: Order::EvenOdd, tiny: Tiny::AfterRounding, flush_operands: true };
pub const VDPBF16PS: Rules = Rules { order: Order::Descending, ..TDPBF16PS };

const SIGN: u32 = 0x8000_0000;
const ONE: u32 = 0x3f80_0000;
const DEFAULT_NAN: u32 = 0xffc0_0000;
const LEAST_NORMAL: u32 = 0x0080_0000;

/// bfloat16 is the upper half of binary32.
fn widened(bits: u64) -> u32 {
    (bits as u32) << 16
}

impl Rules {
    /// c and the products of bfloat16 numbers.
    pub fn dot(self, a: &[u64], b: &[u64], c: u64) -> u64 {
        let last = a.len().wrapping_sub(1);
        // The products from one index on, every first or every second.
        let chain = |first: usize, step: usize, descending: bool, start: u32| {
            (first..a.len()).step_by(step).fold(start, |sum, index| {
                let index = if descending { last - index } else { index };
                self.multiply_add(widened(a[index]), widened(b[index]), sum)
            })
        };
        let c = c as u32;
        let [even, odd] = match self.order {
            Order::EvenOdd => [chain(0, 2, false, 0), chain(1, 2, false, 0)],
            // The last product has an odd index.
            Order::EvenOddDescending => [chain(1, 2, true, 0), chain(0, 2, true, 0)],
            Order::AddendFirst => return self.add(chain(0, 2, false, c), chain(1, 2, false, 0)).into(),
            Order::OneChain => return self.add(c, chain(0, 1, false, 0)).into(),
            Order::Descending => return chain(0, 1, true, c).into(),
            Order::Ascending => return chain(0, 1, false, c).into(),
        };
        self.add(c, self.add(even, odd)).into()
    }

    /// A NaN of the first term comes before one of the second.
    fn add(self, first: u32, second: u32) -> u32 {
        self.multiply_add(first, ONE, second)
    }

    fn multiply_add(self, a: u32, b: u32, c: u32) -> u32 {
        let [a, b, c] =
            [a, b, c].map(|bits| if self.flush_operands && is_subnormal(bits) { bits & SIGN } else { bits });
        if let Some(nan) = [a, b, c].into_iter().find(|bits| f32::from_bits(*bits).is_nan()) {
            return nan | 0x0040_0000;
        }
        let [x, y, z] = [a, b, c].map(f32::from_bits);
        let result = x.mul_add(y, z);
        match self.tiny {
            _ if result.is_nan() => DEFAULT_NAN,
            Tiny::Never => result.to_bits(),
            Tiny::Subnormal => flushed(result, is_subnormal(result.to_bits())),
            // Only a result that rounding brought up to 2^-126 needs a closer look.
            _ if result.to_bits() & !SIGN != LEAST_NORMAL => flushed(result, is_subnormal(result.to_bits())),
            Tiny::BeforeRounding => flushed(result, !reaches([x, y, z], 2f64.powi(-126))),
            // From half a unit of a 24-bit significand below 2^-126 on, rounding gives 2^-126: the tie goes to even.
            Tiny::AfterRounding => flushed(result, !reaches([x, y, z], 2f64.powi(-126) - 2f64.powi(-151))),
        }
    }
}

fn is_subnormal(bits: u32) -> bool {
    (1..LEAST_NORMAL).contains(&(bits & !SIGN))
}

fn flushed(result: f32, flush: bool) -> u32 {
    if flush { result.to_bits() & SIGN } else { result.to_bits() }
}

/// Whether the exact magnitude of x y + z, which is next to 2^-126, is at least `limit`: the product is exact in binary64,
/// and the sum and its error are together (Knuth, TwoSum).
fn reaches([x, y, z]: [f32; 3], limit: f64) -> bool {
    let (product, addend) = (f64::from(x) * f64::from(y), f64::from(z));
    let sum = product + addend;
    let part = sum - product;
    let error = (product - (sum - part)) + (addend - part);
    let (sum, error) = if sum < 0.0 { (-sum, -error) } else { (sum, error) };
    sum > limit || (sum == limit && error >= 0.0)
}
