//! Files and folders that appear whole or not at all: written under another name beside their own, then renamed.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::ExchangeError;
use crate::emit::scratch::Scratch;

fn failed(path: &Path, source: io::Error) -> ExchangeError {
    ExchangeError::Write { path: path.to_owned(), source }
}

/// The folder that the name will stand in; nothing may have the name yet.
fn place(out: &Path) -> Result<&Path, ExchangeError> {
    if out.symlink_metadata().is_ok() {
        return Err(ExchangeError::There { path: out.to_owned() });
    }
    if out.file_name().is_none() {
        return Err(failed(out, io::Error::other("it is no name of a file or a folder")));
    }
    Ok(out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))
}

/// As readable as anything new: the user's own mask decides.
#[cfg(unix)]
fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

#[cfg(not(unix))]
fn builder() -> Builder<'static, 'static> {
    Builder::new()
}

/// A file that is removed unless published, in a folder that the next program removes where this one is killed.
pub(super) struct File {
    pub file: NamedTempFile,
    _folder: Scratch,
}

/// A new file beside `out`.
pub(super) fn file(out: &Path) -> Result<File, ExchangeError> {
    let folder = Scratch::within(place(out)?).map_err(|error| failed(out, error))?;
    let file = builder().tempfile_in(folder.path()).map_err(|error| failed(out, error))?;
    Ok(File { file, _folder: folder })
}

/// A folder that is removed unless published.
pub(super) struct Folder(Scratch);

impl Folder {
    /// Where its files are written.
    pub fn path(&self) -> PathBuf {
        self.0.path().join("content")
    }
}

/// A new folder beside `out`.
pub(super) fn folder(out: &Path) -> Result<Folder, ExchangeError> {
    let folder = Scratch::within(place(out)?).map(Folder).map_err(|error| failed(out, error))?;
    std::fs::create_dir(folder.path()).map_err(|error| failed(out, error))?;
    Ok(folder)
}

/// Gives a file its name.
pub(super) fn publish_file(staged: File, out: &Path) -> Result<(), ExchangeError> {
    staged.file.persist_noclobber(out).map(drop).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => ExchangeError::There { path: out.to_owned() },
        _ => failed(out, error.error),
    })
}

/// Gives a folder its name.
pub(super) fn publish_folder(folder: Folder, out: &Path) -> Result<(), ExchangeError> {
    place(out)?;
    std::fs::rename(folder.path(), out).map_err(|error| failed(out, error))
}
