//! Fasi et al.: readings, and units changed in what each experiment asks.

use tensorsmith::describe::format::Rounding::{NearestEven, TowardZero};
use tensorsmith::describe::unit::AlignmentRounding::{self, Downward};
use tensorsmith::literature::Work;

use super::assert_published;
use super::mutation::{Mutation, Mutation::*, Row, assert_seen};

const VOLTA: &str = "volta-fp16-fp32";
const TURING: &str = "turing-fp16-fp32";
const NARROW: &str = "volta-fp16-fp16";

/// One rounded addition after the other.
const CHAIN: Mutation = As("hickmann-fma-chain-fp16-fp32");

#[test]
fn fasi_readings() {
    // The catalogue models V100 and T4 as this work measured them; Valpey et al. have one bit less of T4, read twice.
    assert_eq!(assert_published(Work::Fasi), 2);
}

#[test]
fn fasi_sees_changed_units() {
    let rows: &[Row] = &[
        ("subnormal-operand", VOLTA, &[FlushOperands]),
        ("subnormal-operand", NARROW, &[FlushOperands, FlushResult]),
        ("subnormal-addend", VOLTA, &[FlushAddend, FlushResult]),
        ("subnormal-result", NARROW, &[FlushResult]),
        ("subnormal-result", "ampere-bf16-fp32", &[Floor(Some(-100)), FlushAddend]),
        ("subnormal-rounded-down", VOLTA, &[Alignment(AlignmentRounding::NearestEven), CHAIN]),
        ("exact-products", VOLTA, &[FractionBits(-4), CarryBits(1)]),
        ("exact-products-narrow", NARROW, &[FractionBits(-14)]),
        ("order-of-additions", VOLTA, &[FractionBits(1), CHAIN, As("hickmann-adder-tree-fp16-fp32")]),
        ("order-of-additions-next-bit", TURING, &[FractionBits(1), Alignment(AlignmentRounding::ToOdd)]),
        ("one-more-bit", VOLTA, &[FractionBits(1)]),
        ("one-more-bit", TURING, &[FractionBits(-1)]),
        ("rounding-of-additions", VOLTA, &[Alignment(Downward), Alignment(AlignmentRounding::NearestEven)]),
        ("rounding-of-additions", TURING, &[Alignment(Downward)]),
        ("rounding-to-narrow-result", NARROW, &[Conversion(TowardZero), FlushResult]),
        ("final-rounding", VOLTA, &[Conversion(NearestEven)]),
        ("final-rounding", TURING, &[Conversion(NearestEven)]),
        ("guard-digit", VOLTA, &[FractionBits(1), FractionBits(-1)]),
        ("guard-digit", TURING, &[FractionBits(-1)]),
        ("extra-bits", VOLTA, &[FractionBits(1), Alignment(AlignmentRounding::ToOdd)]),
        ("extra-bits", TURING, &[FractionBits(1), FractionBits(-1)]),
        ("normalisation-in-addition", VOLTA, &[CHAIN, FractionBits(-1)]),
        (
            "normalisation-in-addition-next-bit",
            TURING,
            &[FractionBits(-1), AsTruncating("hickmann-fma-chain-fp16-fp32")],
        ),
        ("normalisation-in-subtraction", VOLTA, &[FractionBits(1)]),
        ("normalisation-in-subtraction-next-bit", TURING, &[FractionBits(1), CHAIN]),
        ("carry-second-bit", VOLTA, &[CarryBits(0), FractionBits(-1)]),
        ("carry-third-bit", VOLTA, &[CarryBits(0)]),
        ("monotonicity", VOLTA, &[FractionBits(1), CHAIN]),
        ("monotonicity-next-bit", TURING, &[FractionBits(1), FractionBits(-1), CHAIN]),
    ];
    assert_seen(Work::Fasi, rows);
}
