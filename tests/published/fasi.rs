//! Fasi et al.: readings, and units changed in what each experiment asks.

use tensorsmith::check::probe::Value;
use tensorsmith::describe::format::Rounding::{NearestAway, NearestEven, TowardPositive, TowardZero};
use tensorsmith::describe::unit::AlignmentRounding::{self, Downward};
use tensorsmith::literature::{Number, Reading, Work};

use super::mutation::{CHAIN, Mutation::*, Row, TREE, assert_seen_but};
use super::{assert_published, experiment, outcomes, subject};

const VOLTA: &str = "volta-fp16-fp32";
const TURING: &str = "turing-fp16-fp32";
const NARROW: &str = "volta-fp16-fp16";
const BFLOAT16: &str = "ampere-bf16-fp32";
const TF32: &str = "ampere-tf32-fp32";
const BINARY64: &str = "fma-fp64";

/// One rounded addition after the other.

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
        ("order-of-additions", VOLTA, &[FractionBits(1), CHAIN, TREE]),
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
        ("subnormal-operand-to-normal", BFLOAT16, &[FlushOperands]),
        ("subnormal-operand-to-normal", TF32, &[FlushOperands]),
        ("subnormal-operand-to-normal", BINARY64, &[FlushOperands]),
        ("order-of-additions-in-program", BFLOAT16, &[FractionBits(1), Alignment(AlignmentRounding::ToOdd)]),
        ("order-of-additions-in-program", TF32, &[FractionBits(1), Products(2)]),
        ("final-rounding-below-zero", BFLOAT16, &[Conversion(NearestEven)]),
        ("final-rounding-below-zero", TF32, &[Conversion(NearestEven)]),
        ("guard-digit", BFLOAT16, &[FractionBits(-1)]),
        ("normalisation-in-addition", TF32, &[FractionBits(-2), Products(1)]),
        ("normalisation-in-subtraction", TF32, &[FractionBits(-1)]),
        ("monotonicity-next-bit", BFLOAT16, &[FractionBits(1), FractionBits(-1)]),
        ("monotonicity-next-bit", TF32, &[FractionBits(1), FractionBits(-1), Products(1)]),
        ("exact-products", TF32, &[FractionBits(-5)]),
        ("rounding-of-additions", BINARY64, &[Conversion(TowardZero), Conversion(TowardPositive)]),
        ("rounding-to-nearest", BINARY64, &[Conversion(TowardPositive)]),
        ("ties-to-even", BINARY64, &[Conversion(TowardZero), Conversion(TowardPositive), Conversion(NearestAway)]),
        ("two-small-terms", BINARY64, &[Conversion(TowardPositive)]),
        ("normalisation-of-two", BINARY64, &[Conversion(TowardPositive)]),
        ("carry-of-two", BINARY64, &[Conversion(TowardZero)]),
    ];
    assert_seen_but(Work::Fasi, rows, &["monotonicity-of-two"]);
}

/// No unit decreases in sums of two terms as large as these: results are planted.
#[test]
fn fasi_sees_a_decrease_of_two_terms() {
    let outcome = outcomes(&subject(BINARY64), vec![experiment(Work::Fasi, "monotonicity-of-two")]).remove(0);
    assert_eq!(outcome.reading, Ok(Reading::Truth(false)));
    let mut planted = outcome.answered;
    planted[1].number = Number::from(Value::power(0));
    assert_eq!((outcome.experiment.read)(&planted), Reading::Truth(true));
}

/// The constants of the authors' programs for A100, encoded by hand: bf16, tf32 (as binary32 words) and binary64.
#[test]
fn fasi_asks_the_constants_of_the_programs() {
    // Experiment, unit, vector, factors of the first products, c.
    type Row = (&'static str, &'static str, usize, &'static [(u64, u64)], u64);
    let rows: &[Row] = &[
        // 2^-133 * 2^7, 2^-136 * 2^10 and 2^-1074 * 2^52.
        ("subnormal-operand-to-normal", BFLOAT16, 0, &[(0x0001, 0x4300)], 0),
        ("subnormal-operand-to-normal", TF32, 0, &[(0x0000_2000, 0x4480_0000)], 0),
        ("subnormal-operand-to-normal", BINARY64, 0, &[(1, 0x4330_0000_0000_0000)], 0),
        // 2^-126 * 2^-1, and 2^-126 with c = -2^-127.
        ("subnormal-result", BFLOAT16, 0, &[(0x0080, 0x3f00)], 0),
        ("subnormal-result", TF32, 1, &[(0x0080_0000, 0x3f80_0000)], 0x8040_0000),
        ("subnormal-result", BINARY64, 1, &[(1 << 52, 0x3ff << 52)], 0x8008_0000_0000_0000),
        // 1 - 2^-8 and, of 1 - 2^-24 what tf32 keeps, 1 - 2^-11.
        ("exact-products", BFLOAT16, 0, &[(0x3f7f, 0x3f7f); 4], 0),
        ("exact-products", TF32, 0, &[(0x3f7f_e000, 0x3f7f_e000); 4], 0),
        // c = 1, then 2^-24, beside 2^-25.
        ("order-of-additions-in-program", BFLOAT16, 0, &[(0x3f80, 0x3300); 4], 0x3f80_0000),
        ("order-of-additions-in-program", BFLOAT16, 1, &[(0x3f80, 0x3f80), (0x3f80, 0x3300)], 0x3380_0000),
        // 2^-24 + 2^-25 after three times 2^-25; c = 1 - 2^-24.
        (
            "monotonicity-next-bit",
            BFLOAT16,
            0,
            &[(0x3f80, 0x3300), (0x3f80, 0x3300), (0x3f80, 0x3300), (0x3f80, 0x33c0)],
            0x3f7f_ffff,
        ),
        // -1 four times, c = -1 - 2^-22 - 2^-23.
        ("final-rounding-below-zero", TF32, 0, &[(0x3f80_0000, 0xbf80_0000); 4], 0xbf80_0003),
        // 2 + 2^-53; 2 + 2^-51 and 2^-52; c = 1 + 2^-51 + 2^-52, 2^-52 and 1; c = 1 - 2^-53, 2^-54 and 2^-53 + 2^-54.
        ("rounding-to-nearest", BINARY64, 0, &[(0x3ff << 52, 0x400 << 52), (0x3ff << 52, 0x3ca << 52)], 0),
        ("ties-to-even", BINARY64, 1, &[(0x3ff << 52, (0x400 << 52) + 1), (0x3ff << 52, 0x3cb << 52)], 0),
        ("carry-of-two", BINARY64, 0, &[(0x3ff << 52, 0x3cb << 52), (0x3ff << 52, 0x3ff << 52)], (0x3ff << 52) + 3),
        (
            "monotonicity-of-two",
            BINARY64,
            0,
            &[(0x3ff << 52, 0x3c9 << 52), (0x3ff << 52, (0x3ca << 52) + (1 << 51))],
            (0x3ff << 52) - 1,
        ),
    ];
    for (name, of, number, factors, c) in rows {
        let outcome = outcomes(&subject(of), vec![experiment(Work::Fasi, name)]).remove(0);
        let vector = &outcome.answered[*number].question.vector;
        let own: Vec<_> = vector.a.iter().copied().zip(vector.b.iter().copied()).take(factors.len()).collect();
        assert_eq!((own.as_slice(), vector.c), (*factors, *c), "{of}: {name}");
    }
}
