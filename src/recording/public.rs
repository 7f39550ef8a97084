//! Recorded answers of real hardware, in the text layout of the public repository MATLAB-tensor-core
//! (Khattak and Mikaitis), folder `model_validation`:
//!
//! ```text
//!   <device>/<operands>/a_<device>_<operands>.txt   K hexadecimal binary32 words a row: the operands' values
//!                       b_<device>_<operands>.txt   the same for b
//!                       c_<device>_fp32.txt         one binary binary32 word a row
//!                       d_<device>_<result>.txt     one binary binary32 word a row: the recorded result's value
//! ```
//!
//! For fp16 results c is first rounded to fp16, to nearest, ties to even. Rows shorter than the instruction's K are padded
//! with zeros.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::exchange::held;
use crate::describe::catalogue;
use crate::describe::file::open;
use crate::describe::format::{Format, Overflow, Rounding};
use crate::describe::instruction::{Instruction, RecordedAddend};
use crate::describe::text::Foreign;
use crate::engine::Batch;

/// Why a recording was not accepted.
#[derive(Debug, Error)]
pub enum RecordingError {
    #[error("{path}: cannot be read: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{path}: missing; a recording of {device} {operands} needs it")]
    Missing { path: PathBuf, device: String, operands: String },
    #[error("{path}: row {row}: {problem}")]
    Row { path: PathBuf, row: usize, problem: String },
    #[error("{path}: {rows} rows, but {other} has {expected}")]
    Rows { path: PathBuf, rows: usize, other: PathBuf, expected: usize },
    #[error("{path}: no recordings; expected folders <device>/<operands> with files such as a_V100_fp16.txt")]
    Empty { path: PathBuf },
}

/// One recorded result file, and what the repository says about it.
pub struct Recording {
    pub device: String,
    /// Operand folder, such as `bf16`.
    pub operands: String,
    /// Result suffix, such as `fp32`.
    pub result: String,
    pub content: Content,
}

/// A recording's vectors, or why no instruction runs them.
pub enum Content {
    Rows { instruction: Box<Instruction>, batch: Batch, expected: Vec<u64> },
    Skipped(String),
}

/// Reads every recording below a folder, in alphabetical order.
///
/// # Errors
/// A file is missing or malformed, or there is no recording at all.
pub fn read_all(root: &Path) -> Result<Vec<Recording>, RecordingError> {
    let instructions = catalogue::instructions();
    let mut recordings = Vec::new();
    for (device, folder) in folders(root)? {
        for (operands, folder) in folders(&folder)? {
            for result in results(&folder, &device, &operands)? {
                let files = Files { folder: &folder, device: &device, operands: &operands };
                let content = read_one(&files, &result, &instructions)?;
                recordings.push(Recording { device: device.clone(), operands: operands.clone(), result, content });
            }
        }
    }
    if recordings.is_empty() {
        return Err(RecordingError::Empty { path: root.to_owned() });
    }
    Ok(recordings)
}

/// The files of one device and operand format.
struct Files<'a> {
    folder: &'a Path,
    device: &'a str,
    operands: &'a str,
}

impl Files<'_> {
    fn path(&self, operand: &str, format: &str) -> PathBuf {
        self.folder.join(format!("{operand}_{}_{format}.txt", self.device))
    }

    fn read(&self, path: &Path) -> Result<String, RecordingError> {
        if !path.is_file() {
            return Err(RecordingError::Missing {
                path: path.to_owned(),
                device: self.device.to_owned(),
                operands: self.operands.to_owned(),
            });
        }
        open(path)
            .and_then(std::io::read_to_string)
            .map_err(|source| RecordingError::Read { path: path.to_owned(), source })
    }
}

fn folders(path: &Path) -> Result<Vec<(String, PathBuf)>, RecordingError> {
    let failed = |source| RecordingError::Read { path: path.to_owned(), source };
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.path().is_dir() {
            folders.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
        }
    }
    folders.sort();
    Ok(folders)
}

/// Result suffixes of a folder's d files; a folder with other files of a recording but no d file is an error.
fn results(folder: &Path, device: &str, operands: &str) -> Result<Vec<String>, RecordingError> {
    let failed = |source| RecordingError::Read { path: folder.to_owned(), source };
    let mut results = Vec::new();
    let mut others = false;
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
        let Some((operand, rest)) = name.split_once('_') else { continue };
        let suffix = rest.strip_prefix(&format!("{device}_")).and_then(|rest| rest.strip_suffix(".txt"));
        match (operand, suffix) {
            ("d", Some(suffix)) => results.push(suffix.to_owned()),
            ("a" | "b" | "c", Some(_)) => others = true,
            _ => {}
        }
    }
    if results.is_empty() && others {
        let path = folder.join(format!("d_{device}_fp32.txt"));
        return Err(RecordingError::Missing { path, device: device.to_owned(), operands: operands.to_owned() });
    }
    results.sort();
    Ok(results)
}

fn read_one(files: &Files, result: &str, instructions: &[Instruction]) -> Result<Content, RecordingError> {
    for instruction in instructions {
        for recordings in &instruction.recordings {
            let answers = recordings.devices.iter().any(|device| device == files.device)
                && recordings.operands == files.operands
                && recordings.result == result;
            if answers {
                return read_rows(files, result, instruction, recordings.addend);
            }
        }
    }
    let (device, operands) = (files.device, files.operands);
    Ok(Content::Skipped(format!("no instruction of the catalogue answers for {device} {operands} -> {result}")))
}

