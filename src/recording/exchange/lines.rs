//! Lines of a text file, with their numbers; never more than one in memory, and none of unbounded length.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::ExchangeError;
use crate::describe::file::open;

/// A text file, line by line.
pub(super) struct Lines {
    path: PathBuf,
    input: BufReader<File>,
    /// Lines handed out so far.
    number: u64,
    line: Vec<u8>,
}

impl Lines {
    pub fn open(path: &Path) -> Result<Lines, ExchangeError> {
        let failed = |source| ExchangeError::Read { path: path.to_owned(), source };
        let file = open(path).map_err(failed)?;
        Ok(Lines { path: path.to_owned(), input: BufReader::new(file), number: 0, line: Vec::new() })
    }

    /// An error about the line handed out last.
    pub fn refuse(&self, problem: impl Into<String>) -> ExchangeError {
        refused(&self.path, self.number, problem)
    }

    /// The next line, without its end, of at most so many bytes; `None` behind the last one.
    pub fn next(&mut self, longest: usize) -> Result<Option<&str>, ExchangeError> {
        self.line.clear();
        self.number += 1;
        let failed = |source| ExchangeError::Read { path: self.path.clone(), source };
        // Two bytes more than the text: the end of a line.
        let mut input = (&mut self.input).take(longest as u64 + 2);
        if input.read_until(b'\n', &mut self.line).map_err(failed)? == 0 {
            return Ok(None);
        }
        for end in [b'\n', b'\r'] {
            self.line.pop_if(|last| *last == end);
        }
        if self.line.len() > longest {
            return Err(self.refuse(format!("more than {longest} bytes; allowed: at most so many")));
        }
        match std::str::from_utf8(&self.line) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(self.refuse("bytes that are no text; allowed: UTF-8")),
        }
    }

    /// The next line, which must be there. `wanted` says what it would be.
    pub fn need(&mut self, longest: usize, wanted: impl Fn() -> String) -> Result<&str, ExchangeError> {
        let (path, number) = (self.path.clone(), self.number + 1);
        self.next(longest)?.ok_or_else(|| refused(&path, number, format!("missing; allowed: {}", wanted())))
    }

    /// The next line of which `beside` does not hold, as [`Lines::need`] gives it.
    pub fn need_beside(
        &mut self,
        longest: usize,
        beside: &dyn Fn(&str) -> bool,
        wanted: impl Fn() -> String,
    ) -> Result<&str, ExchangeError> {
        while beside(self.need(longest, &wanted)?) {}
        // It was text a moment ago.
        Ok(std::str::from_utf8(&self.line).unwrap_or_default())
    }

    /// Lines of which `beside` does not hold, up to the end.
    pub fn count(&mut self, longest: usize, beside: &dyn Fn(&str) -> bool) -> Result<u64, ExchangeError> {
        let mut count = 0;
        while let Some(text) = self.next(longest)? {
            count += u64::from(!beside(text));
        }
        Ok(count)
    }

    /// That there is no further line, but for those of which `beside` holds.
    pub fn end(&mut self, vectors: u64, beside: &dyn Fn(&str) -> bool) -> Result<(), ExchangeError> {
        while let Some(text) = self.next(1 << 20)? {
            if !beside(text) {
                return Err(self.refuse(format!("something more; allowed: the end, after {vectors} vectors")));
            }
        }
        Ok(())
    }
}

fn refused(path: &Path, number: u64, problem: impl Into<String>) -> ExchangeError {
    ExchangeError::place(path, format!("line {number}"), problem)
}
