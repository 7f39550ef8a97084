//! `hiprtc`: the text of a kernel becomes a library for this processor, by the C++ compiler.

use std::process::Command;

use super::matrix;

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
    /// Compiles for an architecture; whether it succeeded.
    pub fn compile(&mut self, architecture: &str) -> bool {
        let folder = tempfile::tempdir().expect("there is room for files");
        let (source, library) = (folder.path().join("kernel.cpp"), folder.path().join("kernel.so"));
        let mut text = include_str!("shim.cpp").to_owned();
        text += &format!("#define __{architecture}__ 1\n");
        for name in matrix::builtins(architecture) {
            text += &format!("#define {name}(a, b, c, x, y, z) fake_mfma(\"{name}\", a, b, c)\n");
        }
        text += &without_vectors(&self.text);
        text += "\nstatic void fake_kernel(void** parameters) { fake_call(tensorsmith, parameters); }\n";
        std::fs::write(&source, text).expect("the file can be written");
        let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
        let output = Command::new(compiler)
            .args(["-std=c++17", "-O1", "-shared", "-fPIC", "-pthread", "-o"])
            .arg(&library)
            .arg(&source)
            .output()
            .expect("the C++ compiler starts");
        self.log = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() {
            self.code = std::fs::read(&library).expect("the compiler has written a library");
        }
        output.status.success()
    }
}
