//! Why values are don't cares: each reason is true of a unit, on many vectors, and is not given for one where a vector differs.

mod blocks;
mod exact;
mod floors;
mod sweep;

use tensorsmith::check::stimulus::{CHUNK, Stimulus};
use tensorsmith::describe::format::{Format, Overflow, Rounding};
use tensorsmith::describe::instruction::{Instruction, Order};
use tensorsmith::describe::unit::{Alignment, AlignmentRounding, Flush, ProductOrder, ProductOverflow, Unit};
use tensorsmith::engine::Composed;
use tensorsmith::infer::{Setting, Space, dont_care};

use super::shared::{self, instruction, vectors};

fn unit(name: &str) -> Instruction {
    Instruction::alone(shared::unit(name))
}

/// The unit of that name as an instruction by itself.
/// Gives a unit another format of its results, after its other formats.
fn with_result(one: &mut Instruction, d: Format) {
    one.unit.conversion.nan = d.nan().expect("a format with NaN");
    one.unit.formats.d = d;
    one.unit = aligned(&one.unit);
}

/// The unit with the alignment that its scheme and formats imply.
fn aligned(unit: &Unit) -> Unit {
    let implied = Alignment::implied(unit.scheme, &unit.formats);
    Unit { alignment: implied.or(unit.alignment.clone()), ..unit.clone() }
}

/// Whether one of so many shaped vectors shows the change.
fn differs(setting: &Setting, one: &Instruction, count: usize) -> bool {
    let (space, change) = (Space::new(one.interface(), std::iter::empty()), [setting.clone()]);
    let changed = space.alternatives(one, &change).next();
    let (_, other) = changed.unwrap_or_else(|| panic!("{setting:?} is no change of {}", one.name));
    let mut engines = [one, &other].map(Composed::emulated_wide);
    let mut results = [Vec::new(), Vec::new()];
    [one.frame(), other.frame()].iter().any(|frame| {
        let stimulus = Stimulus::shaped(frame, 9);
        let mut batch = stimulus.empty_batch();
        (0..count.div_ceil(2 * CHUNK) as u64).any(|chunk| {
            stimulus.fill(chunk, CHUNK, &mut batch);
            for (engine, results) in engines.iter_mut().zip(&mut results) {
                engine.run(&batch, results).expect("an emulator answers");
            }
            results[0] != results[1]
        })
    })
}

/// There is a reason, with that word in it, and it is true: in the ordinary tier on a quarter of the vectors.
fn holds(setting: &Setting, one: &Instruction, word: &str) {
    let reason = dont_care(setting, one).unwrap_or_else(|| panic!("{}: no reason for {setting:?}", one.name));
    assert!(reason.contains(word), "{}: {setting:?}: {reason}", one.name);
    let count = vectors(100_000) as usize;
    assert!(!differs(setting, one, count), "{}: {setting:?} acts, but {reason}", one.name);
}

/// There is no reason, because a vector differs.
fn acts(setting: &Setting, one: &Instruction) {
    assert!(differs(setting, one, 100_000), "{}: {setting:?} does not act", one.name);
    assert_eq!(dont_care(setting, one), None, "{}: {setting:?}", one.name);
}

#[test]
fn carry_bits_that_no_sum_needs() {
    holds(&Setting::CarryBits(Some(1)), &unit("tiny-truncating"), "the largest sum");
    acts(&Setting::CarryBits(Some(0)), &unit("tiny-truncating"));
    // Of binary16 the sums would need one more.
    let narrow = instruction("hopper-mma-m16n8k32-e5m2-e4m3-fp16");
    holds(&Setting::CarryBits(Some(4)), &narrow, "below 2^6");
    acts(&Setting::CarryBits(Some(3)), &narrow);
    assert_eq!(dont_care(&Setting::CarryBits(Some(4)), &unit("hopper-fp16-fp16")), None);
}

