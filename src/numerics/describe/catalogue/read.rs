//! The files of one kind, read once: texts in, checked descriptions out.

use std::fmt::Display;

use super::family::{Entry, Member};

/// What the files say, read once; the text of a file that is not accepted is a fault of the build, and every test
/// that lists the catalogue finds it.
pub(super) struct Read<T> {
    items: Vec<(String, T)>,
}

impl<T: Clone> Read<T> {
    pub fn of<E: Display>(entries: &[Entry], read: impl Fn(&str, &str) -> Result<T, E>) -> Read<T> {
        let item = |Member { name, text }: Member| match read(&format!("{name}.toml"), &text) {
            Ok(item) => (name, item),
            Err(error) => panic!("{error}"),
        };
        Read { items: entries.iter().flat_map(Entry::members).map(item).collect() }
    }

    pub fn all(&self) -> Vec<T> {
        self.items.iter().map(|(_, item)| item.clone()).collect()
    }

    pub fn named(&self, wanted: &str) -> Option<T> {
        self.items.iter().find(|(name, _)| name == wanted).map(|(_, item)| item.clone())
    }

    pub fn names(&self) -> Vec<&str> {
        self.items.iter().map(|(name, _)| name.as_str()).collect()
    }
}
