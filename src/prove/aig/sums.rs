//! Whether two words are the same number, whatever their bits are: both as polynomials over bits that are not looked behind.
//!
//! A bit of a graph is 0 or 1, so that a & b is a b, !a is 1 - a, and a choice or an exclusive or a sum without a product of its two
//! parts. Bits of an adder cancel against their carries, in whatever order terms are added (Yu et al., Formal Verification of
//! Arithmetic Circuits by Function Extraction, 2016). It never samples, and gives up where polynomials become too long.

use std::collections::BTreeMap;

use super::{Aig, Literal, Node};

/// Terms after which it gives up.
const TERMS: usize = 20_000;
/// Bits of a word at most: weights lie in 128 bits.
const WIDTH: usize = 120;

/// A product of nodes: those that can be looked behind, the latest first, then the others.
type Product = (Vec<u32>, Vec<u32>);

/// Products and their weights, modulo a power of two.
struct Polynomial {
    terms: BTreeMap<Product, i128>,
    mask: i128,
}

impl Polynomial {
    fn add(&mut self, product: Product, weight: i128) {
        let old = self.terms.get(&product).copied().unwrap_or(0);
        match old.wrapping_add(weight) & self.mask {
            0 => self.terms.remove(&product),
            new => self.terms.insert(product, new),
        };
    }
}

/// What a node is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// Itself, or a literal that is known to be equal and no later.
    pub literal: Literal,
    /// Whether it is not looked behind.
    pub is_atom: bool,
}

impl Taken {
    /// A node as it is.
    pub fn itself(node: usize) -> Taken {
        Taken { literal: Literal::of(node), is_atom: false }
    }
}

/// Whether two words of one width are the same number for all values of the nodes that are not looked behind.
pub fn same_number(aig: &Aig, one: &[Literal], other: &[Literal], taken: &dyn Fn(usize) -> Taken) -> bool {
    let width = one.len();
    if width != other.len() || width > WIDTH {
        return false;
    }
    let mut sum = Polynomial { terms: BTreeMap::new(), mask: (1 << width) - 1 };
    for (bits, sign) in [(one, 1), (other, -1)] {
        for (place, &bit) in bits.iter().enumerate() {
            put(aig, &mut sum, &[bit], (&[], &[]), sign << place, taken);
        }
    }
    // The latest node that can be looked behind is in the last product.
    while let Some(((open, atoms), weight)) = sum.terms.pop_last() {
        let Some((&node, rest)) = open.split_first() else { return false };
        if sum.terms.len() > TERMS || open.len() + atoms.len() > 24 {
            return false;
        }
        expand(aig, &mut sum, node as usize, (rest, &atoms), weight, taken);
    }
    true
}

/// Replaces a node in a product by what it is computed from.
fn expand(
    aig: &Aig,
    sum: &mut Polynomial,
    node: usize,
    rest: (&[u32], &[u32]),
    weight: i128,
    taken: &dyn Fn(usize) -> Taken,
) {
    let Node::And(a, b) = aig.nodes()[node] else { return sum.add((rest.0.to_vec(), rest.1.to_vec()), 0) };
    if let Some((p, q)) = exclusive(aig, a, b) {
        // This node is p ^ q: p + q - 2 p q.
        put(aig, sum, &[p], rest, weight, taken);
        put(aig, sum, &[q], rest, weight, taken);
        return put(aig, sum, &[p, q], rest, weight.wrapping_mul(-2), taken);
    }
    if excluding(aig, a, b) {
        // !a & !b where never both hold: 1 less one less the other.
        put(aig, sum, &[], rest, weight, taken);
        put(aig, sum, &[!a], rest, -weight, taken);
        return put(aig, sum, &[!b], rest, -weight, taken);
    }
    put(aig, sum, &[a, b], rest, weight, taken);
}

/// Adds a product of literals and of nodes that it has already.
fn put(
    aig: &Aig,
    sum: &mut Polynomial,
    literals: &[Literal],
    rest: (&[u32], &[u32]),
    weight: i128,
    taken: &dyn Fn(usize) -> Taken,
) {
    let Some((&first, others)) = literals.split_first() else {
        return sum.add((rest.0.to_vec(), rest.1.to_vec()), weight);
    };
    let Taken { literal, is_atom } = taken(first.node());
    let literal = literal.invert_if(first.inverted());
    let is_atom = is_atom || matches!(aig.nodes()[literal.node()], Node::Input(_));
    if literal.is_constant() {
        if literal == Literal::TRUE {
            put(aig, sum, others, rest, weight, taken);
        }
        return;
    }
    if literal.inverted() {
        put(aig, sum, others, rest, weight, taken);
    }
    let weight = if literal.inverted() { -weight } else { weight };
    let node = literal.node() as u32;
    let (mut open, mut atoms) = (rest.0.to_vec(), rest.1.to_vec());
    let (list, place) = match is_atom {
        true => (&mut atoms, rest.1.binary_search(&node)),
        false => (&mut open, rest.0.binary_search_by(|other| node.cmp(other))),
    };
    if let Err(place) = place {
        list.insert(place, node);
    }
    put(aig, sum, others, (&open, &atoms), weight, taken);
}

