//! Random operands of the bfloat16 instructions: any bits, and such as bring sums to the edges of the format.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tensorsmith::engine::Matrices;

/// What the numbers are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Random bit patterns.
    Bits,
    /// Numbers within some binades of each other.
    Close,
    /// Products of 2^-126, and others next to its last place.
    LeastNormal,
    /// Products next to the largest number.
    Greatest,
    /// Zeros, subnormal numbers, small integers, infinities and NaN.
    Special,
}

pub const KINDS: [Kind; 5] = [Kind::Bits, Kind::Close, Kind::LeastNormal, Kind::Greatest, Kind::Special];

const ORDINARY: [u16; 12] =
    [0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x807f, 0x3f80, 0xbf80, 0x4000, 0x0080, 0x8080, 0x3400];
const EXTREME: [u16; 8] = [0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc1, 0xffd5, 0x7f81, 0xffa2];

/// A seeded source of operands.
pub struct Operands(Xoshiro256PlusPlus);

impl Operands {
    pub fn new(seed: u64) -> Operands {
        Operands(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    fn below(&mut self, limit: u64) -> u64 {
        ((self.0.next_u64() >> 32) * limit) >> 32
    }

    /// A sign, an exponent field from `first` on, and a fraction, upper bits of a word.
    fn number(&mut self, first: u64, count: u64) -> u64 {
        let exponent = first + self.below(count);
        (self.0.next_u64() & 0x807f_ffff) | exponent << 23
    }

    /// A binary32 number.
    fn word(&mut self, kind: Kind) -> u64 {
        match kind {
            Kind::Bits => self.0.next_u64() >> 32,
            Kind::Close => self.number(117, 20),
            Kind::Greatest => self.number(251, 4),
            Kind::LeastNormal => match self.below(2) {
                0 => self.0.next_u64() & 0x8000_0000,
                _ => self.number(0, 3),
            },
            Kind::Special => match self.below(2) {
                0 => u64::from(self.special()) << 16 | self.below(3),
                _ => u64::from(self.special()) << 16,
            },
        }
    }

    /// A bfloat16 number.
    fn factor(&mut self, kind: Kind) -> u64 {
        match kind {
            Kind::Greatest => self.number(188, 4) >> 16 & 0xffff,
            Kind::Special => self.special().into(),
            Kind::LeastNormal => match self.below(8) {
                // 2^-63, whose square is 2^-126.
                0 | 1 => (self.0.next_u64() & 0x8000) | 64 << 7,
                // About 2^-75, whose square is next to half of its last place.
                2 | 3 => self.number(49, 6) >> 16 & 0xffff,
                4 => (self.number(49, 6) >> 16) & 0xff80,
                _ => self.0.next_u64() & 0x8000,
            },
            _ => self.word(kind) >> 16,
        }
    }

    fn special(&mut self) -> u16 {
        let extreme = self.below(64) == 0;
        let numbers: &[u16] = if extreme { &EXTREME } else { &ORDINARY };
        numbers[self.below(numbers.len() as u64) as usize]
    }

    /// Matrices of one kind, with bfloat16 factors and binary32 addends.
    pub fn matrices(&mut self, kind: Kind, [m, n, k]: [usize; 3]) -> Matrices {
        Matrices {
            m,
            n,
            k,
            a: (0..m * k).map(|_| self.factor(kind)).collect(),
            b: (0..k * n).map(|_| self.factor(kind)).collect(),
            c: (0..m * n).map(|_| self.word(kind)).collect(),
            ..Matrices::default()
        }
    }

    /// A number of `bits` random bits.
    pub fn bits(&mut self, bits: u32) -> u64 {
        self.0.next_u64() >> (64 - bits)
    }
}

/// Column `column` of B.
pub fn column(matrices: &Matrices, column: usize) -> Vec<u64> {
    (0..matrices.k).map(|k| matrices.b[k * matrices.n + column]).collect()
}
