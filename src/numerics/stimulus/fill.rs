//! Batches of vectors: classes take turns from vector to vector, and lanes from one turn of all classes to the next.
//!
//! ```text
//!   vector   0  1  2  3  4  5  6  7 ...     of three classes: lane 0, then lane 1, and so on
//!   class    A  B  C  A  B  C  A  B
//!   lane     0  0  0  1  1  1  2  2
//! ```

use std::marker::PhantomData;
use std::ops::Range;

use super::draw::{Draw, Source};
use super::vectors::Vectors;
use super::{CHUNK, Stimulus};
use crate::engine::Batch;
use crate::isa::Isa;
use crate::lanes::{LANES_MAX, Lanes, Level, Single, WithLevel, Work, with_level};

impl Stimulus {
    /// Fills `batch` with the first `count` vectors from chunk `chunk` on.
    ///
    /// # Panics
    /// The batch has vectors of another number of products.
    pub fn fill(&self, chunk: u64, count: usize, batch: &mut Batch) {
        assert!(batch.products() as usize == self.shape.products, "the batch fits the stimulus");
        // Whole rounds; what is beyond a chunk's last vector is drawn over by the next chunk, or dropped.
        let whole = count.saturating_sub(1) / CHUNK * CHUNK;
        batch.resize(whole + (count - whole).next_multiple_of(self.round()));
        for (chunk, first) in (chunk..).zip((0..count).step_by(CHUNK)) {
            let rows = first..first + CHUNK.min(count - first).next_multiple_of(self.round());
            self.fill_rounds(chunk, rows, batch);
        }
        batch.resize(count);
    }

    /// Fills some rows with the first rounds of a chunk.
    fn fill_rounds(&self, chunk: u64, rows: Range<usize>, batch: &mut Batch) {
        self.fill_at(Isa::best(), chunk, rows, batch);
    }

    /// The same with instructions of some level.
    fn fill_at(&self, isa: Isa, chunk: u64, rows: Range<usize>, batch: &mut Batch) {
        with_level(isa, FillRounds { stimulus: self, chunk, rows, batch });
    }

    /// Fills the vectors of some lanes of a chunk.
    #[inline(always)]
    fn fill_lanes<L: Lanes>(&self, chunk: u64, first_lane: usize, rows: Range<usize>, batch: &mut Batch) {
        let mut source = Source::new(self.seed, chunk, first_lane);
        let mut vectors: Vectors<L> = Vectors::new(&self.shape, first_lane);
        // Rounds are counted so that none is cut short by every chunk's end.
        vectors.round = chunk * (CHUNK / self.round()) as u64;
        for first in rows.step_by(self.round()) {
            self.fill_round(first, &mut vectors, &mut source, batch);
        }
    }

    /// Vectors that are drawn together.
    #[inline]
    fn lanes(&self) -> usize {
        if self.short { Single::<u32>::TOGETHER } else { Single::<u64>::TOGETHER }
    }

    /// Vectors of one turn of all classes in every lane.
    #[inline]
    fn round(&self) -> usize {
        self.classes.len() * self.lanes()
    }

    /// Fills one round of all classes in some lanes, from vector `first` of the batch on.
    #[inline(always)]
    fn fill_round<L: Lanes>(&self, first: usize, vectors: &mut Vectors<L>, source: &mut Source<L>, batch: &mut Batch) {
        let turn = self.classes.len();
        let (products, scales) = (self.shape.products, self.shape.scales);
        for (number, &class) in self.classes.iter().enumerate() {
            match &self.scaled {
                Some(scaled) => scaled.generate(class, vectors, &mut Draw::new(source)),
                None => class.generate(vectors, source),
            }
            let rows = Rows { first_lane: vectors.first_lane, turn, number };
            let own = |width: usize| first * width..(first + self.round()) * width;
            rows.store(&vectors.a, &mut batch.a[own(products)]);
            rows.store(&vectors.b, &mut batch.b[own(products)]);
            rows.store(&vectors.scale_a, &mut batch.scale_a[own(scales)]);
            rows.store(&vectors.scale_b, &mut batch.scale_b[own(scales)]);
            let c = if self.shape.has_addend { vectors.c } else { L::of(0) };
            rows.store(&[c], &mut batch.c[own(1)]);
        }
        vectors.round += 1;
    }
}

/// Some rows of a batch that get the first rounds of a chunk.
struct FillRounds<'a> {
    stimulus: &'a Stimulus,
    chunk: u64,
    rows: Range<usize>,
    batch: &'a mut Batch,
}

impl WithLevel for FillRounds<'_> {
    type Output = ();

    fn run<S: Level>(mut self) {
        match self.stimulus.short {
            true => S::Lanes32::call::<_, _, Fill<S::Lanes32>>(&mut self, &mut ()),
            false => S::Lanes64::call::<_, _, Fill<S::Lanes64>>(&mut self, &mut ()),
        }
    }
}

/// Fills rows, as many lanes at a time as there are.
struct Fill<L>(PhantomData<L>);

impl<L: Lanes> Work<FillRounds<'_>, ()> for Fill<L> {
    #[inline(always)]
    fn run(FillRounds { stimulus, chunk, rows, batch }: &mut FillRounds, (): &mut ()) {
        for first_lane in (0..L::TOGETHER).step_by(L::COUNT) {
            stimulus.fill_lanes::<L>(*chunk, first_lane, rows.clone(), batch);
        }
    }
}

