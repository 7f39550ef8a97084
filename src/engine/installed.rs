//! What lies beside an installed program: recordings of real hardware, and netlists that Yosys made.

use std::env;
use std::io;
use std::path::PathBuf;

/// The program that runs: as the system says, or, where it says nothing, as it was started.
///
/// # Errors
/// The system says nothing, and the program was found on PATH.
pub fn program() -> io::Result<PathBuf> {
    let named = |error| env::args_os().next().map(PathBuf::from).filter(|path| path.is_absolute()).ok_or(error);
    env::current_exe().or_else(named)
}

/// The folder `share/tensorsmith` beside the folder that the program lies in, if there is one.
pub fn folder() -> Option<PathBuf> {
    let program = program().ok()?.canonicalize().ok()?;
    let folder = program.parent()?.parent()?.join("share/tensorsmith");
    folder.is_dir().then_some(folder)
}

/// The folder of recordings of real hardware: of an installed program, or of the checkout that it was built in.
pub fn recordings() -> Option<PathBuf> {
    let of_checkout = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/recordings"));
    let found = folder().map(|folder| folder.join("recordings")).filter(|folder| folder.is_dir());
    found.or_else(|| Some(of_checkout).filter(|folder| folder.is_dir()))
}
