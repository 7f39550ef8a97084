//! Instructions of one thread, of the block, and the fences. Matrix instructions are read in `matrices`.

use super::Parsed;
use super::block::Builder;
use super::program::{Comparison, Computation, Operation, Source, Space};
use super::types::{Meaning, Type};

const INTEGERS: [&str; 4] = ["u32", "s32", "u64", "s64"];
const WORDS: [&str; 2] = ["u32", "s32"];
const BITS: [&str; 3] = ["b16", "b32", "b64"];
const LOGIC: [&str; 4] = ["pred", "b16", "b32", "b64"];
const SHIFTED: [&str; 6] = ["b32", "b64", "u32", "u64", "s32", "s64"];

impl Builder<'_> {
    /// Reads one instruction without its guard.
    pub fn instruction(&mut self, opcode: &str, operands: &str) -> Parsed<Operation> {
        let parts: Vec<&str> = opcode.split('.').collect();
        match parts.as_slice() {
            ["mov", kind] => self.mov(kind, operands),
            ["ld" | "st", ..] => self.memory(&parts, operands),
            ["cvta", ..] => self.cvta(&parts, operands),
            ["cvt", to, from] => self.cvt(to, from, operands),
            ["add", kind] => self.compute(Computation::Add, kind, &INTEGERS, operands),
            ["sub", kind] => self.compute(Computation::Sub, kind, &INTEGERS, operands),
            ["mul", "lo", kind] => self.compute(Computation::MulLo, kind, &INTEGERS, operands),
            ["mul", "wide", kind] => self.compute(Computation::MulWide, kind, &WORDS, operands),
            ["mad", "lo", kind] => self.compute(Computation::MadLo, kind, &INTEGERS, operands),
            ["mad", "wide", kind] => self.compute(Computation::MadWide, kind, &WORDS, operands),
            ["and", kind] => self.compute(Computation::And, kind, &LOGIC, operands),
            ["or", kind] => self.compute(Computation::Or, kind, &LOGIC, operands),
            ["xor", kind] => self.compute(Computation::Xor, kind, &LOGIC, operands),
            ["not", kind] => self.compute(Computation::Not, kind, &LOGIC, operands),
            ["shl", kind] => self.compute(Computation::Shl, kind, &BITS, operands),
            ["shr", kind] => self.compute(Computation::Shr, kind, &SHIFTED, operands),
            ["max", kind] => self.compute(Computation::Max, kind, &INTEGERS, operands),
            ["min", kind] => self.compute(Computation::Min, kind, &INTEGERS, operands),
            ["rem", kind] => self.compute(Computation::Rem, kind, &INTEGERS, operands),
            ["div", kind] => self.compute(Computation::Div, kind, &INTEGERS, operands),
            ["setp", comparison, kind] => self.setp(comparison, kind, operands),
            ["selp", kind] => self.selp(kind, operands),
            ["bra"] | ["bra", "uni"] => {
                let [label] = self.operands(operands)?;
                Ok(self.branch(label))
            }
            ["bar", "sync"] | ["barrier", "sync"] | ["barrier", "sync", "aligned"] => match self.operands(operands)? {
                ["0"] => Ok(Operation::Barrier),
                [other] => Err(self.error(format!("barrier {other} is not executed; allowed: 0"))),
            },
            ["ret"] | ["exit"] => self.bare(operands, Operation::Exit),
            ["fence", "proxy", "async"] | ["fence", "proxy", "async", "shared::cta"] => {
                self.target.needs(self.line, "fence.proxy.async", 90)?;
                self.bare(operands, Operation::ProxyFence)
            }
            ["setmaxnreg", "inc" | "dec", "sync", "aligned", "u32"] => {
                self.target.needs_specific(self.line, "setmaxnreg", self.target.arch)?;
                Ok(Operation::Nothing)
            }
            ["wgmma" | "mma" | "wmma", ..] => self.matrix(&parts, operands),
            _ => Err(self.error(format!("Unknown instruction '{opcode}' in '{opcode} {operands}'"))),
        }
    }

    /// An instruction without operands.
    pub fn bare(&self, operands: &str, operation: Operation) -> Parsed<Operation> {
        match operands.is_empty() {
            true => Ok(operation),
            false => Err(self.error(format!("unexpected operands {operands:?}"))),
        }
    }

    /// A type that the instruction has.
    fn kind(&self, name: &str, allowed: &[&str]) -> Parsed<Type> {
        let known = allowed.contains(&name).then(|| Type::named(name)).flatten();
        known.ok_or_else(|| self.error(format!("Illegal type '.{name}'; executed: {allowed:?}")))
    }

    fn compute(&mut self, computation: Computation, name: &str, allowed: &[&str], list: &str) -> Parsed<Operation> {
        let kind = self.kind(name, allowed)?;
        let wide = Type { width: 2 * kind.width, ..kind };
        let amount = Type { meaning: Meaning::Unsigned, width: 32 };
        let (to, from): (Type, &[Type]) = match computation {
            Computation::Not => (kind, &[kind]),
            Computation::Shl | Computation::Shr => (kind, &[kind, amount]),
            Computation::MulWide => (wide, &[kind, kind]),
            Computation::MadWide => (wide, &[kind, kind, wide]),
            Computation::MadLo => (kind, &[kind, kind, kind]),
            _ => (kind, &[kind, kind]),
        };
        let names = super::text::members(list);
        if names.len() != from.len() + 1 {
            return Err(self.error(format!("{} operands instead of {}: {list:?}", names.len(), from.len() + 1)));
        }
        let d = self.register(names[0], to)?;
        let sources = names[1..].iter().zip(from).map(|(name, kind)| self.source(name, *kind));
        Ok(Operation::Compute { computation, kind, d, sources: sources.collect::<Parsed<_>>()? })
    }

    /// mov, and its packing and unpacking of halves.
    fn mov(&mut self, name: &str, list: &str) -> Parsed<Operation> {
        let kind = self.kind(name, &["b16", "b32", "b64", "u16", "u32", "u64", "s32", "s64", "f32", "f64", "pred"])?;
        let [d, a] = self.operands(list)?;
        let part = |count: usize| Type { meaning: Meaning::Bits, width: kind.width / count as u32 };
        let fits =
            |count: usize| kind.meaning == Meaning::Bits && matches!(kind.width / count as u32, 16 | 32) && count == 2;
        for (vector, packs) in [(d, false), (a, true)] {
            if !vector.starts_with('{') {
                continue;
            }
            let names = self.vector(vector)?;
            if !fits(names.len()) {
                return Err(self.error(format!("mov.{name} does not take {vector}")));
            }
            let part = part(names.len());
            return if packs {
                let parts = names.iter().map(|name| self.source(name, part)).collect::<Parsed<_>>()?;
                Ok(Operation::Pack { d: self.register(d, kind)?, parts, width: part.width })
            } else {
                let d = self.registers(vector, names.len(), part)?;
                Ok(Operation::Unpack { d, a: self.register(a, kind)?, width: part.width })
            };
        }
        let d = self.register(d, kind)?;
        let source = self.movable(a, kind)?;
        Ok(Operation::Compute { computation: Computation::Move, kind, d, sources: vec![source] })
    }

    /// cvta.to.{global,shared}.u64 and cvta.{global,shared}.u64.
    fn cvta(&mut self, parts: &[&str], list: &str) -> Parsed<Operation> {
        let computation = match parts[1..] {
            ["to", "global", "u64"] | ["global", "u64"] => Computation::Move,
            ["to", "shared", "u64"] => Computation::ToShared,
            ["shared", "u64"] => Computation::FromShared,
            _ => return Err(self.error(format!("Unknown instruction '{}'", parts.join(".")))),
        };
        let [d, a] = self.operands(list)?;
        let d = self.register(d, Type::B64)?;
        let sources = vec![self.movable(a, Type::B64)?];
        Ok(Operation::Compute { computation, kind: Type::B64, d, sources })
    }

    fn cvt(&mut self, to: &str, from: &str, list: &str) -> Parsed<Operation> {
        let (to, from) = (self.kind(to, &INTEGERS)?, self.kind(from, &INTEGERS)?);
        let [d, a] = self.operands(list)?;
        let d = self.register(d, to)?;
        let sources = vec![self.movable(a, from)?];
        Ok(Operation::Compute { computation: Computation::Convert(from), kind: to, d, sources })
    }

    fn setp(&mut self, comparison: &str, kind: &str, list: &str) -> Parsed<Operation> {
        let kind = self.kind(kind, &["u32", "s32", "u64", "s64", "b32", "b64"])?;
        let comparison = match (comparison, kind.meaning) {
            ("eq", _) => Comparison::Eq,
            ("ne", _) => Comparison::Ne,
            ("lt", Meaning::Signed | Meaning::Unsigned) => Comparison::Lt,
            ("le", Meaning::Signed | Meaning::Unsigned) => Comparison::Le,
            ("gt", Meaning::Signed | Meaning::Unsigned) => Comparison::Gt,
            ("ge", Meaning::Signed | Meaning::Unsigned) => Comparison::Ge,
            _ => return Err(self.error(format!("Illegal comparison '.{comparison}'"))),
        };
        let [d, a, b] = self.operands(list)?;
        let d = self.register(d, Type::PREDICATE)?;
        let sources = vec![self.source(a, kind)?, self.source(b, kind)?];
        Ok(Operation::Compute { computation: Computation::Set(comparison), kind, d, sources })
    }

    fn selp(&mut self, kind: &str, list: &str) -> Parsed<Operation> {
        let kind = self.kind(kind, &["b16", "b32", "b64", "u32", "u64", "s32", "s64", "f32", "f64"])?;
        let [d, a, b, predicate] = self.operands(list)?;
        let d = self.register(d, kind)?;
        let predicate = Source::Register(self.register(predicate, Type::PREDICATE)?);
        let sources = vec![self.source(a, kind)?, self.source(b, kind)?, predicate];
        Ok(Operation::Compute { computation: Computation::Select, kind, d, sources })
    }

    /// ld.param, and ld and st of .global and .shared, with .v2 and .v4.
    fn memory(&mut self, parts: &[&str], list: &str) -> Parsed<Operation> {
        let loads = parts[0] == "ld";
        let (space, rest) = match parts[1..] {
            ["param", kind] if loads => return self.load_parameter(kind, list),
            ["global", ref rest @ ..] => (Space::Global, rest),
            ["shared", ref rest @ ..] | ["shared::cta", ref rest @ ..] => (Space::Shared, rest),
            _ => return Err(self.error(format!("Unknown instruction '{}'", parts.join(".")))),
        };
        let (count, kind) = match rest {
            [kind] => (1, kind),
            ["v2", kind] => (2, kind),
            ["v4", kind] => (4, kind),
            _ => return Err(self.error(format!("Unknown instruction '{}'", parts.join(".")))),
        };
        let kind = self.kind(
            kind,
            &["b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"],
        )?;
        if count as u32 * kind.width > 128 {
            return Err(self.error(format!("'{}' moves more than 128 bits", parts.join("."))));
        }
        let [first, second] = self.operands(list)?;
        let (value, place) = if loads { (first, second) } else { (second, first) };
        let address = self.address(place, space)?;
        let names = if count == 1 { vec![value] } else { self.vector(value)? };
        if names.len() != count {
            return Err(self.error(format!("{} registers instead of {count} in {value}", names.len())));
        }
        let registers = names.iter().map(|name| self.moved_register(name, kind)).collect::<Parsed<Vec<_>>>()?;
        Ok(match loads {
            true => Operation::Load { space, kind, d: registers, address },
            false => {
                let sources = registers.into_iter().map(Source::Register).collect();
                Operation::Store { space, kind, sources, address }
            }
        })
    }

    fn load_parameter(&mut self, kind: &str, list: &str) -> Parsed<Operation> {
        let kind = self.kind(kind, &["b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"])?;
        let [d, place] = self.operands(list)?;
        let d = self.moved_register(d, kind)?;
        match self.parameter(place)? {
            (offset, declared) if declared.width == kind.width => Ok(Operation::LoadParameter { d, kind, offset }),
            (_, declared) => Err(self.error(format!("{place} is {declared:?}, ld.param takes {kind:?}"))),
        }
    }
}
