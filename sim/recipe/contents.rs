//! What lies in a cache folder: the names that the cache makes, listing them, and clearing them.
//!
//! Clearing needs no lock: a build copies what it needs before it uses it, and makes again what has gone. Nothing but
//! names that the cache itself makes is ever removed, and on request only from a folder that the cache has marked.

use super::cache::Cache;
use super::{Error, held, plain};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How long nothing may have changed in a work folder that nobody holds before it counts as left over from a killed build:
/// not every file system knows locks.
pub(super) const STALE: Duration = Duration::from_secs(60 * 60);

const TAG: &str = "CACHEDIR.TAG";
/// The first line is fixed by the cache directory tagging specification, <https://bford.info/cachedir/>; programs that
/// back up files know it. The second tells this cache from others.
const TAG_TEXT: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
    # Units built by tensorsmith; `tensorsmith cache` lists and clears them.\n\
    # About cache directory tags: https://bford.info/cachedir/\n";

/// What an entry of a cache is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A unit that can be loaded.
    Library,
    /// A unit or a design that a user wrote, as a program of its own.
    Program,
    /// A unit, or Verilator's run-time library, before linking.
    Object,
    /// The headers of all units, compiled.
    Headers,
    /// A unit as Yosys mapped it to lookup tables.
    Netlist,
    /// What was proved: of a unit, of one of its obligations, or a solver's answer.
    Proof,
    /// The folder of a build that is under way or was killed.
    Work,
}

/// Endings of finished files.
const ENDINGS: [(Kind, &str); 6] = [
    (Kind::Library, "so"),
    (Kind::Program, "run"),
    (Kind::Object, "o"),
    (Kind::Headers, "gch"),
    (Kind::Netlist, "netlist"),
    (Kind::Proof, "proof"),
];

/// Name of a finished file.
pub(super) fn name(kind: Kind, module: &str, key: &str) -> String {
    let ending = ENDINGS.iter().find(|(known, _)| *known == kind).map_or("", |(_, ending)| *ending);
    format!("{module}-{key}.{ending}")
}

/// Name of a work folder; it differs from that of any other build, on this machine and on others.
pub(super) fn work_name(process: u32, count: u64, nanoseconds: u128) -> String {
    format!("work-{process}-{count}-{nanoseconds}")
}

/// What a name in the cache stands for, with the module of a finished file; `None` for names that the cache never makes.
fn parse(name: &str) -> Option<(Kind, &str)> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    if let Some(numbers) = name.strip_prefix("work-")
        && numbers.split('-').count() == 3
        && numbers.split('-').all(digits)
    {
        return Some((Kind::Work, ""));
    }
    let (stem, ending) = name.rsplit_once('.')?;
    let (kind, _) = *ENDINGS.iter().find(|(_, known)| *known == ending)?;
    let (module, key) = stem.rsplit_once('-')?;
    let is_key = key.len() == 32 && key.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
    let is_module = !module.is_empty() && module.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_');
    (is_key && is_module).then_some((kind, module))
}

/// One finished file or work folder.
#[derive(Debug, Clone)]
pub struct Entry {
    pub kind: Kind,
    /// Empty for a work folder.
    pub module: String,
    /// Name in the cache folder.
    pub name: String,
    pub bytes: u64,
    /// Time since the last use of a file, since the last change of a work folder.
    pub idle: Duration,
    /// Whether this is a work folder whose maker has ended.
    abandoned: bool,
}

impl Entry {
    /// `None` where the name is not the cache's, is something else than it says, or has gone meanwhile.
    fn of(folder: &Path, name: &str) -> Option<Self> {
        let (kind, module) = parse(name)?;
        let path = folder.join(name);
        let found = fs::symlink_metadata(&path).ok()?;
        let fits = if kind == Kind::Work { found.is_dir() } else { found.is_file() };
        let (bytes, changed) = if kind == Kind::Work { measure(&path) } else { (found.len(), found.modified().ok()) };
        let idle = changed.and_then(|time| time.elapsed().ok()).unwrap_or_default();
        let abandoned = kind == Kind::Work && held::is_abandoned(&path);
        fits.then(|| Self { kind, module: module.to_string(), name: name.to_string(), bytes, idle, abandoned })
    }

