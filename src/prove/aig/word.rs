//! Words over literals: vectors of bits, the lowest first, in two's complement where they are signed.
//!
//! Every operation says its width; none of them guesses one.

use super::{Aig, Literal};

/// Bits of a word, the lowest first.
pub type Bits = Vec<Literal>;

/// Bits and whether the top one is a sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub bits: Bits,
    pub signed: bool,
}

impl Word {
    /// The word at another width: cut, or extended by its sign or by zeros.
    pub fn extended(&self, width: usize) -> Bits {
        let fill = if self.signed { self.bits.last().copied().unwrap_or(Literal::FALSE) } else { Literal::FALSE };
        let mut bits = self.bits.clone();
        bits.resize(width, fill);
        bits
    }
}

impl Aig {
    /// New free variables.
    pub fn word_input(&mut self, width: usize) -> Bits {
        (0..width).map(|_| self.input()).collect()
    }

    /// (a + b + carry) mod 2^width, both of that width.
    pub fn add(&mut self, a: &[Literal], b: &[Literal], carry: Literal) -> Bits {
        assert_eq!(a.len(), b.len(), "terms of a sum have one width");
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            let both = self.and(a, b);
            let passed = self.and(half, carry);
            carry = self.or(both, passed);
        }
        sum
    }

    /// (a - b) mod 2^width.
    pub fn subtract(&mut self, a: &[Literal], b: &[Literal]) -> Bits {
        let inverted: Bits = b.iter().map(|&bit| !bit).collect();
        self.add(a, &inverted, Literal::TRUE)
    }

    /// -a mod 2^width.
    pub fn negate(&mut self, a: &[Literal]) -> Bits {
        self.subtract(&vec![Literal::FALSE; a.len()], a)
    }

    /// a * b mod 2^width, both unsigned: one row of ands a bit of b.
    pub fn multiply(&mut self, a: &[Literal], b: &[Literal], width: usize) -> Bits {
        let mut sum = vec![Literal::FALSE; width];
        for (place, &bit) in b.iter().enumerate().take(width) {
            let mut row = vec![Literal::FALSE; place];
            row.extend(
                a.iter().take(width - place).map(|&other| (other, bit)).map(|(other, bit)| self.and(other, bit)),
            );
            row.resize(width, Literal::FALSE);
            sum = self.add(&sum, &row, Literal::FALSE);
        }
        sum
    }

    /// a < b, both unsigned and of one width.
    pub fn less_unsigned(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        assert_eq!(a.len(), b.len(), "compared words have one width");
        let mut less = Literal::FALSE;
        for (&a, &b) in a.iter().zip(b) {
            let below = self.and(!a, b);
            let same = !self.xor(a, b);
            let kept = self.and(same, less);
            less = self.or(below, kept);
        }
        less
    }

    /// a < b in two's complement of one width.
    pub fn less_signed(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        // With the signs inverted, the order is that of unsigned numbers.
        let flip = |bits: &[Literal]| {
            let mut bits = bits.to_vec();
            if let Some(top) = bits.last_mut() {
                *top = !*top;
            }
            bits
        };
        self.less_unsigned(&flip(a), &flip(b))
    }

    /// a = b, both of one width.
    pub fn equal(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        assert_eq!(a.len(), b.len(), "compared words have one width");
        let same: Bits = a.iter().zip(b).map(|(&a, &b)| !self.xor(a, b)).collect();
        self.all(&same)
    }

    pub fn select_word(&mut self, flag: Literal, yes: &[Literal], no: &[Literal]) -> Bits {
        assert_eq!(yes.len(), no.len(), "both choices have one width");
        yes.iter().zip(no).map(|(&yes, &no)| self.select(flag, yes, no)).collect()
    }

    /// value * 2^amount mod 2^width, the amount unsigned.
    pub fn shift_left(&mut self, value: &[Literal], amount: &[Literal]) -> Bits {
        let mirrored: Bits = value.iter().rev().copied().collect();
        self.shift_right(&mirrored, amount, Literal::FALSE).into_iter().rev().collect()
    }

    /// floor(value / 2^amount), the amount unsigned, `fill` from above.
    pub fn shift_right(&mut self, value: &[Literal], amount: &[Literal], fill: Literal) -> Bits {
        let width = value.len();
        let mut value = value.to_vec();
        for (level, &bit) in amount.iter().enumerate() {
            let distance = if level < usize::BITS as usize - 1 { 1usize << level } else { width };
            let moved: Bits = (0..width)
                .map(|place| place.checked_add(distance).and_then(|from| value.get(from)).copied().unwrap_or(fill))
                .collect();
            value = self.select_word(bit, &moved, &value);
        }
        value
    }

    /// Zeros above the leading one; the width for zero. By priority from the top.
    pub fn leading_zeros(&mut self, value: &[Literal]) -> Bits {
        let width = value.len();
        let count_width = (usize::BITS - width.leading_zeros()) as usize;
        let number =
            |count: usize| -> Bits { (0..count_width).map(|bit| Literal::constant(count >> bit & 1 == 1)).collect() };
        let mut count = number(width);
        for (place, &bit) in value.iter().enumerate() {
            count = self.select_word(bit, &number(width - 1 - place), &count);
        }
        count
    }
}
