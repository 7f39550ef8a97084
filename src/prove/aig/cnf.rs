//! Clauses of a graph: variable n + 1 is node n, three clauses an and.

use std::fmt::Write;

use super::{Aig, Literal, Node};

/// Clauses over the variables 1 and up; a negative number is the inverse.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cnf {
    pub variables: usize,
    pub clauses: Vec<Vec<i32>>,
}

impl Cnf {
    /// The clauses that hold exactly for the values a graph can take.
    pub fn of(aig: &Aig) -> Cnf {
        let mut clauses = Vec::new();
        for (node, what) in aig.nodes().iter().enumerate() {
            let own = Cnf::literal(Literal::of(node));
            match *what {
                Node::Constant => clauses.push(vec![-own]),
                Node::Input(_) => {}
                Node::And(a, b) => {
                    let (a, b) = (Cnf::literal(a), Cnf::literal(b));
                    clauses.extend([vec![-own, a], vec![-own, b], vec![own, -a, -b]]);
                }
            }
        }
        Cnf { variables: aig.nodes().len(), clauses }
    }

    /// The number of a literal.
    pub fn literal(literal: Literal) -> i32 {
        let variable = literal.node() as i32 + 1;
        if literal.inverted() { -variable } else { variable }
    }

    /// The text in DIMACS format.
    pub fn to_dimacs(&self) -> String {
        let mut text = format!("p cnf {} {}\n", self.variables, self.clauses.len());
        for clause in &self.clauses {
            for literal in clause {
                let _ = write!(text, "{literal} ");
            }
            text.push_str("0\n");
        }
        text
    }
}
