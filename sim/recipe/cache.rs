//! The content-addressed cache: finished files under names that hold the hash of everything that went into them.
//!
//! Work happens in a folder of its own inside the cache and is published by one atomic rename: whoever sees a name sees
//! a whole file, two builders of the same thing are harmless, and a killed one leaves a work folder that a later one
//! removes. Every finished file ends in a seal; what has none, whatever it is, counts as missing and is replaced. What
//! others can write is refused, folder or file: models are code that is run. Never waits for another builder, never removes
//! a finished file (`contents` does, on request), and never relies on one to stay: what a build needs, it copies. What is
//! there is found without writing anything.

use super::contents::{self, Contents, Kind};
use super::{Error, held, plain, seal};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// One cache folder.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// Makes and marks the folder if needed, and removes what killed builds left there.
    ///
    /// # Errors
    /// `Refused` for one that others can write; it cannot be made or read.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let not_made = |error| match Error::files("create", folder, &error) {
            Error::Files(what) => Error::Files(format!("{what}; the variable TENSORSMITH_CACHE names another folder")),
            other => other,
        };
        plain::make_folder(folder).map_err(not_made)?;
        let cache = Self::of_others(folder)?;
        let contents = Contents::read(&cache.folder)?;
        contents::mark(&cache, &contents);
        contents::remove_stale(&contents);
        Ok(cache)
    }

    /// A folder that is there already, where nothing is written.
    ///
    /// # Errors
    /// `Refused` for one that others can write; it cannot be read.
    pub fn of_others(folder: &Path) -> Result<Self, Error> {
        let found = |error| Error::files("find", folder, &error);
        let folder = fs::canonicalize(folder).map_err(found)?;
        if let Some(reason) = plain::distrust(&fs::metadata(&folder).map_err(found)?) {
            let reason = format!("{reason}, or another folder, which TENSORSMITH_CACHE names");
            return Err(Error::refused("folder", &folder, &reason));
        }
        Ok(Self { folder })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What lies under that name: of a whole file its path and content. Notes that it was used.
    ///
    /// # Errors
    /// `Refused` where others can write the file, or a folder has its name. Anything else that is no whole file is replaced.
    fn whole(&self, name: &str) -> Result<Option<(PathBuf, Vec<u8>)>, Error> {
        let path = self.folder.join(name);
        match seal::open(&path) {
            Ok((file, content)) => {
                // The time of change is the time of the last use. In a cache that belongs to somebody else it stays.
                let _ = file.set_modified(SystemTime::now());
                Ok(Some((path, content)))
            }
            Err(error @ Error::Refused(_)) => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// The finished file of that name, if there is a whole one.
    pub fn find(&self, name: &str) -> Result<Option<PathBuf>, Error> {
        Ok(self.whole(name)?.map(|(path, _)| path))
    }

    /// The content of the finished file of a module with that key, if there is a whole one.
    pub fn content(&self, kind: Kind, module: &str, key: &str) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.whole(&contents::name(kind, module, key))?.map(|(_, content)| content))
    }

    /// Keeps a content under that key.
    pub fn publish_content(&self, kind: Kind, module: &str, key: &str, content: &[u8]) -> Result<(), Error> {
        let work = self.work()?;
        let made = work.path("content");
        fs::write(&made, content).map_err(|error| Error::files("write", &made, &error))?;
        self.publish(&made, &contents::name(kind, module, key)).map(drop)
    }

    /// A copy of the finished file without its seal, which stays whatever happens to the cache; false if there is no
    /// whole file of that name.
    pub fn copy(&self, name: &str, destination: &Path) -> Result<bool, Error> {
        let Some((_, content)) = self.whole(name)? else { return Ok(false) };
        fs::write(destination, content).map_err(|error| Error::files("write", destination, &error))?;
        Ok(true)
    }

    /// A new folder to work in, on the same file system, held by this program; removed when dropped.
    pub fn work(&self) -> Result<Work, Error> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = contents::work_name(process::id(), count, since.as_nanos());
        let folder = self.folder.join(name);
        plain::make_own_folder(&folder).map_err(|error| Error::files("create", &folder, &error))?;
        // Without a lock the folder is removed once it is stale.
        let lock = held::hold(&folder).ok().flatten();
        Ok(Work { folder, _lock: lock })
    }

    /// Seals a file made in a work folder and gives it its name in the cache, in place of a damaged one, a link or a pipe.
    pub fn publish(&self, made: &Path, name: &str) -> Result<PathBuf, Error> {
        seal::seal(made, name)?;
        let path = self.folder.join(name);
        fs::rename(made, &path).map_err(|error| Error::files("publish", &path, &error))?;
        Ok(path)
    }
}

/// A folder of one build in progress.
pub struct Work {
    folder: PathBuf,
    _lock: Option<File>,
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
