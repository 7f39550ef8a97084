//! `tensorsmith cache`: what it lists, what it removes, and folders that it leaves alone.
#![cfg(feature = "rtl")]

use std::fs::{self, File};
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tensorsmith::engine::cache::cache_folder;

use super::program::{Folder, assert_fields};
use super::support;

pub const UNIT: &str = r#"name = "cached-unit"
scheme = "fused"
products = 2
formats = { a = "e4m3", b = "e5m2", c = "binary16", d = "binary16" }
alignment = { fraction_bits = 9, rounding = "toward-zero", exponent_floor = "none" }
conversion = { rounding = "nearest-even", overflow = "infinity" }
"#;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const SIGNATURE: &str = "Signature: 8a477f597d28d172789f06886806bc55\n";

/// A folder with a unit file and a cache of its own.
fn folder() -> Folder {
    let mut folder = Folder::new();
    folder.set("TENSORSMITH_CACHE", "cache");
    folder.write("mine.toml", UNIT);
    folder
}

/// Copies files of a cache, of those whose names begin so, to the folder's own.
fn take_over(folder: &Folder, from: &Path, start: &str) {
    for entry in fs::read_dir(from).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(start) && entry.path().is_file() {
            let (name, content) = (format!("cache/{name}"), fs::read(entry.path()).expect("a file of the cache"));
            folder.write(&name, content);
            // Whatever the mask of who runs the test.
            for (name, mode) in [("cache", 0o755), (name.as_str(), 0o644)] {
                let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
                fs::set_permissions(folder.path(name), mode).expect("it is the test's own");
            }
        }
    }
}

/// The unit, built once. Compiling Verilator's run-time library takes long; it is taken over from the cache that all tests share.
fn built() -> &'static Folder {
    static BUILT: OnceLock<Folder> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = folder();
        take_over(&folder, &cache_folder().expect("a folder"), "runtime-");
        evaluate(&folder);
        // Sorted by last use: the first is the one of this version.
        let runtimes = entries(&folder, "object").into_iter().filter(|entry| entry["module"] == "runtime").skip(1);
        for name in runtimes.filter_map(|entry| entry["name"].as_str().map(str::to_owned)) {
            fs::remove_file(folder.path(&format!("cache/{name}"))).expect("it is the test's own");
        }
        folder
    })
}

/// A folder whose cache has nothing but Verilator's run-time library.
pub fn with_runtime() -> Folder {
    let folder = folder();
    take_over(&folder, &built().path("cache"), "runtime-");
    folder
}

/// A folder in whose cache the unit is built.
pub fn with_unit() -> Folder {
    let folder = folder();
    take_over(&folder, &built().path("cache"), "");
    folder
}

/// One vector on the RTL: 1.5 * 2 + 0.5 * 4 + 1.
pub const EVALUATE: [&str; 10] = ["eval", "mine.toml", "--engines", "rtl", "--a", "1.5,0.5", "--b", "2,4", "--c", "1"];

pub fn evaluate(folder: &Folder) {
    let run = folder.succeed(&EVALUATE);
    assert!(run.stdout.contains("| d (rtl) | 0x4600 "), "{run:?}");
}

/// Entries of that kind as `cache --json` shows them.
pub fn entries(folder: &Folder, kind: &str) -> Vec<Value> {
    let run = folder.succeed(&["cache", "--json", "-"]);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON and nothing else");
    assert_fields(&report, &["folder", "bytes", "entries"]);
    let entries = report["entries"].as_array().expect("a list").clone();
    let bytes: u64 = entries.iter().filter_map(|entry| entry["bytes"].as_u64()).sum();
    assert_eq!(report["bytes"], bytes);
    entries.into_iter().filter(|entry| entry["kind"] == kind).collect()
}

pub fn library(folder: &Folder) -> String {
    let libraries = entries(folder, "library");
    assert_eq!(libraries.len(), 1, "{libraries:?}");
    libraries[0]["name"].as_str().expect("a name").to_owned()
}

pub fn age(path: &Path, by: Duration) {
    let time = SystemTime::now() - by;
    File::open(path).and_then(|file| file.set_modified(time)).expect("the time of the test's file can be set");
}

