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
        CLibrary::at(&test.with_file_name("libtensorsmith_c.so"))
    }

    /// The library compiled for the sanitizer of addresses, which looks at what the library itself reads and writes, too. Only
    /// programs that are compiled for the same sanitizer can be linked to it.
    pub fn instrumented() -> CLibrary {
        let test = std::env::current_exe().expect("a test knows its own path");
        let built = test.ancestors().nth(3).expect("a folder of builds").join("sanitized");
        let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--locked", "--profile", "c", "-p", "tensorsmith-c", "--features", "planted-panic"]);
        build.args(["--target", &target]).arg("--target-dir").arg(&built).current_dir(env!("CARGO_MANIFEST_DIR"));
        // The option is not yet stable, the compiler that has it is.
        let output = build.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zsanitizer=address").output();
        let output = output.expect("Cargo starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        CLibrary::at(&built.join(target).join("c/libtensorsmith_c.so"))
    }

    fn at(library: &Path) -> CLibrary {
        assert!(library.is_file(), "{}: Cargo builds it", library.display());
        let folder = tempfile::tempdir().expect("a folder");
        for name in
            ["libtensorsmith.so".to_owned(), format!("libtensorsmith.so.{}", tensorsmith_c::TENSORSMITH_ABI_MAJOR)]
        {
            symlink(library, folder.path().join(name)).expect("a link");
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
