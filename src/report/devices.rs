//! What is known about devices: their instructions, what verified each, and where the constants come from.

use serde::Serialize;

use super::Number;
use crate::describe::catalogue;
use crate::describe::defaults::{LibraryInstructions, Wanted};
use crate::describe::device::Device;
use crate::describe::instruction::Instruction;
use crate::describe::unit::{Evidence, Grade};

/// What stands where no silicon result backs an instruction on a device.
pub const UNVERIFIED: &str = "unverified on hardware";

/// An instruction of a device.
#[derive(Debug, Clone, Serialize)]
pub struct DeviceInstruction {
    pub instruction: String,
    pub tiles: Option<String>,
    pub a: String,
    pub b: String,
    pub c: String,
    pub d: String,
    /// Names of the unit of every block, and of the unit of the final addition.
    pub units: Vec<String>,
    pub evidence: Evidence,
    /// Parts whose own instruction was compared with.
    pub live: Vec<String>,
    /// Folders of the public recordings of this instruction made on this device.
    pub replayed: Vec<String>,
    /// Fields of the units on which sources disagree.
    pub conflicts: Vec<String>,
}

/// A device with its instructions.
#[derive(Debug, Clone, Serialize)]
pub struct DeviceReport {
    pub device: String,
    pub summary: String,
    pub parts: Vec<String>,
    pub architecture: String,
    pub targets: Vec<String>,
    /// The engine that asks such a device, and whether it ever did; null where there is none.
    pub engine: Option<&'static str>,
    pub instructions: Vec<DeviceInstruction>,
    /// What products take where no instruction is named, in the order in which it is chosen.
    pub defaults: Vec<DefaultInstruction>,
}

/// An instruction, or a family of them, that products take where none is named.
#[derive(Debug, Clone, Serialize)]
pub struct DefaultInstruction {
    /// Formats of a and b for which it is taken.
    pub operands: Vec<[String; 2]>,
    pub c: String,
    pub d: String,
    /// Name of the instruction, or of its family.
    pub instruction: String,
    /// How it is known that the device's libraries run it.
    pub evidence: Evidence,
}

impl DefaultInstruction {
    /// The formats of a and b for people.
    pub fn operands_text(&self) -> String {
        let mut formats: Vec<&str> = Vec::new();
        for format in self.operands.iter().flatten() {
            if !formats.contains(&format.as_str()) {
                formats.push(format);
            }
        }
        match self.operands.len() == formats.len() * formats.len() && formats.len() > 1 {
            true => format!("any two of {}", formats.join(", ")),
            false => self.operands.iter().map(|[a, b]| format!("{a} x {b}")).collect::<Vec<_>>().join(", "),
        }
    }
}

/// Where a constant comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// The unit or instruction.
    pub of: String,
    pub constant: String,
    pub evidence: Evidence,
}

impl DeviceReport {
    /// The report of a device.
    pub fn of(device: &Device) -> DeviceReport {
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        let instruction = |instruction: &Instruction| DeviceInstruction {
            instruction: instruction.name.clone(),
            tiles: instruction.tiles.clone(),
            a: instruction.a.name.clone(),
            b: instruction.b.name.clone(),
            c: instruction.c.name.clone(),
            d: instruction.d().name.clone(),
            units: instruction.units().map(|unit| unit.name.clone()).collect(),
            evidence: instruction.evidence.clone(),
            live: device.live.clone(),
            replayed: owned(device.replayed(instruction)),
            conflicts: owned(instruction.conflicts()),
        };
        DeviceReport {
            device: device.name.clone(),
            summary: device.summary.clone(),
            parts: device.parts.clone(),
            architecture: device.architecture.clone(),
            targets: device.targets.clone(),
            engine: engine(device),
            instructions: device.instructions.iter().map(instruction).collect(),
            defaults: device.defaults.iter().flat_map(|listed| defaults(device, listed)).collect(),
        }
    }
}

