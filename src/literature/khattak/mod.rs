//! Khattak, Mikaitis: Accurate models of NVIDIA tensor cores, and its public models and recordings (MATLAB-tensor-core). Models
//! of V100, A100, A2, A30, Ada, L40S, H100, H200 and B200, refined until random vectors agree with recordings of the devices.
//!
//! What they determined is published as parameters of the models: `fma` products of a block, `neab` bits kept below those of
//! binary32, `frmode` the final rounding, `inter_pattern` blocks whose products take turns, `min_exp_limit` the least
//! exponent that terms are aligned to. The models changed while recordings were added: H100 and B200 are taken from later
//! versions than the others. The vectors that find each are chosen here. Where only the recordings say it, their
//! replay says so: 0 mismatches in all results.

mod alignment;
mod composition;
mod result;

use super::terms::{any, products_of, with_addend};
use super::{Answered, Experiment, Published, Questions, Reading, blocks, features, traces};
use crate::check::probe::{Bench, Fit, Sum, Term, Value};

/// What a model says of one device in one format of operands, for results of fp32.
struct Model {
    device: &'static str,
    unit: &'static str,
    fma: i32,
    neab: i32,
    place: &'static str,
}

const V100: &str = "models/V100TC.m";
const A100: &str = "models/A100TC.m";
const ADA: &str = "models/AdaTC.m, models/L40STC.m";
const ADA_FP8: &str = "models/AdaTC.m, models/L40STC.m, fp8";
const H100: &str = "models/H100TC.m";
const H100_FP8: &str = "models/H100TC.m, fp8";
const B200: &str = "models/B200TC.m";
const B200_FP8: &str = "models/B200TC.m, fp8";

/// Models of fp32 results.
const MODELS: [Model; 19] = [
    model("V100", "volta-fp16-fp32", (4, 0), V100),
    model("A100", "ampere-fp16-fp32", (8, 1), A100),
    model("A100", "ampere-bf16-fp32", (8, 1), A100),
    model("A100", "ampere-tf32-fp32", (4, 1), A100),
    model("Ada", "ampere-fp16-fp32", (8, 1), ADA),
    model("Ada", "ampere-bf16-fp32", (8, 1), ADA),
    model("Ada", "ampere-tf32-fp32", (4, 1), ADA),
    model("Ada", "ada-e4m3-fp32", (16, -10), ADA_FP8),
    model("Ada", "ada-e5m2-fp32", (16, -10), ADA_FP8),
    model("H100", "hopper-fp16-fp32", (16, 2), H100),
    model("H100", "hopper-bf16-fp32", (16, 2), H100),
    model("H100", "hopper-tf32-fp32", (8, 2), H100),
    model("H100", "hopper-e4m3-fp32", (32, -10), H100_FP8),
    model("H100", "hopper-e5m2-fp32", (32, -10), H100_FP8),
    model("B200", "hopper-fp16-fp32", (16, 2), B200),
    model("B200", "hopper-bf16-fp32", (16, 2), B200),
    model("B200", "hopper-tf32-fp32", (8, 2), B200),
    model("B200", "blackwell-e4m3-fp32", (32, 2), B200_FP8),
    model("B200", "blackwell-e5m2-fp32", (32, 2), B200_FP8),
];

/// Models of fp16 results: frmode is rne.
const NARROW: [Model; 7] = [
    model("V100", "volta-fp16-fp16", (4, 0), V100),
    model("A100", "ampere-fp16-fp16", (8, 1), A100),
    model("Ada", "ampere-fp16-fp16", (8, 1), "models/AdaTC.m"),
    model("Ada", "ada-e4m3-fp16", (16, -10), "models/AdaTC.m, fp8"),
    model("Ada", "ada-e5m2-fp16", (16, -10), "models/AdaTC.m, fp8"),
    model("H100", "hopper-fp16-fp16", (16, 2), H100),
    model("B200", "hopper-fp16-fp16", (16, 2), B200),
];

/// fp8 instructions of Hopper's and Blackwell's mma.sync.
const INTERLEAVED: [(&str, &str); 4] = [
    ("H100", "hopper-mma-m16n8k32-e4m3-fp32"),
    ("H100", "hopper-mma-m16n8k32-e5m2-fp32"),
    ("B200", "hopper-mma-m16n8k32-e4m3-fp32"),
    ("B200", "hopper-mma-m16n8k32-e5m2-fp32"),
];

const fn model(device: &'static str, unit: &'static str, (fma, neab): (i32, i32), place: &'static str) -> Model {
    Model { device, unit, fma, neab, place }
}

pub(super) fn experiments() -> Vec<Experiment> {
    [alignment::experiments(), result::experiments(), composition::experiments()].concat()
}

/// What models give.
fn of(models: &[Model], reading: impl Fn(&Model) -> Reading) -> Vec<Published> {
    models.iter().map(|own| Published::new(own.device, own.unit, reading(own), own.place)).collect()
}

/// What every model of fp32 results gives.
fn of_models(reading: impl Fn(&Model) -> Reading) -> Vec<Published> {
    of(&MODELS, reading)
}

/// What the recordings of the interleaved instructions give.
fn of_interleaved(reading: &Reading, place: &'static str) -> Vec<Published> {
    INTERLEAVED.iter().map(|(device, name)| Published::new(device, name, reading.clone(), place)).collect()
}
