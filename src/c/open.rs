//! Opening and closing units and instructions.
#![allow(unsafe_code, reason = "C functions are exported, and take the caller's pointers")]

use std::ffi::c_char;

use tensorsmith_numerics::describe::catalogue;
use tensorsmith_numerics::describe::defaults::Wanted;
use tensorsmith_numerics::describe::device::Device;
use tensorsmith_numerics::describe::format::Format;
use tensorsmith_numerics::describe::subject::Subject;
use tensorsmith_numerics::describe::text::unknown_name;

use crate::engines;
use crate::memory::{give, require, text, text_of};
use crate::status::{Failure, Status, entry};
use crate::unit::Unit;

/// How many names an error offers.
const OFFERED: usize = 3;

/// The names of all units and instructions of the catalogue.
pub fn names() -> Vec<&'static str> {
    [catalogue::names(), catalogue::instruction_names()].concat()
}

/// A unit or an instruction of the catalogue.
pub fn named(name: &str) -> Result<Unit, Failure> {
    let subject = Subject::named(name).ok_or_else(|| {
        let nearest = || {
            let mut known = names();
            known.sort_by_key(|known| strsim::osa_distance(name, known));
            known[..OFFERED].iter().map(|&known| known.to_owned()).collect()
        };
        let name = unknown_name(name, nearest);
        let allowed = "a unit or an instruction of the catalogue, as tensorsmith_catalogue_name lists";
        Failure::new(Status::Name, format!("name is {name}; allowed: {allowed}"))
    })?;
    Ok(Unit::new(&subject))
}

/// A unit or an instruction by the text of its file.
pub fn described(text: &str) -> Result<Unit, Failure> {
    let subject = Subject::from_toml("text", text).map_err(|error| Failure::new(Status::File, error.to_string()))?;
    Ok(Unit::new(&subject))
}

/// Opens a unit or an instruction of the catalogue. *unit is to be given back by tensorsmith_close; after an error it is as before.
///
/// # Safety
/// `name` ends with a zero byte; `unit` points to room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_open(name: *const c_char, unit: *mut *mut Unit) -> Status {
    entry(|| {
        // SAFETY: the caller's promise.
        unsafe {
            require("unit", unit)?;
            let opened = named(text("name", name)?)?;
            give("unit", unit, Box::into_raw(Box::new(opened)))
        }
    })
}

/// The instruction that a device's libraries run for such operands.
fn of_device(device: &str, a: &str, b: &str, c: Option<&str>) -> Result<Unit, Failure> {
    let found = Device::meant(device).ok_or_else(|| {
        let device = unknown_name(device, || catalogue::device_names().into_iter().map(str::to_owned).collect());
        Failure::new(
            Status::Name,
            format!("device is {device}; allowed: a device of the catalogue, or one of its parts"),
        )
    })?;
    for (name, format) in [("a", Some(a)), ("b", Some(b)), ("c", c)] {
        if let Some(format) = format.filter(|format| Format::named(format).is_none()) {
            let known: Vec<String> = Format::standard().into_iter().map(|format| format.name).collect();
            return Err(Failure::value(name, format!("{format:?}"), known.join(", ")));
        }
    }
    match found.default_for(&Wanted { a, b, c, converts: false }) {
        Ok((instruction, _)) => Ok(Unit::new(&Subject::Instruction(instruction.clone()))),
        Err(error) => Err(Failure::new(Status::Value, error.to_string())),
    }
}

/// Opens the instruction that a device's libraries run for operands of these formats, such as "e4m3"; tensorsmith_name_of says which
/// one it is. c is the format of the addend, or null where any will do: then results in binary16 are not chosen. *unit is to be given back
/// by tensorsmith_close; after an error it is as before. Since TENSORSMITH_ABI_MINOR 1.
///
/// # Safety
/// `device`, `a`, `b`, and `c` unless it is null, end with a zero byte; `unit` points to room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_open_device(
    device: *const c_char,
    a: *const c_char,
    b: *const c_char,
    c: *const c_char,
    unit: *mut *mut Unit,
) -> Status {
    entry(|| {
        // SAFETY: the caller's promise.
        unsafe {
            require("unit", unit)?;
            let c = if c.is_null() { None } else { Some(text("c", c)?) };
            let opened = of_device(text("device", device)?, text("a", a)?, text("b", b)?, c)?;
            give("unit", unit, Box::into_raw(Box::new(opened)))
        }
    })
}

/// Opens a unit or an instruction by the text of its file, of so many bytes. An instruction names units of the catalogue. *unit is
/// to be given back by tensorsmith_close; after an error it is as before.
///
/// # Safety
/// `text` points to as many bytes; `unit` points to room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_open_toml(text: *const c_char, length: usize, unit: *mut *mut Unit) -> Status {
    entry(|| {
        // SAFETY: the caller's promise.
        unsafe {
            require("unit", unit)?;
            let opened = described(text_of("text", text, length)?)?;
            give("unit", unit, Box::into_raw(Box::new(opened)))
        }
    })
}

/// Closes what was opened; null is nothing to close. No other function may be at work on it, nor be called with it afterwards.
///
/// # Safety
/// `unit` is null, or was opened and is not yet closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_close(unit: *mut Unit) {
    entry(|| {
        if !unit.is_null() {
            // SAFETY: the caller's promise.
            let unit = unsafe { Box::from_raw(unit) };
            engines::forget(&unit);
        }
        Ok(())
    });
}
