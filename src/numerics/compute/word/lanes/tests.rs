//! Every operation on several words at a time against the machine word of 1,024 bits.

use std::array;
use std::marker::PhantomData;

use bnum::cast::As;
use bnum::types::I1024;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::*;
use crate::compute::word::{Machine, Word1024};
use crate::isa::Isa;
use crate::lanes::{LANES_MAX, Level, WithLevel, Work, with_level};

/// An integer for each lane of the widest register.
type Numbers = [I1024; LANES_MAX];

fn register<L: Lanes, const N: usize>(numbers: &Numbers) -> LaneWords<L, N> {
    let mut registers = [L::of(0); N];
    for (i, register) in registers.iter_mut().enumerate() {
        let words: [u64; LANES_MAX] = array::from_fn(|lane| (numbers[lane] >> (64 * i as u32)).as_::<u64>());
        *register = L::load(&words);
    }
    LaneWords(registers)
}

fn numbers_of<L: Lanes, const N: usize>(register: LaneWords<L, N>) -> Vec<I1024> {
    let mut words = [[0; LANES_MAX]; N];
    for (words, register) in words.iter_mut().zip(register.0) {
        register.store(words);
    }
    let number = |lane: usize| {
        let top = (words[N - 1][lane] as i64).as_::<I1024>();
        words[..N - 1].iter().rev().fold(top, |all, word| (all << 64) | word[lane].as_::<I1024>())
    };
    (0..L::COUNT).map(number).collect()
}

/// Numbers of 0 or more with at most that many bits; one in four has few ones, so that carries run far.
fn numbers(random: &mut Xoshiro256PlusPlus, bits: u32) -> Numbers {
    array::from_fn(|_| {
        let words = (0..bits.div_ceil(64)).map(|_| match random.next_u64() % 4 {
            0 => [0, u64::MAX, 1, 1 << 63][random.next_u64() as usize % 4],
            _ => random.next_u64(),
        });
        let all = words.fold(I1024::from_i64(0), |all, word| (all << 64) | word.as_::<I1024>());
        all & ((I1024::from_i64(1) << (random.next_u64() as u32 % (bits + 1))) - I1024::from_i64(1))
    })
}

fn signed(random: &mut Xoshiro256PlusPlus, bits: u32) -> Numbers {
    numbers(random, bits).map(|number| if random.next_u64().is_multiple_of(2) { number } else { -number })
}

trait FromI64 {
    fn from_i64(value: i64) -> Self;
}

impl FromI64 for I1024 {
    fn from_i64(value: i64) -> I1024 {
        value.as_::<I1024>()
    }
}

