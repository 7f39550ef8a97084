//! The sum of a unit whose file lists its steps.

use crate::describe::arithmetic::{InputSubnormals, Step, ZeroSign};
use crate::describe::format::Format;

/// A list of steps, and the fields above it in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepList {
    pub permutation: Permutation,
    /// Wider formats as whose numbers a, b and c enter.
    pub widened: [Option<Format>; 3],
    /// Subnormal c, and results of earlier links in a format, where a step does not say otherwise.
    pub addend: InputSubnormals,
    /// Sign of a sum that is zero, where a step does not say otherwise.
    pub zero: ZeroSign,
    pub steps: Vec<Step>,
}

impl Default for StepList {
    fn default() -> StepList {
        StepList {
            permutation: Permutation::None,
            widened: [const { None }; 3],
            addend: InputSubnormals::Kept,
            zero: ZeroSign::Ieee,
            steps: Vec::new(),
        }
    }
}

/// The order of products in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Permutation {
    /// Their own.
    None,
    Descending,
    /// Those of index 0, 1, 4, 5, ... and then those of index 2, 3, 6, 7, ...
    InterleavedPairs,
    Listed(Vec<u32>),
}

impl Permutation {
    /// Index of each product of the list; nothing where they keep their own order.
    pub fn indices(&self, products: u32) -> Vec<u32> {
        let pairs = |odd: u32| (0..products).filter(move |index| index / 2 % 2 == odd);
        match self {
            Permutation::None => Vec::new(),
            Permutation::Descending => (0..products).rev().collect(),
            Permutation::InterleavedPairs => pairs(0).chain(pairs(1)).collect(),
            Permutation::Listed(indices) => indices.clone(),
        }
    }
}
