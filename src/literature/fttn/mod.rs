//! Li, Li, Fang, Swirydowicz, Laguna, Gopalakrishnan: FTTN: Feature-targeted testing for numerical properties of NVIDIA & AMD
//! matrix accelerators. Measured on V100, A100, H100, MI100 and MI250X.
//!
//! What is at hand is the abstract, the captions of the figures, which name the tests and their order, a public summary of
//! the results, and the authors' public programs, whose constants are those of four formats. Vectors are chosen here for the named
//! tests, with the formats' parameters, for all of fp16, bf16, tf32, fp32, fp64 and fp8; what only the programs ask is in
//! `programs`. Figure 3 asks later tests as earlier answers want them; here all are asked, the reading of one says what its own
//! vectors show, and that of the workflow follows the figure.

mod accumulator;
mod programs;
mod subnormals;
mod workflow;

use super::features::in_places;
use super::terms::{any, one, products_of, with_addend};
use super::{Answered, Experiment, Published, Questions, Reading, blocks, features, on, on_all, traces};
use crate::check::probe::{Bench, Fit, Sum, Term, Value};

/// What is not asked, and why.
pub(super) const NOTE: &str = "Not asked: the abstract's simple test, 0 on V100, A100 and MI250X, 255.875 on MI100, 191.875 on H100. \
                               It was published without its input; distinguish --answers searches for one.";

/// Written by a machine, not by the authors: a statement of it counts for no more than that.
const SUMMARY: &str = "a public summary of the paper (linnk.ai)";

/// fp16 operands, fp32 results.
const WIDE: [(&str, &str); 5] = [
    ("V100", "volta-fp16-fp32"),
    ("A100", "ampere-fp16-fp32"),
    ("H100", "hopper-fp16-fp32"),
    ("MI100", "cdna1-fp16-fp32"),
    ("MI250X", "cdna2-fp16-fp32"),
];

/// fp16 results.
const NARROW: [(&str, &str); 3] =
    [("V100", "volta-fp16-fp16"), ("A100", "ampere-fp16-fp16"), ("H100", "hopper-fp16-fp16")];

/// Units of the other formats, of which the text at hand says nothing: bf16, tf32, fp32, fp64, fp8.
pub(super) const OTHERS: &[&str] = &[
    "ampere-bf16-fp32",
    "hopper-bf16-fp32",
    "cdna1-bf16-fp32",
    "cdna2-bf16-fp32",
    "cdna2-bf16-1k-fp32",
    "ampere-tf32-fp32",
    "hopper-tf32-fp32",
    "cdna-fma-fp32",
    "fma-fp64",
    "cdna-fma-fp64",
    "hopper-e4m3-fp32",
    "hopper-e5m2-fp32",
];

pub(super) fn experiments() -> Vec<Experiment> {
    [subnormals::experiments(), accumulator::experiments(), programs::experiments(), workflow::experiments()].concat()
}