/// The rows of an entry of a device's defaults: one for each instruction or family, with the operands for which no other one comes first.
fn defaults<'a>(
    device: &'a Device,
    listed: &'a LibraryInstructions,
) -> impl Iterator<Item = DefaultInstruction> + use<'a> {
    let is_taken = |own: &Instruction| {
        let wanted = Wanted { a: &own.a.name, b: &own.b.name, c: Some(&own.c.name), converts: false };
        device.default_for(&wanted).is_ok_and(|(taken, _)| taken.name == own.name)
    };
    listed.entries.iter().filter_map(move |entry| {
        let members = catalogue::instruction_members(entry).unwrap_or_else(|| vec![entry.clone()]);
        let all = device.instructions.iter().filter(|own| members.contains(&own.name) && is_taken(own));
        let all: Vec<&Instruction> = all.collect();
        let first = all.first()?;
        Some(DefaultInstruction {
            operands: all.iter().map(|own| [own.a.name.clone(), own.b.name.clone()]).collect(),
            c: first.c.name.clone(),
            d: first.d().name.clone(),
            instruction: entry.clone(),
            evidence: listed.evidence.clone(),
        })
    })
}

/// The engine for devices of a maker, whose targets begin alike.
fn engine(device: &Device) -> Option<&'static str> {
    const ENGINES: [(&str, &str, &str); 3] = [
        ("sm_", "cuda", "cuda, not yet run on this device"),
        ("gfx", "hip", "hip, not yet run on hardware"),
        ("sapphirerapids", "intel", "intel"),
    ];
    let target = device.targets.first()?;
    let (_, engine, not_yet) = ENGINES.iter().find(|(prefix, ..)| target.starts_with(prefix))?;
    Some(if device.live.is_empty() { not_yet } else { engine })
}

impl DeviceInstruction {
    /// How well the composition is known; what was replayed, compared with or reported on other devices only says so. The source of
    /// what was reported names the device.
    pub fn grade(&self, device: &str) -> String {
        let elsewhere = match self.evidence.grade {
            Grade::Replayed => self.replayed.is_empty(),
            Grade::Live => self.live.is_empty(),
            Grade::Reported => !self
                .evidence
                .source
                .split(|letter: char| !letter.is_alphanumeric() && letter != '-')
                .any(|word| word == device),
            _ => false,
        };
        format!("{}{}", self.evidence.grade.name(), if elsewhere { " elsewhere" } else { "" })
    }

    /// What verified the instruction on this device.
    pub fn verified(&self) -> String {
        let of = |how: &str, parts: &[String]| (!parts.is_empty()).then(|| format!("{how}: {}", parts.join(", ")));
        let all: Vec<String> = [of("live", &self.live), of("replayed", &self.replayed)].into_iter().flatten().collect();
        if all.is_empty() { UNVERIFIED.to_owned() } else { all.join("; ") }
    }
}

/// The sources of every constant of the devices' units and of the compositions, each once.
pub fn sources(devices: &[Device]) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    let mut add = |of: &str, constant: &str, evidence: &Evidence| {
        let source = Source { of: of.to_owned(), constant: constant.to_owned(), evidence: evidence.clone() };
        if !sources.contains(&source) {
            sources.push(source);
        }
    };
    let instructions = || devices.iter().flat_map(|device| &device.instructions);
    for unit in instructions().flat_map(Instruction::units) {
        unit.evidence.iter().for_each(|(constant, evidence)| add(&unit.name, constant, evidence));
    }
    instructions().for_each(|instruction| add(&instruction.name, "composition", &instruction.evidence));
    sources
}

/// What one instruction answered to a vector of numbers.
#[derive(Debug, Clone, Serialize)]
pub struct Answers {
    pub instruction: String,
    /// Why the vector is none of the instruction's, or null.
    pub not_representable: Option<String>,
    /// Answers of the engines, in the order asked for; null for one that is not there.
    pub answers: Vec<Option<Answer>>,
}

/// The answer of one engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    pub engine: String,
    pub hexadecimal: String,
    pub decimal: String,
}

impl Answer {
    /// The answer as people read it.
    pub fn new(engine: &str, number: &Number) -> Answer {
        Answer { engine: engine.to_owned(), hexadecimal: number.hexadecimal(), decimal: number.decimal() }
    }
}

impl Answers {
    /// Whether two engines answered differently.
    pub fn differ(&self) -> bool {
        let mut encodings = self.answers.iter().flatten().map(|answer| &answer.hexadecimal);
        let first = encodings.next();
        encodings.any(|other| Some(other) != first)
    }
}
