//! Every operation on several words at a time against the machine word of 1,024 bits.

use std::array;

use bnum::cast::As;
use bnum::types::I1024;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::*;
use crate::compute::word::{Machine, Word1024};
use crate::isa::Isa;

type Lanes = [I1024; LANES];

/// Whether the processor has the registers; where it has none the check is skipped.
fn has_registers() -> bool {
    if !Isa::Avx512.is_supported() {
        crate::skip::skip("words-avx512", "this processor has no AVX-512");
    }
    Isa::Avx512.is_supported()
}

fn register<const N: usize>(lanes: &Lanes) -> VectorWords<N> {
    let word = |i: usize| Encodings(array::from_fn(|lane| (lanes[lane] >> (64 * i as u32)).as_::<u64>()));
    VectorWords(array::from_fn(|i| VectorWords::<N>::encoding(word(i)).0[0]))
}

fn lanes<const N: usize>(register: VectorWords<N>) -> Lanes {
    let words: [Encodings; N] = array::from_fn(|i| VectorWords([register.0[i]; N]).low_bits());
    array::from_fn(|lane| {
        let top = (words[N - 1].0[lane] as i64).as_::<I1024>();
        words[..N - 1].iter().rev().fold(top, |all, word| (all << 64) | word.0[lane].as_::<I1024>())
    })
}

/// Numbers of 0 or more with at most that many bits; one in four has few ones, so that carries run far.
fn numbers(random: &mut Xoshiro256PlusPlus, bits: u32) -> Lanes {
    array::from_fn(|_| {
        let words = (0..bits.div_ceil(64)).map(|_| match random.next_u64() % 4 {
            0 => [0, u64::MAX, 1, 1 << 63][random.next_u64() as usize % 4],
            _ => random.next_u64(),
        });
        let all = words.fold(I1024::from_i64(0), |all, word| (all << 64) | word.as_::<I1024>());
        all & ((I1024::from_i64(1) << (random.next_u64() as u32 % (bits + 1))) - I1024::from_i64(1))
    })
}

fn signed(random: &mut Xoshiro256PlusPlus, bits: u32) -> Lanes {
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
fn check<const N: usize>(random: &mut Xoshiro256PlusPlus) {
    let bits = 64 * N as u32;
    let [x, y] = [(); 2].map(|()| signed(random, bits - 2));
    let [p, q] = [(); 2].map(|()| signed(random, bits / 2 - 1));
    let u = numbers(random, bits - 2);
    let amounts: Lanes = array::from_fn(|_| I1024::from_i64((random.next_u64() % u64::from(bits + 80)) as i64));
    let lefts: Lanes = array::from_fn(|_| I1024::from_i64((random.next_u64() % u64::from(bits / 2)) as i64));
    let amount = random.next_u64() as u32 % bits;
    let width = 1 + random.next_u64() as u32 % (bits - 2);
    let word = |lanes: &Lanes| register::<N>(lanes);
    let scalar = |number: I1024| -> Word1024 { Machine(number) };
    let equal = |what: &str, found: VectorWords<N>, expected: &dyn Fn(usize) -> Word1024| {
        let expected: Lanes = array::from_fn(|lane| expected(lane).wrap(bits).0);
        assert_eq!(lanes(found), expected, "{what}, {N} words: {x:?}, {y:?}, {u:?}, {amounts:?}, {amount}, {width}");
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
    let whole: Lanes = array::from_fn(|_| I1024::from_i64(64 * (random.next_u64() % (N as u64 / 2 + 1)) as i64));
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
    let flags = |what: &str, found: Flags8, expected: &dyn Fn(usize) -> bool| {
        (0..LANES).for_each(|i| assert_eq!(found.0 >> i & 1 == 1, expected(i), "{what}, {N} words: {x:?}, {u:?}"));
    };
    flags("bit", word(&u).bit(amount), &|i| scalar(u[i]).bit(amount));
    flags("less", word(&x).less_than(word(&y)), &|i| x[i] < y[i]);
    flags("equal", word(&x).equals(word(&x)), &|_| true);
    flags("equal to another", word(&p).equals(word(&q)), &|i| p[i] == q[i]);
    flags("zero", word(&q).is_zero(), &|i| q[i] == I1024::from_i64(0));
    assert_eq!(word(&x).is_signed(width), x.iter().all(|number| scalar(*number).wrap(width).0 == *number));
    assert_eq!(word(&u).is_unsigned(width), u.iter().all(|number| *number >> width == I1024::from_i64(0)));
}

#[test]
fn words_of_several_registers_compute_as_machine_words() {
    if !has_registers() {
        return;
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for _ in 0..3000 {
        check::<2>(&mut random);
        check::<4>(&mut random);
        check::<6>(&mut random);
        check::<16>(&mut random);
    }
}

#[test]
fn claims_that_do_not_hold_are_caught() {
    if !has_registers() {
        return;
    }
    let mut numbers: Lanes = [I1024::from_i64(5); LANES];
    assert!(register::<2>(&numbers).lies_in(&(5..=5)) && register::<2>(&numbers).is_unsigned(3));
    numbers[7] = I1024::from_i64(-6);
    let word = register::<2>(&numbers);
    assert!(word.lies_in(&(-6..=5)) && !word.lies_in(&(-5..=5)) && !word.lies_in(&(-6..=4)));
    assert!(word.is_signed(4) && !word.is_signed(3) && !word.is_unsigned(100));
}
