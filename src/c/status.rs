//! What functions answer, and the text of the last error of each thread. No panic passes an entry.
#![allow(unsafe_code, reason = "a C function is exported")]

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a function answers; of all but OK `tensorsmith_last_error` has the text.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// A pointer is null that has to point to something.
    Null = 1,
    /// An array has the wrong length.
    Length = 2,
    /// A text is not UTF-8.
    Text = 3,
    /// No unit and no instruction of the catalogue has the name.
    Name = 4,
    /// A unit file or an instruction file is not accepted.
    File = 5,
    /// A value is not among those that are allowed.
    Value = 6,
    /// A fault of the library itself: a panic was caught. The handle can still be used.
    Internal = 7,
}

/// Why a function did nothing.
#[derive(Debug)]
pub struct Failure {
    pub status: Status,
    pub text: String,
}

impl Failure {
    pub fn new(status: Status, text: impl Into<String>) -> Failure {
        Failure { status, text: text.into() }
    }

    /// A field with a value that is not allowed.
    pub fn value(field: &str, value: impl std::fmt::Display, allowed: impl std::fmt::Display) -> Failure {
        Failure::new(Status::Value, format!("{field} is {value}; allowed: {allowed}"))
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Keeps the text of an error for the calling thread; a thread that is ending has no place for it.
fn keep(text: &str) {
    let text = CString::new(text.replace('\0', "\\0")).unwrap_or_default();
    let _ = LAST.try_with(|last| last.replace(text));
}

/// What a panic says. What was thrown otherwise is never dropped, since that may panic too.
fn text_of(payload: Box<dyn Any + Send>) -> String {
    let others = match payload.downcast::<String>() {
        Ok(text) => return *text,
        Err(others) => others,
    };
    match others.downcast::<&'static str>() {
        Ok(text) => (*text).to_owned(),
        Err(others) => {
            std::mem::forget(others);
            "no text".to_owned()
        }
    }
}

/// The work of an entry. A panic becomes an error.
pub fn entry(work: impl FnOnce() -> Result<(), Failure>) -> Status {
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return Status::Ok,
        Ok(Err(failure)) => failure,
        Err(payload) => Failure::new(Status::Internal, format!("a fault of the library: {}", text_of(payload))),
    };
    keep(&failure.text);
    failure.status
}

/// The text of the last error on the calling thread: field, value and what is allowed. Empty where there was none. It stays until
/// the next error on the same thread.
#[unsafe(no_mangle)]
pub extern "C" fn tensorsmith_last_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"the thread is ending".as_ptr())
}
