//! Many recordings in a handful of files, each of which is whole at any moment.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::header::Header;
use super::reader::Reader;
use super::stream::{Chunk, StreamError};
use crate::describe::file::open;

/// Why a file of recordings was not accepted or not written.
#[derive(Debug, Error)]
#[error("{path}: {source}")]
pub struct PackError {
    pub path: PathBuf,
    pub source: StreamError,
}

/// A recording in one of the files.
pub struct Packed {
    pub header: Header,
    pub bytes: u64,
    pub file: PathBuf,
}

/// The files NAME-0.tsrec, NAME-1.tsrec and so on of a folder.
pub struct Packs {
    folder: PathBuf,
    name: String,
    /// Bytes of a file; a recording that is longer by itself has a longer file.
    limit: u64,
    recordings: Vec<Packed>,
    /// Number and bytes of the file that grows.
    last: Option<(u64, u64)>,
}

impl Packs {
    /// Reads and checks what is there.
    ///
    /// # Errors
    /// A file cannot be read, or is damaged.
    pub fn open(folder: &Path, name: &str, limit: u64) -> Result<Packs, PackError> {
        let failed = |error: io::Error| PackError { path: folder.to_owned(), source: error.into() };
        let mut numbers = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            numbers.extend(number(name, &entry.map_err(failed)?.file_name().to_string_lossy()));
        }
        numbers.sort_unstable();
        let mut packs =
            Packs { folder: folder.to_owned(), name: name.to_owned(), limit, recordings: Vec::new(), last: None };
        for number in numbers {
            let path = packs.path(number);
            let bytes = packs.read(&path).map_err(|source| PackError { path, source })?;
            packs.last = Some((number, bytes));
        }
        Ok(packs)
    }

    fn path(&self, number: u64) -> PathBuf {
        self.folder.join(format!("{}-{number}.tsrec", self.name))
    }

    /// Reads a file to its end: its bytes.
    fn read(&mut self, path: &Path) -> Result<u64, StreamError> {
        let mut reader = Reader::new(BufReader::new(open(path)?))?;
        let mut total = 0;
        loop {
            let mut chunk = Chunk::new(&reader.header().layout);
            while reader.next(&mut chunk)? {}
            let (header, bytes) = (reader.header().clone(), reader.bytes());
            self.recordings.push(Packed { header, bytes, file: path.to_owned() });
            total += bytes;
            if !reader.next_recording()? {
                return Ok(total);
            }
        }
    }

    /// The recording of a unit or an instruction.
    pub fn find(&self, subject: &str) -> Option<&Packed> {
        self.recordings.iter().find(|packed| packed.header.subject == subject)
    }

    /// Moves a whole recording to the end of the last file, or of a new one. The file grows beside itself and takes its
    /// place when it is whole; then the recording's own file goes.
    ///
    /// # Errors
    /// A file cannot be read or written; what was there before is as it was.
    pub fn add(&mut self, header: &Header, recording: &Path) -> Result<&Packed, PackError> {
        let own = |source: io::Error| PackError { path: recording.to_owned(), source: source.into() };
        let bytes = std::fs::metadata(recording).map_err(own)?.len();
        let (number, before) = match self.last {
            Some((number, before)) if before + bytes <= self.limit => (number, before),
            Some((number, _)) => (number + 1, 0),
            None => (0, 0),
        };
        let file = self.path(number);
        let failed = |source: io::Error| PackError { path: file.clone(), source: source.into() };
        let part = self.folder.join(format!("{}-{number}.tsrec.part", self.name));
        let mut grown = File::create(&part).map_err(failed)?;
        if before > 0 {
            io::copy(&mut open(&file).map_err(failed)?, &mut grown).map_err(failed)?;
        }
        io::copy(&mut open(recording).map_err(own)?, &mut grown).map_err(failed)?;
        grown.sync_all().map_err(failed)?;
        std::fs::rename(&part, &file).map_err(failed)?;
        std::fs::remove_file(recording).map_err(own)?;
        self.last = Some((number, before + bytes));
        self.recordings.push(Packed { header: header.clone(), bytes, file });
        Ok(&self.recordings[self.recordings.len() - 1])
    }
}

/// The number in NAME-number.tsrec, as this program writes it.
fn number(name: &str, file: &str) -> Option<u64> {
    let digits = file.strip_prefix(name)?.strip_prefix('-')?.strip_suffix(".tsrec")?;
    digits.parse().ok().filter(|number: &u64| number.to_string() == digits)
}
