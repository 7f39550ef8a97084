//! What the catalogue lists, as JSON.

use pyo3::prelude::*;
use serde::Serialize;

use tensorsmith::describe::catalogue;
use tensorsmith::describe::defaults::Wanted;
use tensorsmith::describe::device::Device;
use tensorsmith::describe::text::unknown_name;
use tensorsmith::report::{DeviceReport, names};

use crate::failure::Failure;

fn json(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::Internal(error.to_string()))
}

/// Every device with its instructions.
#[pyfunction]
pub fn devices() -> PyResult<String> {
    Ok(json(&catalogue::devices().iter().map(DeviceReport::of).collect::<Vec<_>>())?)
}

/// The names of all units.
#[pyfunction]
pub fn units() -> Vec<&'static str> {
    catalogue::names()
}

/// The names of all instructions.
#[pyfunction]
pub fn instructions() -> Vec<&'static str> {
    catalogue::instruction_names()
}

fn named(name: &str) -> Result<Device, Failure> {
    Device::meant(name).ok_or_else(|| {
        let name = unknown_name(name, || names::nearest(name, &catalogue::device_names()));
        let allowed = "a name that devices() lists, or one of its parts";
        Failure::Name(format!("device is {name}; allowed: {allowed}"))
    })
}

/// The names of a device's instructions.
#[pyfunction]
pub fn instructions_of(device: &str) -> PyResult<Vec<String>> {
    Ok(named(device)?.instructions.into_iter().map(|instruction| instruction.name).collect())
}

/// The instruction that a device's libraries run for operands of such formats.
#[pyfunction]
pub fn instruction_for(device: &str, a: &str, b: &str, c: Option<&str>, converts: bool) -> PyResult<String> {
    let device = named(device)?;
    let found = device.default_for(&Wanted { a, b, c, converts });
    let (instruction, _) = found.map_err(|error| {
        let choices: Vec<String> = error.choices.iter().map(|choice| format!("{choice:?}")).collect();
        let allowed = match error.is_about_c {
            true => format!("c of {}", choices.join(", ")),
            false => format!("dtype={}, or an instruction by name", choices.join(" or ")),
        };
        Failure::Type(format!("{} has no instruction for {}; allowed: {allowed}", error.device, error.wanted))
    })?;
    Ok(instruction.name.clone())
}
