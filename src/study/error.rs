//! Why a study cannot be run.

use thiserror::Error;

/// Exponents of entries whose products and their errors binary64 holds.
pub(super) const EXPONENT_MAX: i32 = 400;

/// Why a study could not go on.
#[derive(Debug, Error)]
pub enum StudyError {
    #[error("curve {curve:?}: {message}")]
    Curve { curve: String, message: String },
    #[error(
        "curve {curve:?}: an entry of {matrix} is {value:e}; allowed: magnitudes up to {greatest:e}, the largest of {format}"
    )]
    TooLarge { curve: String, matrix: &'static str, value: f64, format: String, greatest: f64 },
    #[error("an entry of {matrix} is {value:e}; allowed: 0, and magnitudes from 2^-{EXPONENT_MAX} to 2^{EXPONENT_MAX}")]
    Entry { matrix: &'static str, value: f64 },
    #[error("{matrix} is zero everywhere; allowed: at least one other number, which errors are measured by")]
    Zero { matrix: &'static str },
    #[error("A is {a:?} and B {b:?}; allowed: as many columns of A as rows of B")]
    Sizes { a: [usize; 2], b: [usize; 2] },
    #[error("matrices of size {size}: no memory for them; allowed: what fits")]
    Memory { size: usize },
    #[error("{0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    #[error("{0}")]
    Stopped(std::io::Error),
}
