//! What callers hand over, as Rust has it: texts, arrays, handles. The only file that follows a caller's pointer.
#![allow(unsafe_code, reason = "the functions of a C library take the caller's pointers")]

use std::ffi::{CStr, c_char};

use crate::status::{Failure, Status};

/// Arrays of encodings, vector after vector or matrices row by row. A length is a number of elements. What a unit does not have is
/// null with length 0; c may be left out so, too, for zeros.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Operands {
    pub a: *const u64,
    pub a_length: usize,
    pub b: *const u64,
    pub b_length: usize,
    pub c: *const u64,
    pub c_length: usize,
    pub scale_a: *const u64,
    pub scale_a_length: usize,
    pub scale_b: *const u64,
    pub scale_b_length: usize,
}

/// The same as Rust has them.
pub struct Arrays<'a> {
    pub a: &'a [u64],
    pub b: &'a [u64],
    pub c: &'a [u64],
    pub scale_a: &'a [u64],
    pub scale_b: &'a [u64],
}

fn null(name: &str) -> Failure {
    Failure::new(Status::Null, format!("{name} is null; allowed: a pointer to what it is to hold"))
}

/// The elements of an array.
///
/// # Safety
/// The pointer is null, or points to as many elements, which nobody writes meanwhile.
unsafe fn array<'a, T>(name: &str, pointer: *const T, length: usize) -> Result<&'a [T], Failure> {
    match (pointer.is_null(), length) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(null(name)),
        (false, _) => {
            check_size(name, length, size_of::<T>())?;
            // SAFETY: the caller's promise; the size was checked.
            Ok(unsafe { std::slice::from_raw_parts(pointer, length) })
        }
    }
}

/// The elements of an array that is written.
///
/// # Safety
/// The pointer is null, or points to as many elements, which nobody else reads or writes meanwhile.
pub unsafe fn room<'a, T>(name: &str, pointer: *mut T, length: usize) -> Result<&'a mut [T], Failure> {
    match (pointer.is_null(), length) {
        (_, 0) => Ok(&mut []),
        (true, _) => Err(null(name)),
        (false, _) => {
            check_size(name, length, size_of::<T>())?;
            // SAFETY: the caller's promise; the size was checked.
            Ok(unsafe { std::slice::from_raw_parts_mut(pointer, length) })
        }
    }
}

/// No array is larger than half of what can be addressed.
fn check_size(name: &str, length: usize, element: usize) -> Result<(), Failure> {
    let most = isize::MAX as usize / element;
    if length <= most {
        return Ok(());
    }
    Err(Failure::new(Status::Length, format!("{name}_length is {length}; allowed: at most {most}")))
}

impl Operands {
    /// The arrays.
    ///
    /// # Safety
    /// Each pointer is null, or points to as many elements as its length says, which nobody writes meanwhile.
    pub unsafe fn arrays<'a>(&self) -> Result<Arrays<'a>, Failure> {
        // SAFETY: the caller's promise.
        unsafe {
            Ok(Arrays {
                a: array("a", self.a, self.a_length)?,
                b: array("b", self.b, self.b_length)?,
                c: array("c", self.c, self.c_length)?,
                scale_a: array("scale_a", self.scale_a, self.scale_a_length)?,
                scale_b: array("scale_b", self.scale_b, self.scale_b_length)?,
            })
        }
    }
}

/// Refuses null, before anything is made that would be written there.
pub fn require<T>(name: &str, pointer: *const T) -> Result<(), Failure> {
    if pointer.is_null() { Err(null(name)) } else { Ok(()) }
}

/// What a pointer points to.
///
/// # Safety
/// The pointer is null, or points to a value that nobody writes meanwhile.
pub unsafe fn shared<'a, T>(name: &str, pointer: *const T) -> Result<&'a T, Failure> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(name))
}

/// Writes where a pointer points to.
///
/// # Safety
/// The pointer is null, or points to room for the value.
pub unsafe fn give<T>(name: &str, pointer: *mut T, value: T) -> Result<(), Failure> {
    require(name, pointer)?;
    // SAFETY: the caller's promise.
    unsafe { pointer.write(value) };
    Ok(())
}

/// A text that ends with a zero byte.
///
/// # Safety
/// The pointer is null, or points to bytes that end with a zero byte.
pub unsafe fn text<'a>(name: &str, pointer: *const c_char) -> Result<&'a str, Failure> {
    require(name, pointer)?;
    // SAFETY: the caller's promise.
    utf8(name, unsafe { CStr::from_ptr(pointer) }.to_bytes())
}

/// A text of so many bytes.
///
/// # Safety
/// The pointer is null, or points to as many bytes.
pub unsafe fn text_of<'a>(name: &str, pointer: *const c_char, length: usize) -> Result<&'a str, Failure> {
    // SAFETY: the caller's promise.
    utf8(name, unsafe { array(name, pointer.cast::<u8>(), length) }?)
}

fn utf8<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, Failure> {
    std::str::from_utf8(bytes).map_err(|error| {
        let place = error.valid_up_to();
        Failure::new(Status::Text, format!("{name} has byte {:#04x} at {place}; allowed: UTF-8", bytes[place]))
    })
}
