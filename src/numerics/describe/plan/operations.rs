//! The plan of a unit of rounded operations: which operations, in which order, and the widths of each kind.
//!
//! A product, with or without an addend, a sum of two products and a sum of two are each a fused sum of two terms. Its window is
//! wide enough, and its alignment rounds to odd, so that the one rounding at its end rounds the exact sum (Boldo and Melquiond, 2008).
//!
//! ```text
//!   c       1.ffffff|000000000000     p(d) bits, then zeros down to the window's last bit
//!   a * b   00000000|0xx.fffffff#     p(a) + p(b) bits; # is the last bit, odd if anything lies below it
//!
//!   x       1.ffffff|000              p(d) bits and three more
//!   y       0.001fff|ff#
//! ```

use super::{Constant, FusedPlan};
use crate::describe::format::Format;
use crate::describe::unit::{Formats, ProductOrder, Scheme, Unit};

/// What an operation adds: numbers in the format of d.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// +0.
    Zero,
    /// c.
    Addend,
    /// The result of that operation.
    Step(usize),
}

/// An operation that rounds its exact result once to the format of d.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// `a[pair] * b[pair] + addend`.
    MultiplyAdd { pair: usize, addend: Value },
    /// `a[pair] * b[pair]`.
    Multiply { pair: usize },
    /// `a[first] * b[first] + a[first + 1] * b[first + 1]`.
    Dot { first: usize },
    /// left + right.
    Add { left: Value, right: Value },
}

/// Everything that follows from the description of a unit of rounded operations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationsPlan {
    pub scheme: Scheme,
    /// L: products.
    pub products: u32,
    pub order: ProductOrder,
    /// In the order in which they are evaluated; the last one's result is d.
    pub operations: Vec<Operation>,
    /// The plan of every operation with a product.
    pub step: FusedPlan,
    /// The plan of every sum of two.
    pub addition: FusedPlan,
    /// The constants of an operation with a product, in the order in which they are derived.
    pub constants: Vec<Constant>,
}

impl OperationsPlan {
    /// Derives the plan of a unit.
    pub fn of(unit: &Unit) -> OperationsPlan {
        let step = match unit.scheme {
            Scheme::PairChain => {
                let formats = Formats { c: Format::absent(), ..unit.formats.clone() };
                FusedPlan::of(&Unit { scheme: Scheme::Fused, products: 2, formats, ..unit.clone() })
            }
            _ => FusedPlan::of(&Unit { scheme: Scheme::Fused, products: 1, ..unit.clone() }),
        };
        let operations = operations(unit);
        let (expression, derivation) = match unit.scheme {
            Scheme::Pairwise => (None, "F: holds every product, and p(d) + 2 bits at the floor"),
            Scheme::PairChain => {
                (None, "F: what one product loses below is a sticky bit that no rounding to d can miss")
            }
            _ => (
                Some("OperandAPrecision + OperandBPrecision + ResultPrecision"),
                "F: what is lost below is a sticky bit that no rounding to d can miss",
            ),
        };
        let fraction_bits = Constant {
            name: "FractionBits",
            value: i64::from(step.fraction_bits),
            expression,
            derivation: derivation.to_owned(),
        };
        let floor = Constant {
            name: "AnchorFloor",
            value: i64::from(step.exponent_floor),
            expression: None,
            derivation: match unit.scheme {
                Scheme::PairChain => {
                    "at most F above the last place of all products, where nothing is lost, and d's least normal exponent"
                }
                _ => "d's least normal exponent: no place of d lies further below",
            }
            .to_owned(),
        };
        OperationsPlan {
            scheme: unit.scheme,
            products: unit.products,
            order: unit.order,
            operations,
            constants: [fraction_bits, floor].into_iter().chain(step.constants.iter().cloned()).collect(),
            step,
            addition: FusedPlan::addition(unit),
        }
    }

    /// The plan of one of the operations.
    pub fn plan_of(&self, operation: &Operation) -> &FusedPlan {
        match operation {
            Operation::Add { .. } => &self.addition,
            Operation::MultiplyAdd { .. } | Operation::Multiply { .. } | Operation::Dot { .. } => &self.step,
        }
    }

    /// The operation whose window pictures show.
    pub fn pictured(&self) -> &FusedPlan {
        match self.scheme {
            Scheme::Pairwise => &self.addition,
            _ => &self.step,
        }
    }

    /// Bits a signed machine word needs to run the datapath.
    pub fn word_bits(&self) -> u32 {
        self.step.word_bits.max(self.addition.word_bits)
    }
}

/// Operations of a unit that follow each other on the longest way.
pub(super) fn depth(unit: &Unit) -> u32 {
    let mut depths: Vec<u32> = Vec::new();
    for operation in operations(unit) {
        let of = |value: Value| if let Value::Step(index) = value { depths[index] } else { 0 };
        let before = match operation {
            Operation::MultiplyAdd { addend, .. } => of(addend),
            Operation::Multiply { .. } | Operation::Dot { .. } => 0,
            Operation::Add { left, right } => of(left).max(of(right)),
        };
        depths.push(before + 1);
    }
    depths.last().copied().unwrap_or_default()
}

/// The operations of a unit, each after those whose results it takes.
fn operations(unit: &Unit) -> Vec<Operation> {
    let products = unit.products as usize;
    let all = 0..products;
    let add = |left: usize, right| Operation::Add { left: Value::Step(left), right };
    match unit.scheme {
        Scheme::EvenOddChain => {
            let addend = |i: usize| i.checked_sub(2).map_or(Value::Zero, Value::Step);
            let chains = all.map(|i| Operation::MultiplyAdd { pair: i, addend: addend(i) });
            chains.chain([add(products - 2, Value::Step(products - 1)), add(products, Value::Addend)]).collect()
        }
        Scheme::Pairwise => {
            // Each sum takes the two oldest values that are not yet added.
            let sums = (0..products - 1).map(|i| add(2 * i, Value::Step(2 * i + 1)));
            let multiplied = all.map(|pair| Operation::Multiply { pair });
            multiplied.chain(sums).chain([add(2 * products - 2, Value::Addend)]).collect()
        }
        Scheme::PairChain => {
            let pairs = products / 2;
            let dots = (0..pairs).map(|pair| Operation::Dot { first: 2 * pair });
            let before = |pair: usize| pair.checked_sub(1).map_or(Value::Addend, |last| Value::Step(pairs + last));
            dots.chain((0..pairs).map(|pair| add(pair, before(pair)))).collect()
        }
        Scheme::FmaChain => {
            let pair = |i: usize| match unit.order {
                ProductOrder::Ascending => i,
                ProductOrder::Descending => products - 1 - i,
            };
            let addend = |i: usize| i.checked_sub(1).map_or(Value::Addend, Value::Step);
            all.map(|i| Operation::MultiplyAdd { pair: pair(i), addend: addend(i) }).collect()
        }
        other => unreachable!("{} is no scheme of rounded operations", other.name()),
    }
}
