//! Matrix instructions: which registers hold which elements (from the formulas of NVIDIA's PTX ISA), and the arithmetic of
//! the catalogue's instruction for each element of D. Shares no table with the engines that it tests.

mod arithmetic;
mod element;
mod mma;
mod places;
mod wgmma;
mod wmma;

pub use element::{Element, Fragment};
pub use mma::Mma;
pub use wgmma::{MultiplicandA, Wgmma};
pub use wmma::{Role, WmmaMemory, WmmaMultiply, registers as wmma_registers};

use std::sync::Arc;

use tensorsmith::describe::device::Device;
use tensorsmith::describe::format::Format;
use tensorsmith::describe::instruction::Instruction;

/// D is m x n, with k products per element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub m: usize,
    pub n: usize,
    pub k: usize,
}

impl Shape {
    /// `m16n8k16`.
    pub fn named(name: &str) -> Option<Shape> {
        let (m, rest) = name.strip_prefix('m')?.split_once('n')?;
        let (n, k) = rest.split_once('k')?;
        Some(Shape { m: m.parse().ok()?, n: n.parse().ok()?, k: k.parse().ok()? })
    }
}

/// What an instruction of PTX is called in the catalogue's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    Mma,
    /// mma with .kind::f8f6f4.
    MmaF8f6f4,
    Wmma,
    /// Any n: the catalogue names one.
    Wgmma,
}

/// Elements of a, b, c and d.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Formats {
    pub a: Element,
    pub b: Element,
    pub c: Element,
    pub d: Element,
}

/// Whether a format fills the words of an element: some results have fewer fraction bits than their words.
fn is_word_of(format: &Format, element: Element) -> bool {
    let shape = |format: &Format| (format.width(), format.exponent_bits);
    Format::named(element.format()).is_some_and(|whole| shape(&whole) == shape(format))
}

/// The device's instruction of that family, shape and formats, if the catalogue has it.
pub fn lookup(
    device: &Device,
    family: Family,
    shape: Shape,
    formats: Formats,
    saturate: bool,
) -> Option<Arc<Instruction>> {
    let of_family = |name: &str| {
        let scaled = name.contains("-mxf") || name.contains("-nvf4");
        match family {
            Family::Mma => name.contains("-mma-") && !name.contains("-f8f6f4-") && !scaled,
            Family::MmaF8f6f4 => name.contains("-mma-f8f6f4-"),
            Family::Wmma => name.contains("-wmma-"),
            Family::Wgmma => name.contains("-wgmma-"),
        }
    };
    let found = device.instructions.iter().find(|instruction| {
        let own = &instruction.shape;
        let whole = family == Family::Wgmma || (own.m as usize, own.n as usize) == (shape.m, shape.n);
        of_family(&instruction.name)
            && whole
            && own.k as usize == shape.k
            && instruction.a.name == formats.a.format()
            && instruction.b.name == formats.b.format()
            && is_word_of(&instruction.c, formats.c)
            && is_word_of(instruction.d(), formats.d)
            && instruction.name.ends_with("-saturate") == saturate
    });
    found.cloned().map(Arc::new)
}