    /// Whether this is the work folder of a killed build.
    #[must_use]
    pub fn is_leftover(&self) -> bool {
        self.kind == Kind::Work && (self.abandoned || self.idle > STALE)
    }
}

/// Bytes of all files below a folder, and the last time that something changed there.
fn measure(folder: &Path) -> (u64, Option<SystemTime>) {
    let mut bytes = 0;
    let mut changed = fs::symlink_metadata(folder).and_then(|found| found.modified()).ok();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(found) = entry.metadata() else { continue };
        let (size, time) = if found.is_dir() { measure(&entry.path()) } else { (found.len(), found.modified().ok()) };
        bytes += size;
        changed = changed.max(time);
    }
    (bytes, changed)
}

/// A cache folder as it was a moment ago.
#[derive(Debug, Clone)]
pub struct Contents {
    pub folder: PathBuf,
    /// Sorted by kind, module and time of last use, the latest first.
    pub entries: Vec<Entry>,
    /// Whether the folder carries the cache's own mark.
    pub marked: bool,
    /// What the cache does not make, by its name or by what has the name; somebody else's mark is one of them.
    pub others: usize,
}

impl Contents {
    /// Looks into a folder and changes nothing there. A folder that does not exist is empty.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let names = match fs::read_dir(folder) {
            Ok(entries) => entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect(),
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(Error::files("list", folder, &error)),
        };
        let mut entries: Vec<Entry> = names.iter().filter_map(|name| Entry::of(folder, name)).collect();
        entries.sort_by(|a, b| (a.kind, &a.module, a.idle).cmp(&(b.kind, &b.module, b.idle)));
        let tag = plain::text(&folder.join(TAG));
        let marked = tag.lines().take(2).eq(TAG_TEXT.lines().take(2));
        // The mark may have come after the list of names.
        let others = names.len().saturating_sub(entries.len() + usize::from(marked));
        Ok(Self { folder: folder.to_path_buf(), entries, marked, others })
    }

    /// Removes finished files that were not used for so long, and what killed builds left, and notes it in `removed`.
    /// Builds may go on meanwhile. What cannot be removed is an error, after everything else is gone.
    pub fn clear(&self, idle: Duration, removed: &mut Vec<Entry>) -> Result<(), Error> {
        // A new cache, before its mark, holds work folders only.
        let under_way = |entry: &Entry| entry.kind == Kind::Work && !entry.is_leftover();
        if !self.marked && (self.others > 0 || !self.entries.iter().all(under_way)) {
            return Err(Error::Files(format!(
                "{} is not marked as a cache of tensorsmith (by a file {TAG} of its own); nothing was removed",
                self.folder.display()
            )));
        }
        let mut outcome = Ok(());
        // Each as it is now: it may have been used since the folder was read.
        for entry in self.entries.iter().filter_map(|entry| Entry::of(&self.folder, &entry.name)) {
            let due = if entry.kind == Kind::Work { entry.is_leftover() } else { entry.idle >= idle };
            match due.then(|| remove(&self.folder, &entry)) {
                Some(Ok(true)) => removed.push(entry),
                Some(Err(error)) => outcome = Err(error),
                Some(Ok(false)) | None => {}
            }
        }
        outcome
    }
}

/// Removes an entry; false if somebody else was faster.
fn remove(folder: &Path, entry: &Entry) -> Result<bool, Error> {
    let path = folder.join(&entry.name);
    let outcome = if entry.kind == Kind::Work { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
    match outcome {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Error::files("remove", &path, &error)),
    }
}

/// Removes what killed builds left. Failures are left alone: somebody else may be removing the same folders.
pub(super) fn remove_stale(contents: &Contents) {
    for entry in contents.entries.iter().filter(|entry| entry.is_leftover()) {
        let _ = remove(&contents.folder, entry);
    }
}

/// Marks a new cache, or one from before there was a mark; never a folder that holds anything else. A cache that cannot
/// be marked serves as well; it cannot be cleared by a command.
pub(super) fn mark(cache: &Cache, contents: &Contents) {
    if contents.marked || contents.others > 0 {
        return;
    }
    let Ok(work) = cache.work() else { return };
    if work.write(TAG, TAG_TEXT).is_ok() {
        let _ = fs::rename(work.path(TAG), contents.folder.join(TAG));
    }
}
