//! Committed files are what the templates give, byte for byte.

use std::collections::BTreeMap;
use std::path::Path;

use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::{Scheme, Unit};
use tensorsmith::emit::{self, LEAVES, SourceFile};

fn folder(path: &str) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let files = std::fs::read_dir(root).expect("the folder is there").map(|entry| entry.expect("a file").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    files.map(|path| (name(&path), std::fs::read_to_string(&path).expect("text"))).collect()
}

/// Lists of steps whose modules are committed.
const LISTS: [(&str, &str); 2] = [
    ("power10-bf16.toml", include_str!("../steps/units/power10-bf16.toml")),
    ("scaled-exact.toml", include_str!("../steps/units/scaled-exact.toml")),
];

/// The modules that are committed: those that the build links, one of every other shape, and lists.
fn emitted() -> Vec<SourceFile> {
    let linked = include_str!("../../sim/linked_units.txt");
    let others = ["tiny-grouped", "tiny-pair-chain", "tiny-two-groups"];
    let is_kept =
        |unit: &Unit| linked.lines().any(|module| module == unit.module_name()) || others.contains(&unit.name.as_str());
    let lists = LISTS.map(|(name, text)| Unit::from_toml(name, text).unwrap_or_else(|error| panic!("{error}")));
    let units = catalogue::units().iter().filter(|unit| is_kept(unit)).cloned().chain(lists).collect::<Vec<_>>();
    let schemes = Scheme::ALL.iter().filter(|scheme| !units.iter().any(|unit| unit.scheme == **scheme));
    assert_eq!(schemes.collect::<Vec<_>>(), Vec::<&Scheme>::new(), "a module of each scheme is kept");
    let files = |unit: &Unit| [emit::core(unit).expect("rendered"), emit::registered(unit).expect("rendered")];
    units.iter().flat_map(files).collect()
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("rtl/gen");
    if std::env::var_os("TENSORSMITH_REWRITE_SNAPSHOTS").is_some_and(|value| value == "1") {
        let emitted = emitted();
        let stray = |name: &String| !emitted.iter().any(|file| file.name == *name);
        folder("rtl/gen").keys().filter(|name| stray(name)).for_each(|name| {
            std::fs::remove_file(root.join(name)).expect("removed");
        });
        emit::write(&root, &emitted).expect("written");
    }
    let differing = differences(&folder("rtl/gen"), &emitted());
    assert!(
        differing.is_empty(),
        "{differing:?} differ from the templates; rewrite them with: TENSORSMITH_REWRITE_SNAPSHOTS=1 cargo test --test \
         engines committed"
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
