//! The instruction of a device for the formats of A, B and C, where none is named.

use std::path::Path;

use super::{Arguments, npy};
use crate::cli::output::note;
use crate::cli::{Failure, devices};
use tensorsmith::describe::defaults::Wanted;
use tensorsmith::describe::format::Format;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::text::Foreign;

/// The instruction that the device's libraries run, which the program reports with its source.
pub(super) fn instruction(arguments: &Arguments, device: &str) -> Result<Instruction, Failure> {
    let device = devices::named(&[device.to_owned()])?.remove(0);
    let [a, b] = match arguments.dtype.as_slice() {
        [] => [of_array(arguments, &arguments.a)?, of_array(arguments, &arguments.b)?],
        [both] => [named(both)?, named(both)?],
        [a, b] => [named(a)?, named(b)?],
        more => return Err(Failure(format!("--dtype: {} formats; allowed: one or two", more.len()))),
    };
    // Numbers in a text have no format; then any addend will do.
    let c =
        arguments.c.as_deref().filter(|path| npy::is_named(path)).map(|path| of_array(arguments, path)).transpose()?;
    let wanted = Wanted { a: &a.name, b: &b.name, c: c.as_ref().map(|format| format.name.as_str()), converts: false };
    let (instruction, evidence) = device.default_for(&wanted).map_err(|error| {
        let other = if error.is_about_c { "" } else { "; --dtype names them, or name an instruction" };
        Failure(format!("--device: {error}{other}"))
    })?;
    let (name, grade) = (&instruction.name, evidence.grade.name());
    note!("{}, {} x {}: {name} [{grade}] {}", device.name, a.name, b.name, evidence.source);
    Ok(instruction.clone())
}

fn named(name: &str) -> Result<Format, Failure> {
    npy::named(name).ok_or_else(|| {
        let names: Vec<String> = Format::standard().into_iter().map(|format| format.name).collect();
        Failure(format!("--dtype: {name:?}; allowed: {}, or a name of NumPy or ml_dtypes", names.join(", ")))
    })
}

/// The format of an array's elements, by their type.
fn of_array(arguments: &Arguments, path: &Path) -> Result<Format, Failure> {
    if npy::is_named(path) {
        return npy::format(path, &arguments.format);
    }
    Err(Failure(format!(
        "{}: the format of its numbers is not known; allowed: --dtype FORMAT beside --device",
        path.shown()
    )))
}
