//! Words of and-inverter graphs against machine integers, simulation, extraction and formats.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tensorsmith::prove::aig::{Aig, Bits, Cnf, Literal, Patterns, Word, first_difference, simulate, to_aiger};

const WIDTH: usize = 5;
const MASK: u64 = (1 << WIDTH) - 1;

/// An operation on words beside the same on machine integers.
type Case = (&'static str, fn(&mut Aig, &[Literal], &[Literal]) -> Bits, fn(u64, u64) -> u64);

fn signed(value: u64) -> i64 {
    ((value << (64 - WIDTH)) as i64) >> (64 - WIDTH)
}

const CASES: [Case; 11] = [
    ("add", |aig, a, b| aig.add(a, b, Literal::FALSE), |a, b| a + b),
    ("subtract", |aig, a, b| aig.subtract(a, b), |a, b| a.wrapping_sub(b)),
    ("negate", |aig, a, _| aig.negate(a), |a, _| a.wrapping_neg()),
    ("multiply", |aig, a, b| aig.multiply(a, b, 2 * WIDTH), |a, b| a * b),
    ("less_unsigned", |aig, a, b| vec![aig.less_unsigned(a, b)], |a, b| u64::from(a < b)),
    ("less_signed", |aig, a, b| vec![aig.less_signed(a, b)], |a, b| u64::from(signed(a) < signed(b))),
    ("equal", |aig, a, b| vec![aig.equal(a, b)], |a, b| u64::from(a == b)),
    ("shift_left", |aig, a, b| aig.shift_left(a, b), |a, b| a << b),
    ("shift_right", |aig, a, b| aig.shift_right(a, b, Literal::FALSE), |a, b| a >> b),
    ("shift_right_signed", |aig, a, b| aig.shift_right(a, b, a[WIDTH - 1]), |a, b| (signed(a) >> b.min(63)) as u64),
    ("leading_zeros", |aig, a, _| aig.leading_zeros(a), |a, _| u64::from(a.leading_zeros()) - (64 - WIDTH as u64)),
];

fn value(values: &tensorsmith::prove::aig::Values, bits: &[Literal], pattern: usize) -> u64 {
    bits.iter().enumerate().fold(0, |all, (place, &bit)| all | u64::from(values.bit(bit, pattern)) << place)
}

#[test]
fn word_operations_machine_integers_exhaustive() {
    for (name, operation, expected) in CASES {
        let mut aig = Aig::default();
        let (a, b) = (aig.word_input(WIDTH), aig.word_input(WIDTH));
        let result = operation(&mut aig, &a, &b);
        let patterns = 1usize << (2 * WIDTH);
        let row = |bit: usize| {
            (0..patterns / 64)
                .map(|word| (0..64).fold(0, |all, p| all | ((64 * word + p) as u64 >> bit & 1) << p))
                .collect()
        };
        let values = simulate(&aig, &Patterns { words: patterns / 64, rows: (0..2 * WIDTH).map(row).collect() });
        let mask = (1u64 << result.len()) - 1;
        for pattern in 0..patterns {
            let (left, right) = (pattern as u64 & MASK, pattern as u64 >> WIDTH);
            let (got, wanted) = (value(&values, &result, pattern), expected(left, right) & mask);
            assert_eq!(got, wanted, "{name} of {left} and {right}");
        }
    }
}

#[test]
fn first_difference_finds_the_only_pattern() {
    for wanted in [0u64, 1, 63, 64, 511, 512, 40_000, 65_535] {
        let mut aig = Aig::default();
        let bits = aig.word_input(16);
        let number: Bits = (0..16).map(|bit| Literal::constant(wanted >> bit & 1 == 1)).collect();
        let target = aig.equal(&bits, &number);
        let found = first_difference(&aig, target).expect("one pattern");
        let found = found.iter().enumerate().fold(0u64, |all, (bit, &value)| all | u64::from(value) << bit);
        assert_eq!(found, wanted);
        assert_eq!(first_difference(&aig, Literal::FALSE), None);
    }
}

#[test]
fn extracted_graphs_of_equal_functions_are_equal() {
    let mut aig = Aig::default();
    let words: Vec<Bits> = (0..4).map(|_| aig.word_input(8)).collect();
    let one = aig.add(&words[0], &words[1], Literal::FALSE);
    let two = aig.add(&words[2], &words[3], Literal::FALSE);
    let other = aig.subtract(&words[2], &words[3]);
    let [one, two, other] = [one, two, other].map(|roots| aig.extract(&roots));
    assert_eq!((one.aig.nodes(), &one.roots), (two.aig.nodes(), &two.roots));
    assert_ne!(one.aig.nodes(), other.aig.nodes());
    assert_eq!(one.inputs.iter().filter(|input| **input < 16).count(), 16, "its own inputs");
}

#[test]
fn structural_hashing_folds_what_is_constant() {
    let mut aig = Aig::default();
    let (a, b) = (aig.input(), aig.input());
    let both = aig.and(a, b);
    assert_eq!(aig.and(b, a), both);
    assert_eq!(aig.and(a, !a), Literal::FALSE);
    assert_eq!(aig.and(a, both), both);
    assert_eq!(aig.and(!a, both), Literal::FALSE);
    let neither = aig.and(!a, b);
    assert_eq!(aig.and(a, !neither), a);
    assert_eq!(aig.nodes().len(), 5);
}

#[test]
fn words_are_extended_by_sign_or_zeros() {
    let bits: Bits = vec![Literal::TRUE, Literal::TRUE];
    assert_eq!(Word { bits: bits.clone(), signed: true }.extended(4), vec![Literal::TRUE; 4]);
    let zeros = Word { bits: bits.clone(), signed: false }.extended(4);
    assert_eq!(zeros, [Literal::TRUE, Literal::TRUE, Literal::FALSE, Literal::FALSE]);
    assert_eq!(Word { bits, signed: true }.extended(1), [Literal::TRUE]);
}

#[test]
fn dimacs_and_aiger_say_what_the_graph_says() {
    let mut aig = Aig::default();
    let (a, b) = (aig.input(), aig.input());
    let both = aig.and(a, !b);
    assert_eq!(to_aiger(&aig, &[!both]), "aag 3 2 0 1 1\n2\n4\n7\n6 5 2\n");
    let cnf = Cnf::of(&aig);
    assert_eq!(cnf.to_dimacs(), "p cnf 4 4\n-1 0\n-4 2 0\n-4 -3 0\n4 -2 3 0\n");
    assert_eq!(Cnf::from_dimacs(&cnf.to_dimacs()), Ok(cnf.clone()));
    for broken in ["", "p cnf 4 5\n-1 0\n", "p cnf 1 1\n2 0\n", "p cnf 1 1\nx 0\n", "p cnf 1 1\n1\n"] {
        assert!(Cnf::from_dimacs(broken).is_err(), "{broken:?}");
    }
}

#[test]
fn simulation_words_machine_integers_random() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut aig = Aig::default();
    let (a, b) = (aig.word_input(24), aig.word_input(24));
    let product = aig.multiply(&a, &b, 48);
    let rows = (0..48).map(|_| vec![random.next_u64(); 1]).collect();
    let values = simulate(&aig, &Patterns { words: 1, rows });
    for pattern in 0..64 {
        let [left, right] = [&a, &b].map(|word| value(&values, word, pattern));
        assert_eq!(value(&values, &product, pattern), left * right);
    }
}
