//! The catalogue: units, instructions and devices as data files, each constant with its source and grade.

mod family;
mod lists;
mod read;

use std::sync::LazyLock;

use super::device::Device;
use super::instruction::Instruction;
use super::unit::Unit;
use family::Entry;
use lists::{DEVICES, INSTRUCTIONS, UNITS};
use read::Read;

static READ_UNITS: LazyLock<Read<Unit>> = LazyLock::new(|| Read::of(UNITS, Unit::from_toml));
static READ_INSTRUCTIONS: LazyLock<Read<Instruction>> =
    LazyLock::new(|| Read::of(INSTRUCTIONS, Instruction::from_toml));
static READ_DEVICES: LazyLock<Read<Device>> = LazyLock::new(|| Read::of(DEVICES, Device::from_toml));

/// How names are compared: `Hopper_FP16_fp32` is `hopper-fp16-fp32`.
pub fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace(['_', ' '], "-")
}

/// The names that an entry stands for: its own, or those of its family's members.
fn members(entries: &[Entry], entry: &str) -> Option<Vec<String>> {
    let entry = entries.iter().find(|known| known.name == entry)?;
    Some(entry.members().into_iter().map(|member| member.name).collect())
}

/// Every unit of the catalogue, in the order of listings.
pub fn units() -> Vec<Unit> {
    READ_UNITS.all()
}

/// The unit of that name.
pub fn unit(name: &str) -> Option<Unit> {
    READ_UNITS.named(name)
}

/// The names of all units, in the order of listings.
pub fn names() -> Vec<&'static str> {
    READ_UNITS.names()
}

/// The units' entries: names, and families with placeholders in their names.
pub fn unit_entries() -> Vec<&'static str> {
    UNITS.iter().map(|entry| entry.name).collect()
}

/// The units that an entry stands for.
pub fn unit_members(entry: &str) -> Option<Vec<String>> {
    members(UNITS, entry)
}

/// Every instruction of the catalogue, in the order of listings.
pub fn instructions() -> Vec<Instruction> {
    READ_INSTRUCTIONS.all()
}

/// The instruction of that name.
pub fn instruction(name: &str) -> Option<Instruction> {
    READ_INSTRUCTIONS.named(name)
}

/// The names of all instructions, in the order of listings.
pub fn instruction_names() -> Vec<&'static str> {
    READ_INSTRUCTIONS.names()
}

/// The instructions' entries: names, and families with placeholders in their names.
pub fn instruction_entries() -> Vec<&'static str> {
    INSTRUCTIONS.iter().map(|entry| entry.name).collect()
}

/// The instructions that an entry stands for.
pub fn instruction_members(entry: &str) -> Option<Vec<String>> {
    members(INSTRUCTIONS, entry)
}

/// Every device of the catalogue, in the order of listings.
pub fn devices() -> Vec<Device> {
    READ_DEVICES.all()
}

/// The device of that name.
pub fn device(name: &str) -> Option<Device> {
    READ_DEVICES.named(name)
}

/// The names of all devices, in the order of listings.
pub fn device_names() -> Vec<&'static str> {
    READ_DEVICES.names()
}
