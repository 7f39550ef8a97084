//! Text from outside: names of files, and what stands in them. It is shown so that it cannot be taken for text of the program.

use std::path::Path;

/// What a text for people may be: it stands in a line of a table, and in a comment of the SystemVerilog.
pub const LINES_ALLOWED: &str = "one line, without control characters or marks that change the direction of writing";

/// Whether a text is one line that reads as it stands.
pub fn is_one_line(text: &str) -> bool {
    !text.contains(misleads)
}

/// Most bytes of a name. A longer one names nothing, and is compared with nothing.
pub const NAME_MAX: usize = 200;

/// An unknown name as an error shows it, and the nearest known ones: `"hoper"; nearest: hopper, volta`. Of a name that is longer
/// than any the beginning, and its length.
pub fn unknown_name(name: &str, nearest: impl FnOnce() -> Vec<String>) -> String {
    if name.len() <= NAME_MAX {
        return format!("{name:?}; nearest: {}", nearest().join(", "));
    }
    let beginning: String = name.chars().take(20).collect();
    format!("{:?}, of {} bytes, longer than any name", format!("{beginning}..."), name.len())
}

/// Whether a character moves others, ends a line or stands for nothing that is seen: control characters, the separators of
/// lines, and the marks of writing direction (Unicode Standard Annex 9).
fn misleads(letter: char) -> bool {
    let moves =
        matches!(letter, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || moves || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

/// What comes from outside and is shown.
pub trait Foreign {
    /// As one line; characters that mislead are written as escapes, such as `\n` and `\u{202e}`.
    fn shown(&self) -> String;
}

impl Foreign for str {
    fn shown(&self) -> String {
        let mut shown = String::with_capacity(self.len());
        for letter in self.chars() {
            if misleads(letter) { shown.extend(letter.escape_default()) } else { shown.push(letter) }
        }
        shown
    }
}

impl Foreign for Path {
    fn shown(&self) -> String {
        self.to_string_lossy().shown()
    }
}

/// A message of several lines that quotes what comes from outside: the lines stay, all else is shown as [`Foreign::shown`]
/// does. No line is a command to a runner of continuous integration, whoever wrote it.
pub fn shown_lines(text: &str) -> String {
    text.split('\n').map(|line| inert(line.shown())).collect::<Vec<_>>().join("\n")
}

/// A line that no runner takes for a command: those of GitHub read `::` at its begin and `##[` anywhere, those of Azure `##vso[`.
fn inert(line: String) -> String {
    let begin = line.len() - line.trim_start().len();
    let mut inert = line.replace("##[", "#\\u{23}[").replace("##vso[", "#\\u{23}vso[");
    if line[begin..].starts_with("::") {
        inert.replace_range(begin..=begin, "\\u{3a}");
    }
    inert
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_no_commands() {
        for (text, shown) in [
            ("a\n::error::b", "a\n\\u{3a}:error::b"),
            (" \t::stop", " \\t::stop"),
            ("  ::stop", "  \\u{3a}:stop"),
            ("a ##[group]b", "a #\\u{23}[group]b"),
            ("##vso[task]", "#\\u{23}vso[task]"),
            ("a::b \u{1b}[0m", "a::b \\u{1b}[0m"),
            ("# [1] a", "# [1] a"),
        ] {
            assert_eq!(shown_lines(text), shown);
        }
    }
}
