//! What a message that refuses a file must say: the file, and the field; of text that is no TOML, line and column.

use tensorsmith::describe::unit::FileError;

/// What is missing in the message about `file.toml`, if anything.
pub fn lacks(error: &FileError, text: &str) -> Option<&'static str> {
    let message = error.to_string();
    if !message.starts_with("file.toml: ") {
        return Some("the file");
    }
    match error {
        FileError::Read { .. } => Some("anything: a text was given, and no file to read"),
        FileError::Value { field, value, allowed, .. } => {
            let whole = message.contains(&format!("field `{field}` is {value}; allowed: {allowed}"));
            let said = [field, value, allowed].iter().all(|part| !part.trim().is_empty());
            (!(whole && said)).then_some("field, value or what is allowed")
        }
        FileError::Syntax { message, .. } => {
            let Some((line, column)) = position(message) else { return Some("line and column") };
            // A unit file within a case has lines of its own.
            let lines = text.split('\n').count();
            (!(1..=lines).contains(&line) || column == 0).then_some("a line of the file")
        }
    }
}

/// Line and column as the TOML reader gives them.
fn position(message: &str) -> Option<(usize, usize)> {
    let (line, rest) = message.split_once("at line ")?.1.split_once(", column ")?;
    let column: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((line.parse().ok()?, column.parse().ok()?))
}

/// Whether the message names one of the keys as a field, or as a part of a field's path.
pub fn names_one_of(error: &FileError, keys: &[String]) -> bool {
    let message = error.to_string();
    let fields: Vec<&str> =
        message.split("field `").skip(1).filter_map(|rest| rest.split_once('`')).map(|(field, _)| field).collect();
    let in_path = |key: &str| fields.iter().any(|field| format!(".{field}.").replace('[', ".[").contains(key));
    let named = |key: &String| in_path(&format!(".{key}.")) || in_path(&format!(".{key:?}."));
    // A value may contradict another one that was not touched; the scheme decides which fields there are.
    let others = matches!(error, FileError::Value { .. }) || keys.iter().any(|key| key == "scheme");
    !fields.is_empty() && (others || keys.iter().any(named))
}
