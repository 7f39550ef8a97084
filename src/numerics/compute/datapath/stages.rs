//! The intermediate values that one evaluation leaves. Coverage and proofs read these; nothing recomputes them. What a trace
//! shows, by name, goes to the recorder of `record.rs` instead.

use super::product::Term;
use super::special::Special;
use super::unpack::Unpacked;
use crate::compute::word::{Flag, Word};

/// The sum with its leading one at the top of the window.
#[derive(Debug, Clone, Copy)]
pub struct Normalised<W: Word> {
    pub negative: W::Flag,
    /// Weight of the significand's top bit.
    pub exponent: W,
    pub significand: W,
    /// Whether the sum is exactly zero.
    pub zero: W::Flag,
}

/// The intermediate values of one evaluation. The buffers are reused from one evaluation to the next.
#[derive(Debug, Clone)]
pub struct Stages<W: Word> {
    pub unpacked_a: Vec<Unpacked<W>>,
    pub unpacked_b: Vec<Unpacked<W>>,
    pub unpacked_c: Unpacked<W>,
    /// The terms beside the addend, then the addend, if the unit has one.
    pub terms: Vec<Term<W>>,
    pub anchor: W,
    /// In units of 2^(anchor - F); the addend last.
    pub aligned: Vec<W>,
    pub sum: W,
    pub normalised: Normalised<W>,
    pub rounded: W,
    pub special: Special<W>,
    pub packed: W,
    /// Exception flags, 0 in a unit without them.
    pub flags: W,
}

impl<W: Word> Stages<W> {
    /// Empty stages for a unit of `products` products.
    pub fn new(products: u32) -> Self {
        let capacity = products as usize + 1;
        let zero = W::literal(0);
        let never = W::Flag::constant(false);
        Stages {
            unpacked_a: Vec::with_capacity(capacity),
            unpacked_b: Vec::with_capacity(capacity),
            unpacked_c: Unpacked {
                negative: never,
                exponent: zero,
                significand: zero,
                zero: never,
                infinite: never,
                nan: never,
            },
            terms: Vec::with_capacity(capacity),
            anchor: zero,
            aligned: Vec::with_capacity(capacity),
            sum: zero,
            normalised: Normalised { negative: never, exponent: zero, significand: zero, zero: never },
            rounded: zero,
            special: Special::default(),
            packed: zero,
            flags: zero,
        }
    }
}
