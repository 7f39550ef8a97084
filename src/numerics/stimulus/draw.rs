//! Random numbers for the generators: a stream of its own in every lane, cheap enough not to slow a co-simulation.

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use crate::lanes::{LANES_MAX, Lanes, Work};

/// Random bits behind a number of a range; ranges are much shorter.
const RANGE_BITS: u32 = 16;

/// Words that are drawn ahead of need.
const AHEAD: usize = 32;

/// A seeded source of random numbers.
#[derive(Debug, Clone)]
pub struct Source<L> {
    /// Of xoshiro256++, or xoshiro128++ in lanes of 32 bits (Blackman and Vigna).
    state: [L; 4],
    ahead: [L; AHEAD],
    /// How many words of those that were drawn ahead are used up.
    used: usize,
    /// Choices that all lanes share, so that they take the same way.
    pub shared: Shared,
}

/// Draws words ahead.
struct DrawAhead;

impl<L: Lanes> Work<Source<L>, ()> for DrawAhead {
    #[inline(always)]
    fn run(source: &mut Source<L>, (): &mut ()) {
        let [mut s0, mut s1, mut s2, mut s3] = source.state;
        for word in &mut source.ahead {
            let shifted = if L::BITS == 64 {
                *word = (s0 + s3).rotate_left::<23>() + s0;
                s1.shift_left(17)
            } else {
                *word = (s0 + s3).rotate_left::<7>() + s0;
                s1.shift_left(9)
            };
            s2 = s2 ^ s0;
            s3 = s3 ^ s1;
            s1 = s1 ^ s2;
            s0 = s0 ^ s3;
            s2 = s2 ^ shifted;
            s3 = if L::BITS == 64 { s3.rotate_left::<45>() } else { s3.rotate_left::<11>() };
        }
        source.state = [s0, s1, s2, s3];
        source.used = 0;
    }
}

/// What seeds the streams of a chunk. The generator's state is a counter, and starts of neighbouring chunks that were counts
/// of the same step would give their lanes the same streams: so the start is a random number itself.
fn seeds(seed: u64, chunk: u64) -> SplitMix64 {
    let hashed = |number: u64| SplitMix64::seed_from_u64(number).next_u64();
    SplitMix64::seed_from_u64(hashed(hashed(seed) ^ chunk))
}

impl<L: Lanes> Source<L> {
    /// The streams of lanes `first_lane` and following of one chunk of vectors.
    #[inline(always)]
    pub fn new(seed: u64, chunk: u64, first_lane: usize) -> Source<L> {
        let mut seeds = seeds(seed, chunk);
        let shared = Shared(Xoshiro256PlusPlus::from_rng(&mut seeds));
        let mut words = [[0; LANES_MAX]; 4];
        words.iter_mut().for_each(|lanes| lanes[..L::TOGETHER].fill_with(|| seeds.next_u64()));
        let state = words.map(|lanes| L::load(&lanes[first_lane..]));
        Source { state, ahead: [L::of(0); AHEAD], used: AHEAD, shared }
    }
}

/// What one generator draws. It begins with a new word, so that words always run out at the same places, which the processor
/// foresees; and it is the generator's own, so that what is left of a word stays in a register.
#[derive(Debug)]
pub struct Draw<'s, L> {
    pub source: &'s mut Source<L>,
    spare: L,
    spare_bits: u32,
}

