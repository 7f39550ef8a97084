//! Bad design files, and designs that no tool can take: each with file, field or line, value and what is allowed, exit code 2, and
//! nothing left behind.

use super::super::program::Folder;
use super::is_simulated;
use crate::support::{in_parallel, replaced, sampled};

const SOURCE: &str = include_str!("../../data/designs/dot.sv");
const FILE: &str = include_str!("../../data/designs/design.toml");

/// What is replaced in the design file, by what, and what is said.
const FILES: [(&str, &str, &[&str]); 58] = [
    ("name    = \"dot\"\n", "", &["missing field `name`"]),
    ("top     = \"dot\"\n", "", &["missing field `top`"]),
    ("sources = [\"dot.sv\"]\n", "", &["missing field `sources`"]),
    ("a = \"a\"\n", "", &["missing field `a`"]),
    ("d = \"d\"\n", "", &["missing field `d`"]),
    ("c = \"c\"\n", "", &["`ports.c` is missing", "allowed: a port", "1 of 8 bits"]),
    ("name    = \"dot\"", "name = \"my/dot\"", &["`name`", "my/dot", "letters, digits"]),
    ("name    = \"dot\"", "name = 3", &["`name`", "expected a string"]),
    ("top     = \"dot\"", "top = \"dot dot\"", &["`top`", "dot dot"]),
    ("[ports]", "[port]", &["unknown field `port`"]),
    ("[ports]", "[ports", &["line 6"]),
    ("d = \"d\"", "d = \"d\"\ne = \"d\"", &["unknown field `e`"]),
    ("a = \"a\"", "a = 3", &["`ports.a`", "expected a port such as"]),
    ("a = \"a\"", "a = { port = \"a\", order = \"upwards\" }", &["`ports.a`", "expected a port such as"]),
    ("[\"dot.sv\"]", "[]", &["`sources`", "at least one file"]),
    ("dot.sv", "missing.sv", &["`sources[0]`", "missing.sv", "a file"]),
    ("dot.sv", "a**.sv", &["`sources[0]`", "a name with *"]),
    ("[ports]", "include = [\"headers\"]\n[ports]", &["`include[0]`", "\"headers\"", "a folder"]),
    ("[ports]", "[parameters]\nBits = 8.5\n[ports]", &["`parameters.Bits`", "8.5", "a whole number"]),
    ("[ports]", "[parameters]\nBits = 'a\"b'\n[ports]", &["`parameters.Bits`", "without quotes"]),
    (
        "[ports]",
        "[parameters]\nBits = 99999999999\n[ports]",
        &["`parameters.Bits` is 99999999999", "allowed: a whole number from -2147483648 to 2147483647"],
    ),
    ("[ports]", "[parameters]\nBits = \"8\"\n[ports]", &["`parameters.Bits` is \"8\"", "a whole number from "]),
    ("[ports]", "[defines]\nBits = \"a\\tb\"\n[ports]", &["`defines.Bits` is \"a\\tb\"", "control characters"]),
    ("dot.sv", "/**/*.sv", &["`sources[0]` is \"/**/*.sv\"", "at most 100000 entries of folders"]),
    ("[ports]", "[parameters]\nWidth = 8\n[ports]", &["design.toml", "not found in the design: Width"]),
    ("[ports]", "[defines]\n\"a b\" = 1\n[ports]", &["`defines`", "a b"]),
    ("a = \"a\"", "a = \"aa\"", &["`ports.a`", "\"aa\"", "a port of clk, rst, mode, a, b, c, d, done"]),
    ("a = \"a\"", "a = \"a[8:1]\"", &["`ports.a`", "[7:0] a", "dot.sv:5"]),
    ("a = \"a\"", "a = \"a[7\"", &["`ports.a`", "a[7"]),
    ("a = \"a\"", "a = \"a[1][0]\"", &["`ports.a`", "a[1][0]"]),
    ("a = \"a\"", "a = \"done\"", &["`ports.a`", "dot.sv:9", "an input of the design"]),
    ("d = \"d\"", "d = \"b\"", &["`ports.d`", "dot.sv:6", "an output of the design"]),
    ("a = \"a\"", "a = \"a[3:0]\"", &["`ports.a`", "4 bits", "allowed: 8 bits: 2 of 4"]),
    ("a = \"a\"", "a = [\"a[3:0]\", \"a[7:6]\"]", &["`ports.a`", "6 bits", "allowed: 8 bits"]),
    ("b = \"b\"", "b = \"a\"", &["`ports.b`", "`ports.a` drives too", "once"]),
    ("mode = 0", "mode = 0\na = 3", &["`ties.a`", "`ports.a` drives too"]),
    ("mode = 0", "", &["`ties`", "[3:0] mode", "dot.sv:4"]),
    ("mode = 0", "\"mode[2:0]\" = 0", &["`ties`", "1 bits of the input", "[3:0] mode"]),
    ("mode = 0", "mode = 16", &["`ties.mode`", "16", "4 bits"]),
    ("mode = 0", "mode = \"0xg\"", &["`ties.mode`", "0xg"]),
    ("mode = 0", "mode = -1", &["`ties.mode`", "expected a whole number from 0"]),
    ("mode = 0", "done = 1", &["`ties.done`", "an input of the design"]),
    ("port = \"clk\"", "port = \"clock\"", &["`clock.port`", "\"clock\""]),
    ("port = \"clk\"", "port = \"mode\"", &["`clock.port`", "\"mode\"", "`ties.mode` drives too"]),
    ("port = \"clk\"", "port = \"clk\"\nedge = \"both\"", &["`clock.edge`", "`rising` or `falling`"]),
    ("port = \"rst\"", "port = \"rst\"\nactive = \"medium\"", &["`reset.active`", "`high` or `low`"]),
    ("port = \"rst\"", "port = \"rst\"\ncycles = 0", &["`reset.cycles`", "from 1 to 4096"]),
    ("[clock]\nport = \"clk\"\n", "", &["`reset` is there", "`clock`"]),
    ("latency = 1", "latency = 0", &["`timing.latency`", "from 1 to 4096"]),
    ("latency = 1", "latency = 5000", &["`timing.latency`", "5000"]),
    ("latency = 1", "", &["`timing.latency`", "missing", "`output.valid`"]),
    ("latency = 1", "latency = 1\ninterval = 0", &["`timing.interval`", "from 1 to 4096"]),
    ("latency = 1", "latency = 1\npatience = 0", &["`timing.patience`"]),
    ("latency = 1", "latency = 1\n[output]\nready = \"rst\"", &["`output.ready`", "without `timing.latency`"]),
    ("latency = 1", "latency = 1\n[output]\nvalid = \"d\"", &["`output.valid`", "one bit"]),
    ("d = \"d\"", "d = \"d\"\nscale_a = \"c\"", &["`ports.scale_a`", "tiny-nearest takes none"]),
    ("equals  = \"tiny-nearest\"\n", "", &["`equals` is missing"]),
    ("tiny-nearest", "tiny-nearst", &["tiny-nearst", "tiny-nearest"]),
];

