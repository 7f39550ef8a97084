//! The Python package with its extension module, as Cargo builds it with the tests: by its own tests under pytest, which compare it with
//! the program; and the Python examples of its page and of the folder `examples`. Where no Python has NumPy, ml_dtypes and pytest they
//! are skipped.
#![cfg(target_os = "linux")]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The module is a dependency for its file alone.
use _native as _;
use tempfile::TempDir;

use crate::support::{odd_folder, skip};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A Python that has what the tests import: that of `./x setup --python`, or the one on PATH.
fn python() -> Option<PathBuf> {
    let imports = "import sys, numpy, ml_dtypes, pytest; assert sys.version_info >= (3, 11)";
    let has = |python: &PathBuf| {
        Command::new(python).args(["-B", "-c", imports]).output().is_ok_and(|output| output.status.success())
    };
    let found = [root().join(".tools/python/bin/python"), PathBuf::from("python3")].into_iter().find(has);
    if found.is_none() {
        skip("python", "no Python has NumPy, ml_dtypes and pytest; ./x setup --python");
    }
    found
}

/// The package as a wheel has it, in a folder for PYTHONPATH.
fn package() -> TempDir {
    let folder = odd_folder();
    let package = folder.path().join("tensorsmith");
    std::fs::create_dir(&package).expect("there is room");
    for entry in std::fs::read_dir(root().join("python/tensorsmith")).expect("the package") {
        let path = entry.expect("an entry").path();
        symlink(&path, package.join(path.file_name().expect("a name"))).expect("a link");
    }
    let module = std::env::current_exe().expect("a test knows its own path").with_file_name("lib_native.so");
    assert!(module.is_file(), "{}: Cargo builds it with the tests", module.display());
    symlink(module, package.join("_native.abi3.so")).expect("a link");
    folder
}

/// Runs Python with the package, in an empty folder.
fn run(arguments: &[&str]) -> Option<Output> {
    let (python, package, folder) = (python()?, package(), odd_folder());
    let mut command = Command::new(python);
    command.arg("-B").args(arguments).current_dir(folder.path()).env("PYTHONPATH", package.path());
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("TENSORSMITH", env!("CARGO_BIN_EXE_tensorsmith"));
    Some(command.env_remove("TENSORSMITH_LIBRARY").output().expect("it starts"))
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

/// How many tests passed, by pytest's last line: `92 passed, 1 skipped, 15 subtests passed in 31.66s`. Warnings may stand above.
fn passed(text: &str) -> Option<u32> {
    let (before, _) = text.lines().rfind(|line| line.contains(" passed"))?.split_once(" passed")?;
    before.split_whitespace().last()?.parse().ok()
}

#[test]
fn counts_of_pytest_are_read() {
    let lines = [
        "92 passed, 1 skipped, 15 subtests passed in 31.66s",
        "3 failed, 92 passed, 2 warnings in 1s",
        "92 passed in 3s",
    ];
    for line in lines {
        assert_eq!(passed(&format!("..s.. [100%]\na warning: 7 passed by\n\n{line}\n")), Some(92), "{line}");
    }
    assert_eq!(passed("no tests ran in 0.01s\n"), None);
}

/// Asks pytest about files of tests, at least so many.
fn passes(files: &[&str], least: u32) {
    let tests = root().join("python/tests").display().to_string();
    let options =
        ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", &tests, "--tb=short"];
    let Some(output) = run(&[&options[..], files].concat()) else { return };
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    // Where the program was not found, tests would be skipped.
    assert!(!text.contains("names no program"), "{text}");
    assert!(passed(&text).is_some_and(|passed| passed >= least), "{text}");
    println!("{}", text.lines().last().unwrap_or_default());
}

const BOXES: &str = "test_boxes.py";

/// Inference takes as long as all the rest.
#[test]
fn python_package_passes_pytest_of_boxes() {
    passes(&[&root().join("python/tests").join(BOXES).display().to_string()], 10);
}

#[test]
fn python_package_passes_pytest_of_the_rest() {
    let tests = root().join("python/tests");
    let ignored = format!("--ignore={}", tests.join(BOXES).display());
    passes(&[&ignored, &tests.display().to_string()], 80);
}

/// Blocks of Python with prompts on the page are run as doctests, one after the other.
#[test]
fn python_page_shows_what_is_printed() {
    let page = root().join("docs/src/python.md").display().to_string();
    let code = "import doctest, sys\n\
                outcome = doctest.testfile(sys.argv[1], module_relative=False)\n\
                print(outcome.attempted, outcome.failed)";
    let Some(output) = run(&["-c", code, &page]) else { return };
    let text = said(&output);
    let counts: Vec<u32> = text.split_whitespace().rev().take(2).filter_map(|word| word.parse().ok()).collect();
    assert!(output.status.success() && counts.len() == 2 && counts[0] == 0 && counts[1] >= 15, "{text}");
}

#[test]
fn python_example_prints_what_it_says() {
    let example = root().join("examples/error_of_products.py").display().to_string();
    let Some(output) = run(&[&example]) else { return };
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    let devices: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(devices, ["V100", "A100", "H100", "MI300"], "{text}");
}
