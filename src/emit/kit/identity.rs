//! What a board says that it holds: fields and values in one line of text, `field=value` with semicolons between them.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

use crate::describe::unit::Unit;
use crate::emit::{answering, digest};

/// The protocol that the bridge of this version speaks.
pub const PROTOCOL: u32 = 1;
/// Hexadecimal digits of the digest of a description that a board tells.
const DIGEST_DIGITS: usize = 32;

/// What a board holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Identity {
    pub unit: String,
    /// The first digits of the SHA-256 of the unit's description, without its name, registers, target and evidence.
    pub description: String,
    /// Where the unit has registers; `none` without.
    pub cuts: String,
    /// Bits of a vector.
    pub operands: u32,
    /// Bits of a result.
    pub answer: u32,
    pub clock_hz: u64,
    /// Bits a second on the line.
    pub baud: u32,
    /// Bytes of requests that may be on their way.
    pub buffer: u32,
    /// Of the program that emitted it.
    pub version: String,
}

/// Why a text is no identity.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum IdentityError {
    #[error("it says protocol {0:?}; allowed: {PROTOCOL}")]
    Protocol(String),
    #[error("its identity lacks the field {0}")]
    Missing(&'static str),
    #[error("its identity has {field} = {value:?}; allowed: {allowed}")]
    Field { field: &'static str, value: String, allowed: String },
}

impl Identity {
    /// What a board with this unit says, at that clock and rate.
    pub fn of(unit: &Unit, clock_hz: u64, baud: u32, buffer: u32) -> Identity {
        let (interface, cuts) = (unit.interface(), unit.cuts.iter().map(|cut| cut.name()).collect::<Vec<_>>());
        Identity {
            unit: unit.name.clone(),
            description: Identity::digest_of(unit),
            cuts: if cuts.is_empty() { "none".to_owned() } else { cuts.join("+") },
            operands: interface.input_bits(),
            answer: interface.answer_width(),
            clock_hz,
            baud,
            buffer,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// What units that answer alike by their descriptions have in common.
    pub fn digest_of(unit: &Unit) -> String {
        let plain = Unit { name: "unit".to_owned(), ..answering(unit) };
        digest(plain.to_toml().as_bytes())[..DIGEST_DIGITS].to_owned()
    }

    /// The fields in order, as text.
    pub(super) fn fields(&self) -> Vec<String> {
        vec![
            format!("tensorsmith={PROTOCOL}"),
            format!("unit={}", self.unit),
            format!("description={}", self.description),
            format!("cuts={}", self.cuts),
            format!("operands={}", self.operands),
            format!("answer={}", self.answer),
            format!("clock={}", self.clock_hz),
            format!("baud={}", self.baud),
            format!("buffer={}", self.buffer),
            format!("version={}", self.version),
        ]
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fields().join(";"))
    }
}

impl FromStr for Identity {
    type Err = IdentityError;

    fn from_str(text: &str) -> Result<Identity, IdentityError> {
        let all: BTreeMap<&str, &str> = text.split(';').filter_map(|field| field.split_once('=')).collect();
        let said = |field: &'static str| all.get(field).copied().ok_or(IdentityError::Missing(field));
        let protocol = said("tensorsmith")?;
        if protocol != PROTOCOL.to_string() {
            return Err(IdentityError::Protocol(protocol.to_owned()));
        }
        let number = |field: &'static str, allowed: std::ops::RangeInclusive<u64>| {
            let value = said(field)?;
            value.parse().ok().filter(|number| allowed.contains(number)).ok_or_else(|| IdentityError::Field {
                field,
                value: value.to_owned(),
                allowed: format!("{} to {}", allowed.start(), allowed.end()),
            })
        };
        let bits = |field, most| number(field, 1..=most).map(|number| number as u32);
        Ok(Identity {
            unit: said("unit")?.to_owned(),
            description: said("description")?.to_owned(),
            cuts: said("cuts")?.to_owned(),
            operands: bits("operands", 1 << 20)?,
            answer: bits("answer", 64)?,
            clock_hz: number("clock", 1..=10_000_000_000)?,
            baud: bits("baud", 1 << 30)?,
            buffer: number("buffer", 256..=65_536)? as u32,
            version: said("version")?.to_owned(),
        })
    }
}
