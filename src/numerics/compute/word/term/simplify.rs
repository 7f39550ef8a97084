//! How nodes are made: what is known becomes a constant, what changes nothing is left out, ranges follow the operands.

use std::panic::Location;

use dashu_int::IBig;

use super::evaluate;
use super::graph::Graph;
use super::interval::Interval;
use super::node::{Node, NodeId};

/// Operands of a commutative operation, the older one first.
fn ordered(one: NodeId, two: NodeId) -> (NodeId, NodeId) {
    if one <= two { (one, two) } else { (two, one) }
}

impl Graph {
    /// The only number that a node can be.
    fn only(&self, id: NodeId) -> Option<&IBig> {
        self.range(id).only()
    }

    fn is(&self, id: NodeId, number: u8) -> bool {
        self.only(id).is_some_and(|only| *only == IBig::from(number))
    }

    /// A number: a constant if the range has one number only.
    fn number(&mut self, node: Node, range: Interval) -> NodeId {
        match range.only() {
            Some(only) => self.constant(only.clone()),
            None => self.intern(node, range),
        }
    }

    pub(super) fn add(&mut self, one: NodeId, two: NodeId) -> NodeId {
        if self.is(one, 0) {
            return two;
        }
        if self.is(two, 0) {
            return one;
        }
        let range = self.range(one).add(self.range(two));
        let (one, two) = ordered(one, two);
        self.number(Node::Add(one, two), range)
    }

    pub(super) fn subtract(&mut self, one: NodeId, two: NodeId) -> NodeId {
        if self.is(two, 0) {
            return one;
        }
        if one == two {
            return self.constant(IBig::ZERO);
        }
        let range = self.range(one).subtract(self.range(two));
        self.number(Node::Subtract(one, two), range)
    }

    pub(super) fn multiply(&mut self, one: NodeId, two: NodeId) -> NodeId {
        if self.is(one, 1) {
            return two;
        }
        if self.is(two, 1) {
            return one;
        }
        let range = self.range(one).multiply(self.range(two));
        let (one, two) = ordered(one, two);
        self.number(Node::Multiply(one, two), range)
    }

    pub(super) fn negate(&mut self, of: NodeId) -> NodeId {
        if let Node::Negate(inner) = *self.node(of) {
            return inner;
        }
        let range = self.range(of).negate();
        self.number(Node::Negate(of), range)
    }

    pub(super) fn shift_left(&mut self, of: NodeId, amount: u32) -> NodeId {
        if amount == 0 {
            return of;
        }
        let range = self.range(of).shift_left(&Interval::point(IBig::from(amount)));
        self.number(Node::ShiftLeft(of, amount), range)
    }

    pub(super) fn shift_right(&mut self, of: NodeId, amount: u32, place: &'static Location<'static>) -> NodeId {
        if amount == 0 {
            return of;
        }
        let of = self.zero_or_more(of, place);
        let range = self.range(of).shift_right(&Interval::point(IBig::from(amount)));
        self.number(Node::ShiftRight(of, amount), range)
    }

    pub(super) fn shift_left_by(&mut self, of: NodeId, amount: NodeId, place: &'static Location<'static>) -> NodeId {
        let amount = self.zero_or_more(amount, place);
        if let Some(known) = self.only(amount).and_then(|known| u32::try_from(known).ok()) {
            return self.shift_left(of, known);
        }
        let range = self.range(of).shift_left(self.range(amount));
        self.number(Node::ShiftLeftBy(of, amount), range)
    }

    pub(super) fn shift_right_by(&mut self, of: NodeId, amount: NodeId, place: &'static Location<'static>) -> NodeId {
        let amount = self.zero_or_more(amount, place);
        let of = self.zero_or_more(of, place);
        if let Some(known) = self.only(amount).and_then(|known| u32::try_from(known).ok()) {
            return self.shift_right(of, known, place);
        }
        let range = self.range(of).shift_right(self.range(amount));
        self.number(Node::ShiftRightBy(of, amount), range)
    }

    pub(super) fn field(&mut self, of: NodeId, low: u32, width: u32, place: &'static Location<'static>) -> NodeId {
        let of = self.zero_or_more(of, place);
        if self.range(of).lies_within(&Interval::unsigned(low + width)) {
            return self.shift_right(of, low, place);
        }
        self.number(Node::Field { of, low, width }, Interval::unsigned(width))
    }

    pub(super) fn leading_zeros(&mut self, of: NodeId, width: u32, place: &'static Location<'static>) -> NodeId {
        let of = self.claimed(of, Interval::unsigned(width), place);
        let range = self.range(of).leading_zeros(width);
        self.number(Node::LeadingZeros { of, width }, range)
    }

    pub(super) fn wrap(&mut self, of: NodeId, width: u32) -> NodeId {
        let range = Interval::signed(width);
        match self.range(of).lies_within(&range) {
            true => of,
            false => self.number(Node::Wrap { of, width }, range),
        }
    }

    /// The number, claimed to be 0 or more where its range does not show it.
    fn zero_or_more(&mut self, of: NodeId, place: &'static Location<'static>) -> NodeId {
        let range = self.range(of);
        if !range.is_signed() {
            return of;
        }
        let range = Interval { low: IBig::ZERO, high: range.high.clone().max(IBig::ZERO) };
        self.claimed(of, range, place)
    }

