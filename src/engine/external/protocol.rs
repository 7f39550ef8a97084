//! The lines of the protocol, see `PROTOCOL.md` beside this file: written and read, never sent.

use std::fmt::Write;

use super::process::quoted;
use crate::compute::Inputs;
use crate::describe::format::{Format, low_mask};
use crate::describe::interface::Interface;
use crate::describe::unit::Flags;

/// Version of the protocol.
pub(super) const VERSION: u32 = 1;

/// The line after which everything that was asked is answered, and the program's answer to it.
pub(super) const FLUSH: &str = "flush";

/// What a program says of itself.
pub(super) enum Hello {
    /// Name and version.
    Ready(String, String),
    /// Why it does not answer this subject.
    Unsupported(String),
}

/// The first line: what the vectors will be.
pub(super) fn hello(interface: &Interface) -> String {
    let (formats, scales) = (&interface.formats, interface.scales.as_ref());
    let mut line = format!("hello {VERSION} subject={} products={}", interface.name, interface.products);
    let mut add = |name: &str, format: &Format| {
        let _ = write!(line, " {name}={}:{}", format.name, format.width());
    };
    add("a", &formats.a);
    add("b", &formats.b);
    if interface.has_addend() {
        add("c", &formats.c);
    }
    add("d", &formats.d);
    if let Some(scales) = scales {
        add("scale_a", &scales.a);
        add("scale_b", &scales.b);
        let _ = write!(line, " scales={}", interface.scale_count());
    }
    if interface.flags {
        let _ = write!(line, " flags={}", Flags::WIDTH);
    }
    line.push('\n');
    line
}

/// Reads the program's answer to it.
pub(super) fn read_hello(line: &str) -> Result<Hello, String> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let refuse = || {
        let said = quoted(line);
        Err(format!("said {said}; allowed: \"hello {VERSION} NAME VERSION\", or \"unsupported REASON\""))
    };
    if rest.is_empty() || rest.chars().any(char::is_control) {
        return refuse();
    }
    match word {
        "unsupported" => Ok(Hello::Unsupported(rest.to_owned())),
        "hello" => {
            let mut words = rest.splitn(3, ' ').map(|word| word.trim().to_owned());
            match [words.next(), words.next(), words.next()] {
                [Some(version), Some(name), Some(own)] if version == VERSION.to_string() => Ok(Hello::Ready(name, own)),
                _ => refuse(),
            }
        }
        _ => refuse(),
    }
}

/// The line of a vector: a, b, the scales of a, those of b, and c if there is an addend, in hexadecimal.
pub(super) fn vector(inputs: Inputs, has_addend: bool) -> String {
    let factors = inputs.a.iter().chain(inputs.b).chain(inputs.scale_a).chain(inputs.scale_b);
    let mut line = String::new();
    for word in factors.chain(has_addend.then_some(&inputs.c)) {
        let _ = write!(line, "{word:x} ");
    }
    line.pop();
    line
}

/// Reads an answer: one hexadecimal word of at most so many bits.
pub(super) fn read_answer(line: &str, width: u32) -> Result<u64, String> {
    let digits = line.trim();
    let refuse = |why: &str| Err(format!("answered {}, {why}", quoted(line)));
    if digits.split_whitespace().count() != 1 {
        let count = digits.split_whitespace().count();
        return refuse(&format!("which is {count} words; allowed: one"));
    }
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return refuse("which is no hexadecimal word; allowed: digits 0 to 9 and a to f, without a prefix");
    }
    match u64::from_str_radix(digits, 16) {
        Ok(word) if word <= low_mask(width) => Ok(word),
        _ => refuse(&format!("which is too wide; allowed: {width} bits")),
    }
}
