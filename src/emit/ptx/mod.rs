//! Kernels of NVIDIA GPUs as PTX text, one for exactly the instruction asked.
//!
//! A kernel is as small as can be: a warp, or four of them, loads the images of a tile's operands, repeats the instruction
//! along K, and stores the image of D. Where elements lie within an image is the host's affair (`describe::fragment`).
//!
//! Architecture invariant: needs no driver and no GPU.

mod mnemonic;
mod target;
mod tcgen05;

pub use mnemonic::{chains, mnemonic};
pub use target::Target;

use serde::Serialize;

use super::{EmitError, templates};
use crate::describe::fragment::{Fragment, Tile, core_strides};
use crate::describe::instruction::{Form, Instruction};

/// Name of the kernel's entry.
pub const ENTRY: &str = "tensorsmith";

const TEMPLATES: [(&str, &str); 5] = [
    ("entry.ptx", include_str!("../../../templates/entry.ptx.tera")),
    ("mma.ptx", include_str!("../../../templates/mma.ptx.tera")),
    ("wmma.ptx", include_str!("../../../templates/wmma.ptx.tera")),
    ("tcgen05.ptx", include_str!("../../../templates/tcgen05.ptx.tera")),
    ("wgmma.ptx", include_str!("../../../templates/wgmma.ptx.tera")),
];

/// The registers of one lane that hold an operand.
#[derive(Serialize)]
struct Registers {
    /// Name before their numbers.
    name: &'static str,
    /// All of them, as an instruction takes them.
    list: String,
    /// Type of a register.
    kind: &'static str,
    /// Type of an element, of the fragments that `wmma` loads and stores.
    element: &'static str,
    /// Bytes from one lane's word to the next one's.
    lane_bytes: usize,
    /// Bytes of the whole tile.
    bytes: usize,
    /// Registers of a lane.
    count: usize,
    words: Vec<Word>,
    /// Where the image begins in global memory.
    address: String,
    /// Elements from one row, or column, to the next in memory.
    stride: usize,
}

#[derive(Serialize)]
struct Word {
    number: usize,
    /// Where it lies in global memory.
    address: String,
}

/// An operand of `wgmma` in shared memory.
#[derive(Serialize)]
struct Shared {
    name: &'static str,
    /// Name and bytes, as they are declared.
    array: String,
    copies: Vec<Copy>,
    /// The descriptor without the address: strides from core matrix to core matrix.
    descriptor: String,
}

/// One word that each lane copies to shared memory.
#[derive(Serialize)]
struct Copy {
    /// From where in global memory.
    source: String,
    /// To where in shared memory.
    target: String,
    /// Lanes that copy, where it is not all of them.
    lanes: Option<usize>,
}

/// The text of the kernel that computes tiles with an instruction.
///
/// # Errors
/// A template is broken.
///
/// # Panics
/// The instruction has no tile in this form.
pub fn kernel(instruction: &Instruction, tile: &Tile, target: &Target) -> Result<String, EmitError> {
    let form = instruction.form.expect("an instruction with a tile has a form");
    let template = match form {
        Form::Wmma => "wmma.ptx",
        Form::Wgmma => "wgmma.ptx",
        Form::Tcgen05 => "tcgen05.ptx",
        _ => "mma.ptx",
    };
    let mut context = tera::Context::new();
    context.insert("instruction", &instruction.name);
    context.insert("summary", &instruction.summary);
    context.insert("entry", ENTRY);
    context.insert("version", target.version(instruction));
    context.insert("target", &target.name());
    context.insert("mnemonic", &mnemonic(instruction, tile.n));
    context.insert("shape", &format!("m{}n{}k{}", tile.m, tile.n, tile.k));
    for (place, fragment, format, stride) in [
        ("a", &tile.a, &instruction.a, tile.k),
        ("b", &tile.b, &instruction.b, tile.k),
        ("c", &tile.c, &instruction.c, tile.n),
        ("d", &tile.d, instruction.d(), tile.n),
    ] {
        // For the next step along K, the result goes to the registers of the addend where it can.
        let name = if place == "d" && chains(instruction) { "c" } else { place };
        let element = mnemonic::name(format);
        let operand = Operand { place, name, fragment, element, stride };
        // PTX ISA, "Fragments for wmma": a lane holds operands in fp16 twice.
        let twice = form == Form::Wmma && element == "f16" && matches!(place, "a" | "b");
        context.insert(place, &operand.registers(tile.threads, if twice { 2 } else { 1 }));
    }
    if matches!(form, Form::Wgmma | Form::Tcgen05) {
        let more = if form == Form::Tcgen05 { tcgen05::SHARED_DESCRIPTOR } else { 0 };
        let operands = [("a", &tile.a, tile.m), ("b", &tile.b, tile.n)];
        context.insert(
            "shared",
            &operands.map(|(name, fragment, lines)| shared(name, fragment, lines, tile.threads, more)),
        );
    }
    match form {
        Form::Wgmma => context.insert("factors", mnemonic::factors(instruction)),
        Form::Tcgen05 => tensor_memory(&mut context, instruction, tile),
        _ => {}
    }
    let failed = |source| EmitError::Template { template, source };
    templates(&TEMPLATES).map_err(failed)?.render(template, &context).map_err(failed)
}

