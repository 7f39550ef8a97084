//! Folders that a program holds as long as it lives: it locks a file there, and the system unlocks it whatever ends the
//! program. So a folder whose maker was killed is known at once, on whatever machine that was; a number of a process would
//! say nothing of another machine, and is given anew. Never waits.

use super::plain;
use std::fs::{self, File, TryLockError};
use std::path::Path;

const LOCK: &str = "lock";
/// Its name before it is locked, so that nobody finds it unlocked.
const UNLOCKED: &str = "lock.new";

/// Holds a new folder until what is returned is dropped. Nothing where the file system knows no locks.
pub fn hold(folder: &Path) -> Option<File> {
    let new = folder.join(UNLOCKED);
    let file = File::create_new(&new).ok()?;
    let held = file.try_lock().is_ok() && fs::rename(&new, folder.join(LOCK)).is_ok();
    held.then_some(file)
}

/// Whether a folder was held by a program that has ended. Unknown, and so `false`, of one that never was held.
pub fn is_abandoned(folder: &Path) -> bool {
    match plain::open(&folder.join(LOCK)).map(|file| file.try_lock()) {
        Ok(Ok(())) => true,
        Ok(Err(TryLockError::WouldBlock | TryLockError::Error(_))) | Err(_) => false,
    }
}
