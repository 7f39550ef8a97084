//! What is published stands alone: a package has its licences and its page, and takes no file from outside its folder.

use std::path::{Component, Path};

use super::rules::Rule;
use super::tree::SourceText;

pub fn rules() -> Vec<Rule> {
    vec![
        Rule {
            name: "a package has licences, a page and keywords, or is not published",
            applies: |path| path.ends_with("Cargo.toml"),
            check: missing_parts,
            breach: ("src/bare/Cargo.toml", "[package]\nname = \"bare\"\nlicense.workspace = true\n".to_owned()),
        },
        Rule {
            name: "a package in another folder is required in some version",
            applies: |path| path.ends_with("Cargo.toml"),
            check: without_version,
            breach: ("src/bare/Cargo.toml", "[dependencies]\nloose = { path = \"../loose\" }\n".to_owned()),
        },
        Rule {
            name: "the numerics package takes no file from outside",
            applies: |path| path.starts_with("src/numerics/") && path.ends_with(".rs"),
            check: outside,
            breach: ("src/numerics/a/b.rs", "#[path = \"../../../tests/support/skip.rs\"]\n".to_owned()),
        },
    ]
}

fn manifest(file: &SourceText) -> toml::Table {
    file.text.parse().expect("a manifest is TOML")
}

fn missing_parts(file: &SourceText) -> Vec<String> {
    let manifest = manifest(file);
    let Some(package) = manifest.get("package") else { return Vec::new() };
    if package.get("publish").and_then(toml::Value::as_bool) == Some(false) {
        return Vec::new();
    }
    let fields =
        ["description", "license", "readme", "keywords"].into_iter().filter(|&field| package.get(field).is_none());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(&file.path);
    let files = ["LICENSE-MIT", "LICENSE-APACHE", "README.md"].into_iter();
    let files = files.filter(|name| !folder.with_file_name(name).is_file());
    fields.chain(files).map(|missing| format!("no {missing}")).collect()
}

/// Dependencies for tests alone need none: they are left out of what is published.
fn without_version(file: &SourceText) -> Vec<String> {
    let manifest = manifest(file);
    let tables = ["dependencies", "build-dependencies"].into_iter().filter_map(|name| manifest.get(name)?.as_table());
    let loose = |(_, value): &(&String, &toml::Value)| value.get("path").is_some() && value.get("version").is_none();
    tables.flatten().filter(loose).map(|(name, _)| format!("{name} has a path and no version")).collect()
}

/// Paths in attributes and macros that climb out of the package's folder.
fn outside(file: &SourceText) -> Vec<String> {
    let climbs = |line: &&str| {
        let text = line.split('"').nth(1).unwrap_or_default();
        let from = Path::new(&file.path).parent().unwrap_or(Path::new(""));
        let mut depth = from.components().count() as i32 - 2;
        Path::new(text).components().any(|part| {
            depth += if part == Component::ParentDir { -1 } else { 1 };
            depth < 0
        })
    };
    let names_file = |line: &&str| line.contains("#[path") || line.contains("include_");
    file.text.lines().filter(names_file).filter(climbs).map(str::to_owned).collect()
}
