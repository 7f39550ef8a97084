//! Random numbers for the generators, cheap enough not to slow a co-simulation.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// A seeded source of random numbers.
pub struct Draw {
    generator: Xoshiro256PlusPlus,
    spare: u64,
    spare_bits: u32,
}

impl Draw {
    pub fn new(generator: Xoshiro256PlusPlus) -> Draw {
        Draw { generator, spare: 0, spare_bits: 0 }
    }

    /// 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// `count` random bits, 1 to 32, taken from a shared word.
    #[inline]
    pub fn bits(&mut self, count: u32) -> u64 {
        if self.spare_bits < count {
            self.spare = self.generator.next_u64();
            self.spare_bits = 64;
        }
        let bits = self.spare & ((1 << count) - 1);
        self.spare >>= count;
        self.spare_bits -= count;
        bits
    }

    /// A random truth value.
    #[inline]
    pub fn flip(&mut self) -> bool {
        self.bits(1) == 1
    }

    /// True once in 2^bits.
    #[inline]
    pub fn rarely(&mut self, bits: u32) -> bool {
        self.bits(bits) == 0
    }

    /// A number of `0..count`, nearly uniform; `count` up to 2^16.
    #[inline]
    pub fn below(&mut self, count: usize) -> usize {
        ((self.bits(32) * count as u64) >> 32) as usize
    }

    /// A number of `low..=high`.
    #[inline]
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1).max(1) as usize) as i32
    }
}
