//! What SystemVerilog imports, of one unit each: operands element by element, since the import of a function has one type for
//! units of all sizes. The types are those of IEEE 1800-2017, 35.5.6 and table H.1: chandle is a pointer, string a text, int and
//! longint unsigned are integers; so nothing of svdpi.h is needed.
#![allow(unsafe_code, reason = "C functions are exported, and take the caller's pointers")]

use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tensorsmith_numerics::engine::Vector;

use crate::engines::Way;
use crate::memory::{Arrays, shared, text};
use crate::open::described;
use crate::status::{Failure, Status, entry, tensorsmith_last_error};
use crate::unit::{Unit, may_be_shared};
use crate::vectors::{run, trace_of};

/// A unit and the vector that its next answer is for.
struct Model {
    unit: Unit,
    state: Mutex<State>,
}

const _: () = may_be_shared::<Model>();

struct State {
    vector: Vector,
    /// The last text that was given; it lives until the next one.
    text: CString,
}

impl Model {
    /// Nothing is left half done by a panic: elements are put one by one.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn arrays(&self, unit: &Unit) -> Arrays<'_> {
        let Vector { a, b, c, scale_a, scale_b } = &self.vector;
        let c = if unit.interface.has_addend() { std::slice::from_ref(c) } else { &[] };
        Arrays { a, b, c, scale_a, scale_b }
    }
}

fn put(model: &Model, operand: c_int, index: c_int, value: u64) -> Result<(), Failure> {
    let vector = &mut model.state().vector;
    let values = match operand {
        0 => &mut vector.a[..],
        1 => &mut vector.b[..],
        2 => std::slice::from_mut(&mut vector.c),
        4 => &mut vector.scale_a[..],
        5 => &mut vector.scale_b[..],
        _ => return Err(Failure::value("operand", operand, "0 a, 1 b, 2 c, 4 scale of a, 5 scale of b")),
    };
    let count = values.len();
    let place = usize::try_from(index).ok().and_then(|index| values.get_mut(index));
    *place.ok_or_else(|| Failure::value("index", index, format!("less than {count}, the elements of a vector")))? =
        value;
    Ok(())
}

/// For SystemVerilog: opens a unit by the text of its unit file. Null after an error.
///
/// # Safety
/// `description` ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_dpi_open(description: *const c_char) -> *mut c_void {
    let mut opened = std::ptr::null_mut();
    entry(|| {
        // SAFETY: the caller's promise.
        let unit = described(unsafe { text("description", description)? })?;
        if !unit.is_unit {
            return Err(Failure::value("description", "an instruction file", "a unit file"));
        }
        let (products, scales) = (unit.interface.products as usize, unit.interface.scale_count() as usize);
        let vector = Vector {
            a: vec![0; products],
            b: vec![0; products],
            c: 0,
            scale_a: vec![0; scales],
            scale_b: vec![0; scales],
        };
        let state = Mutex::new(State { vector, text: CString::default() });
        opened = Box::into_raw(Box::new(Model { unit, state })).cast();
        Ok(())
    });
    opened
}

/// For SystemVerilog: closes a unit; null is nothing to close.
///
/// # Safety
/// `model` is null, or was opened and is not yet closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_dpi_close(model: *mut c_void) {
    entry(|| {
        if !model.is_null() {
            // SAFETY: the caller's promise.
            let model = unsafe { Box::from_raw(model.cast::<Model>()) };
            crate::engines::forget(&model.unit);
        }
        Ok(())
    });
}

/// For SystemVerilog: sets an element of an operand, by the numbers TENSORSMITH_A and so on. 0, or the number of an error.
///
/// # Safety
/// `model` is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_dpi_put(model: *mut c_void, operand: c_int, index: c_int, value: u64) -> c_int {
    // SAFETY: the caller's promise.
    entry(|| put(unsafe { shared("model", model.cast::<Model>())? }, operand, index, value)) as c_int
}

/// For SystemVerilog: *answer is the result of the operands that were put, with its flags above it where the unit has them. Its events
/// are counted where `counted` is not 0. 0, or the number of an error.
///
/// # Safety
/// `model` is open; `answer` points to room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_dpi_run(model: *mut c_void, counted: c_int, answer: *mut u64) -> c_int {
    let status = entry(|| {
        // SAFETY: the caller's promise.
        let model = unsafe { shared("model", model.cast::<Model>())? };
        let state = model.state();
        let (mut d, mut flags) = ([0], [0]);
        let way = if counted == 0 { Way::Scalar } else { Way::Counted };
        run(&model.unit, way, &state.arrays(&model.unit), &mut d, &mut flags)?;
        let word = d[0] | u64::from(flags[0]) << model.unit.interface.formats.d.width();
        // SAFETY: the caller's promise.
        unsafe { crate::memory::give("answer", answer, word) }
    });
    status as c_int
}

/// Keeps a text until the next one, and gives it; a text of the error where there is none.
unsafe fn say(model: *mut c_void, text: impl FnOnce(&Model, &State) -> Result<String, Failure>) -> *const c_char {
    let mut said = std::ptr::null();
    let status = entry(|| {
        // SAFETY: the caller's promise.
        let model = unsafe { shared("model", model.cast::<Model>())? };
        let mut state = model.state();
        let text = text(model, &state)?;
        state.text = CString::new(text).unwrap_or_default();
        said = state.text.as_ptr();
        Ok(())
    });
    if status == Status::Ok { said } else { tensorsmith_last_error() }
}

/// For SystemVerilog: the intermediate values of the operands that were put, a line a signal.
///
/// # Safety
/// `model` is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_dpi_trace(model: *mut c_void) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { say(model, |model, state| trace_of(&model.unit, &state.arrays(&model.unit))) }
}

/// For SystemVerilog: the events that were counted, a line an event, and in the last line how many of them were seen.
///
/// # Safety
/// `model` is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_dpi_coverage(model: *mut c_void) -> *const c_char {
    let coverage = |model: &Model, _: &State| {
        let events = &model.unit.events;
        let counts: Vec<u64> = events.iter().map(|event| event.count.load(Ordering::Relaxed)).collect();
        let line = |(event, count): (&crate::unit::Counted, &u64)| format!("  {count:>10} {}\n", event.event.name());
        let lines: String = events.iter().zip(&counts).map(line).collect();
        let seen = counts.iter().filter(|count| **count > 0).count();
        Ok(format!("{lines}  {seen} of {} events in {} vectors", events.len(), model.unit.vectors()))
    };
    // SAFETY: the caller's promise.
    unsafe { say(model, coverage) }
}

/// For SystemVerilog: the text of the last error.
#[unsafe(no_mangle)]
pub extern "C" fn tensorsmith_dpi_error() -> *const c_char {
    tensorsmith_last_error()
}
