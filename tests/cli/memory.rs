//! Replaying takes little memory, however long the recordings are.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::program::Folder;
use super::support;

/// Memory of the process without the pages of its program, whose number depends on the build, in KiB; nothing once it has ended.
fn allocated(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// Runs the program and watches its memory.
fn watched(folder: &Folder, arguments: &[&str]) -> (String, u64) {
    let mut child = folder.command(arguments).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut greatest = 0;
    while child.try_wait().expect("a child").is_none() {
        greatest = greatest.max(allocated(child.id()).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().expect("a child");
    assert!(output.status.success(), "{arguments:?}");
    (String::from_utf8(output.stdout).expect("text"), greatest)
}

/// A file of 2 GB in the long tier, of 64 MB otherwise: less than 200 MB of memory, or 48 MB.
#[test]
fn replay_is_a_stream() {
    if !std::path::Path::new("/proc/self/status").exists() {
        return support::skip("memory", "there is no /proc to read a process's memory from");
    }
    let (size, repeats, limit) =
        if support::long_tier() { (2_u64 << 30, 100, 200 << 10) } else { (64 << 20, 8, 48 << 10) };
    let folder = Folder::new();
    let count = size / repeats / 136;
    let vectors = count.to_string();
    // 64 products of random bytes: 136 bytes a vector, which no compression makes shorter.
    let subject = "intel-tdpbssd";
    folder.succeed(&[
        "record",
        subject,
        "--engine",
        "emulator",
        "--suites",
        "random",
        "--vectors",
        &vectors,
        "--out",
        "one.tsrec",
    ]);
    let one = std::fs::read(folder.path("one.tsrec")).expect("a recording");
    let mut all = std::fs::File::create(folder.path("all.tsrec")).expect("a file");
    for _ in 0..repeats {
        all.write_all(&one).expect("room for the file");
    }
    let length = all.metadata().expect("a file").len();
    assert!(length >= size - size / 50, "{length} bytes");
    let (stdout, greatest) = watched(&folder, &["replay", "all.tsrec", "--engines", "emulator"]);
    let ran = tensorsmith::report::thousands(count * repeats);
    assert!(stdout.contains(&format!("emulator: ran {ran} recorded rows, 0 mismatches")), "{stdout}");
    println!("{length} bytes in {repeats} recordings: at most {greatest} KiB of memory");
    // One chunk alone is more than a megabyte: less was not measured.
    assert!((1 << 10..limit).contains(&greatest), "{greatest} KiB of memory");
}

/// Where no thread can be started, a command ends with the reason. Root has no such limit, and becomes somebody else.
#[test]
fn missing_threads_are_reported() {
    let folder = Folder::new();
    let program = folder.path("tensorsmith");
    std::fs::copy(env!("CARGO_BIN_EXE_tensorsmith"), &program).expect("a copy that everybody may start");
    let mut command = Command::new("setpriv");
    command.args(["--reuid=12345", "--clear-groups", "prlimit", "--nproc=1"]).arg(&program);
    command.args(["infer", "tiny-nearest", "--engine", "emulator"]);
    command.env("TENSORSMITH_CACHE", std::env::temp_dir().join("tensorsmith-cache-of-nobody"));
    let Ok(output) = command.output() else { return support::skip("threads", "setpriv is not on PATH") };
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("setpriv: ") || said.contains("prlimit: ") {
        return support::skip("threads", said.lines().next().unwrap_or_default());
    }
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("no more threads can be started"), "{said}");
}

/// Where memory does not suffice, a command ends with the reason, and is not killed.
#[cfg(target_os = "linux")]
#[test]
fn missing_memory_is_reported() {
    let folder = Folder::new();
    // Matrices that are read take several times the room of their files.
    let npy = |name: &str, shape: &str, elements: usize| {
        let header = format!("{{'descr': '<f2', 'fortran_order': False, 'shape': {shape}, }}");
        let bytes = [b"\x93NUMPY\x01\x00", &118_u16.to_le_bytes()[..], format!("{header:<117}\n").as_bytes()].concat();
        folder.write(name, [bytes, vec![0; 2 * elements]].concat());
    };
    npy("a.npy", "(2097152, 16)", 1 << 25);
    npy("b.npy", "(16, 1)", 16);
    let gemm = ["gemm", "hopper-mma-m16n8k16-fp16-fp32", "--a", "a.npy", "--b", "b.npy", "--out", "d.npy"];
    let gemm = folder.command(&gemm);
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -v 250000; exec \"$@\"", "sh"]).arg(gemm.get_program()).args(gemm.get_args());
    let output = limited.current_dir(folder.path("")).output().expect("the shell starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{}: {text}", output.status);
    assert!(text.contains("memory") && !folder.path("d.npy").exists(), "{text}");
    folder.succeed(&["gemm", "hopper-mma-m16n8k16-fp16-fp32", "--a", "a.npy", "--b", "b.npy", "--out", "d.npy"]);
}