    pub(super) fn select(&mut self, flag: NodeId, yes: NodeId, no: NodeId) -> NodeId {
        match *self.node(flag) {
            Node::Truth(true) => return yes,
            Node::Truth(false) => return no,
            Node::Not(inner) => return self.select(inner, no, yes),
            _ if yes == no => return yes,
            _ => {}
        }
        let range = self.range_of_select(flag, yes, no);
        self.number(Node::Select { flag, yes, no }, range)
    }

    /// The greater or the lesser of two and a magnitude have narrower ranges than what is selected from.
    fn range_of_select(&self, flag: NodeId, yes: NodeId, no: NodeId) -> Interval {
        let (of_yes, of_no) = (self.range(yes), self.range(no));
        if let Node::LessThan(one, two) = *self.node(flag) {
            if (yes, no) == (two, one) {
                return of_yes.maximum(of_no);
            }
            if (yes, no) == (one, two) {
                return of_yes.minimum(of_no);
            }
            if one == no && self.is(two, 0) && *self.node(yes) == Node::Negate(no) {
                return of_no.magnitude();
            }
        }
        of_yes.hull(of_no)
    }

    pub(super) fn bit(&mut self, of: NodeId, index: u32, place: &'static Location<'static>) -> NodeId {
        let of = self.zero_or_more(of, place);
        if let Some(known) = self.only(of) {
            let value = evaluate::bit(known, index);
            return self.truth(value);
        }
        if self.range(of).lies_within(&Interval::unsigned(index)) {
            return self.truth(false);
        }
        match (index, self.flag_of(of)) {
            (0, Some(flag)) => flag,
            _ => self.flag(Node::Bit(of, index)),
        }
    }

    /// The flag that a number is 1 for and otherwise 0.
    fn flag_of(&self, of: NodeId) -> Option<NodeId> {
        match *self.node(of) {
            Node::Select { flag, yes, no } if self.is(yes, 1) && self.is(no, 0) => Some(flag),
            _ => None,
        }
    }

    pub(super) fn equals(&mut self, one: NodeId, two: NodeId) -> NodeId {
        if one == two {
            return self.truth(true);
        }
        if self.range(one).intersection(self.range(two)).is_none() {
            return self.truth(false);
        }
        let (one, two) = ordered(one, two);
        for (flag, known) in [(one, two), (two, one)] {
            if let Some(flag) = self.flag_of(flag).filter(|_| self.is(known, 0) || self.is(known, 1)) {
                return if self.is(known, 1) { flag } else { self.not(flag) };
            }
        }
        self.flag(Node::Equals(one, two))
    }

    pub(super) fn less_than(&mut self, one: NodeId, two: NodeId) -> NodeId {
        let (of_one, of_two) = (self.range(one), self.range(two));
        if of_one.high < of_two.low {
            return self.truth(true);
        }
        if one == two || of_one.low >= of_two.high {
            return self.truth(false);
        }
        self.flag(Node::LessThan(one, two))
    }

    pub(super) fn not(&mut self, of: NodeId) -> NodeId {
        match *self.node(of) {
            Node::Truth(value) => self.truth(!value),
            Node::Not(inner) => inner,
            _ => self.flag(Node::Not(of)),
        }
    }

    pub(super) fn and(&mut self, one: NodeId, two: NodeId) -> NodeId {
        match (self.node(one), self.node(two)) {
            (Node::Truth(true), _) => two,
            (_, Node::Truth(true)) => one,
            (Node::Truth(false), _) | (_, Node::Truth(false)) => self.truth(false),
            _ if one == two => one,
            _ if self.opposed(one, two) => self.truth(false),
            _ => {
                let (one, two) = ordered(one, two);
                self.flag(Node::And(one, two))
            }
        }
    }

    pub(super) fn or(&mut self, one: NodeId, two: NodeId) -> NodeId {
        match (self.node(one), self.node(two)) {
            (Node::Truth(false), _) => two,
            (_, Node::Truth(false)) => one,
            (Node::Truth(true), _) | (_, Node::Truth(true)) => self.truth(true),
            _ if one == two => one,
            _ if self.opposed(one, two) => self.truth(true),
            _ => {
                let (one, two) = ordered(one, two);
                self.flag(Node::Or(one, two))
            }
        }
    }

    pub(super) fn xor(&mut self, one: NodeId, two: NodeId) -> NodeId {
        match (self.node(one), self.node(two)) {
            (&Node::Truth(false), _) => two,
            (_, &Node::Truth(false)) => one,
            (&Node::Truth(true), _) => self.not(two),
            (_, &Node::Truth(true)) => self.not(one),
            _ if one == two => self.truth(false),
            _ if self.opposed(one, two) => self.truth(true),
            _ => {
                let (one, two) = ordered(one, two);
                self.flag(Node::Xor(one, two))
            }
        }
    }

    /// Whether one flag is the other one's contrary.
    fn opposed(&self, one: NodeId, two: NodeId) -> bool {
        *self.node(one) == Node::Not(two) || *self.node(two) == Node::Not(one)
    }
}