/// What is replaced in the source, by what, and what is said.
const SOURCES: [(&str, &str, &[&str]); 11] = [
    ("assign d = d_q;", "assign d = d_q", &["dot.sv:14", "syntax error"]),
    ("assign d = d_q;", "assign d = d_q; missing i (.x(a));", &["dot.sv:13", "module: 'missing'"]),
    ("module dot", "module other", &["'dot' was not found"]),
    ("parameter int Bits = 8", "parameter int Bits", &["dot.sv:1", "'Bits'"]),
    ("assign d = d_q;", "assign d = d_q; assign d = a;", &["d has two drivers: dot.sv:13"]),
    ("assign d = d_q;", "always_ff @(posedge clk) d_q <= a; assign d = d_q;", &["d_q has two drivers: dot.sv:12"]),
    (
        "assign d = d_q;",
        "logic [7:0] x; assign x = ~x + a; assign d = x;",
        &["a combinational loop", "dot.sv:13", "dut.x"],
    ),
    ("input  logic            rst", "inout  wire             rst", &["rst in dot.sv:3", "inputs and outputs"]),
    ("input  logic            rst", "input  real             rst", &["dot.sv:3: port rst", "cannot be driven"]),
    ("output logic [7:0]      d,", "output logic [15:0]     d,", &["`ports.d`", "16 bits", "allowed: 8 bits"]),
    ("endmodule", "endmodule\nmodule dot (); endmodule", &["dot.sv:16", "Duplicate declaration"]),
];

