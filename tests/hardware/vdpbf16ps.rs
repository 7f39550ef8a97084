//! AVX512-BF16 VDPBF16PS against the model.

use tensorsmith::engine::processor::{LaneOperation, MXCSR_DEFAULT, Operation, Setup};
use tensorsmith::engine::{Batch, Engine};

use super::model::{Rules, VDPBF16PS};
use super::operands::{KINDS, Operands};
use super::{in_parallel, open, support};

const OPERATION: Operation = Operation::Lane(LaneOperation::Vdpbf16ps);
const RAW: Setup = Setup { raw_nan: true, mxcsr: MXCSR_DEFAULT };
const IN_BATCH: usize = 10_000;

/// Vectors of one pair.
pub fn batch(number: u64) -> Batch {
    let kind = KINDS[number as usize % KINDS.len()];
    let mut operands = Operands::new(number);
    let [first, second] = [1, 2].map(|_| operands.matrices(kind, [IN_BATCH, 1, 2]));
    let mut batch = Batch::new(2, 0);
    (batch.a, batch.b, batch.c) = (first.a, second.a, first.c);
    batch
}

/// Compares batches of vectors; gives results compared, differing, and NaN.
pub fn compare(rules: Rules, batches: u64) -> [u64; 3] {
    in_parallel(batches, |number| {
        let mut engine = open(OPERATION, 2, RAW).expect("the instruction is there");
        let (batch, mut results) = (batch(number), Vec::new());
        engine.run(&batch, &mut results).expect("the engine answers");
        let expected = |v| rules.dot(batch.a(v), batch.b(v), batch.c[v]);
        let differing = (0..batch.len()).filter(|&v| expected(v) != results[v]).count();
        let nans = results.iter().filter(|bits| f32::from_bits(**bits as u32).is_nan()).count();
        [results.len() as u64, differing as u64, nans as u64]
    })
}

/// Ten million results in the long tier, a million in the ordinary one, NaN bit for bit.
#[test]
fn vdpbf16ps_model_many_results() {
    let Some(engine) = open(OPERATION, 2, RAW) else { return };
    let batches = if support::long_tier() { 1000 } else { 100 };
    let [compared, differing, nans] = compare(VDPBF16PS, batches);
    println!("{}: {compared} results compared, {nans} of them NaN", engine.identity().version);
    assert_eq!((compared, differing), (batches * IN_BATCH as u64, 0));
    assert!(nans > compared / 1000 && nans < compared / 4);
}

/// What is not flushed after rounding with an unbounded exponent: 2^-126 minus half of its last place, a tie, stays 2^-126;
/// anything less becomes zero of its sign.
#[test]
fn vdpbf16ps_flushes_after_rounding() {
    let Some(mut engine) = open(OPERATION, 2, RAW) else { return };
    let power = |exponent: i32| ((exponent + 127) as u64) << 7;
    let mut results = Vec::new();
    for (exponent, kept) in [(-149, false), (-150, false), (-151, true), (-152, true)] {
        for sign in [0, 0x8000] {
            let mut batch = Batch::new(2, 0);
            batch.resize(1);
            // The product has the sign that c has not.
            batch.a[0] = power(-75) | (sign ^ 0x8000);
            batch.b[0] = power(exponent + 75);
            batch.c[0] = 0x0080_0000 | sign << 16;
            engine.run(&batch, &mut results).expect("the engine answers");
            let expected = if kept { batch.c[0] } else { sign << 16 };
            assert_eq!(results[0], expected, "2^-126 - 2^{exponent}, sign {sign:#x}");
        }
    }
}
