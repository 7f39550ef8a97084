//! Text from outside that would be taken for text of the program: names of files, and what stands in them.

use super::bad_units::UNIT;
use super::program::{Folder, Run};

/// A line of its own in a log of continuous integration, and a mark that turns the direction of writing.
const NAMES: [&str; 2] = ["a\n::error::planted.toml", "a\u{202e}lmot.toml"];
const SHOWN: [&str; 2] = ["a\\n::error::planted.toml", "a\\u{202e}lmot.toml"];

#[test]
fn names_of_files_are_one_line() {
    let folder = Folder::new();
    for (name, shown) in NAMES.iter().zip(SHOWN) {
        for command in [&["show", name][..], &["cosim", "--case", name], &["replay", name], &["merge", name, "out"]] {
            let run = folder.run(command);
            assert!(run.code == 2 && run.stderr.contains(shown), "{command:?}: {run:?}");
            assert!(run.stderr.lines().all(|line| !line.trim_start().starts_with("::")), "{run:?}");
        }
        // What is there, and is refused for what stands in it.
        folder.write(name, "name = 3");
        for command in [&["show", name][..], &["cosim", "--case", name], &["merge", name, "out"]] {
            let run = folder.run(command);
            assert!(run.code == 2 && run.stderr.contains(shown) && !run.stderr.contains(name), "{command:?}: {run:?}");
        }
        // What is written there.
        let out = ["record", "tiny-fma", "--engine", "emulator", "--vectors", "10", "--out", name];
        std::fs::remove_file(folder.path(name)).expect("it is there");
        let run = folder.succeed(&out);
        assert!(run.stdout.contains(shown) && !run.stdout.contains(name), "{run:?}");
    }
}

/// What a file quotes in an error, and what would stand in the emitted SystemVerilog.
#[test]
fn texts_in_files_are_one_line() {
    let folder = Folder::new();
    folder.write("quoted.toml", UNIT.replacen("name", "\u{202e}name", 1));
    let run = folder.run(&["show", "quoted.toml"]);
    assert!(run.code == 2 && run.stderr.contains("\\u{202e}") && !run.stderr.contains('\u{202e}'), "{run:?}");
    for source in ["a\\rmodule injected; endmodule", "a\\u202eb", "a\\u2028b"] {
        let evidence = format!("\n[evidence]\nscheme = {{ grade = \"stated\", source = \"{source}\" }}\n");
        folder.write("mine.toml", format!("{UNIT}{evidence}"));
        let expected = "field `evidence.source` is \"a";
        folder.refuse(&["emit", "mine.toml", "--out", "rtl"], &[expected, "allowed: one line"]);
    }
}

/// What a runner of continuous integration would take for its own, in a run's output.
fn assert_inert(run: &Run) {
    for line in run.stdout.lines().chain(run.stderr.lines()) {
        assert!(!line.trim_start().starts_with("::") && !line.contains("##["), "{run:?}");
    }
    assert!(!run.stderr.contains('\u{1b}'), "{run:?}");
}

/// Values on the command line that are refused by the reader of options, and names that are none.
#[test]
fn arguments_are_one_line() {
    let (folder, planted) = (Folder::new(), "a\n::error::planted\u{1b}[2K##[group]");
    for command in [
        &["cosim", "--vectors", planted][..],
        &["cosim", "--engines", planted],
        &["cosim", "--isa", planted],
        &["cosim", "--design-engine", planted],
        &["cosim", "tiny-nearest", planted],
        &["show", planted],
        &[planted],
        &["cosim", "--time-limit", planted],
        &["cosim", &format!("--{planted}")],
        &["emit", "tiny-nearest", "--kit", planted],
        &["record", "tiny-fma", "--engine", "emulator", "--vectors", "10", "--out", "a/\n::error::planted"],
    ] {
        let run = folder.run(command);
        assert!(run.code == 2 && run.stderr.contains("\\n"), "{command:?}: {run:?}");
        assert_inert(&run);
    }
}

