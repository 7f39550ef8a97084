//! Links of every page in Markdown: each leads to a file, and to a heading where it names one, and none is hidden in a block of code that
//! is not closed. The book's pages lead to each other only, because nothing else is beside them once it is built; its summary lists
//! every one of them once.

use std::collections::BTreeMap;
use std::path::Path;

use super::markdown::{anchors, includes, links, unclosed};

const BOOK: &str = "docs/src/";
const SUMMARY: &str = "docs/src/SUMMARY.md";

/// Pages by their paths from the root, and what else is there.
struct Pages<'a> {
    texts: BTreeMap<String, String>,
    is_there: &'a dyn Fn(&str) -> bool,
}

impl Pages<'_> {
    /// What is wrong with the links of a page.
    fn broken(&self, path: &str) -> Vec<String> {
        let text = &self.texts[path];
        let wrong = |(line, target): (usize, String)| Some(format!("{path}:{line}: {}", self.fault(path, &target)?));
        let mut broken: Vec<String> = links(text).into_iter().filter_map(wrong).collect();
        broken.extend(
            unclosed(text).into_iter().map(|line| format!("{path}:{line}: a block of code that is not closed")),
        );
        for (line, named) in includes(text) {
            match resolved(path, &named) {
                Some(file) if (self.is_there)(&file) => broken.extend(self.leads_elsewhere(&file)),
                _ => broken.push(format!("{path}:{line}: {named} is included, and not there")),
            }
        }
        broken
    }

    /// Why a link leads nowhere, if it does.
    fn fault(&self, path: &str, target: &str) -> Option<String> {
        if target.contains("://") || target.starts_with("mailto:") {
            return None;
        }
        let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
        let Some(file) = (if file.is_empty() { Some(path.to_owned()) } else { resolved(path, file) }) else {
            return Some(format!("{target} leads out of the project"));
        };
        if path.starts_with(BOOK) && !file.starts_with(BOOK) {
            return Some(format!("{target} leads out of the book"));
        }
        if !self.texts.contains_key(&file) && !(self.is_there)(&file) {
            return Some(format!("{target} is not there"));
        }
        let anchor = anchor?;
        let text = self.texts.get(&file)?;
        let whole = includes(text).into_iter().filter_map(|(_, named)| self.texts.get(&resolved(&file, &named)?));
        let known = whole.chain([text]).any(|text| anchors(text).contains(anchor));
        (!known).then(|| format!("{target}: no such heading"))
    }

    /// Links of an included file, which would be followed from another folder.
    fn leads_elsewhere(&self, file: &str) -> Vec<String> {
        let text = self.texts.get(file).map(String::as_str).unwrap_or_default();
        let elsewhere = |target: &str| !target.contains("://") && !target.starts_with('#');
        let links = links(text).into_iter().filter(|(_, target)| elsewhere(target));
        links.map(|(line, target)| format!("{file}:{line}: {target}, though the book includes this file")).collect()
    }

    /// Pages of the book that its summary does not list, or more than once.
    fn unlisted(&self) -> Vec<String> {
        let summary = links(&self.texts[SUMMARY]);
        let listed = |page: &str| summary.iter().filter(|(_, target)| format!("{BOOK}{target}") == page).count();
        let pages = self.texts.keys().filter(|path| path.starts_with(BOOK) && *path != SUMMARY);
        pages
            .filter(|page| listed(page) != 1)
            .map(|page| format!("{page}: {} times in {SUMMARY}", listed(page)))
            .collect()
    }
}

/// A path from the root, of a name as it stands in a page; `None` above the root.
fn resolved(page: &str, name: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()?),
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn is_there(path: &str) -> bool {
    root().join(path).exists()
}

/// Every page of the project.
pub fn pages() -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for place in ["README.md", "CHANGELOG.md", "docs", "src", "tests"] {
        collect(&root().join(place), &mut texts);
    }
    texts
}

fn collect(path: &Path, texts: &mut BTreeMap<String, String>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).expect("readable") {
            collect(&entry.expect("an entry").path(), texts);
        }
    } else if path.extension().is_some_and(|extension| extension == "md") {
        let name = path.strip_prefix(root()).expect("below the root").to_string_lossy().replace('\\', "/");
        texts.insert(name, std::fs::read_to_string(path).expect("a page is text"));
    }
}

#[test]
fn every_link_leads_somewhere() {
    let pages = Pages { texts: pages(), is_there: &is_there };
    let mut broken: Vec<String> = pages.texts.keys().flat_map(|path| pages.broken(path)).collect();
    broken.extend(pages.unlisted());
    println!(
        "{} pages, {} links",
        pages.texts.len(),
        pages.texts.values().map(|text| links(text).len()).sum::<usize>()
    );
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_broken_link_is_found() {
    let planted = "docs/src/planted.md";
    let whole =
        "[a page](tests.md) and [a heading](install.md#exit-codes), [included](reference/unit-file.md#evidence)\n";
    for (text, fault) in [
        (whole, None),
        ("[gone](gone.md)", Some("gone.md is not there")),
        ("![gone](gone.svg)", Some("gone.svg is not there")),
        ("# Here\n\n[nowhere](#there)", Some("#there: no such heading")),
        ("[nowhere](install.md#there)", Some("install.md#there: no such heading")),
        ("[nowhere](reference/unit-file.md#there)", Some("unit-file.md#there: no such heading")),
        ("[the tree](../../src/lib.rs)", Some("leads out of the book")),
        ("[above](../../../above.md)", Some("leads out of the project")),
        ("text\n```\n[hidden](gone.md)\n", Some("planted.md:2: a block of code that is not closed")),
        ("```sh\n", Some("planted.md:1: a block of code that is not closed")),
        ("- a list\n\n  ```sh\n  true\n  ```\n\n> ````\n> ```\n> ````\n", None),
        ("{{#include gone.rs}}", Some("gone.rs is included, and not there")),
        ("{{#include ../../README.md}}", Some("though the book includes this file")),
    ] {
        let mut pages = Pages { texts: pages(), is_there: &is_there };
        pages.texts.insert(planted.to_owned(), text.to_owned());
        let broken = pages.broken(planted);
        match fault {
            None => assert!(broken.is_empty(), "{broken:?}"),
            Some(fault) => assert!(broken.first().is_some_and(|found| found.contains(fault)), "{text}: {broken:?}"),
        }
        assert_eq!(pages.unlisted(), [format!("{planted}: 0 times in {SUMMARY}")]);
    }
}
