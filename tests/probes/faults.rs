//! Negative controls: a changed unit reads otherwise in the tests that concern the change.

use tensorsmith::describe::format::{Overflow, Rounding};
use tensorsmith::describe::instruction::{Instruction, Order, Start};
use tensorsmith::describe::unit::AlignmentRounding;

use super::*;

/// Probes of a test that two subjects of the same formats answer differently.
pub fn differing(name: &str, right: &Subject, wrong: &Subject) -> usize {
    let probes = test(name).probes(&right.frame());
    assert!(!probes.is_empty(), "{}: {name} has no vector", right.name());
    let (right, wrong) = (answers(right, &probes), answers(wrong, &probes));
    right.iter().zip(&wrong).filter(|(right, wrong)| right != wrong).count()
}

fn assert_seen(fault: &str, name: &str, change: impl Fn(&mut Unit), tests: &[&str]) {
    let right = unit(name);
    let mut wrong = right.clone();
    change(&mut wrong);
    assert_ne!(wrong, right, "{fault} changes something");
    for test in tests {
        let count = differing(test, &right.clone().into(), &wrong.clone().into());
        println!("{name}: {fault}: {count} probes of {test} differ");
        assert!(count > 0, "{name}: {fault} is not seen by {test}");
    }
}

#[test]
fn wrong_fraction_bits() {
    let tests =
        ["datapath-width", "fraction-bits-by-cancellation", "sticky", "truncated-not-toward-zero", "largest-first"];
    for name in ["volta-fp16-fp32", "ampere-fp16-fp32", "hopper-fp16-fp32", "ampere-bf16-fp32", "ampere-tf32-fp32"] {
        assert_seen("F one less", name, |unit| unit.alignment.fraction_bits -= 1, &tests[..4]);
        assert_seen("F one more", name, |unit| unit.alignment.fraction_bits += 1, &tests[..2]);
    }
    assert_seen("F one less", "ampere-fp16-fp32", |unit| unit.alignment.fraction_bits -= 1, &tests);
    for name in
        ["hopper-e4m3-fp32", "hopper-fp16-fp16", "volta-fp16-fp16", "blackwell-nvf4-fp32", "blackwell-mx-e4m3-fp32"]
    {
        assert_seen("F one less", name, |unit| unit.alignment.fraction_bits -= 1, &tests[..2]);
        assert_seen("F one more", name, |unit| unit.alignment.fraction_bits += 1, &tests[..2]);
    }
    let rounds = ["width-through-rounding", "fraction-bits-by-rounding"];
    assert_seen("F one less", "hopper-fp16-fp16", |unit| unit.alignment.fraction_bits -= 1, &rounds);
    assert_seen("F one more", "hopper-e4m3-fp32", |unit| unit.alignment.fraction_bits += 1, &["addend-truncation"]);
    assert_seen("F one more", "volta-fp16-fp32", |unit| unit.alignment.fraction_bits += 1, &["one-extra-bit"]);
    assert_seen("F one less", "hopper-fp16-fp32", |unit| unit.alignment.fraction_bits -= 1, &["two-extra-bits"]);
}

#[test]
fn wrong_rounding() {
    let nearest = |unit: &mut Unit| unit.conversion.rounding = Rounding::NearestEven;
    for name in ["volta-fp16-fp32", "ampere-fp16-fp32", "hopper-e4m3-fp32"] {
        assert_seen("rounded to nearest", name, nearest, &["normalised-rounding"]);
    }
    assert_seen("rounded to nearest", "hopper-fp16-fp32", nearest, &["truncation"]);
    let truncates = |unit: &mut Unit| unit.conversion.rounding = Rounding::TowardZero;
    assert_seen(
        "truncated",
        "hopper-fp16-fp16",
        truncates,
        &["truncation", "subnormal-conversion", "width-through-rounding"],
    );
    let aligned = |rounding| move |unit: &mut Unit| unit.alignment.rounding = rounding;
    assert_seen(
        "terms rounded to nearest",
        "volta-fp16-fp32",
        aligned(AlignmentRounding::NearestEven),
        &["truncation"],
    );
    assert_seen(
        "terms rounded down",
        "ampere-fp16-fp32",
        aligned(AlignmentRounding::Downward),
        &["sticky", "truncation"],
    );
    assert_seen(
        "a sticky bit",
        "hopper-fp16-fp32",
        aligned(AlignmentRounding::ToOdd),
        &["sticky", "truncated-not-toward-zero"],
    );
}