/// Values of variables.
#[test]
fn variables_are_one_line() {
    let design = &["cosim", "--design", "design.toml", "--vectors", "9"][..];
    let netlist = &["cosim", "tiny-nearest", "--engines", "emulator,netlist", "--vectors", "9"][..];
    let clock = &["compare", "tiny-nearest", "--fpga", "ecp5"][..];
    for (variable, commands) in [
        ("CXX", &[design][..]),
        ("VERILATOR", &[design]),
        ("YOSYS", &[netlist, clock]),
        ("NEXTPNR_ECP5", &[clock]),
        ("TENSORSMITH_CACHE", &[design, netlist, &["cache"]]),
        ("HOME", &[&["cache"]]),
    ] {
        let folder = Folder::new();
        folder.write("dot.sv", include_str!("../data/designs/dot.sv"));
        folder.write("design.toml", include_str!("../data/designs/design.toml"));
        folder.write("file", "");
        let planted = "file/a\n::error::planted\u{1b}[2K";
        for command in commands {
            let output = folder.command(command).env(variable, planted).output().expect("the program starts");
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let run = Run {
                code: output.status.code().unwrap_or(-1),
                stdout: text(&output.stdout),
                stderr: text(&output.stderr),
            };
            assert!((0..=2).contains(&run.code), "{variable}: {run:?}");
            assert_inert(&run);
        }
    }
}

/// What a design prints before it stops is no command, and the program's own annotations are.
#[test]
fn texts_of_designs_are_no_commands() {
    if !cfg!(feature = "rtl") {
        return;
    }
    let folder = Folder::new();
    let stops =
        "  always_ff @(posedge clk) if (a == 8'h11) $fatal(1, \"x\\n::error::planted\\n##[group]\");\nendmodule";
    let source = include_str!("../data/designs/dot.sv").replacen("endmodule", stops, 1);
    folder.write("dot.sv", source);
    folder.write("design.toml", include_str!("../data/designs/design.toml"));
    let run = folder.run(&["cosim", "--design", "design.toml", "--vectors", "5000"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stderr.contains("planted"), "{run:?}");
    assert_inert(&run);
    folder.write("dot.sv", include_str!("../data/designs/dot.sv"));
    let run = folder.run(&["cosim", "--design", "design.toml", "--vectors", "100", "--annotate"]);
    assert!(
        run.code == 1 && run.stdout.lines().any(|line| line.starts_with("::error file=design.toml,title=tensorsmith")),
        "{run:?}"
    );
}

/// A home that is no place for a cache is named.
#[test]
fn homes_that_hold_no_cache() {
    if !cfg!(feature = "rtl") {
        return;
    }
    let folder = Folder::new();
    folder.write("file", "");
    let program = folder.path("tensorsmith");
    // Beside its build the program has a cache of its own.
    crate::support::copy_program(std::path::Path::new(env!("CARGO_BIN_EXE_tensorsmith")), &program);
    for (home, said) in [
        ("relative", "the user's home is no absolute path; allowed: one that the variable TENSORSMITH_CACHE names"),
        ("/dev/null", "cannot create /dev/null/.cache/tensorsmith: "),
    ] {
        folder.write("mine.toml", UNIT);
        let mut command = std::process::Command::new(&program);
        command.current_dir(folder.path(".")).env("HOME", home).env_remove("TENSORSMITH_CACHE");
        command.env_remove("XDG_CACHE_HOME").args([
            "cosim",
            "mine.toml",
            "--engines",
            "emulator,rtl",
            "--vectors",
            "9",
        ]);
        let output = command.output().expect("the program starts");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{home}: {text}");
        assert!(text.contains(said) && text.contains("TENSORSMITH_CACHE"), "{home}: {text}");
        assert!(!folder.path("relative").exists(), "{home}: a cache in the current folder");
    }
}
