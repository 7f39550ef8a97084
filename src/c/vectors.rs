//! Vectors, one or many: answers, events and traces.
#![allow(unsafe_code, reason = "C functions are exported, and take the caller's pointers")]

use std::ffi::c_char;

use tensorsmith_numerics::describe::format::Format;
use tensorsmith_numerics::engine::{Batch, Emulator, EngineError, Vector};

use crate::engines::{self, Way, Workplace};
use crate::memory::{Arrays, Operands, give, room, shared};
use crate::status::{Failure, Status, entry};
use crate::unit::Unit;

/// Vectors that go to an engine at once.
const CHUNK: usize = 1024;
/// From so many on the engine for many at a time is the faster one.
const MANY: usize = 64;

/// An array that belongs to an operand.
struct Operand<'a> {
    name: &'static str,
    values: &'a [u64],
    /// Elements of a vector.
    each: usize,
    format: Option<&'a Format>,
}

fn operands<'a>(unit: &'a Unit, arrays: &Arrays<'a>) -> [Operand<'a>; 5] {
    let (interface, formats) = (&unit.interface, &unit.interface.formats);
    let (products, scales) = (interface.products as usize, interface.scale_count() as usize);
    let [scale_a, scale_b] = interface.scales.as_ref().map_or([None; 2], |own| [Some(&own.a), Some(&own.b)]);
    let addend = interface.has_addend().then_some(&formats.c);
    [
        Operand { name: "a", values: arrays.a, each: products, format: Some(&formats.a) },
        Operand { name: "b", values: arrays.b, each: products, format: Some(&formats.b) },
        Operand { name: "c", values: arrays.c, each: usize::from(addend.is_some()), format: addend },
        Operand { name: "scale_a", values: arrays.scale_a, each: scales, format: scale_a },
        Operand { name: "scale_b", values: arrays.scale_b, each: scales, format: scale_b },
    ]
}

/// Refuses arrays of other lengths than `count` vectors have, and elements that are no encodings.
fn check(unit: &Unit, count: usize, arrays: &Arrays) -> Result<(), Failure> {
    for Operand { name, values, each, format } in operands(unit, arrays) {
        let expected = count.checked_mul(each);
        if Some(values.len()) != expected && !(name == "c" && values.is_empty()) {
            let expected = expected.map_or("what fits into memory".to_owned(), |expected| expected.to_string());
            let (found, unit) = (values.len(), unit.name.to_string_lossy());
            let allowed = format!("{expected}, that is {count} vectors of {each}, for {unit}");
            return Err(Failure::new(Status::Length, format!("{name}_length is {found}; allowed: {allowed}")));
        }
        let Some(format) = format else { continue };
        if let Some(place) = values.iter().position(|bits| bits & !format.mask() != 0) {
            let allowed = format!("encodings of {}, of {} bits", format.name, format.width());
            return Err(Failure::value(&format!("{name}[{place}]"), format!("{:#x}", values[place]), allowed));
        }
    }
    Ok(())
}

fn fill(batch: &mut Batch, first: usize, count: usize, arrays: &Arrays) {
    batch.resize(count);
    let (products, scales) = (batch.products() as usize, batch.scales() as usize);
    let copy = |own: &mut [u64], all: &[u64], each: usize| match all.is_empty() {
        true => own.fill(0),
        false => own.copy_from_slice(&all[first * each..][..count * each]),
    };
    copy(&mut batch.a, arrays.a, products);
    copy(&mut batch.b, arrays.b, products);
    copy(&mut batch.c, arrays.c, 1);
    copy(&mut batch.scale_a, arrays.scale_a, scales);
    copy(&mut batch.scale_b, arrays.scale_b, scales);
}

/// Answers vectors: d, and the flags where there is room for them.
pub fn run(unit: &Unit, way: Way, arrays: &Arrays, d: &mut [u64], flags: &mut [u8]) -> Result<(), Failure> {
    check(unit, d.len(), arrays)?;
    engines::with(unit, way, |Workplace { engine, batch, answers, .. }| {
        for first in (0..d.len()).step_by(CHUNK) {
            let count = CHUNK.min(d.len() - first);
            fill(batch, first, count, arrays);
            let before = engine.coverage().cloned();
            let ran = engine.run(batch, answers);
            ran.map_err(|error| Failure::new(Status::Internal, error.to_string()))?;
            for (place, &word) in answers.iter().enumerate() {
                let (result, raised) = unit.interface.split_answer(word);
                d[first + place] = result;
                if let Some(flags) = flags.get_mut(first + place) {
                    *flags = raised.map_or(0, |raised| raised.bits() as u8);
                }
            }
            if let Some(after) = engine.coverage() {
                unit.count(before.as_ref(), after);
            }
        }
        Ok(())
    })
}