#[test]
fn overflow_by_either_rule() {
    let nearest = instruction("hopper-mma-m16n8k32-e4m3-fp16");
    holds(&Setting::Overflow(Overflow::Ieee), &nearest, "gives infinity by either rule");
    acts(&Setting::Overflow(Overflow::Saturate), &nearest);
}

#[test]
fn overflow_that_no_sum_reaches() {
    holds(&Setting::Overflow(Overflow::Saturate), &unit("tiny-truncating"), "");
    acts(&Setting::Overflow(Overflow::Saturate), &unit("volta-fp16-fp16"));
}

#[test]
fn order_of_one_product() {
    holds(&Setting::Order(ProductOrder::Descending), &unit("fma-fp32"), "one product");
    acts(&Setting::Order(ProductOrder::Descending), &unit("tiny-fma"));
}

#[test]
fn products_too_small_to_be_infinite() {
    let finite = Setting::ProductOverflow(ProductOverflow::None);
    holds(&finite, &unit("cdna3-fp16-fp32"), "products stay below 2^32");
    acts(&finite, &unit("cdna3-bf16-fp32"));
}

#[test]
fn addition_that_holds_everything() {
    let mut sum = unit("tiny-then-add");
    let change = |sum: &mut Instruction, fraction_bits, sum_bits, addend_bits| {
        sum.unit.alignment_mut().fraction_bits = fraction_bits;
        if let Some(addition) = &mut sum.unit.addition {
            (addition.sum_fraction_bits, addition.addend_fraction_bits) = (sum_bits, addend_bits);
            (addition.addend_reach, addition.rounding) = (None, AlignmentRounding::TowardZero);
        }
    };
    change(&mut sum, 40, 60, 50);
    let all = [
        (Setting::FractionBits(41), "products are multiples"),
        (Setting::AlignmentRounding(AlignmentRounding::ToOdd), "products are multiples"),
        (Setting::SumFractionBits(61), "sums of products are multiples"),
        (Setting::AddendFractionBits(51), "addends are multiples"),
        (Setting::AdditionRounding(AlignmentRounding::ToOdd), "sums of products are multiples"),
        (Setting::AddendReach(Some(50)), "nothing is left of an addend"),
        (Setting::TotalFractionBits(Some(20)), "the total keeps all of its bits"),
    ];
    for (setting, word) in all {
        holds(&setting, &sum, word);
    }
    // Where the greatest product is the anchor, the window ends above 2^-2, and keeps what was kept of it.
    change(&mut sum, 2, 6, 2);
    holds(&Setting::SumFractionBits(7), &sum, "at their own anchor");
    change(&mut sum, 3, 2, 2);
    acts(&Setting::SumFractionBits(3), &sum);
    change(&mut sum, 2, 4, 2);
    for setting in [
        Setting::FractionBits(1),
        Setting::AlignmentRounding(AlignmentRounding::ToOdd),
        Setting::SumFractionBits(3),
        Setting::AddendFractionBits(1),
        Setting::AdditionRounding(AlignmentRounding::ToOdd),
        Setting::AddendReach(Some(1)),
        Setting::TotalFractionBits(Some(3)),
    ] {
        acts(&setting, &sum);
    }
    holds(&Setting::AddendReach(Some(2)), &sum, "more than 2 below the anchor");
}

#[test]
fn windows_that_hold_everything() {
    let mut wide = unit("tiny-truncating");
    (wide.unit.alignment_mut().fraction_bits, wide.unit.alignment_mut().exponent_floor) = (40, None);
    for setting in [Setting::AlignmentRounding(AlignmentRounding::ToOdd), Setting::FractionBits(60)] {
        holds(&setting, &wide, "no window ends above");
    }
    acts(&Setting::AlignmentRounding(AlignmentRounding::ToOdd), &unit("tiny-truncating"));
    acts(&Setting::FractionBits(3), &unit("tiny-truncating"));
}

