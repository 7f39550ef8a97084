//! BFDOT and BFMMLA as QEMU executes them, a program of the instruction under user-mode emulation, against the emulator of
//! the catalogue's instructions, bit for bit; skipped where QEMU or the cross-compiler is missing.

use crate::support::{self, instruction};

mod qemu;

use qemu::Width;
use tensorsmith::check::stimulus::{CHUNK, Class, Stimulus};
use tensorsmith::describe::format::Rounding;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::engine::{Batch, Kind, Opened};

const VECTORS: usize = 1_000_000;

fn emulated(instruction: &Instruction, batch: &Batch) -> Vec<u64> {
    let Opened::Ready(mut emulator) = Kind::Emulator.open_instruction(instruction).expect("nothing fails") else {
        panic!("the emulator always runs")
    };
    let mut results = Vec::new();
    emulator.run(batch, &mut results).expect("the emulator answers");
    results
}

/// Vectors of all classes of stimulus, then as many of random bit patterns.
fn stimulus(instruction: &Instruction, count: usize) -> Batch {
    let frame = instruction.frame();
    let mut all = Batch::of_interface(&frame);
    for stimulus in [Stimulus::shaped(&frame, 11), Stimulus::of_classes(&frame, 12, vec![Class::Uniform])] {
        let mut chunk = stimulus.empty_batch();
        for number in 0..(count / 2).div_ceil(CHUNK) {
            let left = count / 2 - number * CHUNK;
            stimulus.fill(number as u64, left.min(CHUNK), &mut chunk);
            all.a.extend_from_slice(&chunk.a);
            all.b.extend_from_slice(&chunk.b);
            all.c.extend_from_slice(&chunk.c);
        }
    }
    all
}

/// Of two vectors each the four of a 2 x 2 matrix: rows of the one with columns of the other, too.
fn crossed(batch: &Batch) -> Batch {
    let mut all = Batch::new(batch.products(), 0);
    for first in (0..batch.len() / 2 * 2).step_by(2) {
        for place in 0..4 {
            let (row, column) = (first + place / 2, first + place % 2);
            all.a.extend_from_slice(batch.a(row));
            all.b.extend_from_slice(batch.b(column));
            all.c.push(batch.c[first + ((place / 2) ^ (place % 2))]);
        }
    }
    all
}

fn vectors(instruction: &Instruction, width: Width, count: usize) -> Batch {
    match width {
        Width::Pair => stimulus(instruction, count),
        Width::Matrix => crossed(&stimulus(instruction, count / 2)),
    }
}

fn differing(left: &[u64], right: &[u64]) -> usize {
    assert_eq!(left.len(), right.len());
    left.iter().zip(right).filter(|(left, right)| left != right).count()
}

fn compare(name: &str, width: Width) {
    let instruction = instruction(name);
    let Some(program) = qemu::open() else { return };
    let batch = vectors(&instruction, width, VECTORS);
    let (ours, theirs) = (emulated(&instruction, &batch), qemu::answers(&program, width, &batch));
    let first = (0..batch.len()).find(|&v| ours[v] != theirs[v]);
    let shown = first.map(|v| (batch.vector(v), ours[v], theirs[v]));
    println!("{name}: emulator and {} ran {} vectors each", program.version(), batch.len());
    assert_eq!((batch.len(), differing(&ours, &theirs)), (VECTORS, 0), "{shown:x?}");
}

#[test]
fn emulator_qemu_bfdot() {
    compare("arm-bfdot", Width::Pair);
}

#[test]
fn emulator_qemu_bfmmla() {
    compare("arm-bfmmla", Width::Matrix);
}

/// Wrong descriptions, which QEMU's answers must refute.
#[test]
fn wrong_descriptions_are_caught() {
    let Some(program) = qemu::open() else { return };
    for (name, width) in [("arm-bfdot", Width::Pair), ("arm-bfmmla", Width::Matrix)] {
        let right = instruction(name);
        let batch = vectors(&right, width, 100_000);
        let answers = qemu::answers(&program, width, &batch);
        let changed = |change: fn(&mut Instruction)| {
            let mut wrong = right.clone();
            change(&mut wrong);
            wrong
        };
        let faults = [
            ("nearest even for to odd", changed(|wrong| wrong.unit.conversion.rounding = Rounding::NearestEven)),
            ("toward zero for to odd", changed(|wrong| wrong.unit.conversion.rounding = Rounding::TowardZero)),
            ("subnormal operands kept", changed(|wrong| wrong.unit.flush.operands = false)),
            ("subnormal addend kept", changed(|wrong| wrong.unit.flush.addend = false)),
            ("subnormal results kept", changed(|wrong| wrong.unit.flush.result = false)),
            ("NaN of NVIDIA", changed(|wrong| wrong.unit.conversion.nan = 0x7fff_ffff)),
        ];
        for (fault, wrong) in faults {
            let found = differing(&emulated(&wrong, &batch), &answers);
            println!("{name}: {fault}: {found} of {} vectors differ", batch.len());
            assert!(found > 0, "{name}: {fault} was not caught");
        }
    }
}

/// The order of the two pairs of a BFMMLA, and of the numbers of a pair: only the first shows.
#[test]
fn wrong_order_is_caught() {
    let Some(program) = qemu::open() else { return };
    let instruction = instruction("arm-bfmmla");
    let batch = vectors(&instruction, Width::Matrix, 100_000);
    let answers = qemu::answers(&program, Width::Matrix, &batch);
    for (order, effect) in [([2, 3, 0, 1], true), ([1, 0, 3, 2], false)] {
        let mut reordered = batch.clone();
        for (all, own) in [(&mut reordered.a, &batch.a), (&mut reordered.b, &batch.b)] {
            let rows = all.chunks_exact_mut(4).zip(own.chunks_exact(4));
            rows.for_each(|(all, own)| all.copy_from_slice(&order.map(|index| own[index])));
        }
        let found = differing(&emulated(&instruction, &reordered), &answers);
        println!("arm-bfmmla: products in the order {order:?}: {found} of {} vectors differ", batch.len());
        assert_eq!(found > 0, effect, "{order:?}");
    }
}
