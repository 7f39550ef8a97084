//! What the environment asks of the fake; `lib.rs` documents the variables. Nothing is planted here, only read.

use std::env;
use std::path::PathBuf;

use tensorsmith::describe::catalogue;
use tensorsmith::describe::device::Device;

/// A fault of the hardware.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// One store of a kernel is dropped.
    Unwritten,
    /// A copy to the host stops halfway.
    ShortRead,
    /// The result registers of lanes 0 and 1 change places.
    Swapped,
    /// The lowest bit of one result is flipped.
    WrongBit,
    /// B is taken as row-major.
    Transposed,
}

/// A call that fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedFailure {
    pub function: String,
    /// Which call of the function, from 1.
    pub nth: u64,
    pub code: i32,
}

/// The fake's settings.
#[derive(Debug, Clone)]
pub struct Config {
    pub devices: i32,
    /// Compute capability x 10.
    pub arch: u32,
    /// The part of the catalogue whose arithmetic it is.
    pub device: Device,
    pub fault: Option<Fault>,
    pub failures: Vec<PlannedFailure>,
}

/// The part of the catalogue for a compute capability x 10.
fn part(arch: u32) -> Option<&'static str> {
    Some(match arch {
        70 => "V100",
        75 => "T4",
        80 | 86 => "A100",
        89 => "Ada",
        90 => "H100",
        100 => "B200",
        120 => "RTX-PRO-6000",
        _ => return None,
    })
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// The file that the calls are written to.
pub fn log_file() -> Option<PathBuf> {
    variable("FAKE_CUDA_LOG").map(PathBuf::from)
}

/// The number that a variable holds, or the default.
fn number<T: std::str::FromStr>(name: &str, default: T) -> Result<T, String> {
    match variable(name) {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| format!("{name} is {text:?}; allowed: a number")),
    }
}

impl Config {
    /// Reads the environment.
    ///
    /// # Errors
    /// A variable has a value that it must not have: the message names both.
    pub fn read() -> Result<Config, String> {
        let arch = number("FAKE_CUDA_ARCH", 90)?;
        let allowed = "allowed: 70, 75, 80, 86, 89, 90, 100, 120";
        let name = part(arch).ok_or_else(|| format!("FAKE_CUDA_ARCH is {arch}; {allowed}"))?;
        let fault = match variable("FAKE_CUDA_FAULT").as_deref() {
            None => None,
            Some("unwritten") => Some(Fault::Unwritten),
            Some("short-read") => Some(Fault::ShortRead),
            Some("swapped") => Some(Fault::Swapped),
            Some("wrong-bit") => Some(Fault::WrongBit),
            Some("transposed") => Some(Fault::Transposed),
            Some(other) => return Err(format!("FAKE_CUDA_FAULT is {other:?}")),
        };
        Ok(Config {
            devices: number("FAKE_CUDA_DEVICES", 1)?,
            arch,
            device: catalogue::device(name).ok_or_else(|| format!("the catalogue has no device {name}"))?,
            fault,
            failures: variable("FAKE_CUDA_FAIL").as_deref().map_or(Ok(Vec::new()), failures)?,
        })
    }
}

/// `function[:nth]=code`, several of them with commas between.
fn failures(text: &str) -> Result<Vec<PlannedFailure>, String> {
    let wrong = || format!("FAKE_CUDA_FAIL is {text:?}; allowed: function[:nth]=code");
    let failure = |part: &str| {
        let (call, code) = part.split_once('=')?;
        let (function, nth) = call.split_once(':').unwrap_or((call, "1"));
        Some(PlannedFailure { function: function.to_owned(), nth: nth.parse().ok()?, code: code.parse().ok()? })
    };
    text.split(',').map(|part| failure(part).ok_or_else(wrong)).collect()
}
