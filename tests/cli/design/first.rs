//! `dut init`: a first design file from the ports of a module.

use super::{EXAMPLES, examples, is_read, is_simulated};
use crate::support::in_parallel;

const FILES: [(&str, &str); 5] = [
    ("pipelined/dot4.sv", "dot4"),
    ("verilog/dot4.v", "dot4_verilog"),
    ("elastic/dot4_elastic.sv", "dot4_elastic"),
    ("serial/dot4_serial.sv", "dot4_serial"),
    ("vhdl/dot4.vhdl", "dot4_vhdl"),
];

/// What is all guessed, and equals its unit at once; what is marked.
#[test]
fn first_design_files() {
    if !is_simulated() {
        return;
    }
    let folder = examples();
    let places: Vec<usize> = (0..FILES.len()).collect();
    in_parallel(&places, |&place| {
        let ((file, top), (example, _)) = (FILES[place], EXAMPLES[place]);
        if !is_read(example) {
            return;
        }
        let out = format!("{example}-first.toml");
        let run = folder.run(&["dut", "init", file, "--top", top, "--equals", "unit.toml", "--out", &out]);
        let text = folder.read(&out);
        let is_unknown = |line: &&str| !line.starts_with("building ");
        let unknown: Vec<&str> = run.stderr.lines().filter(is_unknown).collect();
        match example {
            "elastic" => {
                assert_eq!(run.code, 1, "{run:?}");
                assert!(text.contains("a = \"?\"") && text.contains("active = \"low\""), "{text}");
                assert_eq!(unknown.len(), 4, "{unknown:?}");
            }
            "serial" => {
                assert_eq!(run.code, 1, "{run:?}");
                assert!(text.contains("d = \"?\"") && text.contains("mode = 0  # not known: 2 bits"), "{text}");
            }
            _ => {
                assert_eq!((run.code, unknown.len()), (0, 0), "{run:?}");
                let run = folder.succeed(&["cosim", "--design", &out, "--vectors", "2000"]);
                assert!(run.stdout.contains("2,000 vectors compared, 0 mismatches"), "{run:?}");
            }
        }
    });
    assert!(folder.read("pipelined-first.toml").contains("latency = 3\n"));
    assert!(
        folder.read("verilog-first.toml").contains("latency = 2\nenable = \"ce\"")
            || folder.read("verilog-first.toml").contains("enable = \"ce\"")
    );
}

/// Without a unit widths are not known, nor is the latency; what is there already is not overwritten.
#[test]
fn what_is_not_known_is_marked() {
    if !is_simulated() {
        return;
    }
    let folder = examples();
    let run = folder.run(&["dut", "init", "pipelined/dot4.sv", "--top", "dot4", "--parameter", "Fault=1"]);
    assert!(
        run.code == 1 && run.stdout.contains("Fault = 1") && run.stdout.contains("latency = 1  # not known"),
        "{run:?}"
    );
    assert!(run.stderr.contains("timing.latency"), "{run:?}");
    folder.write("there.toml", "mine");
    let to = ["--out", "there.toml"];
    folder.refuse(&[&["dut", "init", "pipelined/dot4.sv", "--top", "dot4"][..], &to].concat(), &["is there already"]);
    folder.refuse(&["dut", "init", "missing.sv", "--top", "dot4"], &["sources[0]", "missing.sv"]);
    folder.refuse(&["dut", "init", "pipelined/dot4.sv", "--top", "other"], &["'other' was not found"]);
    folder.refuse(&["dut", "init", "pipelined/dot4.sv", "--top", "dot4", "--parameter", "Fault"], &["NAME=VALUE"]);
}
