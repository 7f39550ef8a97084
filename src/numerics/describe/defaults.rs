//! Which of a device's instructions a product of matrices takes where none is named: the one that the device's libraries run.
//!
//! The device files hold the choice, each with its source; `gemm`, `study`, the Python package and the C library all come here.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

use super::device::Device;
use super::format::Format;
use super::instruction::Instruction;
use super::unit::Evidence;

/// Instructions that libraries run on a device for products of their operand formats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LibraryInstructions {
    /// Names as the device file has them: of instructions, or of families.
    pub entries: Vec<String>,
    /// The names of the instructions.
    pub instructions: Vec<String>,
    pub evidence: Evidence,
}

/// What an instruction is wanted for, by the names of formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted<'a> {
    pub a: &'a str,
    pub b: &'a str,
    /// `None` where any addend will do.
    pub c: Option<&'a str>,
    /// Whether a rule converts numbers that the formats do not hold: where no other instruction fits, binary32 words are then operands of
    /// tf32, and any addend will do.
    pub converts: bool,
}

/// A device has no instruction for some operands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoDefault {
    pub device: String,
    pub wanted: String,
    /// Formats of both operands for which the device has an instruction, first those that are the same for a and b. Of c instead, where
    /// only the addend does not fit.
    pub choices: Vec<String>,
    pub is_about_c: bool,
}

impl fmt::Display for NoDefault {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let NoDefault { device, wanted, choices, is_about_c } = self;
        let what = if *is_about_c { "formats of c" } else { "formats of a and b" };
        write!(formatter, "{device} has no instruction for {wanted}; allowed: {what}: {}", choices.join(", "))
    }
}

impl std::error::Error for NoDefault {}

impl Device {
    /// The instructions that libraries run, in the order in which they are chosen, each with its source.
    fn library(&self) -> impl Iterator<Item = (&Instruction, &Evidence)> {
        self.defaults.iter().flat_map(|listed| {
            let named = |name: &String| self.instructions.iter().find(|instruction| instruction.name == *name);
            listed.instructions.iter().filter_map(named).map(|instruction| (instruction, &listed.evidence))
        })
    }

    /// The instruction that a product of such operands takes where none is named, and how that is known: the first of the device's list
    /// that fits. Results in binary16 are listed last, so that only an addend in binary16 leads to them.
    ///
    /// # Errors
    /// No instruction has these formats.
    pub fn default_for(&self, wanted: &Wanted) -> Result<(&Instruction, &Evidence), NoDefault> {
        let exact = |format: &Format, name: &str| format.name == name;
        let alike = |format: &Format, name: &str| exact(&format.container(), name);
        let fits = |operand: &dyn Fn(&Format, &str) -> bool, c: Option<&str>| {
            let mut of_operands =
                self.library().filter(|(own, _)| operand(&own.a, wanted.a) && operand(&own.b, wanted.b));
            of_operands.find(|(own, _)| c.is_none_or(|c| exact(&own.c, c)))
        };
        let converted = || fits(&exact, None).or_else(|| fits(&alike, wanted.c)).or_else(|| fits(&alike, None));
        let found = fits(&exact, wanted.c).or_else(|| wanted.converts.then(converted).flatten());
        found.ok_or_else(|| self.no_default(wanted, None))
    }

    /// What the device has instead, with the formats of results where one was wanted.
    fn no_default(&self, wanted: &Wanted, d: Option<&Format>) -> NoDefault {
        let with_d = |format: &Format| format!(" with d of {}", format.name);
        let of_operands = self.library().filter(|(own, _)| own.a.name == wanted.a && own.b.name == wanted.b);
        let addend = |own: &Instruction| format!("{}{}", own.c.name, d.map_or(String::new(), |_| with_d(own.d())));
        let mut choices: Vec<String> = of_operands.map(|(own, _)| addend(own)).collect();
        let is_about_c = !choices.is_empty();
        if !is_about_c {
            let pairs = || self.library().map(|(own, _)| (own.a.name.as_str(), own.b.name.as_str()));
            let same: Vec<&str> = pairs().filter(|(a, b)| a == b).map(|(a, _)| a).collect();
            let mixed = pairs().filter(|(a, b)| !same.contains(a) || !same.contains(b));
            choices =
                same.iter().map(|name| (*name).to_owned()).chain(mixed.map(|(a, b)| format!("{a},{b}"))).collect();
        }
        let mut seen = BTreeSet::new();
        choices.retain(|name| seen.insert(name.clone()));
        let c = wanted.c.map_or(String::new(), |c| format!(", c of {c}"));
        let wanted = format!("a of {}, b of {}{c}{}", wanted.a, wanted.b, d.map_or(String::new(), with_d));
        NoDefault { device: self.name.clone(), wanted, choices, is_about_c }
    }

    /// The instruction that takes the place of another one, which may be of another device: of the same operands and addend, or of their
    /// FNUZ variants where the device has those alone, with a result in words of the same format. Bits that the result leaves empty may
    /// differ.
    ///
    /// # Errors
    /// No instruction has these formats.
    pub fn default_like(&self, other: &Instruction) -> Result<(&Instruction, &Evidence), NoDefault> {
        let is_variant = |own: &Format, other: &Format| own.name == format!("{}fnuz", other.name);
        let fits = |operand: &dyn Fn(&Format, &Format) -> bool| {
            self.library().find(|(own, _)| {
                operand(&own.a, &other.a)
                    && operand(&own.b, &other.b)
                    && own.c == other.c
                    && own.d().container() == other.d().container()
            })
        };
        let wanted = Wanted { a: &other.a.name, b: &other.b.name, c: Some(&other.c.name), converts: false };
        fits(&|own, other| own == other)
            .or_else(|| fits(&is_variant))
            .ok_or_else(|| self.no_default(&wanted, Some(other.d())))
    }
}
