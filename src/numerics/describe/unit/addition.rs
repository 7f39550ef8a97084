//! How a unit adds the addend to the sum of its products.

use serde::{Deserialize, Serialize};

use super::AlignmentRounding;

/// The greatest `addition.addend_reach`; one that is greater would be unlimited.
pub const ADDEND_REACH_MAX: u32 = 4400;

/// The greatest `addition.total_fraction_bits`, as of every window.
pub const TOTAL_FRACTION_BITS_MAX: u32 = 100;

/// Which products share an anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Groups {
    /// All products.
    One,
    /// The products of even index, and those of odd index.
    EvenOdd,
}

impl Groups {
    /// Number of groups. Product i belongs to group i modulo this number.
    pub fn count(self) -> u32 {
        match self {
            Groups::One => 1,
            Groups::EvenOdd => 2,
        }
    }
}

/// What a finite product is that no finite result is as large as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProductOverflow {
    /// A term like any other.
    None,
    /// Infinity of its sign, from the power of two on that follows the binade of d's largest number.
    Infinity,
}

/// How the sum of products and the addend are added. E is the greatest of the anchors, the exponent of a nonzero addend and
/// the floor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Addition {
    pub groups: Groups,
    pub product_overflow: ProductOverflow,
    /// Fraction bits below E kept of the sum of products.
    pub sum_fraction_bits: u32,
    /// Fraction bits below E kept of the addend; not more than of the sum.
    pub addend_fraction_bits: u32,
    /// Of the sum, of the addend, and of the sum of each group where the groups meet.
    pub rounding: AlignmentRounding,
    /// Least value of E; `None` where only the terms decide.
    pub exponent_floor: Option<i32>,
    /// An addend whose exponent lies further below E counts as zero; `None` where none does.
    pub addend_reach: Option<u32>,
    /// Fraction bits kept of the total, below its leading one or the least exponent of d, whichever is higher; what lies
    /// below is rounded downward. `None` where all are kept.
    pub total_fraction_bits: Option<u32>,
}

impl Addition {
    /// What is neither cut nor limited, of no bits.
    pub(super) const PLAIN: Addition = Addition {
        groups: Groups::One,
        product_overflow: ProductOverflow::None,
        sum_fraction_bits: 0,
        addend_fraction_bits: 0,
        rounding: AlignmentRounding::TowardZero,
        exponent_floor: None,
        addend_reach: None,
        total_fraction_bits: None,
    };
}
