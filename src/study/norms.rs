//! Distances of a product from the truth.

use serde::{Deserialize, Serialize};

use super::entries::Entries;

/// How the distance of a product from the truth is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Norm {
    /// Sum of magnitudes of the differences, over that of A times that of B.
    L1,
    /// Frobenius norm of the differences, over that of A times that of B.
    Frobenius,
    /// Greatest magnitude of the differences, over that of A times that of B.
    Max,
    /// Greatest |x - t| / |t| of an element whose truth is not 0.
    Relative,
    /// Componentwise backward error: greatest |x - t| / (|A| |B|) of an element (Higham 2002, section 3.5).
    Backward,
}

impl Norm {
    pub const ALL: [Norm; 5] = [Norm::L1, Norm::Frobenius, Norm::Max, Norm::Relative, Norm::Backward];

    /// Name in study files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Norm::L1 => "l1",
            Norm::Frobenius => "frobenius",
            Norm::Max => "max",
            Norm::Relative => "relative",
            Norm::Backward => "backward",
        }
    }

    /// Whether some rows of a product estimate it: the greatest errors of all rows are greater than those of some.
    pub fn is_estimated_by_rows(self) -> bool {
        matches!(self, Norm::L1 | Norm::Frobenius)
    }

    /// What it measures, for people.
    pub fn title(self) -> &'static str {
        match self {
            Norm::L1 => "elementwise 1-norm of the error, over those of A and B",
            Norm::Frobenius => "Frobenius norm of the error, over those of A and B",
            Norm::Max => "greatest error, over the greatest magnitudes of A and B",
            Norm::Relative => "greatest relative error of an element",
            Norm::Backward => "componentwise backward error",
        }
    }
}

/// The distance of a product in every norm.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Errors {
    pub l1: f64,
    pub frobenius: f64,
    pub max: f64,
    pub relative: f64,
    pub backward: f64,
}

impl Errors {
    pub fn of(&self, norm: Norm) -> f64 {
        match norm {
            Norm::L1 => self.l1,
            Norm::Frobenius => self.frobenius,
            Norm::Max => self.max,
            Norm::Relative => self.relative,
            Norm::Backward => self.backward,
        }
    }
}

/// Elementwise norms of a matrix: sum of magnitudes, Frobenius, greatest magnitude.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sizes {
    sum: f64,
    frobenius: f64,
    max: f64,
}

impl Sizes {
    pub fn of(entries: impl Iterator<Item = f64>) -> Sizes {
        let (mut sum, mut squares, mut max) = (0.0, 0.0, 0.0f64);
        for entry in entries {
            sum += entry.abs();
            squares += entry * entry;
            max = max.max(entry.abs());
        }
        Sizes { sum, frobenius: f64::sqrt(squares), max }
    }
}

/// The distance of a result from the truth, which is unevaluated.
pub(super) fn distance([whole, rest]: [f64; 2], result: f64) -> f64 {
    ((whole - result) + rest).abs()
}

/// What the norms of one size need beside the results.
pub(super) struct Measure {
    /// Elementwise norms of A and B.
    pub operands: [Sizes; 2],
    /// Rows of D over rows that were computed.
    pub share: f64,
    /// The truth, unevaluated: nearest number of binary64, and what is left.
    pub truth: [Vec<f64>; 2],
    /// Elements of |A| |B|.
    pub magnitudes: Vec<f64>,
}

impl Measure {
    pub fn operands(a: &Entries, b: &Entries) -> [Sizes; 2] {
        [a, b].map(|entries| Sizes::of(entries.values.iter().copied()))
    }

    /// The distances of results, row by row.
    pub fn errors(&self, results: &[f64]) -> Errors {
        let truth = self.truth[0].iter().zip(&self.truth[1]);
        let distances: Vec<f64> =
            results.iter().zip(truth).map(|(&result, (&whole, &rest))| distance([whole, rest], result)).collect();
        let Sizes { sum, frobenius, max } = Sizes::of(distances.iter().copied());
        let [a, b] = &self.operands;
        let greatest = |of: &[f64]| {
            let ratios = distances.iter().zip(of).filter(|(distance, one)| **distance > 0.0 && **one != 0.0);
            ratios.map(|(distance, one)| distance / one.abs()).fold(0.0, f64::max)
        };
        Errors {
            l1: sum * self.share / (a.sum * b.sum),
            frobenius: frobenius * self.share.sqrt() / (a.frobenius * b.frobenius),
            max: max / (a.max * b.max),
            relative: greatest(&self.truth[0]),
            backward: greatest(&self.magnitudes),
        }
    }
}
