//! Folders that a program holds as long as it lives: it locks a file there, and the system unlocks it whatever ends the
//! program. So a folder whose maker was killed is known at once, on whatever machine that was; a number of a process would
//! say nothing of another machine, and is given anew. Never waits.

use super::plain;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;

const LOCK: &str = "lock";
/// Its name before it is locked, so that nobody finds it unlocked.
const UNLOCKED: &str = "lock.new";

/// Holds a new folder until the returned file is dropped. `None` where the file system has no locks.
///
/// # Errors
/// The lock cannot be created; `NotFound` where [`remove_unheld`] took the folder.
pub fn hold(folder: &Path) -> io::Result<Option<File>> {
    let new = folder.join(UNLOCKED);
    let file = File::create_new(&new)?;
    match file.try_lock() {
        Ok(()) => fs::rename(&new, folder.join(LOCK)).map(|()| Some(file)),
        Err(TryLockError::WouldBlock) => Err(ErrorKind::NotFound.into()),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Whether a folder was held by a program that has ended. Unknown, and so `false`, of one that never was held.
pub fn is_abandoned(folder: &Path) -> bool {
    match plain::open(&folder.join(LOCK)).map(|file| file.try_lock()) {
        Ok(Ok(())) => true,
        Ok(Err(TryLockError::WouldBlock | TryLockError::Error(_))) | Err(_) => false,
    }
}

/// Removes a folder and its lock last: if the program is killed meanwhile, the rest is still known to be abandoned.
pub fn remove(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten().filter(|entry| entry.file_name() != LOCK) {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let _ = if is_folder { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) };
    }
    let _ = fs::remove_dir_all(folder);
}

/// Removes a folder whose maker was killed before it held it: it is empty, or has an unlocked lock only. If its maker is alive
/// after all, its [`hold`] fails.
pub fn remove_unheld(folder: &Path) {
    let new = folder.join(UNLOCKED);
    let file = plain::open(&new);
    if file.as_ref().is_ok_and(|file| file.try_lock().is_ok()) {
        let _ = fs::remove_file(&new);
    }
    // Fails unless it is empty.
    let _ = fs::remove_dir(folder);
}
