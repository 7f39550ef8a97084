//! Recorded answers of real hardware against engines.

use crate::engine::{Batch, Engine, EngineError, Vector};

/// One recorded row that an engine answers differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Row number in the files, from 1.
    pub row: usize,
    pub vector: Vector,
    pub recorded: u64,
    pub answer: u64,
}

/// How an engine did on a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub engine: &'static str,
    pub vectors: u64,
    pub mismatches: u64,
    pub first: Option<Row>,
}

/// Runs every row of a recording through an engine.
///
/// # Errors
/// The engine failed.
pub fn replay(engine: &mut dyn Engine, batch: &Batch, recorded: &[u64]) -> Result<Outcome, EngineError> {
    let answers = engine.answers(batch)?;
    assert_eq!(answers.len(), recorded.len(), "an engine answers every vector");
    let differing: Vec<usize> = (0..recorded.len()).filter(|&row| answers[row] != recorded[row]).collect();
    let first = differing.first().map(|&row| Row {
        row: row + 1,
        vector: batch.vector(row),
        recorded: recorded[row],
        answer: answers[row],
    });
    Ok(Outcome { engine: engine.name(), vectors: answers.len() as u64, mismatches: differing.len() as u64, first })
}
