//! Reading of matrix instructions: `mma`, `wmma` and `wgmma`.

use std::sync::Arc;

use tensorsmith::describe::instruction::Instruction;

use super::Parsed;
use super::block::Builder;
use super::program::{Operation, Space};
use super::text::members;
use super::types::{Meaning, Type};
use crate::matrix::{
    Element, Family, Formats, Fragment, Mma, MultiplicandA, Role, Shape, Wgmma, WmmaMemory, WmmaMultiply, lookup,
    wmma_registers,
};

/// The registers that hold such elements.
fn register_type(element: Element) -> Type {
    match element {
        Element::F64 => Type::F64,
        Element::F32 => Type::F32,
        Element::S32 => Type::S32,
        _ => Type::B32,
    }
}

/// The first architecture and PTX version with an `mma` on these elements (PTX ISA, "Target ISA Notes" and "PTX ISA
/// Notes" of mma).
fn mma_since(shape: Shape, formats: Formats) -> (u32, (u32, u32)) {
    match (formats.a, shape.m, shape.k) {
        (Element::F16, 8, _) => (70, (6, 4)),
        (Element::F16, _, 8) => (75, (6, 5)),
        (Element::S8 | Element::U8 | Element::S4 | Element::U4, 8, _) => (75, (6, 5)),
        (Element::F64, 16, _) => (90, (7, 8)),
        (Element::E4m3 | Element::E5m2, _, 32) if formats.d == Element::F32 => (89, (8, 4)),
        (Element::E4m3 | Element::E5m2, ..) => (89, (8, 7)),
        _ => (80, (7, 0)),
    }
}

/// The same for `wmma` with such elements in a fragment.
fn wmma_since(element: Element) -> (u32, (u32, u32)) {
    if matches!(element, Element::F16 | Element::F32) { (70, (6, 3)) } else { (80, (7, 0)) }
}