/// What only kernels with results in tensor memory need.
fn tensor_memory(context: &mut tera::Context, instruction: &Instruction, tile: &Tile) {
    let descriptor = tcgen05::instruction_descriptor(instruction, tile.m, tile.n);
    context.insert("instruction_descriptor", &format!("0x{descriptor:08x}"));
    // At least 32 columns, a power of two.
    context.insert("columns", &tile.n.next_power_of_two().max(32));
    let halves = instruction.d().width() == 16;
    context.insert("pack", if halves { ".pack::16b" } else { "" });
    context.insert("unpack", if halves { ".unpack::16b" } else { "" });
    let registers = ["barrier", "slot", "tensor", "warp_tensor"];
    let keys = ["barrier", "slot", "tensor", "warp"];
    let at = keys.into_iter().zip(registers).map(|(key, register)| (key, format!("[%{register}]")));
    context.insert("at", &at.collect::<std::collections::BTreeMap<_, _>>());
}

/// An operand of a kernel.
struct Operand<'a> {
    /// Which one: a, b, c or d.
    place: &'static str,
    /// Name of its registers.
    name: &'static str,
    fragment: &'a Fragment,
    /// Type of its elements.
    element: &'static str,
    /// Elements from one row, or column, to the next in memory.
    stride: usize,
}

impl Operand<'_> {
    /// The registers of a lane, which hold its share so many times.
    fn registers(&self, threads: usize, times: usize) -> Registers {
        let &Operand { place, name, fragment, element, stride } = self;
        let (kind, lane_bytes) = match element {
            "f64" => ("f64", 8),
            "f32" => ("f32", 4),
            _ => ("b32", 4),
        };
        let numbers = 0..times * fragment.bytes / (threads * lane_bytes);
        let address = |number| format!("[%{place}_at+{}]", number * threads * lane_bytes);
        let numbered: Vec<String> = numbers.clone().map(|number| format!("%{name}{number}")).collect();
        Registers {
            name,
            list: format!("{{{}}}", numbered.join(", ")),
            kind,
            element,
            lane_bytes,
            bytes: fragment.bytes,
            count: numbers.len(),
            words: numbers.map(|number| Word { number, address: address(number) }).collect(),
            address: format!("[%{place}_at]"),
            stride,
        }
    }
}

/// An operand of that many rows or columns in shared memory. The descriptor is that of PTX ISA, "Matrix Descriptor Format":
///
/// ```text
///   63 62 | ... | 45      32 | ... | 29       16 | ... | 13     0
///   0: no       lines 8 to 16      K 16 bytes on        address        all three in units of 16 bytes
///   swizzling
/// ```
fn shared(name: &'static str, fragment: &Fragment, lines: usize, threads: usize, more: u64) -> Shared {
    let [along_lines, along_k] = core_strides(lines).map(|bytes| bytes as u64 / 16);
    let words = fragment.words();
    let copies = (0..words).step_by(threads).map(|first| Copy {
        source: format!("[%{name}_at+{}]", first * 4),
        target: format!("[%{name}_shared+{}]", first * 4),
        lanes: (words - first < threads).then_some(words - first),
    });
    Shared {
        name,
        array: format!("tile_{name}[{}]", fragment.bytes),
        copies: copies.collect(),
        descriptor: format!("0x{:016x}", more | along_lines << 32 | along_k << 16),
    }
}