fn read_rows(
    files: &Files,
    result: &str,
    instruction: &Instruction,
    addend: RecordedAddend,
) -> Result<Content, RecordingError> {
    let (a_path, b_path) = (files.path("a", files.operands), files.path("b", files.operands));
    let (c_path, d_path) = (files.path("c", "fp32"), files.path("d", result));
    let a = hexadecimal_rows(&a_path, &files.read(&a_path)?, &instruction.a)?;
    let b = hexadecimal_rows(&b_path, &files.read(&b_path)?, &instruction.b)?;
    let c = binary_rows(&c_path, &files.read(&c_path)?)?;
    let d = binary_rows(&d_path, &files.read(&d_path)?)?;
    for (path, rows) in [(&b_path, b.rows.len()), (&c_path, c.len()), (&d_path, d.len())] {
        if rows != a.rows.len() {
            return Err(RecordingError::Rows { path: path.clone(), rows, other: a_path, expected: a.rows.len() });
        }
    }
    if a.rows.is_empty() {
        return Err(RecordingError::Row {
            path: a_path,
            row: 1,
            problem: "missing; at least 1 row is needed".to_owned(),
        });
    }
    if a.length != b.length {
        let problem = format!("{} words, but {} has {}", b.length, a_path.shown(), a.length);
        return Err(RecordingError::Row { path: b_path, row: 1, problem });
    }
    let k = instruction.shape.k as usize;
    if a.length > k {
        let reason = format!("K = {} exceeds the {k} products of {}", a.length, instruction.name);
        return Ok(Content::Skipped(reason));
    }
    let mut batch = Batch::new(instruction.shape.k, 0);
    let mut expected = Vec::new();
    batch.resize(a.rows.len());
    for (row, ((a, b), (c, d))) in a.rows.iter().zip(&b.rows).zip(c.iter().zip(&d)).enumerate() {
        let first = row * k;
        batch.a[first..][..a.len()].copy_from_slice(a);
        batch.b[first..][..b.len()].copy_from_slice(b);
        batch.c[row] = recorded_addend(&instruction.c, addend, *c);
        expected.push(recorded_result(instruction.d(), *d).map_err(|problem| RecordingError::Row {
            path: d_path.clone(),
            row: row + 1,
            problem,
        })?);
    }
    Ok(Content::Rows { instruction: Box::new(instruction.clone()), batch, expected })
}

/// The encoding of the addend, rounded to nearest where c is narrower.
pub(super) fn recorded_addend(format: &Format, addend: RecordedAddend, word: u32) -> u64 {
    match addend {
        RecordedAddend::Zero => format.zero(false),
        RecordedAddend::File if *format == Format::binary32() => u64::from(word),
        RecordedAddend::File => format.from_f64(f64::from(f32::from_bits(word)), Rounding::NearestEven, Overflow::Ieee),
    }
}

/// The encoding of a binary32 value in a narrower format, which must hold it exactly.
pub(super) fn exactly(format: &Format, word: u32) -> Result<u64, String> {
    if *format == Format::binary32() {
        return Ok(u64::from(word));
    }
    let value = f64::from(f32::from_bits(word));
    held(format, value).ok_or_else(|| format!("{word:08x} ({value:e}) is not a number of {}", format.name))
}

/// A word of exactly that many digits.
pub(super) fn word(token: &str, radix: u32, length: usize) -> Option<u32> {
    let only_digits = token.len() == length && token.chars().all(|digit| digit.is_digit(radix));
    u32::from_str_radix(token, radix).ok().filter(|_| only_digits)
}

/// The recorded result. A binary32 word stays whole, also where the instruction's results have fewer bits: then it is a
/// mismatch, not bad input.
pub(super) fn recorded_result(format: &Format, word: u32) -> Result<u64, String> {
    if format.width() == 32 { Ok(u64::from(word)) } else { exactly(format, word) }
}

struct Rows {
    /// Words in every row.
    length: usize,
    rows: Vec<Vec<u64>>,
}

fn hexadecimal_rows(path: &Path, text: &str, format: &Format) -> Result<Rows, RecordingError> {
    let refuse = |row: usize, problem: String| RecordingError::Row { path: path.to_owned(), row: row + 1, problem };
    let mut rows: Vec<Vec<u64>> = Vec::new();
    let mut length = None;
    for (row, line) in text.lines().enumerate() {
        let mut words = Vec::new();
        for token in line.split_whitespace() {
            let word = word(token, 16, 8)
                .ok_or_else(|| refuse(row, format!("{token:?} is not a word of 8 hexadecimal digits")))?;
            words.push(exactly(format, word).map_err(|problem| refuse(row, problem))?);
        }
        let expected = *length.get_or_insert(words.len());
        if words.len() != expected || words.is_empty() {
            return Err(refuse(
                row,
                format!("{} words, but the first row has {expected}; at least 1 is needed", words.len()),
            ));
        }
        rows.push(words);
    }
    Ok(Rows { length: length.unwrap_or(0), rows })
}

fn binary_rows(path: &Path, text: &str) -> Result<Vec<u32>, RecordingError> {
    let parse = |(row, line): (usize, &str)| {
        let token = line.trim();
        word(token, 2, 32).ok_or_else(|| RecordingError::Row {
            path: path.to_owned(),
            row: row + 1,
            problem: format!("{token:?} is not a word of 32 binary digits"),
        })
    };
    text.lines().enumerate().map(parse).collect()
}