#[test]
fn wrong_sums() {
    assert_seen(
        "products normalised",
        "volta-fp16-fp32",
        |unit| unit.alignment.normalise_products = true,
        &["product-normalisation"],
    );
    for (name, bits) in [("volta-fp16-fp32", 2), ("ampere-fp16-fp32", 3), ("hopper-fp16-fp32", 4)] {
        assert_seen("a carry bit missing", name, |unit| unit.carry_bits = Some(bits), &["carry-last-bit"]);
    }
    assert_seen(
        "a carry bit missing",
        "volta-fp16-fp32",
        |unit| unit.carry_bits = Some(0),
        &["carry-third-bit", "carry-second-bit"],
    );
    let saturates = |unit: &mut Unit| unit.conversion.overflow = Overflow::Saturate;
    assert_seen("overflow saturates", "hopper-fp16-fp16", saturates, &["overflow-boundary"]);
    assert_seen("overflow saturates", "ampere-bf16-fp32", saturates, &["overflow-boundary"]);
    let wraps = |unit: &mut Unit| unit.conversion.overflow = Overflow::Wrap;
    assert_seen("overflow wraps", "integer-int8-int32-saturate", wraps, &["integer-overflow"]);
    assert_seen(
        "minus zero",
        "hopper-fp16-fp32",
        |unit| unit.conversion.zero_negative = true,
        &["sign-of-cancelled-zero"],
    );
    let signed = |unit: &mut Unit| unit.flush.to_plus_zero = false;
    assert_seen("signs of flushed zeros kept", "cdna2-bf16-fp32", signed, &["sign-of-flushed-operand"]);
    let nan = |unit: &mut Unit| unit.conversion.nan = 0x7fc0_0000;
    assert_seen(
        "another NaN",
        "hopper-fp16-fp32",
        nan,
        &["nan-payload", "two-nans", "infinity-times-zero", "infinities"],
    );
    assert_seen("another NaN", "blackwell-nvf4-fp32", nan, &["nan-payload", "scale-nan"]);
}

#[test]
fn wrong_floor() {
    for change in [-1, 1] {
        let moved =
            |unit: &mut Unit| unit.alignment.exponent_floor = unit.alignment.exponent_floor.map(|floor| floor + change);
        for name in ["ampere-bf16-fp32", "hopper-bf16-fp32", "ampere-tf32-fp32", "hopper-tf32-fp32"] {
            assert_seen("floor moved", name, moved, &["anchor-floor"]);
        }
        for name in ["ampere-fp16-fp16", "hopper-fp16-fp16", "turing-fp16-fp16"] {
            assert_seen("floor moved", name, moved, &["anchor-floor-by-rounding"]);
        }
    }
    let none = |unit: &mut Unit| unit.alignment.exponent_floor = None;
    assert_seen("no floor", "hopper-bf16-fp32", none, &["anchor-floor"]);
    assert_seen("no floor", "hopper-fp16-fp16", none, &["anchor-floor-by-rounding"]);
}

#[test]
fn wrong_subnormals() {
    for name in ["hopper-fp16-fp16", "ampere-bf16-fp32"] {
        assert_seen("operands flushed", name, |unit| unit.flush.operands = true, &["subnormal-operand"]);
        assert_seen("results flushed", name, |unit| unit.flush.result = true, &["subnormal-result"]);
    }
    let addend = |unit: &mut Unit| unit.flush.addend = true;
    assert_seen("addends flushed", "hopper-fp16-fp32", addend, &["subnormal-addend", "subnormal-range"]);
}

/// Another L, another order of blocks: seen in an instruction of several blocks.
#[test]
fn wrong_blocks() {
    let assert_seen = |name: &str, change: &dyn Fn(&mut Instruction), tests: &[&str]| {
        let right = catalogue::instruction(name).expect("an instruction of the catalogue");
        let mut wrong = right.clone();
        change(&mut wrong);
        for test in tests {
            let count = differing(test, &right.clone().into(), &wrong.clone().into());
            assert!(count > 0, "{name} is not told from the changed one by {test}");
        }
    };
    let tests = ["block-width", "block-size", "block-order", "order-of-sums"];
    for products in [2, 4, 16] {
        assert_seen("ampere-mma-m16n8k16-fp16-fp32", &|right| right.unit.products = products, &tests);
    }
    let reordered = |instruction: &mut Instruction| instruction.order = Order::InterleavedPairs;
    assert_seen("ampere-mma-m16n8k16-fp16-fp32", &reordered, &tests);
    assert_seen("ada-mma-m16n8k32-e4m3-fp32", &|right| right.unit.products = 8, &tests);
}

/// An addend added after the products, another scheme: each told by the tests that ask for it.
#[test]
fn wrong_scheme() {
    let mut outside = catalogue::instruction("hopper-mma-m16n8k16-fp16-fp32").expect("an instruction of the catalogue");
    (outside.start, outside.final_addition) = (Start::Zero, Some(unit("addition-fp32")));
    let readings = readings(&outside.into(), "addend-inside", &[]);
    assert_eq!(readings[0].1, 1.0, "Valpey et al. 2025, table 5: c added outside");
    let mut late = unit("cdna3-fp16-fp32");
    late.products = 8;
    let fused: Subject = unit("ampere-fp16-fp32").into();
    for test in ["largest-first", "truncation", "addend-in-anchor"] {
        assert!(differing(test, &fused, &late.clone().into()) > 0, "{test}");
    }
    let mut exact = unit("cdna1-fp16-fp32");
    exact.products = 8;
    for test in ["datapath-width", "order-of-sums", "truncation", "one-vector-of-table-8", "normalise-in-subtraction"] {
        assert!(differing(test, &fused, &exact.clone().into()) > 0, "{test}");
    }
}
