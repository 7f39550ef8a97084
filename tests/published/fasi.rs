//! Fasi et al.: readings, and units changed in what each experiment asks.

use tensorsmith::check::published::Work;

use super::assert_published;
use super::mutation::{Mutation::*, Row, assert_seen};

#[test]
fn fasi_readings() {
    assert_published(Work::Fasi);
}

#[test]
fn fasi_sees_changed_units() {
    let (volta, volta_narrow) = ("volta-fp16-fp32", "volta-fp16-fp16");
    let rows: &[Row] = &[
        ("subnormal-operand", volta, &[FlushOperands]),
        ("subnormal-operand", volta_narrow, &[FlushOperands, FlushResult]),
        ("subnormal-addend", volta, &[FlushAddend, FlushResult]),
        ("subnormal-result", volta_narrow, &[FlushResult]),
    ];
    assert_seen(Work::Fasi, rows);
}
