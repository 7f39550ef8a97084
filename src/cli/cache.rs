//! `tensorsmith cache`: what lies in the cache of built units, and clearing it.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use serde::Serialize;

use super::output::{json, say};
use super::table::table;
use super::{Failure, Verdict, input};
use tensorsmith::describe::text::Foreign;
use tensorsmith::engine::cache::{Contents, Entry, EntryKind, cache_folder};
use tensorsmith::report::thousands;

/// List or clear the cache of units built at run time and with the program, of their netlists, and of what was proved
///
/// The folder is the one that the variable TENSORSMITH_CACHE names; else, for a program that is run where it was built, one in
/// the target folder; else `tensorsmith` among the user's caches. The module `runtime` is Verilator's own library, `headers` is
/// what all units include; `obligation` and `answer` are parts of proofs, which hold for all units. What is cleared is built or
/// proved again when it is needed; clearing is safe while that goes on.
///
/// A folder, or a file in it, that others can write, or that belongs to another user than root, is refused by whatever would use
/// it: built units are code that is run. One that cannot be written serves with what lies there.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith cache\n  tensorsmith cache --json -\n  tensorsmith cache clear --older-than 30\n  tensorsmith cache clear"
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    /// Write what is listed or removed as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE", global = true)]
    json: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Action {
    /// List every file in the cache; without a word, how many there are of each kind
    List,
    /// Remove finished files, and folders of killed builds
    Clear {
        /// Only files that were not used for so many days
        #[arg(long, value_name = "DAYS", default_value_t = 0, value_parser = input::number::<u64>(0..=36_500))]
        older_than: u64,
    },
}

#[derive(Serialize)]
struct Shown<'a> {
    kind: &'static str,
    module: &'a str,
    name: &'a str,
    bytes: u64,
    idle_seconds: u64,
}

#[derive(Serialize)]
struct Report<'a> {
    folder: String,
    bytes: u64,
    entries: Vec<Shown<'a>>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let contents = Contents::read(&cache_folder()?)?;
    let older_than = match arguments.action {
        Some(Action::Clear { older_than }) => older_than,
        None if arguments.json.is_none() => {
            summarise(&contents);
            return Ok(Verdict::Agreed);
        }
        _ => {
            show(arguments, &contents, &contents.entries, "in the cache")?;
            return Ok(Verdict::Agreed);
        }
    };
    let mut removed = Vec::new();
    let outcome = contents.clear(Duration::from_secs(older_than * 24 * 60 * 60), &mut removed);
    if outcome.is_ok() || !removed.is_empty() {
        show(arguments, &contents, &removed, "removed")?;
    }
    outcome?;
    Ok(Verdict::Agreed)
}

/// Prints a row for each kind of what lies in the cache.
fn summarise(contents: &Contents) {
    say!("{}", contents.folder.shown());
    let row = |&(name, plural): &(&str, &str)| {
        let of_kind: Vec<&Entry> = contents.entries.iter().filter(|entry| kind(entry) == name).collect();
        let last = of_kind.iter().map(|entry| entry.idle.as_secs()).min()?;
        let bytes = of_kind.iter().map(|entry| entry.bytes).sum();
        let last = format!("{} ago", age(last));
        Some(vec![plural.to_owned(), thousands(of_kind.len() as u64), thousands(bytes), last])
    };
    let rows: Vec<Vec<String>> = KINDS.iter().filter_map(row).collect();
    if !rows.is_empty() {
        say!("{}", table(&["what", "files", "bytes", "last used"], &[1, 2, 3], rows));
    }
    foot(contents, &contents.entries, "in the cache");
}

/// Prints what all entries are together.
fn foot(contents: &Contents, entries: &[Entry], what: &str) {
    let count = |name| entries.iter().filter(|entry| kind(entry) == name).count();
    let counts = KINDS.map(|(name, plural)| format!("{plural}: {}", count(name)));
    let bytes = entries.iter().map(|entry| entry.bytes).sum();
    say!("{what}: {} bytes; {}", thousands(bytes), counts.join(", "));
    if contents.others > 0 {
        say!("other files in the folder, left alone: {}", contents.others);
    }
}

fn show(arguments: &Arguments, contents: &Contents, entries: &[Entry], what: &str) -> Result<(), Failure> {
    let bytes = entries.iter().map(|entry| entry.bytes).sum();
    if let Some(path) = &arguments.json {
        let folder = contents.folder.shown();
        return json(path, &Report { folder, bytes, entries: entries.iter().map(shown).collect() });
    }
    say!("{}", contents.folder.shown());
    if !entries.is_empty() {
        let headings = ["module", "what", "bytes", "last used", "name"];
        say!("{}", table(&headings, &[2, 3], entries.iter().map(row).collect()));
    }
    foot(contents, entries, what);
    Ok(())
}

const KINDS: [(&str, &str); 8] = [
    ("library", "libraries"),
    ("program", "programs"),
    ("object", "objects"),
    ("leftover", "leftovers of killed builds"),
    ("build", "builds under way or just killed"),
    ("netlist", "netlists"),
    ("proof", "proofs"),
    ("headers", "compiled headers"),
];

fn kind(entry: &Entry) -> &'static str {
    match entry.kind {
        EntryKind::Library => "library",
        EntryKind::Program => "program",
        EntryKind::Object => "object",
        EntryKind::Headers => "headers",
        EntryKind::Netlist => "netlist",
        EntryKind::Proof => "proof",
        EntryKind::Work if entry.is_leftover() => "leftover",
        EntryKind::Work => "build",
    }
}

fn shown(entry: &Entry) -> Shown<'_> {
    let Entry { module, name, bytes, idle, .. } = entry;
    Shown { kind: kind(entry), module, name, bytes: *bytes, idle_seconds: idle.as_secs() }
}

fn row(entry: &Entry) -> Vec<String> {
    let idle = format!("{} ago", age(entry.idle.as_secs()));
    vec![entry.module.clone(), kind(entry).to_owned(), thousands(entry.bytes), idle, entry.name.clone()]
}

fn age(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86400),
    }
}
