//! Schemes of summation, and what each says of itself.

use serde::{Deserialize, Serialize};

use crate::describe::words::words_of;

/// How the terms are summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// All products and the addend are aligned to one anchor, cut, and added as integers (NVIDIA; Fasi et al. 2021, section 3).
    Fused,
    /// One product after the other is added, each sum rounded once: a chain of fused multiply-adds (IEEE 754-2019, 5.4.1).
    FmaChain,
    /// Two such chains from +0, over the products of even and of odd index; then their sum, then c (Intel AMX).
    EvenOddChain,
    /// Rounded products, a balanced tree of rounded additions, then c (AMD CDNA2; Arm BFDOT).
    Pairwise,
    /// One pair of products after the other is added: the exact sum of the two, rounded once, then its sum with what came before,
    /// rounded once more (Arm BFDOT and BFMMLA with extended BFloat16 behaviour: FPDot, then FPAdd, Arm DDI 0487).
    PairChain,
    /// Products and addend are integers, added exactly; the sum wraps or saturates once (PTX `mma` with .s32).
    Integer,
    /// Products, or exact sums of groups of them, carry the scales of their blocks into the alignment (OCP Microscaling;
    /// Xie et al., arXiv 2511.10909).
    BlockScaled,
    /// The exact sum of the products and the addend, rounded once (CDNA1; Xie et al., arXiv 2511.10909).
    Exact,
    /// Products are aligned, cut and added as integers; that sum and the addend are aligned and cut once more, then added
    /// and converted (CDNA3; Xie et al., arXiv 2511.10909).
    FusedThenAdd,
    /// The file lists the summation steps; no word of unit files.
    #[serde(skip_deserializing)]
    Steps,
}

/// What schemes have in common that share a plan, a datapath text and a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// One sum of all terms, aligned to one anchor.
    Fused,
    /// A sum of integers.
    Integer,
    /// A list of steps, written as such or by a name.
    Steps,
}

impl Scheme {
    /// Every scheme, the simplest first: those with fewer parameters. In this order inference prefers them.
    pub const ALL: [Scheme; 9] = [
        Scheme::Integer,
        Scheme::Exact,
        Scheme::FmaChain,
        Scheme::EvenOddChain,
        Scheme::Pairwise,
        Scheme::PairChain,
        Scheme::Fused,
        Scheme::BlockScaled,
        Scheme::FusedThenAdd,
    ];

    pub fn family(self) -> Family {
        match self {
            // The window of an exact sum holds every bit.
            Scheme::Fused | Scheme::Exact => Family::Fused,
            Scheme::Integer => Family::Integer,
            _ => Family::Steps,
        }
    }

    /// Whether it is made of operations that round their results to the format of d.
    pub fn rounds_each_operation(self) -> bool {
        matches!(self, Scheme::FmaChain | Scheme::EvenOddChain | Scheme::Pairwise | Scheme::PairChain)
    }

    /// Whether its unit files have the table `alignment`.
    pub fn has_window(self) -> bool {
        matches!(self, Scheme::Fused | Scheme::BlockScaled | Scheme::FusedThenAdd)
    }

    /// What the number of products is a multiple of.
    pub fn products_multiple_of(self) -> u32 {
        match self {
            Scheme::EvenOddChain | Scheme::PairChain => 2,
            _ => 1,
        }
    }

    /// Whether blocks of it, each of which is given the result of the one before for c, are one longer sum, as long as products are
    /// added in ascending order.
    pub fn is_a_chain(self) -> bool {
        matches!(self, Scheme::FmaChain | Scheme::PairChain)
    }

    /// Name in unit files.
    pub fn name(self) -> &'static str {
        if self == Scheme::Steps { "steps" } else { words_of::<Scheme>()[self as usize] }
    }
}

impl Family {
    pub const ALL: [Family; 3] = [Family::Fused, Family::Integer, Family::Steps];
}
