//! Golden vectors: operands and what the emulator answers, as lines of a memory file for `$readmemh`.

pub mod tile;

use super::stimulus::Stimulus;
use crate::describe::unit::Unit;
use crate::emit::bench;
use crate::engine::{Batch, Emulator, Engine, EngineError};

/// A line a vector, in hexadecimal: from the lowest bit up a, b, scales of a, scales of b, c, d and flags; of each the first element
/// lowest.
///
/// # Errors
/// The emulator fails.
pub fn lines(unit: &Unit, seed: u64, count: usize) -> Result<Vec<String>, EngineError> {
    let mut batch = Batch::of_unit(unit);
    Stimulus::shaped(unit, seed).fill(0, count, &mut batch);
    let answers = Emulator::new(unit).answers(&batch)?;
    let formats = &unit.formats;
    let scale_widths = unit.interface().scale_widths();
    let of_vector = |vector: usize| {
        let fields: [(&[u64], u32); 6] = [
            (&batch.a, formats.a.width()),
            (&batch.b, formats.b.width()),
            (&batch.scale_a, scale_widths[0]),
            (&batch.scale_b, scale_widths[1]),
            (if unit.has_addend() { &batch.c } else { &[] }, formats.c.width()),
            (&answers, unit.answer_width()),
        ];
        bench::line(fields.map(|(values, width)| {
            let elements = values.len() / batch.len();
            (&values[vector * elements..][..elements], width)
        }))
    };
    Ok((0..batch.len()).map(of_vector).collect())
}
