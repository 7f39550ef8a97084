//! Every operation of every register against one lane at a time.

use std::marker::PhantomData;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::*;

/// Random words, of which every fourth is one at which carries, signs and shifts change.
fn words(random: &mut Xoshiro256PlusPlus) -> [u64; LANES_MAX] {
    const EDGES: [u64; 10] = [0, 1, 31, 32, 63, 64, 1 << 31, 1 << 63, u32::MAX as u64, u64::MAX];
    std::array::from_fn(|_| match random.next_u64() % 4 {
        0 => EDGES[random.next_u64() as usize % EDGES.len()],
        1 => random.next_u64() >> (random.next_u64() % 64),
        _ => random.next_u64(),
    })
}

/// What is computed of two lists of words, and what came of it, list after list.
struct Task {
    x: [u64; LANES_MAX],
    y: [u64; LANES_MAX],
    amount: u32,
    results: Vec<Vec<u64>>,
}

struct Compute<L>(PhantomData<L>);

impl<L: Lanes> Work<Task, ()> for Compute<L> {
    #[inline(always)]
    fn run(Task { x, y, amount, results }: &mut Task, (): &mut ()) {
        for first in (0..L::TOGETHER).step_by(L::COUNT) {
            let (x, y, amount) = (L::load(&x[first..]), L::load(&y[first..]), *amount % L::BITS);
            let ones = |mask: L::Mask| L::select(mask, L::of(-1), L::of(0));
            let columns = [x, y, x + y, x - y];
            let mut rows = [[0; 4]; 3 * LANES_MAX];
            L::store_rows(&columns, &mut rows, 1, 3);
            let [p, q, r, s] = L::load_rows(&rows, 1, 3);
            let low = L::of(0xffff_ffff);
            let all = [
                x + y,
                x - y,
                x * y,
                x & y,
                x | y,
                x ^ y,
                (x & low).times_short(y & low),
                x.shift_left(amount),
                x.shift_right(amount),
                x.shift_right_signed(amount),
                x.shift_left_by(y),
                x.shift_right_by(y),
                x.rotate_left::<7>(),
                x.leading_zeros(),
                ones(x.equals(y)),
                ones(x.equals(x)),
                ones(x.less_than(y)),
                ones(x.is_below(y)),
                ones(x.bit(amount)),
                ones(!x.bit(amount) ^ x.less_than(y) & L::Mask::all(true) | L::Mask::all(false)),
                x.minimum(y),
                x.maximum(y),
                p ^ q ^ r,
                s,
                L::of(i64::from(x.equals(y).any())),
            ];
            for (number, lanes) in all.into_iter().enumerate() {
                let mut words = [0; LANES_MAX];
                lanes.store(&mut words);
                results.resize(results.len().max(all.len()), Vec::new());
                results[number].extend(&words[..L::COUNT]);
            }
        }
    }
}

/// What is computed of numbers of binary32 and of 16 bits.
struct ComputeSingles<L>(PhantomData<L>);

impl<L: Singles> Work<Task, ()> for ComputeSingles<L> {
    #[inline(always)]
    fn run(Task { x, y, results, .. }: &mut Task, (): &mut ()) {
        let (mut singles, mut shorts) = ([0f32; LANES_MAX], [0i16; 2 * LANES_MAX]);
        for lane in 0..LANES_MAX {
            // Below 2^30.
            singles[lane] = (x[lane] as i32 >> 2) as f32 * 0.75;
            shorts[2 * lane..][..2].copy_from_slice(&[x[lane] as i16, (y[lane] >> 16) as i16]);
        }
        for first in (0..LANES_MAX).step_by(L::COUNT) {
            let one = L::load_singles(&singles[first..]);
            let integer = L::load(&y[first..]).shift_right_signed(8);
            let pairs = L::load_shorts(&shorts[2 * first..]);
            let other = L::load(&y[first..]);
            let mut stored = [0.0; LANES_MAX];
            one.store_singles(&mut stored);
            let [low, high] = pairs.widened_shorts();
            let all = [
                one.integer_of_single(),
                integer.single_of_integer(),
                one.times_single(integer.single_of_integer()),
                L::load_singles(&stored),
                pairs.add_shorts(other),
                pairs.maximum_shorts(other),
            ];
            results.resize(7, Vec::new());
            for (number, lanes) in all.into_iter().enumerate() {
                let mut words = [0; LANES_MAX];
                lanes.store(&mut words);
                results[number].extend(&words[..L::COUNT]);
            }
            for half in [low, high] {
                let mut words = [0; LANES_MAX];
                half.store(&mut words);
                results[6].extend(&words[..L::COUNT]);
            }
        }
    }
}

struct OnLevel<'a>(&'a mut [Task; 3]);

impl WithLevel for OnLevel<'_> {
    type Output = ();

    fn run<S: Level>(self) {
        let [short, long, singles] = self.0;
        S::Lanes32::call::<_, _, Compute<S::Lanes32>>(short, &mut ());
        S::Lanes64::call::<_, _, Compute<S::Lanes64>>(long, &mut ());
        S::Lanes32::call::<_, _, ComputeSingles<S::Lanes32>>(singles, &mut ());
    }
}

#[test]
fn registers_compute_as_single_lanes() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    // Miri takes seconds for each.
    for _ in 0..if cfg!(miri) { 3 } else { 2000 } {
        let (x, y, amount) = (words(&mut random), words(&mut random), random.next_u64() as u32);
        let computed = |isa: Isa| {
            let mut tasks = std::array::from_fn(|_| Task { x, y, amount, results: Vec::new() });
            with_level(isa, OnLevel(&mut tasks));
            tasks.map(|task| task.results)
        };
        let expected = computed(Isa::Portable);
        assert_eq!(expected[0].len(), 25);
        for isa in Isa::supported() {
            let found = computed(isa);
            for (kind, (expected, found)) in expected.iter().zip(&found).enumerate() {
                for (number, (expected, found)) in expected.iter().zip(found).enumerate() {
                    // Whether any lane is equal depends on how many lanes there are.
                    if kind < 2 && number == 24 {
                        continue;
                    }
                    assert_eq!(expected, found, "kind {kind}, result {number} on {}: {x:x?}, {y:x?}", isa.title());
                }
            }
        }
    }
}

/// A mask holds somewhere exactly where one of its lanes does.
#[test]
fn masks_that_hold_somewhere() {
    struct Any;

    impl WithLevel for Any {
        type Output = Vec<bool>;

        fn run<S: Level>(self) -> Vec<bool> {
            let mut found = Vec::new();
            S::Lanes32::call::<_, _, AnyOf<S::Lanes32>>(&mut found, &mut ());
            S::Lanes64::call::<_, _, AnyOf<S::Lanes64>>(&mut found, &mut ());
            found
        }
    }

    struct AnyOf<L>(PhantomData<L>);

    impl<L: Lanes> Work<Vec<bool>, ()> for AnyOf<L> {
        #[inline(always)]
        fn run(found: &mut Vec<bool>, (): &mut ()) {
            for lane in 0..L::COUNT {
                let mut words = [0; LANES_MAX];
                words[lane] = 5;
                let lanes = L::load(&words);
                let (holds, fails) = (lanes.equals(L::of(5)), lanes.equals(L::of(6)));
                found.extend([holds.any(), !fails.any(), !(holds & fails).any(), (!holds | holds).any()]);
            }
        }
    }

    for isa in Isa::supported() {
        assert!(with_level(isa, Any).into_iter().all(|right| right), "{}", isa.title());
    }
}
