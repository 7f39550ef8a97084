//! Files that a command writes: none of those that it reads, none twice, and reports where they can be written: said before anything runs.

use std::any::TypeId;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use super::{Failure, output};
use tensorsmith::describe::text::Foreign;

/// Options whose values are files to write.
const FILES: [&str; 5] = ["out", "json", "junit", "csv", "svg"];

/// Those of them that every command writes in the end.
const REPORTS: [&str; 4] = ["--json", "--junit", "--csv", "--svg"];

/// Options whose values are folders to write into.
const FOLDERS: [&str; 5] = ["cases", "cache", "pictures", "files", "certificates"];

/// Endings of what is read where a folder is named.
const READ_IN_FOLDERS: [&str; 3] = ["tsrec", "txt", "results"];

/// The same for every name of a place, whether something is there or not.
fn place(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    path.canonicalize().ok().or_else(|| Some(folder.canonicalize().ok()?.join(path.file_name()?)))
}

/// Fails where a file to write, with its option, would take the place of another one, or of one that is read.
pub(super) fn check(read: &[PathBuf], written: &[(String, PathBuf)]) -> Result<(), Failure> {
    let mut taken: Vec<PathBuf> = read.iter().filter(|path| path.exists()).filter_map(|path| place(path)).collect();
    for (option, path) in written {
        let Some(own) = place(path).filter(|own| !own.is_dir()) else { continue };
        let is_read = |folder: &PathBuf| own.exists() && folder.is_dir() && own.starts_with(folder);
        let ending = own.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if taken.contains(&own) || (READ_IN_FOLDERS.contains(&ending) && taken.iter().any(is_read)) {
            let path = path.shown();
            return Err(Failure(format!("{option}: {path} is read or written already; allowed: a file of its own")));
        }
        taken.push(own);
    }
    Ok(())
}

/// The same for all that is named on a command line.
pub(super) fn check_named(command: &Command, matches: &ArgMatches) -> Result<(), Failure> {
    check_with(&[], command, matches)
}

/// The same with options of the commands around this one, which it has too.
fn check_with(around: &[&Arg], command: &Command, matches: &ArgMatches) -> Result<(), Failure> {
    if let Some((name, matches)) = matches.subcommand() {
        let own = command.get_arguments().filter(|argument| argument.is_global_set());
        let around: Vec<&Arg> = around.iter().copied().chain(own).collect();
        return command.find_subcommand(name).map_or(Ok(()), |command| check_with(&around, command, matches));
    }
    let texts = [TypeId::of::<String>(), TypeId::of::<PathBuf>()];
    let (mut read, mut written) = (Vec::new(), Vec::new());
    for argument in command.get_arguments().chain(around.iter().copied()) {
        let id = argument.get_id().as_str();
        let is_text = texts.iter().any(|kind| argument.get_value_parser().type_id() == *kind);
        let is_given = matches.value_source(id) == Some(ValueSource::CommandLine);
        if !is_text || !is_given || FOLDERS.contains(&id) {
            continue;
        }
        let values = matches.get_raw(id).into_iter().flatten().map(PathBuf::from).filter(|path| path != Path::new("-"));
        match FILES.contains(&id) {
            true => written.extend(values.map(|path| (format!("--{id}"), path))),
            false => read.extend(values),
        }
    }
    check(&read, &written)?;
    let mut reports = written.iter().filter(|(option, _)| REPORTS.contains(&option.as_str()));
    reports.try_for_each(|(_, path)| output::check_writable(path))
}
