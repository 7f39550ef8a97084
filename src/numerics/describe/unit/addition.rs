//! The table `addition` of a unit that adds the addend to the sum of its products: its fields, reading it, and what
//! contradicts it. Computes nothing.

use serde::{Deserialize, Serialize};

use super::check::{EXPONENT_FLOORS, Problem, problem};
use super::file::{FileError, Reader};
use super::tables::AdditionTable;
use super::{AlignmentRounding, Scheme, Unit};

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
    /// Infinity of its sign, from the power of two on that follows the binades of d.
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

impl Reader<'_> {
    pub(super) fn addition(&self, table: AdditionTable) -> Result<Addition, FileError> {
        let sum_fraction_bits = self.number("addition.sum_fraction_bits", table.sum_fraction_bits, 1, 100)?;
        let addend = "addition.addend_fraction_bits";
        let addend_fraction_bits = self.number(addend, table.addend_fraction_bits, 1, sum_fraction_bits)?;
        let (low, high) = EXPONENT_FLOORS;
        let floor = self.number_or("addition.exponent_floor", table.exponent_floor, "none", low.into(), high.into())?;
        let reach =
            self.number_or("addition.addend_reach", table.addend_reach, "unlimited", 0, ADDEND_REACH_MAX.into())?;
        let total = match table.total_fraction_bits {
            Some(bits) => {
                let most = TOTAL_FRACTION_BITS_MAX.into();
                self.number_or("addition.total_fraction_bits", bits, "unlimited", 0, most)?
            }
            None => None,
        };
        Ok(Addition {
            groups: table.groups,
            product_overflow: table.product_overflow,
            sum_fraction_bits: sum_fraction_bits as u32,
            addend_fraction_bits: addend_fraction_bits as u32,
            rounding: table.rounding,
            exponent_floor: floor.map(|value| value as i32),
            addend_reach: reach.map(|value| value as u32),
            total_fraction_bits: total.map(|value| value as u32),
        })
    }
}

impl Unit {
    /// Checks the table against the rest of the unit.
    pub(super) fn check_addition(&self) -> Result<(), Problem> {
        match (self.scheme, &self.addition) {
            (Scheme::FusedThenAdd, Some(addition)) => {
                let (sum, addend) = (addition.sum_fraction_bits, addition.addend_fraction_bits);
                if addend > sum {
                    let allowed = format!("1 to {sum}, the fraction bits of the sum");
                    return Err(problem("addition.addend_fraction_bits", addend, allowed));
                }
                self.check_groups(addition.groups)
            }
            (Scheme::FusedThenAdd, None) => {
                Err(problem("addition", "missing", "a table: scheme = \"fused-then-add\" says how c is added"))
            }
            (_, Some(_)) => Err(problem(
                "addition",
                "a table",
                "none: only scheme = \"fused-then-add\" adds c to a sum of products",
            )),
            (_, None) => Ok(()),
        }
    }

    fn check_groups(&self, groups: Groups) -> Result<(), Problem> {
        match self.products.is_multiple_of(groups.count()) {
            true => Ok(()),
            false => Err(problem("products", self.products, "an even number, for addition.groups = \"even-odd\"")),
        }
    }
}