impl Builder<'_> {
    /// Reads an instruction whose opcode starts with mma, wmma or wgmma.
    pub fn matrix(&mut self, parts: &[&str], list: &str) -> Parsed<Operation> {
        match parts {
            ["mma", "sync", "aligned", rest @ ..] => self.mma(rest, list),
            ["wmma", "mma", "sync", "aligned", rest @ ..] => self.wmma_multiply(rest, list),
            ["wmma", "load", role @ ("a" | "b" | "c"), "sync", "aligned", rest @ ..] => {
                let role = match *role {
                    "a" => Role::A,
                    "b" => Role::B,
                    _ => Role::C,
                };
                self.wmma_memory(role, true, rest, list)
            }
            ["wmma", "store", "d", "sync", "aligned", rest @ ..] => self.wmma_memory(Role::C, false, rest, list),
            ["wgmma", rest @ ..] => {
                self.target.needs_specific(self.line, "Instruction 'wgmma'", 90)?;
                match rest {
                    ["fence", "sync", "aligned"] => self.bare(list, Operation::WgmmaFence),
                    ["commit_group", "sync", "aligned"] => self.bare(list, Operation::WgmmaCommit),
                    ["wait_group", "sync", "aligned"] => {
                        let groups = list.trim().parse::<usize>().ok().filter(|groups| *groups < 8);
                        let wrong = || self.error(format!("wgmma.wait_group {list}: allowed are 0 to 7"));
                        Ok(Operation::WgmmaWait { groups: groups.ok_or_else(wrong)? })
                    }
                    ["mma_async", "sync", "aligned", rest @ ..] => self.wgmma(rest, list),
                    _ => Err(self.unknown(parts)),
                }
            }
            _ => Err(self.unknown(parts)),
        }
    }

    fn unknown(&self, parts: &[&str]) -> super::PtxError {
        self.error(format!("Unknown instruction '{}'", parts.join(".")))
    }

    fn since(&self, what: &str, (arch, version): (u32, (u32, u32))) -> Parsed<()> {
        self.target.needs(self.line, what, arch)?;
        self.target.needs_version(self.line, what, version)
    }

    fn shape(&self, name: &str) -> Parsed<Shape> {
        Shape::named(name).ok_or_else(|| self.error(format!("Illegal shape '.{name}'")))
    }

    fn element(&self, name: &str) -> Parsed<Element> {
        Element::named(name).ok_or_else(|| self.error(format!("Illegal type '.{name}'")))
    }

    fn fragment(&mut self, text: &str, element: Element, elements: usize) -> Parsed<Fragment> {
        let count = elements.div_ceil(element.per_register());
        Ok(Fragment { element, registers: self.registers(text, count, register_type(element))? })
    }

    /// The instruction of the device, with the message of the assembler if it has none.
    fn instruction_of(
        &self,
        family: Family,
        shape: Shape,
        formats: Formats,
        saturate: bool,
    ) -> Parsed<Arc<Instruction>> {
        let Shape { m, n, k } = shape;
        let what = format!("m{m}n{n}k{k} of {formats:?}{}", if saturate { " with .satfinite" } else { "" });
        let missing = || self.error(format!("{family:?} {what} not supported on .target sm_{}", self.device_arch()));
        lookup(self.device, family, shape, formats, saturate).ok_or_else(missing)
    }

    /// The device's own first target, for messages.
    fn device_arch(&self) -> String {
        self.device.targets.first().map_or_else(String::new, |target| target.trim_start_matches("sm_").to_owned())
    }

    /// `mma.sync.aligned{.kind}.shape.row.col{.kind}{.satfinite}.d.a.b.c d, a, b, c`.
    fn mma(&mut self, parts: &[&str], list: &str) -> Parsed<Operation> {
        let narrow = parts.contains(&"kind::f8f6f4");
        let saturate = parts.contains(&"satfinite");
        let plain: Vec<&str> =
            parts.iter().copied().filter(|part| !matches!(*part, "kind::f8f6f4" | "satfinite")).collect();
        // The rounding of f64 may be said; it is the only one.
        let ([shape, "row", "col", d, a, b, c] | [shape, "row", "col", d @ "f64", a, b, c, "rn"]) = plain[..] else {
            return Err(self.unknown(parts));
        };
        let shape = self.shape(shape)?;
        let [d, a, b, c] = [d, a, b, c].map(|name| self.element(name));
        let formats = Formats { a: a?, b: b?, c: c?, d: d? };
        match narrow {
            true => self.target.needs_specific(self.line, "Feature '.kind::f8f6f4'", 120)?,
            false => self.since("mma", mma_since(shape, formats))?,
        }
        if !Mma::has_places(shape, formats.a, formats.b) {
            return Err(self.unknown(parts));
        }
        let family = if narrow { Family::MmaF8f6f4 } else { Family::Mma };
        let instruction = self.instruction_of(family, shape, formats, saturate)?;
        let [d, a, b, c] = self.operands(list)?;
        let held = |elements: usize| Mma::held(shape, formats.a, elements);
        Ok(Operation::Mma(Box::new(Mma {
            shape,
            d: self.fragment(d, formats.d, held(shape.m * shape.n))?,
            a: self.fragment(a, formats.a, held(shape.m * shape.k))?,
            b: self.fragment(b, formats.b, held(shape.n * shape.k))?,
            c: self.fragment(c, formats.c, held(shape.m * shape.n))?,
            instruction,
        })))
    }

    /// `wmma.{load,store}.role.sync.aligned.layout.shape{.global}.type`.
    fn wmma_memory(&mut self, role: Role, loads: bool, parts: &[&str], list: &str) -> Parsed<Operation> {
        let ([layout @ ("row" | "col"), shape, element] | [layout @ ("row" | "col"), shape, "global", element]) = parts
        else {
            return Err(self
                .error(format!("wmma with {parts:?} is not executed; allowed: .row or .col, .shape, .global, .type")));
        };
        let (shape, element) = (self.shape(shape)?, self.element(element)?);
        self.since("wmma", wmma_since(element))?;
        let (rows, columns) = match (role, shape) {
            (Role::A, Shape { m: 16, n: 16, k: 16 | 8 }) => (shape.m, shape.k),
            (Role::B, Shape { m: 16, n: 16, k: 16 | 8 }) => (shape.k, shape.n),
            (Role::C, Shape { m: 16, n: 16, k: 16 | 8 }) => (shape.m, shape.n),
            _ => return Err(self.error(format!("Illegal shape of wmma: {shape:?}"))),
        };
        let k_fits = role == Role::C || (shape.k == 8) == (element == Element::Tf32);
        let count = wmma_registers(role, element).filter(|_| k_fits);
        let count = count.ok_or_else(|| self.error(format!("Illegal type of a wmma fragment: {element:?}")))?;
        let operands = members(list);
        let (fragment, place, stride) = match (operands.as_slice(), loads) {
            ([fragment, place, stride @ ..], true) | ([place, fragment, stride @ ..], false) if stride.len() < 2 => {
                (*fragment, *place, stride.first())
            }
            _ => return Err(self.error(format!("wrong operands: {list:?}"))),
        };
        let unsigned = Type { meaning: Meaning::Unsigned, width: 32 };
        let memory = Box::new(WmmaMemory {
            role,
            rows,
            columns,
            row_major: *layout == "row",
            fragment: Fragment { element, registers: self.registers(fragment, count, register_type(element))? },
            address: self.address(place, Space::Global)?,
            stride: stride.map(|stride| self.source(stride, unsigned)).transpose()?,
        });
        Ok(if loads { Operation::WmmaLoad(memory) } else { Operation::WmmaStore(memory) })
    }

    /// `wmma.mma.sync.aligned.row.col.shape.d{.a.b}.c d, a, b, c`; f16 multiplicands go without saying.
    fn wmma_multiply(&mut self, parts: &[&str], list: &str) -> Parsed<Operation> {
        let [a_layout @ ("row" | "col"), b_layout @ ("row" | "col"), shape, types @ ..] = parts else {
            return Err(self.unknown(parts));
        };
        let (d, a, b, c) = match types {
            [d, c] => (d, &"f16", &"f16", c),
            [d, a @ ("bf16" | "tf32"), b, c] => (d, a, b, c),
            _ => return Err(self.unknown(parts)),
        };
        let shape = self.shape(shape)?;
        let [d, a, b, c] = [d, a, b, c].map(|name| self.element(name));
        let formats = Formats { a: a?, b: b?, c: c?, d: d? };
        self.since("wmma.mma", wmma_since(formats.a))?;
        let instruction = self.instruction_of(Family::Wmma, shape, formats, false)?;
        let [d, a, b, c] = self.operands(list)?;
        let mut fragment = |text: &str, role, element| {
            let illegal = self.error(format!("Illegal type of a wmma fragment: {element:?}"));
            let count = wmma_registers(role, element).ok_or(illegal)?;
            Ok(Fragment { element, registers: self.registers(text, count, register_type(element))? })
        };
        Ok(Operation::WmmaMultiply(Box::new(WmmaMultiply {
            shape,
            d: fragment(d, Role::C, formats.d)?,
            a: fragment(a, Role::A, formats.a)?,
            a_row_major: *a_layout == "row",
            b: fragment(b, Role::B, formats.b)?,
            b_row_major: *b_layout == "row",
            c: fragment(c, Role::C, formats.c)?,
            instruction,
        })))
    }

    /// `wgmma.mma_async.sync.aligned.shape{.satfinite}.d.a.b d, a or a-desc, b-desc, scale-d{, imm-scale-a, imm-scale-b
    /// {, imm-trans-a, imm-trans-b}}`.
    fn wgmma(&mut self, parts: &[&str], list: &str) -> Parsed<Operation> {
        let saturate = parts.contains(&"satfinite");
        let plain: Vec<&str> = parts.iter().copied().filter(|part| *part != "satfinite").collect();
        let [shape, d, a, b] = plain[..] else { return Err(self.unknown(parts)) };
        let shape = self.shape(shape)?;
        let (d, a, b) = (self.element(d)?, self.element(a)?, self.element(b)?);
        let integer = d == Element::S32;
        let n_exists = shape.n.is_multiple_of(8) && (8..=256).contains(&shape.n);
        let n_exists = n_exists && (!integer || shape.n <= 32 || shape.n.is_multiple_of(16));
        if shape.m != 64 || !n_exists {
            return Err(self.error(format!("Illegal shape of wgmma: {shape:?}")));
        }
        if integer && a != b {
            self.target.needs_version(self.line, "wgmma with mixed integer types", (8, 4))?;
        }
        let formats = Formats { a, b, c: d, d };
        let instruction = self.instruction_of(Family::Wgmma, shape, formats, saturate)?;
        let operands = members(list);
        let [d_text, a_text, b_text, scale_d, scales @ ..] = operands.as_slice() else {
            return Err(self.error(format!("wrong operands: {list:?}")));
        };
        let in_registers = a_text.starts_with('{');
        let (scaling, transposing) = match (integer, matches!(a, Element::F16 | Element::Bf16)) {
            (true, _) => (0, 0),
            (false, false) => (2, 0),
            (false, true) => (2, if in_registers { 1 } else { 2 }),
        };
        if scales.len() != scaling + transposing {
            return Err(self.error(format!("{} immediates instead of {}", scales.len(), scaling + transposing)));
        }
        let negated = |text: &&str| match *text {
            "1" => Ok(false),
            "-1" => Ok(true),
            other => Err(self.error(format!("imm-scale is {other}; allowed: 1, -1"))),
        };
        let negated = scales[..scaling].iter().map(negated).collect::<Parsed<Vec<_>>>()?;
        if let Some(transposed) = scales[scaling..].iter().find(|text| **text != "0") {
            return Err(self.error(format!("imm-trans is {transposed}; executed: 0, K-major")));
        }
        let a_operand = match in_registers {
            true => MultiplicandA::Registers(self.fragment(a_text, a, shape.m * shape.k / 128)?),
            false => MultiplicandA::Descriptor(self.register(a_text, Type::B64)?),
        };
        Ok(Operation::Wgmma(Box::new(Wgmma {
            shape,
            d: self.fragment(d_text, d, shape.m * shape.n / 128)?,
            a: a_operand,
            a_element: a,
            b: self.register(b_text, Type::B64)?,
            b_element: b,
            scale_d: self.register(scale_d, Type::PREDICATE)?,
            negate_a: negated.first().copied().unwrap_or(false),
            negate_b: negated.get(1).copied().unwrap_or(false),
            instruction,
        })))
    }
}
