//! Which field of a TOML text an error is about. Reads nothing else from the text.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The path of the field at that byte of the text, such as `formats.a` or `b[1]`; `None` beside all fields, and in a text
/// that is no TOML.
pub(super) fn field_at(text: &str, byte: usize) -> Option<String> {
    in_table(DeTable::parse(text).ok()?.get_ref(), byte)
}

fn in_table(table: &DeTable, byte: usize) -> Option<String> {
    table.iter().find_map(|(key, value)| {
        let below = in_value(value, byte);
        let here = key.span().contains(&byte) || value.span().contains(&byte);
        let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
        let name: &str = key.get_ref();
        let name = if !name.is_empty() && name.chars().all(plain) { name.to_owned() } else { format!("{name:?}") };
        match below {
            Some(index) if index.starts_with('[') => Some(name + &index),
            Some(field) => Some(format!("{name}.{field}")),
            None => here.then_some(name),
        }
    })
}

fn in_value(value: &Spanned<DeValue>, byte: usize) -> Option<String> {
    match value.get_ref() {
        DeValue::Table(table) => in_table(table, byte),
        DeValue::Array(list) => list.iter().enumerate().find_map(|(index, value)| match in_value(value, byte) {
            Some(below) if below.starts_with('[') => Some(format!("[{index}]{below}")),
            Some(below) => Some(format!("[{index}].{below}")),
            None => value.span().contains(&byte).then(|| format!("[{index}]")),
        }),
        _ => None,
    }
}
