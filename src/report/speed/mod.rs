//! What benchmarks measured on a machine: read and written as JSON, shown as tables and as a picture.

mod picture;
mod text;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;

use crate::describe::file::text_of;
use crate::describe::text::Foreign;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use picture::picture;
pub use text::{SpeedText, markdown, with_ratios};

/// The form of the file.
pub const SCHEMA: u32 = 1;

/// Times of one vector or product that can be, and frequencies of a counter.
const NANOSECONDS: RangeInclusive<f64> = 1e-6..=1e12;
const MEGAHERTZ: RangeInclusive<f64> = 1e-3..=1e6;

/// Contestants of one benchmark, which took turns in one process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speed {
    /// [`SCHEMA`].
    pub schema: u32,
    pub title: String,
    /// What is counted: `vectors` or `products`.
    pub quantity: String,
    /// Version of the program that was measured.
    pub tensorsmith: String,
    /// Coordinated universal time.
    pub finished: String,
    pub machine: Machine,
    /// Turns of each contestant.
    pub turns: usize,
    /// Other programs that took part or built what did, with their versions.
    pub tools: BTreeMap<String, String>,
    pub rows: Vec<SpeedRow>,
    /// Pairs of contestants whose ratio is shown.
    pub ratios: Vec<Ratio>,
    /// Contestants that did not take part, and why.
    pub skipped: Vec<Skipped>,
}

/// Where it was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    pub processor: String,
    pub architecture: String,
    pub cores: usize,
    /// Processes that wanted a processor in the minute before.
    pub load: Option<f64>,
    /// Of the time stamp counter, in MHz, where there is one.
    pub counter_mhz: Option<f64>,
}

/// What one contestant took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedRow {
    /// The unit or instruction.
    pub subject: String,
    pub contestant: String,
    /// Time for one vector or product, the processor's own unless the contestant has all cores: the first quartile, the median and the third.
    pub nanoseconds: [f64; 3],
}

/// Two contestants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    pub fast: String,
    pub slow: String,
}

/// A contestant that did not take part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skipped {
    pub contestant: String,
    pub reason: String,
}

/// Why a file of measurements is not shown.
#[derive(Debug, Error)]
pub enum SpeedError {
    #[error("{file}: cannot be read: {error}")]
    Read { file: String, error: std::io::Error },
    #[error("{file}: {error}; allowed: what `./x bench` writes")]
    Form { file: String, error: serde_json::Error },
    #[error("{file}: {field}: {value}; allowed: {allowed}")]
    Value { file: String, field: String, value: String, allowed: &'static str },
}

impl Speed {
    /// Reads what `./x bench` wrote.
    ///
    /// # Errors
    /// The file cannot be read, has another form, or times that cannot be.
    pub fn read(path: &Path) -> Result<Speed, SpeedError> {
        let file = path.shown();
        let text = text_of(path).map_err(|error| SpeedError::Read { file: file.clone(), error })?;
        let speed: Speed =
            serde_json::from_str(&text).map_err(|error| SpeedError::Form { file: file.clone(), error })?;
        let refuse = |field: String, value: String, allowed| {
            Err(SpeedError::Value { file: file.clone(), field, value, allowed })
        };
        if speed.schema != SCHEMA {
            return refuse("schema".to_owned(), speed.schema.to_string(), "1");
        }
        if let Some(mhz) = speed.machine.counter_mhz.filter(|mhz| !MEGAHERTZ.contains(mhz)) {
            return refuse("machine.counter_mhz".to_owned(), mhz.to_string(), "a number from 1e-3 to 1e6");
        }
        if speed.rows.is_empty() {
            return refuse("rows".to_owned(), "[]".to_owned(), "at least one");
        }
        for (number, row) in speed.rows.iter().enumerate() {
            let times = row.nanoseconds;
            if !times.iter().all(|time| NANOSECONDS.contains(time)) || !times.is_sorted() {
                let allowed = "three numbers from 1e-6 to 1e12, in ascending order";
                return refuse(format!("rows[{number}].nanoseconds"), format!("{times:?}"), allowed);
            }
        }
        Ok(speed)
    }

    /// The median of a contestant on a subject, in nanoseconds.
    pub fn median(&self, subject: &str, contestant: &str) -> Option<f64> {
        let row = self.rows.iter().find(|row| row.subject == subject && row.contestant == contestant)?;
        Some(row.nanoseconds[1])
    }

    /// Every subject once, in the order of the rows.
    fn subjects(&self) -> Vec<&str> {
        let mut subjects: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !subjects.contains(&row.subject.as_str()) {
                subjects.push(&row.subject);
            }
        }
        subjects
    }
}
