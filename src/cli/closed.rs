//! Whether standard output was closed when the program was started. The run-time library opens something else in its place before
//! `main`, and then nothing tells that what is printed is lost.
#![allow(unsafe_code, reason = "a function that runs before main is named in a section of the program")]

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether it was.
pub(super) fn was_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

/// Why nothing is written then.
pub(super) fn error() -> io::Error {
    io::Error::other("it is closed")
}

// SAFETY: the section holds functions of this form; this one uses nothing of the run-time library, which is not there yet.
#[cfg(any(target_os = "linux", target_os = "macos"))]
#[used]
#[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
#[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
static LOOK: extern "C" fn() = look;

#[cfg(any(target_os = "linux", target_os = "macos"))]
extern "C" fn look() {
    // SAFETY: the number is only asked about; it stands for standard output, open or not.
    let output = unsafe { std::os::fd::BorrowedFd::borrow_raw(1) };
    let is_closed = rustix::io::fcntl_getfd(output).is_err_and(|error| error == rustix::io::Errno::BADF);
    CLOSED.store(is_closed, Ordering::Relaxed);
}
