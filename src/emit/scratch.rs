//! Folders for files that are read, written or moved on, and are nobody's in the end.
//!
//! A folder is removed when it is dropped; where this program is ended first, by the program that works there
//! ([`crate::verilate::tied`]), or by the next program that makes such a folder in the same place and finds that nobody holds
//! this one.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Once;

use tempfile::TempDir;

use crate::verilate::held;

/// Prefix of the names of such folders. Nobody else makes one of such a name: an empty one is removed.
const PREFIX: &str = ".tensorsmith-";

/// A folder of this program.
pub(crate) struct Scratch {
    folder: TempDir,
    /// Dropped after the folder: nobody else removes it meanwhile.
    _lock: Option<File>,
}

impl Scratch {
    /// A new folder among the system's temporary ones, where other programs work.
    pub fn new() -> io::Result<Scratch> {
        static SWEPT: Once = Once::new();
        // A program that works there is told the whole path.
        let temporary = std::path::absolute(std::env::temp_dir())?;
        SWEPT.call_once(|| sweep(&temporary));
        Scratch::make(&temporary)
    }

    /// A new folder within another one, on the same file system.
    pub fn within(folder: &Path) -> io::Result<Scratch> {
        sweep(folder);
        Scratch::make(folder)
    }

    fn make(place: &Path) -> io::Result<Scratch> {
        loop {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place)?;
            match held::hold(folder.path()) {
                Ok(lock) => return Ok(Scratch { folder, _lock: lock }),
                // Another program removed the new folder before it was held.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        held::remove(self.folder.path());
    }
}

/// Removes what killed programs left. Failures are left alone: somebody else may be removing the same folders.
fn sweep(place: &Path) {
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        let is_named = entry.file_name().to_string_lossy().starts_with(PREFIX);
        // Not where a link leads.
        if is_named && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            match held::is_abandoned(&entry.path()) {
                true => held::remove(&entry.path()),
                false => held::remove_unheld(&entry.path()),
            }
        }
    }
}
