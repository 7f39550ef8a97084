//! Valpey, Li, Pai, Gopalakrishnan: An SMT formalization of mixed-precision matrix multiplication. Measured on a Titan V
//! (Volta), an RTX 2080 Ti (Turing) and an RTX A6000 (Ampere).
//!
//! The vectors are those that it prints, in tables 1, 3 and 5, and those on the authors' page of solvers' inputs to which its
//! footnote 2 points (pyxis-roc/tensor_core_semantics, index.html). The page prints a subnormal 0.f * 2^-14 as 1.f * 2^-15, and
//! names no device: only a window of 23 fraction bits, which is Volta's, fits its order of accumulation. Where there
//! are none, the vector was chosen here to satisfy the printed property, and the published reading is what the text
//! concludes from its own. For the model itself, algorithm 1, the reading is what that algorithm gives.

mod accumulator;
mod algorithm;
mod precision;
mod sums;
mod table_5;

use super::terms::{any, one, products_of, with_addend};
use super::{Experiment, Questions, Reading, on, on_all};
use crate::check::probe::{Bench, Sum, Term, Value};

const VOLTA: (&str, &str) = ("V100", "volta-fp16-fp32");
const TURING: (&str, &str) = ("T4", "turing-fp16-fp32");
const AMPERE: (&str, &str) = ("A100", "ampere-fp16-fp32");
const WIDE: [(&str, &str); 3] = [VOLTA, TURING, AMPERE];
const NARROW: [(&str, &str); 3] =
    [("V100", "volta-fp16-fp16"), ("T4", "turing-fp16-fp16"), ("A100", "ampere-fp16-fp16")];

pub(super) fn experiments() -> Vec<Experiment> {
    [
        precision::experiments(),
        sums::experiments(),
        accumulator::experiments(),
        algorithm::experiments(),
        table_5::experiments(),
    ]
    .concat()
}
