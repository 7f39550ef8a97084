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

/// Whether two words of one width are the same number for all values of the nodes that are not looked behind. `atom` says of a
/// node that it is none of these, or which literal it is taken for.
pub fn same_number(aig: &Aig, one: &[Literal], other: &[Literal], atom: &dyn Fn(usize) -> Option<Literal>) -> bool {
    let width = one.len();
    if width != other.len() || width > WIDTH {
        return false;
    }
    let mut sum = Polynomial { terms: BTreeMap::new(), mask: (1 << width) - 1 };
    for (bits, sign) in [(one, 1), (other, -1)] {
        for (place, &bit) in bits.iter().enumerate() {
            put(aig, &mut sum, &[bit], (&[], &[]), sign << place, atom);
        }
    }
    // The latest node that can be looked behind is in the last product.
    while let Some(((open, atoms), weight)) = sum.terms.pop_last() {
        let Some((&node, rest)) = open.split_first() else { eprintln!("LEFT {} {atoms:?} weight {weight}: {:?}", sum.terms.len(), sum.terms.iter().take(5).collect::<Vec<_>>()); for a in &atoms { eprintln!("  {a}: {:?}", aig.nodes()[*a as usize]); } return false };
        if sum.terms.len() > TERMS { eprintln!("LONG at node {node}: {:?}", sum.terms.iter().rev().take(12).collect::<Vec<_>>()); }
        if sum.terms.len() > TERMS || open.len() + atoms.len() > 24 {
            return false;
        }
        expand(aig, &mut sum, node as usize, (rest, &atoms), weight, atom);
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
    atom: &dyn Fn(usize) -> Option<Literal>,
) {
    let Node::And(a, b) = aig.nodes()[node] else { return sum.add((rest.0.to_vec(), rest.1.to_vec()), 0) };
    if let Some((p, q)) = exclusive(aig, a, b) {
        // This node is p ^ q: p + q - 2 p q.
        put(aig, sum, &[p], rest, weight, atom);
        put(aig, sum, &[q], rest, weight, atom);
        return put(aig, sum, &[p, q], rest, weight.wrapping_mul(-2), atom);
    }
    if excluding(aig, a, b) {
        // !a & !b where never both hold: 1 less one less the other.
        put(aig, sum, &[], rest, weight, atom);
        put(aig, sum, &[!a], rest, -weight, atom);
        return put(aig, sum, &[!b], rest, -weight, atom);
    }
    put(aig, sum, &[a, b], rest, weight, atom);
}

/// Adds a product of literals and of nodes that it has already.
fn put(
    aig: &Aig,
    sum: &mut Polynomial,
    literals: &[Literal],
    rest: (&[u32], &[u32]),
    weight: i128,
    atom: &dyn Fn(usize) -> Option<Literal>,
) {
    let Some((&first, others)) = literals.split_first() else {
        return sum.add((rest.0.to_vec(), rest.1.to_vec()), weight);
    };
    let (literal, is_atom) = match atom(first.node()) {
        Some(known) => (known.invert_if(first.inverted()), true),
        None => (first, matches!(aig.nodes()[first.node()], Node::Input(_))),
    };
    if literal.is_constant() {
        if literal == Literal::TRUE {
            put(aig, sum, others, rest, weight, atom);
        }
        return;
    }
    if literal.inverted() {
        put(aig, sum, others, rest, weight, atom);
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
    put(aig, sum, others, (&open, &atoms), weight, atom);
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
        !odd.inverted() != inverted
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
        assert!(same_number(&aig, &left, &right, &|_| None));
        let wrong = aig.add(&inverted, &b, Literal::FALSE);
        let wrong = aig.add(&a, &wrong, Literal::FALSE);
        assert!(!same_number(&aig, &left, &wrong, &|_| None));
        assert!(!same_number(&aig, &left, &right[..11], &|_| None));
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
            let [more, less] = [&positive, &negative].map(|of| of.clone()).map(|of| aig.add(&of, &term, Literal::FALSE));
            positive = aig.select_word(sign, &positive, &more);
            negative = aig.select_word(sign, &less, &negative);
            let negated = aig.negate(&term);
            let signed = aig.select_word(sign, &negated, &term);
            sum = aig.add(&sum, &signed, Literal::FALSE);
        }
        let difference = aig.subtract(&positive, &negative);
        assert!(same_number(&aig, &sum, &difference, &|_| None));
        let other = aig.subtract(&negative, &positive);
        assert!(!same_number(&aig, &sum, &other, &|_| None));
    }
}
