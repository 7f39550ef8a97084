//! What the products of a prescribed sum can be: 0 and powers of two of both signs, from the last bit of the answers to the
//! largest product.

use crate::check::probe::{Bench, Fit, Sum, Value};

/// Products by number: 0 is zero, then each power of two, positive and negative, the lowest first.
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
