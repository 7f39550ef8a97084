//! The rules.

use super::blind;
use super::tree::SourceText;
use super::{packages, pins};

/// A rule: which files it looks at, what it finds, and a planted file that breaks it.
pub struct Rule {
    pub name: &'static str,
    pub applies: fn(&str) -> bool,
    pub check: fn(&SourceText) -> Vec<String>,
    pub breach: (&'static str, String),
}

fn is_code(path: &str) -> bool {
    [".rs", ".sv", ".svh", ".cpp", ".h"].iter().any(|ending| path.ends_with(ending)) && !path.starts_with("rtl/gen/")
}

fn is_rust(path: &str) -> bool {
    path.ends_with(".rs")
}

/// This file names the words that it forbids.
fn is_prose_or_code(path: &str) -> bool {
    path != "tests/tidy/rules.rs"
}

const FILE_LINES: usize = 500;
/// A module of a scheme is read as one text.
const MODULE_LINES: usize = 860;
const FUNCTION_LINES: usize = 70;
const README_LINES: usize = 150;

/// Folders of `src` and `src/numerics` in the order of the story: each uses only those before it.
const STORY: [&str; 16] = [
    "isa",
    "lanes",
    "describe",
    "compute",
    "emit",
    "design",
    "engine",
    "stimulus",
    "recording",
    "check",
    "literature",
    "study",
    "infer",
    "prove",
    "report",
    "cli",
];

pub fn rules() -> Vec<Rule> {
    let mut rules = house_rules();
    rules.extend(invariants());
    rules.extend(borders());
    rules.extend(packages::rules());
    rules.extend(pins::rules());
    rules.push(first_page());
    rules.push(licence());
    rules
}

/// What a reader sees first.
fn first_page() -> Rule {
    Rule {
        name: "the README has at most 150 lines",
        applies: |path| path == "README.md",
        check: |file| {
            let lines = file.text.lines().count();
            if lines > README_LINES { vec![format!("{lines} lines")] } else { Vec::new() }
        },
        breach: ("README.md", "\n".repeat(README_LINES + 1)),
    }
}

/// Under which licence a module stands alone.
fn licence() -> Rule {
    Rule {
        name: "modules begin with their licence",
        applies: |path| path.starts_with("rtl/"),
        check: |file| {
            let licensed = file.text.starts_with("// SPDX-License-Identifier: MIT OR Apache-2.0\n// ");
            if licensed { Vec::new() } else { vec!["no licence".to_owned()] }
        },
        breach: ("rtl/lib/bare.sv", "// A module.\n".to_owned()),
    }
}

/// How files read.
fn house_rules() -> Vec<Rule> {
    vec![
        Rule {
            name: "files are at most 500 lines long, modules at most 860",
            applies: is_code,
            check: |file| {
                let lines = file.text.lines().count();
                let limit = if file.path.starts_with("rtl/lib/") { MODULE_LINES } else { FILE_LINES };
                if lines > limit { vec![format!("{lines} lines")] } else { Vec::new() }
            },
            breach: ("src/long.rs", format!("//! Long.\n{}", "\n".repeat(FILE_LINES))),
        },
        Rule {
            name: "functions are at most 70 lines long",
            applies: is_rust,
            check: long_functions,
            breach: ("src/long.rs", format!("//! Long.\nfn long() {{{}}}\n", "\n".repeat(FUNCTION_LINES + 2))),
        },
        Rule {
            name: "every file says what it is",
            applies: is_code,
            check: |file| {
                let first = file.text.lines().next().unwrap_or_default();
                if first.starts_with("//") || first.starts_with("#!") {
                    Vec::new()
                } else {
                    vec!["no header comment".to_owned()]
                }
            },
            breach: ("src/bare.rs", "fn bare() {}\n".to_owned()),
        },
        Rule {
            name: "field-standard words",
            applies: is_prose_or_code,
            check: |file| {
                words(file, &["mantissa", "mantissas", "denormal", "denormals", "denormalized", "denormalised"])
            },
            breach: ("src/word.rs", "//! The mantissa.\n".to_owned()),
        },
        Rule {
            name: "nothing unfinished",
            applies: |path| is_prose_or_code(path) && path != "Cargo.toml",
            check: |file| words(file, &["todo", "fixme", "xxx", "hack", "todo!", "unimplemented!"]),
            breach: ("src/unfinished.rs", "// TODO: later\n".to_owned()),
        },
        Rule {
            name: "no path of a machine",
            applies: is_prose_or_code,
            check: |file| containing(file, &["/home/", "/root/", "/Users/"]),
            breach: ("README.md", "cd /home/me/tensorsmith\n".to_owned()),
        },
        Rule {
            name: "every ignored test and silenced lint has a reason",
            applies: |path| is_rust(path) && path != "tests/tidy/rules.rs",
            check: |file| {
                let silences = |line: &&str| {
                    line.contains("#[ignore]")
                        || ((line.contains("[allow(") || line.contains("[expect("))
                            && line.contains(")]")
                            && !line.contains("reason"))
                };
                file.text.lines().filter(silences).map(str::to_owned).collect()
            },
            breach: ("src/silent.rs", "#[allow(dead_code)]\nfn silent() {}\n".to_owned()),
        },
    ]
}

/// What a module never does.
fn invariants() -> Vec<Rule> {
    vec![
        Rule {
            name: "each folder uses only those before it in the story",
            applies: |path| STORY.contains(&folder_of(path)),
            check: story_order,
            breach: ("src/numerics/describe/backward.rs", "//! Backward.\nuse crate::engine::Batch;\n".to_owned()),
        },
        Rule {
            name: "the reference shares nothing with plan, word and datapath",
            applies: |path| path.starts_with("src/numerics/compute/reference/"),
            check: |file| code_containing(file, &["plan::", "word::", "datapath", "Plan"]),
            breach: ("src/numerics/compute/reference/shared.rs", "use crate::describe::plan::Plan;\n".to_owned()),
        },
        Rule {
            name: "inference knows no unit of the catalogue and no engine's implementation",
            applies: |path| path.starts_with("src/infer/"),
            check: |file| blind::sights(&file.text),
            breach: ("src/infer/peeking.rs", "use crate::describe::catalogue;\n".to_owned()),
        },
        Rule {
            name: "a unit knows nothing of its plan",
            applies: |path| path.starts_with("src/numerics/describe/unit/"),
            check: |file| code_containing(file, &["plan::", "Plan"]),
            breach: ("src/numerics/describe/unit/sly.rs", "use crate::describe::plan::Plan;\n".to_owned()),
        },
        Rule {
            name: "the stimulus knows no plan",
            applies: |path| path.starts_with("src/numerics/stimulus/"),
            check: |file| code_containing(file, &["plan::", "Plan", "datapath"]),
            breach: ("src/numerics/stimulus/sly.rs", "use crate::describe::plan::Plan;\n".to_owned()),
        },
        Rule {
            name: "the datapath text has no `if` on a flag and no closure around arithmetic",
            applies: |path| path.starts_with("src/numerics/compute/datapath/") && !path.ends_with("events.rs"),
            check: datapath_text,
            breach: ("src/numerics/compute/datapath/branch.rs", "let x = if flag { a } else { b };\n".to_owned()),
        },
        Rule {
            name: "templates compute nothing",
            applies: |path| path.starts_with("templates/"),
            check: template_arithmetic,
            breach: ("templates/sum.tera", "width [[ a + 1 ]]\n".to_owned()),
        },
    ]
}

/// What only some files may touch.
fn borders() -> Vec<Rule> {
    vec![
        Rule {
            name: "unsafe code only where a C library or an instruction of the machine is touched",
            applies: |path| {
                let border = [
                    "sim/bridge.rs",
                    "src/engine/processor/kernels.rs",
                    // The C library: functions are exported, and take the caller's pointers.
                    "src/c/dpi.rs",
                    "src/c/entries.rs",
                    "src/c/matrices.rs",
                    "src/c/memory.rs",
                    "src/c/open.rs",
                    "src/c/vectors.rs",
                    "src/c/tests/pointers.rs",
                    // Python lends memory, and is lent some.
                    "src/python/memory.rs",
                    // Registers of lanes, and the kernels that are for AVX-512 alone.
                    "src/numerics/lanes/avx512.rs",
                    "src/numerics/lanes/avx2.rs",
                    "src/numerics/lanes/neon.rs",
                    "src/numerics/engine/gemm/avx512/",
                    "src/numerics/engine/gather.rs",
                    "src/numerics/engine/wide/columns/",
                    // Transposition of bits in the same registers; machine code that was made here is called.
                    "src/engine/netlist/bytes.rs",
                    "src/engine/netlist/registers.rs",
                    "src/engine/netlist/quadwords/avx2.rs",
                    "src/engine/netlist/quadwords/neon.rs",
                    "src/engine/netlist/code.rs",
                    // The time stamp counter; a function of SoftFloat.
                    "tests/bench/harness.rs",
                    "tests/bench/softfloat.rs",
                    "src/engine/gpu/driver/",
                    "src/engine/hip/compiler.rs",
                    // A function that runs before main.
                    "src/cli/closed.rs",
                    "tests/fake_cuda/",
                    "tests/fake_hip/",
                    "tests/tidy/rules.rs",
                ];
                is_rust(path) && !border.iter().any(|allowed| path.starts_with(allowed))
            },
            check: |file| code_containing(file, &["unsafe "]),
            breach: ("src/engine/processor/rash.rs", "fn rash() { unsafe { danger() } }\n".to_owned()),
        },
        Rule {
            name: "commands print through one place, which lets nothing mislead",
            applies: |path| path.starts_with("src/cli/") && path != "src/cli/output.rs",
            check: |file| code_containing(file, &["println!", "print!("]),
            breach: ("src/cli/loud.rs", "fn loud(text: &str) { eprintln!(\"{text}\") }\n".to_owned()),
        },
        Rule {
            name: "the build script uses nothing of src, no template and no TOML",
            applies: |path| path == "build.rs" || (path.starts_with("sim/") && is_rust(path)),
            check: |file| code_containing(file, &["src/", "tera::", "toml::"]),
            breach: ("build.rs", "#[path = \"src/emit/mod.rs\"]\nmod emit;\n".to_owned()),
        },
    ]
}

/// Functions over the limit: from `fn` to the closing brace of the same indentation.
fn long_functions(file: &SourceText) -> Vec<String> {
    let mut breaches = Vec::new();
    let lines: Vec<&str> = file.text.lines().collect();
    for (start, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let declares = code.starts_with("fn ") || (code.starts_with("pub") && code.contains(" fn "));
        if !declares || code.ends_with(';') {
            continue;
        }
        let closing = " ".repeat(line.len() - code.len()) + "}";
        let length = lines[start..].iter().position(|line| *line == closing).unwrap_or(0);
        if length > FUNCTION_LINES {
            breaches.push(format!("line {}: {length} lines", start + 1));
        }
    }
    breaches
}

/// Lines with one of the words, whatever its case.
fn words(file: &SourceText, forbidden: &[&str]) -> Vec<String> {
    let has = |line: &&str| {
        let lower = line.to_lowercase();
        let mut words = lower.split(|letter: char| !letter.is_alphanumeric() && letter != '!');
        words.any(|word| forbidden.contains(&word))
    };
    file.text.lines().filter(has).map(str::to_owned).collect()
}

fn containing(file: &SourceText, forbidden: &[&str]) -> Vec<String> {
    file.text.lines().filter(|line| forbidden.iter().any(|text| line.contains(text))).map(str::to_owned).collect()
}

/// Lines of code, without comments, that contain one of the texts.
fn code_containing(file: &SourceText, forbidden: &[&str]) -> Vec<String> {
    let code = file.text.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.filter(|line| forbidden.iter().any(|text| line.contains(text))).map(str::to_owned).collect()
}

/// The folder of `src` or `src/numerics` that a file lies in.
fn folder_of(path: &str) -> &str {
    let inside = path.strip_prefix("src/").unwrap_or_default();
    inside.strip_prefix("numerics/").unwrap_or(inside).split('/').next().unwrap_or_default()
}

fn story_order(file: &SourceText) -> Vec<String> {
    let place = |folder: &str| STORY.iter().position(|known| *known == folder);
    let own = place(folder_of(&file.path)).unwrap_or_default();
    let later = |line: &&str| {
        let used = line.split("crate::").nth(1).and_then(|rest| place(rest.split([':', ';', ' ', '{']).next()?));
        used.is_some_and(|used| used > own)
    };
    file.text.lines().filter(|line| !line.trim_start().starts_with("//")).filter(later).map(str::to_owned).collect()
}

/// `if` may ask the plan only, and no closure takes part.
fn datapath_text(file: &SourceText) -> Vec<String> {
    let code = file.text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let branches = |line: &&str| {
        let on_part = line.contains("if let ") && line.contains("plan.");
        let on_plan =
            on_part || line.contains("if plan.") || line.contains("if result.") || line.contains("if !result.");
        (line.contains("if ") && !on_plan) || has_closure(line)
    };
    code.filter(branches).map(str::to_owned).collect()
}

/// A parameter list between bars: `|x|`, `|(a, b)|`, `|&x|`. Flags are ored with spaces around the bar.
fn has_closure(line: &str) -> bool {
    let mut bars = line.match_indices('|').map(|(place, _)| place).collect::<Vec<_>>();
    bars.retain(|&place| {
        !line[place + 1..].starts_with([' ', '|', '=']) || line[..place].ends_with(|letter: char| letter != ' ')
    });
    bars.len() >= 2
}

/// Tags of a template with an operator in them.
fn template_arithmetic(file: &SourceText) -> Vec<String> {
    let mut breaches = Vec::new();
    for (open, close) in [("[[", "]]"), ("[%", "%]")] {
        for tag in file.text.split(open).skip(1).filter_map(|rest| rest.split(close).next()) {
            let inner = tag.trim_start_matches('-').trim_end_matches('-');
            if inner.contains(['+', '*', '/', '-', '|', '~', '<', '>']) {
                breaches.push(tag.to_owned());
            }
        }
    }
    breaches
}
