//! What a table of fields says of them, as part of a text for people.

/// A table of Markdown.
pub(in crate::describe) fn table<const N: usize>(heads: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let line = |cells: [String; N]| format!("| {} |\n", cells.join(" | "));
    let head = line(heads.map(str::to_owned)) + &"|---".repeat(N) + "|\n";
    head + &rows.map(line).collect::<String>()
}

/// The text with another part between two marks of that name, which are comments.
pub(in crate::describe) fn between_marks(text: &str, name: &str, part: &str) -> String {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->\n"));
    let whole = || {
        let (before, rest) = text.split_once(&begin)?;
        let (_, after) = rest.split_once(&end)?;
        Some(format!("{before}{begin}\n{part}\n{end}{after}"))
    };
    whole().unwrap_or_else(|| panic!("the marks {begin:?} and {end:?}"))
}
