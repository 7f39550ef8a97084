//! What names may be, of units and instructions.

/// What a name may be: it becomes part of the names of files and of modules.
pub(in crate::describe) const NAMES_ALLOWED: &str =
    "at most 64 lower-case letters, digits and single hyphens, a letter first and no hyphen last";

/// Whether a name is made of lower-case words joined by hyphens.
pub(in crate::describe) fn is_well_formed_name(name: &str) -> bool {
    let starts_with_letter = name.starts_with(|letter: char| letter.is_ascii_lowercase());
    let allowed = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    let well_formed = name.chars().all(allowed) && !name.contains("--") && !name.ends_with('-');
    starts_with_letter && well_formed && name.len() <= 64
}
