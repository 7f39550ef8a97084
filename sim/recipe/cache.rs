//! The content-addressed cache: finished files under names that hold the hash of everything that went into them.
//!
//! Work happens in a folder of its own inside the cache and is published by one atomic rename: whoever sees a name sees
//! a whole file, two builders of the same thing are harmless, and a killed one leaves a work folder that a later one
//! removes. Never locks, never removes a finished file.

use super::Error;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How old a work folder must be before it counts as left over from a killed build.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);
const WORK_PREFIX: &str = "work-";

/// One cache folder.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// Makes the folder if needed and removes what killed builds left there.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(|error| Error::files("create", folder, &error))?;
        let folder = fs::canonicalize(folder).map_err(|error| Error::files("find", folder, &error))?;
        remove_stale(&folder);
        Ok(Self { folder })
    }

    /// The finished file of that name, if there is one.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        let path = self.folder.join(name);
        let whole = fs::metadata(&path).is_ok_and(|found| found.is_file() && found.len() > 0);
        whole.then_some(path)
    }

    /// A new, empty folder to work in, on the same file system; removed when dropped.
    pub fn work(&self) -> Result<Work, Error> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{WORK_PREFIX}{}-{count}-{}", process::id(), since.as_nanos());
        let folder = self.folder.join(name);
        fs::create_dir(&folder).map_err(|error| Error::files("create", &folder, &error))?;
        Ok(Work { folder })
    }

    /// Gives a file made in a work folder its name in the cache.
    pub fn publish(&self, made: &Path, name: &str) -> Result<PathBuf, Error> {
        let path = self.folder.join(name);
        fs::rename(made, &path).map_err(|error| Error::files("publish", &path, &error))?;
        Ok(path)
    }
}

/// Failures are left alone: somebody else may be removing the same folders.
fn remove_stale(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(WORK_PREFIX);
        let modified = entry.metadata().and_then(|found| found.modified());
        let old = modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > STALE));
        if ours && old {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// A folder of one build in progress.
pub struct Work {
    folder: PathBuf,
}

impl Work {
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.path(name);
        fs::write(&path, text).map_err(|error| Error::files("write", &path, &error))
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        // What cannot be removed now is removed as stale later.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A hash over a list of texts; each counts with its length, so that no two lists run together.
pub struct Key {
    hash: Sha256,
}

impl Key {
    pub fn new(kind: &str) -> Self {
        Self { hash: Sha256::new() }.text(super::RECIPE_VERSION).text(kind)
    }

    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.hash.update((text.len() as u64).to_le_bytes());
        self.hash.update(text.as_bytes());
        self
    }

    #[must_use]
    pub fn texts<'text>(self, texts: impl IntoIterator<Item = &'text str>) -> Self {
        texts.into_iter().fold(self, Self::text)
    }

    /// 32 hexadecimal digits: the first half of the hash, ample for a file name.
    pub fn finish(self) -> String {
        let mut digits = hexadecimal(&self.hash.finalize());
        digits.truncate(32);
        digits
    }
}

/// Lower-case hexadecimal digits of the bytes.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
