//! What the catalogue lists, as JSON.

use pyo3::prelude::*;
use serde::Serialize;
use serde_json::json;

use tensorsmith::describe::catalogue;
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

/// The name of a device in the catalogue, and names, formats and k of its instructions without scales and with.
#[pyfunction]
pub fn device(name: &str) -> PyResult<String> {
    let device: Device = names::device(name).ok_or_else(|| {
        let name = unknown_name(name, || names::nearest(name, &catalogue::device_names()));
        let allowed = "a name that devices() lists, or one of its parts";
        Failure::Name(format!("device is {name}; allowed: {allowed}"))
    })?;
    let instructions = device.instructions.iter().map(|instruction| {
        let (name, k, scaled) = (&instruction.name, instruction.shape.k, instruction.unit.scales.is_some());
        let [a, b, c, d] = [&instruction.a, &instruction.b, &instruction.c, instruction.d()].map(|format| &format.name);
        json!({"name": name, "a": a, "b": b, "c": c, "d": d, "d_width": instruction.d().width(), "k": k, "scaled": scaled})
    });
    Ok(json(&json!({"name": device.name, "instructions": instructions.collect::<Vec<_>>()}))?)
}
