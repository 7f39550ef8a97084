//! MXCSR: the bfloat16 instructions neither ask it nor write it; the ordinary multiply-add does both.

use tensorsmith::engine::processor::{LaneOperation, MXCSR_DEFAULT, Operation, Setup, TileOperation};
use tensorsmith::engine::{Batch, Engine};

use super::open;
use super::operands::{KINDS, Operands};

/// Every rounding, with and without subnormal results and operands taken as zeros.
fn modes() -> impl Iterator<Item = u32> {
    (0..16).map(|mode| MXCSR_DEFAULT | (mode & 3) << 13 | (mode >> 2 & 1) << 15 | (mode >> 3) << 6)
}

/// Answers to the same vectors, and the flags raised, in every mode; nothing if the instruction is not there.
fn answers(operation: Operation, batch: &Batch) -> Vec<(Vec<u64>, u32)> {
    let setups = modes().map(|mxcsr| Setup { mxcsr, raw_nan: true });
    let engines = setups.map_while(|setup| open(operation, batch.products(), setup));
    let answer = |mut engine: tensorsmith::engine::Processor| {
        let mut results = Vec::new();
        engine.run(batch, &mut results).expect("the engine answers");
        (results, engine.raised())
    };
    engines.map(answer).collect()
}

/// Vectors of every kind, of bfloat16 factors.
fn batch(products: u32) -> Batch {
    let mut batch = Batch::new(products, 0);
    for (seed, kind) in KINDS.into_iter().enumerate() {
        let mut operands = Operands::new(seed as u64);
        let [first, second] = [1, 2].map(|_| operands.matrices(kind, [4000, 1, products as usize]));
        batch.a.extend(first.a);
        batch.b.extend(second.a);
        batch.c.extend(first.c);
    }
    batch
}

fn ignores_mxcsr(operation: Operation, products: u32) {
    let answers = answers(operation, &batch(products));
    let Some((first, _)) = answers.first() else { return };
    assert_eq!((answers.len(), first.len()), (16, 20_000));
    for (mode, (results, raised)) in modes().zip(&answers) {
        assert!(results == first, "{}: other results with MXCSR {mode:#x}", operation.name());
        assert_eq!(*raised, 0, "{}: flags raised with MXCSR {mode:#x}", operation.name());
    }
    println!("{}: {} results, the same in 16 modes of MXCSR; no flag raised", operation.name(), first.len());
}

#[test]
fn tdpbf16ps_ignores_mxcsr() {
    ignores_mxcsr(Operation::Tile(TileOperation::Tdpbf16ps), 32);
}

#[test]
fn vdpbf16ps_ignores_mxcsr() {
    ignores_mxcsr(Operation::Lane(LaneOperation::Vdpbf16ps), 2);
}

/// The negative control: the mode does reach the processor, and its flags come back.
#[test]
fn multiply_add_obeys_mxcsr() {
    let mut batch = batch(1);
    // Any bfloat16 number is one of binary32.
    for factor in batch.a.iter_mut().chain(&mut batch.b) {
        *factor <<= 16;
    }
    let answers = answers(Operation::Lane(LaneOperation::Fma32), &batch);
    let Some((first, _)) = answers.first() else { return };
    for (mode, (results, raised)) in modes().zip(&answers) {
        assert_eq!(results == first, mode == MXCSR_DEFAULT, "MXCSR {mode:#x}");
        assert!(*raised != 0, "no flag raised with MXCSR {mode:#x}");
    }
    println!("VFMADD231PS: other results in 15 of 16 modes of MXCSR");
    assert_eq!(answers.len(), 16);
}
