//! The program where nothing else is: no drivers, no /dev, no /proc.

use std::path::Path;
use std::process::Command;

use super::support;

/// Copies a file to the same place below another root.
fn copy(file: &Path, root: &Path) {
    let target = root.join(file.strip_prefix("/").expect("a path from the root"));
    std::fs::create_dir_all(target.parent().expect("a file lies in a folder")).expect("there is room");
    support::copy_program(file, &target);
}

#[test]
fn works_in_an_empty_container() {
    let program = Path::new(env!("CARGO_BIN_EXE_tensorsmith"));
    let root = tempfile::tempdir().expect("there is room for files");
    let libraries = Command::new("ldd").arg(program).output().expect("ldd is part of the C library");
    let libraries = String::from_utf8_lossy(&libraries.stdout).into_owned();
    let paths = libraries.split_whitespace().filter(|word| word.starts_with('/')).map(Path::new);
    [program].into_iter().chain(paths).for_each(|file| copy(file, root.path()));
    let inside = |arguments: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "chroot"]).arg(root.path()).args(arguments).env_clear();
        command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").output()
    };
    let program = program.to_str().expect("a plain path");
    match inside(&[program, "--version"]) {
        Ok(output) if output.status.success() => {}
        _ => return support::skip("empty-container", "this user may not make one"),
    }
    let engines = "emulator,reference,rtl,icarus,netlist,processor,cuda:0,hip:0";
    let named = [program, "cosim", "hopper-fp16-fp32", "--engines", engines, "--vectors", "1000"];
    let output = inside(&named).expect("the program starts");
    assert_eq!(output.status.code(), Some(2), "an engine that was named must run");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("engine icarus was named and is missing: iverilog is not on PATH"), "{text}");
    let output = inside(&[&named[..], &["--allow-missing"]].concat()).expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
    for line in [
        "1,000 vectors compared, 0 mismatches",
        "netlist    skipped, because yosys is not on PATH",
        "cuda:0     skipped, because this machine has no NVIDIA driver (libcuda.so.1)",
        "hip:0      skipped, because this machine has no AMD driver (libamdhip64.so.7)",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let output = inside(&[program, "demo", "--vectors", "100"]).expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
    for part in [
        "recordings of real hardware: skipped, because",
        "1,800 vectors compared, 0 mismatches",
        "is fused: 4 products",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