fn refuse(source: &str, file: &str, said: &[&str]) {
    let folder = Folder::new();
    folder.write("dot.sv", source);
    folder.write("design.toml", file);
    folder.refuse(&["cosim", "--design", "design.toml", "--vectors", "100"], said);
}

#[test]
fn bad_design_files() {
    if !is_simulated() {
        return;
    }
    in_parallel(&sampled(&FILES, 3), |(from, to, said)| {
        refuse(SOURCE, &replaced(FILE, from, to), said);
    });
}

#[test]
fn designs_that_no_tool_can_take() {
    if !is_simulated() {
        return;
    }
    in_parallel(&SOURCES, |(from, to, said)| {
        refuse(&replaced(SOURCE, from, to), FILE, said);
    });
    let folder = Folder::new();
    folder.refuse(&["cosim", "--design", "missing.toml"], &["missing.toml: cannot be read"]);
    folder.write("empty.toml", "");
    folder.refuse(&["cosim", "--design", "empty.toml"], &["missing field"]);
    // Mixed languages, and VHDL that GHDL refuses.
    folder.write("dot.vhdl", "entity dot is");
    folder.write("dot.sv", SOURCE);
    let mixed = FILE.replace("\"dot.sv\"", "\"dot.sv\", \"dot.vhdl\"");
    folder.write("mixed.toml", mixed);
    folder.refuse(&["cosim", "--design", "mixed.toml"], &["`sources`", "all of them VHDL"]);
}

/// Unbroken, the design of these tests is one: it is compared, and found to be no unit.
#[test]
fn the_design_itself_is_taken() {
    if !is_simulated() {
        return;
    }
    let folder = Folder::new();
    folder.write("dot.sv", SOURCE);
    folder.write("design.toml", FILE);
    let run = folder.run(&["cosim", "--design", "design.toml", "--vectors", "100"]);
    assert!(run.code == 1 && run.stdout.contains("MISMATCHES"), "{run:?}");
}

/// Values within a parameter's type are taken: of 64 bits, text for a parameter of text, and a negative number for a vector's bits.
/// One without a type is a number where it has one.
#[test]
fn parameters_of_types_and_of_none() {
    if !is_simulated() {
        return;
    }
    let folder = Folder::new();
    let more = "parameter Bits = 8, parameter logic [63:0] Wide = 0, parameter Mode = \"fast\", parameter bit [3:0] Low = 0, \
                parameter shortint Short = 0";
    folder.write("dot.sv", replaced(SOURCE, "parameter int Bits = 8", more));
    let ask = |parameters: &str| {
        folder.write("design.toml", replaced(FILE, "[ports]", &format!("[parameters]\n{parameters}\n[ports]")));
        folder.run(&["cosim", "--design", "design.toml", "--vectors", "100"])
    };
    let run = ask("Wide = 99999999999\nMode = \"slow\"\nLow = -1\nShort = -32768");
    assert!(run.code == 1 && run.stdout.contains("MISMATCHES"), "{run:?}");
    for (parameter, said) in [
        ("Bits = \"8\"", "`parameters.Bits` is \"8\"; allowed: a whole number from "),
        ("Bits = 99999999999", "`parameters.Bits` is 99999999999; allowed: a whole number from "),
        ("Low = 16", "`parameters.Low` is 16; allowed: a whole number from -8 to 15"),
        ("Short = 32768", "`parameters.Short` is 32768; allowed: a whole number from -32768 to 32767"),
        ("Short = \"a\"", "`parameters.Short` is \"a\"; allowed: a whole number from "),
    ] {
        let run = ask(parameter);
        assert!(run.code == 2 && run.stderr.contains(said), "{parameter}: {run:?}");
    }
}
