//! Negative controls: a changed unit reads otherwise in the tests that concern the change.

use std::collections::BTreeSet;

use tensorsmith::describe::format::{Format, NonFinite, Overflow, Rounding};
use tensorsmith::describe::instruction::{Instruction, Order, Start};
use tensorsmith::describe::unit::{Addition, AlignmentRounding, Groups, ProductOverflow, Scales, Scheme};

use super::*;

/// Tests that told a changed subject from the right one.
#[derive(Default)]
pub struct Seen(BTreeSet<&'static str>);

impl Seen {
    /// Every one of these tests tells the two apart.
    pub fn told(&mut self, fault: &str, right: &Subject, wrong: &Subject, tests: &[&'static str]) {
        let name = right.name();
        for test in tests {
            let count = differing(test, right, wrong);
            println!("{name}: {fault}: {count} probes of {test} differ");
            assert!(count > 0, "{name}: {fault} is not seen by {test}");
            self.0.insert(test);
        }
    }

    fn assert_seen(&mut self, fault: &str, name: &str, change: impl Fn(&mut Unit), tests: &[&'static str]) {
        let right = unit(name);
        let mut wrong = right.clone();
        change(&mut wrong);
        assert_ne!(wrong, right, "{fault} changes something");
        self.told(fault, &right.into(), &wrong.into(), tests);
    }

    fn lacking(&self, tests: impl IntoIterator<Item = &'static str>) -> Vec<&'static str> {
        tests.into_iter().filter(|test| !self.0.contains(test)).collect()
    }
}

/// Each fault is seen by the tests that ask for what it changes, and each test sees one.
#[test]
fn faults_are_seen_and_every_test_sees_one() {
    let mut seen = Seen::default();
    for faults in [
        fraction_bits,
        rounding,
        sums,
        zeros_and_nans,
        floor,
        subnormals,
        blocks,
        scheme,
        addition,
        products_and_infinities,
        scales,
        integers,
        structure::structures,
        structure::partial_sums,
        structure::place_of_the_addend,
        structure::fraction_bits_of_short_and_long_units,
    ] {
        faults(&mut seen);
    }
    let names = || all().into_iter().map(|test| test.name);
    assert_eq!(seen.lacking(names()), [""; 0], "tests without a fault that they see");
    // Negative control: a test that saw none is named.
    assert_eq!(seen.lacking(names().chain(["blind"])), ["blind"]);
}

/// Probes of a test that two subjects of the same formats answer differently.
fn differing(name: &str, right: &Subject, wrong: &Subject) -> usize {
    let probes = test(name).probes(&right.frame());
    assert!(!probes.is_empty(), "{}: {name} has no vector", right.name());
    let (right, wrong) = (answers(right, &probes), answers(wrong, &probes));
    right.iter().zip(&wrong).filter(|(right, wrong)| right != wrong).count()
}

fn fraction_bits(seen: &mut Seen) {
    let tests =
        ["datapath-width", "fraction-bits-by-cancellation", "sticky", "truncated-not-toward-zero", "largest-first"];
    for name in ["volta-fp16-fp32", "ampere-fp16-fp32", "hopper-fp16-fp32", "ampere-bf16-fp32", "ampere-tf32-fp32"] {
        seen.assert_seen("F one less", name, |unit| unit.alignment_mut().fraction_bits -= 1, &tests[..4]);
        seen.assert_seen("F one more", name, |unit| unit.alignment_mut().fraction_bits += 1, &tests[..2]);
    }
    seen.assert_seen("F one less", "ampere-fp16-fp32", |unit| unit.alignment_mut().fraction_bits -= 1, &tests);
    for name in
        ["hopper-e4m3-fp32", "hopper-fp16-fp16", "volta-fp16-fp16", "blackwell-nvf4-fp32", "blackwell-mx-e4m3-fp32"]
    {
        seen.assert_seen("F one less", name, |unit| unit.alignment_mut().fraction_bits -= 1, &tests[..2]);
        seen.assert_seen("F one more", name, |unit| unit.alignment_mut().fraction_bits += 1, &tests[..2]);
    }
    let rounds = ["width-through-rounding", "fraction-bits-by-rounding"];
    seen.assert_seen("F one less", "hopper-fp16-fp16", |unit| unit.alignment_mut().fraction_bits -= 1, &rounds);
    seen.assert_seen(
        "F one more",
        "hopper-e4m3-fp32",
        |unit| unit.alignment_mut().fraction_bits += 1,
        &["addend-truncation"],
    );
    seen.assert_seen(
        "F one more",
        "volta-fp16-fp32",
        |unit| unit.alignment_mut().fraction_bits += 1,
        &["one-extra-bit"],
    );
    seen.assert_seen(
        "F one less",
        "hopper-fp16-fp32",
        |unit| unit.alignment_mut().fraction_bits -= 1,
        &["two-extra-bits"],
    );
}

fn rounding(seen: &mut Seen) {
    let nearest = |unit: &mut Unit| unit.conversion.rounding = Rounding::NearestEven;
    for name in ["volta-fp16-fp32", "ampere-fp16-fp32", "hopper-e4m3-fp32"] {
        seen.assert_seen("rounded to nearest", name, nearest, &["normalised-rounding"]);
    }
    seen.assert_seen("rounded to nearest", "hopper-fp16-fp32", nearest, &["truncation"]);
    let truncates = |unit: &mut Unit| unit.conversion.rounding = Rounding::TowardZero;
    seen.assert_seen(
        "truncated",
        "hopper-fp16-fp16",
        truncates,
        &["truncation", "subnormal-conversion", "width-through-rounding"],
    );
    let aligned = |rounding| move |unit: &mut Unit| unit.alignment_mut().rounding = rounding;
    seen.assert_seen(
        "terms rounded to nearest",
        "volta-fp16-fp32",
        aligned(AlignmentRounding::NearestEven),
        &["truncation"],
    );
    seen.assert_seen(
        "terms rounded down",
        "ampere-fp16-fp32",
        aligned(AlignmentRounding::Downward),
        &["sticky", "truncation"],
    );
    seen.assert_seen(
        "a sticky bit",
        "hopper-fp16-fp32",
        aligned(AlignmentRounding::ToOdd),
        &["sticky", "truncated-not-toward-zero"],
    );
}

fn sums(seen: &mut Seen) {
    seen.assert_seen(
        "products normalised",
        "volta-fp16-fp32",
        |unit| unit.alignment_mut().normalise_products = true,
        &["product-normalisation"],
    );
    for (name, bits) in [("volta-fp16-fp32", 2), ("ampere-fp16-fp32", 3), ("hopper-fp16-fp32", 4)] {
        seen.assert_seen("a carry bit missing", name, |unit| unit.carry_bits = Some(bits), &["carry-last-bit"]);
    }
    seen.assert_seen(
        "a carry bit missing",
        "volta-fp16-fp32",
        |unit| unit.carry_bits = Some(0),
        &["carry-third-bit", "carry-second-bit"],
    );
    let saturates = |unit: &mut Unit| unit.conversion.overflow = Overflow::Saturate;
    seen.assert_seen("overflow saturates", "hopper-fp16-fp16", saturates, &["overflow-boundary"]);
    seen.assert_seen("overflow saturates", "ampere-bf16-fp32", saturates, &["overflow-boundary"]);
    let wraps = |unit: &mut Unit| unit.conversion.overflow = Overflow::Wrap;
    seen.assert_seen("overflow wraps", "integer-int8-int32-saturate", wraps, &["integer-overflow"]);
}

fn zeros_and_nans(seen: &mut Seen) {
    let negative = |unit: &mut Unit| unit.conversion.zero_negative = true;
    seen.assert_seen("minus zero", "hopper-fp16-fp32", negative, &["sign-of-cancelled-zero", "sign-of-zero-sum"]);

    let signed = |unit: &mut Unit| unit.flush.to_plus_zero = false;
    seen.assert_seen("signs of flushed zeros kept", "cdna2-bf16-fp32", signed, &["sign-of-flushed-operand"]);
    let nan = |unit: &mut Unit| unit.conversion.nan = 0x7fc0_0000;
    seen.assert_seen(
        "another NaN",
        "hopper-fp16-fp32",
        nan,
        &["nan-payload", "two-nans", "infinity-times-zero", "infinities"],
    );
    seen.assert_seen("another NaN", "blackwell-nvf4-fp32", nan, &["nan-payload", "scale-nan"]);
}

fn floor(seen: &mut Seen) {
    for change in [-1, 1] {
        let moved = |unit: &mut Unit| {
            unit.alignment_mut().exponent_floor = unit.alignment().exponent_floor.map(|floor| floor + change)
        };
        for name in ["ampere-bf16-fp32", "hopper-bf16-fp32", "ampere-tf32-fp32", "hopper-tf32-fp32"] {
            seen.assert_seen("floor moved", name, moved, &["anchor-floor"]);
        }
        for name in ["ampere-fp16-fp16", "hopper-fp16-fp16", "turing-fp16-fp16"] {
            seen.assert_seen("floor moved", name, moved, &["anchor-floor-by-rounding"]);
        }
    }
    let none = |unit: &mut Unit| unit.alignment_mut().exponent_floor = None;
    seen.assert_seen("no floor", "hopper-bf16-fp32", none, &["anchor-floor"]);
    seen.assert_seen("no floor", "hopper-fp16-fp16", none, &["anchor-floor-by-rounding"]);
    // Small terms are cut to an exact zero, which is positive; otherwise they vanish at the conversion, with their sign.
    let vanished = &["sign-of-vanished-result"];
    let hopper = unit("hopper-bf16-fp32");
    let mut signed = hopper.clone();
    signed.conversion.rounded_zero_positive = false;
    let mut high = signed.clone();
    high.alignment_mut().exponent_floor = Some(-100);
    let [hopper, signed, high] = [hopper, signed, high].map(Subject::Unit);
    seen.told("the sign of what vanishes is kept", &hopper, &signed, vanished);
    seen.told("what vanishes is cut first", &signed, &high, vanished);
}

fn subnormals(seen: &mut Seen) {
    for name in ["hopper-fp16-fp16", "ampere-bf16-fp32"] {
        seen.assert_seen("operands flushed", name, |unit| unit.flush.operands = true, &["subnormal-operand"]);
        seen.assert_seen("results flushed", name, |unit| unit.flush.result = true, &["subnormal-result"]);
    }
    let addend = |unit: &mut Unit| unit.flush.addend = true;
    seen.assert_seen("addends flushed", "hopper-fp16-fp32", addend, &["subnormal-addend", "subnormal-range"]);
}

/// Another L, another order of blocks: seen in an instruction of several blocks.
fn blocks(seen: &mut Seen) {
    let mut assert_seen = |name: &str, change: &dyn Fn(&mut Instruction), tests: &[&'static str]| {
        let right = instruction(name);
        let mut wrong = right.clone();
        change(&mut wrong);
        seen.told("other blocks", &right.into(), &wrong.into(), tests);
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
fn scheme(seen: &mut Seen) {
    let mut outside = instruction("hopper-mma-m16n8k16-fp16-fp32");
    (outside.start, outside.final_addition) = (Start::Zero, Some(unit("addition-fp32")));
    let readings = readings(&outside.into(), "addend-inside", &[]);
    assert_eq!(readings[0].1, 1.0, "Valpey et al. 2025, table 5: c added outside");
    let mut late = unit("cdna3-fp16-fp32");
    late.products = 8;
    let fused: Subject = unit("ampere-fp16-fp32").into();
    seen.told("c added late", &fused, &late.into(), &["largest-first", "truncation", "addend-in-anchor"]);
    let mut exact = unit("cdna1-fp16-fp32");
    exact.products = 8;
    let tests = ["datapath-width", "order-of-sums", "truncation", "one-vector-of-table-8", "normalise-in-subtraction"];
    seen.told("an exact sum", &fused, &exact.into(), &tests);
    let chain = |unit: &mut Unit| unit.scheme = Scheme::FmaChain;
    let tests = ["overflow-and-back", "normalise-once", "monotonicity", "largest-first"];
    seen.assert_seen("one chain for two", "amx-bf16-fp32", chain, &tests);
}

fn addition(seen: &mut Seen) {
    let changed =
        |change: fn(&mut Addition)| move |unit: &mut Unit| change(unit.addition.as_mut().expect("an addition"));
    let cdna3 = "cdna3-fp16-fp32";
    let fewer = changed(|addition| addition.addend_fraction_bits -= 1);
    seen.assert_seen("c loses a bit", cdna3, fewer, &["addend-below-products", "two-extra-bits"]);
    let fewer = changed(|addition| addition.sum_fraction_bits -= 2);
    seen.assert_seen("the sum loses two bits", cdna3, fewer, &["width-through-rounding", "fraction-bits-by-rounding"]);
    let cut = changed(|addition| addition.rounding = AlignmentRounding::TowardZero);
    seen.assert_seen("sum and c cut toward zero", cdna3, cut, &["sticky", "truncated-not-toward-zero"]);
    let near = changed(|addition| addition.addend_reach = Some(8));
    seen.assert_seen("c reaches 8 bits", cdna3, near, &["addend-inside", "datapath-width"]);
    let grouped = changed(|addition| addition.groups = Groups::EvenOdd);
    seen.assert_seen(
        "even and odd products apart",
        cdna3,
        grouped,
        &["one-vector-of-table-8", "normalise-in-subtraction"],
    );
    let floor = changed(|addition| addition.exponent_floor = Some(-100));
    let tests = ["anchor-floor", "subnormal-range"];
    seen.assert_seen("floor of the addition higher", "cdna3-bf16-fp32", floor, &tests);
    let infinite = changed(|addition| addition.product_overflow = ProductOverflow::None);
    seen.assert_seen("large products are finite", "cdna3-bf16-fp32", infinite, &["overflow-boundary"]);
}

fn products_and_infinities(seen: &mut Seen) {
    let short = |unit: &mut Unit| unit.alignment_mut().fraction_bits = 10;
    let tests = ["exact-products", "exact-narrow-sum", "exact-product-of-table-1"];
    seen.assert_seen("products cut to 10 bits", "ampere-fp16-fp32", short, &tests);
    seen.assert_seen("products cut to 10 bits", "hopper-fp16-fp16", short, &tests[1..2]);
    let finite = |unit: &mut Unit| unit.formats.a.non_finite = NonFinite::None;
    let tests = ["infinities", "infinity-times-zero", "two-nans"];
    seen.assert_seen("infinities and NaN of a are numbers", "hopper-fp16-fp32", finite, &tests);
    let finite = |unit: &mut Unit| unit.formats.c.non_finite = NonFinite::AllOnesNan;
    seen.assert_seen("an infinite c is a number", "hopper-fp16-fp32", finite, &["infinities"]);
}

fn scales(seen: &mut Seen) {
    let name = "blackwell-nvf4-fp32";
    let scales = |change: fn(&mut Scales)| move |unit: &mut Unit| change(unit.scales.as_mut().expect("scales"));
    let tests = ["scale-exponent", "scale-significand"];
    seen.assert_seen("scales of a are halved", name, scales(|scales| scales.a.bias += 1), &tests);
    let power = |scales: &mut Scales| (scales.b.exponent_bits, scales.b.fraction_bits) = (5, 2);
    seen.assert_seen("a bit of b's scales is of the exponent", name, scales(power), &tests);
    seen.assert_seen("groups of 8", name, scales(|scales| scales.group = Some(8)), &["order-of-sums"]);
}

fn integers(seen: &mut Seen) {
    let unsigned = |unit: &mut Unit| unit.formats.a = Format::named("uint8").expect("a format");
    seen.assert_seen("a without a sign", "integer-int8-int32", unsigned, &["integer-products", "integer-overflow"]);
    let wraps = |unit: &mut Unit| unit.conversion.overflow = Overflow::Wrap;
    seen.assert_seen("wraps", "integer-int8-int32-saturate", wraps, &["integer-overflow"]);
    let once = unit("integer-int8-int32-saturate");
    let after_each = structure::after_every_product(&once);
    seen.told("saturates after every product", &once.into(), &after_each, &["integer-saturation-order"]);
}
