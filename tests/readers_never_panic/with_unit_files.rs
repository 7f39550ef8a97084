//! Instruction files whose units lie in files beside them, some of which are missing, broken, or no unit files.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use proptest::test_runner::TestCaseError;
use tempfile::TempDir;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::unit::FileError;

use super::edits::edited;
use super::mutations::mutated;
use super::originals::{instruction_texts_with_unit_files, unit_file_texts};
use super::{Document, cases, originals, read_all, texts};

/// The unit files. `mutations` has their names among its words.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let [unit, adder] = unit_file_texts();
    let files = [
        ("unit.toml", unit.clone()),
        ("adder.toml", adder),
        ("broken.toml", unit.replace("products", "produces")),
        ("no-products.toml", unit.replace("products = 16", "products = 0")),
        ("no-toml.toml", "[[".to_owned()),
        ("instruction.toml", instruction_texts_with_unit_files().remove(0)),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("room for a file");
    }
    fs::create_dir(folder.path().join("folder.toml")).expect("a folder");
    folder
});

/// An instruction read in that folder.
#[derive(Debug)]
struct InFolder(Instruction);

impl Document for InFolder {
    const KIND: &'static str = "instruction files with unit files";

    fn read(text: &str) -> Result<InFolder, FileError> {
        Instruction::from_toml_in(FOLDER.path(), "file.toml", text).map(InFolder)
    }

    fn check(&self) -> Result<(), TestCaseError> {
        self.0.check()
    }
}

#[test]
fn right_and_wrong_unit_files() {
    originals::<InFolder>(instruction_texts_with_unit_files());
    let text = instruction_texts_with_unit_files().remove(0);
    let place = |name: &str| FOLDER.path().join(name).display().to_string();
    let nested = |name: &str| format!("file.toml: field `unit`: {}: ", place(name));
    let wrong = [
        ("missing.toml", "file.toml: field `unit` is \"missing.toml\"; allowed: a unit file; ".to_owned()),
        ("folder.toml", "file.toml: field `unit` is \"folder.toml\"; allowed: a unit file; ".to_owned()),
        ("no-products.toml", nested("no-products.toml") + "field `products` is 0; allowed: 1 to 64"),
        ("broken.toml", nested("broken.toml") + "field `produces`: "),
        ("no-toml.toml", nested("no-toml.toml") + "TOML parse error at line 1"),
        (
            "instruction.toml",
            "file.toml: field `unit` is \"instruction.toml\"; allowed: a unit file; this is an ".to_owned(),
        ),
        (
            "hopper-fp8",
            "file.toml: field `unit` is \"hopper-fp8\"; allowed: the path of a unit file (.toml), or ".to_owned(),
        ),
        ("adder.toml", "file.toml: field `".to_owned()),
    ];
    for (name, start) in &wrong {
        let text = text.replace("\"unit.toml\"", &format!("{name:?}"));
        let error = InFolder::read(&text).expect_err(name).to_string();
        assert!(error.starts_with(start), "{name}: {error}");
    }
    let error = Instruction::from_toml("file.toml", &text).expect_err("no folder was given").to_string();
    assert!(error.starts_with("file.toml: field `unit` is \"unit.toml\"; allowed: volta-fp16-fp32"), "{error}");
    let error = Instruction::from_file(Path::new("missing/instruction.toml")).expect_err("no file").to_string();
    assert!(error.starts_with("missing/instruction.toml: cannot be read: "), "{error}");
    println!("ran {} wrong unit files", wrong.len());
}

#[test]
fn instruction_files_with_unit_files_edited() {
    let files = texts(edited(instruction_texts_with_unit_files()));
    let (accepted, refused) = read_all::<InFolder>(cases(500, 10_000), "edited", files);
    assert!(accepted > 100 && refused > 200, "the edits are neither too mild nor too wild");
}

#[test]
fn instruction_files_with_unit_files_mutated() {
    let files = mutated(instruction_texts_with_unit_files());
    let (accepted, refused) = read_all::<InFolder>(cases(500, 30_000), "mutated", files);
    assert!(accepted > 100 && refused > 200, "the mutations are neither too mild nor too wild");
}
