//! The queries of Valpey, Li, Pai, Gopalakrishnan: An SMT formalization of mixed-precision matrix multiplication, as plain
//! bit-vectors made from the datapath text of units. The paper's times stand beside: table 4, 32 cores at 1.5 GHz.

mod algorithms;
mod carry;
mod errors;
mod rounding;
mod sums;
mod units;
mod variants;

use super::Question;
use super::settle::{Expected, Questions, Task};

/// Times of table 4, as printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Published {
    pub z3: &'static str,
    pub cvc5: &'static str,
}

/// One row: a statement about inputs, which several questions may make up.
pub struct Row {
    /// Where it stands in the paper.
    pub source: &'static str,
    pub published: Option<Published>,
    /// Whether it is asked only where it is named: a variant of another row.
    pub only_if_named: bool,
    pub task: Task,
}

impl Row {
    fn new(
        name: &str,
        source: &'static str,
        statement: String,
        published: Option<Published>,
        questions: Questions,
    ) -> Row {
        let task = Task {
            name: name.to_owned(),
            statement,
            expected: Expected::Witness,
            questions,
            premises: Vec::new(),
            check: None,
        };
        Row { source, published, only_if_named: false, task }
    }
}

const fn published(z3: &'static str, cvc5: &'static str) -> Option<Published> {
    Some(Published { z3, cvc5 })
}

/// A row of one question.
fn row(
    name: &str,
    source: &'static str,
    statement: impl Into<String>,
    published: Option<Published>,
    question: impl Fn() -> Question + Sync + Send + 'static,
) -> Row {
    Row::new(name, source, statement.into(), published, vec![(String::new(), Box::new(question))])
}

/// All rows, in the order of table 4.
pub fn rows() -> Vec<Row> {
    [rounding::rows(), sums::rows(), carry::rows(), errors::rows()].into_iter().flatten().collect()
}
