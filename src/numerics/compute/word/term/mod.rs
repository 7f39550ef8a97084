//! Solver terms: the datapath text as a graph instead of numbers.
//!
//! A [`Term`] is a node of the graph that the thread is building ([`Graph::build`]). Nodes are shared, and each has the range
//! of its numbers, so that widths follow and need not be written down. A claim of the text narrows the range of what it
//! speaks of, and becomes an obligation: [`Graph::claims`]. To use a narrowed range is sound, because every claim must be
//! proved, each from those before it.
//!
//! Architecture invariant: terms know no solver, no file and no bits; others translate a finished graph.

mod evaluate;
mod graph;
mod interval;
mod node;
mod rebuild;
mod simplify;

pub use evaluate::Values;
pub use graph::Graph;
pub use interval::Interval;
pub use node::{Claim, Node, NodeId, Variable};
pub use rebuild::Rebuilt;

use std::cell::RefCell;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Neg, Not, RangeInclusive, Sub};
use std::panic::Location;

use dashu_int::IBig;

use super::{Flag, Word};

thread_local! {
    static BUILDING: RefCell<Graph> = RefCell::default();
}

/// A number in the graph that is being built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Term(NodeId);

/// A truth value in the graph that is being built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TermFlag(NodeId);

/// Puts the graph of the thread back that was there before, even after a panic.
struct Restore(Graph);

impl Drop for Restore {
    fn drop(&mut self) {
        BUILDING.with_borrow_mut(|graph| std::mem::swap(graph, &mut self.0));
    }
}

impl Graph {
    /// Runs `text`, whose terms become a new graph.
    pub fn build<R>(text: impl FnOnce() -> R) -> (Graph, R) {
        Graph::default().extend(text)
    }

    /// Runs `text`, whose terms are added to this graph. Nodes that are there keep their numbers.
    pub fn extend<R>(self, text: impl FnOnce() -> R) -> (Graph, R) {
        let mut restore = Restore(self);
        BUILDING.with_borrow_mut(|graph| std::mem::swap(graph, &mut restore.0));
        let result = text();
        (BUILDING.with_borrow_mut(std::mem::take), result)
    }
}

fn make(node: impl FnOnce(&mut Graph) -> NodeId) -> NodeId {
    BUILDING.with_borrow_mut(node)
}

impl Term {
    /// A new variable in that range.
    pub fn variable(name: &str, range: Interval) -> Term {
        Term(make(|graph| graph.variable(name, range)))
    }

    /// A known number of any size.
    pub fn number(number: IBig) -> Term {
        Term(make(|graph| graph.constant(number)))
    }

    /// What the number can be.
    pub fn range(self) -> Interval {
        BUILDING.with_borrow(|graph| graph.range(self.0).clone())
    }

    /// The number, claimed to lie in that range.
    #[track_caller]
    pub fn claim_within(self, range: Interval) -> Term {
        let place = Location::caller();
        Term(make(|graph| graph.claimed(self.0, range, place)))
    }

    /// The term of a node of the graph that is being built, where that is a number.
    pub fn at(node: NodeId) -> Option<Term> {
        BUILDING.with_borrow(|graph| (!graph.node(node).is_flag()).then_some(Term(node)))
    }

    /// Its node.
    pub fn node(self) -> NodeId {
        self.0
    }
}

impl TermFlag {
    /// The term of a node of the graph that is being built, where that is a flag.
    pub fn at(node: NodeId) -> Option<TermFlag> {
        BUILDING.with_borrow(|graph| graph.node(node).is_flag().then_some(TermFlag(node)))
    }

    /// Its node.
    pub fn node(self) -> NodeId {
        self.0
    }
}

macro_rules! operator {
    ($type:ident, $trait:ident, $method:ident, $make:ident) => {
        impl $trait for $type {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                $type(make(|graph| graph.$make(self.0, other.0)))
            }
        }
    };
}

operator!(Term, Add, add, add);
operator!(Term, Sub, sub, subtract);
operator!(Term, Mul, mul, multiply);
operator!(TermFlag, BitAnd, bitand, and);
operator!(TermFlag, BitOr, bitor, or);
operator!(TermFlag, BitXor, bitxor, xor);

impl Neg for Term {
    type Output = Self;
    fn neg(self) -> Self {
        Term(make(|graph| graph.negate(self.0)))
    }
}

impl Not for TermFlag {
    type Output = Self;
    fn not(self) -> Self {
        TermFlag(make(|graph| graph.not(self.0)))
    }
}

impl Flag for TermFlag {
    fn constant(value: bool) -> Self {
        TermFlag(make(|graph| graph.truth(value)))
    }
}

impl Word for Term {
    type Flag = TermFlag;
    type Encoding = Term;

    fn literal(value: i64) -> Self {
        Term::number(IBig::from(value))
    }

    fn bits(bits: u64) -> Self {
        Term::number(IBig::from(bits))
    }

    fn encoding(encoding: Term) -> Self {
        encoding
    }

    fn shift_left(self, amount: u32) -> Self {
        Term(make(|graph| graph.shift_left(self.0, amount)))
    }

    #[track_caller]
    fn shift_right(self, amount: u32) -> Self {
        let place = Location::caller();
        Term(make(|graph| graph.shift_right(self.0, amount, place)))
    }

    #[track_caller]
    fn shift_left_by(self, amount: Self) -> Self {
        let place = Location::caller();
        Term(make(|graph| graph.shift_left_by(self.0, amount.0, place)))
    }

    #[track_caller]
    fn shift_right_by(self, amount: Self) -> Self {
        let place = Location::caller();
        Term(make(|graph| graph.shift_right_by(self.0, amount.0, place)))
    }

    #[track_caller]
    fn field(self, low: u32, width: u32) -> Self {
        let place = Location::caller();
        Term(make(|graph| graph.field(self.0, low, width, place)))
    }

    #[track_caller]
    fn bit(self, index: u32) -> TermFlag {
        let place = Location::caller();
        TermFlag(make(|graph| graph.bit(self.0, index, place)))
    }

    fn equals(self, other: Self) -> TermFlag {
        TermFlag(make(|graph| graph.equals(self.0, other.0)))
    }

    fn less_than(self, other: Self) -> TermFlag {
        TermFlag(make(|graph| graph.less_than(self.0, other.0)))
    }

    fn select(flag: TermFlag, yes: Self, no: Self) -> Self {
        Term(make(|graph| graph.select(flag.0, yes.0, no.0)))
    }

    #[track_caller]
    fn leading_zeros(self, width: u32) -> Self {
        let place = Location::caller();
        Term(make(|graph| graph.leading_zeros(self.0, width, place)))
    }

    fn wrap(self, width: u32) -> Self {
        Term(make(|graph| graph.wrap(self.0, width)))
    }

    #[track_caller]
    fn claim(self, range: RangeInclusive<i64>) -> Self {
        let (low, high) = range.into_inner();
        self.claim_within(Interval { low: IBig::from(low), high: IBig::from(high) })
    }

    #[track_caller]
    fn claim_unsigned(self, width: u32) -> Self {
        self.claim_within(Interval::unsigned(width))
    }

    #[track_caller]
    fn claim_signed(self, width: u32) -> Self {
        self.claim_within(Interval::signed(width))
    }
}
