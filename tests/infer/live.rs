//! Engines that are no emulator, inferred from nothing: the processor's own instructions where it has them, the reference, and
//! the emitted SystemVerilog, verilated. What is found answers as the catalogue's description does.

use tensorsmith::describe::catalogue;
use tensorsmith::engine::{Kind, Opened};
use tensorsmith::infer::Outcome;

use super::shared::{long_tier, skip};
use super::support::{difference, inferred, short};

/// What is found of a unit's engine, confirmed on so many vectors, is the unit of the catalogue. Skipped under a name.
fn assert_inferred(unit: &str, kind: Kind, confirm: u64, skipped_as: &str) {
    let unit = catalogue::unit(unit).expect("a unit of the catalogue");
    let mut engine = match kind.open(&unit).expect("nothing fails") {
        Opened::Ready(engine) => engine,
        Opened::Absent(reason) => return skip(skipped_as, &reason),
    };
    let subject = unit.clone().into();
    let finding = match inferred(engine.as_mut(), &subject, short(confirm)) {
        Ok(Outcome::Found(finding)) => finding,
        other => panic!("{}: {other:?}", unit.name),
    };
    assert!(finding.asked >= short(confirm).confirm, "{} vectors asked", finding.asked);
    let equivalent = finding.equivalent.iter().map(|equivalent| &equivalent.hypothesis);
    let mut found = [&finding.hypothesis].into_iter().chain(equivalent);
    assert!(found.any(|found| found.unit.scheme == unit.scheme), "{:?}", finding.hypothesis);
    assert_eq!(difference(&subject, &finding.hypothesis, 200_000), None, "{}", unit.name);
}

#[test]
fn intel_amx_is_inferred() {
    // A minute: chains of 32 products in every order. Another instruction for bf16 is in both tiers.
    if long_tier() {
        assert_inferred("amx-bf16-fp32", Kind::Processor, 500_000, "intel-tdpbf16ps");
    }
    assert_inferred("integer-int8-int32", Kind::Processor, 500_000, "intel-tdpbssd");
}

#[test]
fn intel_avx512_bf16_is_inferred() {
    assert_inferred("avx512-bf16-fp32", Kind::Processor, 500_000, "intel-vdpbf16ps");
}

#[test]
fn intel_fma3_is_inferred() {
    assert_inferred("fma-fp32", Kind::Processor, 500_000, "intel-vfmadd231ps");
    if long_tier() {
        assert_inferred("fma-fp64", Kind::Processor, 500_000, "intel-vfmadd231pd");
    }
}

#[test]
fn reference_is_inferred() {
    assert_inferred("tiny-then-add", Kind::Reference, 20_000, "infer-reference");
}

/// Of a small unit, in the long tier of a larger one too.
#[test]
fn rtl_is_inferred() {
    assert_inferred("tiny-nearest", Kind::Rtl, 100_000, "infer-rtl");
    if long_tier() {
        assert_inferred("volta-fp16-fp32", Kind::Rtl, 100_000, "infer-rtl");
    }
}
