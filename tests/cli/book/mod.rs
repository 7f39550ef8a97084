//! The worked examples of the book and of the README, run: what a page shows is what the program prints. `docs/src/tests.md` says how
//! blocks are marked. With TENSORSMITH_REWRITE_SNAPSHOTS=1 outputs without `...` are written anew; review them as a diff.

mod made;
mod output;
mod page;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use output::difference;
use page::{Console, Part, Step, parts};

use super::program::Folder;
use super::prove::has_solver;
use super::support::{has_program, in_parallel, skip};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tensorsmith");

/// The name of pages that no file has.
const PLANTED: &str = "planted.md";

/// Every page with something to run or write, by its path from the root.
fn pages() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = BTreeMap::new();
    let mut places = vec![root.join("docs/src"), root.join("README.md")];
    while let Some(place) = places.pop() {
        if place.is_dir() {
            places.extend(std::fs::read_dir(place).expect("readable").map(|entry| entry.expect("an entry").path()));
        } else if let Ok(text) = std::fs::read_to_string(&place) {
            let name = place.strip_prefix(root).expect("below the root").to_string_lossy().into_owned();
            pages.insert(name, text);
        }
    }
    pages
}

/// Whether the machine has what a block needs; otherwise the block is skipped.
fn has(need: &str, folder: &Folder) -> bool {
    let there = match need {
        "rtl" => cfg!(feature = "rtl"),
        "bitwuzla" => return has_solver(folder),
        "yosys" => has_program("yosys", "-V"),
        _ => panic!("{need} is no need that the test knows"),
    };
    if !there {
        skip(&format!("book-{need}"), format_args!("{need} is not here"));
    }
    there
}

/// Runs one command as a shell does, in the page's folder: what it printed, and what the page shows otherwise.
fn run(step: &Step, folder: &Folder) -> (String, Option<String>) {
    let own = Path::new(PROGRAM).parent().expect("a folder").display();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("sh");
    shell.args(["-c", &step.command]).current_dir(folder.path(".")).env("PATH", format!("{own}:{path}"));
    let output = shell.output().expect("there is a shell");
    let code = output.status.code();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let wrong = if code == Some(step.code) {
        difference(&step.expected, &printed)
    } else {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Some(format!("exit code {code:?}, not {}: {said}", step.code))
    };
    (printed, wrong)
}

/// Puts what a command printed into a page, in place of what stands there.
fn rewrite(page: &mut Vec<String>, step: &Step, printed: &str) {
    page.splice(step.line..step.line + step.expected.len(), printed.lines().map(str::to_owned));
}

/// What a page shows otherwise than it is, and how many commands were run.
fn check(name: &str, text: &str) -> (Vec<String>, usize) {
    let folder = Folder::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    let rewrites = std::env::var_os("TENSORSMITH_REWRITE_SNAPSHOTS").is_some_and(|value| value == "1");
    let mut stale: Vec<(Step, String)> = Vec::new();
    for part in parts(text).unwrap_or_else(|error| panic!("{name}: {error}")) {
        match part {
            Part::File { name, text } => folder.write(&name, text),
            Part::Console(Console { needs: Some(need), .. }) if !has(&need, &folder) => {}
            Part::Console(console) => {
                if let Some(files) = &console.files {
                    let place = folder.path(files);
                    std::fs::create_dir_all(place.parent().expect("a folder")).expect("there is room");
                    let _ = std::os::unix::fs::symlink(Path::new(env!("CARGO_MANIFEST_DIR")).join(files), place);
                }
                for step in console.steps {
                    let (printed, found) = run(&step, &folder);
                    wrong.extend(found.map(|found| format!("{name}:{}: $ {}\n{found}", step.line, step.command)));
                    count += 1;
                    if rewrites && difference(&step.expected, &printed).is_some() && !step.has_ellipsis() {
                        stale.push((step, printed));
                    }
                }
            }
        }
    }
    if !stale.is_empty() && name != PLANTED {
        let mut page: Vec<String> = text.lines().map(str::to_owned).collect();
        stale.iter().rev().for_each(|(step, printed)| rewrite(&mut page, step, printed));
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        std::fs::write(path, page.join("\n") + "\n").expect("the page can be written");
    }
    (wrong, count)
}

