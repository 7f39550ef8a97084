//! Edits of a text, letter by letter, without regard to what it means; and texts that mean nothing.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// One edit of a text.
#[derive(Debug, Clone)]
pub enum Edit {
    Delete(Index, usize),
    Insert(Index, String),
    Overwrite(Index, String),
    Duplicate(Index, Index),
    /// Replaces the number at or after a place.
    Number(Index, i64),
}

/// Pieces that come near to what the readers look for.
fn piece() -> impl Strategy<Value = String> {
    let words = [
        "\"",
        "'''",
        "\n",
        "\r",
        "=",
        ".",
        "-",
        "[",
        "]",
        "{",
        "}",
        "#",
        "0x",
        "\\",
        "\u{0}",
        "\u{feff}",
        "é",
        "nan",
        "inf",
        "true",
        "\"none\"",
        "\"e4m3fnuz\"",
        "\"e5m2\"",
        "\"to-odd\"",
        "\"downward\"",
        "\"flushed\"",
        "\"saturate\"",
        "\"fma-chain\"",
        "\"pairwise\"",
        "\"even-odd-chain\"",
        "\"pair-chain\"",
        "\"flushed-if-tiny\"",
        "\"flushed-to-plus-zero\"",
        "[sum]\norder = \"descending\"\n",
        "\"exact\"",
        "\"fused-then-add\"",
        "\"even-odd\"",
        "\"unlimited\"",
        "\"ieee\"",
        "[sum]\ncarry_bits = 0\n",
        "[[formats]]",
    ];
    prop_oneof![
        4 => proptest::sample::select(words.to_vec()).prop_map(str::to_owned),
        1 => "[ -~]{1,6}",
        1 => any::<char>().prop_map(String::from),
    ]
}

pub fn number() -> impl Strategy<Value = i64> {
    let edges = vec![-1, 0, 1, 2, 63, 64, 65, 100, 101, 2200, -2200, i64::MAX, i64::MIN, 1 << 32];
    prop_oneof![2 => -40..=140i64, 1 => -2300..=2300i64, 1 => proptest::sample::select(edges)]
}

pub fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        1 => (any::<Index>(), 1..12usize).prop_map(|(at, length)| Edit::Delete(at, length)),
        1 => (any::<Index>(), piece()).prop_map(|(at, text)| Edit::Insert(at, text)),
        1 => (any::<Index>(), piece()).prop_map(|(at, text)| Edit::Overwrite(at, text)),
        1 => (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Edit::Duplicate(from, to)),
        4 => (any::<Index>(), number()).prop_map(|(at, value)| Edit::Number(at, value)),
    ]
}

pub fn apply(text: &str, edit: &Edit) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let place = |at: &Index| at.index(letters.len() + 1);
    match edit {
        Edit::Delete(at, length) => {
            let start = place(at);
            letters.drain(start..(start + length).min(letters.len()));
        }
        Edit::Insert(at, text) => {
            let start = place(at);
            letters.splice(start..start, text.chars());
        }
        Edit::Overwrite(at, text) => {
            let start = place(at);
            let end = (start + text.chars().count()).min(letters.len());
            letters.splice(start..end, text.chars());
        }
        Edit::Duplicate(from, to) => {
            let (from, to) = (place(from), place(to));
            let lines: Vec<char> = letters[from.min(to)..from.max(to)].to_vec();
            letters.splice(to..to, lines);
        }
        Edit::Number(at, value) => {
            let start = place(at);
            let Some(first) = (start..letters.len()).find(|&i| letters[i].is_ascii_digit()) else {
                return text.to_owned();
            };
            let end = (first..letters.len()).find(|&i| !letters[i].is_ascii_digit()).unwrap_or(letters.len());
            letters.splice(first..end, value.to_string().chars());
        }
    }
    letters.into_iter().collect()
}

pub fn edited(texts: Vec<String>) -> impl Strategy<Value = String> {
    let original = proptest::sample::select(texts);
    (original, vec(edit(), 1..4)).prop_map(|(text, edits)| edits.iter().fold(text, |text, edit| apply(&text, edit)))
}

pub fn garbage() -> impl Strategy<Value = String> {
    let bytes = vec(any::<u8>(), 0..200).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    prop_oneof![bytes, "[a-z.\"= 0-9\\[\\]{}\n]{0,120}", vec(piece(), 0..30).prop_map(|pieces| pieces.concat())]
}
