//! What a recording says about itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::recorded::{Described, Recorded, difference};
use crate::describe::interface::Interface;
use crate::engine::Identity;

/// The version of the format that is written; older ones are read.
pub const VERSION: u32 = 2;
/// The first version whose headers may describe what was recorded.
const DESCRIBED: u32 = 2;

/// Versions that are read, in words.
pub(super) const VERSIONS: &str = "1 to 2";

/// Whether headers of that version are read.
pub(super) fn is_read(version: u64) -> bool {
    (1..=u64::from(VERSION)).contains(&version)
}

/// How the vectors of a recording are laid out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    pub products: u32,
    /// Scales of a per vector, and of b.
    pub scales: u32,
    /// Bits of a, b, a scale of a, a scale of b, c, d.
    pub widths: [u32; 6],
}

impl Layout {
    /// The layout of the vectors of an interface.
    pub fn of(interface: &Interface) -> Layout {
        let formats = &interface.formats;
        let [scale_a, scale_b] = interface.scale_widths();
        Layout {
            products: interface.products,
            scales: interface.scale_count(),
            widths: [
                formats.a.width(),
                formats.b.width(),
                scale_a,
                scale_b,
                formats.c.width(),
                interface.answer_width(),
            ],
        }
    }

    /// Elements of the six arrays for so many vectors.
    pub(super) fn elements(&self, vectors: usize) -> [usize; 6] {
        let (products, scales) = (self.products as usize * vectors, self.scales as usize * vectors);
        [products, products, scales, scales, vectors, vectors]
    }

    /// Why vectors cannot be laid out so; a damaged or foreign header could say anything.
    pub(super) fn problem(&self) -> Option<String> {
        let Layout { products, scales, widths } = self;
        if !(1..=4096).contains(products) || *scales > *products {
            return Some(format!("{products} products and {scales} scales; allowed: 1 to 4096, and no more scales"));
        }
        let wrong = widths.iter().find(|width| **width > 64).copied();
        wrong.map(|width| format!("an element of {width} bits; allowed: at most 64"))
    }
}

/// Vectors of one suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub suite: String,
    pub seed: u64,
    pub vectors: u64,
}

/// The header of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    pub version: u32,
    /// Version of the program that recorded.
    pub tensorsmith: String,
    /// When, in UTC (RFC 3339).
    pub recorded: String,
    /// Name of the unit or instruction.
    pub subject: String,
    /// What the catalogue does not say of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub described: Option<Described>,
    pub layout: Layout,
    /// Who answered.
    pub engine: Identity,
    /// What else is known of the machine: name, driver, machine instruction.
    pub device: BTreeMap<String, String>,
    /// What was recorded, in the order of the file.
    pub parts: Vec<Part>,
}

impl Header {
    /// Vectors of all parts.
    pub fn vectors(&self) -> u64 {
        self.parts.iter().map(|part| part.vectors).sum()
    }

    /// What was recorded, whose vectors are laid out as the header says.
    ///
    /// # Errors
    /// The field that is wrong, and what is allowed.
    pub fn recorded(&self) -> Result<Recorded, String> {
        if self.described.is_some() && self.version < DESCRIBED {
            return Err(format!("field `described` is given; allowed: from version {DESCRIBED} on"));
        }
        let recorded = Recorded::of(&self.subject, self.described.as_ref())?;
        let layout = Layout::of(&recorded.interface());
        if layout != self.layout {
            return Err(format!("field `layout` is {:?}; allowed: that of {}: {layout:?}", self.layout, self.subject));
        }
        Ok(recorded)
    }

    /// The part that a vector belongs to, and its number there.
    pub fn place(&self, vector: u64) -> Option<(&Part, u64)> {
        let mut first = 0;
        for part in &self.parts {
            if vector < first + part.vectors {
                return Some((part, vector - first));
            }
            first += part.vectors;
        }
        None
    }

    /// The first thing in which an earlier recording differs from this one, the time aside: there and here.
    pub fn difference(&self, earlier: &Header) -> Option<[String; 2]> {
        difference([earlier.facts(), self.facts()])
    }

    /// Everything but the time, by name, for people. What is the same in every version needs no version.
    fn facts(&self) -> BTreeMap<String, String> {
        let Header { version: _, tensorsmith, recorded: _, subject, described, layout, engine, device, parts } = self;
        let mut facts = described.as_ref().map_or(BTreeMap::new(), Described::facts);
        let mut add = |name: &str, value: String| facts.insert(name.to_owned(), value);
        add("tensorsmith", tensorsmith.clone());
        add("subject", subject.clone());
        add("layout", format!("{layout:?}"));
        add("engine", format!("{} ({})", engine.engine, engine.version));
        for (name, value) in device {
            add(&format!("device.{name}"), value.clone());
        }
        for (number, Part { suite, seed, vectors }) in parts.iter().enumerate() {
            add(&format!("parts[{number}]"), format!("{suite}, {vectors} vectors, seed {seed}"));
        }
        facts
    }
}
