//! One walk over sums of signed powers of two: what its products can be, a proposal, what it costs, whether it is taken.

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::check::probe::{Bench, Fit, Sum, Value};
use crate::infer::random::below;

/// What the products of a prescribed sum can be, by number: 0 is zero, then each power of two, positive and negative, from the
/// last bit of the answers to the largest product.
pub(super) struct Letters {
    /// Encodings of a and b of each.
    operands: Vec<(u64, u64)>,
    /// Exponent of the lowest power.
    lowest: i32,
}

impl Letters {
    /// The products whose factors the formats have; `None` where one between the lowest and the largest is missing.
    pub fn new(bench: &Bench, lowest: i32) -> Option<Letters> {
        let operands = |value: Value| {
            let vector = bench.vector(&Sum::default().at(0, value), Fit::EXACT)?;
            Some((vector.a[0], vector.b[0]))
        };
        let highest = bench.a.exponent_max() + bench.b.exponent_max();
        let powers = (lowest..=highest).flat_map(|exponent| [Value::power(exponent), -Value::power(exponent)]);
        let zero = [Some((bench.a.zero(false), bench.b.zero(false)))];
        let operands = zero.into_iter().chain(powers.map(operands)).collect::<Option<Vec<_>>>()?;
        (operands.len() > 1).then_some(Letters { operands, lowest })
    }

    pub fn count(&self) -> usize {
        self.operands.len()
    }

    pub fn operands(&self, letter: u16) -> (u64, u64) {
        self.operands[usize::from(letter)]
    }

    /// The letter of a power of two; the nearest one for exponents that there are not.
    pub fn power(&self, exponent: i32, negative: bool) -> u16 {
        let place = (exponent - self.lowest).clamp(0, (self.operands.len() as i32 - 1) / 2 - 1);
        (1 + 2 * place + i32::from(negative)) as u16
    }

    /// The letter of the power `bit` binades above the lowest.
    pub fn at(&self, bit: i32, negative: bool) -> u16 {
        self.power(self.lowest + bit, negative)
    }

    /// The letter of the other sign.
    pub fn negated(&self, letter: u16) -> u16 {
        if letter == 0 { 0 } else { ((letter - 1) ^ 1) + 1 }
    }

    /// The letter `binades` higher, or the last one in that direction.
    pub fn raised(&self, letter: u16, binades: i32) -> u16 {
        match letter {
            0 => 0,
            _ => self.power(self.lowest + i32::from((letter - 1) / 2) + binades, letter.is_multiple_of(2)),
        }
    }
}

/// Powers of two that a wrong answer can cost at most.
const COST_MAX: u32 = 8;
/// A sum that costs n more is taken once in so many to the power of n.
const RELUCTANCE: usize = 16;
/// Proposals without a better sum after which a walk starts anew.
const PATIENCE: u32 = 10_000;

/// A sum as letters by position, and the one that it may become.
pub(super) struct Walk {
    letters: Vec<u16>,
    /// Places from the first on that are changed; the products after them stay 0.
    length: usize,
    pub proposed: Vec<u16>,
    /// What each answer lacks, as multiples of the lowest power; none for answers that are no such number.
    errors: Vec<Option<i64>>,
    proposed_errors: Vec<Option<i64>>,
    cost: u32,
    /// What the proposal costs, as far as engines have answered, and the most that is taken.
    proposed_cost: u32,
    limit: u32,
    best: u32,
    /// Proposals since the best one; more than the patience, as at first: the next one begins anew.
    stale: u32,
}

/// Signed powers of two that add up to the number, the fewest that do (the non-adjacent form; Reitwiesner 1960): bit and
/// sign of each.
fn powers(number: i64) -> impl Iterator<Item = (i32, bool)> {
    let (positive, triple) = (number.unsigned_abs() as u128, 3 * number.unsigned_abs() as u128);
    let (plus, minus) = ((triple & !positive) >> 1, (positive & !triple) >> 1);
    (0..64)
        .filter(move |bit| (plus | minus) >> bit & 1 == 1)
        .map(move |bit| (bit, (minus >> bit & 1 == 1) != (number < 0)))
}

fn weight(error: Option<i64>) -> u32 {
    error.map_or(COST_MAX, |error| (powers(error).count() as u32).min(COST_MAX))
}

/// Letters that the answers and their differences are made of.
pub(super) fn hints(wanted: &[i64], letters: &Letters) -> Vec<u16> {
    let mut hints = Vec::new();
    for (place, &left) in wanted.iter().enumerate() {
        for &right in wanted[..place].iter().chain(&[0]) {
            for (bit, negative) in powers(left.wrapping_sub(right)) {
                let letter = letters.at(bit, negative);
                hints.extend([letter, letters.negated(letter)]);
            }
        }
    }
    hints.sort_unstable();
    hints.dedup();
    if hints.is_empty() { vec![1, 2] } else { hints }
}

