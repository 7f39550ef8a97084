//! Names of matrix instructions in PTX.

use crate::describe::format::{Format, Overflow};
use crate::describe::instruction::{Form, Instruction};

/// Name of a format in PTX.
///
/// # Panics
/// PTX has no such format.
pub(super) fn name(format: &Format) -> &'static str {
    const NAMES: &[(&str, &str)] = &[
        ("binary16", "f16"),
        ("bfloat16", "bf16"),
        ("tf32", "tf32"),
        ("binary32", "f32"),
        ("binary64", "f64"),
        ("e4m3", "e4m3"),
        ("e5m2", "e5m2"),
        ("e3m2", "e3m2"),
        ("e2m3", "e2m3"),
        ("e2m1", "e2m1"),
        ("int4", "s4"),
        ("uint4", "u4"),
        ("int8", "s8"),
        ("uint8", "u8"),
        ("int32", "s32"),
    ];
    let row = NAMES.iter().find(|(own, _)| *own == format.name);
    match row {
        Some((_, name)) => name,
        // Results with fewer bits, in the words of fp32.
        None if (format.width(), format.exponent_bits) == (32, 8) => "f32",
        None => panic!("PTX has no format {}", format.name),
    }
}

/// Whether a result's registers can be those of the addend, for the next step along K.
pub fn chains(instruction: &Instruction) -> bool {
    name(&instruction.c) == name(instruction.d())
}

/// The whole name of an instruction, with so many columns where it leaves their number open.
///
/// # Panics
/// The instruction is not one of PTX.
pub fn mnemonic(instruction: &Instruction, columns: usize) -> String {
    let shape = instruction.shape;
    let shape = format!("m{}n{columns}k{}", shape.m, shape.k);
    let [a, b, c, d] = [&instruction.a, &instruction.b, &instruction.c, instruction.d()].map(name);
    let saturates = instruction.unit.conversion.overflow == Overflow::Saturate && a.starts_with(['s', 'u']);
    let saturate = if saturates { ".satfinite" } else { "" };
    match instruction.form.expect("an instruction of PTX has a form") {
        Form::Mma => {
            let kind = instruction.kind.map_or(String::new(), |kind| format!(".kind::{}", kind.name()));
            format!("mma.sync.aligned{kind}.{shape}.row.col{saturate}.{d}.{a}.{b}.{c}")
        }
        // The operands of fp16 instructions go without saying.
        Form::Wmma if a == "f16" => format!("wmma.mma.sync.aligned.row.col.{shape}.{d}.{c}"),
        Form::Wmma => format!("wmma.mma.sync.aligned.row.col.{shape}.{d}.{a}.{b}.{c}"),
        Form::Wgmma => format!("wgmma.mma_async.sync.aligned.{shape}{saturate}.{d}.{a}.{b}"),
        Form::Tcgen05 => {
            let kind = instruction.kind.map_or("", |kind| kind.name());
            format!("tcgen05.mma.cta_group::1.kind::{kind}")
        }
        Form::Mfma => panic!("{} is no instruction of PTX", instruction.name),
    }
}

/// What follows the operands of `wgmma`: factors 1 of A and B, and no transposition, where the formats have these.
pub(super) fn factors(instruction: &Instruction) -> &'static str {
    match name(&instruction.a) {
        "f16" | "bf16" => ", 1, 1, 0, 0",
        "s8" | "u8" => "",
        _ => ", 1, 1",
    }
}
