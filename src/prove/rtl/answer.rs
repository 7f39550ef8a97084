//! What is answered to a question about a graph, and how it was proved.

use crate::prove::sat::Refutation;

/// How something was proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// Both sides are the same graph.
    Structure,
    /// All patterns were simulated.
    Exhaustive,
    /// Search; the proof was checked.
    Search,
    /// Both sides are the greatest of the same numbers, by their comparisons.
    Maximum,
    /// Both sides are the same sum, by their adders.
    Linear,
    /// Search from signals of earlier stages on, not from those right before.
    Earlier,
    /// Search from the operands on, not from the signals before.
    Operands,
    /// What is claimed of a difference follows from one side being a maximum of the other, or of a magnitude from its number.
    Order,
}

impl Method {
    pub const ALL: [Method; 8] = [
        Method::Structure,
        Method::Exhaustive,
        Method::Search,
        Method::Maximum,
        Method::Linear,
        Method::Earlier,
        Method::Operands,
        Method::Order,
    ];

    /// Whether a certificate can say it.
    pub fn is_search(self) -> bool {
        self == Method::Search
    }

    pub fn name(self) -> &'static str {
        match self {
            Method::Structure => "structure",
            Method::Exhaustive => "exhaustive",
            Method::Search => "search",
            Method::Maximum => "maximum",
            Method::Linear => "linear",
            Method::Earlier => "earlier stages",
            Method::Operands => "operands",
            Method::Order => "order",
        }
    }
}

/// The answer to a question.
#[derive(Debug, Clone)]
pub enum Answer {
    Proved {
        method: Method,
        refutation: Option<Refutation>,
    },
    /// Values of the graph's inputs for which it fails.
    Fails(Vec<bool>),
    Unknown(String),
}
