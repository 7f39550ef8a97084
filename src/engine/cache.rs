//! The cache of what is made of units at run time, libraries of verilated ones, netlists and proofs: its folder, its contents,
//! and answers that are kept there.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Once, OnceLock};

use crate::describe::text::shown_lines;
use crate::emit::digest;
use crate::verilate::{Cache, Error, Kind, plain};

pub use crate::verilate::{Contents, Entry, Key, Kind as EntryKind};

/// Level of compression.
const COMPRESSION: i32 = 3;

/// There is no place for a cache.
#[derive(Debug, Clone, thiserror::Error)]
#[error(
    "no folder for the cache: the user's home is no absolute path; allowed: one that the variable TENSORSMITH_CACHE names, or an \
     absolute path in XDG_CACHE_HOME or HOME"
)]
pub struct NoFolder;

/// Where built units are kept: the folder that the variable `TENSORSMITH_CACHE` names; else, for a program that is run from the
/// checkout where it was built by its user, one in its target folder that nobody else can write; else one among the user's caches.
///
/// # Errors
/// The user has neither such a variable nor a home with an absolute path.
pub fn cache_folder() -> Result<PathBuf, NoFolder> {
    static OF_BUILD: OnceLock<Option<PathBuf>> = OnceLock::new();
    let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let of_user = || {
        let caches = variable("XDG_CACHE_HOME").filter(|folder| folder.is_absolute());
        let home = || env::home_dir().filter(|home| home.is_absolute());
        Some(caches.or_else(|| Some(home()?.join(".cache")))?.join("tensorsmith"))
    };
    variable("TENSORSMITH_CACHE").or_else(|| OF_BUILD.get_or_init(of_build).clone()).or_else(of_user).ok_or(NoFolder)
}

/// The cache of the build that made this program, where the program lies beside it and files can be made in it.
fn of_build() -> Option<PathBuf> {
    let folder = PathBuf::from(option_env!("TENSORSMITH_CACHE_DEFAULT")?);
    let target = folder.parent()?.canonicalize().ok()?;
    let lies_there = env::current_exe().ok()?.canonicalize().ok()?.starts_with(target);
    let can_be_written = || plain::make_folder(&folder).is_ok() && tempfile::tempfile_in(&folder).is_ok();
    let is_own = || folder.metadata().is_ok_and(|found| plain::distrust(&found).is_none());
    (lies_there && can_be_written() && is_own()).then_some(folder)
}

/// The hash of the program that runs: whatever it decides, another build may decide otherwise.
pub fn program() -> Option<&'static str> {
    static PROGRAM: OnceLock<Option<String>> = OnceLock::new();
    let read = || Some(digest(&std::fs::read(env::current_exe().ok()?).ok()?));
    PROGRAM.get_or_init(read).as_deref()
}

/// What was proved, kept in a cache folder: each file whole, or as if it were not there.
#[derive(Debug, Clone, Default)]
pub struct Store(Option<Cache>);

impl Store {
    /// The store in the cache; without one nothing is kept, which costs time only.
    ///
    /// # Errors
    /// Others can write the cache: why it is refused.
    pub fn usual() -> Result<Store, String> {
        match cache_folder().map(|folder| Cache::open(&folder)) {
            Ok(Ok(cache)) => Ok(Store(Some(cache))),
            Ok(Err(Error::Refused(why))) => Err(why),
            Ok(Err(_)) | Err(NoFolder) => Ok(Store::default()),
        }
    }

    /// The store in a folder. One that cannot be used keeps nothing, which costs time only.
    pub fn open(folder: &Path) -> Store {
        Store::within(folder).unwrap_or_default()
    }

    /// The store in a folder.
    ///
    /// # Errors
    /// The folder cannot be made or read: why.
    pub fn within(folder: &Path) -> Result<Store, String> {
        Cache::open(folder).map(|cache| Store(Some(cache))).map_err(|error| error.to_string())
    }

    /// What is kept of a subject under a key. What others can write is not believed: it is proved again.
    pub fn get(&self, subject: &str, key: &str) -> Option<Vec<u8>> {
        static WARNED: Once = Once::new();
        let kept = self.0.as_ref()?.content(Kind::Proof, subject, key);
        let warn = |error: &Error| {
            WARNED.call_once(|| eprintln!("warning: {}; it is proved again", shown_lines(&error.to_string())))
        };
        zstd::decode_all(kept.inspect_err(warn).ok()??.as_slice()).ok()
    }

    /// Keeps some content of a subject under a key, in place of what was kept there. Where it cannot be written nothing is kept.
    pub fn put(&self, subject: &str, key: &str, content: &[u8]) {
        if let (Some(cache), Ok(packed)) = (&self.0, zstd::encode_all(content, COMPRESSION)) {
            let _ = cache.publish_content(Kind::Proof, subject, key, &packed);
        }
    }
}
