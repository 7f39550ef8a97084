//! The program with a Yosys that is missing, crashes, writes garbage, or writes another unit; and the cache of netlists.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tensorsmith::emit::SourceFile;
use tensorsmith::emit::yosys;

use super::needs_yosys;

/// What the program says in a folder of its own, and its exit code. `path` stands before the programs of the system; without one
/// there are none.
fn run(folder: &TempDir, path: Option<&Path>, arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensorsmith"));
    let system = std::env::var("PATH").unwrap_or_default();
    let paths = path.map_or_else(String::new, |path| format!("{}:{system}", path.display()));
    command.current_dir(folder.path()).args(arguments).env("PATH", paths);
    command.env("TENSORSMITH_CACHE", folder.path().join("cache"));
    let output = command.output().expect("the program starts");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code().expect("the program ends by itself"), text)
}

const COSIM: [&str; 6] = ["cosim", "tiny-truncating", "--vectors", "1000", "--engines", "emulator,netlist"];

/// A folder with a program `yosys` that runs this shell text.
#[cfg(unix)]
fn stand_in(folder: &TempDir, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let programs = folder.path().join("programs");
    std::fs::create_dir_all(&programs).expect("there is room");
    let program = programs.join("yosys");
    std::fs::write(&program, format!("#!/bin/sh\n{text}\n")).expect("there is room");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    programs
}

#[test]
fn without_yosys_the_engine_is_skipped() {
    let folder = TempDir::new().expect("there is room");
    let cosim = ["cosim", "tiny-truncating", "--vectors", "1000", "--engines", "emulator,reference,netlist"];
    let (code, text) = run(&folder, None, &cosim);
    assert!(code == 2 && text.contains("engine netlist was named and is missing: yosys is not on PATH"), "{text}");
    let (code, text) = run(&folder, None, &[&cosim[..], &["--allow-missing"]].concat());
    assert!(text.contains("skipped, because yosys is not on PATH"), "{text}");
    assert_eq!(code, 0, "{text}");
}

#[cfg(unix)]
#[test]
fn bad_yosys_is_named() {
    let version = r#"if [ "$1" = -V ]; then echo "Yosys 9"; exit 0; fi"#;
    for (text, expected) in [
        ("exit 3", "yosys -V fails"),
        (&format!("{version}\necho this is too much >&2; exit 1"), "yosys failed:\nthis is too much"),
        (&format!("{version}\nkill -SEGV $$"), "yosys failed:\nsignal: 11"),
        (&format!("{version}\nexit 0"), "yosys: it wrote no netlist.json"),
        (&format!("{version}\necho garbage > netlist.json"), "as yosys writes it: this is not its JSON"),
        (
            &format!(
                r#"{version}
echo '{{"modules": {{}}}}' > netlist.json"#
            ),
            "module tiny_truncating, as yosys writes it: there is no module tiny_truncating",
        ),
    ] {
        let folder = TempDir::new().expect("there is room");
        let programs = stand_in(&folder, text);
        for _ in 0..2 {
            let (code, said) = run(&folder, Some(&programs), &COSIM);
            assert!(said.contains("engine netlist: ") && said.contains(expected), "{text}: {said}");
            assert_eq!(code, 2, "{said}");
        }
    }
}

/// A netlist is made once; another text makes another; what was damaged is made again; commands list and clear them.
#[cfg(unix)]
#[test]
fn netlists_are_cached_by_content() {
    let Some(()) = needs_yosys("netlist-cache") else { return };
    let folder = TempDir::new().expect("there is room");
    let log = folder.path().join("log");
    let programs = stand_in(
        &folder,
        &format!("PATH=${{PATH#*:}}\n[ \"$1\" = -V ] || echo run >> {}\nexec yosys \"$@\"", log.display()),
    );
    let runs = || std::fs::read_to_string(&log).unwrap_or_default().lines().count();
    let cosim = || {
        let (code, text) = run(&folder, Some(&programs), &COSIM);
        assert!(code == 0 && text.contains("0 mismatches") && text.contains("netlist    ran 1,000"), "{text}");
        let start = text.find("netlist sha256 ").expect("the engine tells its netlist");
        text[start..][..80].to_owned()
    };
    let first = cosim();
    assert_eq!((runs(), cosim() == first), (1, true));
    assert_eq!(runs(), 1, "it comes from the cache");
    let (code, listed) = run(&folder, Some(&programs), &["cache", "list"]);
    assert!(code == 0 && listed.contains("netlists: 1") && listed.contains("tiny_truncating"), "{listed}");
    let kept = netlists(&folder);
    assert_eq!(kept.len(), 1, "{kept:?}");
    let mut bytes = std::fs::read(&kept[0]).expect("it is there");
    bytes[10] ^= 1;
    std::fs::write(&kept[0], bytes).expect("it is ours");
    assert_eq!((cosim() == first, runs()), (true, 2), "a damaged one is made again");
    let (code, cleared) = run(&folder, Some(&programs), &["cache", "clear"]);
    assert!(code == 0 && cleared.contains("removed") && netlists(&folder).is_empty(), "{cleared}");
    assert_eq!((cosim() == first, runs()), (true, 3));
}

#[cfg(unix)]
fn netlists(folder: &TempDir) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.path().join("cache")).expect("there is a cache");
    let files = entries.flatten().map(|entry| entry.path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "netlist")).collect()
}

/// No unit can keep the program waiting for ever, and nothing goes on behind its back.
#[test]
fn slow_yosys_is_ended() {
    let Some(()) = needs_yosys("netlist-slow") else { return };
    let files = [SourceFile { name: "slow.sv".to_owned(), text: "module slow; endmodule\n".to_owned() }];
    let limit = Duration::from_millis(200);
    // No other process sleeps as long as this test's.
    let seconds = (1_000_000 + std::process::id()).to_string();
    let start = Instant::now();
    let error = yosys::run(&files, &format!("exec -- sleep {seconds}\n"), limit).err().expect("it sleeps for days");
    assert_eq!(error.to_string(), "yosys takes longer than 0 seconds");
    let sleeps = || {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let mut lines = processes.filter_map(|process| std::fs::read_to_string(process.path().join("cmdline")).ok());
        lines.any(|line| line.contains("sleep") && line.contains(&seconds))
    };
    while sleeps() {
        assert!(start.elapsed() < Duration::from_secs(60), "the sleep goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A unit that no catalogue has.
#[test]
fn netlist_of_a_unit_file() {
    let Some(()) = needs_yosys("netlist-file") else { return };
    let folder = TempDir::new().expect("there is room");
    let system = std::env::var("PATH").unwrap_or_default();
    let first = PathBuf::from(system.split(':').next().unwrap_or_default());
    let text = include_str!("../../src/numerics/describe/catalogue/units/tiny-nearest.toml");
    let text = text.replace("\"tiny-nearest\"", "\"mine\"");
    std::fs::write(folder.path().join("mine.toml"), text).expect("there is room");
    let cosim = ["cosim", "mine.toml", "--vectors", "5000", "--engines", "reference,netlist"];
    let (code, text) = run(&folder, Some(&first), &cosim);
    assert!(code == 0 && text.contains("netlist    ran 5,000") && text.contains("0 mismatches"), "{text}");
}