#[test]
fn examples_print_what_the_book_shows() {
    let pages: Vec<(String, String)> = pages().into_iter().collect();
    let results = Mutex::new((Vec::new(), 0));
    in_parallel(&pages, |(name, text)| {
        let (wrong, count) = check(name, text);
        let mut results = results.lock().expect("no other test failed");
        results.0.extend(wrong);
        results.1 += count;
    });
    let (wrong, count) = results.into_inner().expect("no test failed");
    println!("{} pages, {count} commands", pages.len());
    assert!(wrong.is_empty(), "{} examples show something else:\n\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(count > 50, "the examples were found");
}

#[test]
fn newcomers_make_what_they_read() {
    let pages = pages();
    let pages: Vec<_> = pages.iter().filter(|(name, _)| made::is_for_newcomers(name)).collect();
    assert!(pages.len() >= 6, "the pages were found");
    for (name, text) in pages {
        assert_eq!(made::unmade(text), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn wrong_examples_are_found() {
    let right = "```text,file=a.txt\none\ntwo\n```\n\n```console\n$ cat a.txt\none\n...\n$ tensorsmith --version\ntensorsmith 0\n```\n";
    assert_eq!(check(PLANTED, right), (Vec::new(), 2));
    for (from, to, found) in [
        ("one\n...", "two\n...", "planted.md:7: $ cat a.txt"),
        ("one\n...", "one\n", "planted.md:7: $ cat a.txt"),
        ("tensorsmith 0", "tensorsmith", "planted.md:10: $ tensorsmith --version"),
        ("cat a.txt", "cat b.txt", "exit code Some(1), not 0"),
        ("```console", "```console,exit=1", "exit code Some(0), not 1"),
    ] {
        let (wrong, _) = check(PLANTED, &right.replacen(from, to, 1));
        assert!(wrong.len() == 1 && wrong[0].contains(found), "{to}: {wrong:?}");
    }
    for (text, error) in [
        ("```console,needed=yosys\n$ true\n```\n", "line 1: needed is no option of console"),
        ("```toml,folder=a\n```\n", "line 1: folder is no option of toml"),
        ("```console\ntrue\n```\n", "begins with $"),
        ("```console\n```\n", "no command"),
    ] {
        assert!(parts(text).err().is_some_and(|found| found.contains(error)), "{text}");
    }
}

/// Every line of output that a page shows is compared: with another one in its place the example is wrong.
#[test]
fn every_shown_line_counts() {
    let mut lines = 0;
    for text in pages().values() {
        for part in parts(text).expect("a page that can be read") {
            let Part::Console(console) = part else { continue };
            for step in console.steps {
                let printed = step.expected.join("\n");
                for index in (0..step.expected.len()).filter(|&index| step.expected[index].trim() != "...") {
                    let mut other = step.expected.clone();
                    other[index] = "something else".to_owned();
                    assert!(difference(&other, &printed).is_some(), "$ {}: {}", step.command, step.expected[index]);
                    lines += 1;
                }
            }
        }
    }
    assert!(lines > 200, "{lines} lines of output are shown");
}

/// The commands of the program, by what its help lists.
fn commands() -> Vec<String> {
    let help = Folder::new().succeed(&["--help"]).stdout;
    let listed = help.split("\nCommands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a list");
    let named = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = named.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(str::to_owned).collect()
}

#[test]
fn every_command_has_a_page_that_runs_it() {
    let pages = pages();
    let commands = commands();
    assert!(commands.len() >= 24, "{commands:?}");
    for command in &commands {
        let name = format!("docs/src/commands/{command}.md");
        let text = pages.get(&name).unwrap_or_else(|| panic!("{command} has no page {name}"));
        let runs = |part: &Part| match part {
            Part::Console(console) => console.steps.iter().any(|step| {
                step.command.contains(&format!("tensorsmith {command} "))
                    || step.command.ends_with(&format!("tensorsmith {command}"))
            }),
            Part::File { .. } => false,
        };
        assert!(parts(text).expect("a page that can be read").iter().any(runs), "{name} has no example of {command}");
    }
    for name in pages.keys().filter_map(|name| name.strip_prefix("docs/src/commands/")?.strip_suffix(".md")) {
        assert!(name == "index" || commands.iter().any(|command| command == name), "{name} is no command");
    }
}

#[test]
fn outputs_are_rewritten_in_place() {
    let text = "```console\n$ cat a\none\n$ cat b\ntwo\nthree\n```\n";
    let mut page: Vec<String> = text.lines().map(str::to_owned).collect();
    let Some(Part::Console(console)) = parts(text).expect("a page").pop() else { panic!("a block of commands") };
    for (step, printed) in console.steps.iter().zip(["1\n2\n", ""]).rev() {
        rewrite(&mut page, step, printed);
    }
    assert_eq!(page.join("\n"), "```console\n$ cat a\n1\n2\n$ cat b\n```");
}