/// Operands of the exclusive or that a & b is: !(p & q) & !(!p & !q).
fn exclusive(aig: &Aig, a: Literal, b: Literal) -> Option<(Literal, Literal)> {
    let ((p, q), (r, s)) = (product(aig, a)?, product(aig, b)?);
    (p == !r && q == !s || p == !s && q == !r).then_some((p, q))
}

/// Whether !a and !b never hold both: they are the two parts of a choice, or those of a carry.
fn excluding(aig: &Aig, a: Literal, b: Literal) -> bool {
    let (Some((p, q)), Some((r, s))) = (product(aig, a), product(aig, b)) else { return false };
    if [r, s].contains(&!p) || [r, s].contains(&!q) {
        return true;
    }
    // p & q, and something & (p ^ q).
    let is_odd = |odd: Literal, p: Literal, q: Literal| {
        let Node::And(x, y) = aig.nodes()[odd.node()] else { return false };
        let Some((x, y)) = exclusive(aig, x, y) else { return false };
        let same = |one: Literal, other: Literal| one.node() == other.node();
        if !(same(x, p) && same(y, q) || same(x, q) && same(y, p)) {
            return false;
        }
        // x ^ y of inverted operands is inverted once for each.
        let inverted = x.inverted() ^ y.inverted() ^ p.inverted() ^ q.inverted();
        odd.inverted() == inverted
    };
    is_odd(r, p, q) || is_odd(s, p, q) || is_odd(p, r, s) || is_odd(q, r, s)
}

/// Operands of the and that a literal is the inverse of.
fn product(aig: &Aig, literal: Literal) -> Option<(Literal, Literal)> {
    match aig.nodes()[literal.node()] {
        Node::And(p, q) if literal.inverted() => Some((p, q)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three numbers added in two orders, one of them after its negation.
    #[test]
    fn sums_in_another_order() {
        let mut aig = Aig::default();
        let [a, b, c] = [0; 3].map(|_| aig.word_input(12));
        let negative = aig.input();
        let less = aig.negate(&c);
        let c_signed = aig.select_word(negative, &less, &c);
        let left = aig.add(&a, &b, Literal::FALSE);
        let left = aig.add(&left, &c_signed, Literal::FALSE);
        let inverted: Vec<Literal> = c.iter().map(|&bit| aig.xor(bit, negative)).collect();
        let right = aig.add(&inverted, &b, negative);
        let right = aig.add(&a, &right, Literal::FALSE);
        assert_ne!(left, right);
        assert!(same_number(&aig, &left, &right, &Taken::itself));
        let wrong = aig.add(&inverted, &b, Literal::FALSE);
        let wrong = aig.add(&a, &wrong, Literal::FALSE);
        assert!(!same_number(&aig, &left, &wrong, &Taken::itself));
        assert!(!same_number(&aig, &left, &right[..11], &Taken::itself));
    }

    /// Terms that are added to one of two sums, whose difference is the sum of all.
    #[test]
    fn differences_of_sums() {
        let mut aig = Aig::default();
        let width = 10;
        let zero = vec![Literal::FALSE; width];
        let (mut positive, mut negative, mut sum) = (zero.clone(), zero.clone(), zero);
        for _ in 0..4 {
            let mut term = aig.word_input(7);
            term.resize(width, Literal::FALSE);
            let sign = aig.input();
            let [more, less] =
                [&positive, &negative].map(|of| of.clone()).map(|of| aig.add(&of, &term, Literal::FALSE));
            positive = aig.select_word(sign, &positive, &more);
            negative = aig.select_word(sign, &less, &negative);
            let negated = aig.negate(&term);
            let signed = aig.select_word(sign, &negated, &term);
            sum = aig.add(&sum, &signed, Literal::FALSE);
        }
        let difference = aig.subtract(&positive, &negative);
        assert!(same_number(&aig, &sum, &difference, &Taken::itself));
        let other = aig.subtract(&negative, &positive);
        assert!(!same_number(&aig, &sum, &other, &Taken::itself));
    }
}
