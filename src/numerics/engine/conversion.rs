//! Exact conversion of encodings from a format to one that holds all of its numbers.
//!
//! Architecture invariant: nothing here rounds; what would have to is refused where the formats are chosen.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::describe::format::{Class, Format, Layout, Overflow, Rounding, low_mask};

/// From one format to another.
#[derive(Debug)]
pub enum Conversion {
    /// The encodings are the same.
    Same,
    /// The encodings are the same but for padding, which is cleared.
    Padded { mask: u64 },
    /// An entry for every encoding of a format of at most 16 bits.
    Table(Arc<[u64]>),
    /// One number after another.
    Each { from: Format, to: Format },
}

impl Conversion {
    /// The conversion, where the target holds every number of the source; NaN becomes the canonical NaN.
    pub fn new(from: &Format, to: &Format) -> Option<Conversion> {
        if !to.holds(from) {
            return None;
        }
        Some(match from.width() {
            _ if from == to => Conversion::Same,
            _ if is_cut(from, to) => Conversion::Padded { mask: !low_mask(from.padding_bits) },
            0..=16 => Conversion::Table(table(from, to)),
            _ => Conversion::Each { from: from.clone(), to: to.clone() },
        })
    }

    #[inline]
    pub fn apply(&self, bits: u64) -> u64 {
        match self {
            Conversion::Same => bits,
            Conversion::Padded { mask } => bits & mask,
            Conversion::Table(table) => table[bits as usize],
            Conversion::Each { from, to } => widened(from, to, bits),
        }
    }
}

/// The entry for every encoding; made once for two formats, because many hypotheses widen alike.
fn table(from: &Format, to: &Format) -> Arc<[u64]> {
    type Tables = HashMap<(Layout, Layout), Arc<[u64]>>;
    static TABLES: Mutex<Option<Tables>> = Mutex::new(None);
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let entries = || (0..=from.mask()).map(|bits| widened(from, to, bits)).collect();
    tables.get_or_insert_default().entry((from.layout(), to.layout())).or_insert_with(entries).clone()
}

/// Whether the first format is the second one with its last fraction bits left out:
///
/// ```text
///   sign | exponent | fraction | padding     from: padding is ignored when read
///   sign | exponent | fraction ..........    to
/// ```
fn is_cut(from: &Format, to: &Format) -> bool {
    let fraction_bits = from.fraction_bits + from.padding_bits;
    Format { fraction_bits, padding_bits: 0, ..from.clone() } == *to
}

fn widened(from: &Format, to: &Format, bits: u64) -> u64 {
    match from.decode(bits).class {
        Class::Nan => to.nan().unwrap_or_default(),
        _ => to.from_f64(from.to_f64(bits), Rounding::TowardZero, Overflow::Ieee),
    }
}
