//! A checksum at the end of every library that the recipe makes.
//!
//! Loading a truncated or damaged shared object can kill the process before any check of ours runs, and a foreign one
//! runs its own start-up code. The system's loader ignores bytes behind the object, so the seal goes there:
//! the mark, then the SHA-256 of everything before the mark, in hexadecimal.

use super::Error;
use super::cache::hexadecimal;
use sha2::{Digest, Sha256};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

const MARK: &[u8] = b"\ntensorsmith unit sha256 ";
const DIGITS: usize = 64;

/// Appends the seal to a finished library.
pub fn seal(library: &Path) -> Result<(), Error> {
    let bytes = fs::read(library).map_err(|error| Error::files("read", library, &error))?;
    let digits = hexadecimal(&Sha256::digest(&bytes));
    OpenOptions::new()
        .append(true)
        .open(library)
        .and_then(|mut file| file.write_all(&[MARK, digits.as_bytes()].concat()))
        .map_err(|error| Error::files("write", library, &error))
}

/// `Err` unless the file ends with the right seal.
pub fn check(library: &Path) -> Result<(), Error> {
    let bytes = fs::read(library).map_err(|error| Error::files("read", library, &error))?;
    let sealed = bytes.len().checked_sub(MARK.len() + DIGITS).and_then(|end| {
        let (object, seal) = bytes.split_at(end);
        let digits = seal.strip_prefix(MARK)?;
        Some((object, digits))
    });
    let Some((object, digits)) = sealed else {
        return Err(Error::Files(format!("{} is no unit library: it has no checksum at its end", library.display())));
    };
    if hexadecimal(&Sha256::digest(object)).as_bytes() != digits {
        return Err(Error::Files(format!("{} is damaged: its checksum differs", library.display())));
    }
    Ok(())
}
