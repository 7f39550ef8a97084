//! Bit-blasted terms against their exact evaluation, stage by stage, on shaped vectors.

use dashu_int::IBig;
use dashu_int::ops::BitTest;
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::prove::UnitTerms;
use tensorsmith::prove::aig::{Aig, Negation, Patterns, TermBlaster, Word, simulate};

use super::unit;

const VECTORS: usize = 64;

/// Every node of a unit's graph, blasted, has the number that the graph means, whichever way it is negated.
#[test]
fn blasted_terms_exact_evaluation_shaped() {
    let units =
        ["volta-fp16-fp32", "ampere-tf32-fp32", "hopper-e4m3-fp32", "tiny-nearest", "tiny-scaled", "tiny-then-add"];
    let ways = [Negation::Selected, Negation::Inverted];
    for (name, negation) in units.into_iter().flat_map(|name| ways.map(|way| (name, way))) {
        let unit = unit(name);
        let (graph, terms) = UnitTerms::of(&unit);
        let mut batch = Stimulus::shaped(&unit, 5).empty_batch();
        Stimulus::shaped(&unit, 5).fill(0, VECTORS, &mut batch);
        let mut aig = Aig::default();
        let mut blaster = TermBlaster::new(&graph);
        blaster.negation = negation;
        let numbers: Vec<Vec<IBig>> =
            (0..VECTORS).map(|vector| terms.inputs.numbers(&graph, &batch.vector(vector))).collect();
        let mut rows = Vec::new();
        for (index, variable) in graph.variables().iter().enumerate() {
            let bits = aig.word_input(variable.range.width() as usize);
            for place in 0..bits.len() {
                let value = |vector: usize| u64::from(numbers[vector][index].bit(place));
                rows.push(vec![(0..VECTORS).fold(0, |word, vector| word | value(vector) << vector)]);
            }
            blaster.give(variable.node, Word { bits, signed: false });
        }
        let words: Vec<_> = graph.nodes().map(|(id, _)| (id, blaster.word(&mut aig, id))).collect();
        let values = simulate(&aig, &Patterns { words: 1, rows });
        for (vector, numbers) in numbers.iter().enumerate() {
            let exact = graph.evaluate(numbers);
            for (id, word) in &words {
                let mut number = IBig::ZERO;
                for (place, &bit) in word.bits.iter().enumerate() {
                    let weight = IBig::from(u8::from(values.bit(bit, vector))) << place;
                    number += if word.signed && place + 1 == word.bits.len() { -weight } else { weight };
                }
                assert_eq!(number, *exact.of(*id), "{name}, vector {vector}: {:?}", graph.node(*id));
            }
            // What the text claims holds on every vector.
            assert!(blaster.relied.iter().all(|(_, _, holds)| values.bit(*holds, vector)), "{name}");
        }
    }
}
