//! What tests read in Markdown: blocks of code, links, headings, and the files that a page of the book includes. Judges nothing.

use std::collections::{BTreeMap, BTreeSet};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A fenced block of code: the line of its first fence, from 1, its info string and its content.
pub struct Fence {
    pub line: usize,
    pub info: String,
    pub text: String,
}

/// Every fenced block, in order.
pub fn fences(text: &str) -> Vec<Fence> {
    let mut fences = Vec::new();
    let mut open: Option<Fence> = None;
    for (event, range) in events(text) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                open = Some(Fence { line: line_of(text, range.start), info: info.to_string(), text: String::new() });
            }
            Event::Text(piece) => open.iter_mut().for_each(|fence| fence.text.push_str(&piece)),
            Event::End(TagEnd::CodeBlock) => fences.extend(open.take()),
            _ => {}
        }
    }
    fences
}

/// The lines, from 1, of fences whose block of code is not closed: it goes on to the end of the page.
pub fn unclosed(text: &str) -> Vec<usize> {
    let fenced = |event: &Event| matches!(event, Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))));
    let is_closed = |block: &str| {
        let marks = |line: &str| line.trim_start_matches(['>', ' ']).to_owned();
        let mut lines = block.trim_end().lines().map(marks);
        let first: String =
            lines.next().unwrap_or_default().chars().take_while(|&mark| mark == '`' || mark == '~').collect();
        lines.next_back().is_some_and(|last| last.trim_end() == first)
    };
    let blocks = events(text).filter(|(event, _)| fenced(event));
    blocks.filter(|(_, range)| !is_closed(&text[range.clone()])).map(|(_, range)| line_of(text, range.start)).collect()
}

/// Every link and picture: its line, from 1, and where it leads.
pub fn links(text: &str) -> Vec<(usize, String)> {
    let target = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    };
    events(text).filter_map(|(event, range)| Some((line_of(text, range.start), target(event)?))).collect()
}

/// The anchors of all headings, as mdBook and code hosts make them.
pub fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut heading: Option<String> = None;
    for (event, _) in events(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(piece) | Event::Code(piece) => heading.iter_mut().for_each(|heading| heading.push_str(&piece)),
            Event::End(TagEnd::Heading(_)) => {
                let anchor = anchor(&heading.take().unwrap_or_default());
                let count = counts.entry(anchor.clone()).or_default();
                anchors.insert(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
                *count += 1;
            }
            _ => {}
        }
    }
    anchors
}

/// The files that a page of mdBook includes, as they are named there, without ranges of lines.
pub fn includes(text: &str) -> Vec<(usize, String)> {
    let mut includes = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let named = line.split("{{#include ").skip(1).filter_map(|rest| rest.split("}}").next());
        includes.extend(named.map(|name| (index + 1, name.split(':').next().unwrap_or_default().trim().to_owned())));
    }
    includes
}

fn events(text: &str) -> impl Iterator<Item = (Event<'_>, std::ops::Range<usize>)> {
    Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter()
}

fn line_of(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ => letter.is_alphanumeric().then_some(letter),
    });
    kept.flat_map(char::to_lowercase).collect()
}
