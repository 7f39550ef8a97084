//! Recordings that are killed while they grow: the file is there whole or not at all, and the same command goes on.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::program::{Folder, interruptible};
use super::recorded::{recorded, vectors};

/// Bytes of all files, some of which may go meanwhile.
fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(
            |entry| {
                if entry.path().is_dir() { size(&entry.path()) } else { entry.metadata().map_or(0, |file| file.len()) }
            },
        )
        .sum()
}

/// Starts the program and kills it when something in the folder has changed, and a moment later where it was often killed before:
/// what changes first need not be what gets it on. `false` if it ended before.
fn killed(folder: &Folder, arguments: &[&str], kill: fn(&mut Child), kills: u64) -> bool {
    let size = || size(&folder.path("."));
    let before = size();
    let mut child = interruptible(&folder.command(arguments))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        if child.try_wait().expect("a child").is_some() {
            return false;
        }
        if size() != before {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(kills / 8));
    kill(&mut child);
    !child.wait().expect("a child").success()
}

fn kill(child: &mut Child) {
    child.kill().expect("a child of this test");
}

fn interrupt(child: &mut Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("the shell's tools");
    // It may have ended meanwhile.
    assert!(sent.success() || child.try_wait().expect("a child").is_some());
}

#[test]
fn killed_recordings_go_on() {
    let subject = "hopper-mma-m16n8k16-fp16-fp32";
    let record = |out| {
        let suites = "shaped,random,corners";
        ["record", subject, "--engine", "emulator", "--suites", suites, "--vectors", "20000", "--out", out]
    };
    let whole = Folder::new();
    whole.succeed(&record("x.tsrec"));
    let whole = vectors(&std::fs::read(whole.path("x.tsrec")).expect("a recording"));
    assert_eq!(whole.len(), 60_000);
    for (name, signal) in [("SIGKILL", kill as fn(&mut Child)), ("SIGINT", interrupt)] {
        let folder = Folder::new();
        let mut kills = 0;
        while killed(&folder, &record("x.tsrec"), signal, kills) {
            kills += 1;
            assert!(kills < 100, "every run gets on");
            if folder.path("x.tsrec").exists() {
                break;
            }
            let left: Vec<_> = folder.content().into_keys().collect();
            assert_eq!(left, [folder.path("x.tsrec.part")], "{name}");
        }
        let run = folder.succeed(&record("x.tsrec"));
        assert!(run.stdout.contains("x.tsrec: "), "{}", run.stdout);
        assert!(vectors(&std::fs::read(folder.path("x.tsrec")).expect("a recording")) == whole, "{name}");
        println!("{name}: {kills} runs killed, {} vectors in the end", whole.len());
        assert!(kills > 1, "{name}");
    }
}

#[test]
fn killed_devices_go_on() {
    let arguments = ["record", "--device", "V100", "--engine", "emulator", "--vectors", "3000", "--out", "out"];
    let of = |folder: &Folder| {
        let files = folder.content().into_iter();
        let files = files.filter(|(path, _)| path.extension().is_some_and(|extension| extension == "tsrec"));
        let all = files.filter_map(|(_, bytes)| bytes).flat_map(|bytes| recorded(&bytes));
        all.map(|one| (one.header.subject, one.vectors)).collect::<Vec<_>>()
    };
    let whole = Folder::new();
    whole.succeed(&arguments);
    let whole = of(&whole);
    let folder = Folder::new();
    let (mut kills, mut most) = (0, 0);
    while killed(&folder, &arguments, kill, kills) {
        kills += 1;
        assert!(kills < 1000, "every run gets on");
        // What is finished is whole, and stays.
        let finished = of(&folder);
        assert!(finished.len() >= most && finished[..] == whole[..finished.len()], "{} finished", finished.len());
        most = finished.len();
    }
    folder.succeed(&arguments);
    assert!(of(&folder) == whole);
    println!("{kills} runs killed, {} recordings in the end", whole.len());
    assert!(kills > whole.len() as u64 / 2);
}

/// A file that an export was writing when it was killed is gone once another one has run.
#[test]
fn killed_exports_leave_nothing() {
    let folder = Folder::new();
    let record = ["record", "volta-fp16-fp32", "--engine", "wide", "--suites", "random", "--vectors", "400000"];
    folder.succeed(&[&record[..], &["--out", "whole.tsrec"]].concat());
    let export = ["export", "whole.tsrec", "--format", "csv", "--out", "rows.csv"];
    let names = || {
        let entries = std::fs::read_dir(folder.path(".")).expect("a folder").flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    let mut child = folder.command(&export).stdout(Stdio::null()).spawn().expect("the program starts");
    while names().len() == 1 {
        assert!(child.try_wait().expect("a child").is_none(), "it wrote nothing before it ended");
        std::thread::sleep(Duration::from_millis(1));
    }
    kill(&mut child);
    child.wait().expect("a child");
    assert!(names()[0].starts_with(".tensorsmith-"), "{:?}", names());
    folder.succeed(&export);
    assert_eq!(names(), ["rows.csv", "whole.tsrec"]);
}
