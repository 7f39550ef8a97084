//! FTTN: readings, documented differences, units changed in what each test asks, and all formats and rounding modes.

use tensorsmith::describe::format::Rounding::{self, NearestEven, TowardNegative, TowardPositive, TowardZero};
use tensorsmith::describe::unit::AlignmentRounding::{Downward, NearestEven as ToNearest, ToOdd};
use tensorsmith::literature::{Reading, Work};

use super::mutation::{CHAIN, Mutation, Mutation::*, Row, TREE, assert_seen};
use super::{assert_published, experiment, outcomes, unit};

const VOLTA: &str = "volta-fp16-fp32";
const AMPERE: &str = "ampere-fp16-fp32";
const HOPPER: &str = "hopper-fp16-fp32";

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
        ("rounding-direction-of-addend", VOLTA, &[Alignment(Downward), Alignment(ToNearest), CHAIN]),
        ("rounding-direction-of-addend", HOPPER, &[Conversion(NearestEven), Conversion(TowardPositive)]),
        ("rounding-direction-of-addend", "hopper-fp16-fp16", &[Conversion(TowardZero), Conversion(TowardNegative)]),
        ("three-bits-to-nearest", "cdna1-fp16-fp32", &[Conversion(TowardZero), Conversion(TowardNegative)]),
        ("three-bits-to-nearest", "hopper-fp16-fp16", &[FractionBits(-13)]),
        ("extra-bits-in-accumulation", AMPERE, &[FractionBits(-1), CHAIN, TREE]),
        ("extra-bits-in-accumulation", HOPPER, &[FractionBits(-2), FractionBits(2)]),
        ("precision-behind-result", "hopper-fp16-fp16", &[FractionBits(-12), FractionBits(-15)]),
        ("monotonicity", AMPERE, &[FractionBits(1), FractionBits(-1), CHAIN]),
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

/// What the authors' programs ask, read by hand from models of V100, A100, H100, MI100 and MI250X: the direction of rounding for fp32
/// and for fp16 results, extra bits during accumulation, the precision behind fp16 results, monotonicity with large numbers.
#[test]
fn fttn_programs_read_what_the_devices_do() {
    let (zero, nearest) = ("toward zero, toward zero", "to nearest, to nearest");
    let none_lost = "yes, and no smaller terms are lost, or they are added first";
    let one_by_one = "yes, and smaller terms are lost one by one";
    let rows = [
        (VOLTA, [zero, "not decided: sums are not rounded to nearest", "no, both terms are lost", "", "no"]),
        (AMPERE, [zero, "not decided: sums are not rounded to nearest", one_by_one, "", "yes"]),
        (HOPPER, [zero, "not decided: sums are not rounded to nearest", one_by_one, "", "no"]),
        ("ampere-bf16-fp32", [zero, "not decided: sums are not rounded to nearest", one_by_one, "", "yes"]),
        ("cdna1-fp16-fp32", [nearest, "yes", none_lost, "", "no"]),
        ("cdna2-fp16-fp32", [nearest, "yes", "no, the order decides", "", "no"]),
        ("volta-fp16-fp16", [nearest, "yes", none_lost, "yes", "no"]),
        ("hopper-fp16-fp16", [nearest, "yes", none_lost, "yes", "no"]),
        ("fma-fp64", [nearest, "yes", "no, the order decides", "yes", "no"]),
    ];
    let names = [
        "rounding-direction-of-addend",
        "three-bits-to-nearest",
        "extra-bits-in-accumulation",
        "precision-behind-result",
        "monotonicity",
    ];
    let mut faults = Vec::new();
    for (of, expected) in rows {
        let asked = outcomes(&unit(of).into(), names.map(|name| experiment(Work::Fttn, name)).to_vec());
        for (outcome, expected) in asked.iter().zip(expected) {
            let own = outcome.reading.as_ref().map_or_else(|_| String::new(), ToString::to_string);
            if own != expected {
                faults.push(format!("{of}: {}: {own}, not {expected}", outcome.experiment.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
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
