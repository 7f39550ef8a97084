//! Leaving hypotheses that are best only among their neighbours.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::constraints::Constraints;
use super::{Candidate, Fit, Refuted, Search};
use crate::describe::instruction::Instruction;
use crate::infer::random::below;

impl Search<'_> {
    /// The hypothesis that explains everything, if one is found when what is left to explain counts for more and more (breakout;
    /// Morris 1993): so the search leaves hypotheses that are best only among their neighbours. Else the one there was.
    pub fn broken_out(&self, fit: Fit, constraints: &Constraints) -> Fit {
        /// How often weights are doubled.
        const ROUNDS: usize = 10;
        let mut weighted = constraints.clone();
        let mut hypothesis = fit.hypothesis.clone();
        for _ in 0..ROUNDS {
            weighted = self.failing_first(&hypothesis, &weighted);
            weighted.refuting.double_weights();
            let next = self.improve(hypothesis, &weighted);
            if next.failures == 0 {
                return next;
            }
            hypothesis = next.hypothesis;
        }
        fit
    }

    /// The better of a hypothesis that one change does not improve and those found from it with both windows, or their floors alone,
    /// exchanged: what one of them cuts off the other need not, and both do not move at once.
    pub fn exchanged(&self, fit: Fit, constraints: &Constraints) -> Fit {
        let floors = self.space.floors_exchanged(&fit.hypothesis);
        let windows = self.space.windows_exchanged(&fit.hypothesis).filter(|other| Some(other) != floors.as_ref());
        let mut best = fit;
        for other in [floors, windows].into_iter().flatten() {
            let next = self.improve(other, constraints);
            if next.failures < best.failures {
                best = next;
            }
            if best.failures == 0 {
                break;
            }
        }
        best
    }

    /// A hypothesis of a candidate that takes over what the best of all others than its own has: what both schemes have may be
    /// right there already.
    pub fn taken_over(&self, candidate: &Candidate, own: &Instruction, all: &[Refuted]) -> Option<Instruction> {
        let others = all.iter().filter(|other| other.hypothesis.as_ref() != own);
        let best = others.min_by_key(|refuted| refuted.by.len())?;
        self.space.in_scheme(&best.hypothesis, candidate.scheme, &candidate.composition)
    }

    /// A hypothesis, or another one that explains more.
    pub fn better(&self, own: &Instruction, other: Option<Instruction>, constraints: &Constraints) -> Instruction {
        let failures = self.failures(own, constraints, usize::MAX);
        let better = other.filter(|other| self.failures(other, constraints, failures) < failures);
        better.unwrap_or_else(|| own.clone())
    }

    /// The better of a hypothesis that one change does not improve and the best found from first hypotheses.
    pub fn begun_anew(&self, candidate: &Candidate, fit: Fit, constraints: &Constraints) -> Fit {
        let mut best = fit;
        for start in self.best(candidate.scheme, &candidate.composition, constraints) {
            let fit = self.improve(start.hypothesis, constraints);
            if fit.failures < best.failures {
                best = fit;
            }
            if best.failures == 0 {
                break;
            }
        }
        best
    }

    /// The better of a hypothesis that one change does not improve and the best found when a few of its parameters are drawn
    /// and the rest is improved from there, again and again (iterated local search; Lourenco, Martin and Stuetzle 2003).
    pub fn shaken(&self, fit: Fit, constraints: &Constraints) -> Fit {
        /// How often it is shaken.
        const TURNS: usize = 64;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(fit.failures as u64);
        let mut best = fit;
        for _ in 0..TURNS {
            if best.failures == 0 {
                break;
            }
            let shaken = match below(&mut random, 2) {
                0 => self.drawn(&best.hypothesis, &mut random),
                _ => self.moved(&best.hypothesis, &mut random),
            };
            let next = self.improve(shaken, constraints);
            if next.failures <= best.failures {
                best = next;
            }
        }
        best
    }

    /// The hypothesis with most of its numbers moved by as much: where results have a bit more than it says, so have all windows
    /// that were fitted to them.
    fn moved(&self, hypothesis: &Instruction, random: &mut Xoshiro256PlusPlus) -> Instruction {
        let mut below = |count: usize| below(random, count);
        let by = [-2, -1, 1, 2][below(4)];
        let mut moved = hypothesis.clone();
        for (numbers, own) in self.space.numbers(hypothesis) {
            let next = own.checked_add_signed(by).and_then(|next| numbers.get(next..=next));
            if let Some(next) = next.filter(|_| below(4) > 0) {
                let other = self.space.alternatives(&moved, next).next().map(|(_, other)| other);
                moved = other.unwrap_or(moved);
            }
        }
        moved
    }

    /// The hypothesis with a few parameters drawn.
    fn drawn(&self, hypothesis: &Instruction, random: &mut Xoshiro256PlusPlus) -> Instruction {
        /// Fewest and most of them.
        const DRAWN: [usize; 2] = [2, 4];
        let mut below = |count: usize| below(random, count);
        let parameters = self.space.parameters(hypothesis);
        let mut drawn = hypothesis.clone();
        for _ in 0..DRAWN[0] + below(DRAWN[1] - DRAWN[0] + 1) {
            let parameter = &parameters[below(parameters.len())];
            let setting = &parameter[below(parameter.len())..][..1];
            let other = self.space.alternatives(&drawn, setting).next().map(|(_, other)| other);
            drawn = other.unwrap_or(drawn);
        }
        drawn
    }
}
