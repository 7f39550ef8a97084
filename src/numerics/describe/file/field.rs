//! A field of a file, said once: its path, its values, where it is kept in what the file describes, and what it means. Reading,
//! writing and documentation follow from that.

use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::de::ValueDeserializer;

use super::spelling::{FormatOf, NumberOr, check_format};
use super::{Document, FileError, Given, format_entry, number_or, value};
use crate::describe::format::Format;
use crate::describe::words::words_of;

/// A field of files that describe a `T`.
pub(in crate::describe) struct Field<T: 'static> {
    /// Key, or table and key.
    pub path: &'static str,
    pub value: Value<T>,
    pub missing: Missing<T>,
    /// One line for the documentation.
    pub meaning: &'static str,
}

/// How a value is spelled, and where it is kept. Where a place is `None` there is none: a table that only some of the described
/// have.
pub(in crate::describe) enum Value<T: 'static> {
    /// Text, words, truth values and lists, as serde spells them.
    Plain(fn(&mut T) -> Option<&mut dyn Plain>),
    /// A number in a range, or a word that stands for none.
    Number(RangeInclusive<i64>, Option<&'static str>, fn(&mut T) -> Option<&mut dyn Count>),
    Format(FormatOf, fn(&mut T) -> Option<&mut Format>),
    /// One of some words, kept in fields of other types: by number, which of them is allowed, which one it is, and how it is
    /// kept.
    Word {
        words: &'static [&'static str],
        allows: fn(&T, usize) -> bool,
        get: fn(&T) -> usize,
        set: fn(&mut T, usize),
    },
    /// Anything else, with its values in words. `tables` are written with their headings.
    Own {
        tables: bool,
        values: &'static str,
        read: fn(&mut T, &Given) -> Result<(), FileError>,
        write: fn(&T) -> String,
    },
}

/// What a file says that says nothing of a field.
pub(in crate::describe) enum Missing<T: 'static> {
    /// Nothing that is accepted.
    Refused,
    /// What the described has before any field is read.
    Optional,
    /// The same; where a field has it, it is not written.
    Unwritten,
    /// What follows from the fields before it, in words.
    Follows(&'static str, fn(&mut T)),
}

/// A value that serde reads and writes.
pub(in crate::describe) trait Plain {
    fn read(&mut self, given: ValueDeserializer) -> Result<(), toml::de::Error>;
    fn text(&self) -> String;
    /// Every value, where these are words.
    fn words(&self) -> &'static [&'static str];
}

impl<V: Serialize + DeserializeOwned> Plain for V {
    fn read(&mut self, given: ValueDeserializer) -> Result<(), toml::de::Error> {
        *self = V::deserialize(given)?;
        Ok(())
    }

    fn text(&self) -> String {
        value(self)
    }

    fn words(&self) -> &'static [&'static str] {
        words_of::<V>()
    }
}

/// A number, or one that may be none.
pub(in crate::describe) trait Count {
    fn get(&self) -> Option<i64>;
    fn set(&mut self, number: Option<i64>);
}

impl Count for u32 {
    fn get(&self) -> Option<i64> {
        Some((*self).into())
    }

    fn set(&mut self, number: Option<i64>) {
        *self = number.unwrap_or_default() as u32;
    }
}

impl<N: Copy + Into<i64> + TryFrom<i64>> Count for Option<N> {
    fn get(&self) -> Option<i64> {
        self.map(N::into)
    }

    fn set(&mut self, number: Option<i64>) {
        *self = number.and_then(|number| N::try_from(number).ok());
    }
}

