//! What a recording is of, as the command line names it or as a recording keeps it; and a word where a user's own file says
//! something else now than when it was recorded.

use std::path::{Path, PathBuf};

use super::output::note;
use super::{Failure, input};
use tensorsmith::describe::interface::Interface;
use tensorsmith::describe::text::Foreign;
use tensorsmith::recording::{Header, Layout, Recorded};

/// What a recording is of, by its header. Where the file that was recorded has changed since, that is said on standard error.
pub(super) fn of(path: &Path, header: &Header) -> Result<Recorded, Failure> {
    let recorded = header.recorded().map_err(|what| Failure(format!("{}: {what}", path.shown())))?;
    tell_changes(path, header);
    Ok(recorded)
}

/// Says what a user's own file says otherwise now than the recording made of it. A file that is not there says nothing.
pub(super) fn tell_changes(path: &Path, header: &Header) {
    let Some((described, named)) = header.described.as_ref().and_then(|all| Some((all, all.file.as_ref()?))) else {
        return;
    };
    let named = Path::new(named);
    let beside = path.parent().zip(named.file_name()).map(|(folder, name)| folder.join(name));
    let found: Option<PathBuf> = [Some(named.to_owned()), beside].into_iter().flatten().find(|file| file.is_file());
    let Some(file) = found else { return };
    let changed = match Recorded::from_file(&file).map(|now| now.described(None).unwrap_or_default()) {
        Err(_) => "it cannot be read as such a file any more".to_owned(),
        Ok(now) => match described.difference(&now) {
            Some([then, now]) => format!("{then} then, {now} now"),
            None => return,
        },
    };
    let (path, file) = (path.shown(), file.shown());
    let changed = changed.shown();
    note!("note: {file} has changed since {path} was recorded: {changed}; what was recorded counts");
}

/// Says where a recording describes what it is of otherwise than the catalogue, under the same name.
pub(super) fn tell_unlike_catalogue(path: &Path, header: &Header) {
    if let Some(subject) = header.recorded().ok().as_ref().and_then(Recorded::subject) {
        input::tell_unlike_catalogue(subject, path);
    }
}

/// A unit, an instruction or an interface of the command line, and its file if it comes from one.
pub(super) fn named(name: &str) -> Result<(Recorded, Option<String>), Failure> {
    let path = Path::new(name);
    if input::is_path(name) && path.is_file() {
        let recorded = Recorded::from_file(path)?;
        recorded.subject().iter().for_each(|subject| input::tell_unlike_catalogue(subject, path));
        return Ok((recorded, Some(name.to_owned())));
    }
    let input::Named { subject, is_file } = input::subject(name)?;
    Ok((Recorded::Subject(subject), is_file.then(|| name.to_owned())))
}

/// That vectors of a recording fit another subject than the recorded one. Results may have fewer fraction bits than the interface says:
/// so do those that inference finds.
pub(super) fn check_fits(path: &Path, recorded: &Interface, other: &Interface) -> Result<(), Failure> {
    let fields = |interface: &Interface| {
        let d = &interface.formats.d;
        (d.width(), d.exponent_bits, d.bias, d.non_finite)
    };
    let mut mismatches = input::interface_mismatches(recorded, other);
    mismatches.retain(|(what, _)| *what != "d" || fields(recorded) != fields(other));
    let words: Vec<String> = mismatches.iter().map(|(what, [of, other])| format!("{what} {of}, not {other}")).collect();
    match (words.is_empty(), Layout::of(recorded) == Layout::of(other)) {
        (true, true) => Ok(()),
        (is_flags, _) => {
            let what = if is_flags { "other flags".to_owned() } else { words.join("; ") };
            let (path, name) = (path.shown(), &recorded.name);
            Err(Failure(format!("--subject: {path} holds vectors of {name}, with {what}; allowed: the same interface")))
        }
    }
}
