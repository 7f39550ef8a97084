//! Pages for newcomers: a file that a command names is shown on the page, or written by a command, before.

use crate::tidy::markdown::fences;

/// Options before a name that the command writes, or copies (`cp -r`).
const WRITES: [&str; 5] = ["--out", "--json", "--junit", "--cases", "-r"];
const ENDINGS: [&str; 10] = [".toml", ".txt", ".npy", ".lib", ".sv", ".f", ".xml", ".json", ".csv", ".tsrec"];

pub fn is_for_newcomers(page: &str) -> bool {
    page.starts_with("docs/src/start/") || ["docs/src/install.md", "README.md"].contains(&page)
}

/// The commands with files that nothing has made.
pub fn unmade(text: &str) -> Vec<String> {
    let (mut made, mut unmade) = (Vec::new(), Vec::new());
    for fence in fences(text) {
        made.extend(fence.info.split(',').filter_map(|option| option.strip_prefix("file=")).map(str::to_owned));
        let prompt = match fence.info.split(',').next() {
            Some("sh") => "",
            Some("console") => "$ ",
            _ => continue,
        };
        for command in fence.text.lines().filter_map(|line| line.strip_prefix(prompt)) {
            let words: Vec<&str> = command.split_whitespace().take_while(|word| *word != "#").collect();
            for (index, word) in words.iter().enumerate() {
                let is_made = |made: &String| {
                    word.strip_prefix(&**made).is_some_and(|rest| ["", "/"].contains(&rest.get(..1).unwrap_or("")))
                };
                if index > 0 && WRITES.contains(&words[index - 1]) {
                    made.push((*word).to_owned());
                } else if ENDINGS.iter().any(|ending| word.ends_with(ending)) && !made.iter().any(is_made) {
                    unmade.push(command.to_owned());
                }
            }
        }
    }
    unmade
}

#[test]
fn files_that_nothing_makes_are_found() {
    let page = "```toml,file=my.toml\n```\n```console\n$ run my.toml --out rtl\nother.toml\n```\n```sh\nread rtl/my.sv # x.toml\n```\n";
    assert_eq!(unmade(page), Vec::<String>::new());
    for (from, to, found) in [
        ("file=my.toml", "file=a.toml", "run my.toml --out rtl"),
        ("rtl/my.sv", "rtl2/my.sv", "read rtl2/my.sv # x.toml"),
    ] {
        assert_eq!(unmade(&page.replace(from, to)), [found]);
    }
}
