//! The instructions' program, compiled for AArch64 and run by QEMU.

use tensorsmith::engine::Batch;

use super::support::qemu::Qemu;

/// What one step of the program takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// BFDOT: four dot products of a pair.
    Pair,
    /// BFMMLA: a 2 x 2 matrix, K of 4.
    Matrix,
}

/// Compiles the program, or skips.
pub fn open() -> Option<Qemu> {
    Qemu::open("tests/arm/bfdot.c", &["-march=armv8.6-a+bf16"])
}

/// Answers of the instruction, four a step. Of a matrix the four share two rows of A and two columns of B.
pub fn answers(qemu: &Qemu, width: Width, batch: &Batch) -> Vec<u64> {
    assert!(batch.len().is_multiple_of(4));
    let name = if width == Width::Pair { "bfdot" } else { "bfmmla" };
    let answers = qemu.run(name, steps(width, batch));
    let words = answers.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    let results: Vec<u64> = words.map(u64::from).collect();
    assert_eq!(results.len(), batch.len());
    results
}

/// The vectors as the program reads them.
fn steps(width: Width, batch: &Batch) -> Vec<u8> {
    let mut bytes = Vec::new();
    for first in (0..batch.len()).step_by(4) {
        batch.c[first..first + 4].iter().for_each(|&c| bytes.extend((c as u32).to_le_bytes()));
        let (rows, columns): (&[usize], &[usize]) = match width {
            Width::Pair => (&[0, 1, 2, 3], &[0, 1, 2, 3]),
            Width::Matrix => (&[0, 2], &[0, 1]),
        };
        let a = rows.iter().flat_map(|row| batch.a(first + row));
        let b = columns.iter().flat_map(|column| batch.b(first + column));
        a.chain(b).for_each(|&factor| bytes.extend((factor as u16).to_le_bytes()));
    }
    bytes
}
