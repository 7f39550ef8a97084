//! What `tcgen05.mma` takes beside its operands: descriptors (PTX ISA, "Instruction descriptor", "Shared memory descriptor").

use super::mnemonic;
use crate::describe::instruction::{Instruction, Kind};

/// What the descriptors of shared memory have beside those of `wgmma`: bits 46 to 48 are 0b001.
pub(super) const SHARED_DESCRIPTOR: u64 = 1 << 46;

/// The instruction descriptor of kinds without scales:
///
/// ```text
///   28  24 | 23 | 22  17 | 16 15     | 14 13   | 12 10 | 9  7 | 6 | 5  4 | 3 | 2 | 1 0
///   m / 16 | 0  | n / 8  | K-major 0 | negate 0| b     | a    | 0 | d    | saturate | sparsity 0
/// ```
pub(super) fn instruction_descriptor(instruction: &Instruction, m: usize, n: usize) -> u32 {
    let kind = instruction.kind.expect("instructions of tcgen05 have a kind");
    let number = |name: &str| match (kind, name) {
        (Kind::I8, "u8") => 0,
        (Kind::I8, "s8") => 1,
        (Kind::F16, "f16") | (_, "e4m3") => 0,
        (Kind::F16, "bf16") | (_, "e5m2") => 1,
        (_, "tf32") => 2,
        (_, "e2m3") => 3,
        (_, "e3m2") => 4,
        (_, "e2m1") => 5,
        _ => unreachable!("no operand of tcgen05 is {name}"),
    };
    let result = match mnemonic::name(instruction.d()) {
        "f16" => 0,
        "f32" => 1,
        _ => 2,
    };
    let [a, b] = [&instruction.a, &instruction.b].map(|format| number(mnemonic::name(format)));
    (m as u32 / 16) << 24 | (n as u32 / 8) << 17 | b << 10 | a << 7 | result << 4
}
