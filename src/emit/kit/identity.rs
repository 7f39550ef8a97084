//! What a board says that it holds: fields and values in one line of text, `field=value` with semicolons between them.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

use super::{BITS_MAX, Held};
use crate::emit::tile::Size;

/// The protocol that the bridge of this version speaks.
pub const PROTOCOL: u32 = 1;

/// What a board holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// Name of the unit, or of the instruction.
    pub unit: String,
    /// How many elements of D a tile of the instruction makes; none of a unit.
    #[serde(serialize_with = "shown", skip_serializing_if = "Option::is_none")]
    pub tile: Option<Size>,
    /// The first digits of the SHA-256 of the description, without names, registers, target and evidence.
    pub description: String,
    /// Where the units have registers; `none` without.
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
    /// What a board that holds this says, at that clock and rate.
    pub fn of(held: &Held, clock_hz: u64, baud: u32, buffer: u32) -> Identity {
        let (interface, tile) = (held.interface(), held.size());
        let cells = tile.map_or(1, |size| size.cells() as u32);
        Identity {
            unit: held.name().to_owned(),
            tile,
            description: held.digest(),
            cuts: held.cuts(),
            operands: held.operand_bits(),
            answer: cells * interface.answer_width(),
            clock_hz,
            baud,
            buffer,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// What the board holds, in words.
    pub fn held(&self) -> String {
        match self.tile {
            None => self.unit.clone(),
            Some(size) => format!("a {size} tile of {}", self.unit),
        }
    }

    /// The fields in order, as text.
    pub(super) fn fields(&self) -> Vec<String> {
        let mut fields = vec![
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
        ];
        if let Some(size) = self.tile {
            fields.insert(2, format!("tile={size}"));
        }
        fields
    }
}

fn size(text: &str) -> Result<Size, IdentityError> {
    let refused = |_| IdentityError::Field { field: "tile", value: text.to_owned(), allowed: Size::ALLOWED.to_owned() };
    text.parse().map_err(refused)
}

fn shown<S: Serializer>(size: &Option<Size>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&size.map(|size| size.to_string()).unwrap_or_default())
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
            tile: all.get("tile").map(|text| size(text)).transpose()?,
            description: said("description")?.to_owned(),
            cuts: said("cuts")?.to_owned(),
            operands: bits("operands", BITS_MAX.into())?,
            answer: bits("answer", BITS_MAX.into())?,
            clock_hz: number("clock", 1..=10_000_000_000)?,
            baud: bits("baud", 1 << 30)?,
            buffer: number("buffer", 256..=65_536)? as u32,
            version: said("version")?.to_owned(),
        })
    }
}
