//! A search that explains few terms first: an addend alone shows the window in which it is added, one product that of the
//! products, and what each has shown stays while more is explained (after the workflow of Li et al. 2024, FTTN, whose tests each
//! decide one feature given those before). Asks the box nothing.

use std::collections::HashSet;

use rayon::prelude::*;

use super::{Candidate, Constraints, Effort, FEW, Fit, Search};
use crate::describe::format::{Class, Format};
use crate::describe::instruction::Instruction;
use crate::describe::unit::{AlignmentRounding, ProductOverflow, Unit};
use crate::engine::Vector;
use crate::infer::black_box::Memory;

/// How many products are not zero at most, stage by stage. The last stage has any number.
const STAGES: [usize; 3] = [0, 1, 2];

/// Answers to explain in one stage at most.
const ANSWERS: usize = 1024;

/// First hypotheses of the same rules that the first stage begins with.
const BEGUN: usize = 8;

/// Hypotheses that go on from one stage to the next.
const KEPT: usize = 32;

/// Of hypotheses that leave no more than one answer in so many to explain, changes are tried for longer.
const NEAR: usize = 8;

impl Search<'_> {
    /// The best hypothesis found in stages.
    pub fn staged(&self, candidate: &Candidate, memory: &Memory) -> Instruction {
        let mut stages: Vec<Constraints> = STAGES.map(|most| self.of_few_products(memory, most)).into();
        // Of fewer answers, such as a recording may have, one stage would leave too few hypotheses.
        stages.retain(|stage| stage.len() >= FEW);
        stages.push(Constraints::of_memory(memory, ANSWERS));
        let light = Search { effort: Effort::Light, ..*self };
        let mut kept = self.best_of_rules(candidate, &stages[0]);
        for (stage, constraints) in stages.iter().enumerate() {
            let next = stages.get(stage + 1).unwrap_or(constraints);
            let improved = kept.into_par_iter().map(|fit| light.climb(fit.hypothesis, constraints));
            let better = self.best_distinct(improved.collect(), next);
            let improved = better.into_par_iter().map(|fit| match fit.failures * NEAR <= constraints.len() {
                true => self.climb(fit.hypothesis, constraints),
                false => fit,
            });
            kept = self.best_distinct(improved.collect(), next);
        }
        let best = kept.into_iter().min_by_key(|fit| fit.failures);
        best.map_or_else(|| candidate.start.hypothesis.clone(), |fit| fit.hypothesis)
    }

    /// Of the answers to vectors with no more products than so many, evenly chosen ones.
    fn of_few_products(&self, memory: &Memory, most: usize) -> Constraints {
        let formats = &self.space.interface.formats;
        let is_zero = |format: &Format, bits: u64| format.decode(bits).class == Class::Zero;
        let products = |vector: &Vector| {
            let factors = vector.a.iter().zip(&vector.b);
            factors.filter(|&(&a, &b)| !is_zero(&formats.a, a) && !is_zero(&formats.b, b)).count()
        };
        let mut few = Memory::new(memory.empty_batch());
        let entries = (0..memory.len()).map(|index| memory.entry(index));
        entries.filter(|(vector, _)| products(vector) <= most).for_each(|(vector, answer)| few.push(&vector, answer));
        Constraints::of_memory(&few, ANSWERS)
    }

    /// The best first hypotheses of each kind of rules, no two with the same answers: where windows are long, these rules do not show.
    fn best_of_rules(&self, candidate: &Candidate, constraints: &Constraints) -> Vec<Fit> {
        let mut of_rules: Vec<(Rules, Vec<Instruction>)> = Vec::new();
        for start in self.space.last_starts(candidate.scheme, &candidate.composition) {
            let rules = rules(&start);
            match of_rules.iter_mut().find(|(known, _)| *known == rules) {
                Some((_, starts)) => starts.push(start),
                None => of_rules.push((rules, vec![start])),
            }
        }
        let few = constraints.every(ANSWERS / FEW);
        let begun = of_rules.into_par_iter().flat_map_iter(|(_, starts)| {
            let distinct = self.distinct(starts, &few);
            self.least_failing(distinct, constraints, BEGUN)
        });
        begun.collect()
    }

    /// Those that explain most, as many of one kind of rules as of another: a rule that the answers so far do not show may be the right
    /// one. Of those that give the same answers in the next stage only the best.
    fn best_distinct(&self, mut fits: Vec<Fit>, next: &Constraints) -> Vec<Fit> {
        fits.sort_by_key(|fit| fit.failures);
        let mut seen = HashSet::new();
        let mut ranked: Vec<(usize, Fit)> = Vec::new();
        for fit in fits {
            if seen.insert(self.answers(&fit.hypothesis, next)) {
                let own = rules(&fit.hypothesis);
                let rank = ranked.iter().filter(|(_, better)| rules(&better.hypothesis) == own).count();
                ranked.push((rank, fit));
            }
        }
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().take(KEPT).map(|(_, fit)| fit).collect()
    }
}