impl<T> Field<T> {
    /// Whether it is the field of that path, or one of the table of that name.
    pub fn is_within(&self, path: &str) -> bool {
        self.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    /// Reads the field, if it is there. `of` says whose words are allowed.
    pub fn read(&self, document: &Document, described: &mut T, of: &str) -> Result<(), FileError> {
        let Some(given) = document.given(self.path) else {
            match self.missing {
                Missing::Refused => return Err(document.missing(self.path)),
                Missing::Optional | Missing::Unwritten => {}
                Missing::Follows(_, follow) => follow(described),
            }
            return Ok(());
        };
        match &self.value {
            Value::Plain(place) => place(described).map_or(Ok(()), |place| given.parse_with(|value| place.read(value))),
            Value::Number(range, none, place) => {
                let number = given.number(range, *none)?;
                place(described).into_iter().for_each(|place| place.set(number));
                Ok(())
            }
            Value::Format(of, place) => {
                let format = given.format(*of)?;
                place(described).into_iter().for_each(|place| *place = format.clone());
                Ok(())
            }
            Value::Word { words, allows, set, .. } => {
                let word: String = given.parse()?;
                let place = words.iter().position(|known| *known == word).filter(|&place| allows(described, place));
                let allowed = || allowed_words(words, |place| allows(described, place), of);
                let place = place.ok_or_else(|| given.refuse(value(&word), allowed()))?;
                set(described, place);
                Ok(())
            }
            Value::Own { read, .. } => read(described, &given),
        }
    }

    /// Checks the value of a described that no file was read for, as [`Field::read`] checks that of a file: which words are allowed
    /// depends on the words of the fields before it, which `read` has. It does not change the described.
    pub fn check(&self, file: &str, described: &mut T, read: &mut T, of: &str) -> Result<(), FileError> {
        match &self.value {
            Value::Number(range, none, place) => match place(described).and_then(|place| place.get()) {
                Some(number) => NumberOr::Number(number).within(file, self.path, range, *none).map(drop),
                None => Ok(()),
            },
            Value::Format(FormatOf::Numbers, place) if place(described) == Some(&mut Format::absent()) => {
                match self.missing {
                    Missing::Refused => Err(FileError::value(file, self.path, "missing", "a format")),
                    _ => Ok(()),
                }
            }
            Value::Format(of, place) => {
                place(described).map_or(Ok(()), |format| check_format(file, self.path, format, *of))
            }
            Value::Word { words, allows, get, set } => {
                let word = get(described);
                if !allows(read, word) {
                    let allowed = allowed_words(words, |place| allows(read, place), of);
                    return Err(FileError::value(file, self.path, value(words[word]), allowed));
                }
                set(read, word);
                Ok(())
            }
            Value::Plain(_) | Value::Own { .. } => Ok(()),
        }
    }

    /// The value as files spell it. Places are given for writing, so that it takes a described that may be changed; it changes
    /// nothing.
    pub fn spelled(&self, described: &mut T) -> Option<String> {
        match &self.value {
            Value::Plain(place) => Some(place(described)?.text()),
            Value::Number(_, none, place) => Some(number_or(place(described)?.get(), none.unwrap_or_default())),
            Value::Format(_, place) => Some(format_entry(place(described)?)),
            Value::Word { words, get, .. } => Some(value(words[get(described)])),
            Value::Own { write, .. } => Some(write(described)),
        }
    }

    /// Its values, in the words of the documentation. `plain` is what is described before any field is read.
    pub fn values(&self, plain: &mut T) -> String {
        let code = |text: &str| format!("`{text}`");
        let quoted = |word: &str| if ["false", "true"].contains(&word) { word.to_owned() } else { value(word) };
        let words = |words: &[&str]| words.iter().map(|word| code(&quoted(word))).collect();
        let mut all: Vec<String> = match &self.value {
            Value::Plain(place) => place(plain).map_or(Vec::new(), |place| words(place.words())),
            Value::Number(range, none, _) => {
                let numbers = format!("{} to {}", range.start(), range.end());
                [numbers].into_iter().chain(none.map(|word| code(&quoted(word)))).collect()
            }
            Value::Format(FormatOf::Numbers, _) => vec!["a format".to_owned()],
            Value::Format(FormatOf::Scales, _) => vec!["a scale format".to_owned()],
            Value::Word { words: all, .. } => words(all),
            Value::Own { values, .. } => vec![(*values).to_owned()],
        };
        if all.is_empty() {
            all.push("text".to_owned());
        }
        let default = self.spelled(plain).map(|text| code(&text));
        let standing = all.iter_mut().find(|one| Some(&**one) == default.as_ref());
        match (&self.missing, standing) {
            (Missing::Refused, _) => {}
            (Missing::Follows(what, _), _) => all.push(format!("default: {what}")),
            (_, Some(standing)) => *standing += " (default)",
            (_, None) => all.push("may be missing".to_owned()),
        }
        all.join(", ")
    }
}

/// The words of a field that are allowed; `of` says whose.
fn allowed_words(words: &[&str], allows: impl Fn(usize) -> bool, of: &str) -> String {
    let allowed: Vec<String> =
        (0..words.len()).filter(|&place| allows(place)).map(|place| value(words[place])).collect();
    format!("{}{of}", allowed.join(" or "))
}

/// The text of a file: first the keys outside tables, then the tables, in the order of the fields. `plain` is what is described
/// before any field is read.
pub(in crate::describe) fn text<'a, T: Clone + 'static>(
    fields: impl Iterator<Item = &'a Field<T>>,
    described: &T,
    plain: &T,
) -> String {
    let (mut described, mut plain) = (described.clone(), plain.clone());
    let (mut text, mut last) = (String::new(), "");
    for field in fields {
        let Some(value) = field.spelled(&mut described) else { continue };
        if matches!(field.missing, Missing::Unwritten) && field.spelled(&mut plain).as_ref() == Some(&value) {
            continue;
        }
        if let Value::Own { tables: true, .. } = field.value {
            text += &value;
            continue;
        }
        let (table, key) = field.path.split_once('.').unwrap_or(("", field.path));
        if table != last {
            text += &format!("\n[{table}]\n");
            last = table;
        }
        text += &format!("{key} = {value}\n");
    }
    text
}
