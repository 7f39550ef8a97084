//! The head of a module, .version .target .address_size: which targets a device accepts, and what each of them offers.

use super::{Parsed, PtxError};
use crate::driver::codes;

/// Newest PTX version that the fake driver reads, and what cuDriverGetVersion says of it.
pub const NEWEST_VERSION: (u32, u32) = (9, 0);
pub const DRIVER_VERSION: i32 = 13000;

/// A target such as sm_90a.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    pub arch: u32,
    /// With features of this architecture alone.
    pub specific: bool,
    /// The PTX version of the text.
    pub version: (u32, u32),
}

/// First PTX version of each target (PTX ISA, "Release Notes" and ".target").
const FIRST_VERSIONS: [(u32, bool, (u32, u32)); 12] = [
    (70, false, (6, 0)),
    (72, false, (6, 1)),
    (75, false, (6, 3)),
    (80, false, (7, 0)),
    (86, false, (7, 1)),
    (89, false, (7, 8)),
    (90, false, (7, 8)),
    (90, true, (8, 0)),
    (100, false, (8, 6)),
    (100, true, (8, 6)),
    (120, false, (8, 7)),
    (120, true, (8, 7)),
];

impl Target {
    /// Reads `sm_90a` and checks it against the version of the text and the device.
    pub fn read(line: u32, name: &str, version: (u32, u32), device: u32) -> Parsed<Target> {
        let unknown = || PtxError::at(line, format!("Unknown .target {name:?}"));
        let number = name.strip_prefix("sm_").ok_or_else(unknown)?;
        let (number, specific) = number.strip_suffix('a').map_or((number, false), |number| (number, true));
        let arch: u32 = number.parse().map_err(|_| unknown())?;
        let known = FIRST_VERSIONS.iter().find(|row| (row.0, row.1) == (arch, specific)).ok_or_else(unknown)?;
        if version < known.2 {
            let (major, minor) = known.2;
            let message = format!("PTX .version {major}.{minor} or later is needed for .target {name}");
            return Err(PtxError::at(line, message));
        }
        if specific && arch != device {
            let message = format!("PTX with .target '{name}' cannot be compiled to architecture 'sm_{device}'");
            return Err(PtxError::fatal(codes::NO_BINARY_FOR_GPU, message));
        }
        if arch > device {
            let message =
                format!("SM version specified by .target {name} is higher than SM version of the device, {device}");
            return Err(PtxError::fatal(codes::INVALID_PTX, message));
        }
        Ok(Target { arch, specific, version })
    }

    /// An instruction that needs at least this architecture.
    pub fn needs(self, line: u32, what: &str, arch: u32) -> Parsed<()> {
        match self.arch >= arch {
            true => Ok(()),
            false => {
                Err(PtxError::at(line, format!("{what} requires .target sm_{arch} or higher, not {}", self.name())))
            }
        }
    }

    /// An instruction that is in PTX since this version.
    pub fn needs_version(self, line: u32, what: &str, version: (u32, u32)) -> Parsed<()> {
        let (major, minor) = version;
        match self.version >= version {
            true => Ok(()),
            false => Err(PtxError::at(line, format!("{what} requires PTX ISA .version {major}.{minor} or later"))),
        }
    }

    /// An instruction of this architecture alone.
    pub fn needs_specific(self, line: u32, what: &str, arch: u32) -> Parsed<()> {
        match self.specific && self.arch == arch {
            true => Ok(()),
            false => Err(PtxError::at(line, format!("{what} not supported on .target '{}'", self.name()))),
        }
    }

    pub fn name(self) -> String {
        format!("sm_{}{}", self.arch, if self.specific { "a" } else { "" })
    }
}

/// The version, `8.0`.
pub fn version(line: u32, text: &str) -> Parsed<(u32, u32)> {
    let parsed = text.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
    let version = parsed.ok_or_else(|| PtxError::at(line, format!("syntax error in .version {text:?}")))?;
    match version <= NEWEST_VERSION {
        true => Ok(version),
        false => Err(PtxError::fatal(codes::UNSUPPORTED_PTX_VERSION, format!("Unsupported .version {text}"))),
    }
}
