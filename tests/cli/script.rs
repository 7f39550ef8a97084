//! The script `x`, with a compiler and a Rust that only print: what a newcomer sees, and tools that start wherever they are.
#![cfg(target_os = "linux")]

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use super::external::has_python;
use super::program::Folder;

/// A checkout that has the script and stand-ins for the programs that it starts.
fn checkout() -> Folder {
    let folder = Folder::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["x", "Cargo.toml"] {
        folder.write(&format!("checkout/{name}"), std::fs::read(root.join(name)).expect("a file of the project"));
    }
    folder.script(
        "bin/cargo",
        "case $1 in build) echo '   Compiling noise' >&2; exit $BUILD ;; *) echo \"ran $*\" ;; esac",
    );
    folder.script("bin/rustc", "echo rustc 1.999.0");
    ["cc", "c++"].iter().for_each(|name| folder.script(&format!("bin/{name}"), "exit 1"));
    folder
}

/// Runs `./x demo` there; a build ends with this exit code.
fn demo(folder: &Folder, build: &str) -> Output {
    let path = format!("{}:{}", folder.path("bin").display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("bash");
    command.args(["x", "demo"]).current_dir(folder.path("checkout")).env("PATH", path).env("BUILD", build);
    command.env("VERILATOR", "/named").env_remove("CARGO_TARGET_DIR").env_remove("TENSORSMITH_RECORDINGS");
    command.output().expect("there is bash")
}

#[test]
fn demo_prints_a_line_a_step() {
    let folder = checkout();
    let output = demo(&folder, "0");
    let screen = String::from_utf8_lossy(&output.stderr).into_owned();
    let checkout = std::fs::canonicalize(folder.path("checkout")).expect("a folder").display().to_string();
    assert!(output.status.success(), "{screen}");
    let lines: Vec<&str> = screen.lines().collect();
    assert!(lines[0].contains("5 to 10 minutes"), "{screen}");
    for (line, step) in lines[1..].iter().zip(["1 of 3: ", "2 of 3: ", "3 of 3: "]) {
        assert!(line.starts_with(step), "{screen}");
    }
    let path = format!("  export PATH={checkout}/target/release:{checkout}/.tools/bin:$PATH");
    assert_eq!(lines[5], path, "{screen}");
    assert!(!screen.contains("Compiling"), "{screen}");
    assert_eq!(folder.read("checkout/target/demo.log"), "   Compiling noise\n");
    assert!(String::from_utf8_lossy(&output.stdout).contains("ran run --quiet --release --locked -- demo\n"));
}

#[test]
fn demo_names_the_log_of_a_build_that_fails() {
    let output = demo(&checkout(), "101");
    let screen = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{screen}");
    let end = "   Compiling noise\nerror: the build failed; the whole output is in target/demo.log\n";
    assert!(screen.ends_with(end), "{screen}");
}

/// Scripts of an environment that had another name when pip wrote them, in a checkout that is moved after that.
#[test]
fn tools_start_where_they_are() {
    if !has_python() {
        return;
    }
    let folder = checkout();
    let body = "import sys\nprint(sys.argv[1:])\n";
    let gone = "/gone/.tools/unfinished-1/bin/python3";
    let long = format!("#!/bin/sh\n'''exec' \"{gone}\" \"$0\" \"$@\"\n' '''\n{body}");
    for (name, text) in [("short", format!("#!{gone}\n{body}")), ("long", long)] {
        folder.script(&format!("checkout/.tools/venv/bin/{name}"), "");
        let place = folder.path(&format!("checkout/.tools/venv/bin/{name}"));
        std::fs::write(place, text).expect("there is room");
    }
    let python = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().expect("it runs");
    let python = String::from_utf8_lossy(&python.stdout).trim().to_owned();
    symlink(python, folder.path("checkout/.tools/venv/bin/python")).expect("a link");
    let verilator = "checkout/.tools/venv/lib/python3/site-packages/verilator/bin/verilator";
    folder.script(verilator, "echo \"$CXXFLAGS\" \"$@\"");
    // The second time nothing is left to do.
    for _ in 0..2 {
        assert!(demo(&folder, "0").status.success());
    }
    std::fs::rename(folder.path("checkout"), folder.path("moved here")).expect("a new name");
    for (name, expected) in
        [("short", "['a', 'b c']\n"), ("long", "['a', 'b c']\n"), ("verilator", "-std=c++20  a b c\n")]
    {
        let mut command = Command::new(folder.path(&format!("moved here/.tools/bin/{name}")));
        let output = command.args(["a", "b c"]).env_remove("CXXFLAGS").output().expect(name);
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{name}: {output:?}");
    }
    assert!(!folder.path("moved here/.tools/bin/python").exists(), "PATH keeps its Python");
}
