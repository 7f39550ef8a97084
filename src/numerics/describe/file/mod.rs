//! Files of the user's: reading and writing them field by field, as a table of fields says. An error says which file, field and
//! value is wrong, and what is allowed. Computes nothing.

mod document;
mod documentation;
mod field;
mod place;
mod spelling;

pub(in crate::describe) use document::{Document, Given};
pub(in crate::describe) use documentation::{between_marks, table};
pub(in crate::describe) use field::{Field, Missing, Value, text};
pub(in crate::describe) use spelling::{FormatEntry, FormatOf, format_entry};
pub use spelling::{number_or, value};

use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::Path;

use thiserror::Error;

use super::text::{Foreign, shown_lines};
use place::field_at;

/// Why a file of the user's (a unit, an instruction, a case) was not accepted.
#[derive(Debug, Error)]
pub enum FileError {
    #[error("{file}: cannot be read: {source}")]
    Read { file: String, source: std::io::Error },
    #[error("{file}: {message}")]
    Syntax { file: String, message: String },
    #[error("{file}: field `{field}` is {value}; allowed: {allowed}")]
    Value { file: String, field: String, value: String, allowed: String },
}

impl FileError {
    /// What the TOML reader says, with the path of the field if the text is TOML at all.
    pub fn syntax(file: &str, text: &str, error: &toml::de::Error) -> FileError {
        // What is missing is so in a table, and the begin of the text stands for the whole of it.
        let whole = |span: &Range<usize>| span.start == 0 && error.message().starts_with("missing field");
        let field = error.span().filter(|span| !whole(span)).and_then(|span| field_at(text, span.start));
        let place = field.map_or(String::new(), |field| format!("field `{field}`: "));
        FileError::Syntax { file: file.to_owned(), message: shown_lines(&short(&format!("{place}{error}"))) }
    }

    /// A value that is not allowed.
    pub fn value(file: &str, field: &str, value: impl ToString, allowed: impl ToString) -> FileError {
        FileError::Value {
            file: file.to_owned(),
            field: field.to_owned(),
            value: value.to_string(),
            allowed: allowed.to_string(),
        }
    }
}

/// A message that quotes a line, of a long one the beginning.
fn short(message: &str) -> String {
    const LINE_MAX: usize = 300;
    let line = |line: &str| match line.char_indices().nth(LINE_MAX) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    };
    message.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Most bytes of a text file: descriptions, cases and lists are far smaller.
const TEXT_MAX: u64 = 16 << 20;

/// Opens a plain file for reading, without waiting: a pipe has no end, and would be waited for until somebody writes to it.
///
/// # Errors
/// There is no such file, or it is a folder, a pipe or a device.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.read(true).open(path)?;
    let found = file.metadata()?;
    match (found.is_file(), found.is_dir()) {
        (true, _) => Ok(file),
        (_, true) => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; allowed: a plain file")),
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a pipe or a device; allowed: a plain file")),
    }
}

/// The content of a plain file.
///
/// # Errors
/// As [`open`].
pub fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a plain file of at most 16 MiB.
///
/// # Errors
/// As [`open`]; or the file is larger, or no UTF-8.
pub fn text_of(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    open(path)?.take(TEXT_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > TEXT_MAX {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it has more than 16 MiB; allowed: at most so many"));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no text in UTF-8"))
}

/// The text of a file of the user's.
///
/// # Errors
/// The file cannot be read.
pub fn read(path: &Path) -> Result<String, FileError> {
    text_of(path).map_err(|source| FileError::Read { file: path.shown(), source })
}