#[test]
fn lists_what_was_built() {
    let folder = with_unit();
    evaluate(&folder);
    let name = library(&folder);
    let libraries = entries(&folder, "library");
    assert_fields(&libraries[0], &["kind", "module", "name", "bytes", "idle_seconds"]);
    assert_eq!(libraries[0]["module"], "cached_unit");
    let size = fs::metadata(folder.path(&format!("cache/{name}"))).expect("the library lies where the list says").len();
    assert_eq!(libraries[0]["bytes"], size);
    assert!(entries(&folder, "object").iter().any(|entry| entry["module"] == "cached_unit"));
    assert!(entries(&folder, "object").iter().any(|entry| entry["module"] == "runtime"));
    assert!(folder.read("cache/CACHEDIR.TAG").starts_with(SIGNATURE));

    let before = folder.content();
    let run = folder.succeed(&["cache", "list"]);
    assert!(run.stdout.contains("| cached_unit | library |") && run.stdout.contains(&name), "{run:?}");
    let summary = folder.succeed(&["cache"]);
    assert!(summary.stdout.contains("| libraries |     1 |") && !summary.stdout.contains(&name), "{summary:?}");
    for run in [run, summary] {
        assert!(run.stdout.contains("bytes; libraries: 1, programs: 0, objects: "), "{run:?}");
    }
    folder.succeed(&["cache", "list", "--json", "list.json"]);
    assert_eq!(folder.json("list.json")["entries"][0]["name"], name);
    assert_eq!(folder.content().len(), before.len() + 1, "listing changes nothing but the report");
}

#[test]
fn folder_that_does_not_exist_is_an_empty_cache() {
    let folder = folder();
    for arguments in [&["cache"][..], &["cache", "clear"]] {
        let run = folder.succeed(arguments);
        assert!(run.stdout.contains(": 0 bytes; libraries: 0, programs: 0, objects: 0, "), "{run:?}");
    }
    assert!(!folder.path("cache").exists(), "looking makes no folder");
}

#[test]
fn clear_removes_what_is_old_enough() {
    let folder = with_unit();
    evaluate(&folder);
    let library = library(&folder);
    let path = folder.path(&format!("cache/{library}"));

    let run = folder.succeed(&["cache", "clear", "--older-than", "1"]);
    assert!(
        run.stdout.contains("removed: 0 bytes; libraries: 0, programs: 0, objects: 0, leftovers of killed builds: 0"),
        "{run:?}"
    );
    age(&path, 2 * DAY);
    evaluate(&folder);
    assert!(entries(&folder, "library")[0]["idle_seconds"].as_u64() < Some(DAY.as_secs()), "a use counts");
    age(&path, 2 * DAY);
    let run = folder.succeed(&["cache", "clear", "--older-than", "1"]);
    assert!(
        run.stdout.contains("bytes; libraries: 1, programs: 0, objects: 0") && run.stdout.contains(&library),
        "{run:?}"
    );
    assert!(run.stdout.contains("| 2 days ago |") && !path.exists(), "{run:?}");
    evaluate(&folder);
    assert!(path.exists(), "what was cleared is built again");

    folder.succeed(&["cache", "clear", "--json", "removed.json"]);
    let removed = folder.json("removed.json");
    assert_eq!(removed["entries"][0]["name"], library);
    assert!(removed["entries"].as_array().is_some_and(|entries| entries.len() >= 3), "objects too: {removed}");
    let left = fs::read_dir(folder.path("cache")).expect("the cache").count();
    assert_eq!(left, 1, "only the mark is left");
}