/// An operation on two numbers, one of 0 or more, and amounts.
#[inline(always)]
fn check<L: Lanes, const N: usize>(random: &mut Xoshiro256PlusPlus) {
    let bits = 64 * N as u32;
    let [x, y] = [(); 2].map(|()| signed(random, bits - 2));
    let [p, q] = [(); 2].map(|()| signed(random, bits / 2 - 1));
    let u = numbers(random, bits - 2);
    let amounts: Numbers = array::from_fn(|_| I1024::from_i64((random.next_u64() % u64::from(bits + 80)) as i64));
    let lefts: Numbers = array::from_fn(|_| I1024::from_i64((random.next_u64() % u64::from(bits / 2)) as i64));
    let amount = random.next_u64() as u32 % bits;
    let width = 1 + random.next_u64() as u32 % (bits - 2);
    let word = |numbers: &Numbers| register::<L, N>(numbers);
    let scalar = |number: I1024| -> Word1024 { Machine(number) };
    let equal = |what: &str, found: LaneWords<L, N>, expected: &dyn Fn(usize) -> Word1024| {
        let expected: Vec<I1024> = (0..L::COUNT).map(|lane| expected(lane).wrap(bits).0).collect();
        assert_eq!(
            numbers_of(found),
            expected,
            "{what}, {N} words: {x:?}, {y:?}, {u:?}, {amounts:?}, {amount}, {width}"
        );
    };
    equal("sum", word(&x) + word(&y), &|i| scalar(x[i]) + scalar(y[i]));
    equal("difference", word(&x) - word(&y), &|i| scalar(x[i]) - scalar(y[i]));
    equal("product", word(&p) * word(&q), &|i| scalar(p[i]) * scalar(q[i]));
    equal("negation", -word(&x), &|i| -scalar(x[i]));
    equal("left by lanes", word(&p).shift_left_by(word(&lefts)), &|i| scalar(p[i]).shift_left_by(scalar(lefts[i])));
    equal("right by lanes", word(&u).shift_right_by(word(&amounts)), &|i| {
        scalar(u[i]).shift_right_by(scalar(amounts[i]))
    });
    equal("left", word(&p).shift_left(amount / 2), &|i| scalar(p[i]).shift_left(amount / 2));
    let whole: Numbers = array::from_fn(|_| I1024::from_i64(64 * (random.next_u64() % (N as u64 / 2 + 1)) as i64));
    equal("left by whole words, by lanes", word(&p).shift_left_by(word(&whole)), &|i| {
        scalar(p[i]).shift_left_by(scalar(whole[i]))
    });
    for words in 0..=N as u32 / 2 {
        equal("left by whole words", word(&p).shift_left(64 * words), &|i| scalar(p[i]).shift_left(64 * words));
    }
    equal("right", word(&u).shift_right(amount), &|i| scalar(u[i]).shift_right(amount));
    let low = amount % (bits - width);
    equal("field", word(&u).field(low, width), &|i| scalar(u[i]).field(low, width));
    equal("wrapped", word(&x).wrap(width), &|i| scalar(x[i]).wrap(width));
    equal("leading zeros", word(&u).leading_zeros(bits - 2), &|i| scalar(u[i]).leading_zeros(bits - 2));
    equal("greater", word(&x).maximum(word(&y)), &|i| scalar(x[i]).maximum(scalar(y[i])));
    equal("lesser", word(&p).minimum(word(&q)), &|i| scalar(p[i]).minimum(scalar(q[i])));
    let flags = |what: &str, found: Flags<L::Mask>, expected: &dyn Fn(usize) -> bool| {
        let mut found_lanes = [0; LANES_MAX];
        L::where_set(found.0, 1).store(&mut found_lanes);
        (0..L::COUNT).for_each(|i| assert_eq!(found_lanes[i] == 1, expected(i), "{what}, {N} words: {x:?}, {u:?}"));
    };
    flags("bit", word(&u).bit(amount), &|i| scalar(u[i]).bit(amount));
    flags("less", word(&x).less_than(word(&y)), &|i| x[i] < y[i]);
    flags("equal", word(&x).equals(word(&x)), &|_| true);
    flags("equal to another", word(&p).equals(word(&q)), &|i| p[i] == q[i]);
    flags("zero", word(&q).is_zero(), &|i| q[i] == I1024::from_i64(0));
}

struct Check<L>(PhantomData<L>);

impl<L: Lanes> Work<Xoshiro256PlusPlus, ()> for Check<L> {
    #[inline(always)]
    fn run(random: &mut Xoshiro256PlusPlus, (): &mut ()) {
        check::<L, 2>(random);
        check::<L, 4>(random);
        check::<L, 6>(random);
        check::<L, 16>(random);
    }
}

struct OnLevel<'a>(&'a mut Xoshiro256PlusPlus);

impl WithLevel for OnLevel<'_> {
    type Output = ();

    fn run<S: Level>(self) {
        S::Lanes64::call::<_, _, Check<S::Lanes64>>(self.0, &mut ());
    }
}

#[test]
fn words_of_several_registers_compute_as_machine_words() {
    for isa in Isa::supported() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        for _ in 0..1500 {
            with_level(isa, OnLevel(&mut random));
        }
    }
}
