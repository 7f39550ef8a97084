//! Whole matrices through an instruction: every element is the instruction's own, K is chained, wrong layouts show.

use tensorsmith::check::stimulus::{CHUNK, Stimulus};
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::subject::Subject;
use tensorsmith::engine::{Batch, Engine, Kind, Matrices, MatrixError};

use super::support::{self, instruction};
use super::{emulator, open, transposed};

/// Matrices of shaped numbers: rows of the stimulus in A, B and C, so that all classes of numbers meet.
fn matrices(instruction: &Instruction, m: usize, n: usize, k: usize) -> Matrices {
    let frame = instruction.frame();
    let mut batch = Batch::of_interface(&frame);
    Stimulus::shaped(&frame, 21).fill(0, 4 * CHUNK, &mut batch);
    let take = |all: &[u64], count: usize| all.iter().copied().cycle().take(count).collect();
    let blocks = k / instruction.shape.k as usize * frame.scale_count() as usize;
    Matrices {
        m,
        n,
        k,
        a: take(&batch.a, m * k),
        b: take(&batch.b, k * n),
        c: take(&batch.c, m * n),
        scale_a: take(&batch.scale_a, m * blocks),
        scale_b: take(&batch.scale_b, blocks * n),
    }
}

/// One element of D by itself: vectors of the instruction's K, one after another.
fn element(matrices: &Matrices, instruction: &Instruction, engine: &mut dyn Engine, row: usize, column: usize) -> u64 {
    let mut d = matrices.c[row * matrices.n + column];
    for first in (0..matrices.k).step_by(instruction.shape.k as usize) {
        let own = first..first + instruction.shape.k as usize;
        let mut batch = Batch::of_interface(&instruction.interface());
        let scales = batch.scales() as usize;
        let blocks = scales * (matrices.k / instruction.shape.k as usize);
        let own_scales = (first / instruction.shape.k as usize * scales..).take(scales);
        batch.scale_a = own_scales.clone().map(|s| matrices.scale_a[row * blocks + s]).collect();
        batch.scale_b = own_scales.map(|s| matrices.scale_b[s * matrices.n + column]).collect();
        batch.a = own.clone().map(|k| matrices.a[row * matrices.k + k]).collect();
        batch.b = own.map(|k| matrices.b[k * matrices.n + column]).collect();
        batch.c = vec![d];
        let mut results = Vec::new();
        engine.run(&batch, &mut results).expect("the engine answers");
        d = results[0];
    }
    d
}

#[test]
fn matrix_emulator_reference_rtl_elements() {
    let mut elements = 0;
    // One with a single block, with two, with a final addition, with exchanged operands, with a cut result, with scales,
    // of integers, and a chain of fused multiply-adds.
    for (name, m, n, k) in [
        ("hopper-mma-m16n8k16-fp16-fp32", 16, 8, 16),
        ("ampere-mma-m16n8k16-bf16-fp32", 16, 8, 48),
        ("hopper-mma-m16n8k32-e4m3-fp32", 16, 8, 64),
        ("ada-mma-m16n8k32-e5m2-e4m3-fp32", 5, 7, 96),
        ("volta-wmma-m16n16k16-fp16-fp16", 80, 70, 16),
        ("blackwell-mma-mxf8f6f4-m16n8k32-e5m2-e4m3-fp32", 6, 5, 64),
        ("blackwell-mma-nvf4-m16n8k64-e2m1-fp32", 4, 5, 128),
        ("ampere-mma-m16n8k32-uint8-int8-int32", 4, 5, 64),
        ("hopper-mma-m16n8k4-fp64-fp64", 4, 5, 8),
    ] {
        let instruction = instruction(name);
        let matrices = matrices(&instruction, m, n, k);
        let mut emulator = emulator(&instruction);
        let d = matrices.multiply(&instruction, emulator.as_mut()).expect("matrices that fit");
        assert_eq!(d.len(), m * n);
        let mut single = open("matrices", &instruction, Kind::Reference).expect("the reference always runs");
        for (place, &result) in d.iter().enumerate() {
            let (row, column) = (place / n, place % n);
            assert_eq!(result, element(&matrices, &instruction, single.as_mut(), row, column), "{name} {row} {column}");
            elements += 1;
        }
        let simulated = support::simulates(&Subject::from(instruction.clone()).units());
        if let Some(mut rtl) = simulated.then(|| open("matrices", &instruction, Kind::Rtl)).flatten() {
            assert_eq!(matrices.multiply(&instruction, rtl.as_mut()).expect("matrices that fit"), d, "{name}");
        }
    }
    println!("compared {elements} elements");
    assert_eq!(elements, 3 * 128 + 35 + 5600 + 30 + 3 * 20);
}

