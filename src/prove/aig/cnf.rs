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

    /// Reads the text; comments are passed over.
    ///
    /// # Errors
    /// The heading is missing, a number is none or out of range, or the clauses are not as many as it says.
    pub fn from_dimacs(text: &str) -> Result<Cnf, String> {
        let mut lines = text.lines().filter(|line| !line.starts_with('c'));
        let heading: Vec<&str> = lines.next().unwrap_or_default().split_whitespace().collect();
        let ["p", "cnf", variables, count] = heading[..] else {
            return Err("the heading `p cnf VARIABLES CLAUSES` is missing".to_owned());
        };
        let number = |text: &str| text.parse::<usize>().map_err(|_| format!("{text:?} in the heading is no number"));
        let (variables, count) = (number(variables)?, number(count)?);
        let mut clauses = vec![Vec::new()];
        for word in lines.flat_map(str::split_whitespace) {
            let literal: i32 = word.parse().map_err(|_| format!("{word:?} is no literal"))?;
            if literal.unsigned_abs() as usize > variables {
                return Err(format!("{literal} is beyond the {variables} variables of the heading"));
            }
            match (literal, clauses.last_mut()) {
                (0, _) => clauses.push(Vec::new()),
                (_, Some(clause)) => clause.push(literal),
                (_, None) => {}
            }
        }
        if clauses.pop().is_some_and(|rest| !rest.is_empty()) || clauses.len() != count {
            return Err(format!("{} clauses instead of the {count} of the heading", clauses.len()));
        }
        Ok(Cnf { variables, clauses })
    }
}
