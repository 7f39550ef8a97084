//! Files and folders that appear whole or not at all: written under another name beside their own, then renamed.

use std::io;
use std::path::Path;

use tempfile::{Builder, NamedTempFile, TempDir};

use super::ExchangeError;

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
fn builder(mode: u32) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    builder
}

#[cfg(not(unix))]
fn builder(_mode: u32) -> Builder<'static, 'static> {
    Builder::new()
}

/// A file beside `out`, removed unless published.
pub(super) fn file(out: &Path) -> Result<NamedTempFile, ExchangeError> {
    builder(0o666).tempfile_in(place(out)?).map_err(|error| failed(out, error))
}

/// A folder beside `out`, removed unless published.
pub(super) fn folder(out: &Path) -> Result<TempDir, ExchangeError> {
    builder(0o777).tempdir_in(place(out)?).map_err(|error| failed(out, error))
}

/// Gives a file its name.
pub(super) fn publish_file(file: NamedTempFile, out: &Path) -> Result<(), ExchangeError> {
    file.persist_noclobber(out).map(drop).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => ExchangeError::There { path: out.to_owned() },
        _ => failed(out, error.error),
    })
}

/// Gives a folder its name.
pub(super) fn publish_folder(folder: TempDir, out: &Path) -> Result<(), ExchangeError> {
    place(out)?;
    std::fs::rename(folder.path(), out).map_err(|error| failed(out, error))?;
    // It has another name now, so that there is nothing left to remove.
    let _ = folder.keep();
    Ok(())
}
