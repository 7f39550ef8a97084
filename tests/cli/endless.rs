//! Files without an end, and names that are too long: refused at once, and by name.
#![cfg(target_os = "linux")]

use std::process::Command;
use std::time::{Duration, Instant};

use super::program::Folder;

/// No command takes longer to refuse what it is given.
const SOON: Duration = Duration::from_secs(20);

/// The program, ended if it waits.
fn refuse_soon(folder: &Folder, arguments: &[&str], parts: &[&str]) {
    let command = folder.command(arguments);
    let mut limited = Command::new("timeout");
    limited.arg(SOON.as_secs().to_string()).arg(command.get_program()).args(command.get_args());
    let output = limited.current_dir(folder.path(".")).output().expect("timeout is there");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(said.len() < 4_000, "{arguments:?}: {} bytes", said.len());
    for part in parts {
        assert!(said.contains(part), "{arguments:?}: {part:?} is missing in: {said}");
    }
}

/// Commands that read a file, with `FILE` in its place.
const READERS: [&[&str]; 16] = [
    &["show", "FILE"],
    &["cosim", "--unit", "FILE", "--vectors", "9"],
    &["cosim", "--case", "FILE"],
    &["cosim", "--design", "FILE"],
    &["campaign", "FILE", "--out", "out"],
    &["merge", "FILE", "out"],
    &["study", "FILE"],
    &["replay", "FILE"],
    &["export", "FILE", "--format", "jsonl", "--out", "out"],
    &["import", "FILE", "--format", "jsonl", "--out", "out"],
    &["import", "FILE", "--format", "csv", "--out", "out"],
    &["infer", "tiny-nearest", "--recording", "FILE"],
    &["report", "--out", "out", "--speed", "FILE"],
    &["compare", "FILE", "tiny-nearest", "--no-synthesis"],
    &["compare", "tiny-nearest", "--asic", "FILE"],
    &["gemm", "tiny-nearest", "--a", "FILE", "--b", "FILE"],
];

#[test]
fn endless_files_are_refused() {
    let folder = Folder::new();
    for name in ["pipe.toml", "pipe.npy"] {
        let made = Command::new("mkfifo").arg(folder.path(name)).status().expect("mkfifo is there");
        assert!(made.success());
    }
    for (name, device) in [("zero.toml", "/dev/zero"), ("zero.npy", "/dev/zero")] {
        std::os::unix::fs::symlink(device, folder.path(name)).expect("a link");
    }
    for reader in READERS {
        let ending = if reader[0] == "gemm" { "npy" } else { "toml" };
        for kind in ["pipe", "zero"] {
            let file = format!("{kind}.{ending}");
            let arguments: Vec<&str> = reader.iter().map(|word| if *word == "FILE" { &file } else { *word }).collect();
            refuse_soon(&folder, &arguments, &[&file, "a plain file"]);
        }
    }
}

/// A text of some size is no description.
#[test]
fn large_texts_are_refused() {
    let folder = Folder::new();
    let large = std::fs::File::create(folder.path("large.toml")).expect("there is room");
    large.set_len((16 << 20) + 1).expect("a hole takes no room");
    for arguments in
        [&["show", "large.toml"][..], &["cosim", "--design", "large.toml"], &["cosim", "--case", "large.toml"]]
    {
        refuse_soon(&folder, arguments, &["large.toml", "more than 16 MiB"]);
    }
    // A text of that size that can be is refused for what is in it.
    large.set_len(16 << 20).expect("a hole takes no room");
    refuse_soon(&folder, &["show", "large.toml"], &["large.toml: "]);
}

/// A long name is compared with nothing, and only its beginning is shown.
#[test]
fn long_names_are_refused() {
    let (folder, name) = (Folder::new(), "a".repeat(120_000));
    let shown = "\"aaaaaaaaaaaaaaaaaaaa...\", of 120000 bytes, longer than any name";
    let start = Instant::now();
    for arguments in [
        &["show", &name][..],
        &["cosim", &name],
        &["distinguish", &name, "tiny-nearest"],
        &["devices", &name],
        &["emit", &name, "--out", "out"],
    ] {
        refuse_soon(&folder, arguments, &[shown]);
    }
    refuse_soon(&folder, &["cosim", "tiny-nearest", "--engines", &name], &["longer than any name"]);
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    // A name that may be one is still compared.
    folder.refuse(&["show", &"a".repeat(200)], &["nearest: "]);
}

/// What is no UTF-8 is named.
#[test]
fn arguments_beside_utf8_are_named() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Folder::new();
    let mut command = folder.command(&["show"]);
    let output = command.arg(std::ffi::OsStr::from_bytes(b"a\xffb")).output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("argument \"a\\xFFb\": no text in UTF-8"), "{said}");
}

/// A design's unit in a folder whose name is not UTF-8: the path is refused, not searched for by another name.
#[test]
fn folders_of_designs_beside_utf8_are_named() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Folder::new();
    let designs = folder.path(".").join(std::ffi::OsStr::from_bytes(b"a\xffb"));
    std::fs::create_dir(&designs).expect("a folder");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/designs");
    std::fs::copy(root.join("unit.toml"), designs.join("unit.toml")).expect("a unit");
    let text = std::fs::read_to_string(root.join("verilog/design.toml")).expect("a design");
    std::fs::write(designs.join("design.toml"), text.replace("../unit.toml", "unit.toml")).expect("a design");
    let output = folder.command(&["cosim", "--design"]).arg(designs.join("design.toml")).output().expect("starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("field `equals` is the path ") && said.contains("allowed: paths in UTF-8"), "{said}");
}

/// Standard output that is closed takes nothing.
#[test]
fn closed_standard_output() {
    let folder = Folder::new();
    for arguments in ["units", "show tiny-nearest --json -", "--help", "cosim --help", "--version"] {
        let command = folder.command(&[]);
        let program = command.get_program().to_string_lossy().into_owned();
        let output =
            Command::new("sh").args(["-c", &format!("'{program}' {arguments} >&-")]).output().expect("a shell");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        assert_eq!(said, "error: standard output: cannot be written: it is closed\n");
    }
    // What goes to a device that takes everything is written.
    let command = folder.command(&[]);
    let status =
        Command::new("sh").args(["-c", "exec \"$0\" units <>/dev/null >&0"]).arg(command.get_program()).status();
    assert!(status.expect("a shell").success());
}
