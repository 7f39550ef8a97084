//! Results of a shard: a file of lines to which finished pieces are appended. What a kill leaves of a last line is cut off.
//!
//! ```text
//!   checksum header      CRC-32 of the rest of the line in eight hexadecimal digits, a space, JSON
//!   checksum outcome     one line a piece, in the order in which they were finished
//! ```

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::file::Campaign;
use super::maker::Maker;
use super::piece::Outcome;
use crate::describe::file::bytes_of;
use crate::describe::text::Foreign;

/// The end of the names of these files.
pub const ENDING: &str = "results";

/// One of several parts of a campaign: the pieces whose number leaves `number - 1` when divided by `of`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// From 1 on.
    pub number: u64,
    pub of: u64,
}

impl Shard {
    /// Whether a piece belongs to it.
    pub fn has(self, piece: u64) -> bool {
        piece % self.of == self.number - 1
    }

    /// Name of its file.
    pub fn file_name(self) -> String {
        format!("shard-{}-of-{}.{ENDING}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
            _ => Err("allowed: i/N with i from 1 to N, such as 3/64".to_owned()),
        }
    }
}

/// The first line of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`Campaign::id`].
    pub campaign: String,
    pub name: String,
    /// [`Maker`] of its results; earlier builds did not write it.
    #[serde(default)]
    pub maker: String,
    pub shard: Shard,
}

/// Why results were not accepted.
#[derive(Debug, Error)]
pub enum ResultsError {
    #[error("{path}: cannot be read or written: {source}")]
    Io { path: String, source: io::Error },
    #[error("{path}: line {line} is damaged; allowed: an incomplete last line")]
    Damaged { path: String, line: usize },
    #[error(
        "{path}: holds results of another campaign, or of {found:?} with other contents; allowed: a new folder, or the same file and program"
    )]
    Other { path: String, found: String },
    #[error(
        "{path}: holds results of another build of this program, or another external program or design; allowed: a new folder"
    )]
    Maker { path: String },
    #[error("{path}: another process is writing it")]
    Busy { path: String },
    #[error("{path}: piece {piece} contradicts the campaign file: {what}")]
    Contradicts { path: String, piece: u64, what: String },
    #[error("piece {piece} has two different results, in {first} and {second}")]
    Conflict { piece: u64, first: String, second: String },
}

/// The file of a shard, open for more results.
#[derive(Debug)]
pub struct Results {
    file: File,
    path: PathBuf,
    /// Bytes of the whole lines.
    whole: u64,
    /// What was there already.
    pub outcomes: Vec<Outcome>,
    /// Whether a piece was appended.
    grew: bool,
}

impl Results {
    /// Opens the file of a shard in a folder, or begins it, for results of `maker`.
    ///
    /// # Errors
    /// It cannot be read or written, is damaged before its end, belongs to another campaign or maker, or is being written.
    pub fn open(folder: &Path, campaign: &Campaign, maker: &Maker, shard: Shard) -> Result<Results, ResultsError> {
        let path = folder.join(shard.file_name());
        let failed = |source| ResultsError::Io { path: path.shown(), source };
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = open.map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file")));
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ResultsError::Busy { path: path.shown() }),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let header =
            Header { campaign: campaign.id.clone(), name: campaign.name.clone(), maker: maker.0.clone(), shard };
        let lines = parse(&path, &bytes)?;
        let mut results =
            Results { file, path: path.clone(), whole: lines.whole as u64, outcomes: lines.outcomes, grew: false };
        match lines.header {
            Some(found) if (Header { maker: header.maker.clone(), ..found.clone() }) == header && found != header => {
                return Err(ResultsError::Maker { path: path.shown() });
            }
            Some(found) if found != header => {
                return Err(ResultsError::Other { path: path.shown(), found: found.name });
            }
            Some(_) => {
                results.file.set_len(lines.whole as u64).map_err(failed)?;
                results.file.seek(SeekFrom::End(0)).map_err(failed)?;
            }
            None => {
                results.whole = 0;
                results.file.set_len(0).map_err(failed)?;
                results.file.seek(SeekFrom::Start(0)).map_err(failed)?;
                results.write(&header)?;
            }
        }
        Ok(results)
    }

    /// Appends the outcome of a piece.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append(&mut self, outcome: &Outcome) -> Result<(), ResultsError> {
        self.write(outcome)?;
        self.grew = true;
        Ok(())
    }

    /// Whether the file holds no outcome.
    pub fn is_empty(&self) -> bool {
        !self.grew && self.outcomes.is_empty()
    }

    /// Removes the file if it holds no outcome, as far as that is possible.
    pub fn discard_if_empty(self) {
        if self.is_empty() {
            let _ = std::fs::remove_file(&self.path);
        }
    }

    fn write(&mut self, value: &impl Serialize) -> Result<(), ResultsError> {
        let failed = |source| ResultsError::Io { path: self.path.shown(), source };
        let json = serde_json::to_string(value).map_err(|error| failed(io::Error::other(error)))?;
        let line = format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()));
        let written = self.file.write_all(line.as_bytes());
        match written {
            Ok(()) => self.whole += line.len() as u64,
            // No other line may follow a part of this one.
            Err(_) => {
                let _ = self.file.set_len(self.whole);
                let _ = self.file.seek(SeekFrom::Start(self.whole));
            }
        }
        written.map_err(failed)
    }
}

/// What the lines of a file say.
struct Lines {
    header: Option<Header>,
    outcomes: Vec<Outcome>,
    /// Bytes of the whole lines.
    whole: usize,
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Lines, ResultsError> {
    let mut lines = Lines { header: None, outcomes: Vec::new(), whole: 0 };
    for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let last = lines.whole + line.len() == bytes.len();
        let text = checked(line);
        let read = match (&lines.header, text) {
            (_, None) => false,
            (None, Some(text)) => {
                lines.header = serde_json::from_str(text).ok();
                lines.header.is_some()
            }
            (Some(_), Some(text)) => serde_json::from_str(text).map(|outcome| lines.outcomes.push(outcome)).is_ok(),
        };
        match (read, last) {
            (true, _) => lines.whole += line.len(),
            (false, true) => break,
            (false, false) => {
                return Err(ResultsError::Damaged { path: path.shown(), line: index + 1 });
            }
        }
    }
    Ok(lines)
}

/// The text of a whole line, if its checksum is right.
fn checked(line: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let (checksum, text) = line.split_once(' ')?;
    (checksum == format!("{:08x}", crc32fast::hash(text.as_bytes()))).then_some(text)
}

/// Reads a file of results of a campaign, of which the last line may be incomplete: who made them, and what they are.
///
/// # Errors
/// As [`Results::open`], but the file may be being written.
pub fn read(path: &Path, campaign: &Campaign) -> Result<(Option<String>, Vec<Outcome>), ResultsError> {
    let bytes = bytes_of(path);
    let bytes = bytes.map_err(|source| ResultsError::Io { path: path.shown(), source })?;
    let lines = parse(path, &bytes)?;
    match lines.header {
        Some(header) if header.campaign != campaign.id => {
            Err(ResultsError::Other { path: path.shown(), found: header.name })
        }
        header => Ok((header.map(|header| header.maker), lines.outcomes)),
    }
}
