//! The cache of what is made of units at run time, libraries of verilated ones and netlists: its folder, and its contents.

use std::env;
use std::path::{Path, PathBuf};

pub use super::verilate::{Contents, Entry, Kind as EntryKind};

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
