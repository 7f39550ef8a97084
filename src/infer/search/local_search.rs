//! Local search: from a hypothesis to others that explain more answers, and out of hypotheses that are best only among their
//! neighbours. Climbing changes one parameter at a time, or two. Where that ends it goes on with windows exchanged, with more
//! weight on what is left to explain (breakout; Morris 1993), anew from first hypotheses, or from perturbed ones (iterated local
//! search; Lourenco, Martin and Stuetzle 2003). Asks the box nothing.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::{Candidate, Constraints, Fit, Search, differing};
use crate::describe::instruction::Instruction;
use crate::infer::black_box::Memory;
use crate::infer::random::below;
use crate::infer::space::Setting;

/// Numbers of places with at least so many values are tried at every eighth value first.
const LONG: usize = 128;
const STRIDE: usize = 8;

/// By how many places two numbers are changed together.
const STEPS: [isize; 7] = [1, 2, 3, 4, 6, 8, 16];

impl Search<'_> {
    /// The best hypothesis found from a hypothesis.
    pub fn climb(&self, hypothesis: Instruction, constraints: &Constraints) -> Fit {
        let mut ordered = self.failing_first(&hypothesis, constraints);
        let mut best = Fit { hypothesis, failures: ordered.refuting.weight() };
        while best.failures > 0 {
            let before = best.failures;
            let parameters = self.space.parameters(&best.hypothesis);
            for parameter in &parameters {
                let failures = best.failures;
                self.change_one(&mut best, parameter, &ordered);
                if best.failures < failures {
                    self.centre(&mut best, parameter, &ordered);
                    ordered = self.failing_first(&best.hypothesis, &ordered);
                }
            }
            if best.failures == before {
                let better =
                    self.change_two_numbers(&mut best, &ordered) || self.change_two(&mut best, &parameters, &ordered);
                if !better {
                    break;
                }
                ordered = self.failing_first(&best.hypothesis, &ordered);
            }
        }
        best
    }

    /// The same answers, those first that a hypothesis does not explain: another one that does not explain them either is no
    /// better, and is left without a look at the rest.
    pub(super) fn failing_first(&self, hypothesis: &Instruction, constraints: &Constraints) -> Constraints {
        let mut engine = (self.evaluate)(hypothesis);
        let [refuting, sample] = [(); 2].map(|()| Memory::new(constraints.sample.empty_batch()));
        let mut ordered = Constraints { refuting, sample };
        for block in constraints.blocks() {
            let failing = differing(engine.as_mut(), block);
            for (v, &answer) in block.answers.iter().enumerate() {
                let place = if failing.contains(&v) { &mut ordered.refuting } else { &mut ordered.sample };
                place.push_weighted(&block.batch.vector(v), answer, block.weights[v]);
            }
        }
        ordered
    }

    fn change_one(&self, best: &mut Fit, parameter: &[Setting], constraints: &Constraints) {
        let hypothesis = best.hypothesis.clone();
        let numbers = parameter.first().is_some_and(|setting| setting.place().is_some());
        if parameter.len() < LONG || !numbers || self.effort.is_thorough() {
            self.try_values(best, &hypothesis, None, parameter, constraints);
            return;
        }
        // The nearer such a value is to the right one, the fewer answers it fails on.
        let (mut nearest, mut fewest) = (0, best.failures + 1);
        for index in (0..parameter.len()).step_by(STRIDE) {
            for (_, other) in self.space.alternatives(&hypothesis, &parameter[index..=index]) {
                let failures = self.failures(&other, constraints, fewest);
                if failures < fewest {
                    (nearest, fewest) = (index, failures);
                }
            }
        }
        let around = nearest.saturating_sub(STRIDE)..(nearest + STRIDE).min(parameter.len());
        self.try_values(best, &hypothesis, None, &parameter[around], constraints);
    }

    /// Of the floors, windows and reaches that explain everything the one in the middle: the next answers then exclude about half
    /// of them, where from the least one they would exclude that one alone. The plain one where that explains everything.
    fn centre(&self, best: &mut Fit, parameter: &[Setting], constraints: &Constraints) {
        let numbers = |setting: &Setting| setting.place().is_some() && !setting.is_result();
        if best.failures > 0 || !parameter.first().is_some_and(numbers) {
            return;
        }
        let least = best.hypothesis.clone();
        let own = parameter.iter().position(|setting| setting.is_own_of(&least));
        let Some(own) = own.filter(|&own| !self.space.is_plain(&parameter[own], &least)) else { return };
        let explaining = |index: usize| {
            let other = self.space.alternatives(&least, &parameter[index..=index]).next().map(|(_, other)| other);
            other.filter(|other| self.failures(other, constraints, 1) == 0)
        };
        let plain = parameter.iter().position(|setting| self.space.is_plain(setting, &least));
        if let Some(plain) = plain.and_then(explaining) {
            best.hypothesis = plain;
            return;
        }
        let (mut highest, mut end) = (own, parameter.len());
        while end - highest > 1 {
            let middle = highest + (end - highest) / 2;
            *(if explaining(middle).is_some() { &mut highest } else { &mut end }) = middle;
        }
        if let Some(middle) = explaining(own + (highest - own) / 2) {
            best.hypothesis = middle;
        }
    }

    /// Two numbers at a time, both by as much, until one pair helps: a window that ends at the same place has as many more
    /// fraction bits as its floor lies higher, so that between the two no change of one alone helps.
    fn change_two_numbers(&self, best: &mut Fit, constraints: &Constraints) -> bool {
        let before = best.failures;
        let hypothesis = best.hypothesis.clone();
        let numbers = self.space.numbers(&hypothesis);
        let shifted = |(numbers, own): &(Vec<Setting>, usize), by: isize| {
            own.checked_add_signed(by).and_then(|index| numbers.get(index)).cloned()
        };
        for (index, first) in numbers.iter().enumerate() {
            for second in &numbers[..index] {
                for by in STEPS.into_iter().flat_map(|step| [step, -step]) {
                    for other in [by, -by] {
                        let (Some(one), Some(two)) = (shifted(first, by), shifted(second, other)) else { continue };
                        self.try_values(best, &hypothesis, Some(&one), &[two], constraints);
                    }
                }
                if best.failures < before {
                    return true;
                }
            }
        }
        false
    }

    /// Two parameters at a time, until one pair helps. Where they have too many pairs of values, a thorough search tries the plain
    /// values of either with all of the other, such as no floor with every window: a floor may stand in for a window, and no
    /// window alone is better then. Any search tries so all bits of an addend that is always reached: out of reach it shows
    /// none, and with the wrong ones it is better out of reach.
    fn change_two(&self, best: &mut Fit, parameters: &[Vec<Setting>], constraints: &Constraints) -> bool {
        let before = best.failures;
        let hypothesis = best.hypothesis.clone();
        for (index, first) in parameters.iter().enumerate() {
            for (place, second) in parameters.iter().enumerate().filter(|(place, _)| *place != index) {
                let all = first.len() * second.len() <= self.effort.pairs();
                let reached = matches!(
                    (&first[..], &second[..]),
                    ([Setting::AddendReach(_), ..], [Setting::AddendFractionBits(_), ..])
                );
                let tried = if all { place < index } else { reached || self.effort.is_thorough() };
                if !tried {
                    continue;
                }
                for one in first.iter().filter(|one| all || self.space.is_plain(one, &hypothesis)) {
                    self.try_values(best, &hypothesis, Some(one), second, constraints);
                }
                if best.failures < before {
                    return true;
                }
            }
        }
        false
    }

    /// The best of a hypothesis's alternatives in a parameter, with one value of another parameter besides. Either change alone
    /// need not be allowed.
    fn try_values(
        &self,
        best: &mut Fit,
        from: &Instruction,
        one: Option<&Setting>,
        parameter: &[Setting],
        constraints: &Constraints,
    ) {
        let mut middle = from.clone();
        if let Some(one) = one {
            one.apply(&mut middle);
            if middle == *from {
                return;
            }
        }
        for (_, other) in self.space.alternatives(&middle, parameter) {
            let failures = self.failures(&other, constraints, best.failures);
            if failures < best.failures {
                *best = Fit { hypothesis: other, failures };
            }
        }
    }

    /// The better of a hypothesis and the best found by climbing from others, until one explains everything.
    fn climb_from_each(
        &self,
        fit: Fit,
        others: impl IntoIterator<Item = Instruction>,
        constraints: &Constraints,
    ) -> Fit {
        let mut best = fit;
        for other in others {
            if best.failures == 0 {
                break;
            }
            let next = self.climb(other, constraints);
            if next.failures < best.failures {
                best = next;
            }
        }
        best
    }

    /// The better of a hypothesis that no change improves and the best found from it in other ways. First with both windows, or
    /// their floors alone, exchanged: what one of them cuts off the other need not, and both do not move at once. Then by
    /// breakout, and last from first hypotheses.
    pub fn escape(&self, candidate: &Candidate, fit: Fit, constraints: &Constraints) -> Fit {
        let floors = self.space.floors_exchanged(&fit.hypothesis);
        let windows = self.space.windows_exchanged(&fit.hypothesis).filter(|other| Some(other) != floors.as_ref());
        let fit = self.climb_from_each(fit, [floors, windows].into_iter().flatten(), constraints);
        if fit.failures == 0 {
            return fit;
        }
        let fit = self.breakout(fit, constraints);
        if fit.failures == 0 {
            return fit;
        }
        let starts = self.best(candidate.scheme, &candidate.composition, constraints);
        self.climb_from_each(fit, starts.into_iter().map(|start| start.hypothesis), constraints)
    }

    /// The hypothesis that explains everything, if one is found when what is left to explain counts for more and more; else the
    /// one there was.
    fn breakout(&self, fit: Fit, constraints: &Constraints) -> Fit {
        /// How often weights are doubled.
        const ROUNDS: usize = 10;
        let mut weighted = constraints.clone();
        let mut hypothesis = fit.hypothesis.clone();
        for _ in 0..ROUNDS {
            weighted = self.failing_first(&hypothesis, &weighted);
            weighted.refuting.double_weights();
            let next = self.climb(hypothesis, &weighted);
            if next.failures == 0 {
                return next;
            }
            hypothesis = next.hypothesis;
        }
        fit
    }

    /// The better of a hypothesis that no change improves and the best found when it is perturbed and climbs from there, again
    /// and again.
    pub fn perturb(&self, fit: Fit, constraints: &Constraints) -> Fit {
        /// How often it is perturbed.
        const TURNS: usize = 64;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(fit.failures as u64);
        let mut best = fit;
        for _ in 0..TURNS {
            if best.failures == 0 {
                break;
            }
            let perturbed = match below(&mut random, 2) {
                0 => self.redrawn(&best.hypothesis, &mut random),
                _ => self.shifted(&best.hypothesis, &mut random),
            };
            let next = self.climb(perturbed, constraints);
            if next.failures <= best.failures {
                best = next;
            }
        }
        best
    }

    /// The hypothesis with most of its numbers shifted by as much: where results have a bit more than it says, so have all windows
    /// that were fitted to them.
    fn shifted(&self, hypothesis: &Instruction, random: &mut Xoshiro256PlusPlus) -> Instruction {
        let mut below = |count: usize| below(random, count);
        let by = [-2, -1, 1, 2][below(4)];
        let mut shifted = hypothesis.clone();
        for (numbers, own) in self.space.numbers(hypothesis) {
            let next = own.checked_add_signed(by).and_then(|next| numbers.get(next..=next));
            if let Some(next) = next.filter(|_| below(4) > 0) {
                let other = self.space.alternatives(&shifted, next).next().map(|(_, other)| other);
                shifted = other.unwrap_or(shifted);
            }
        }
        shifted
    }

    /// The hypothesis with a few parameters redrawn.
    fn redrawn(&self, hypothesis: &Instruction, random: &mut Xoshiro256PlusPlus) -> Instruction {
        /// Fewest and most of them.
        const DRAWN: [usize; 2] = [2, 4];
        let mut below = |count: usize| below(random, count);
        let parameters = self.space.parameters(hypothesis);
        let mut redrawn = hypothesis.clone();
        for _ in 0..DRAWN[0] + below(DRAWN[1] - DRAWN[0] + 1) {
            let parameter = &parameters[below(parameters.len())];
            let setting = &parameter[below(parameter.len())..][..1];
            let other = self.space.alternatives(&redrawn, setting).next().map(|(_, other)| other);
            redrawn = other.unwrap_or(redrawn);
        }
        redrawn
    }
}

