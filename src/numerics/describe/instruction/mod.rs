//! A matrix instruction's dot product, d = A row * B column + c, as a composition of units.
//!
//! Only the composition is described: which indices of K each block takes, what the chain starts from, and whether c is
//! added at the end. The arithmetic is the unit's. Where formats differ from the unit's, values are widened exactly, or the
//! instruction is refused; a and b take each other's places where only that fits, because products commute.
//!
//! The TOML form is documented in `INSTRUCTION_FILE.md` beside this file; [`Instruction::from_toml`] reads it,
//! [`Instruction::to_toml`] writes it.

#![doc = include_str!("INSTRUCTION_FILE.md")]

mod fields;
pub(in crate::describe) mod file;
mod form;
mod recorded;

pub use fields::documentation;
pub use form::{Form, Kind};
pub use recorded::{RecordedAddend, Recordings};

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::file::FileError;
use super::format::Format;
use super::text::{LINES_ALLOWED, is_one_line};
use super::unit::names::{NAMES_ALLOWED, is_well_formed_name};
use super::unit::{Evidence, Formats, Grade, Unit};

/// Sizes of a shape.
const SIZES: RangeInclusive<i64> = 1..=1024;

/// Matrix shape: D is m x n, K products per element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    pub m: u32,
    pub n: u32,
    pub k: u32,
}

/// Which indices of K go to which block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// 0 to L - 1, then L to 2 L - 1, and so on.
    Contiguous,
    /// First the indices i with i / 2 even, then those with i / 2 odd.
    InterleavedPairs,
}

/// What the first block adds its products to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// c.
    Addend,
    /// Zero; c is added at the end.
    Zero,
}

/// One element of D as a matrix instruction computes it.
///
/// ```
/// use tensorsmith_numerics::describe::catalogue;
///
/// let instruction = catalogue::instruction("ampere-mma-m16n8k16-fp16-fp32").expect("an instruction");
/// assert_eq!((instruction.shape.k, instruction.unit.products), (16, 8));
/// assert_eq!(instruction.blocks(), [(0..8).collect::<Vec<usize>>(), (8..16).collect()]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Instruction {
    pub name: String,
    pub summary: String,
    /// The unit of every block.
    pub unit: Unit,
    pub shape: Shape,
    /// The family of machine instructions, where engines can run it.
    pub form: Option<Form>,
    /// The variant of its family, as PTX names it.
    pub kind: Option<Kind>,
    /// Other shapes with the same arithmetic in every element, for people.
    pub tiles: Option<String>,
    pub order: Order,
    pub start: Start,
    /// Formats of a, b and c as the instruction takes them.
    pub a: Format,
    pub b: Format,
    #[serde(skip_serializing_if = "Format::is_absent")]
    pub c: Format,
    /// The unit that adds c to the chain at the end: one product with 1, and c.
    pub final_addition: Option<Unit>,
    pub evidence: Evidence,
    pub recordings: Vec<Recordings>,
}

impl Instruction {
    /// Nothing but a unit, once: one element of D, under the unit's name.
    pub fn alone(unit: Unit) -> Instruction {
        Instruction {
            name: unit.name.clone(),
            summary: unit.summary.clone(),
            shape: Shape { m: 1, n: 1, k: unit.products },
            form: None,
            kind: None,
            tiles: None,
            order: Order::Contiguous,
            start: if unit.has_addend() { Start::Addend } else { Start::Zero },
            a: unit.formats.a.clone(),
            b: unit.formats.b.clone(),
            c: unit.formats.c.clone(),
            final_addition: None,
            evidence: Evidence { grade: Grade::Inferred, source: String::new() },
            recordings: Vec::new(),
            unit,
        }
    }

    /// Checks an instruction that no file was read for, as [`Instruction::from_toml`] checks a file. Engines refuse every vector of
    /// one that is not valid.
    ///
    /// # Errors
    /// A unit is not valid, or its parts do not fit each other.
    pub fn validate(&self) -> Result<(), FileError> {
        let file = format!("instruction {}", self.name);
        self.units().try_for_each(Unit::validate)?;
        self.check().map_err(|(field, value, allowed)| FileError::value(&file, field, value, allowed))
    }

