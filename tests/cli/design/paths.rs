//! Words from design files in the scripts of tools: nothing that they say is run, and each works or is refused by the name of its field.

use std::process::Command;

use super::super::program::{Folder, Run};
use super::{SMALL, SMALL_FILE, is_simulated, with_small};
use crate::support::{has_program, in_parallel, needs_icarus, needs_yosys, skip};

/// The file that a command in a word would make, in the home of these runs.
const MADE: &str = "RAN";

/// Names of files that work.
const NAMES: [&str; 10] = [
    "a b.sv",
    "ünï.sv",
    "br[ack].sv",
    "!cd;touch RAN.sv",
    "#x.sv",
    ";cd;touch RAN;.sv",
    "`cd;touch RAN`.sv",
    "-x.sv",
    "s'q.sv",
    "%s.sv",
];
/// Names that are refused.
const REFUSED: [&str; 5] = ["q\"t.sv", "b\\s.sv", "$(cd;touch RAN).sv", "t\tb.sv", "n\n::error::l.sv"];

/// Values of macros and texts of parameters that work.
const VALUES: [&str; 9] = [
    ";cd;touch RAN;",
    "$(cd;touch RAN)",
    "`touch`",
    "#",
    "!cd;touch RAN",
    "-x",
    "*",
    "a b",
    "1 /dev/null ; exec -- sh -c cd;touch${IFS}RAN ; read_verilog -sv",
];
const REFUSED_VALUES: [&str; 4] = ["\\\"", "\\n!touch RAN", "\\t", "\\r"];

fn ask(folder: &Folder, design: &str, simulator: &str) -> Run {
    let home = folder.path("home");
    let mut command = folder.command(&[
        "cosim",
        "--design",
        design,
        "--design-engine",
        simulator,
        "--engines",
        "emulator,design",
        "--vectors",
        "200",
    ]);
    // Builds are kept where those of other tests are.
    let output = command.env("HOME", &home).output().expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(!home.join(MADE).exists() && !folder.path(MADE).exists(), "{design}, {simulator}: a word was run");
    Run { code: output.status.code().unwrap_or(-1), stdout: text(&output.stdout), stderr: text(&output.stderr) }
}

/// The small design with all words that work.
fn written(folder: &Folder) {
    let source = SMALL.replace("parameter int Fault = 0;", "parameter int Fault = 0; parameter Text = \"none\";");
    assert_ne!(source, SMALL);
    folder.write("odd/dot.sv", format!("`include \"head.svh\"\n`include \"inner.svh\"\n{source}"));
    folder.write("odd/head.svh", "// beside the design\n");
    folder.write("odd/in;cd;touch RAN; c/inner.svh", "// in a folder that is named\n");
    for name in NAMES {
        folder.write(&format!("odd/{name}"), "// nothing\n");
    }
    let names: Vec<String> = NAMES.iter().map(|name| format!("{name:?}")).collect();
    let values = VALUES.iter().enumerate().map(|(place, value)| format!("X{place} = {value:?}\n"));
    let sources = format!("sources = [\"dot.sv\", {}]\ninclude = [\".\", \"in;cd;touch RAN; c\"]\n", names.join(", "));
    let text = SMALL_FILE.replace("sources = [\"dot.sv\"]\n", &sources);
    let text = format!("{text}\n[parameters]\nText = {:?}\n[defines]\n{}", VALUES[0], values.collect::<String>());
    folder.write("odd/design.toml", text);
    std::fs::create_dir(folder.path("home")).expect("a home");
}

#[test]
fn words_of_design_files_in_scripts() {
    if !is_simulated() {
        return;
    }
    let folder = Folder::odd();
    written(&folder);
    let simulators = [
        Some("verilator"),
        needs_icarus("design-words").map(|()| "icarus"),
        needs_yosys("design-words").map(|()| "netlist"),
    ];
    let simulators: Vec<&str> = simulators.into_iter().flatten().collect();
    in_parallel(&simulators, |simulator| {
        let run = ask(&folder, "odd/design.toml", simulator);
        assert!(run.code == 0 && run.stdout.contains("0 mismatches"), "{simulator}: {run:?}");
    });
    // Files that are refused by a tool have their own names.
    folder.write("odd/a b.sv", "module (\n");
    for simulator in simulators {
        let run = ask(&folder, "odd/design.toml", simulator);
        assert!(run.code == 2 && run.stderr.contains("a b.sv:1"), "{simulator}: {run:?}");
    }
}

