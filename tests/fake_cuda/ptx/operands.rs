//! Operands, and whether an instruction takes them.

use super::Parsed;
use super::block::{Builder, Named};
use super::program::{Address, Register, Source, Space, Special};
use super::text::{literal, members};
use super::types::Type;

/// A special register of that name; all of them are 32 bits wide.
fn special(name: &str) -> Option<Special> {
    let (stem, dimension) = name.split_once('.').unwrap_or((name, ""));
    let dimension = ["x", "y", "z"].iter().position(|known| *known == dimension);
    Some(match (stem, dimension) {
        ("%tid", Some(dimension)) => Special::Tid(dimension),
        ("%ntid", Some(dimension)) => Special::Ntid(dimension),
        ("%ctaid", Some(dimension)) => Special::Ctaid(dimension),
        ("%nctaid", Some(dimension)) => Special::Nctaid(dimension),
        ("%laneid", None) => Special::LaneId,
        ("%warpid", None) => Special::WarpId,
        _ => return None,
    })
}

impl Builder<'_> {
    /// Exactly so many operands.
    pub fn operands<'t, const COUNT: usize>(&self, list: &'t str) -> Parsed<[&'t str; COUNT]> {
        let all = members(list);
        let found = all.len();
        all.try_into().map_err(|_| self.error(format!("{found} operands instead of {COUNT}: {list:?}")))
    }

    fn any_register(&mut self, name: &str) -> Parsed<(Register, Type)> {
        match self.named(name) {
            Some(Named::Register(register)) => {
                self.touched.push(register);
                Ok((register, self.kernel.registers[register]))
            }
            Some(_) => Err(self.error(format!("'{name}' is no register"))),
            None => Err(self.error(format!("Unknown symbol '{name}'"))),
        }
    }

    /// A register that an operand of this type may be.
    pub fn register(&mut self, name: &str, kind: Type) -> Parsed<Register> {
        match self.any_register(name)? {
            (register, declared) if kind.accepts(declared) => Ok(register),
            (_, declared) => Err(self.mismatch(name, kind, declared)),
        }
    }

    fn mismatch(&self, name: &str, wanted: Type, declared: Type) -> super::PtxError {
        self.error(format!("Arguments mismatch: '{name}' is {declared:?}, the instruction takes {wanted:?}"))
    }

    /// A register that a load or store of this type may name.
    pub fn moved_register(&mut self, name: &str, kind: Type) -> Parsed<Register> {
        match self.any_register(name)? {
            (register, declared) if kind.moves(declared) => Ok(register),
            (_, declared) => Err(self.mismatch(name, kind, declared)),
        }
    }

    /// A literal of this type.
    fn immediate(&self, text: &str, kind: Type) -> Parsed<Option<Source>> {
        if !text.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
            return Ok(None);
        }
        let value = literal(text).ok_or_else(|| self.error(format!("syntax error in the number {text:?}")))?;
        let above = value & !kind.mask();
        match above == 0 || above == !kind.mask() {
            true => Ok(Some(Source::Immediate(value & kind.mask()))),
            false => Err(self.error(format!("{text} does not fit {} bits", kind.width))),
        }
    }

    /// A register or a literal.
    pub fn source(&mut self, text: &str, kind: Type) -> Parsed<Source> {
        match self.immediate(text, kind)? {
            Some(immediate) => Ok(immediate),
            None => Ok(Source::Register(self.register(text, kind)?)),
        }
    }

    /// What mov takes: besides these, special registers and addresses of shared memory.
    pub fn movable(&mut self, text: &str, kind: Type) -> Parsed<Source> {
        if let Some(special) = special(text) {
            let wide = kind.width == 32;
            return if wide { Ok(Source::Special(special)) } else { Err(self.error(format!("'{text}' has 32 bits"))) };
        }
        let (name, offset) = text.split_once('+').unwrap_or((text, "0"));
        match (self.named(name.trim()), literal(offset.trim())) {
            (Some(Named::Shared(address)), Some(offset)) if kind.width >= 32 => {
                Ok(Source::Immediate(address.wrapping_add(offset)))
            }
            (Some(Named::Shared(_)), _) => Err(self.error(format!("{text} is no address of {} bits", kind.width))),
            _ => self.source(text, kind),
        }
    }

    /// `{a, b}` as its members.
    pub fn vector<'t>(&self, text: &'t str) -> Parsed<Vec<&'t str>> {
        let inner = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        inner.map(members).ok_or_else(|| self.error(format!("{text:?} is no vector {{...}}")))
    }

    /// The registers of a vector, so many of this type.
    pub fn registers(&mut self, text: &str, count: usize, kind: Type) -> Parsed<Vec<Register>> {
        let names = self.vector(text)?;
        if names.len() != count {
            return Err(self.error(format!("{} registers instead of {count} in {text}", names.len())));
        }
        names.into_iter().map(|name| self.register(name, kind)).collect()
    }

    /// `[base]`, `[base+8]`, `[base+-8]`.
    fn bracket<'t>(&self, text: &'t str) -> Parsed<(&'t str, i64)> {
        let wrong = || self.error(format!("{text:?} is no address [base+offset]"));
        let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).ok_or_else(wrong)?;
        match inner.split_once('+') {
            None => Ok((inner.trim(), 0)),
            Some((base, offset)) => Ok((base.trim(), literal(offset.trim()).ok_or_else(wrong)? as i64)),
        }
    }

    /// An address in a state space. Shared addresses fit 32 bits; global ones do not.
    pub fn address(&mut self, text: &str, space: Space) -> Parsed<Address> {
        let (base, offset) = self.bracket(text)?;
        let symbol = self.named(base);
        if let (Space::Shared, Some(Named::Shared(address))) = (space, symbol) {
            return Ok(Address { base: Source::Immediate(address), offset });
        }
        let (register, declared) = self.any_register(base)?;
        let fits = |kind: Type| kind.accepts(declared);
        match fits(Type::B64) || (space == Space::Shared && fits(Type::B32)) {
            true => Ok(Address { base: Source::Register(register), offset }),
            false => Err(self.mismatch(base, Type::B64, declared)),
        }
    }

    /// The offset of a parameter, and its type.
    pub fn parameter(&mut self, text: &str) -> Parsed<(usize, Type)> {
        match self.bracket(text)? {
            (name, 0) => match self.named(name) {
                Some(Named::Parameter(place)) => {
                    let parameter = &self.kernel.parameters[place];
                    Ok((parameter.offset, parameter.kind))
                }
                _ => Err(self.error(format!("Unknown symbol '{name}'; it is no parameter"))),
            },
            _ => Err(self.error(format!("{text}: offsets into parameters are not executed"))),
        }
    }
}
