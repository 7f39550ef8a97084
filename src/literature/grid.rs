//! What a picture of an experiment shows: cells in rows and columns, each counting what became of its vectors.

/// One experiment on one subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    pub experiment: &'static str,
    pub question: &'static str,
    pub columns: Axis,
    pub rows: Axis,
    /// What the three counts of a cell are.
    pub states: [&'static str; 3],
    /// Row by row; none where there is no such vector.
    pub cells: Vec<Vec<Option<Counts>>>,
}

/// One direction of a grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    pub name: &'static str,
    /// One for each cell; empty where there is no room for all.
    pub labels: Vec<String>,
}

/// Vectors of a cell in each state.
pub type Counts = [u32; 3];
