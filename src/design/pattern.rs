//! Files that a pattern stands for. Never visits more than a bounded number of entries.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use glob::Pattern;

/// Most entries of folders that the patterns of a design may visit, and the time they may take: a file system that waits is slow.
pub const ENTRIES_MAX: usize = 100_000;
const TIME_MAX: Duration = Duration::from_secs(10);

/// What patterns may still visit.
#[derive(Debug)]
pub struct Budget {
    entries: usize,
    end: Instant,
}

/// Why a pattern stands for nothing.
pub enum PatternError {
    /// It is none.
    Form(&'static str),
    /// It visits more than it may.
    TooMuch,
}

impl Budget {
    pub fn new() -> Budget {
        Budget { entries: ENTRIES_MAX, end: Instant::now() + TIME_MAX }
    }

    /// The entries of a folder by name; of one that cannot be read none.
    pub fn entries(&mut self, folder: &Path) -> Result<Vec<DirEntry>, PatternError> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            self.entries = self.entries.checked_sub(1).ok_or(PatternError::TooMuch)?;
            if Instant::now() > self.end {
                return Err(PatternError::TooMuch);
            }
            entries.push(entry);
        }
        entries.sort_by_key(DirEntry::file_name);
        Ok(entries)
    }
}

/// The plain files that a pattern stands for, seen from a folder; a name with brackets is only a name.
///
/// # Errors
/// It is no pattern, or visits too much.
pub fn files(folder: &Path, pattern: &str, budget: &mut Budget) -> Result<Vec<PathBuf>, PatternError> {
    let mut found = Vec::new();
    let parts: Vec<&str> = pattern.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    let start = if Path::new(pattern).is_absolute() { Path::new("/") } else { folder };
    expand(start, &compiled(&parts)?, budget, &mut found)?;
    Ok(found)
}

/// A part of a pattern between slashes.
enum Part {
    Name(String),
    Some(Pattern),
    /// Any number of folders.
    Folders,
}

fn compiled(parts: &[&str]) -> Result<Vec<Part>, PatternError> {
    let part = |part: &&str| match part.contains(['*', '?']) {
        _ if *part == "**" => Ok(Part::Folders),
        false => Ok(Part::Name((*part).to_owned())),
        true => {
            let literal = part.replace('[', "\u{1}").replace(']', "[]]").replace('\u{1}', "[[]");
            Pattern::new(&literal).map(Part::Some).map_err(|error| PatternError::Form(error.msg))
        }
    };
    let mut compiled = parts.iter().map(part).collect::<Result<Vec<_>, _>>()?;
    compiled.dedup_by(|one, other| matches!((one, other), (Part::Folders, Part::Folders)));
    Ok(compiled)
}

impl Part {
    fn matches(&self, entry: &DirEntry) -> bool {
        let name = entry.file_name();
        match self {
            Part::Name(own) => name == own.as_str(),
            Part::Some(pattern) => pattern.matches(&name.to_string_lossy()),
            Part::Folders => false,
        }
    }
}

fn expand(path: &Path, parts: &[Part], budget: &mut Budget, found: &mut Vec<PathBuf>) -> Result<(), PatternError> {
    match parts {
        [] => {
            if path.is_file() {
                found.push(path.to_owned());
            }
            Ok(())
        }
        [Part::Name(name), rest @ ..] => expand(&path.join(name), rest, budget, found),
        [Part::Folders, rest @ ..] => below(path, rest, budget, found),
        [part, rest @ ..] => {
            for entry in budget.entries(path)?.iter().filter(|entry| part.matches(entry)) {
                expand(&entry.path(), rest, budget, found)?;
            }
            Ok(())
        }
    }
}

/// Whether an entry is a link to a folder that it is in.
fn leads_back(entry: &DirEntry, folder: &Path) -> bool {
    let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
    is_link && entry.path().canonicalize().is_ok_and(|to| folder.canonicalize().is_ok_and(|from| from.starts_with(to)))
}

/// What matches in a folder and in those below it: a folder's own before what follows the folder.
fn below(folder: &Path, parts: &[Part], budget: &mut Budget, found: &mut Vec<PathBuf>) -> Result<(), PatternError> {
    let Some((first, rest)) = parts.split_first() else { return Ok(()) };
    for entry in budget.entries(folder)? {
        if first.matches(&entry) {
            expand(&entry.path(), rest, budget, found)?;
        }
        if entry.path().is_dir() && !leads_back(&entry, folder) {
            below(&entry.path(), parts, budget, found)?;
        }
    }
    Ok(())
}