    /// Whether [`Instruction::validate`] accepts it.
    pub fn is_valid(&self) -> bool {
        self.validate().is_ok()
    }

    fn check(&self) -> Result<(), (&'static str, String, String)> {
        let products = self.unit.products;
        if !is_well_formed_name(&self.name) {
            return Err(("name", format!("{:?}", self.name), NAMES_ALLOWED.to_owned()));
        }
        if !is_one_line(&self.summary) {
            return Err(("summary", format!("{:?}", self.summary), LINES_ALLOWED.to_owned()));
        }
        if !is_one_line(&self.evidence.source) {
            return Err(("evidence.source", format!("{:?}", self.evidence.source), LINES_ALLOWED.to_owned()));
        }
        for (field, size) in [("shape.m", self.shape.m), ("shape.n", self.shape.n), ("shape.k", self.shape.k)] {
            if !SIZES.contains(&size.into()) {
                return Err((field, size.to_string(), format!("{} to {}", SIZES.start(), SIZES.end())));
            }
        }
        if self.blocks().iter().any(|block| block.len() > products as usize) {
            let allowed =
                format!("\"contiguous\", since two interleaved blocks have at most {} products", 2 * products);
            return Err(("order", "\"interleaved-pairs\"".to_owned(), allowed));
        }
        self.check_scales()?;
        let partial = self.blocks().iter().any(|block| block.len() < products as usize);
        if self.unit.scheme.rounds_each_operation() && partial {
            // A product of zeros more would turn a result of minus zero into plus zero.
            let whole = match self.order {
                Order::Contiguous => format!("multiples of {products}"),
                Order::InterleavedPairs => format!("{}, two whole blocks", 2 * products),
            };
            let allowed = format!("{whole}, for {:?}", self.unit.scheme.name());
            return Err(("shape.k", self.shape.k.to_string(), allowed));
        }
        self.check_formats()?;
        match (&self.final_addition, self.start) {
            (None, Start::Addend) if !self.unit.has_addend() => {
                Err(("start", "\"addend\"".to_owned(), "\"zero\", for a unit without an addend".to_owned()))
            }
            (None, Start::Zero) if self.unit.has_addend() => {
                Err(("start", "\"zero\"".to_owned(), "\"addend\", or a final_addition".to_owned()))
            }
            (Some(_), Start::Addend) => {
                Err(("final_addition", "given".to_owned(), "none when the chain starts from the addend".to_owned()))
            }
            (Some(adder), _) if adder.products != 1 || adder.formats.a != self.unit.formats.d => {
                let allowed = format!("a unit with one product whose a has the format {}", self.unit.formats.d.name);
                Err(("final_addition", format!("{:?}", adder.name), allowed))
            }
            _ => Ok(()),
        }
    }

    /// The scales of a block are those of its indices, so that blocks are whole and in their order.
    fn check_scales(&self) -> Result<(), (&'static str, String, String)> {
        let Some(scales) = &self.unit.scales else { return Ok(()) };
        let (products, k) = (self.unit.products, self.shape.k);
        if !k.is_multiple_of(products) {
            return Err(("shape.k", k.to_string(), format!("multiples of {products}, for a unit with scales")));
        }
        if self.order != Order::Contiguous {
            return Err(("order", "\"interleaved-pairs\"".to_owned(), "\"contiguous\", for scales".to_owned()));
        }
        if self.exchanged() && scales.a != scales.b {
            let allowed = "the unit's order, where scales of a and b have different formats".to_owned();
            return Err(("operands", format!("\"{}\", \"{}\"", self.a.name, self.b.name), allowed));
        }
        Ok(())
    }

