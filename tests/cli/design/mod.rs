//! Designs of one's own: those of `examples/designs` equal their unit, broken twins are found and diagnosed, designs that break
//! their protocol are named, and bad design files are refused.

mod bad;
mod faults;
mod first;
mod handshakes;
mod init;
mod job;
mod paths;
mod protocol;
mod second;
mod twins;

use std::path::Path;

use super::program::Folder;
use crate::support::{has_program, skip};

/// Designs of the examples: folder, name of the parameter that plants a fault.
pub const EXAMPLES: [(&str, &str); 5] =
    [("pipelined", "Fault"), ("verilog", "FAULT"), ("elastic", "Fault"), ("serial", "Fault"), ("vhdl", "fault")];

/// A small design, in two stages: two products of int4, and an addend. With the fault a sum that is too large wraps.
const SMALL: &str = "module dot (
  input  logic              clk, ce,
  input  logic signed [3:0] a0, a1, b0, b1,
  input  logic signed [7:0] c,
  output logic        [7:0] d
);
  parameter int Fault = 0;
  logic signed [3:0] x0, x1, y0, y1;
  logic signed [7:0] z;
  logic signed [9:0] sum;
  logic        [7:0] result;
  assign sum    = x0 * y0 + x1 * y1 + z;
  assign result = sum < -10'sd128 ? 8'h80 : sum > 10'sd127 && Fault == 0 ? 8'h7f : sum[7:0];
  always_ff @(posedge clk) if (ce) {x0, x1, y0, y1, z} <= {a0, a1, b0, b1, c};
  always_ff @(posedge clk) if (ce) d <= result;
endmodule
";

const SMALL_FILE: &str = r#"name    = "small"
equals  = "tiny-integer"
top     = "dot"
sources = ["dot.sv"]
[ports]
a = ["a0", "a1"]
b = ["b0", "b1"]
c = "c"
d = "d"
[clock]
port   = "clk"
enable = "ce"
[timing]
latency = 2
"#;

/// Whether designs can be simulated in this build.
pub fn is_simulated() -> bool {
    if !cfg!(feature = "rtl") {
        skip("design", "this build has no RTL engine");
    }
    cfg!(feature = "rtl")
}

/// Whether that example can be read.
fn is_read(example: &str) -> bool {
    let there = example != "vhdl" || has_program("ghdl", "--version");
    if !there {
        skip("ghdl", "ghdl, which reads VHDL, is not on PATH");
    }
    there
}

/// A folder with a copy of the examples.
fn examples() -> Folder {
    // Whatever tools are asked, the folder's name needs quotes in their scripts.
    let folder = Folder::odd();
    copy(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/designs")), &folder, "");
    folder
}

fn copy(from: &Path, folder: &Folder, name: &str) {
    for entry in std::fs::read_dir(from).expect("the examples") {
        let path = entry.expect("an entry").path();
        let own = format!("{name}{}", path.file_name().expect("a name").to_string_lossy());
        match path.is_dir() {
            true => copy(&path, folder, &format!("{own}/")),
            false => folder.write(&own, std::fs::read(&path).expect("a file of the examples")),
        }
    }
}

/// A design file of that example with a fault; returns its name.
fn with_fault(folder: &Folder, (example, parameter): (&str, &str), fault: u32) -> String {
    let name = format!("{example}/fault-{fault}.toml");
    let text = folder.read(&format!("{example}/design.toml"));
    folder.write(&name, format!("{text}\n[parameters]\n{parameter} = {fault}\n"));
    name
}

/// The same folder, with the small design too.
pub fn with_small(folder: Folder) -> Folder {
    folder.write("small/dot.sv", SMALL);
    folder.write("small/design.toml", SMALL_FILE);
    folder
}
