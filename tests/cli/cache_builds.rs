//! The cache while things go wrong: two processes that build one unit, builds that are killed, files that are damaged, and
//! a cache that is cleared under a build.
#![cfg(feature = "rtl")]

use std::fs;
use std::process::{Child, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tensorsmith::engine::rtl::tools;

use super::cache::{EVALUATE, entries, evaluate, library, with_unit};
use super::program::{Folder, Run};
use super::support;
use super::support::seal::{SEAL, unsealed};

/// Verilator's run-time library as an object. Compiling it takes long, and what is tested here does not depend on it.
fn runtime() -> &'static [u8] {
    static RUNTIME: OnceLock<Vec<u8>> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        let folder = with_unit();
        let mut found = entries(&folder, "object");
        found.retain(|entry| entry["module"] == "runtime");
        let name = found[0]["name"].as_str().expect("a name");
        let object = fs::read(folder.path(&format!("cache/{name}"))).expect("the run-time library");
        unsealed(&object).to_vec()
    })
}

/// A folder with an empty cache and tools that write every call to `log`, then run `hook`, then do their work. The hook
/// finds the call in `$*` and the folder in `$here`.
fn workshop(hook: &str) -> Folder {
    let mut folder = Folder::new();
    folder.write("mine.toml", super::cache::UNIT);
    folder.write("runtime.o", runtime());
    let tools = tools().expect("tools that work");
    let here = folder.path("").display().to_string();
    let start = format!("here='{here}'\n[ \"$*\" = --version ] || echo \"$*\" >> \"$here/log\"\n{hook}");
    let compiler = tools.compiler().join(" ");
    folder.script(
        "compiler",
        &format!(
            "{start}\ncase \"$*\" in *'-c runtime.cpp'*) exec cp \"$here/runtime.o\" . ;; esac\nexec {compiler} \"$@\""
        ),
    );
    fs::create_dir_all(folder.path("installed")).expect("a folder");
    let include = tools.verilator_root().join("include");
    std::os::unix::fs::symlink(include, folder.path("installed/include")).expect("a link");
    let verilator = tools.verilator().display().to_string();
    folder.script("installed/bin/verilator_bin", &format!("{start}\nexec '{verilator}' \"$@\""));
    folder.set("CXX", "compiler");
    folder.set("VERILATOR", "installed");
    folder.set("TENSORSMITH_CACHE", "cache");
    folder
}

/// Calls of the tools that hold a text.
fn calls(folder: &Folder, text: &str) -> usize {
    folder.read("log").lines().filter(|line| line.contains(text)).count()
}

