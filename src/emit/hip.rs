//! Kernels of AMD GPUs as HIP text, one for exactly the instruction asked, written from the public CDNA ISA documents and the
//! compiler's names of its built-in functions.
//!
//! Architecture invariant: needs no driver and no GPU.

use serde::Serialize;

use super::{EmitError, templates};
use crate::describe::format::Format;
use crate::describe::fragment::{Fragment, Tile};
use crate::describe::instruction::Instruction;

/// Name of the kernel's entry.
pub const ENTRY: &str = "tensorsmith";

/// Architectures that a kernel can tell, by the compiler's own names for them.
pub const ARCHITECTURES: [&str; 3] = ["gfx908", "gfx90a", "gfx942"];

const TEMPLATES: [(&str, &str); 2] = [
    ("mfma.hip", include_str!("../../templates/mfma.hip.tera")),
    ("architecture.hip", include_str!("../../templates/architecture.hip.tera")),
];

/// What a lane holds of an operand.
#[derive(Serialize)]
struct Operand {
    /// Type of an element, as the built-in function takes it.
    element: &'static str,
    /// What makes a vector of it, where it is one.
    vector: String,
    /// Type of the words that are loaded and stored.
    word: &'static str,
    /// Number of words, in brackets.
    count: String,
    words: Vec<Word>,
}

/// A word of a lane: its place there, and in the images of a tile or of a step along K.
#[derive(Serialize)]
struct Word {
    index: String,
    of_tile: String,
    of_step: String,
}

/// What the compiler calls an architecture, and what the kernel writes for it.
#[derive(Serialize)]
struct Architecture {
    number: usize,
    name: &'static str,
}

/// The text of the kernel that computes tiles with an instruction.
///
/// # Errors
/// A template is broken.
///
/// # Panics
/// The instruction is not a `V_MFMA`.
pub fn kernel(instruction: &Instruction, tile: &Tile) -> Result<String, EmitError> {
    let mut context = tera::Context::new();
    context.insert("summary", &instruction.summary);
    context.insert("entry", ENTRY);
    context.insert("builtin", &builtin(instruction));
    context.insert("a", &operand(&instruction.a, &tile.a, tile.threads));
    context.insert("b", &operand(&instruction.b, &tile.b, tile.threads));
    context.insert("d", &operand(instruction.d(), &tile.d, tile.threads));
    render("mfma.hip", &context)
}

/// The text of a kernel that writes the number of its architecture in [`ARCHITECTURES`], plus one.
///
/// # Errors
/// A template is broken.
pub fn architecture() -> Result<String, EmitError> {
    let mut context = tera::Context::new();
    let numbered = |(index, name)| Architecture { number: index + 1, name };
    let numbered: Vec<Architecture> = ARCHITECTURES.into_iter().enumerate().map(numbered).collect();
    context.insert("entry", ENTRY);
    context.insert("architectures", &numbered);
    render("architecture.hip", &context)
}

fn render(template: &'static str, context: &tera::Context) -> Result<String, EmitError> {
    let failed = |source| EmitError::Template { template, source };
    templates(&TEMPLATES).map_err(failed)?.render(template, context).map_err(failed)
}

/// The compiler's built-in function for an instruction (clang, `BuiltinsAMDGPU`).
///
/// # Panics
/// The instruction is not a `V_MFMA`.
pub fn builtin(instruction: &Instruction) -> String {
    let shape = instruction.shape;
    let size = format!("{}x{}x{}", shape.m, shape.n, shape.k);
    let fp8 = |format: &Format| if format.exponent_bits == 4 { "fp8" } else { "bf8" };
    match instruction.a.name.as_str() {
        "binary64" => format!("__builtin_amdgcn_mfma_f64_{size}f64"),
        "binary32" => format!("__builtin_amdgcn_mfma_f32_{size}f32"),
        "binary16" => format!("__builtin_amdgcn_mfma_f32_{size}f16"),
        "bfloat16" if held(instruction) == 2 => format!("__builtin_amdgcn_mfma_f32_{size}bf16"),
        "bfloat16" => format!("__builtin_amdgcn_mfma_f32_{size}bf16_1k"),
        "e4m3fnuz" | "e5m2fnuz" => {
            format!("__builtin_amdgcn_mfma_f32_{size}_{}_{}", fp8(&instruction.a), fp8(&instruction.b))
        }
        "tf32" => format!("__builtin_amdgcn_mfma_f32_{size}_xf32"),
        other => panic!("no V_MFMA takes {other}"),
    }
}

/// Elements of A that a lane of 64 holds.
fn held(instruction: &Instruction) -> u32 {
    let shape = instruction.shape;
    if shape.m == 4 { shape.k } else { shape.k * shape.m / 64 }
}

fn operand(format: &Format, fragment: &Fragment, threads: usize) -> Operand {
    let element = match format.name.as_str() {
        "binary64" => "double",
        "binary16" => "_Float16",
        "bfloat16" => "short",
        // Eight of them in one integer.
        "e4m3fnuz" | "e5m2fnuz" => "long",
        _ => "float",
    };
    let (element_bytes, word_bytes) = match element {
        "double" => (8, 8),
        "long" => (8, 4),
        "_Float16" | "short" => (2, 4),
        _ => (4, 4),
    };
    let lane_bytes = fragment.bytes / threads;
    let (elements, words) = (lane_bytes / element_bytes, lane_bytes / word_bytes);
    let place = |group: &str, number: usize| format!("[({group} * {words} + {number}) * {threads} + lane]");
    Operand {
        element,
        vector: if elements == 1 { String::new() } else { format!(" __attribute__((ext_vector_type({elements})))") },
        word: if word_bytes == 8 { "unsigned long" } else { "unsigned" },
        count: format!("[{words}]"),
        words: (0..words)
            .map(|number| Word {
                index: format!("[{number}]"),
                of_tile: place("(unsigned long)tile", number),
                of_step: place("first", number),
            })
            .collect(),
    }
}
