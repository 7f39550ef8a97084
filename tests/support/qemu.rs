//! A program in C, compiled for AArch64 and run by QEMU.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use tempfile::TempDir;

use super::{has_program, needed};

const COMPILER: &str = "aarch64-linux-gnu-gcc";
const EMULATOR: &str = "qemu-aarch64";

/// The program in a folder of its own.
pub struct Qemu {
    folder: TempDir,
}

impl Qemu {
    /// Compiles a file of the project, with more options, or skips.
    pub fn open(source: &str, options: &[&str]) -> Option<Qemu> {
        for tool in [EMULATOR, COMPILER] {
            let missing = || format!("{tool} is not on PATH; with TENSORSMITH_LONG_TESTS=1 `./x setup` installs it");
            needed("arm-qemu", has_program(tool, "--version").then_some(()).ok_or_else(missing))?;
        }
        let folder = TempDir::new().expect("a folder");
        let mut compile = Command::new(COMPILER);
        compile.args(["-O2", "-static", "-Wall", "-Wextra", "-Werror"]).args(options);
        compile.arg("-o").arg(folder.path().join("program")).arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(source));
        let compiled = compile.output().expect("the compiler starts");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        Some(Qemu { folder })
    }

    /// The program's folder, for files that it reads.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// QEMU's version, as it tells it.
    pub fn version(&self) -> String {
        let version = Command::new(EMULATOR).arg("--version").output().expect("QEMU starts").stdout;
        String::from_utf8_lossy(&version).lines().next().unwrap_or_default().to_owned()
    }

    /// What the program answers to these bytes.
    pub fn run(&self, argument: impl AsRef<OsStr>, bytes: Vec<u8>) -> Vec<u8> {
        let mut command = Command::new(EMULATOR);
        command.args(["-cpu", "max"]).arg(self.folder.path().join("program")).arg(argument);
        let mut running = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("QEMU starts");
        let mut input = running.stdin.take().expect("a pipe");
        let writer = thread::spawn(move || input.write_all(&bytes));
        let mut answers = Vec::new();
        running.stdout.take().expect("a pipe").read_to_end(&mut answers).expect("QEMU answers");
        writer.join().expect("the writer ends well").expect("QEMU reads");
        assert!(running.wait().expect("QEMU ends").success());
        answers
    }
}