fn start(folder: &Folder) -> Child {
    let mut command = folder.command(&EVALUATE);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

fn wait_for(what: &str, happened: impl Fn() -> bool) {
    let begin = Instant::now();
    while !happened() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{what} did not happen");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Both compilers are held until the other process compiles too.
#[test]
fn two_processes_build_one_unit_at_once() {
    let folder = workshop(
        "case \"$*\" in *'-c unit.cpp'*)\n\
           echo >> \"$here/arrived\"; left=600\n\
           while [ $(wc -l < \"$here/arrived\") -lt 2 ] && [ $left -gt 0 ]; do sleep 0.1; left=$((left - 1)); done ;;\n\
         esac",
    );
    let both = [start(&folder), start(&folder)];
    for child in both {
        let output = child.wait_with_output().expect("the program ends");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("| d (rtl) | 0x4600 "), "{output:?}");
    }
    assert_eq!(calls(&folder, "-c unit.cpp"), 2, "both compiled");
    let before = calls(&folder, "");
    library(&folder);
    evaluate(&folder);
    // A new process checks Verilator on a trivial module.
    assert_eq!(calls(&folder, ""), before + 1, "what they left serves the next one");
    assert_eq!((entries(&folder, "build").len(), entries(&folder, "leftover").len()), (0, 0));
}

/// A program that is killed takes with it what it started, and the next one removes the folders of the build.
#[test]
fn killed_builds_leave_nothing_behind() {
    let folder = workshop(
        "case \"$*\" in *\"$(cat \"$here/block\" 2>/dev/null || echo no such call)\"*)\n\
           sleep 3600 & echo $$ $! > \"$here/starting\"; mv \"$here/starting\" \"$here/blocked\"; wait; exit 1 ;;\n\
         esac",
    );
    // Those of the ordinary tier are reached soon.
    let steps = ["-c unit.cpp", "-c runtime.cpp", "--top-module probe", "-shared", "--top-module cached_unit"];
    let steps = support::sampled(&steps, 2);
    for step in &steps {
        folder.write("block", step);
        let mut child = start(&folder);
        wait_for("the step", || folder.path("blocked").exists());
        child.kill().and_then(|()| child.wait()).expect("the program is killed");
        for process in folder.read("blocked").split_whitespace() {
            wait_for("the end of the tool", || !is_running(process));
        }
        assert!(entries(&folder, "library").is_empty(), "{step}: nothing half-made has a name");
        // A folder in which a tool worked is gone, any other is known as left over.
        wait_for("the end of the build", || entries(&folder, "build").is_empty());
        fs::remove_file(folder.path("block"))
            .and_then(|()| fs::remove_file(folder.path("blocked")))
            .expect("unblocked");
        folder.succeed(&["cache", "clear"]);
    }
    evaluate(&folder);
    library(&folder);
    let mut names = fs::read_dir(folder.path("cache")).expect("the cache").flatten();
    assert!(names.all(|entry| !entry.file_name().to_string_lossy().starts_with("work-")), "a build tidies up");
    println!("ran {} builds that were killed", steps.len());
}

/// Whether a process runs; one that has ended and that nobody has asked for has no command.
fn is_running(process: &str) -> bool {
    fs::read(format!("/proc/{process}/cmdline")).is_ok_and(|command| !command.is_empty())
}

/// A file whose seal is wrong counts as missing; a whole one is not made again.
#[test]
fn damaged_files_are_made_again() {
    let folder = workshop("");
    evaluate(&folder);
    let object = |module: &str| {
        let found = entries(&folder, "object").into_iter().find(|entry| entry["module"] == module);
        found.and_then(|entry| entry["name"].as_str().map(str::to_owned)).expect("an object")
    };
    let library = library(&folder);
    let files =
        [(library.clone(), "-shared"), (object("cached_unit"), "-c unit.cpp"), (object("runtime"), "-c runtime.cpp")];
    let damages: [fn(&mut Vec<u8>); 5] = [
        |bytes| *bytes.get_mut(1000).expect("a long file") ^= 1,
        |bytes| bytes.truncate(bytes.len() / 2),
        |bytes| *bytes.last_mut().expect("a long file") ^= 1,
        |bytes| bytes.truncate(bytes.len() - SEAL),
        Vec::clear,
    ];
    let mut runs = 0;
    for (name, made_by) in support::sampled(&files, 2) {
        let path = folder.path(&format!("cache/{name}"));
        // Objects take longer to make.
        let count = if *name == library { damages.len() } else { 2 };
        for damage in support::sampled(&damages[..count], 3) {
            let mut bytes = fs::read(&path).expect("a file of the cache");
            damage(&mut bytes);
            fs::write(&path, &bytes).expect("the cache can be written");
            if *name != library {
                fs::remove_file(folder.path(&format!("cache/{library}"))).expect("a library");
            }
            let before = calls(&folder, made_by);
            evaluate(&folder);
            assert_eq!(calls(&folder, made_by), before + 1, "{name} is made again");
            assert_ne!(fs::read(&path).expect("a file of the cache"), bytes, "{name} was replaced");
            runs += 1;
        }
        let before = calls(&folder, made_by);
        evaluate(&folder);
        assert_eq!(calls(&folder, made_by), before, "{name} is whole");
    }
    println!("ran {runs} times with a damaged file");
}

/// The tools themselves clear the cache before every call. In the long tier the next program, which finds nothing, builds again.
#[test]
fn cache_cleared_between_the_steps_of_a_build() {
    let program = env!("CARGO_BIN_EXE_tensorsmith");
    let folder = workshop(&format!(
        "[ \"$*\" = --version ] || TENSORSMITH_CACHE=\"$here/cache\" '{program}' cache clear >> \"$here/cleared\" 2>&1"
    ));
    evaluate(&folder);
    let cleared = folder.read("cleared");
    for object in ["| cached_unit | object |", "| runtime | object |"] {
        let removed = cleared.lines().any(|line| line.replace("  ", "").contains(object));
        assert!(removed, "{object} went before linking: {cleared}");
    }
    assert!(!cleared.contains("error"), "{cleared}");
    if support::long_tier() {
        evaluate(&folder);
    }
}

/// One process clears again and again, in the long tier as fast as it can, others build: each build answers right or says what
/// happened.
#[test]
fn cache_cleared_by_another_process() {
    let (builds, pause) = if support::long_tier() { (4, 2) } else { (1, 50) };
    let folder = workshop("");
    let done = AtomicBool::new(false);
    let (answered, refused, cleared) = thread::scope(|scope| {
        let clearing = scope.spawn(|| {
            let mut cleared = 0;
            while !done.load(Ordering::Relaxed) {
                folder.succeed(&["cache", "clear"]);
                cleared += 1;
                thread::sleep(Duration::from_millis(pause));
            }
            cleared
        });
        let runs: Vec<Run> = (0..builds).map(|_| folder.run(&EVALUATE)).collect();
        done.store(true, Ordering::Relaxed);
        let (answered, refused): (Vec<Run>, Vec<Run>) = runs.into_iter().partition(|run| run.code == 0);
        (answered, refused, clearing.join().expect("clearing goes well"))
    });
    for run in &answered {
        assert!(run.stdout.contains("| d (rtl) | 0x4600 "), "{run:?}");
    }
    for run in &refused {
        assert!(run.code == 2 && run.stderr.contains("engine rtl: "), "{run:?}");
        assert!(run.stderr.contains("was removed from") || run.stderr.contains("cannot read"), "{run:?}");
    }
    println!("ran {builds} builds while the cache was cleared {cleared} times: {} answered", answered.len());
    evaluate(&folder);
}