impl<'s, L: Lanes> Draw<'s, L> {
    #[inline(always)]
    pub fn new(source: &'s mut Source<L>) -> Draw<'s, L> {
        Draw { source, spare: L::of(0), spare_bits: 0 }
    }

    /// As many random bits as a lane has.
    #[inline(always)]
    pub fn word(&mut self) -> L {
        if self.source.used >= AHEAD {
            L::call::<Source<L>, (), DrawAhead>(self.source, &mut ());
        }
        let word = self.source.ahead[self.source.used];
        self.source.used += 1;
        word
    }

    /// `count` random bits, 1 to 31, taken from a word that several draws share.
    #[inline(always)]
    pub fn bits(&mut self, count: u32) -> L {
        if self.spare_bits < count {
            self.spare = self.word();
            self.spare_bits = L::BITS;
        }
        let bits = self.spare & L::of((1 << count) - 1);
        self.spare = self.spare.shift_right(count);
        self.spare_bits -= count;
        bits
    }

    /// A random sign: 1 for a negative number.
    #[inline(always)]
    pub fn sign(&mut self) -> L {
        self.bits(1)
    }

    /// A random truth value.
    #[inline(always)]
    pub fn flip(&mut self) -> L::Mask {
        self.bits(1).equals(L::of(1))
    }

    /// True once in 2^bits.
    #[inline(always)]
    pub fn rarely(&mut self, bits: u32) -> L::Mask {
        self.bits(bits).equals(L::of(0))
    }

    /// A number of `0..count`, nearly uniform; `count` is 1 at least, and far below 2^16.
    #[inline(always)]
    pub fn below(&mut self, count: L) -> L {
        self.bits(RANGE_BITS).times_short(count).shift_right(RANGE_BITS)
    }

    /// A number of `low..=high`; `low` where the range is empty.
    #[inline(always)]
    pub fn between(&mut self, low: i32, high: i32) -> L {
        self.below(L::of(i64::from(high.max(low) - low + 1))).plus(low)
    }

    /// The same with ends that were computed.
    #[inline(always)]
    pub fn within(&mut self, low: L, high: L) -> L {
        low + self.below((high - low).maximum(L::of(0)).plus(1))
    }

    /// A random member of a list that is not empty.
    #[inline(always)]
    pub fn choose(&mut self, values: &[u64]) -> L {
        let index = self.below(L::of(values.len() as i64));
        pick(values, index)
    }
}

/// The member of a list with that index; the last one beyond it.
#[inline(always)]
pub fn pick<L: Lanes>(values: &[u64], index: L) -> L {
    let Some((last, others)) = values.split_last() else { return L::of(0) };
    others.iter().enumerate().fold(L::of(*last as i64), |found, (i, &value)| {
        L::select(index.equals(L::of(i as i64)), L::of(value as i64), found)
    })
}

/// Random choices between ways of drawing.
#[derive(Debug, Clone)]
pub struct Shared(Xoshiro256PlusPlus);

impl Shared {
    /// A random truth value.
    #[inline]
    pub fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    /// A number of `0..count`.
    #[inline]
    pub fn below(&mut self, count: u64) -> u64 {
        ((self.0.next_u64() >> 32) * count) >> 32
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand_xoshiro::Xoshiro128PlusPlus;

    use super::*;
    use crate::lanes::Single;

    fn drawn<L: Lanes>(draw: &mut Draw<L>, lane: usize) -> u64 {
        let mut lanes = [0; LANES_MAX];
        draw.word().store(&mut lanes[lane..]);
        lanes[lane]
    }

    /// No lane of a chunk has the stream of another lane of any other chunk, nor do their words overlap soon.
    fn streams_of<L: Lanes>() {
        let mut words = HashSet::new();
        for number in 0..16 * 64 * L::TOGETHER {
            let (seed, chunk, lane) = (number / L::TOGETHER / 64, number / L::TOGETHER % 64, number % L::TOGETHER);
            let mut source: Source<L> = Source::new(seed as u64, chunk as u64, lane);
            let mut draw = Draw::new(&mut source);
            let mut last = [0; 3];
            for count in 0..10 {
                last = [last[1], last[2], drawn(&mut draw, lane)];
                assert!(count < 2 || words.insert(last), "seed {seed}, chunk {chunk}, lane {lane}");
            }
        }
    }

    #[test]
    fn streams_differ() {
        streams_of::<Single<u32>>();
        streams_of::<Single<u64>>();
    }

    /// Each lane is a stream of the published generator.
    #[test]
    fn lanes_are_streams_of_xoshiro() {
        fn states<L: Lanes>() -> [[u64; LANES_MAX]; 4] {
            let mut seeds = seeds(5, 0);
            let _ = Xoshiro256PlusPlus::from_rng(&mut seeds);
            let mut words = [[0; LANES_MAX]; 4];
            words.iter_mut().for_each(|lanes| lanes[..L::TOGETHER].fill_with(|| seeds.next_u64()));
            words
        }
        for lane in 0..Single::<u64>::TOGETHER {
            let seed = states::<Single<u64>>().map(|lanes| lanes[lane].to_le_bytes());
            let mut published = Xoshiro256PlusPlus::from_seed(seed.as_flattened().try_into().expect("32 bytes"));
            let mut source: Source<Single<u64>> = Source::new(5, 0, lane);
            let mut draw = Draw::new(&mut source);
            (0..3 * AHEAD).for_each(|_| assert_eq!(drawn(&mut draw, lane), published.next_u64()));
        }
        for lane in 0..Single::<u32>::TOGETHER {
            let seed = states::<Single<u32>>().map(|lanes| (lanes[lane] as u32).to_le_bytes());
            let mut published = Xoshiro128PlusPlus::from_seed(seed.as_flattened().try_into().expect("16 bytes"));
            let mut source: Source<Single<u32>> = Source::new(5, 0, lane);
            let mut draw = Draw::new(&mut source);
            (0..3 * AHEAD).for_each(|_| assert_eq!(drawn(&mut draw, lane), u64::from(published.next_u32())));
        }
    }
}
