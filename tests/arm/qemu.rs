//! The instructions' program, compiled for AArch64 and run by QEMU.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;

use tempfile::TempDir;
use tensorsmith::engine::Batch;

use super::support;

const COMPILER: &str = "aarch64-linux-gnu-gcc";
const EMULATOR: &str = "qemu-aarch64";

/// What one step of the program takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// BFDOT: four dot products of a pair.
    Pair,
    /// BFMMLA: a 2 x 2 matrix, K of 4.
    Matrix,
}

/// The program in a folder of its own.
pub struct Qemu {
    folder: TempDir,
    version: String,
}

impl Qemu {
    /// Compiles the program, or skips.
    pub fn open() -> Option<Qemu> {
        for tool in [EMULATOR, COMPILER] {
            if !support::has_program(tool, "--version") {
                let reason = format!("{tool} is not on PATH; with TENSORSMITH_LONG_TESTS=1 `./x setup` installs it");
                support::skip("arm-qemu", &reason);
                return None;
            }
        }
        let folder = TempDir::new().expect("a folder");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/arm/bfdot.c");
        let mut compile = Command::new(COMPILER);
        compile.args(["-O2", "-static", "-march=armv8.6-a+bf16", "-Wall", "-Wextra", "-Werror", "-o"]);
        let compiled = compile.arg(folder.path().join("bfdot")).arg(source).output().expect("the compiler starts");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let version = Command::new(EMULATOR).arg("--version").output().expect("QEMU starts").stdout;
        let version = String::from_utf8_lossy(&version).lines().next().unwrap_or_default().to_owned();
        Some(Qemu { folder, version })
    }

    pub fn version(&self) -> &str {
        &self.version
    }

    /// Answers of the instruction, four a step. Of a matrix the four share two rows of A and two columns of B.
    pub fn run(&self, width: Width, batch: &Batch) -> Vec<u64> {
        assert!(batch.len().is_multiple_of(4));
        let name = if width == Width::Pair { "bfdot" } else { "bfmmla" };
        let mut command = Command::new(EMULATOR);
        command.args(["-cpu", "max"]).arg(self.folder.path().join("bfdot")).arg(name);
        let mut program = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("QEMU starts");
        let mut input = program.stdin.take().expect("a pipe");
        let bytes = steps(width, batch);
        let writer = thread::spawn(move || input.write_all(&bytes));
        let mut answers = Vec::new();
        program.stdout.take().expect("a pipe").read_to_end(&mut answers).expect("QEMU answers");
        writer.join().expect("the writer ends well").expect("QEMU reads");
        assert!(program.wait().expect("QEMU ends").success());
        let words = answers.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        let results: Vec<u64> = words.map(u64::from).collect();
        assert_eq!(results.len(), batch.len());
        results
    }
}

/// The vectors as the program reads them.
fn steps(width: Width, batch: &Batch) -> Vec<u8> {
    let mut bytes = Vec::new();
    for first in (0..batch.len()).step_by(4) {
        batch.c[first..first + 4].iter().for_each(|&c| bytes.extend((c as u32).to_le_bytes()));
        let (rows, columns): (&[usize], &[usize]) = match width {
            Width::Pair => (&[0, 1, 2, 3], &[0, 1, 2, 3]),
            Width::Matrix => (&[0, 2], &[0, 1]),
        };
        let a = rows.iter().flat_map(|row| batch.a(first + row));
        let b = columns.iter().flat_map(|column| batch.b(first + column));
        a.chain(b).for_each(|&factor| bytes.extend((factor as u16).to_le_bytes()));
    }
    bytes
}
