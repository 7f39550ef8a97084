//! The C library, which Cargo builds as a dependency of the tests, in a folder as an installation has it; and programs that are
//! linked to it.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// The library is a dependency for its files alone.
use tensorsmith_c as _;

/// A folder with the library under the names that linkers and loaders look for.
pub struct CLibrary {
    folder: TempDir,
}

impl CLibrary {
    pub fn new() -> CLibrary {
        let test = std::env::current_exe().expect("a test knows its own path");
        let library = test.with_file_name("libtensorsmith_c.so");
        assert!(library.is_file(), "{}: Cargo builds it with the tests", library.display());
        let folder = tempfile::tempdir().expect("a folder");
        for name in
            ["libtensorsmith.so".to_owned(), format!("libtensorsmith.so.{}", tensorsmith_c::TENSORSMITH_ABI_MAJOR)]
        {
            symlink(&library, folder.path().join(name)).expect("a link");
        }
        CLibrary { folder }
    }

    /// Where the library lies.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The folder of the header.
    pub fn include() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/c/include")
    }

    /// The static library.
    pub fn archive() -> PathBuf {
        std::env::current_exe().expect("a test knows its own path").with_file_name("libtensorsmith_c.a")
    }

    /// Compiles a program of C, or of C++ where the name ends so, with more options, and links it to the library.
    pub fn compile(&self, source: &str, name: &str, options: &[&str]) -> PathBuf {
        let program = self.folder().join(name);
        let (compiler, standard) = if source.ends_with(".cpp") { ("c++", "-std=c++17") } else { ("cc", "-std=c11") };
        let mut compile = Command::new(compiler);
        compile.args([standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-g"]).args(options);
        compile.arg("-I").arg(CLibrary::include()).arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(source));
        compile.arg("-L").arg(self.folder()).arg(format!("-Wl,-rpath,{}", self.folder().display()));
        let output = compile.args(["-ltensorsmith", "-o"]).arg(&program).output().expect("the compiler starts");
        assert!(output.status.success(), "{source}: {}", String::from_utf8_lossy(&output.stderr));
        program
    }
}
