//! The fake CUDA driver library of `tests/fake_cuda`, built if it is not: `cargo test` builds it with the other targets, but
//! `cargo test --test NAME` does not. Says where it is; loads nothing.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The library's path. Cargo is asked to bring it up to date first, in the profile and with the features of the running
/// test, so that it compiles the library alone and nothing that the test itself is built from.
pub fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let test = std::env::current_exe().expect("a test knows its own path");
        // target/debug/deps/test-0123: the folder above `deps` is named after the profile, two above lies the target folder.
        let folder = test.ancestors().nth(2).expect("a test lies in target/PROFILE/deps");
        let target = folder.parent().expect("a profile's folder lies in the target folder");
        let profile = match folder.file_name().and_then(|name| name.to_str()) {
            Some("debug") | None => "test",
            Some(name) => name,
        };
        let library = folder.join("examples").join("libfake_cuda.so");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        build.args(["build", "--quiet", "--example", "fake_cuda", "--profile", profile, "--target-dir"]).arg(target);
        build.arg("--manifest-path").arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        if !cfg!(feature = "rtl") {
            build.arg("--no-default-features");
        }
        let output = build.output();
        if let Ok(output) = &output {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        // Where there is no Cargo, a library that was built with the test serves.
        assert!(library.is_file(), "{} is not there, and Cargo did not build it: {output:?}", library.display());
        library
    })
}
