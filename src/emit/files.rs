//! Writes several files: all of them, or none. Never leaves a part of one, nor some of them.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::scratch::Scratch;
use super::{EmitError, SourceFile};

/// Where descriptors of the program have names.
const DESCRIPTORS: [&str; 5] = ["/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/proc"];

/// Where a file of that name is written: what a link leads to is replaced, not the link.
///
/// # Errors
/// What is there is no plain file, such as a folder or a device, or it is named by a descriptor.
pub fn destination(path: &Path) -> io::Result<PathBuf> {
    match path.metadata() {
        Ok(there) if there.is_dir() => Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder")),
        Ok(there) if !there.is_file() => Err(io::Error::new(ErrorKind::InvalidInput, "it is no plain file")),
        // The file behind a descriptor, such as standard output, would be replaced with all that it holds.
        Ok(_) if DESCRIPTORS.iter().any(|place| path.starts_with(place)) => {
            Err(io::Error::new(ErrorKind::InvalidInput, "it is a descriptor; `-` is standard output"))
        }
        Ok(_) => path.canonicalize(),
        Err(_) => Ok(path.to_owned()),
    }
}

/// Writes files into a folder, which is created if need be. Each file appears whole; where one cannot be written all are as
/// they were before.
///
/// # Errors
/// The folder or a file cannot be written.
pub fn write(folder: &Path, files: &[SourceFile]) -> Result<(), EmitError> {
    let new = missing_folders(folder);
    let outcome = write_into(folder, files);
    if outcome.is_err() {
        remove_empty(&new);
    }
    outcome
}

/// A folder and those that it lies in, as far as they are not there yet, the innermost first.
pub fn missing_folders(folder: &Path) -> Vec<&Path> {
    let named = folder.ancestors().filter(|folder| !folder.as_os_str().is_empty());
    named.take_while(|folder| !folder.exists()).collect()
}

/// Removes folders that were made, but for those where somebody else has put something.
pub fn remove_empty(folders: &[&Path]) {
    folders.iter().for_each(|folder| drop(std::fs::remove_dir(folder)));
}

fn write_into(folder: &Path, files: &[SourceFile]) -> Result<(), EmitError> {
    let failed = |source| EmitError::Write { path: folder.to_owned(), source };
    if folder.exists() && !folder.is_dir() {
        return Err(failed(io::Error::new(ErrorKind::NotADirectory, "it is no folder")));
    }
    std::fs::create_dir_all(folder).map_err(failed)?;
    let destination = |file: &SourceFile| {
        let path = folder.join(&file.name);
        destination(&path).map_err(|source| EmitError::Write { path, source })
    };
    let destinations = files.iter().map(destination).collect::<Result<Vec<PathBuf>, EmitError>>()?;
    let staged = Scratch::within(folder).map_err(failed)?;
    let [new, old] = ["new", "old"].map(|name| staged.path().join(name));
    [&new, &old].into_iter().try_for_each(std::fs::create_dir).map_err(failed)?;
    for file in files {
        std::fs::write(new.join(&file.name), &file.text).map_err(failed)?;
    }
    let mut placed = Vec::new();
    for (number, (file, destination)) in files.iter().zip(&destinations).enumerate() {
        let kept = old.join(number.to_string());
        let place = || keep(destination, &kept).and_then(|()| std::fs::rename(new.join(&file.name), destination));
        if let Err(error) = place() {
            restore(&placed);
            return Err(failed(error));
        }
        placed.push((destination, kept));
    }
    Ok(())
}

/// Keeps what is there, if something is, under another name too.
fn keep(there: &Path, kept: &Path) -> io::Result<()> {
    // Not every file system knows links.
    match std::fs::hard_link(there, kept).or_else(|_| std::fs::copy(there, kept).map(drop)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}

/// Gives back what was replaced, and removes what is new.
fn restore(placed: &[(&PathBuf, PathBuf)]) {
    for (there, kept) in placed.iter().rev() {
        let _ = if kept.exists() { std::fs::rename(kept, there) } else { std::fs::remove_file(there) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> SourceFile {
        SourceFile { name: name.to_owned(), text: text.to_owned() }
    }

    /// The last file cannot get its name, since the first of that name has it.
    #[test]
    fn all_or_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).ok();
        write(folder.path(), &[file("a", "old a"), file("b", "old b")]).expect("there is room");
        let files = [file("a", "a"), file("c", "c"), file("b", "b"), file("a", "a")];
        write(folder.path(), &files).expect_err("one of two");
        assert_eq!(["a", "b", "c"].map(read), [Some("old a".to_owned()), Some("old b".to_owned()), None]);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2, "nothing else is left");
        write(folder.path(), &files[..3]).expect("there is room");
        assert_eq!(["a", "b", "c"].map(read), ["a", "b", "c"].map(|text| Some(text.to_owned())));

        let new = folder.path().join("new/deep");
        write(&new, &files).expect_err("one of two");
        assert!(!folder.path().join("new").exists(), "folders that were made for nothing");
    }
}