/// The greatest product is 2.25 times 2^4, the least 1/4.
#[test]
fn windows_at_the_leading_bits_of_products() {
    let mut narrow = unit("tiny-truncating");
    [narrow.c, narrow.unit.formats.c] = [&narrow.a; 2].map(Format::clone);
    with_result(&mut narrow, Format::binary16());
    (narrow.unit.alignment_mut().fraction_bits, narrow.unit.alignment_mut().exponent_floor) = (7, None);
    holds(&Setting::FractionBits(6), &narrow, "no window ends above 2^-3");
    narrow.unit.alignment_mut().normalise_products = true;
    acts(&Setting::FractionBits(6), &narrow);
    holds(&Setting::FractionBits(8), &narrow, "no window ends above 2^-2");
}

fn operands(format: Format) -> Setting {
    Setting::Operands(Box::new([format.clone(), format]))
}

#[test]
fn operands_in_a_wider_format() {
    holds(&operands(Format::binary16()), &unit("tiny-truncating"), "no anchor lies below 2");
    // A subnormal e5m2 is one in binary16 too; every e4m3 is normal there.
    holds(
        &operands(Format::binary32()),
        &instruction("hopper-mma-m16n8k32-e5m2-e4m3-fp16"),
        "its window ends at 2^-31",
    );
    holds(&operands(Format::bfloat16()), &instruction("hopper-mma-m16n8k32-e4m3-fp16"), "e4m3 is normal in binary16");
    holds(&operands(Format::binary32()), &unit("tiny-exact"), "products are exact");
    acts(&operands(Format::binary32()), &instruction("ampere-mma-m16n8k16-fp16-fp32"));
    // These flush subnormal operands, which are the same in formats of as many exponents.
    holds(&operands(Format::binary32()), &unit("amx-bf16-fp32"), "the same exponents");
    holds(&operands(Format::tf32()), &unit("cdna3-bf16-fp32"), "the same exponents");
    let mut flushing = unit("volta-fp16-fp32");
    flushing.unit.flush.operands = true;
    acts(&operands(Format::binary32()), &flushing);
}

#[test]
fn signalling_nans_in_a_wider_format() {
    let mut quiet = unit("tiny-truncating");
    [quiet.a, quiet.b] = [Format::binary16(), Format::binary16()];
    [quiet.unit.formats.a, quiet.unit.formats.b] = [Format::binary16(), Format::binary16()];
    holds(&operands(Format::binary32()), &quiet, "");
    quiet.unit.conversion.flags = true;
    acts(&operands(Format::binary32()), &quiet);
}

#[test]
fn addend_in_a_wider_format() {
    let addend = Setting::Addend(Box::new(Format::binary32()));
    let mut narrow = unit("volta-fp16-fp32");
    narrow.unit.formats.c = Format::binary16();
    narrow.c = Format::binary16();
    narrow.unit.alignment_mut().exponent_floor = None;
    narrow.unit.alignment_mut().fraction_bits = 40;
    holds(&addend, &narrow, "a subnormal addend has an exponent of at most -14");
    narrow.unit.alignment_mut().fraction_bits = 23;
    acts(&addend, &narrow);
}

#[test]
fn subnormals_that_do_not_occur_or_do_not_show() {
    let flush = |operands, addend, result| Setting::Subnormals(Flush { operands, addend, result, ..Flush::default() });
    let tiny = unit("tiny-truncating");
    holds(&flush(false, true, false), &tiny, "a subnormal addend lies below");
    holds(&flush(false, false, true), &tiny, "is normal");
    holds(&flush(false, true, true), &tiny, "; ");
    acts(&flush(true, false, false), &tiny);
    let widened = instruction("volta-mma-m8n8k4-fp16-fp32-from-fp16");
    holds(&flush(false, true, false), &widened, "every number of binary16 is normal in binary32");
    acts(&flush(false, true, false), &unit("volta-fp16-fp32"));
    let mut wide = instruction("volta-mma-m8n8k4-fp16-fp32");
    [wide.unit.formats.a, wide.unit.formats.b] = [Format::binary32(), Format::binary32()];
    holds(&flush(true, false, false), &wide, "every number of binary16 is normal in binary32");
}