/// A function of C that answers vectors.
///
/// # Safety
/// As of the functions below.
unsafe fn answer(
    (unit, counted): (*const Unit, bool),
    count: usize,
    vectors: *const Operands,
    (d, d_length): (*mut u64, usize),
    (flags, flags_length): (*mut u8, usize),
) -> Status {
    entry(|| {
        // SAFETY: the caller's promise.
        let (unit, arrays) = unsafe { (shared("unit", unit)?, shared("vectors", vectors)?.arrays()?) };
        if d_length != count {
            let text = format!("d_length is {d_length}; allowed: {count}, one for each vector");
            return Err(Failure::new(Status::Length, text));
        }
        if flags_length != count && flags_length != 0 {
            let text = format!("flags_length is {flags_length}; allowed: {count}, one for each vector, or 0");
            return Err(Failure::new(Status::Length, text));
        }
        if counted && !unit.is_unit {
            let allowed = "a unit: an instruction's blocks have events of their own";
            return Err(Failure::value("unit", unit.name.to_string_lossy(), allowed));
        }
        let way = match counted {
            true => Way::Counted,
            false if count < MANY => Way::Scalar,
            false => Way::Wide,
        };
        // SAFETY: the caller's promise.
        let (d, flags) = unsafe { (room("d", d, d_length)?, room("flags", flags, flags_length)?) };
        run(unit, way, &arrays, d, flags)
    })
}

/// Answers `count` vectors: d has one element a vector, the result alone. flags has one a vector too, of TENSORSMITH_OVERFLOW and
/// TENSORSMITH_INVALID, all 0 where the unit has no flags; with null and 0 nobody is told. Arrays that are written overlap no
/// other. After an error nothing counts that d and flags hold.
///
/// # Safety
/// `unit` is open; every pointer points to as many elements as is said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_run(
    unit: *const Unit,
    count: usize,
    vectors: *const Operands,
    d: *mut u64,
    d_length: usize,
    flags: *mut u8,
    flags_length: usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe { answer((unit, false), count, vectors, (d, d_length), (flags, flags_length)) }
}

/// As tensorsmith_run, for units only; the events of the vectors are counted, for tensorsmith_event.
///
/// # Safety
/// As of tensorsmith_run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_run_counted(
    unit: *const Unit,
    count: usize,
    vectors: *const Operands,
    d: *mut u64,
    d_length: usize,
    flags: *mut u8,
    flags_length: usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe { answer((unit, true), count, vectors, (d, d_length), (flags, flags_length)) }
}

/// The intermediate values of one vector, a line a signal: stage, name, values.
pub fn trace_of(unit: &Unit, arrays: &Arrays) -> Result<String, Failure> {
    check(unit, 1, arrays)?;
    if !unit.is_unit {
        let allowed = "a unit: an instruction's blocks have stages of their own";
        return Err(Failure::value("unit", unit.name.to_string_lossy(), allowed));
    }
    let vector = Vector {
        a: arrays.a.to_vec(),
        b: arrays.b.to_vec(),
        c: arrays.c.first().copied().unwrap_or(0),
        scale_a: arrays.scale_a.to_vec(),
        scale_b: arrays.scale_b.to_vec(),
    };
    let emulator = Emulator::uncounted(&unit.instruction.unit);
    let internal = |error: EngineError| Failure::new(Status::Internal, error.to_string());
    let trace = emulator.trace_of(&vector).map_err(internal)?;
    let of_stage =
        |name: &str| trace.values.iter().find(|(signal, _)| signal.name == name).map(|(signal, _)| signal.stage);
    let line = |(name, values): (String, Vec<_>)| {
        let stage = of_stage(&name).map_or(String::new(), |stage| format!("{stage:?}").to_lowercase());
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        format!("{stage:10} {name} {}\n", values.join(" "))
    };
    Ok(emulator.stages_of(&vector).map_err(internal)?.into_iter().map(line).collect())
}

/// The intermediate values of one vector, a line a signal: stage, name, values. *length is how many bytes that are, without the zero
/// byte behind them; text has room for `capacity`, and with 0 only the length is said. For units only.
///
/// # Safety
/// `unit` is open; every pointer points to as many elements as is said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_trace(
    unit: *const Unit,
    vector: *const Operands,
    text: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Status {
    entry(|| {
        // SAFETY: the caller's promise.
        let (unit, arrays) = unsafe { (shared("unit", unit)?, shared("vector", vector)?.arrays()?) };
        let trace = trace_of(unit, &arrays)?;
        // SAFETY: the caller's promise.
        let text = unsafe {
            give("length", length, trace.len())?;
            room("text", text.cast::<u8>(), capacity)?
        };
        if text.is_empty() {
            return Ok(());
        }
        let Some((place, rest)) = text.split_at_mut_checked(trace.len()).filter(|(_, rest)| !rest.is_empty()) else {
            let text = format!("capacity is {capacity}; allowed: at least {}, or 0", trace.len() + 1);
            return Err(Failure::new(Status::Length, text));
        };
        place.copy_from_slice(trace.as_bytes());
        rest[0] = 0;
        Ok(())
    })
}
