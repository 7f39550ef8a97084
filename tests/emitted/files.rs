//! Committed files are what the templates give, byte for byte.

use std::collections::BTreeMap;
use std::path::Path;

use tensorsmith::describe::catalogue;
use tensorsmith::emit::{self, LEAVES, SourceFile};

fn folder(path: &str) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let files = std::fs::read_dir(root).expect("the folder is there").map(|entry| entry.expect("a file").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    files.map(|path| (name(&path), std::fs::read_to_string(&path).expect("text"))).collect()
}

fn emitted() -> Vec<SourceFile> {
    let units = catalogue::units();
    units
        .iter()
        .flat_map(|unit| [emit::core(unit).expect("rendered"), emit::registered(unit).expect("rendered")])
        .collect()
}

/// What differs between the committed files and the emitted ones.
fn differences(committed: &BTreeMap<String, String>, emitted: &[SourceFile]) -> Vec<String> {
    let mut differing: Vec<String> = emitted
        .iter()
        .filter(|file| committed.get(&file.name) != Some(&file.text))
        .map(|file| file.name.clone())
        .collect();
    let extra = committed.keys().filter(|name| !emitted.iter().any(|file| file.name == **name));
    differing.extend(extra.cloned());
    differing
}

#[test]
fn committed_emitted_catalogue() {
    let differing = differences(&folder("rtl/gen"), &emitted());
    assert!(
        differing.is_empty(),
        "{differing:?} differ from the templates; rewrite them with: cargo run --no-default-features -- emit --catalogue"
    );
}

/// Headings of a header, lines that end with a colon between empty ones, with no line of theirs below.
fn empty_lists(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().take_while(|line| line.starts_with("//")).collect();
    let is_empty = |three: &&[&str]| three[0].ends_with(':') && !three[2].starts_with("//  ");
    lines.windows(3).filter(is_empty).map(|three| three[0]).collect()
}

#[test]
fn headers_have_no_empty_list() {
    let mut unit = catalogue::unit("volta-fp16-fp32").expect("a unit of the catalogue");
    let with_sources = emit::core(&unit).expect("rendered").text;
    assert!(with_sources.contains("// Where the constants come from:\n//\n//     "), "{with_sources}");
    unit.evidence.clear();
    let without = emit::core(&unit).expect("rendered").text;
    assert_eq!(empty_lists(&without), Vec::<&str>::new());
    let planted = without.replacen("// Emitted;", "// A list:\n//\n// Emitted;", 1);
    assert_eq!(empty_lists(&planted), ["// A list:"]);
}

#[test]
fn committed_emitted_changed_file() {
    let mut committed = folder("rtl/gen");
    committed.get_mut("volta_fp16_fp32.sv").expect("a unit of the catalogue").push(' ');
    committed.insert("stray.sv".to_owned(), String::new());
    assert_eq!(differences(&committed, &emitted()), ["volta_fp16_fp32.sv", "stray.sv"]);
}

#[test]
fn embedded_leaves_are_the_folder() {
    let embedded: BTreeMap<String, String> =
        LEAVES.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect();
    assert_eq!(embedded, folder("rtl/lib"));
}
