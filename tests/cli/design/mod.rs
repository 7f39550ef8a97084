//! Designs of one's own: those of `examples/designs` equal their unit, broken twins are found and diagnosed, designs that break
//! their protocol are named, and bad design files are refused.

mod bad;
mod first;
mod init;
mod job;
mod protocol;
mod second;
mod twins;

use std::path::Path;

use super::program::Folder;
use crate::support::{has_program, skip};

/// Designs of the examples: folder, name of the parameter that plants a fault.
pub const EXAMPLES: [(&str, &str); 5] =
    [("pipelined", "Fault"), ("verilog", "FAULT"), ("elastic", "Fault"), ("serial", "Fault"), ("vhdl", "fault")];

/// Whether designs can be simulated in this build.
fn is_simulated() -> bool {
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
    let folder = Folder::new();
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