/// Where subnormal addends count as zero, results are subnormal beside no product.
#[test]
fn results_beside_flushed_addends() {
    let kept = |one: &Instruction| Setting::Subnormals(Flush { result: false, ..one.unit.flush });
    for name in ["hickmann-integer-tree-fp16-fp32", "cdna2-fp16-fp32"] {
        let mut flushing = unit(name);
        holds(&kept(&flushing), &flushing, "an addend alone is normal");
        (flushing.unit.flush.addend, flushing.unit.flush.to_plus_zero) = (false, false);
        acts(&kept(&flushing), &flushing);
    }
    // Every product saturates, as the largest number, which is no multiple of the least product.
    let mut saturating = unit("cdna2-fp16-fp32");
    let large = Format { bias: -700, ..Format::binary16() };
    [saturating.a, saturating.b] = [&large; 2].map(Format::clone);
    [saturating.unit.formats.a, saturating.unit.formats.b] = [large.clone(), large];
    saturating.unit.conversion.overflow = Overflow::Saturate;
    let small = Format { name: "e2m23".to_owned(), exponent_bits: 2, bias: 1, ..Format::binary32() };
    [saturating.c, saturating.unit.formats.c] = [&small; 2].map(Format::clone);
    with_result(&mut saturating, small);
    acts(&kept(&saturating), &saturating);
    let mut near = unit("tiny-pairwise");
    (near.unit.flush.addend, near.unit.flush.result) = (true, true);
    acts(&kept(&near), &near);
}

/// Tiny before rounding and tiny after are the same where nothing tiny is rounded.
#[test]
fn tiny_sums_that_are_not_rounded() {
    let after = |one: &Instruction| Setting::Subnormals(Flush { tiny_result: true, ..one.unit.flush });
    let mut half = unit("cdna2-fp16-fp32");
    half.unit.flush = Flush { result: true, ..Flush::default() };
    holds(&after(&half), &half, "no sum below 2^-126 is rounded");
    let mut coarse = unit("tiny-fma");
    let d = Format { name: "e3m1".to_owned(), exponent_bits: 3, fraction_bits: 1, bias: 0, ..Format::e5m2() };
    [coarse.c, coarse.unit.formats.c] = [&d; 2].map(Format::clone);
    with_result(&mut coarse, d);
    coarse.unit.flush = Flush { result: true, ..Flush::default() };
    acts(&after(&coarse), &coarse);
}

/// The sign of a zero that a subnormal number becomes shows in a zero only.
#[test]
fn signs_of_zeros_that_d_does_not_have() {
    let flushed = Flush { operands: true, ..Flush::default() };
    let plus = Setting::Subnormals(Flush { to_plus_zero: true, ..flushed });
    let mut chain = unit("tiny-fma");
    chain.unit.flush = flushed;
    acts(&plus, &chain);
    let unsigned = Format::named("e5m2fnuz").expect("a format");
    [chain.c, chain.unit.formats.c] = [&unsigned; 2].map(Format::clone);
    with_result(&mut chain, unsigned);
    holds(&plus, &chain, "has no minus zero");
}

/// The only numbers of d are subnormal: all else overflows, and the largest of them, to which it saturates, is not flushed.
#[test]
fn results_of_a_format_without_normal_numbers() {
    let flushed = Setting::Subnormals(Flush { result: true, ..Flush::default() });
    let mut tiny = unit("tiny-truncating");
    tiny.unit.conversion.overflow = Overflow::Saturate;
    let layout = |exponent_bits| Format { name: "short".to_owned(), exponent_bits, bias: 1, ..Format::e5m2() };
    with_result(&mut tiny, layout(2));
    holds(&flushed, &tiny, "2^0 is normal");
    with_result(&mut tiny, layout(1));
    holds(&flushed, &tiny, "2^0 overflows");
    with_result(&mut tiny, Format { bias: 0, ..layout(1) });
    acts(&flushed, &tiny);
}
