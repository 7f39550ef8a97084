//! One user of a port at a time within this program: threads that ask the same board wait for each other.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{self, ThreadId};

/// The ports that are in use, and by whom.
static TAKEN: Mutex<Vec<(PathBuf, ThreadId)>> = Mutex::new(Vec::new());
static GIVEN_BACK: Condvar = Condvar::new();

/// The use of a port, until it is dropped.
pub(super) struct Turn(PathBuf);

impl Turn {
    /// Waits until nobody of this program uses the port.
    ///
    /// # Errors
    /// This thread uses it already, and would wait for itself.
    pub fn take(path: &Path) -> io::Result<Turn> {
        let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some((_, thread)) = taken.iter().find(|(known, _)| known == path) {
            if *thread == thread::current().id() {
                return Err(io::Error::new(ErrorKind::ResourceBusy, "it is asked already; allowed: each board once"));
            }
            taken = GIVEN_BACK.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        taken.push((path.to_owned(), thread::current().id()));
        Ok(Turn(path.to_owned()))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        TAKEN.lock().unwrap_or_else(PoisonError::into_inner).retain(|(path, _)| *path != self.0);
        GIVEN_BACK.notify_all();
    }
}
