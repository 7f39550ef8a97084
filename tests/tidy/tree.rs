//! The files of the project.

use std::path::Path;

/// A file's path from the root, with forward slashes, and its text.
pub struct SourceText {
    pub path: String,
    pub text: String,
}

const FOLDERS: [&str; 12] =
    ["src", "templates", "rtl", "sim", "tests", "docs", "examples", "python", ".ci", ".github", "build.rs", "x"];
const NOT_TEXT: [&str; 1] = ["tests/data"];

/// Every text file of the project, the emitted modules included.
pub fn files() -> Vec<SourceText> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in FOLDERS.iter().chain(&["README.md", "CHANGELOG.md", "Cargo.toml", "pyproject.toml"]) {
        collect(root, &root.join(folder), &mut files);
    }
    assert!(files.len() > 100, "the tree was found");
    files
}

fn collect(root: &Path, path: &Path, files: &mut Vec<SourceText>) {
    let relative = path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
    if NOT_TEXT.contains(&relative.as_str()) {
        return;
    }
    if path.is_dir() {
        let mut entries: Vec<_> =
            std::fs::read_dir(path).expect("readable").map(|entry| entry.expect("an entry").path()).collect();
        entries.sort();
        entries.iter().for_each(|entry| collect(root, entry, files));
    } else if let Ok(text) = std::fs::read_to_string(path) {
        files.push(SourceText { path: relative, text });
    }
}