    /// Every value reaches its unit without loss: operands and addend on the way in, the chain from block to block.
    fn check_formats(&self) -> Result<(), (&'static str, String, String)> {
        let unit = &self.unit.formats;
        let fits = |a: &Format, b: &Format| unit.a.holds(a) && unit.b.holds(b);
        if !fits(&self.a, &self.b) && !fits(&self.b, &self.a) {
            let (field, format, own) = match unit.a.holds(&self.a) {
                false => ("operands.a", &self.a, &unit.a),
                true => ("operands.b", &self.b, &unit.b),
            };
            let allowed = format!("formats that the unit's {} holds exactly; a and b may change places", own.name);
            return Err((field, format!("{:?}", format.name), allowed));
        }
        let adder = self.final_addition.as_ref().unwrap_or(&self.unit);
        if !adder.formats.c.holds(&self.c) {
            let allowed = format!("a format that {} of {} holds exactly", adder.formats.c.name, adder.name);
            return Err(("addend", format!("{:?}", self.c.name), allowed));
        }
        let composed = self.blocks().len() > 1 || self.final_addition.is_some();
        if composed && self.units().any(|unit| unit.conversion.flags) {
            let allowed = "a unit without flags, where an instruction is more than one block";
            return Err(("unit", format!("{:?}", self.unit.name), allowed.to_owned()));
        }
        if self.blocks().len() > 1 && !unit.c.holds(&unit.d) {
            let allowed = "a unit whose c holds its d exactly, because each block adds to the result of the one before";
            return Err(("unit", format!("{:?}", self.unit.name), allowed.to_owned()));
        }
        Ok(())
    }

    /// Whether a goes to the unit's b and b to its a.
    pub fn exchanged(&self) -> bool {
        !(self.unit.formats.a.holds(&self.a) && self.unit.formats.b.holds(&self.b))
    }

    /// The indices of K of each block, in the order in which blocks are chained.
    pub fn blocks(&self) -> Vec<Vec<usize>> {
        let k = self.shape.k as usize;
        match self.order {
            Order::Contiguous => {
                let indices: Vec<usize> = (0..k).collect();
                indices.chunks(self.unit.products as usize).map(<[usize]>::to_vec).collect()
            }
            Order::InterleavedPairs => [0, 1].map(|odd| (0..k).filter(|i| i / 2 % 2 == odd).collect()).to_vec(),
        }
    }

    /// Whether the instruction is nothing but its unit, once.
    pub fn is_alone(&self) -> bool {
        let Formats { a, b, c, .. } = &self.unit.formats;
        let once = self.final_addition.is_none() && self.shape.k == self.unit.products && self.blocks().len() == 1;
        [&self.a, &self.b, &self.c] == [a, b, c] && once
    }

    /// Whether both compute the same elements of D, whatever their names, sizes of D and evidence are.
    pub fn has_arithmetic_of(&self, other: &Instruction) -> bool {
        let formats = |one: &Instruction| [&one.a, &one.b, &one.c].map(Format::clone);
        let composition = |one: &Instruction| (one.shape.k, one.order, one.start, formats(one));
        composition(self) == composition(other)
            && self.units().map(Unit::arithmetic).eq(other.units().map(Unit::arithmetic))
    }

    /// Whether one run of the unit computes an element of D.
    pub fn is_once(&self, unit: &Unit) -> bool {
        self.is_alone() && self.unit.arithmetic() == unit.arithmetic()
    }

    /// The units whose arithmetic it is: that of every block, and that of the final addition.
    pub fn units(&self) -> impl Iterator<Item = &Unit> {
        [&self.unit].into_iter().chain(&self.final_addition)
    }

    /// The same of other units: that of every block, and that of the final addition.
    #[must_use]
    pub fn with_units(&self, change: impl Fn(&Unit) -> Unit) -> Instruction {
        Instruction {
            unit: change(&self.unit),
            final_addition: self.final_addition.as_ref().map(&change),
            ..self.clone()
        }
    }

    /// Fields of its units on which sources disagree.
    pub fn conflicts(&self) -> Vec<&str> {
        let evidence = self.units().flat_map(|unit| &unit.evidence);
        evidence.filter(|(_, evidence)| evidence.grade == Grade::Conflict).map(|(field, _)| field.as_str()).collect()
    }

    /// Format of d.
    pub fn d(&self) -> &Format {
        self.final_addition.as_ref().map_or(&self.unit.formats.d, |adder| &adder.formats.d)
    }
}
