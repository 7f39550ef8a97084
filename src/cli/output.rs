//! Where text and files go: standard output, standard error, files that are there whole or not at all.

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rayon::prelude::*;
use serde::Serialize;

pub(super) use super::progress::{progress, spinner};
use super::{Failure, closed};
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::text::{Foreign, shown_lines};
use tensorsmith::emit;
use tensorsmith::engine::Kind;

/// Whether a path stands for standard output.
pub(super) fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

pub(super) fn json_text(report: &impl Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(report)? + "\n")
}

/// Writes JSON to a file, or to standard output for `-`.
pub(super) fn json(path: &Path, report: &impl Serialize) -> Result<(), Failure> {
    let write = |out: &mut dyn Write| -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, report)?;
        writeln!(out)
    };
    if is_standard_output(path) {
        let mut pieces = io::BufWriter::new(StandardOutput);
        return Ok(write(&mut pieces).and_then(|()| pieces.flush())?);
    }
    write_pieces(path, write)
}

/// Writes JSON where it is asked for; whether the text is printed too, since standard output holds one of them.
pub(super) fn json_beside_text(json: Option<&Path>, report: &impl Serialize) -> Result<bool, Failure> {
    json.map_or(Ok(()), |path| self::json(path, report))?;
    Ok(!json.is_some_and(is_standard_output))
}

/// Writes a file whole or not at all.
pub(super) fn write_whole(path: &Path, text: &str) -> Result<(), Failure> {
    Staged::new(path, text)?.publish()
}

/// Writes a file whole or not at all, piece by piece.
pub(super) fn write_pieces(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut staged = Staged::new(path, "")?;
    let mut pieces = io::BufWriter::new(staged.file.as_file_mut());
    write(&mut pieces)
        .and_then(|()| pieces.flush())
        .map_err(|error| Failure(format!("{}: cannot be written: {error}", path.shown())))?;
    drop(pieces);
    staged.publish()
}

/// Lets somebody write a file, by its name; it is there whole or not at all.
#[cfg(feature = "rtl")]
pub(super) fn write_beside<E: Display>(path: &Path, write: impl FnOnce(&Path) -> Result<(), E>) -> Result<(), Failure> {
    let staged = Staged::new(path, "")?;
    write(staged.file.path()).map_err(|error| Failure(error.to_string()))?;
    staged.publish()
}

/// Fails where a file could not be written there; `-` is standard output.
pub(super) fn check_writable(path: &Path) -> Result<(), Failure> {
    if is_standard_output(path) { Ok(()) } else { Staged::new(path, "").map(drop) }
}

/// Fails where a folder to be created could not be there; nothing is created yet.
pub(super) fn check_folder(path: &Path) -> Result<(), Failure> {
    let failed = |why: String| Failure(format!("{}: cannot be created: {why}", path.shown()));
    let there = first_there(path);
    if !there.is_dir() {
        return Err(failed(format!("{} is no folder", there.shown())));
    }
    // A name that no folder can have, such as one that is too long.
    let missing = path.strip_prefix(there).unwrap_or(path).components();
    let unnamed = missing.filter_map(|name| there.join(name).symlink_metadata().err());
    match unnamed.into_iter().find(|error| error.kind() != io::ErrorKind::NotFound) {
        Some(error) => Err(failed(error.to_string())),
        None => Ok(()),
    }
}

/// Fails where files could not be written into a folder, or it could not be created; nothing is created yet.
pub(super) fn check_folder_writable(path: &Path) -> Result<(), Failure> {
    check_folder(path)?;
    let failed = |error: io::Error| Failure(format!("{}: cannot be written: {}", path.shown(), error.kind()));
    temporary(first_there(path)).map(drop).map_err(failed)
}

/// The first that is there of a path and the folders that it lies in; a link is there that leads nowhere.
fn first_there(path: &Path) -> &Path {
    let is_there = |folder: &&Path| !folder.as_os_str().is_empty() && folder.symlink_metadata().is_ok();
    path.ancestors().find(is_there).unwrap_or(Path::new("."))
}

/// How many threads this machine runs at a time.
pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Makes a folder, and those that it lies in, where it is not there yet.
pub(super) fn make_folder(path: &Path) -> Result<(), Failure> {
    check_folder(path)?;
    std::fs::create_dir_all(path).map_err(|error| Failure(format!("{}: cannot be created: {error}", path.shown())))
}

