//! The elements of a source: encodings, or numbers of the operands' formats; and flags above d, or beside it.

use super::{Row, Told, check_width, counts};
use crate::describe::format::Format;
use crate::describe::interface::Interface;
use crate::describe::unit::Flags;
use crate::recording::header::{Header, Layout};
use crate::recording::operand::{OperandRule, parse};

/// Names of the operands of a row, and of the flags where they stand by themselves.
pub(super) const FIELDS: [&str; 7] = ["a", "b", "scale_a", "scale_b", "c", "d", "flags"];
/// Their places in that list.
pub(super) const D: usize = 5;
pub(super) const FLAGS: usize = 6;

/// How the elements of a source are said.
pub(super) struct Elements {
    layout: Layout,
    /// Formats of the six operands, where elements are numbers.
    formats: Option<Box<[Format; 6]>>,
    /// Bits of d without its flags, of a source whose flags may stand by themselves.
    result_width: Option<u32>,
}

/// Formats of the six operands; scales that are not there have none.
fn formats(interface: &Interface) -> Box<[Format; 6]> {
    let [scale_a, scale_b] = interface
        .scales
        .as_ref()
        .map_or([const { None }; 2], |scales| [Some(&scales.a), Some(&scales.b)])
        .map(|scale| scale.cloned().unwrap_or_else(Format::absent));
    let formats = interface.formats.clone();
    Box::new([formats.a, formats.b, scale_a, scale_b, formats.c, formats.d])
}

impl Elements {
    /// Of a source with a header: encodings, flags above d.
    pub fn of_header(header: &Header) -> Elements {
        Elements { layout: header.layout.clone(), formats: None, result_width: None }
    }

    /// Of a source without.
    pub fn told(told: &Told) -> Elements {
        let interface = told.recorded.interface();
        Elements {
            layout: Layout::of(&interface),
            formats: told.numbers.then(|| formats(&interface)),
            result_width: interface.flags.then(|| interface.formats.d.width()),
        }
    }

    /// Elements of each field in a row; flags by themselves count where they may stand there.
    pub fn counts(&self) -> [usize; 7] {
        let [a, b, scale_a, scale_b, c, d] = counts(&self.layout);
        [a, b, scale_a, scale_b, c, d, usize::from(self.result_width.is_some())]
    }

    /// The format of an operand, where its elements are numbers.
    pub fn format(&self, operand: usize) -> Option<&Format> {
        self.formats.as_ref()?.get(operand)
    }

    /// Most bytes that a row of text may have, with `each` of an element beside its digits.
    pub fn longest(&self, each: usize) -> usize {
        // An encoding has at most 18 characters; a number of binary64 all of its 1,074 decimals.
        let digits = if self.formats.is_some() { 1100 } else { 18 };
        1024 + (digits + each) * self.counts().iter().sum::<usize>()
    }

    /// Bits of an element. `apart`: flags stand by themselves.
    pub fn width(&self, field: usize, apart: bool) -> u32 {
        match field {
            FLAGS => Flags::WIDTH,
            D => self.result_width.filter(|_| apart).unwrap_or(self.layout.widths[D]),
            operand => self.layout.widths[operand],
        }
    }

    /// Whether flags may, and do, stand where they have to: by themselves where elements are numbers.
    pub fn check_flags(&self, apart: bool) -> Result<(), String> {
        match (self.result_width.is_some(), self.formats.is_some(), apart) {
            (false, _, true) => {
                Err("field `flags` is given; allowed: none, of what has no flags, or where a header has them above d"
                    .to_owned())
            }
            (true, true, false) => {
                Err("field `flags` is missing; allowed: flags beside d, which is a number and has none above it"
                    .to_owned())
            }
            _ => Ok(()),
        }
    }

    /// The element that a text says; `name` is what the source calls it.
    pub fn read(&self, field: usize, name: &str, text: &str, apart: bool) -> Result<u64, String> {
        let width = self.width(field, apart);
        if let Some(format) = self.format(field) {
            let parsed = parse(format, text, OperandRule::Exact);
            return parsed.map(|parsed| parsed.bits).map_err(|error| format!("field `{name}`: {error}"));
        }
        let digits = text.strip_prefix("0x").filter(|digits| !digits.starts_with('+'));
        let value = digits
            .and_then(|digits| u64::from_str_radix(digits, 16).ok())
            .ok_or_else(|| format!("field `{name}` is {text:?}; allowed: 0x and hexadecimal digits, {width} bits"))?;
        check_width(name, value, width)?;
        Ok(value)
    }

    /// Puts flags that stood by themselves above d.
    pub fn join(&self, row: &mut Row, flags: Option<u64>) {
        if let (Some(width), Some(flags)) = (self.result_width, flags) {
            row[D].iter_mut().for_each(|d| *d |= flags << width);
        }
    }
}
