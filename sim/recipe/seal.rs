//! A checksum at the end of every file of the cache.
//!
//! Loading a truncated or damaged shared object can kill the process before any check of ours runs, and a foreign one
//! runs its own start-up code; a damaged object linked into a whole library would answer wrong. The system's loader
//! ignores bytes behind a shared object, so the seal goes there: the mark, then the SHA-256 of everything before the
//! mark, in hexadecimal. Never repairs anything.

use super::Error;
use super::cache::hexadecimal;
use sha2::{Digest, Sha256};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

const MARK: &[u8] = b"\ntensorsmith unit sha256 ";
const DIGITS: usize = 64;

/// Appends the seal to a finished file.
pub fn seal(path: &Path) -> Result<(), Error> {
    let bytes = fs::read(path).map_err(|error| Error::files("read", path, &error))?;
    let digits = hexadecimal(&Sha256::digest(&bytes));
    OpenOptions::new()
        .append(true)
        .open(path)
        .and_then(|mut file| file.write_all(&[MARK, digits.as_bytes()].concat()))
        .map_err(|error| Error::files("write", path, &error))
}

/// `Err` unless the file ends with the right seal.
pub fn check(path: &Path) -> Result<(), Error> {
    content(path).map(drop)
}

/// Everything before the seal; `Err` unless the seal is right.
pub fn content(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = fs::read(path).map_err(|error| Error::files("read", path, &error))?;
    let sealed = bytes.len().checked_sub(MARK.len() + DIGITS).and_then(|end| {
        let (content, seal) = bytes.split_at(end);
        let digits = seal.strip_prefix(MARK)?;
        Some((content, digits))
    });
    let Some((content, digits)) = sealed else {
        return Err(Error::Files(format!("{} is no unit library: it has no checksum at its end", path.display())));
    };
    if hexadecimal(&Sha256::digest(content)).as_bytes() != digits {
        return Err(Error::Files(format!("{} is damaged: its checksum differs", path.display())));
    }
    let length = content.len();
    bytes.truncate(length);
    Ok(bytes)
}
