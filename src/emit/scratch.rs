//! Folders for files that are read, written or moved on, and are nobody's in the end.
//!
//! A folder is removed when it is dropped; where this program is ended first, by the program that works there
//! ([`crate::verilate::tied`]), or by the next program that makes such a folder in the same place and finds that nobody holds
//! this one.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Once;

use tempfile::TempDir;

use crate::verilate::held;

/// What the names of such folders begin with: among the system's temporary ones, and in a folder of the user.
const TEMPORARY: &str = "tensorsmith-";
const HIDDEN: &str = ".tensorsmith-";

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
        SWEPT.call_once(|| sweep(&temporary, TEMPORARY));
        Scratch::of(tempfile::Builder::new().prefix(TEMPORARY).tempdir_in(temporary)?)
    }

    /// A new folder within another one, on the same file system.
    pub fn within(folder: &Path) -> io::Result<Scratch> {
        sweep(folder, HIDDEN);
        Scratch::of(tempfile::Builder::new().prefix(HIDDEN).tempdir_in(folder)?)
    }

    fn of(folder: TempDir) -> io::Result<Scratch> {
        let lock = held::hold(folder.path());
        Ok(Scratch { folder, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes what killed programs left. Failures are left alone: somebody else may be removing the same folders.
fn sweep(place: &Path, prefix: &str) {
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        let named = entry.file_name().to_string_lossy().starts_with(prefix);
        // Not where a link leads.
        let is_folder = || entry.file_type().is_ok_and(|kind| kind.is_dir());
        if named && is_folder() && held::is_abandoned(&entry.path()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
