//! Examples, among them libraries that stand in for drivers, built if they are not: `cargo test` builds them with the other targets,
//! but `cargo test --test NAME` does not. Says where they are; loads nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// The path of an example's program, built once for all tests of the program.
pub fn program(example: &'static str) -> PathBuf {
    made(example, example)
}

/// The path of an example's library, built once for all tests of the program.
pub fn built(example: &'static str) -> PathBuf {
    made(example, &format!("lib{example}.so"))
}

fn made(example: &'static str, file: &str) -> PathBuf {
    static BUILT: Mutex<BTreeMap<&str, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().unwrap_or_else(|failed| failed.into_inner());
    built.entry(example).or_insert_with(|| build(example, file)).clone()
}

/// Builds an example. Cargo is asked to bring it up to date, in the profile and with the features of the
/// running test, so that it compiles the example alone and nothing that the test itself is built from.
fn build(example: &str, file: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    // target/debug/deps/test-0123: the folder above `deps` is named after the profile, two above lies the target folder.
    let folder = test.ancestors().nth(2).expect("a test lies in target/PROFILE/deps");
    let target = folder.parent().expect("a profile's folder lies in the target folder");
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "test",
        Some(name) => name,
    };
    let library = folder.join("examples").join(file);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--example", example, "--profile", profile, "--target-dir"]).arg(target);
    build.arg("--manifest-path").arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    if !cfg!(feature = "linked") {
        build.arg("--no-default-features");
        build.args(cfg!(feature = "rtl").then_some(["--features", "rtl"]).into_iter().flatten());
    }
    let output = build.output();
    if let Ok(output) = &output {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    // Where there is no Cargo, one that was built with the test serves.
    assert!(library.is_file(), "{} is not there, and Cargo did not build it: {output:?}", library.display());
    library
}

/// What the program says with a library in place of a driver, named by that variable, and its exit code. It runs in a folder
/// of its own, for it writes case files.
pub fn run(library: (&str, &Path), arguments: &[&str], environment: &[(&str, &str)]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensorsmith"));
    let folder = tempfile::tempdir().expect("there is room for files");
    command.current_dir(folder.path()).args(arguments).env(library.0, library.1).envs(environment.iter().copied());
    let output = command.output().expect("the program starts");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code().expect("the program ends by itself"), text)
}
