//! Text from outside: names of files, and what stands in them. It is shown so that it cannot be taken for text of the program.

use std::path::Path;

/// What a text for people may be: it stands in a line of a table, and in a comment of the SystemVerilog.
pub const LINES_ALLOWED: &str = "one line, without control characters or marks that change the direction of writing";

/// Whether a text is one line that reads as it stands.
pub fn is_one_line(text: &str) -> bool {
    !text.contains(misleads)
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
/// does.
pub fn shown_lines(text: &str) -> String {
    text.split('\n').map(Foreign::shown).collect::<Vec<_>>().join("\n")
}
