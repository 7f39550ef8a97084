//! Valpey et al.: readings, documented differences, and units changed in what each experiment asks.

use tensorsmith::describe::format::Rounding::TowardZero;
use tensorsmith::describe::unit::AlignmentRounding::{Downward, ToOdd};
use tensorsmith::literature::Work;

use super::assert_published;
use super::mutation::{CHAIN, Mutation::*, Row, TREE, assert_seen};

const VOLTA: &str = "volta-fp16-fp32";
const TURING: &str = "turing-fp16-fp32";
const AMPERE: &str = "ampere-fp16-fp32";
const NARROW: &str = "volta-fp16-fp16";

/// One rounded addition after the other.

#[test]
fn valpey_readings() {
    // Rounding toward zero twice, a sum below a power of two, the size of Turing's blocks twice, its bits, normalised products and
    // table 5 three times each.
    assert_eq!(assert_published(Work::Valpey), 2 + 1 + 2 + 1 + 3 + 3);
}

#[test]
fn valpey_sees_changed_units() {
    let rows: &[Row] = &[
        ("exact-multiplication", VOLTA, &[FlushOperands, FractionBits(-12)]),
        ("accumulation-for-narrow-result", NARROW, &[FractionBits(-14)]),
        ("truncated-not-toward-zero", VOLTA, &[Alignment(Downward), Alignment(ToOdd)]),
        ("truncated-not-toward-zero", TURING, &[AsTruncating("hickmann-fma-chain-fp16-fp32")]),
        ("rounding-to-narrow-result", NARROW, &[Conversion(TowardZero)]),
        ("accumulation-order", VOLTA, &[CHAIN, TREE]),
        ("rounding-of-sums", VOLTA, &[FractionBits(-1), NormaliseProducts(true), CHAIN]),
        ("rounding-below-a-power-of-two", VOLTA, &[FractionBits(1), FractionBits(2)]),
        ("order-of-two-products", VOLTA, &[FractionBits(1), CHAIN]),
        ("normalisation", VOLTA, &[AsTruncating("hickmann-adder-tree-fp16-fp32")]),
        ("three-carry-bits", VOLTA, &[CarryBits(1)]),
        ("carry-bits-of-five-terms", VOLTA, &[CarryBits(2)]),
        ("carry-bits-of-nine-terms", AMPERE, &[CarryBits(3)]),
        ("products-of-a-block", TURING, &[Products(4), Products(16)]),
        ("products-of-a-block", VOLTA, &[Products(8)]),
        ("shifted-bits", VOLTA, &[FractionBits(1)]),
        ("shifted-bits", TURING, &[FractionBits(-1)]),
        ("product-normalisation", VOLTA, &[NormaliseProducts(true), FractionBits(1)]),
        ("product-normalisation", AMPERE, &[NormaliseProducts(true), FractionBits(-1)]),
        ("not-a-number", VOLTA, &[NaN(0x7f80_0000)]),
        ("addend-inside-or-outside", VOLTA, &[FractionBits(-1), AsTruncating("hickmann-fma-chain-fp16-fp32")]),
        ("addend-inside-or-outside", TURING, &[FractionBits(-2)]),
        ("table-5-as-printed", VOLTA, &[FractionBits(-6)]),
    ];
    assert_seen(Work::Valpey, rows);
}
