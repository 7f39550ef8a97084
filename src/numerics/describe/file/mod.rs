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
pub(in crate::describe) use spelling::{FormatOf, format_entry};
pub use spelling::{number_or, value};

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
        FileError::Syntax { file: file.to_owned(), message: shown_lines(&format!("{place}{error}")) }
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

/// The text of a file of the user's.
///
/// # Errors
/// The file cannot be read.
pub fn read(path: &Path) -> Result<String, FileError> {
    std::fs::read_to_string(path).map_err(|source| FileError::Read { file: path.shown(), source })
}