#[cfg(test)]
mod tests {
    use super::Search;
    use crate::check::case::Expected;
    use crate::describe::instruction::Instruction;
    use crate::describe::unit::Scheme;
    use crate::engine::{Batch, Engine};
    use crate::infer::black_box::Memory;
    use crate::infer::search::example::fused;
    use crate::infer::search::{Constraints, Effort};
    use crate::infer::space::{Composition, Setting};

    /// Of the numbers that explain an answer the one in the middle is taken; a plain one where that explains it, be it before or
    /// after all others.
    #[test]
    fn numbers_are_halved() {
        type Number = fn(&Instruction) -> Option<i64>;
        let floor: Number = |one| one.unit.alignment().exponent_floor.map(i64::from);
        let window: Number = |one| Some(i64::from(one.unit.alignment().fraction_bits));
        // Without an end it is the last one.
        let reach: Number =
            |one| one.unit.addition.as_ref()?.addend_reach.map_or(Some(1000), |reach| Some(i64::from(reach)));
        let cases = [
            (floor, Setting::ExponentFloor(None), Some(20)..=Some(60), Some(40)),
            (floor, Setting::ExponentFloor(Some(70)), None..=Some(60), None),
            (window, Setting::FractionBits(9), Some(30)..=Some(50), Some(40)),
            (reach, Setting::AddendReach(None), Some(50)..=Some(70), Some(60)),
            (reach, Setting::AddendReach(Some(3)), Some(50)..=Some(1000), Some(1000)),
        ];
        for (number, first, explaining, found) in cases {
            let (space, _) = fused();
            let whole = Composition::whole(&space.interface);
            let mut hypothesis = space.start(Scheme::FusedThenAdd, &whole).expect("a fused-then-add unit");
            first.apply(&mut hypothesis);
            let shown = |other: &Instruction| -> Box<dyn Engine> {
                Box::new(Expected(u64::from(explaining.contains(&number(other)))))
            };
            let search = Search { space: &space, evaluate: &shown, effort: Effort::Light };
            let mut batch = Batch::of_interface(&hypothesis.interface());
            batch.resize(1);
            let mut memory = Memory::new(Batch::of_interface(&hypothesis.interface()));
            memory.push(&batch.vector(0), 1);
            let constraints = Constraints::of_memory(&memory, 1);
            assert_eq!(
                search.failing_first(&hypothesis, &constraints).refuting.len(),
                1,
                "{first:?} does not explain it"
            );
            let fit = search.climb(hypothesis, &constraints);
            assert_eq!((fit.failures, number(&fit.hypothesis)), (0, found), "{first:?}");
        }
    }
}