/// Which rows of a round the lanes are.
struct Rows {
    first_lane: usize,
    /// From one lane to the next.
    turn: usize,
    /// Of the class.
    number: usize,
}

impl Rows {
    /// Writes operands, one in each column of the rows.
    #[inline(always)]
    fn store<L: Lanes>(&self, operands: &[L], rows: &mut [u64]) {
        let width = operands.len();
        let first = self.first_lane * self.turn + self.number;
        let (fours, others) = operands.as_chunks::<4>();
        if others.is_empty() {
            let (rows, _) = rows.as_chunks_mut::<4>();
            for (number, four) in fours.iter().enumerate() {
                L::store_rows(four, rows, first * fours.len() + number, self.turn * fours.len());
            }
            return;
        }
        let mut words = [0; LANES_MAX];
        for (number, operand) in operands.iter().enumerate() {
            operand.store(&mut words);
            for lane in 0..L::COUNT {
                rows[(first + lane * self.turn) * width + number] = words[lane];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::Class;
    use super::*;
    use crate::describe::catalogue;

    /// Every lane by itself draws what all draw together, on each level that the processor has.
    #[test]
    fn lanes_together_and_one_by_one() {
        for isa in Isa::ALL.into_iter().filter(|isa| !isa.is_supported()) {
            crate::skip::skip(&format!("stimulus-{}", isa.name()), format!("this processor has no {}", isa.title()));
        }
        for unit in catalogue::units() {
            let stimulus = Stimulus::shaped(&unit, 7);
            for (chunk, rounds) in [(0, 40), (3, 1), (4, 0)] {
                let rows = rounds * stimulus.round();
                let drawn = |isa: Isa| {
                    let mut batch = stimulus.empty_batch();
                    batch.resize(rows);
                    stimulus.fill_at(isa, chunk, 0..rows, &mut batch);
                    batch
                };
                let single = drawn(Isa::Portable);
                for isa in Isa::supported() {
                    assert!(drawn(isa) == single, "{}, {rounds} rounds of chunk {chunk} on {}", unit.name, isa.title());
                }
            }
        }
    }

    /// A short chunk is the beginning of a longer one, no two chunks are alike, and several are one after the other.
    #[test]
    fn chunks_and_their_beginnings() {
        let unit = catalogue::unit("tiny-exact").expect("a unit");
        let stimulus = Stimulus::shaped(&unit, 7);
        let drawn = |chunk: u64, count: usize| {
            let mut batch = stimulus.empty_batch();
            stimulus.fill(chunk, count, &mut batch);
            (0..count).map(|v| batch.vector(v)).collect::<Vec<_>>()
        };
        let (whole, other) = (drawn(2, CHUNK), drawn(3, CHUNK));
        assert_eq!(whole[..77], drawn(2, 77));
        assert_ne!(whole, other);
        let several = drawn(2, 2 * CHUNK + 77);
        assert!(several == [&whole[..], &other, &drawn(4, 77)].concat());
        assert!(drawn(2, 0).is_empty());
    }

    /// The class that is said of a vector is the one that drew it: only one of these two has an addend of zero.
    #[test]
    fn classes_of_vectors() {
        let unit = catalogue::unit("volta-fp16-fp32").expect("a unit");
        let stimulus = Stimulus::of_classes(&unit, 7, vec![Class::Close, Class::Floor, Class::CarryOut]);
        let mut batch = stimulus.empty_batch();
        for chunk in 0..2 {
            stimulus.fill(chunk, CHUNK, &mut batch);
            for v in 0..CHUNK {
                let of_floor = stimulus.class_of(chunk * CHUNK as u64 + v as u64) == Class::Floor;
                assert_eq!(batch.c[v] << 33 == 0, of_floor, "vector {v} of chunk {chunk}");
            }
        }
    }

    /// Every special value comes to stand in every place.
    #[test]
    fn special_values_in_every_place() {
        for name in ["volta-fp16-fp32", "ada-e4m3-fp32", "tiny-scaled"] {
            let unit = catalogue::unit(name).expect("a unit");
            let stimulus = Stimulus::of_classes(&unit, 7, vec![Class::Close, Class::SpecialPosition]);
            let mut batch = stimulus.empty_batch();
            let mut wanted = HashSet::new();
            let shape = &stimulus.shape;
            let formats = [&shape.a, &shape.b, &shape.scale_operands[0], &shape.scale_operands[1], &shape.c];
            let counts = [shape.products, shape.products, shape.scales, shape.scales, 1];
            let places = formats.into_iter().zip(counts).flat_map(|(format, count)| vec![format; count]);
            for (place, format) in places.enumerate() {
                wanted.extend(format.specials.iter().map(|value| (place, *value)));
            }
            for chunk in 0..4 {
                stimulus.fill(chunk, CHUNK, &mut batch);
                for v in (1..CHUNK).step_by(2) {
                    batch.vector(v).operands().enumerate().for_each(|placed| {
                        wanted.remove(&placed);
                    });
                }
            }
            assert!(wanted.is_empty(), "{name}: {wanted:?}");
        }
    }
}