impl Walk {
    pub fn new(products: usize, engines: usize) -> Walk {
        Walk {
            letters: vec![0; products],
            length: products,
            proposed: vec![0; products],
            errors: vec![None; engines],
            proposed_errors: vec![None; engines],
            cost: u32::MAX,
            proposed_cost: 0,
            limit: u32::MAX,
            best: u32::MAX,
            stale: u32::MAX,
        }
    }

    /// Begins with nothing. Every other time the last products stay 0, at most half of them: where the last of several runs has
    /// few products, engines differ more easily.
    fn start(&mut self, random: &mut Xoshiro256PlusPlus) {
        let count = self.letters.len();
        self.length = count - if below(random, 2) == 0 { 0 } else { below(random, count / 2 + 1) };
        self.letters.fill(0);
        self.errors.fill(None);
        (self.cost, self.best, self.stale) = (u32::MAX, u32::MAX, 0);
    }

    /// Changes a copy of the sum: one or several small changes.
    pub fn propose(&mut self, letters: &Letters, hints: &[u16], random: &mut Xoshiro256PlusPlus) {
        if self.stale > PATIENCE {
            self.start(random);
        }
        self.proposed.clone_from(&self.letters);
        loop {
            self.change(letters, hints, random);
            if below(random, 3) > 0 {
                break;
            }
        }
        let worse = (0..COST_MAX).take_while(|_| below(random, RELUCTANCE) == 0).count() as u32;
        (self.proposed_cost, self.limit) = (0, self.cost.saturating_add(worse));
    }

    fn change(&mut self, letters: &Letters, hints: &[u16], random: &mut Xoshiro256PlusPlus) {
        let count = self.length;
        let (place, other) = (below(random, count), below(random, count));
        let hint = hints[below(random, hints.len())];
        let any = below(random, letters.count()) as u16;
        match below(random, 14) {
            0 | 1 => self.proposed.swap(place, other),
            2 => self.proposed[place] = 0,
            3 => self.proposed[place] = hint,
            4 => self.proposed[place] = any,
            5 => {
                // A pair that cancels.
                let letter = if below(random, 3) == 0 { hint } else { any };
                self.proposed[other] = letters.negated(letter);
                self.proposed[place] = letter;
            }
            6 => {
                // All of one magnitude, a few binades up or down.
                let letter = self.proposed[place];
                let binades = [-2, -1, 1, 2][below(random, 4)];
                let both = [letter, letters.negated(letter)];
                let moved = |own: &u16| if both.contains(own) { letters.raised(*own, binades) } else { *own };
                self.proposed = self.proposed.iter().map(moved).collect();
            }
            7 => self.proposed[place] = letters.negated(self.proposed[place]),
            8 => self.repair(place, letters, random),
            9 => {
                // A term moves to another place, and those between make room.
                let letter = self.proposed.remove(place);
                self.proposed.insert(other, letter);
            }
            _ => {
                // One more of a power that is there already, of either sign.
                let there = (0..count).map(|step| self.proposed[(other + step) % count]).find(|&letter| letter > 0);
                let letter = there.unwrap_or(hint);
                self.proposed[place] = if below(random, 2) == 0 { letter } else { letters.negated(letter) };
            }
        }
    }

    /// Puts a power of two that a wrong answer lacks at that place.
    fn repair(&mut self, place: usize, letters: &Letters, random: &mut Xoshiro256PlusPlus) {
        let wrong: Vec<i64> = self.errors.iter().flatten().copied().filter(|error| *error != 0).collect();
        if wrong.is_empty() {
            return;
        }
        let lacking: Vec<(i32, bool)> = powers(wrong[below(random, wrong.len())]).collect();
        let (bit, negative) = lacking[below(random, lacking.len())];
        self.proposed[place] = letters.at(bit, negative);
    }

    /// Whether the proposal may still be taken.
    pub fn hopes(&self) -> bool {
        self.proposed_cost <= self.limit
    }

    /// Hears what the answer of an engine lacks.
    pub fn hear(&mut self, engine: usize, error: Option<i64>) {
        self.proposed_errors[engine] = error;
        self.proposed_cost += weight(error);
    }

    /// Takes the proposal or leaves it. Whether it is the end: the proposal costs nothing.
    pub fn decide(&mut self) -> bool {
        self.stale += 1;
        if self.hopes() {
            self.letters.clone_from(&self.proposed);
            self.errors.clone_from(&self.proposed_errors);
            self.cost = self.proposed_cost;
            if self.cost < self.best {
                (self.best, self.stale) = (self.cost, 0);
            }
            if self.cost == 0 {
                return true;
            }
        }
        false
    }
}
