//! The cache of what is made of units at run time, libraries of verilated ones, netlists and proofs: its folder, its contents,
//! and answers that are kept there.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::verilate::{Cache, Kind};
use crate::emit::digest;

pub use super::verilate::{Contents, Entry, Key, Kind as EntryKind};

/// Level of compression.
const COMPRESSION: i32 = 3;

/// Where built units are kept: the variable `TENSORSMITH_CACHE`, else the folder of the build that made this program, else the user's cache folder.
#[must_use]
pub fn cache_folder() -> PathBuf {
    let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let of_build = || {
        let folder = PathBuf::from(option_env!("TENSORSMITH_CACHE_DEFAULT")?);
        folder.parent().is_some_and(Path::is_dir).then_some(folder)
    };
    let of_user = || {
        let caches = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")))?;
        Some(caches.join("tensorsmith"))
    };
    variable("TENSORSMITH_CACHE")
        .or_else(of_build)
        .or_else(of_user)
        .unwrap_or_else(|| env::temp_dir().join("tensorsmith-cache"))
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

    /// What is kept of a subject under a key.
    pub fn get(&self, subject: &str, key: &str) -> Option<Vec<u8>> {
        let packed = self.0.as_ref()?.content(Kind::Proof, subject, key)?;
        zstd::decode_all(packed.as_slice()).ok()
    }

    /// Keeps some content of a subject under a key, in place of what was kept there. Where it cannot be written nothing is kept.
    pub fn put(&self, subject: &str, key: &str, content: &[u8]) {
        if let (Some(cache), Ok(packed)) = (&self.0, zstd::encode_all(content, COMPRESSION)) {
            let _ = cache.publish_content(Kind::Proof, subject, key, &packed);
        }
    }
}
