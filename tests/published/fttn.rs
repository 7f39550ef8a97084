//! FTTN: readings, documented differences, units changed in what each test asks, and all formats and rounding modes.

use tensorsmith::describe::format::Rounding::{self, NearestEven, TowardNegative, TowardPositive, TowardZero};
use tensorsmith::describe::unit::AlignmentRounding::{Downward, NearestEven as ToNearest, ToOdd};
use tensorsmith::literature::{Reading, Work};

use super::mutation::{Mutation, Mutation::*, Row, assert_seen};
use super::{assert_published, experiment, outcomes, unit};

const VOLTA: &str = "volta-fp16-fp32";
const AMPERE: &str = "ampere-fp16-fp32";
const HOPPER: &str = "hopper-fp16-fp32";

const CHAIN: Mutation = As("hickmann-fma-chain-fp16-fp32");
const TREE: Mutation = As("hickmann-adder-tree-fp16-fp32");

#[test]
fn fttn_readings() {
    // Subnormal operands and addends on MI250X; the rounding of NVIDIA's fp32 results.
    assert_eq!(assert_published(Work::Fttn), 2 + 3);
}

#[test]
fn fttn_sees_changed_units() {
    let rows: &[Row] = &[
        ("subnormal-operand", HOPPER, &[FlushOperands]),
        ("subnormal-addend", HOPPER, &[FlushAddend, FlushResult]),
        ("subnormal-result", "ampere-bf16-fp32", &[FlushResult]),
        ("subnormal-result", "cdna1-bf16-fp32", &[FlushResult]),
        ("rounding-direction", VOLTA, &[Alignment(ToNearest), Alignment(Downward), CHAIN]),
        ("rounding-direction", HOPPER, &[Conversion(NearestEven)]),
        ("rounding-direction", "hopper-fp16-fp16", &[Conversion(TowardZero)]),
        ("extra-bits", VOLTA, &[FractionBits(1)]),
        ("extra-bits", AMPERE, &[FractionBits(1), FractionBits(-1)]),
        ("extra-bits", HOPPER, &[FractionBits(1), FractionBits(-1)]),
        ("ties", "hopper-fp16-fp16", &[FractionBits(-5), FractionBits(-8), Conversion(TowardZero)]),
        ("ties", "cdna1-fp16-fp32", &[Conversion(TowardZero), Mutation::As("cdna3-fp16-fp32")]),
        ("sticky-bit", VOLTA, &[Alignment(ToOdd), Alignment(Downward)]),
        ("product-rounding", VOLTA, &[FractionBits(-4)]),
        ("block-width", VOLTA, &[Products(8)]),
        ("block-width", HOPPER, &[Products(8), Products(32)]),
        ("accumulation-order", VOLTA, &[CHAIN, TREE]),
        ("normalised-once", VOLTA, &[CHAIN, TREE]),
        ("workflow", VOLTA, &[FractionBits(1), FractionBits(2), FractionBits(3), CHAIN]),
        ("workflow", "hopper-fp16-fp16", &[Conversion(TowardZero), Conversion(TowardPositive), FractionBits(-5)]),
    ];
    assert_seen(Work::Fttn, rows);
}

/// Five formats of operands, fp8 in two, and four rounding modes; these units keep the quarters until the one rounding.
#[test]
fn fttn_tells_rounding_modes_apart_in_all_formats() {
    let modes: [(Rounding, &str); 4] = [
        (NearestEven, "to nearest, ties to even"),
        (TowardZero, "toward zero"),
        (TowardPositive, "upward"),
        (TowardNegative, "downward"),
    ];
    let wide = ["cdna1-fp16-fp32", "cdna1-bf16-fp32", "hopper-tf32-fp32", "cdna-fma-fp32", "fma-fp64"];
    for name in wide.into_iter().chain(["hopper-e4m3-fp16", "hopper-e5m2-fp16"]) {
        for (rounding, reading) in modes {
            let mut changed = unit(name);
            changed.conversion.rounding = rounding;
            let asked = outcomes(&changed.into(), vec![experiment(Work::Fttn, "rounding-direction")]).remove(0);
            assert_eq!(asked.reading, Ok(Reading::Name(reading)), "{name}");
        }
    }
}

/// Every test is asked of every format, except those that a format cannot be asked: the tests are not of one format's constants.
#[test]
fn fttn_asks_all_formats() {
    for (name, least) in [
        (VOLTA, 10),
        ("ampere-bf16-fp32", 11),
        ("ampere-tf32-fp32", 11),
        ("cdna-fma-fp32", 11),
        ("fma-fp64", 10),
        ("hopper-e4m3-fp32", 9),
        ("hopper-e5m2-fp32", 9),
    ] {
        let all = outcomes(&unit(name).into(), Work::Fttn.experiments());
        let asked = all.iter().filter(|outcome| outcome.reading.is_ok()).count();
        assert!(asked >= least, "{name}: {asked} of {}", all.len());
    }
}
