//! Names of the catalogue as people type them: in any case, with underscores for hyphens; and the nearest ones to a name that
//! is none.

use crate::describe::catalogue::{self, plain};
use crate::describe::device::Device;
use crate::describe::instruction::Instruction;
use crate::describe::subject::Subject;
use crate::describe::text::NAME_MAX;
use crate::describe::unit::Unit;

/// How many names an error offers.
const OFFERED: usize = 3;

/// The one of the known names that is meant.
fn meant<'known>(name: &str, known: &[&'known str]) -> Option<&'known str> {
    if name.len() > NAME_MAX {
        return None;
    }
    let alike = |known: &&&str| plain(known) == plain(name);
    known.iter().find(|known| **known == name).or_else(|| known.iter().find(alike)).copied()
}

/// How far a name lies from a known one: changes of letters, of the whole or of its beginning.
fn distance(name: &str, known: &str) -> usize {
    let beginning: String = known.chars().take(name.chars().count()).collect();
    strsim::osa_distance(name, known).min(strsim::osa_distance(name, &beginning) + 1)
}

/// The known names that are most like a name, the nearest first. Where a device is named, what it computes is meant.
pub fn nearest(name: &str, known: &[&str]) -> Vec<String> {
    let of_device = Device::meant(name).map_or(Vec::new(), |device| names_of(&device));
    let name = plain(name);
    let mut known = known.to_vec();
    known.sort_by_key(|known| (!of_device.iter().any(|own| own == known), distance(&name, &plain(known))));
    known.into_iter().take(OFFERED).map(str::to_owned).collect()
}

/// The names of a device's units and instructions.
fn names_of(device: &Device) -> Vec<String> {
    let instructions = device.instructions.iter();
    let units = instructions.clone().flat_map(Instruction::units).chain(&device.units);
    instructions.map(|instruction| &instruction.name).chain(units.map(|unit| &unit.name)).cloned().collect()
}

/// The unit or the instruction of the catalogue that is meant.
pub fn subject(name: &str) -> Option<Subject> {
    meant(name, &subjects()).and_then(Subject::named)
}

/// The names of all units and instructions.
pub fn subjects() -> Vec<&'static str> {
    [catalogue::names(), catalogue::instruction_names()].concat()
}

/// The unit of the catalogue that is meant.
pub fn unit(name: &str) -> Option<Unit> {
    meant(name, &catalogue::names()).and_then(catalogue::unit)
}

/// The instruction of the catalogue that is meant.
pub fn instruction(name: &str) -> Option<Instruction> {
    meant(name, &catalogue::instruction_names()).and_then(catalogue::instruction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_other_spellings() {
        assert_eq!(
            subject("hopper_fp16_fp32").map(|found| found.name().to_owned()).as_deref(),
            Some("hopper-fp16-fp32")
        );
        assert_eq!(Device::meant("h100").map(|found| found.name).as_deref(), Some("H100"));
        assert_eq!(Device::meant("MI300X").map(|found| found.name).as_deref(), Some("MI300"));
        assert_eq!(Device::meant("rtx_30 series").map(|found| found.name).as_deref(), Some("A100"));
        assert_eq!(instruction("VOLTA-mma-m8n8k4-fp16-fp32").map(|found| found.shape.k), Some(4));
        assert!(unit("hopper-fp16").is_none() && Device::meant("H1000").is_none() && subject("").is_none());
    }

    #[test]
    fn nearest_names() {
        assert_eq!(nearest("hoper-fp16-fp32", &subjects())[0], "hopper-fp16-fp32");
        assert_eq!(nearest("H10", &catalogue::device_names())[0], "H100");
        let volta = ["volta-fp16-fp32", "volta-fp16-fp16", "volta-fp16-fp16-from-fp32"];
        assert_eq!(nearest("volta", &catalogue::names()), volta);
        for (name, beginning) in [("MI300X", "cdna3-"), ("h100", "hopper-"), ("T4", "turing-")] {
            let offered = nearest(name, &catalogue::names());
            assert!(offered.len() == 3 && offered[0].starts_with(beginning), "{name}: {offered:?}");
        }
    }
}