/// Rules of a hypothesis that few answers show: how what is aligned is rounded, and what products overflow to.
type Rules = (Option<AlignmentRounding>, Option<(AlignmentRounding, ProductOverflow)>);

fn rules(hypothesis: &Instruction) -> Rules {
    let Unit { alignment, addition, .. } = &hypothesis.unit;
    (alignment.as_ref().map(|own| own.rounding), addition.as_ref().map(|own| (own.rounding, own.product_overflow)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::case::Expected;
    use crate::describe::unit::Scheme;
    use crate::engine::{Batch, Engine};
    use crate::infer::search::example::fused;
    use crate::infer::space::{Composition, Setting};

    /// In this world only the window shows.
    fn evaluated(hypothesis: &Instruction) -> Box<dyn Engine> {
        Box::new(Expected(u64::from(hypothesis.unit.alignment().fraction_bits)))
    }

    /// Answers to vectors with so many products of 1 * 1: the number of products.
    fn memory(hypothesis: &Instruction, products: &[usize]) -> Memory {
        const ONE: u64 = 0x3f80;
        let mut batch = Batch::of_interface(&hypothesis.interface());
        batch.resize(1);
        let mut memory = Memory::new(Batch::of_interface(&hypothesis.interface()));
        for &count in products {
            let mut vector = batch.vector(0);
            // Beside a zero it is none.
            vector.a.fill(ONE);
            vector.b[..count].fill(ONE);
            memory.push(&vector, count as u64);
        }
        memory
    }

    #[test]
    fn products_beside_a_zero_are_none() {
        let (space, hypothesis) = fused();
        let search = Search { space: &space, evaluate: &evaluated, effort: Effort::Light };
        let memory = memory(&hypothesis, &[0, 4, 1, 2, 0, 3]);
        let answers = |most| {
            let constraints = search.of_few_products(&memory, most);
            constraints.blocks().flat_map(|block| block.answers.clone()).collect::<Vec<u64>>()
        };
        assert_eq!(STAGES.map(answers), [vec![0, 0], vec![0, 1, 0], vec![0, 1, 2, 0]]);
        assert_eq!(answers(usize::MAX), [0, 4, 1, 2, 0, 3]);
    }

    /// An infinite factor beside a zero is none, beside another number it is a product.
    #[test]
    fn infinite_products_are_products() {
        let (space, hypothesis) = fused();
        let search = Search { space: &space, evaluate: &evaluated, effort: Effort::Light };
        let [beside_zero, beside_one] = [0, 1].map(|count| {
            let mut vector = memory(&hypothesis, &[count]).entry(0).0;
            vector.a[0] = 0x7f80;
            let mut memory = Memory::new(Batch::of_interface(&hypothesis.interface()));
            memory.push(&vector, 0);
            search.of_few_products(&memory, 0).len()
        });
        assert_eq!([beside_zero, beside_one], [1, 0]);
    }

    /// A recording may have no vector of few products. One first hypothesis explains this one, and no single change of another does.
    #[test]
    fn stages_without_answers_lose_no_hypothesis() {
        let (space, hypothesis) = fused();
        let right = |one: &Instruction| {
            let (alignment, flush) = (one.unit.alignment(), one.unit.flush);
            let rounding = alignment.rounding == AlignmentRounding::ToOdd;
            rounding && alignment.fraction_bits == 9 && !alignment.normalise_products && flush.result
        };
        let shown = |one: &Instruction| -> Box<dyn Engine> { Box::new(Expected(4 * u64::from(right(one)))) };
        let search = Search { space: &space, evaluate: &shown, effort: Effort::Light };
        let memory = memory(&hypothesis, &[4]);
        let composition = Composition::whole(&space.interface);
        let start = Fit { hypothesis, failures: 1 };
        let candidate = Candidate { scheme: Scheme::Fused, composition, start };
        assert!(right(&search.staged(&candidate, &memory)));
    }

    #[test]
    fn best_of_each_rounding_go_on_if_their_answers_differ() {
        let (space, hypothesis) = fused();
        let search = Search { space: &space, evaluate: &evaluated, effort: Effort::Light };
        let next = Constraints::of_memory(&memory(&hypothesis, &[1]), 1);
        let odd = AlignmentRounding::ToOdd;
        let cut = AlignmentRounding::TowardZero;
        let fits =
            [(5, cut, 3), (5, cut, 1), (6, cut, 2), (7, odd, 4), (6, odd, 3)].map(|(bits, rounding, failures)| {
                let mut hypothesis = hypothesis.clone();
                Setting::FractionBits(bits).apply(&mut hypothesis);
                Setting::AlignmentRounding(rounding).apply(&mut hypothesis);
                Fit { hypothesis, failures }
            });
        let kept = search.best_distinct(fits.to_vec(), &next);
        let kept = kept.iter().map(|fit| {
            let alignment = fit.hypothesis.unit.alignment();
            (alignment.fraction_bits, alignment.rounding, fit.failures)
        });
        assert_eq!(kept.collect::<Vec<_>>(), [(5, cut, 1), (7, odd, 4), (6, cut, 2)]);
    }
}