#[test]
fn words_that_no_script_takes() {
    if !is_simulated() {
        return;
    }
    let folder = with_small(Folder::odd());
    std::fs::create_dir(folder.path("home")).expect("a home");
    for name in REFUSED {
        folder.write(&format!("small/{name}"), "// nothing\n");
        folder.write("small/odd.toml", SMALL_FILE.replace("[\"dot.sv\"]", &format!("[\"dot.sv\", {name:?}]")));
        let run = ask(&folder, "small/odd.toml", "icarus");
        let allowed = "field `sources[1]` is the path ";
        assert!(run.code == 2 && run.stderr.contains(allowed), "{name:?}: {run:?}");
        assert!(!run.stderr.contains("\n::"), "{run:?}");
    }
    for value in REFUSED_VALUES {
        folder.write("small/odd.toml", format!("{SMALL_FILE}\n[defines]\nX = \"{value}\"\n"));
        let run = ask(&folder, "small/odd.toml", "netlist");
        assert!(run.code == 2 && run.stderr.contains("field `defines.X` is "), "{value:?}: {run:?}");
    }
    // A folder of included files, and that of the design.
    let text = SMALL_FILE.replace("[ports]", "include = [\"$(touch RAN)\"]\n[ports]");
    folder.write("small/$(touch RAN)/x.svh", "");
    folder.write("small/odd.toml", text);
    let run = ask(&folder, "small/odd.toml", "verilator");
    assert!(run.code == 2 && run.stderr.contains("field `include[0]` is the path "), "{run:?}");
    folder.write("n\n::stop/dot.sv", SMALL);
    folder.write("n\n::stop/design.toml", SMALL_FILE);
    let run = ask(&folder, "n\n::stop/design.toml", "verilator");
    assert!(run.code == 2 && run.stderr.contains("field `sources[0]` is the path "), "{run:?}");
    assert!(run.stderr.lines().all(|line| !line.trim_start().starts_with("::")), "{run:?}");
}

/// GHDL gets words of a command, and no line of a shell.
#[test]
fn words_for_ghdl() {
    if !is_simulated() || !has_program("ghdl", "--version") {
        return skip("ghdl", "ghdl, which reads VHDL, is not on PATH");
    }
    let folder = super::examples();
    std::fs::create_dir(folder.path("home")).expect("a home");
    let name = ";cd;touch RAN; x.vhdl";
    folder.write(&format!("vhdl/{name}"), folder.read("vhdl/dot4.vhdl"));
    let design = folder.read("vhdl/design.toml");
    folder.write("vhdl/odd.toml", design.replace("\"dot4.vhdl\"", &format!("{name:?}")));
    let run = ask(&folder, "vhdl/odd.toml", "verilator");
    assert!(run.code == 0 && run.stdout.contains("0 mismatches"), "{run:?}");
    folder.write("vhdl/odd.toml", format!("{design}\n[parameters]\nfault = \";cd;touch RAN;\"\n"));
    let run = ask(&folder, "vhdl/odd.toml", "verilator");
    assert!(run.code == 2 && run.stderr.contains("odd.toml"), "{run:?}");
}

/// What waits for somebody to write to it is refused before a tool reads it.
#[cfg(target_os = "linux")]
#[test]
fn pipes_beside_a_design() {
    if !is_simulated() {
        return;
    }
    let folder = with_small(Folder::odd());
    std::fs::create_dir(folder.path("home")).expect("a home");
    std::fs::create_dir(folder.path("small/include")).expect("a folder");
    folder.write("small/odd.toml", SMALL_FILE.replace("[ports]", "include = [\"include\"]\n[ports]"));
    let pipe = |name: &str| assert!(Command::new("mkfifo").arg(folder.path(name)).status().expect("mkfifo").success());
    pipe("small/include/x.svh");
    let run = ask(&folder, "small/odd.toml", "verilator");
    assert!(run.code == 2 && run.stderr.contains("field `include[0]` is with "), "{run:?}");
    pipe("small/x.svh");
    let run = ask(&folder, "small/design.toml", "verilator");
    assert!(run.code == 2 && run.stderr.contains("field `sources[0]` is with "), "{run:?}");
    pipe("small/y.sv");
    folder.write("small/odd.toml", SMALL_FILE.replace("dot.sv", "y.sv"));
    let run = ask(&folder, "small/odd.toml", "verilator");
    assert!(run.code == 2 && run.stderr.contains("field `sources[0]` is \"y.sv\""), "{run:?}");
}

/// A folder for temporary files with blanks, for ABC and for Icarus, which put its name into lines of a shell.
#[test]
fn temporary_folders_with_odd_names() {
    if !is_simulated() {
        return;
    }
    let mut folder = with_small(Folder::odd());
    let temporary = "t `cd;touch RAN` $(cd;touch RAN) ünï";
    std::fs::create_dir(folder.path(temporary)).expect("a folder");
    std::fs::create_dir(folder.path("home")).expect("a home");
    folder.set("TMPDIR", temporary);
    let icarus = needs_icarus("design-words").map(|()| "icarus");
    let netlist = needs_yosys("design-words").map(|()| "netlist");
    for simulator in [icarus, netlist].into_iter().flatten() {
        let run = ask(&folder, "small/design.toml", simulator);
        assert!(run.code == 0 && run.stdout.contains("0 mismatches"), "{simulator}: {run:?}");
    }
}
