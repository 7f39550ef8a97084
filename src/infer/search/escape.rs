//! Leaving hypotheses that are best only among their neighbours.

use super::constraints::Constraints;
use super::{Candidate, Fit, Search};

impl Search<'_> {
    /// The better of a hypothesis that one change does not improve and one found when what it does not explain counts for more
    /// and more (breakout; Morris 1993): so the search leaves hypotheses that are best only among their neighbours.
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
}
