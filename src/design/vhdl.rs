//! VHDL that opens files or calls foreign code, by GHDL's own reading of its words. Nothing of the text is run for it.

use std::path::PathBuf;
use std::process::Command;

use super::file::Design;
use super::sources::SourceError;
use crate::describe::text::Foreign;
use crate::emit::limited::{self, Bounds, Ended};
use crate::emit::scratch::Scratch;

/// The page that GHDL writes of a file, with its words in colours.
const PAGE: &str = "page.html";

impl Design {
    /// Refuses files of VHDL that open files or call foreign code.
    ///
    /// # Errors
    /// One does, and where; or GHDL is not there.
    pub(super) fn refuse_calls(&self, files: &[PathBuf]) -> Result<(), SourceError> {
        let failed = |error: std::io::Error| SourceError::NoGhdl(format!("a folder for GHDL: {error}"));
        let folder = Scratch::new().map_err(failed)?;
        for file in files {
            let mut command = Command::new("ghdl");
            command.args(["--pp-html", "--std=08"]).arg(file);
            let bounds = Bounds { printed: Some(PAGE), ..Bounds::within(limited::LIMIT) };
            let refuse = |what: String, allowed: &str| self.refuse("sources", what, allowed).into();
            match limited::run(&command, folder.path(), bounds).map_err(failed)? {
                Ended::Well => {}
                Ended::Missing => return Err(super::sources::no_ghdl("it is not on PATH")),
                Ended::OutOfTime => {
                    let what =
                        format!("{}, which GHDL reads for longer than {} s", file.shown(), bounds.time.as_secs());
                    return Err(refuse(what, "files that it reads in that time"));
                }
                Ended::Badly(said) => {
                    let what = format!("{}, and GHDL says\n  {said}\n ", file.shown());
                    return Err(refuse(what, "VHDL that GHDL reads"));
                }
            }
            let page = std::fs::read(folder.path().join(PAGE)).map_err(failed)?;
            if let Some((line, what)) = first_call(&String::from_utf8_lossy(&page)) {
                let place = super::seen_from_here(&format!("{}:{line}: {what}", file.shown()));
                let allowed = "VHDL that opens no file and calls no foreign code, or --allow-system-calls";
                return Err(refuse(place, allowed));
            }
        }
        Ok(())
    }
}

/// The line of the first word that declares a file or foreign code, and what it does. Reserved words are red on the page, and
/// comments and literals have other colours.
fn first_call(page: &str) -> Option<(u32, &'static str)> {
    let mut line = 0;
    for piece in page.split_once("<pre>")?.1.split('<') {
        let (tag, text) = piece.split_once('>').unwrap_or_default();
        if tag == "font size=-1" {
            line = text.trim().parse().unwrap_or(line);
        }
        let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        if tag == "font color=red" && text.eq_ignore_ascii_case("file") {
            return Some((line, "`file` opens a file"));
        }
        if tag == "/font" && words.any(|word| word.eq_ignore_ascii_case("foreign")) {
            return Some((line, "`foreign` calls code in another language"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::first_call;

    #[test]
    fn words_are_told_from_comments_and_literals() {
        let page = |text: &str| format!("<h1>file</h1><pre>\n<font size=-1>    7</font> {text}\n</pre>");
        for harmless in [
            "<font color=green>-- file foreign</font> x",
            "<font color=blue>\"file foreign\"</font>;",
            "my_file : foreign_2;",
        ] {
            assert_eq!(first_call(&page(harmless)), None, "{harmless}");
        }
        for call in [
            "<font color=red>FILE</font> f : text;",
            "<font color=red>attribute</font> Foreign <font color=red>of</font>",
        ] {
            assert_eq!(first_call(&page(call)).map(|(line, _)| line), Some(7), "{call}");
        }
    }
}