#[test]
fn clear_leaves_what_is_not_the_caches() {
    let folder = with_unit();
    evaluate(&folder);
    let key = "0123456789abcdef".repeat(2);
    let foreign = [
        "notes.txt".to_owned(),
        format!("unit-{key}.tar"),
        format!("unit-{key}0.so"),
        format!("Unit é-{key}.so"),
        format!("folder-{key}.so/kept"),
        "work-1-2/kept".to_owned(),
        "work-1-2-3x/kept".to_owned(),
    ];
    foreign.iter().for_each(|name| folder.write(&format!("cache/{name}"), "kept"));
    folder.write("outside.so", "kept");
    let link = format!("cache/link-{key}.so");
    std::os::unix::fs::symlink(folder.path("outside.so"), folder.path(&link)).expect("a link");
    // One is held by this test, one by nobody any more.
    ["work-13-0-1", "work-14-0-1"].iter().for_each(|name| folder.write(&format!("cache/{name}/lock"), ""));
    let held = File::open(folder.path("cache/work-14-0-1/lock")).expect("it is there");
    held.lock().expect("nobody else has it");
    for (name, hours) in [("work-11-0-1", 2), ("work-12-0-1", 0)] {
        folder.write(&format!("cache/{name}/generated/unit.cpp"), "text");
        for below in ["/generated/unit.cpp", "/generated", ""] {
            age(&folder.path(&format!("cache/{name}{below}")), Duration::from_secs(hours * 3600));
        }
    }
    for (kind, expected) in [("leftover", ["work-11-0-1", "work-13-0-1"]), ("build", ["work-12-0-1", "work-14-0-1"])] {
        let mut names: Vec<_> = entries(&folder, kind).iter().map(|entry| entry["name"].to_string()).collect();
        names.sort_unstable();
        assert_eq!(names, expected.map(|name| format!("{name:?}")), "{kind}");
    }

    let run = folder.succeed(&["cache", "clear", "--older-than", "1000"]);
    assert!(
        run.stdout.contains("removed: 4 bytes; libraries: 0, programs: 0, objects: 0, leftovers of killed builds: 2"),
        "{run:?}"
    );
    let run = folder.succeed(&["cache", "clear"]);
    assert!(run.stdout.contains("bytes; libraries: 1, "), "{run:?}");
    foreign.iter().for_each(|name| assert_eq!(folder.read(&format!("cache/{name}")), "kept"));
    assert_eq!(folder.read(&link), "kept");
    assert_eq!(folder.read("cache/work-12-0-1/generated/unit.cpp"), "text", "a build may be under way there");
    assert!(!folder.path("cache/work-11-0-1").exists() && !folder.path("cache/work-13-0-1").exists());
    assert!(folder.path("cache/work-14-0-1").exists(), "a build is under way there");
}

/// Nothing is removed from a folder that the cache has not marked, even if the names fit.
#[test]
fn clear_refuses_foreign_folders() {
    let parts = ["cache is not marked as a cache of tensorsmith", "CACHEDIR.TAG", "nothing was removed"];
    let cargo = format!("{SIGNATURE}# This file is a cache directory tag created by cargo.\n");
    for tag in ["mine", SIGNATURE, &cargo] {
        let folder = folder();
        folder.write(&format!("cache/unit-{}.so", "0123456789abcdef".repeat(2)), "a library, or not");
        folder.write("cache/CACHEDIR.TAG", tag);
        folder.refuse(&["cache", "clear"], &parts);
        folder.refuse(&["cache", "clear", "--json", "out.json"], &parts);
    }
    let folder = with_runtime();
    folder.write("cache/notes.txt", "of the user's");
    folder.refuse(&["cache", "clear"], &parts);
    evaluate(&folder);
    folder.refuse(&["cache", "clear"], &parts);
    let folder = self::folder();
    folder.write("cache", "a file");
    folder.refuse(&["cache"], &["cannot list", "cache: "]);
    folder.refuse(&["cache", "clear"], &["cannot list", "cache: "]);
    println!("ran 10 commands on folders that are no cache of the program");
}

/// A program that is not run where it was built keeps what it makes among its user's caches.
#[cfg(unix)]
#[test]
fn programs_elsewhere_have_the_cache_of_their_user() {
    let folder = Folder::new();
    support::copy_program(Path::new(env!("CARGO_BIN_EXE_tensorsmith")), &folder.path("tensorsmith"));
    let first_line = |program: &Path, variables: &[(&str, &str)]| {
        let mut command = std::process::Command::new(program);
        command.arg("cache").env_remove("TENSORSMITH_CACHE").env_remove("XDG_CACHE_HOME");
        let output = command.env("HOME", folder.path("home")).envs(variables.iter().copied()).output();
        let output = output.expect("the program starts");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned()
    };
    let elsewhere = folder.path("tensorsmith");
    let of_home = folder.path("home/.cache/tensorsmith").display().to_string();
    assert_eq!(first_line(&elsewhere, &[]), of_home);
    assert_eq!(first_line(&elsewhere, &[("XDG_CACHE_HOME", "relative")]), of_home, "a relative one is none");
    assert_eq!(first_line(&elsewhere, &[("XDG_CACHE_HOME", "/caches")]), "/caches/tensorsmith");
    assert_eq!(first_line(&elsewhere, &[("TENSORSMITH_CACHE", "own")]), "own");
    let built = first_line(Path::new(env!("CARGO_BIN_EXE_tensorsmith")), &[]);
    assert!(built.ends_with("tensorsmith-cache"), "{built}");
    assert!(!folder.path("home").exists(), "looking makes no folder");
}
