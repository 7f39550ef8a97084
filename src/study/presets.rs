//! Studies that the program has: published ones, and the usual algorithms.

use std::path::Path;

use super::file::Study;

/// A study file of the program.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    pub name: &'static str,
    pub text: &'static str,
}

macro_rules! presets {
    ($($name:literal),* $(,)?) => {
        /// Every preset, in the order of their publication.
        pub const PRESETS: &[Preset] =
            &[$(Preset { name: $name, text: include_str!(concat!("presets/", $name, ".toml")) }),*];
    };
}

presets!(
    "markidis",
    "ootomo-yokota",
    "valero-lara-figure-4",
    "valero-lara-figure-5",
    "fasi-2023",
    "fp8-promotion",
    "bf16x9",
    "ozaki-int8",
);

impl Preset {
    /// The study that it describes.
    ///
    /// # Panics
    /// Its text is no study, which a test excludes.
    pub fn study(&self) -> Study {
        Study::from_toml(Path::new(""), self.name, self.text).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// The preset of that name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}
