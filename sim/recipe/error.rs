//! What can go wrong in the recipe, as text for a person. Never a panic, never an exit.

use std::fmt;
use std::io;
use std::path::Path;

/// Why a unit could not be built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// Verilator or the C++ compiler is missing or does not work.
    Tools(String),
    /// The unit asks for something impossible; the text names the field and its allowed range.
    Unit(String),
    /// A tool ran and refused; the text holds its command line and the start of its output.
    Build(String),
    /// A tool took too long or printed too much, and was ended; the text holds its command line and the limit.
    Limit(String),
    /// A file or folder could not be read or written.
    Files(String),
    /// A variable of the environment has a value that is not allowed; the text names all three.
    Variable(String),
    /// The cache, or a file of it, is not to be believed; the text says why, and what is allowed.
    Refused(String),
}

impl Error {
    /// An input or output error at `path` while doing `action`, such as "write".
    pub fn files(action: &str, path: &Path, error: &io::Error) -> Self {
        Self::Files(format!("cannot {action} {}: {error}", one_line(path)))
    }

    /// What it is of a tool that is looked for: `refused` where it did not start; at a limit it is not taken for a missing one.
    pub fn of_tool(self, refused: impl FnOnce(String) -> Self) -> Self {
        match self {
            Self::Tools(text) => refused(text),
            other => other,
        }
    }

    /// A file or folder of the cache that is not to be believed.
    pub fn refused(what: &str, path: &Path, reason: &str) -> Self {
        Self::Refused(format!("the cache's {what} {} is refused: {reason}", one_line(path)))
    }
}

/// What comes from outside, a path or a variable's value, as one line.
pub fn one_line(text: impl AsRef<std::ffi::OsStr>) -> String {
    let text = text.as_ref().to_string_lossy();
    let shown =
        |letter: char| if letter.is_control() { letter.escape_default().to_string() } else { letter.to_string() };
    text.chars().map(shown).collect()
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Tools(text)
        | Self::Unit(text)
        | Self::Build(text)
        | Self::Limit(text)
        | Self::Files(text)
        | Self::Variable(text)
        | Self::Refused(text)) = self;
        formatter.write_str(text)
    }
}

impl std::error::Error for Error {}