/// Writes files that are not there yet, with the folders that they lie in: all of them whole, or none.
#[cfg(feature = "rtl")]
pub(super) fn write_new(files: &[(PathBuf, &str)]) -> Result<(), Failure> {
    let folders: Vec<&Path> = files.iter().filter_map(|(path, _)| path.parent()).collect();
    let mut made: Vec<&Path> = folders.iter().flat_map(|folder| emit::missing_folders(folder)).collect();
    made.sort_by_key(|folder| std::cmp::Reverse(folder.components().count()));
    let mut placed: Vec<&Path> = Vec::new();
    let mut write = || {
        folders.iter().filter(|folder| !folder.as_os_str().is_empty()).try_for_each(|folder| make_folder(folder))?;
        let staged = files.iter().map(|(path, text)| Staged::new(path, text)).collect::<Result<Vec<_>, _>>()?;
        for (staged, (path, _)) in staged.into_iter().zip(files) {
            let failed = |error| Failure(format!("{}: cannot be written: {error}", path.shown()));
            staged.file.persist_noclobber(path).map_err(|error| failed(error.error))?;
            placed.push(path);
        }
        Ok(())
    };
    let outcome = write();
    if outcome.is_err() {
        placed.iter().for_each(|path| drop(std::fs::remove_file(path)));
        emit::remove_empty(&made);
    }
    outcome
}

/// A file written under another name beside its own; removed unless published.
pub(super) struct Staged {
    path: PathBuf,
    file: tempfile::NamedTempFile,
}

/// A file as readable as any new one: continuous integration collects reports as another user.
#[cfg(unix)]
fn temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    tempfile::Builder::new().permissions(mode).tempfile_in(folder)
}

#[cfg(not(unix))]
fn temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::NamedTempFile::new_in(folder)
}

impl Staged {
    pub fn new(path: &Path, text: &str) -> Result<Staged, Failure> {
        let failed = |error: &dyn Display| Failure(format!("{}: cannot be written: {error}", path.shown()));
        let path = emit::destination(path).map_err(|error| failed(&error))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = temporary(folder).map_err(|error| match error.kind() {
            // The error names a file that nobody has named.
            io::ErrorKind::NotFound => failed(&"its folder is not there"),
            kind => failed(&kind),
        })?;
        file.write_all(text.as_bytes()).map_err(|error| failed(&error))?;
        Ok(Staged { path, file })
    }

    pub fn publish(self) -> Result<(), Failure> {
        let failed = |error| Failure(format!("{}: cannot be written: {error}", self.path.shown()));
        self.file.persist(&self.path).map(drop).map_err(failed)
    }
}

/// Why a line did not reach standard output, the first time.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Standard output. Whoever reads it may go away early; then the command goes on without.
struct StandardOutput;

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let write = || if closed::was_closed() { Err(closed::error()) } else { io::stdout().write_all(bytes) };
        if let (None, Err(error)) = (LOST.get(), write()) {
            LOST.get_or_init(|| error);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a line to standard output. Nothing in it is a command to what reads it.
pub(super) fn line(text: fmt::Arguments) {
    whole_line(shown_lines(&text.to_string()));
}

/// Writes a line that is a command to what reads it: an annotation.
pub(super) fn command_line(text: &str) {
    whole_line(text.shown());
}

fn whole_line(text: String) {
    print_whole(&(text + "\n"));
}

/// Writes text to standard output as it is.
pub(super) fn print_whole(text: &str) {
    // Why it is lost is kept.
    let _ = StandardOutput.write_all(text.as_bytes());
}

/// Writes a line to standard error, which may be lost.
pub(super) fn remark(text: fmt::Arguments) {
    let _ = io::stderr().write_all((shown_lines(&text.to_string()) + "\n").as_bytes());
}

/// `eprintln!` of text that may come from outside, and that does not panic.
macro_rules! note {
    ($($part:tt)*) => {
        $crate::cli::output::remark(format_args!($($part)*))
    };
}
pub(super) use note;

/// Fails if lines were lost for another reason than a reader who went away.
pub(super) fn check_lines() -> Result<(), Failure> {
    match LOST.get() {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure(format!("standard output: cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// `println!` that does not panic where standard output cannot be written.
macro_rules! say {
    ($($part:tt)*) => {
        $crate::cli::output::line(format_args!($($part)*))
    };
}
pub(super) use say;

/// From so many models on, compiling their common headers first saves time.
#[cfg(feature = "rtl")]
const MODELS_WORTH_HEADERS: usize = 8;

/// Builds what engines of these kinds need for these subjects on all cores, where there is more than one thing to build, and
/// shows how far that is. Why something cannot be built is said when its engine is opened.
pub(super) fn prepare(kinds: &[Kind], subjects: &[Subject]) {
    let wanted = Kind::to_prepare(kinds, subjects);
    if wanted.len() < 2 {
        return;
    }
    let bar = progress("building", wanted.len() as u64, "models");
    #[cfg(feature = "rtl")]
    if wanted.iter().filter(|(kind, _)| *kind == Kind::Rtl).count() >= MODELS_WORTH_HEADERS
        && let Ok(builder) = tensorsmith::engine::rtl::Builder::shared()
    {
        // Models are built without them too.
        let _ = builder.precompile_headers();
    }
    wanted.par_iter().for_each(|(kind, unit)| {
        kind.prepare(unit);
        bar.inc(1);
    });
    bar.finish_and_clear();
}
