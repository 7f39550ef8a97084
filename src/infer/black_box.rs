//! The engine whose arithmetic is sought: counts what it is asked, remembers what it answered, and asks again to see that
//! it answers the same twice. Or a recording of its answers, which can be asked nothing more. Knows nothing of how it sums.

use std::collections::HashMap;

use super::InferError;
use crate::engine::{Batch, Engine, Vector};

/// Vectors in one block of the memory.
const BLOCK: usize = 16;

/// Vectors and answers, in blocks.
#[derive(Debug, Clone)]
pub(super) struct Memory {
    empty: Batch,
    blocks: Vec<Block>,
}

/// At most [`BLOCK`] vectors with their answers, and how much each counts.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub batch: Batch,
    pub answers: Vec<u64>,
    pub weights: Vec<usize>,
}

impl Memory {
    pub fn new(empty: Batch) -> Memory {
        Memory { empty, blocks: Vec::new() }
    }

    pub fn push(&mut self, vector: &Vector, answer: u64) {
        self.push_weighted(vector, answer, 1);
    }

    pub fn push_weighted(&mut self, vector: &Vector, answer: u64, weight: usize) {
        if self.blocks.last().is_none_or(|block| block.answers.len() == BLOCK) {
            self.blocks.push(Block { batch: self.empty.clone(), answers: Vec::new(), weights: Vec::new() });
        }
        if let Some(block) = self.blocks.last_mut() {
            block.batch.push(vector);
            block.answers.push(answer);
            block.weights.push(weight);
        }
    }

    /// How much all of it counts.
    pub fn weight(&self) -> usize {
        self.blocks.iter().flat_map(|block| &block.weights).sum()
    }

    /// Everything in it counts twice as much.
    pub fn double_weights(&mut self) {
        self.blocks.iter_mut().flat_map(|block| &mut block.weights).for_each(|weight| *weight *= 2);
    }

    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    pub fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.answers.len()).sum()
    }

    /// A batch for vectors like those of the memory.
    pub fn empty_batch(&self) -> Batch {
        self.empty.clone()
    }

    /// Vector and answer of that index.
    pub fn entry(&self, index: usize) -> (Vector, u64) {
        let block = &self.blocks[index / BLOCK];
        (block.batch.vector(index % BLOCK), block.answers[index % BLOCK])
    }
}

/// An engine of which only vectors and answers are known.
pub(super) struct BlackBox<'a> {
    /// None: only recorded answers are there.
    engine: Option<&'a mut dyn Engine>,
    /// Vectors asked, those asked again too.
    pub asked: u64,
    /// Everything that was asked by [`BlackBox::ask`].
    pub memory: Memory,
}

impl<'a> BlackBox<'a> {
    pub fn new(engine: &'a mut dyn Engine, empty: Batch) -> BlackBox<'a> {
        BlackBox { engine: Some(engine), asked: 0, memory: Memory::new(empty) }
    }

    /// Answers that were recorded. Nothing else can be asked.
    ///
    /// # Errors
    /// Two answers to the same vector differ.
    pub fn recorded(vectors: &Batch, answers: &[u64]) -> Result<BlackBox<'a>, InferError> {
        let mut memory = Memory::new(Batch::new(vectors.products(), vectors.scales()));
        let mut known: HashMap<Vector, u64> = HashMap::with_capacity(answers.len());
        for (v, &answer) in answers.iter().enumerate() {
            let vector = vectors.vector(v);
            memory.push(&vector, answer);
            let first = *known.entry(vector).or_insert(answer);
            if first != answer {
                let vector = Box::new(vectors.vector(v));
                return Err(InferError::Contradictory { vector, first, second: answer });
            }
        }
        Ok(BlackBox { engine: None, asked: 0, memory })
    }

    /// Whether only recorded answers are there: it answers no further vector.
    pub fn is_recording(&self) -> bool {
        self.engine.is_none()
    }

    /// The answers to a batch, not remembered; none of a recording.
    pub fn answers(&mut self, batch: &Batch) -> Result<Vec<u64>, InferError> {
        let mut results = Vec::new();
        if let (Some(engine), false) = (&mut self.engine, batch.is_empty()) {
            engine.run(batch, &mut results)?;
            self.asked += batch.len() as u64;
        }
        Ok(results)
    }

    /// Asks, and remembers the answers.
    pub fn ask(&mut self, batch: &Batch) -> Result<(), InferError> {
        let answers = self.answers(batch)?;
        for (v, &answer) in answers.iter().enumerate() {
            self.memory.push(&batch.vector(v), answer);
        }
        Ok(())
    }

    /// Asks one in `step` of the vectors that it was asked again, the last first, so that other vectors come before each.
    fn ask_every(&mut self, step: usize) -> Result<(), InferError> {
        let mut batch = self.memory.empty.clone();
        let indices = (0..self.memory.len()).rev().step_by(step);
        let entries: Vec<(Vector, u64)> = indices.map(|index| self.memory.entry(index)).collect();
        entries.iter().for_each(|(vector, _)| batch.push(vector));
        let again = self.answers(&batch)?;
        for ((vector, first), second) in entries.into_iter().zip(again) {
            if first != second {
                return Err(InferError::Inconsistent { vector: Box::new(vector), first, second });
            }
        }
        Ok(())
    }

    /// Asks a sample of everything again.
    ///
    /// # Errors
    /// One of the answers is another one now.
    pub fn ask_sample_again(&mut self) -> Result<(), InferError> {
        self.ask_every(self.memory.len().div_ceil(1024).max(1))
    }

    /// Asks everything again.
    ///
    /// # Errors
    /// One of the answers is another one now.
    pub fn ask_all_again(&mut self) -> Result<(), InferError> {
        self.ask_every(1)
    }
}
