//! A checksum at the end of every file of the cache.
//!
//! Loading a truncated or damaged shared object can kill the process before any check of ours runs, and a foreign one
//! runs its own start-up code; a damaged object linked into a whole library would answer wrong. The system's loader
//! ignores bytes behind a shared object, so the seal goes there: the mark, then the SHA-256 of the file's name and of
//! everything before the mark, in hexadecimal. The name holds the key, so that a whole file under the name of another is
//! none of the cache. Never repairs anything.

use super::cache::hexadecimal;
use super::{Error, plain};
use sha2::{Digest, Sha256};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

const MARK: &[u8] = b"\ntensorsmith unit sha256 ";
const DIGITS: usize = 64;

/// A name has no line break, so that name and content cannot run together.
fn digits(name: &str, content: &[u8]) -> String {
    hexadecimal(&Sha256::new().chain_update(name).chain_update("\n").chain_update(content).finalize())
}

/// Appends the seal to a finished file that will have that name.
pub fn seal(path: &Path, name: &str) -> Result<(), Error> {
    let bytes = fs::read(path).map_err(|error| Error::files("read", path, &error))?;
    let digits = digits(name, &bytes);
    OpenOptions::new()
        .append(true)
        .open(path)
        .and_then(|mut file| file.write_all(&[MARK, digits.as_bytes()].concat()))
        .and_then(|()| plain::close_to_others(path))
        .map_err(|error| Error::files("write", path, &error))
}

/// `Err` unless the file ends with the right seal.
pub fn check(path: &Path) -> Result<(), Error> {
    open(path).map(drop)
}

/// The file and everything before its seal.
///
/// # Errors
/// `Refused` where others can write it, or a folder has its name; otherwise there is none, or the seal is wrong.
pub fn open(path: &Path) -> Result<(File, Vec<u8>), Error> {
    let (file, mut bytes) = read(path)?;
    let sealed = bytes.len().checked_sub(MARK.len() + DIGITS).and_then(|end| {
        let (content, seal) = bytes.split_at(end);
        let digits = seal.strip_prefix(MARK)?;
        Some((content, digits))
    });
    let Some((content, found)) = sealed else {
        return Err(Error::Files(format!("{} is no unit library: it has no checksum at its end", path.display())));
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if digits(&name, content).as_bytes() != found {
        let path = path.display();
        return Err(Error::Files(format!("{path} is damaged, or was made under another name: its checksum differs")));
    }
    let length = content.len();
    bytes.truncate(length);
    Ok((file, bytes))
}

/// The bytes of a plain file that nobody else can write.
fn read(path: &Path) -> Result<(File, Vec<u8>), Error> {
    let failed = |error: &io::Error| match error.kind() {
        io::ErrorKind::IsADirectory => Error::refused("file", path, "it is a folder; allowed: a file, or nothing"),
        _ => Error::files("read", path, error),
    };
    let mut file = plain::open(path).map_err(|error| failed(&error))?;
    let found = file.metadata().map_err(|error| failed(&error))?;
    if let Some(reason) = plain::distrust(&found) {
        return Err(Error::refused("file", path, &reason));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    Ok((file, bytes))
}