/// A transposed operand and exchanged blocks of K are no mere matter of naming.
#[test]
fn matrix_wrong_layouts_are_caught() {
    let instruction = instruction("hopper-mma-m16n8k16-fp16-fp32");
    let mut emulator = emulator(&instruction);
    let right = matrices(&instruction, 16, 16, 32);
    let d = right.multiply(&instruction, emulator.as_mut()).expect("matrices that fit");
    let b = transposed(&right.b, 32, 16);
    let later_first = [&right.b[256..], &right.b[..256]].concat();
    let no_addend = vec![0; 256];
    for (fault, wrong) in [
        ("B transposed", Matrices { b, ..right.clone() }),
        ("A transposed", Matrices { a: transposed(&right.a, 16, 32), ..right.clone() }),
        ("C transposed", Matrices { c: transposed(&right.c, 16, 16), ..right.clone() }),
        ("halves of B exchanged", Matrices { b: later_first, ..right.clone() }),
        ("C left out", Matrices { c: no_addend, ..right.clone() }),
    ] {
        let other = wrong.multiply(&instruction, emulator.as_mut()).expect("matrices that fit");
        let differing = d.iter().zip(&other).filter(|(right, wrong)| right != wrong).count();
        println!("{fault}: {differing} of 256 elements differ");
        assert!(differing > 0, "{fault} was not caught");
    }
}

#[test]
fn matrices_that_do_not_fit() {
    let fp32 = instruction("hopper-mma-m16n8k16-fp16-fp32");
    let right = matrices(&fp32, 4, 3, 32);
    let refused = |instruction: &Instruction, matrices: Matrices, parts: &[&str]| {
        let mut emulator = emulator(instruction);
        let error: MatrixError = matrices.multiply(instruction, emulator.as_mut()).expect_err("matrices do not fit");
        let text = error.to_string();
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    };
    refused(&fp32, Matrices { m: 0, ..right.clone() }, &["m is 0", "at least 1"]);
    refused(&fp32, Matrices { n: 0, ..right.clone() }, &["n is 0", "at least 1"]);
    refused(&fp32, Matrices { k: 0, ..right.clone() }, &["k is 0", "at least 1"]);
    refused(&fp32, Matrices { k: 24, ..right.clone() }, &["k is 24", "multiples of 16", "hopper-mma"]);
    refused(&fp32, Matrices { m: 5, ..right.clone() }, &["A has 128 elements", "160, that is m x k = 5 x 32"]);
    refused(&fp32, Matrices { n: 4, ..right.clone() }, &["B has 96 elements", "128, that is k x n = 32 x 4"]);
    refused(&fp32, Matrices { c: vec![0; 11], ..right.clone() }, &["C has 11 elements", "12, that is m x n = 4 x 3"]);
    let huge = Matrices { m: usize::MAX, ..right.clone() };
    refused(&fp32, huge, &["A has 128 elements"]);
    let mut wide = right.clone();
    wide.b[7] = 0x1_0000;
    refused(&fp32, wide, &["B[2][1] is 0x10000", "encodings of binary16, of 16 bits"]);
    // An fp32 result is no fp16 addend: K cannot be chained.
    let narrow = instruction("hopper-wmma-m16n16k16-fp16-fp32-from-fp16");
    let long = matrices(&narrow, 4, 3, 32);
    refused(&narrow, long, &["k is 32", "allowed: 16", "binary32", "addend binary16 cannot hold"]);
    println!("refused 10 sets of matrices");
}
