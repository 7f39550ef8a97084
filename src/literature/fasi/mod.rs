//! Fasi, Higham, Mikaitis, Pranesh: Numerical behavior of NVIDIA tensor cores, as the text of MIMS EPrint 2020.10 has it. Section
//! 3.1 was measured on V100, and again on T4 for section 3.2. The journal's text measures A100 too; of it the authors' public
//! programs are at hand, with its constants for binary16, bf16, tf32 and binary64 (`ampere`).
//!
//! The text's constants are those of binary16 and binary32 in its table 3: with other formats the least subnormal and the
//! least normal operand, and units in the last place, are those of the formats. In section 3.2 constants move by one bit,
//! because T4 has one more at the bottom of its accumulator; the text tells one of them, the others are chosen here so that
//! the question is the same, and what is compared then is the conclusion.

mod accumulator;
mod ampere;
mod products;
mod rounding;
mod subnormals;

use self::ampere::{
    BINARY16, BINARY16_NARROW, BINARY64, PRECISIONS, Program, SINGLE, SINGLE_RANGE, expected, expected_of_both,
};
use super::terms::{any, one, products_of, with_addend};
use super::{Experiment, Published, Questions, Reading, features};
use crate::check::probe::{Bench, Sum, Term, Value};

type Pair = [(&'static str, &'static str); 2];

const WIDE: Pair = [("V100", "volta-fp16-fp32"), ("T4", "turing-fp16-fp32")];
const NARROW: Pair = [("V100", "volta-fp16-fp16"), ("T4", "turing-fp16-fp16")];

/// What the programs for A100 leave out.
pub(super) const NOTE: &str = "Of A100 what the authors' programs expect is compared. They do not ask: on binary64 \
                               subnormal addends, exact products, sums of four terms and a third carry bit; on bf16 and \
                               tf32 results of the operands' format. There a reading stands alone.";

pub(super) fn experiments() -> Vec<Experiment> {
    [
        subnormals::experiments(),
        products::experiments(),
        rounding::experiments(),
        accumulator::experiments(),
        ampere::experiments(),
    ]
    .concat()
}

/// The same reading on V100 and on T4, of which section 3.2 says that all conclusions remain valid but for one more bit.
fn on_both(units: &[Pair], reading: &Reading, place: &'static str) -> Vec<Published> {
    let both = |[(volta, own), (turing, again)]: &Pair| {
        [
            Published::new(volta, own, reading.clone(), place),
            Published::new(turing, again, reading.clone(), "section 3.2"),
        ]
    };
    units.iter().flat_map(both).collect()
}

/// The same reading of binary32 results on V100, T4 and A100.
fn everywhere(reading: &Reading, place: &'static str) -> Vec<Published> {
    [on_both(&[WIDE], reading, place), expected(&SINGLE, reading)].concat()
}

/// The same reading of binary16 results on V100, T4 and A100.
fn everywhere_narrow(reading: &Reading, place: &'static str) -> Vec<Published> {
    [on_both(&[NARROW], reading, place), expected(&[BINARY16_NARROW], reading)].concat()
}

/// A reading on V100, results of binary32.
fn on_volta(reading: Reading, place: &'static str) -> Vec<Published> {
    vec![Published::new("V100", "volta-fp16-fp32", reading, place)]
}

/// A reading on T4, results of binary32.
fn on_turing(reading: Reading, place: &'static str) -> Vec<Published> {
    vec![Published::new("T4", "turing-fp16-fp32", reading, place)]
}

/// What Valpey et al. have of T4 instead.
fn in_valpey(reading: Reading, instead: Reading) -> Published {
    let reason = "Turing keeps one bit more than Volta, as section 3.2 measured it on T4; Xie et al., arXiv 2511.10909, agree: 24 \
                  fraction bits";
    Published::new("T4", "turing-fp16-fp32", reading, "Valpey et al. 2025, algorithm 1, steps 2c and 3")
        .instead(instead, reason)
}

/// Half a unit in the last place of 1, 2^-24 for binary32; or the bit to the right of it.
fn half_unit(bench: &Bench, next_bit: i32) -> Value {
    Value::power(-bench.precision() - next_bit)
}
