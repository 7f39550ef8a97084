//! Memory of Python's as elements, and elements as memory for Python, without copies.
#![allow(unsafe_code, reason = "Python lends memory, and is lent some")]

use std::ffi::c_int;
use std::slice;
use std::sync::Arc;

use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::{IntoPyObjectExt, ffi};

use tensorsmith::engine::gemm::{Elements, Store};

use crate::failure::Failure;

/// Contiguous memory that Python lends until this is dropped.
struct Lent<T: Element>(PyBuffer<T>);

impl<T: Element> AsRef<[T]> for Lent<T> {
    fn as_ref(&self) -> &[T] {
        let count = self.0.item_count();
        if count == 0 {
            return &[];
        }
        // SAFETY: the buffer is contiguous, holds as many elements of this type, aligned, and stays there as long as it is held.
        // Every pattern of bits is an element, so that whoever writes to the array meanwhile gets other numbers, no fault.
        unsafe { slice::from_raw_parts(self.0.buf_ptr().cast(), count) }
    }
}

fn lent<T: Element + Send + Sync + Clone + 'static>(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Store<T>> {
    let buffer: PyBuffer<T> = PyBuffer::get(object)?;
    let is_aligned = buffer.buf_ptr().cast::<T>().is_aligned() || buffer.item_count() == 0;
    if !buffer.is_c_contiguous() || !is_aligned {
        let text = format!("{name} is an array with gaps or a wrong alignment; allowed: contiguous arrays");
        return Err(Failure::Value(text).into());
    }
    Ok(Store::lent(Arc::new(Lent(buffer))))
}

/// The elements of a contiguous array of uint8, uint16, uint32 or uint64, where they are. `name` is the argument's.
pub fn elements(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Elements> {
    let kind = pyo3::buffer::PyUntypedBuffer::get(object)
        .map_err(|error| PyTypeError::new_err(format!("{name}: {error}; allowed: arrays of unsigned integers")))?;
    let (format, size) = (kind.format().to_string_lossy().into_owned(), kind.item_size());
    drop(kind);
    let letter = format.trim_start_matches(['@', '=', '<']);
    match (letter, size) {
        ("B", 1) => Ok(lent::<u8>(name, object)?.into()),
        ("H", 2) => Ok(lent::<u16>(name, object)?.into()),
        ("I" | "L", 4) => Ok(lent::<u32>(name, object)?.into()),
        ("L" | "Q", 8) => Ok(lent::<u64>(name, object)?.into()),
        _ => {
            let allowed = "arrays of uint8, uint16, uint32 or uint64";
            Err(PyTypeError::new_err(format!("{name} has elements {format:?} of {size} bytes; allowed: {allowed}")))
        }
    }
}

/// A list of encodings of 1, 2, 4 or 8 bytes, whose memory others may read and write as bytes.
#[pyclass(module = "tensorsmith._native")]
pub struct Words(Elements);

impl Words {
    pub fn new(elements: Elements) -> Words {
        let own = |mut elements: Elements| {
            // Memory that is lent could be changed by two.
            match &mut elements {
                Elements::U8(list) => drop(list.own().as_ptr()),
                Elements::U16(list) => drop(list.own().as_ptr()),
                Elements::U32(list) => drop(list.own().as_ptr()),
                Elements::U64(list) => drop(list.own().as_ptr()),
            }
            elements
        };
        Words(own(elements))
    }

    /// Encodings of at most `width` bits.
    pub fn of(width: u32, encodings: &[u64]) -> Words {
        Words::new(Elements::of(width, encodings))
    }

    fn bytes(&mut self) -> (*mut u8, usize) {
        match &mut self.0 {
            Elements::U8(list) => (list.own().as_mut_ptr(), list.len()),
            Elements::U16(list) => (list.own().as_mut_ptr().cast(), 2 * list.len()),
            Elements::U32(list) => (list.own().as_mut_ptr().cast(), 4 * list.len()),
            Elements::U64(list) => (list.own().as_mut_ptr().cast(), 8 * list.len()),
        }
    }
}

#[pymethods]
impl Words {
    /// So many zeros, with room for encodings of that many bits.
    #[staticmethod]
    fn zeros(width: u32, count: usize) -> Words {
        Words(Elements::zeros(width, count))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// Bytes of an element.
    #[getter]
    fn item_size(&self) -> usize {
        match &self.0 {
            Elements::U8(_) => 1,
            Elements::U16(_) => 2,
            Elements::U32(_) => 4,
            Elements::U64(_) => 8,
        }
    }

    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let (start, length) = slf.try_borrow_mut()?.bytes();
        // SAFETY: the list never changes its length, so that its memory stays where it is as long as the object lives, which the
        // view keeps alive; `view` is the interpreter's.
        let status = unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start.cast(), length as isize, 0, flags) };
        if status == 0 { Ok(()) } else { Err(PyErr::fetch(slf.py())) }
    }
}

/// As an argument for Python.
pub fn object<'py>(py: Python<'py>, width: u32, encodings: &[u64]) -> PyResult<Bound<'py, PyAny>> {
    Words::of(width, encodings).into_bound_py_any(py)
}
