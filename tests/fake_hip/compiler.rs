//! `hiprtc`: the text of a kernel becomes a library for this processor, by the C++ compiler.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::matrix;

const OPTIONS: [&str; 5] = ["-std=c++17", "-O1", "-shared", "-fPIC", "-pthread"];

/// A program that is being compiled.
pub struct Program {
    pub text: String,
    pub log: String,
    pub code: Vec<u8>,
}

/// `typedef T NAME attribute(n);` as a structure of n times T, which this compiler passes like any other.
fn without_vectors(text: &str) -> String {
    let line = |line: &str| -> String {
        let Some(rest) = line.strip_prefix("typedef ") else { return line.to_owned() };
        let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let name: String = rest.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
        let count = rest.split("ext_vector_type(").nth(1).and_then(|rest| rest.split(')').next()).unwrap_or("1");
        let bytes = match kind {
            "_Float16" | "short" => 2,
            "float" => 4,
            _ => 8,
        };
        format!("struct {name} {{ unsigned char bytes[{count} * {bytes}]; }};")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

impl Program {
    /// Compiles for an architecture; whether it succeeded. What was compiled once is read from the folder FAKE_HIP_KERNELS.
    pub fn compile(&mut self, architecture: &str) -> bool {
        let text = self.for_this_processor(architecture);
        let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
        let kept = kept(&format!("{compiler} {OPTIONS:?}\n{text}"));
        if let Some(code) = kept.as_ref().and_then(|kept| std::fs::read(kept).ok()) {
            self.code = code;
            return true;
        }
        let folder = tempfile::tempdir().expect("there is room for files");
        let (source, library) = (folder.path().join("kernel.cpp"), folder.path().join("kernel.so"));
        std::fs::write(&source, text).expect("the file can be written");
        let output = Command::new(compiler)
            .args(OPTIONS)
            .arg("-o")
            .arg(&library)
            .arg(&source)
            .output()
            .expect("the C++ compiler starts");
        self.log = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() {
            self.code = std::fs::read(&library).expect("the compiler has written a library");
            kept.iter().for_each(|kept| keep(kept, &self.code));
        }
        output.status.success()
    }

    /// The text as the C++ compiler of this processor takes it.
    fn for_this_processor(&self, architecture: &str) -> String {
        let mut text = include_str!("shim.cpp").to_owned();
        text += &format!("#define __{architecture}__ 1\n");
        for name in matrix::builtins(architecture) {
            text += &format!("#define {name}(a, b, c, x, y, z) fake_mfma(\"{name}\", a, b, c)\n");
        }
        text += &without_vectors(&self.text);
        text + "\nstatic void fake_kernel(void** parameters) { fake_call(tensorsmith, parameters); }\n"
    }
}

/// Where the code of a text is kept, where anything is.
fn kept(text: &str) -> Option<PathBuf> {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    Some(Path::new(&std::env::var_os("FAKE_HIP_KERNELS")?).join(format!("{:016x}.so", hasher.finish())))
}

/// Other processes see it whole or not at all.
fn keep(kept: &Path, code: &[u8]) {
    let folder = kept.parent().expect("a file lies in a folder");
    std::fs::create_dir_all(folder).expect("the folder can be made");
    let mut file = tempfile::NamedTempFile::new_in(folder).expect("there is room for files");
    std::io::Write::write_all(&mut file, code).expect("the file can be written");
    file.persist(kept).expect("the file can be put in its place");
}
