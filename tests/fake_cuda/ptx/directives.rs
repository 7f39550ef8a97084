//! Declarations: registers and static shared memory.

use super::Parsed;
use super::block::{Builder, Named};
use super::text::members;
use super::types::Type;
use crate::run::SHARED_BASE;

/// Most static shared memory of a block (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
const STATIC_SHARED: usize = 48 << 10;
/// Most registers of one declaration; more is surely a mistake.
const MOST_REGISTERS: usize = 4096;

impl Builder<'_> {
    /// `.b32 %r<8>, %other`.
    pub fn declare_registers(&mut self, declaration: &str) -> Parsed<()> {
        let (kind, names) = declaration.split_once(char::is_whitespace).unwrap_or((declaration, ""));
        let wrong = format!("register type {kind:?} is not understood");
        let kind = kind.strip_prefix('.').and_then(Type::named).filter(|kind| kind.width != 8);
        let kind = kind.ok_or_else(|| self.error(wrong))?;
        let names = members(names);
        if names.is_empty() {
            return Err(self.error(format!("syntax error: .reg {declaration:?} names no register")));
        }
        for name in names {
            match name.split_once('<') {
                None => self.declare_register(name, kind)?,
                Some((stem, count)) => {
                    let count = count.strip_suffix('>').and_then(|count| count.trim().parse::<usize>().ok());
                    let Some(count) = count.filter(|count| (1..=MOST_REGISTERS).contains(count)) else {
                        return Err(self.error(format!("syntax error in register range {name:?}")));
                    };
                    for number in 0..count {
                        self.declare_register(&format!("{stem}{number}"), kind)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn declare_register(&mut self, name: &str, kind: Type) -> Parsed<()> {
        let mut letters = name.trim_start_matches(['%', '_', '$']).chars();
        if !letters.next().is_some_and(|first| first.is_ascii_alphabetic())
            || !letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '$')
        {
            return Err(self.error(format!("syntax error: {name:?} is no name of a register")));
        }
        self.kernel.registers.push(kind);
        self.define(name, Named::Register(self.kernel.registers.len() - 1))
    }

    /// `.align 16 .b8 name[2048]`, after .shared.
    pub fn declare_shared(&mut self, declaration: &str) -> Parsed<()> {
        let wrong = format!(".shared {declaration:?} is not executed; allowed: .shared .align N .b8 name[bytes]");
        let words: Vec<&str> = declaration.split_whitespace().collect();
        let (alignment, kind, name) = match words.as_slice() {
            [".align", alignment, kind, name] => (alignment.parse::<usize>().ok(), kind, name),
            [kind, name] => (None, kind, name),
            _ => return Err(self.error(wrong)),
        };
        let kind = kind.strip_prefix('.').and_then(Type::named).filter(|kind| kind.width >= 8);
        let kind = kind.ok_or_else(|| self.error(&wrong))?;
        let alignment = alignment.unwrap_or(kind.bytes());
        let (name, count) = match name.split_once('[') {
            None => (*name, Some(1)),
            Some((name, count)) => (name, count.strip_suffix(']').and_then(|count| count.parse::<usize>().ok())),
        };
        let Some(count) = count.filter(|count| (1..=STATIC_SHARED).contains(count)) else {
            return Err(self.error(format!("{wrong}; at most {STATIC_SHARED:#x} bytes")));
        };
        if !alignment.is_power_of_two() || alignment > 1024 {
            return Err(self.error(wrong));
        }
        let start = self.kernel.shared_end.next_multiple_of(alignment);
        self.kernel.shared_end = start + count * kind.bytes();
        if self.kernel.shared_end > STATIC_SHARED {
            let used = self.kernel.shared_end;
            let message = format!("uses too much shared data ({used:#x} bytes, {STATIC_SHARED:#x} max)");
            return Err(self.error(message));
        }
        self.define(name, Named::Shared(SHARED_BASE + start as u64))
    }
}
