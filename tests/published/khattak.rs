//! Khattak and Mikaitis: the parameters of their models are read from the catalogue's units, and changed units read otherwise.

use tensorsmith::describe::format::Rounding::{NearestEven, TowardNegative, TowardPositive, TowardZero};
use tensorsmith::describe::unit::AlignmentRounding::{Downward, NearestEven as ToNearest, ToOdd};
use tensorsmith::literature::Work;

use super::mutation::{CHAIN, Mutation::*, Row, TREE, assert_seen};
use super::{assert_published, experiment, outcomes, subject};

const VOLTA: &str = "volta-fp16-fp32";
const HOPPER: &str = "hopper-fp16-fp32";
const FP8: &str = "ada-e4m3-fp32";

#[test]
fn khattak_readings() {
    assert_eq!(assert_published(Work::Khattak), 0, "the catalogue models what the recordings show");
}

#[test]
fn khattak_sees_changed_units() {
    let rows: &[Row] = &[
        ("fma-size", VOLTA, &[Products(8)]),
        ("fma-size", FP8, &[Products(32)]),
        ("extra-alignment-bits", VOLTA, &[FractionBits(1), FractionBits(-1)]),
        ("extra-alignment-bits", HOPPER, &[FractionBits(-1)]),
        ("extra-alignment-bits", FP8, &[FractionBits(1)]),
        ("sticky-bit", VOLTA, &[Alignment(ToOdd), Alignment(Downward)]),
        ("least-anchor", "hopper-bf16-fp32", &[Floor(Some(-132)), Floor(Some(-134)), Floor(None)]),
        ("final-rounding", VOLTA, &[Conversion(NearestEven), Conversion(TowardPositive), Conversion(TowardNegative)]),
        ("final-rounding", "volta-fp16-fp16", &[Conversion(TowardZero)]),
        ("result-bits", "ada-e5m2-fp32", &[FractionBits(-1)]),
        ("normalised-once", VOLTA, &[CHAIN, TREE]),
        ("subnormals", VOLTA, &[FlushOperands, FlushAddend, FlushResult]),
        ("interleaving", FP8, &[Products(32), Products(8)]),
        ("addend-last", VOLTA, &[TREE]),
        ("addend-rounding", VOLTA, &[TREE, Alignment(ToNearest)]),
    ];
    assert_seen(Work::Khattak, rows);
}

/// An instruction of fp8 operands is compared with what the recordings of it say, not with its fp16 unit.
#[test]
fn khattak_tells_instructions_from_their_units() {
    let name = "hopper-mma-m16n8k32-e4m3-fp32";
    for outcome in outcomes(&subject(name), Work::Khattak.experiments()) {
        for comparison in &outcome.comparisons {
            assert_eq!(comparison.published.unit, name, "{}", outcome.experiment.name);
        }
    }
    let wide =
        outcomes(&subject("ada-mma-m16n8k32-e4m3-fp32"), vec![experiment(Work::Khattak, "interleaving")]).remove(0);
    assert_eq!(wide.reading.map(|reading| reading.to_string()), Ok("blocks of 16".to_owned()));
    assert_eq!(wide.comparisons.len(), 1, "it is made of Ada's unit");
}
