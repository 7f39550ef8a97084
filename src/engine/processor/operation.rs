//! Which instruction a unit's description is that of.

use crate::describe::arithmetic::Shape;
use crate::describe::format::{Format, Overflow, Rounding};
use crate::describe::unit::Unit;

/// Instructions on tile registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TileOperation {
    /// Pairs of bfloat16, a chain of the even and a chain of the odd ones, binary32 result.
    Tdpbf16ps,
    /// int8, exact, int32 result that wraps.
    Tdpbssd,
}

/// Instructions on lanes of vector registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaneOperation {
    /// One pair of bfloat16, the odd product first, binary32 result.
    Vdpbf16ps,
    /// Fused multiply-adds of binary32, one after the other.
    Fma32,
    /// Fused multiply-adds of binary64, one after the other.
    Fma64,
}

/// An instruction that the engine knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    Tile(TileOperation),
    Lane(LaneOperation),
}

impl Operation {
    /// Every instruction.
    pub const ALL: [Operation; 5] = [
        Operation::Tile(TileOperation::Tdpbf16ps),
        Operation::Tile(TileOperation::Tdpbssd),
        Operation::Lane(LaneOperation::Vdpbf16ps),
        Operation::Lane(LaneOperation::Fma32),
        Operation::Lane(LaneOperation::Fma64),
    ];

    /// The vendor's name.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Tile(TileOperation::Tdpbf16ps) => "TDPBF16PS",
            Operation::Tile(TileOperation::Tdpbssd) => "TDPBSSD",
            Operation::Lane(LaneOperation::Vdpbf16ps) => "VDPBF16PS",
            Operation::Lane(LaneOperation::Fma32) => "VFMADD231PS",
            Operation::Lane(LaneOperation::Fma64) => "VFMADD231PD",
        }
    }

    /// All names, for people.
    pub(super) fn listed() -> String {
        Operation::ALL.map(Operation::name).join(", ")
    }

    /// Whether one dot product can have that many products: a tile has a K of at most 64 bytes, a chain repeats.
    pub fn takes(self, products: u32) -> bool {
        match self {
            // A pair more than there is would turn a chain's minus zero into plus zero.
            Operation::Tile(TileOperation::Tdpbf16ps) => products.is_multiple_of(2) && (2..=32).contains(&products),
            Operation::Tile(TileOperation::Tdpbssd) => (1..=64).contains(&products),
            Operation::Lane(LaneOperation::Vdpbf16ps) => products == 2,
            Operation::Lane(LaneOperation::Fma32 | LaneOperation::Fma64) => products >= 1,
        }
    }

    /// Format of c and d.
    pub fn result(self) -> Format {
        match self {
            Operation::Tile(TileOperation::Tdpbssd) => Format::named("int32").expect("a standard format"),
            Operation::Lane(LaneOperation::Fma64) => Format::binary64(),
            _ => Format::binary32(),
        }
    }

    /// Format of a and b.
    pub fn operand(self) -> Format {
        match self {
            Operation::Tile(TileOperation::Tdpbssd) => Format::named("int8").expect("a standard format"),
            Operation::Tile(TileOperation::Tdpbf16ps) | Operation::Lane(LaneOperation::Vdpbf16ps) => Format::bfloat16(),
            Operation::Lane(LaneOperation::Fma32) => Format::binary32(),
            Operation::Lane(LaneOperation::Fma64) => Format::binary64(),
        }
    }

    /// The instruction that computes what a unit describes.
    pub fn of(unit: &Unit) -> Option<Operation> {
        Operation::ALL.into_iter().find(|operation| operation.computes(unit))
    }

    fn computes(self, unit: &Unit) -> bool {
        let arithmetic = unit.arithmetic();
        let (formats, conversion) = (&unit.formats, &arithmetic.conversion);
        let (operand, result) = (self.operand(), self.result());
        let fits = [&formats.a, &formats.b] == [&operand; 2] && [&formats.c, &formats.d] == [&result; 2];
        let plain = !arithmetic.flags && !conversion.rounded_zero_positive;
        let rounded = plain && conversion.rounding == Rounding::NearestEven && conversion.overflow == Overflow::Ieee;
        let shape = arithmetic.shape();
        let rules = match self {
            Operation::Tile(TileOperation::Tdpbf16ps) => {
                shape == Some(Shape::EvenOddChain) && rounded && arithmetic.flushes_subnormals()
            }
            Operation::Tile(TileOperation::Tdpbssd) => {
                shape == Some(Shape::Exact) && conversion.overflow == Overflow::Wrap
            }
            Operation::Lane(LaneOperation::Fma32 | LaneOperation::Fma64) => {
                shape == Some(Shape::FmaChain { descending: false }) && rounded && arithmetic.keeps_subnormals()
            }
            Operation::Lane(LaneOperation::Vdpbf16ps) => {
                shape == Some(Shape::FmaChain { descending: true }) && rounded && arithmetic.flushes_subnormals()
            }
        };
        fits && rules && self.takes(unit.products)
    }
}
