//! Files that are somewhere else, as Yosys reads them: under plain names in its own folder, so that no word of theirs is in a script.

use std::path::{Path, PathBuf};

use super::YosysError;
use crate::describe::file::bytes_of;
use crate::describe::text::Foreign;

/// Files, folders of included files, and macros with their values.
#[derive(Debug, Clone, Copy)]
pub struct Elsewhere<'a> {
    pub files: &'a [PathBuf],
    pub include: &'a [PathBuf],
    pub defines: &'a [(String, String)],
}

/// A text as one word of a script. In a script blanks and `;` end a word, `#` begins a comment, `!` a command of the shell, `*`, `?`
/// and `[` stand for other names, and there are no quotes for that.
///
/// # Errors
/// It has such characters.
pub fn word(text: &str) -> Result<&str, YosysError> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_.-/+=:@,%".contains(letter);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => Ok(text),
        false => {
            let allowed = "letters, digits and _ . - / + = : @ , %";
            Err(YosysError::Files(format!("{:?} as a word of a script; allowed: {allowed}", text.shown())))
        }
    }
}

/// The file with the macros.
const DEFINES: &str = "defines.sv";

impl Elsewhere<'_> {
    fn name(place: usize) -> String {
        format!("source_{place}.sv")
    }

    /// Folders in which included files are looked for: those that are named, then those of the files.
    fn folders(&self) -> Vec<&Path> {
        let own = self.files.iter().filter_map(|file| file.parent());
        let mut folders: Vec<&Path> = Vec::new();
        for folder in self.include.iter().map(PathBuf::as_path).chain(own) {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        folders
    }

    /// Brings all of it into a folder, and gives the words that `read_verilog` needs there.
    pub(super) fn bring(&self, folder: &Path) -> Result<String, YosysError> {
        let mut words = Vec::new();
        for (place, path) in self.folders().into_iter().enumerate() {
            // A Yosys in WebAssembly follows no link to a folder.
            let name = match path.to_str().map(word) {
                Some(Ok(plain)) => plain.to_owned(),
                _ => {
                    let name = format!("folder_{place}");
                    link(path, &folder.join(&name)).map_err(|error| failed(path, &error))?;
                    name
                }
            };
            words.push(format!("-I{name}"));
        }
        let define = |(name, value): &(String, String)| format!("`define {name} {value}\n");
        let defines: String = self.defines.iter().map(define).collect();
        if !defines.is_empty() {
            std::fs::write(folder.join(DEFINES), defines).map_err(|error| failed(folder, &error))?;
            words.push(DEFINES.to_owned());
        }
        for (place, path) in self.files.iter().enumerate() {
            let content = bytes_of(path).map_err(|error| failed(path, &error))?;
            std::fs::write(folder.join(Self::name(place)), content).map_err(|error| failed(folder, &error))?;
            words.push(Self::name(place));
        }
        Ok(words.join(" "))
    }

    /// What Yosys says, with the files' own names.
    pub(super) fn named(&self, said: &str) -> String {
        let each = self.files.iter().enumerate();
        each.fold(said.to_owned(), |said, (place, path)| said.replace(&Self::name(place), &path.shown()))
    }
}

fn failed(path: &Path, error: &std::io::Error) -> YosysError {
    YosysError::Files(format!("{}: {error}", path.shown()))
}

#[cfg(unix)]
fn link(path: &Path, name: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(path, name)
}

#[cfg(not(unix))]
fn link(_path: &Path, _name: &Path) -> std::io::Result<()> {
    Err(std::io::Error::other("it cannot be a word of a script; allowed: a path of letters, digits and _ . - /"))
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn words_of_scripts() {
        for plain in ["dot4.sv", "/a/b-c_d/e.v", "X=1", "-Irtl"] {
            assert_eq!(word(plain).ok(), Some(plain));
        }
        for other in [
            "", "a b", "a;b", "a\nb", "a\tb", "#a", "!a", "*.v", "a[b]", "a?", "\"a\"", "$(a)", "`a`", "a\\b", "\u{fc}",
        ] {
            assert!(word(other).is_err(), "{other:?}");
        }
    }
}
