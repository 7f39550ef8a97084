//! Bit-parallel simulation: 64 patterns in each machine word, blocks of words a node.
//!
//! It never decides by sampling: a caller that tried all patterns knows, one that tried some knows only what it saw.

use super::{Aig, Literal, Node};

/// Words of a block: 512 patterns at once.
const BLOCK: usize = 8;

/// Values of the inputs: a row of words an input, 64 patterns a word.
#[derive(Debug, Clone)]
pub struct Patterns {
    pub words: usize,
    pub rows: Vec<Vec<u64>>,
}

/// Values of every node.
pub struct Values {
    words: usize,
    bits: Vec<u64>,
}

impl Values {
    /// Words of one literal.
    pub fn of(&self, literal: Literal) -> impl Iterator<Item = u64> + '_ {
        let flip = flip(literal);
        self.row(literal.node()).iter().map(move |word| word ^ flip)
    }

    /// Words of one node.
    pub fn row(&self, node: usize) -> &[u64] {
        &self.bits[node * self.words..(node + 1) * self.words]
    }

    /// One pattern's value of a literal.
    pub fn bit(&self, literal: Literal, pattern: usize) -> bool {
        (self.row(literal.node())[pattern / 64] >> (pattern % 64) & 1 == 1) != literal.inverted()
    }
}

/// The values of all nodes on some patterns.
pub fn simulate(aig: &Aig, patterns: &Patterns) -> Values {
    let words = patterns.words;
    let mut bits = vec![0u64; aig.nodes().len() * words];
    for (node, what) in aig.nodes().iter().enumerate() {
        let (before, own) = bits.split_at_mut(node * words);
        match *what {
            Node::Constant => {}
            Node::Input(index) => own[..words].copy_from_slice(&patterns.rows[index as usize]),
            Node::And(a, b) => {
                let row = |literal: Literal| &before[literal.node() * words..(literal.node() + 1) * words];
                let (left, right, flip_a, flip_b) = (row(a), row(b), flip(a), flip(b));
                for (value, (left, right)) in own[..words].iter_mut().zip(left.iter().zip(right)) {
                    *value = (left ^ flip_a) & (right ^ flip_b);
                }
            }
        }
    }
    Values { words, bits }
}

/// The first of all 2^inputs patterns for which a literal holds, as values of the inputs; `None`: for no pattern at all.
pub fn first_difference(aig: &Aig, target: Literal) -> Option<Vec<bool>> {
    let inputs = aig.inputs().len();
    assert!(inputs <= 32, "2^{inputs} patterns are too many");
    let mut rows = vec![[0; BLOCK]; target.node() + 1];
    for start in (0..1u64 << inputs).step_by(64 * BLOCK) {
        for (node, what) in aig.nodes()[..=target.node()].iter().enumerate() {
            match *what {
                Node::Constant => {}
                Node::Input(index) => rows[node] = counted_block(index as usize, start),
                Node::And(a, b) => rows[node] = both(&rows[a.node()], flip(a), &rows[b.node()], flip(b)),
            }
        }
        for (index, word) in rows[target.node()].iter().map(|word| word ^ flip(target)).enumerate() {
            if word != 0 {
                let pattern = start + 64 * index as u64 + u64::from(word.trailing_zeros());
                // Inputs beyond the last pattern count as zero.
                return Some((0..inputs).map(|input| pattern >> input & 1 == 1).collect());
            }
        }
    }
    None
}

/// What a literal changes in the words of its node.
fn flip(literal: Literal) -> u64 {
    if literal.inverted() { u64::MAX } else { 0 }
}

/// A block where both rows hold, each flipped or not. All that an exhaustive search does is done here: counted by hand, it is quick
/// without optimisation too.
fn both(left: &[u64; BLOCK], flip_left: u64, right: &[u64; BLOCK], flip_right: u64) -> [u64; BLOCK] {
    let (mut block, mut word) = ([0; BLOCK], 0);
    while word < BLOCK {
        block[word] = (left[word] ^ flip_left) & (right[word] ^ flip_right);
        word += 1;
    }
    block
}

/// Bit `input` of the numbers of a block from `start` on.
fn counted_block(input: usize, start: u64) -> [u64; BLOCK] {
    std::array::from_fn(|word| counted(input, start + 64 * word as u64))
}

/// Bit `input` of the numbers `start .. start + 64`, one a place.
fn counted(input: usize, start: u64) -> u64 {
    const LOW: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    match LOW.get(input) {
        Some(word) => *word,
        None if start >> input & 1 == 1 => u64::MAX,
        None => 0,
    }
}
