//! Files that may be believed: plain ones, which nobody but their owner can write. Never follows a link, never waits.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

/// Opens a plain file for reading.
///
/// # Errors
/// There is none: nothing at all, a link, a folder, a pipe, a device.
#[cfg(unix)]
pub fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt as _;
    // Without NONBLOCK a pipe would be waited for until somebody writes to it; of a plain file it means nothing.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    check(&file.metadata()?).map(|()| file)
}

/// The same where the system has no such flags.
#[cfg(not(unix))]
pub fn open(path: &Path) -> io::Result<File> {
    check(&fs::symlink_metadata(path)?)?;
    File::open(path)
}

fn check(found: &Metadata) -> io::Result<()> {
    match (found.is_file(), found.is_dir()) {
        (true, _) => Ok(()),
        (_, true) => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file")),
    }
}

/// The text of a plain file; empty where there is none.
pub fn text(path: &Path) -> String {
    open(path).and_then(io::read_to_string).unwrap_or_default()
}

/// Why somebody else than who runs this, and root, can have made or changed a file or folder; nothing if nobody can.
#[cfg(unix)]
pub fn distrust(found: &Metadata) -> Option<String> {
    use std::os::unix::fs::MetadataExt as _;
    let (owner, user) = (found.uid(), rustix::process::geteuid().as_raw());
    if owner != user && owner != 0 {
        return Some(format!("it belongs to user {owner}; allowed: user {user}, who runs this, and root"));
    }
    let mode = found.mode() & 0o777;
    let by_others = mode & BY_OTHERS != 0;
    by_others.then(|| format!("others can write it (mode {mode:03o}); allowed: its owner alone (chmod go-w)"))
}

#[cfg(not(unix))]
pub fn distrust(_found: &Metadata) -> Option<String> {
    None
}

/// Writing by the group and by everybody.
#[cfg(unix)]
const BY_OTHERS: u32 = 0o022;

/// Takes a file from everybody but its owner to write, whatever the user's mask is.
#[cfg(unix)]
pub fn close_to_others(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = fs::symlink_metadata(path)?.permissions().mode();
    fs::set_permissions(path, fs::Permissions::from_mode(mode & !BY_OTHERS))
}

#[cfg(not(unix))]
pub fn close_to_others(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Makes a folder, with those above it, that others may read.
pub fn make_folder(path: &Path) -> io::Result<()> {
    builder(0o755).recursive(true).create(path)
}

/// Makes a folder that is the user's own.
pub fn make_own_folder(path: &Path) -> io::Result<()> {
    builder(0o700).create(path)
}

#[cfg(unix)]
fn builder(mode: u32) -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, mode);
    builder
}

#[cfg(not(unix))]
fn builder(_mode: u32) -> fs::DirBuilder {
    fs::DirBuilder::new()
}
