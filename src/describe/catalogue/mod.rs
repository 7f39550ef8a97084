//! The catalogue: units and instructions as data files, each constant with its source and grade.

use super::instruction::Instruction;
use super::unit::Unit;

/// File name and text of every unit, in the order of listings.
const UNITS: [(&str, &str); 23] = [
    ("volta-fp16-fp32.toml", include_str!("units/volta-fp16-fp32.toml")),
    ("volta-fp16-fp16.toml", include_str!("units/volta-fp16-fp16.toml")),
    ("ampere-fp16-fp32.toml", include_str!("units/ampere-fp16-fp32.toml")),
    ("ampere-bf16-fp32.toml", include_str!("units/ampere-bf16-fp32.toml")),
    ("ampere-tf32-fp32.toml", include_str!("units/ampere-tf32-fp32.toml")),
    ("ampere-fp16-fp16.toml", include_str!("units/ampere-fp16-fp16.toml")),
    ("hopper-fp16-fp32.toml", include_str!("units/hopper-fp16-fp32.toml")),
    ("hopper-bf16-fp32.toml", include_str!("units/hopper-bf16-fp32.toml")),
    ("hopper-tf32-fp32.toml", include_str!("units/hopper-tf32-fp32.toml")),
    ("hopper-fp16-fp16.toml", include_str!("units/hopper-fp16-fp16.toml")),
    ("ada-e4m3-fp32.toml", include_str!("units/ada-e4m3-fp32.toml")),
    ("ada-e4m3-fp16.toml", include_str!("units/ada-e4m3-fp16.toml")),
    ("ada-e5m2-fp32.toml", include_str!("units/ada-e5m2-fp32.toml")),
    ("ada-e5m2-fp16.toml", include_str!("units/ada-e5m2-fp16.toml")),
    ("hopper-e4m3-fp32.toml", include_str!("units/hopper-e4m3-fp32.toml")),
    ("hopper-e5m2-fp32.toml", include_str!("units/hopper-e5m2-fp32.toml")),
    ("addition-fp32.toml", include_str!("units/addition-fp32.toml")),
    ("addition-fp16.toml", include_str!("units/addition-fp16.toml")),
    ("fma-fp64.toml", include_str!("units/fma-fp64.toml")),
    ("fma-fp32.toml", include_str!("units/fma-fp32.toml")),
    ("tiny-truncating.toml", include_str!("units/tiny-truncating.toml")),
    ("tiny-nearest.toml", include_str!("units/tiny-nearest.toml")),
    ("tiny-fma.toml", include_str!("units/tiny-fma.toml")),
];

/// File name and text of every instruction, in the order of listings.
const INSTRUCTIONS: [(&str, &str); 20] = [
    ("volta-mma-m8n8k4-fp16-fp16.toml", include_str!("instructions/volta-mma-m8n8k4-fp16-fp16.toml")),
    ("volta-mma-m8n8k4-fp16-fp32.toml", include_str!("instructions/volta-mma-m8n8k4-fp16-fp32.toml")),
    ("ampere-mma-m16n8k16-bf16-fp32.toml", include_str!("instructions/ampere-mma-m16n8k16-bf16-fp32.toml")),
    ("ampere-mma-m16n8k16-fp16-fp16.toml", include_str!("instructions/ampere-mma-m16n8k16-fp16-fp16.toml")),
    ("ampere-mma-m16n8k16-fp16-fp32.toml", include_str!("instructions/ampere-mma-m16n8k16-fp16-fp32.toml")),
    ("ampere-mma-m16n8k8-tf32-fp32.toml", include_str!("instructions/ampere-mma-m16n8k8-tf32-fp32.toml")),
    ("ada-mma-m16n8k32-e4m3-fp16.toml", include_str!("instructions/ada-mma-m16n8k32-e4m3-fp16.toml")),
    ("ada-mma-m16n8k32-e4m3-fp32.toml", include_str!("instructions/ada-mma-m16n8k32-e4m3-fp32.toml")),
    ("ada-mma-m16n8k32-e5m2-fp16.toml", include_str!("instructions/ada-mma-m16n8k32-e5m2-fp16.toml")),
    ("ada-mma-m16n8k32-e5m2-fp32.toml", include_str!("instructions/ada-mma-m16n8k32-e5m2-fp32.toml")),
    ("hopper-mma-m16n8k16-bf16-fp32.toml", include_str!("instructions/hopper-mma-m16n8k16-bf16-fp32.toml")),
    ("hopper-mma-m16n8k16-fp16-fp16.toml", include_str!("instructions/hopper-mma-m16n8k16-fp16-fp16.toml")),
    ("hopper-mma-m16n8k16-fp16-fp32.toml", include_str!("instructions/hopper-mma-m16n8k16-fp16-fp32.toml")),
    ("hopper-mma-m16n8k32-e4m3-fp16.toml", include_str!("instructions/hopper-mma-m16n8k32-e4m3-fp16.toml")),
    ("hopper-mma-m16n8k32-e4m3-fp32.toml", include_str!("instructions/hopper-mma-m16n8k32-e4m3-fp32.toml")),
    ("hopper-mma-m16n8k32-e5m2-fp16.toml", include_str!("instructions/hopper-mma-m16n8k32-e5m2-fp16.toml")),
    ("hopper-mma-m16n8k32-e5m2-fp32.toml", include_str!("instructions/hopper-mma-m16n8k32-e5m2-fp32.toml")),
    ("hopper-mma-m16n8k8-tf32-fp32.toml", include_str!("instructions/hopper-mma-m16n8k8-tf32-fp32.toml")),
    ("hopper-wgmma-k32-e4m3-fp32.toml", include_str!("instructions/hopper-wgmma-k32-e4m3-fp32.toml")),
    ("hopper-wgmma-k32-e5m2-fp32.toml", include_str!("instructions/hopper-wgmma-k32-e5m2-fp32.toml")),
];

/// A file of the catalogue was not accepted: the tests read every one, so this is a fault of the build.
fn refused(error: impl std::fmt::Display) -> ! {
    panic!("{error}")
}

/// Every unit of the catalogue, in the order of listings.
pub fn units() -> Vec<Unit> {
    UNITS.iter().map(|(file, text)| Unit::from_toml(file, text).unwrap_or_else(|error| refused(error))).collect()
}

/// The unit of that name.
pub fn unit(name: &str) -> Option<Unit> {
    let file = format!("{name}.toml");
    let (file, text) = UNITS.iter().find(|(known, _)| **known == file)?;
    Some(Unit::from_toml(file, text).unwrap_or_else(|error| refused(error)))
}

/// The names of all units, in the order of listings.
pub fn names() -> Vec<&'static str> {
    UNITS.iter().map(|(file, _)| file.trim_end_matches(".toml")).collect()
}

/// Every instruction of the catalogue, in the order of listings.
pub fn instructions() -> Vec<Instruction> {
    let read = |(file, text): &(&str, &str)| Instruction::from_toml(file, text).unwrap_or_else(|error| refused(error));
    INSTRUCTIONS.iter().map(read).collect()
}

/// The instruction of that name.
pub fn instruction(name: &str) -> Option<Instruction> {
    let file = format!("{name}.toml");
    let (file, text) = INSTRUCTIONS.iter().find(|(known, _)| **known == file)?;
    Some(Instruction::from_toml(file, text).unwrap_or_else(|error| refused(error)))
}

/// The names of all instructions, in the order of listings.
pub fn instruction_names() -> Vec<&'static str> {
    INSTRUCTIONS.iter().map(|(file, _)| file.trim_end_matches(".toml")).collect()
}
