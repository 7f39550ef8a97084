//! The probe that splits best: of many vectors, those after whose answers the fewest hypotheses remain. Asks the box nothing.

use std::collections::HashMap;

use rayon::prelude::*;

use super::Search;
use super::telling::Looked;
use crate::describe::instruction::Instruction;
use crate::engine::{Batch, Vector};

/// Of so many vectors, those to ask: each next one is that after whose answer the fewest hypotheses remain on average, until
/// every hypothesis that some vector tells from the first one is told from it.
///
/// `answers` has a row for each hypothesis, with its answer to each vector.
fn splitting(answers: &[Vec<u64>]) -> Vec<usize> {
    let Some((own, others)) = answers.split_first() else { return Vec::new() };
    let mut classes = vec![0; answers.len()];
    let mut open: Vec<usize> = (1..=others.len()).filter(|&other| answers[other] != *own).collect();
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let remaining = |&v: &usize| {
            let sizes = sizes(&classes, answers, v);
            sizes.values().map(|size| size * size).sum::<usize>()
        };
        let Some(best) = (0..own.len()).min_by_key(remaining) else { break };
        let numbers: HashMap<(usize, u64), usize> = sizes(&classes, answers, best).into_keys().zip(0..).collect();
        classes = classes.iter().zip(answers).map(|(&class, answers)| numbers[&(class, answers[best])]).collect();
        open.retain(|&other| classes[other] == classes[0]);
        chosen.push(best);
    }
    chosen
}

/// How many hypotheses of each class give each answer to a vector.
fn sizes(classes: &[usize], answers: &[Vec<u64>], vector: usize) -> HashMap<(usize, u64), usize> {
    let mut sizes = HashMap::new();
    for (&class, answers) in classes.iter().zip(answers) {
        *sizes.entry((class, answers[vector])).or_default() += 1;
    }
    sizes
}

impl Search<'_> {
    /// The vectors that split a hypothesis and its alternatives best, of those looked at and those given, one of which tells
    /// each alternative from it.
    pub fn best_splitting(&self, looked: &Looked, others: &[&Instruction], telling: Batch) -> Batch {
        let batches: Vec<&Batch> = looked.batches().chain([&telling]).collect();
        let answers_of = |hypothesis: &Instruction| -> Vec<Vec<u64>> {
            let mut engine = (self.evaluate)(hypothesis);
            let answered = batches.iter().map(|batch| {
                let mut results = Vec::new();
                // An engine of hypotheses does not fail.
                engine.run(batch, &mut results).map_or_else(|_| vec![0; batch.len()], |()| results)
            });
            answered.collect()
        };
        let own = answers_of(looked.hypothesis());
        let all: Vec<Vec<Vec<u64>>> = others.par_iter().map(|other| answers_of(other)).collect();
        let places = batches.iter().enumerate().flat_map(|(batch, all)| (0..all.len()).map(move |v| (batch, v)));
        let differs = |&(batch, v): &(usize, usize)| all.iter().any(|other| other[batch][v] != own[batch][v]);
        let differing: Vec<(usize, usize)> = places.filter(differs).collect();
        let row = |answers: &Vec<Vec<u64>>| differing.iter().map(|&(batch, v)| answers[batch][v]).collect();
        let answers: Vec<Vec<u64>> = [&own].into_iter().chain(&all).map(row).collect();
        let mut asked = telling.clone();
        asked.clear();
        for index in splitting(&answers) {
            let (batch, v) = differing[index];
            let vector: Vector = batches[batch].vector(v);
            asked.push(&vector);
        }
        asked
    }
}

#[cfg(test)]
mod tests {
    use super::splitting;

    #[test]
    fn vector_that_tells_all_is_asked_alone() {
        let answers = [vec![0, 0, 0, 0], vec![1, 0, 0, 1], vec![0, 1, 0, 2], vec![0, 0, 1, 3]];
        assert_eq!(splitting(&answers), [3]);
    }

    #[test]
    fn vector_for_each_is_asked_where_none_tells_two() {
        let answers = [vec![0, 0, 0], vec![1, 0, 0], vec![0, 1, 0], vec![0, 0, 1]];
        assert_eq!(splitting(&answers).len(), 3);
    }

    #[test]
    fn halves_are_told_before_one_of_many() {
        // The first vector tells one hypothesis from four, the second two from three.
        let answers = [vec![0, 0], vec![1, 0], vec![0, 1], vec![0, 1], vec![0, 0]];
        assert_eq!(splitting(&answers), [1, 0]);
    }

    #[test]
    fn what_no_vector_tells_asks_nothing() {
        assert!(splitting(&[vec![5, 6], vec![5, 6], vec![5, 6]]).is_empty());
        assert!(splitting(&[vec![5, 6]]).is_empty());
        assert!(splitting(&[]).is_empty());
    }

    /// A vector that tells only the others from each other is no end.
    #[test]
    fn asking_goes_on_until_each_is_told_from_the_first() {
        let answers = [vec![0, 0], vec![0, 1], vec![1, 2], vec![1, 3]];
        let asked = splitting(&answers);
        let told = |other: usize| asked.iter().any(|&v| answers[other][v] != answers[0][v]);
        assert!((1..4).all(told), "{asked:?}");
    }
}
