//! Units with registers, from the command line and from unit files.

use super::program::Folder;
use super::support::needs_icarus;

const UNIT: &str = "name = \"mine\"\nscheme = \"fused\"\nproducts = 2\n
[formats]\na = \"e2m1\"\nb = \"e2m1\"\nc = \"binary16\"\nd = \"binary16\"\n
[alignment]\nfraction_bits = 5\nrounding = \"toward-zero\"\nexponent_floor = \"none\"\n
[conversion]\nrounding = \"nearest-even\"\noverflow = \"infinity\"\n
[pipeline]\ncuts = [\"anchor\", \"result\"]\n";

#[test]
fn registers_are_emitted_where_they_are_asked_for() {
    let folder = Folder::new();
    folder.write("mine.toml", UNIT);
    let emitted = |options: &[&str], out: &str| {
        let arguments = [&["emit"], options, &["--out", out]].concat();
        folder.succeed(&arguments);
        let name = if options[0] == "mine.toml" { "mine" } else { "volta_fp16_fp32" };
        folder.read(&format!("{out}/{name}.sv"))
    };
    let seven = emitted(&["volta-fp16-fp32", "--pipeline", "7"], "seven");
    assert!(seven.contains("localparam int Latency       =  7"), "{seven}");
    let two = emitted(&["volta-fp16-fp32", "--cuts", "sum,anchor"], "two");
    assert!(two.contains("clock edges at ce_i = 1: anchor, sum"), "{two}");
    assert!(folder.read("two/volta_fp16_fp32_stream.sv").contains("m_axis_tready"));
    let own = emitted(&["mine.toml"], "own");
    assert!(own.contains(".Cuts(516)") && own.contains("clk_i"), "{own}");
    let none = emitted(&["mine.toml", "--cuts", "none"], "none");
    assert!(!none.contains("input  logic                              clk_i"), "{none}");
}

#[test]
fn registers_that_a_unit_cannot_have() {
    let folder = Folder::new();
    let refuse = |options: &[&str], parts: &[&str]| {
        folder.refuse(&[&["emit"], options, &["--out", "out"]].concat(), parts);
    };
    refuse(&["volta-fp16-fp32", "--pipeline", "11"], &["invalid value '11'", "a whole number from 1 to 10"]);
    refuse(&["volta-fp16-fp32", "--pipeline", "0"], &["invalid value '0'", "a whole number from 1 to 10"]);
    refuse(&["fma-fp32", "--pipeline", "2"], &["no numbers were measured for \"fma-chain\"", "\"input\", \"product\""]);
    refuse(&["fma-fp32", "--cuts", "dot"], &["--cuts has \"dot\"; allowed for \"fma-chain\": \"input\", \"product\""]);
    refuse(&["volta-fp16-fp32", "--cuts", "sum", "--pipeline", "2"], &["cannot be used with"]);
    folder.write("other.toml", UNIT.replace("anchor", "step"));
    refuse(&["other.toml"], &["other.toml: field `pipeline.cuts` is \"step\"; allowed: \"input\", \"product\""]);
    folder.write("twice.toml", UNIT.replace("\"result\"", "\"anchor\""));
    refuse(&["twice.toml"], &["twice.toml: field `pipeline.cuts`", "each place once"]);
    assert!(!folder.path("out").exists(), "nothing is half written");
}

/// Engines without a clock say that they have none.
#[test]
fn engines_without_a_clock_are_missing() {
    let folder = Folder::new();
    folder.write("mine.toml", UNIT);
    let cosim = ["cosim", "mine.toml", "--vectors", "100", "--engines"];
    folder.refuse(&[&cosim[..], &["emulator,netlist"]].concat(), &["the unit has registers"]);
    let Some(()) = needs_icarus("icarus") else { return };
    let run = folder.succeed(&[&cosim[..], &["emulator,icarus"]].concat());
    assert!(run.stdout.contains("icarus     ran 100 vectors") && run.stdout.contains(" 0 mismatches"), "{run:?}");
}

/// What a unit answers is not changed by registers: it reads and writes them.
#[test]
fn files_with_registers_are_shown_as_they_are() {
    let folder = Folder::new();
    folder.write("mine.toml", UNIT);
    let shown = folder.succeed(&["show", "mine.toml", "--toml"]).stdout;
    assert!(shown.contains("[pipeline]\ncuts = [\"anchor\", \"result\"]"), "{shown}");
    let json = folder.succeed(&["show", "mine.toml", "--json", "-"]).stdout;
    let shown: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(shown["unit"]["cuts"], serde_json::json!(["anchor", "result"]), "{json}");
    assert_eq!(shown["unit"].get("target"), None, "a default is not written");
    let run = folder.succeed(&["cosim", "mine.toml", "--vectors", "1000", "--engines", "emulator,reference"]);
    assert!(run.stdout.contains("0 mismatches"), "{}", run.stdout);
}

#[test]
fn targets_are_emitted_and_refused() {
    let folder = Folder::new();
    let table = "[rtl]\ntarget = \"asic\"\n";
    folder.write("mine.toml", format!("{UNIT}{table}"));
    folder.succeed(&["emit", "mine.toml", "--out", "own"]);
    assert!(folder.read("own/mine.sv").contains(".Target(1)"));
    assert!(folder.read("own/mine.toml").contains(table), "the unit file says it too");
    folder.succeed(&["emit", "mine.toml", "--target", "fpga", "--out", "fpga"]);
    assert!(!folder.read("fpga/mine.sv").contains("Target"));
    folder.succeed(&["emit", "volta-fp16-fp32", "--target", "asic", "--out", "asic"]);
    let emitted = folder.read("asic/volta_fp16_fp32.sv");
    assert!(emitted.contains(".Target(1)") && emitted.contains("emit volta-fp16-fp32 --target asic"), "{emitted}");
    folder.succeed(&["cosim", "mine.toml", "--vectors", "2000", "--engines", "emulator,reference"]);

    folder.refuse(
        &["emit", "fma-fp32", "--target", "asic", "--out", "out"],
        &["--target is \"asic\"; allowed for \"fma-chain\": \"fpga\""],
    );
    folder.refuse(&["emit", "mine.toml", "--target", "gpu", "--out", "out"], &["invalid value 'gpu'", "fpga, asic"]);
    folder.write("other.toml", format!("{UNIT}{}", table.replace("asic", "gpu")));
    folder.refuse(&["emit", "other.toml", "--out", "out"], &["other.toml", "gpu", "asic"]);
    assert!(!folder.path("out").exists(), "nothing is half written");
}
