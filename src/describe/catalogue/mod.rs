//! The catalogue: units as data files, each constant with its source and grade.

use super::unit::Unit;

/// File name and text of every unit, in the order of listings.
const FILES: [(&str, &str); 12] = [
    ("volta-fp16-fp32.toml", include_str!("volta-fp16-fp32.toml")),
    ("volta-fp16-fp16.toml", include_str!("volta-fp16-fp16.toml")),
    ("ampere-fp16-fp32.toml", include_str!("ampere-fp16-fp32.toml")),
    ("ampere-bf16-fp32.toml", include_str!("ampere-bf16-fp32.toml")),
    ("ampere-tf32-fp32.toml", include_str!("ampere-tf32-fp32.toml")),
    ("ampere-fp16-fp16.toml", include_str!("ampere-fp16-fp16.toml")),
    ("hopper-fp16-fp32.toml", include_str!("hopper-fp16-fp32.toml")),
    ("hopper-bf16-fp32.toml", include_str!("hopper-bf16-fp32.toml")),
    ("hopper-tf32-fp32.toml", include_str!("hopper-tf32-fp32.toml")),
    ("hopper-fp16-fp16.toml", include_str!("hopper-fp16-fp16.toml")),
    ("tiny-truncating.toml", include_str!("tiny-truncating.toml")),
    ("tiny-nearest.toml", include_str!("tiny-nearest.toml")),
];

/// Every unit of the catalogue, in the order of listings.
///
/// # Panics
/// Never for a released crate: the tests read every file.
pub fn units() -> Vec<Unit> {
    FILES.iter().map(|(file, text)| Unit::from_toml(file, text).unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// The unit of that name.
pub fn unit(name: &str) -> Option<Unit> {
    let file = format!("{name}.toml");
    let (file, text) = FILES.iter().find(|(known, _)| **known == file)?;
    Some(Unit::from_toml(file, text).unwrap_or_else(|error| panic!("{error}")))
}

/// The names of all units, in the order of listings.
pub fn names() -> Vec<&'static str> {
    FILES.iter().map(|(file, _)| file.trim_end_matches(".toml")).collect()
}
