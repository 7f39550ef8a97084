//! Units in cells of a library and on FPGAs, with tools, without them, and with tools that do not work.
#![cfg(unix)]

use std::fmt::Write as _;

use tensorsmith::emit::nextpnr::{Nextpnr, NextpnrError};

use super::program::{Folder, assert_fields};
use crate::cli::support;

/// A library of five functions in two sizes, made for the tests; `unit`, an even number, is the area of the smaller inverter.
pub fn library(unit: f64) -> String {
    let mut text = "/* made for a test */\nlibrary(test) {\n  delay_model : table_lookup;\n  time_unit : \"1ns\";\n\
                    voltage_unit : \"1V\";\n  current_unit : \"1uA\";\n  capacitive_load_unit(1, pf);\n\
                    lu_table_template(load) {\n    variable_1 : input_net_transition;\n\
                    variable_2 : total_output_net_capacitance;\n    index_1(\"0.05, 0.2, 1.0\");\n\
                    index_2(\"0.01, 0.05, 0.25\");\n  }\n"
        .to_owned();
    let cells = [
        ("inv", "(!a)", "negative_unate", 1.0, 0.04),
        ("buf", "a", "positive_unate", 2.0, 0.08),
        ("nand", "(!(a*b))", "negative_unate", 2.0, 0.06),
        ("nor", "(!(a+b))", "negative_unate", 2.0, 0.07),
        ("xor", "((a*(!b))+((!a)*b))", "non_unate", 4.0, 0.12),
    ];
    for (size, drive, cost) in [("small", 1.0, 1.0), ("large", 4.0, 2.5)] {
        for (name, function, sense, area, delay) in cells {
            let inputs = if function.contains('b') { &["a", "b"][..] } else { &["a"] };
            let _ = writeln!(text, "  cell({name}_{size}) {{\n    area : {};", unit * area * cost);
            for input in inputs {
                let _ = writeln!(text, "    pin({input}) {{ direction : input; capacitance : {}; }}", 0.01 * drive);
            }
            let limit = 0.25 * drive;
            let _ = writeln!(
                text,
                "    pin(y) {{ direction : output; max_capacitance : {limit}; function : \"{function}\";"
            );
            for input in inputs {
                let _ = writeln!(text, "      timing() {{ related_pin : \"{input}\"; timing_sense : {sense};");
                text += &tables(drive, delay);
                text += "      }\n";
            }
            text += "    }\n  }\n";
        }
    }
    text + "}\n"
}

/// Delays and transitions, in nanoseconds by transition of the input and by load.
fn tables(drive: f64, delay: f64) -> String {
    let row = |slow: f64| format!("\"{}, {}, {}\"", slow * delay, slow * 2.0 * delay, slow * 6.0 * delay);
    let loads = format!("{}, {}, {}", 0.005 * drive, 0.05 * drive, 0.25 * drive);
    let values = [row(1.0), row(1.2), row(2.0)].join(", ");
    let table = |name: &str| {
        format!("        {name}(load) {{ index_1(\"0.05, 0.2, 1.0\"); index_2(\"{loads}\"); values({values}); }}\n")
    };
    ["cell_rise", "rise_transition", "cell_fall", "fall_transition"].map(table).concat()
}

/// The unit whose cost is asked: in the ordinary tier the one that is mapped soonest.
fn cheap(in_full: &'static str) -> &'static str {
    if support::long_tier() { in_full } else { "tiny-integer" }
}

/// A product that takes a multiplier of an FPGA.
const MULTIPLIED: &str = r#"name = "multiplied"
scheme = "integer"
products = 1
formats = { a = "int8", b = "int8", c = "int32", d = "int32" }
conversion = { overflow = "wrap" }
"#;

/// Figures come from the library: cells of twice the area, which are as fast, give twice the area and as short a delay.
#[test]
fn abc_area_follows_the_library() {
    let Some(()) = support::needs_yosys("yosys") else { return };
    let folder = Folder::new();
    folder.write("small.lib", library(2.0));
    folder.write("large.lib", library(4.0));
    let unit = cheap("tiny-truncating");
    let figures = |file: &str| {
        let run = folder.succeed(&["compare", unit, "--no-synthesis", "--asic", file, "--json", "out.json"]);
        assert!(run.stdout.contains("area, mapped for delay") && run.stdout.contains(" ns "), "{run:?}");
        assert!(run.stdout.contains(&format!("ABC, cells of {file}")) && !run.stdout.contains("LUTs"), "{run:?}");
        let report = folder.json("out.json");
        assert_eq!((&report["asic"]["library"], &report["skipped"]), (&file.into(), &"--no-synthesis".into()));
        assert!(report["yosys"].as_str().is_some_and(|version| version.starts_with("Yosys ")), "{report}");
        let unit = &report["units"][0];
        assert!(unit["synthesis"].is_null() && unit["fpga"].is_null(), "{unit}");
        assert_fields(&unit["asic"], &["for_delay", "for_area", "seconds"]);
        ["for_delay", "for_area"].map(|goal| {
            assert_fields(&unit["asic"][goal], &["area", "delay_ps"]);
            ["area", "delay_ps"].map(|figure| unit["asic"][goal][figure].as_f64().expect("a number"))
        })
    };
    let [fast, small] = figures("small.lib");
    println!("for delay {fast:?}, for area {small:?}");
    assert!(fast[1] < small[1] && small[0] < fast[0], "each script is better at what it is for: {fast:?}, {small:?}");
    assert!(small[0] > 200.0 && fast[1] > 1000.0, "{fast:?}, {small:?}");
    let [fast_again, doubled] = figures("large.lib");
    assert_eq!(doubled, [2.0 * small[0], small[1]]);
    // Mapped for delay, ties among cells may be settled otherwise.
    assert!((1.9..2.1).contains(&(fast_again[0] / fast[0])), "{fast:?}, {fast_again:?}");
}

#[test]
fn fpga_cells_and_clock_rate_of_a_stand_in() {
    let Some(()) = support::needs_yosys("yosys") else { return };
    let mut folder = Folder::new();
    folder.set("NEXTPNR_ECP5", "nextpnr");
    folder.script(
        "nextpnr",
        "case \"$*\" in --version) echo '\"nextpnr\" -- Next Generation Place and Route (Version 0)'; exit;; esac\n\
         case \"$*\" in *'--85k --speed 6'*'--json clocked.json'*'--seed 1'*) ;; *) echo \"ERROR: $*\"; exit 1;; esac\n\
         grep -q tensorsmith_clocked clocked.json && grep -q TRELLIS_FF clocked.json || exit 1\n\
         echo '{\"fmax\": {\"clk\": {\"achieved\": 42.25, \"constraint\": 200}}}' > nextpnr.json",
    );
    let units = ["tiny-riscv", "tiny-truncating", "tiny-scaled"];
    let (units, least) = if support::long_tier() { (&units[..], 50) } else { (&["tiny-integer"][..], 25) };
    let run = folder.succeed(&[&["compare"][..], units, &["--fpga", "ecp5", "--json", "out.json"]].concat());
    let notes =
        ["42.2 MHz", "Next Generation Place and Route (Version 0), LFE5U-85F, speed grade 6, seed 1", "6-input LUTs"];
    assert!(notes.iter().all(|note| run.stdout.contains(note)), "{run:?}");
    let report = folder.json("out.json");
    assert_fields(&report["fpga"], &["family", "nextpnr", "device", "seed", "clock_skipped"]);
    assert_eq!((&report["fpga"]["family"], &report["fpga"]["seed"]), (&"ecp5".into(), &1.into()));
    for index in 0..units.len() {
        let found = &report["units"][index]["fpga"];
        let fields = ["lookup_tables", "carry_cells", "multipliers", "clock_mhz", "clock_skipped", "seconds"];
        assert_fields(found, &fields);
        assert_eq!((&found["clock_mhz"], found["clock_skipped"].is_null()), (&42.25.into(), true));
        let [tables, carries] = [fields[0], fields[1]].map(|field| found[field].as_u64().expect("a number"));
        assert!(tables > least && carries > 5 && carries < tables, "{found}");
    }
    // One DSP a product, of fp16 too.
    folder.write("multiplied.toml", MULTIPLIED);
    let units = [("multiplied.toml", 1, 10), ("volta-fp16-fp32", 4, 500)];
    let units = &units[..if support::long_tier() { 2 } else { 1 }];
    units.iter().for_each(|&(unit, products, least)| on_xilinx(&folder, unit, products, least));
}

/// Cells of a unit on the other family, which has no clock rate: one DSP a product, and at least so many lookup tables.
fn on_xilinx(folder: &Folder, unit: &str, products: u64, least: u64) {
    let run = folder.succeed(&["compare", unit, "--no-synthesis", "--fpga", "xilinx", "--json", "x.json"]);
    assert!(run.stdout.contains("Xilinx LUTs") && !run.stdout.contains("clock rate"), "{run:?}");
    let report = folder.json("x.json");
    assert!(report["fpga"]["nextpnr"].is_null() && report["fpga"]["clock_skipped"].is_null(), "{report}");
    let found = &report["units"][0]["fpga"];
    let [tables, carries] = ["lookup_tables", "carry_cells"].map(|field| found[field].as_u64().expect("a number"));
    assert!(tables > least && carries > least / 25, "{found}");
    assert_eq!(found["multipliers"], products, "{unit}");
}

/// A unit with registers inside has a higher rate than without: the rate is of the unit and not of what lies around it. In the
/// ordinary tier a unit of integers, which is placed sooner.
#[test]
fn nextpnr_clock_rates_rise_with_cuts() {
    if let Err(error) = Nextpnr::find() {
        return support::skip("nextpnr", error);
    }
    let Some(()) = support::needs_yosys("yosys") else { return };
    let folder = Folder::new();
    let unit = |name: &str, pipeline: &str| {
        format!(
            "name = \"{name}\"\nscheme = \"fused\"\nproducts = 2\n\
             formats = {{ a = \"e4m3\", b = \"e4m3\", c = \"binary16\", d = \"binary16\" }}\n\
             alignment = {{ fraction_bits = 10, rounding = \"toward-zero\", exponent_floor = \"none\" }}\n\
             conversion = {{ rounding = \"toward-zero\", overflow = \"infinity\" }}\n{pipeline}"
        )
    };
    let integer = |name: &str, pipeline: &str| {
        format!(
            "name = \"{name}\"\nscheme = \"integer\"\nproducts = 2\n\
             formats = {{ a = \"int4\", b = \"int4\", c = \"int8\", d = \"int8\" }}\n\
             conversion = {{ overflow = \"saturate\" }}\n{pipeline}"
        )
    };
    let whole_and_cut = match support::long_tier() {
        true => [unit("whole", ""), unit("cut", "pipeline = { cuts = [\"anchor\", \"sum\"] }\n")],
        false => [integer("whole", ""), integer("cut", "pipeline = { cuts = [\"product\", \"sum\"] }\n")],
    };
    folder.write("whole.toml", &whole_and_cut[0]);
    folder.write("cut.toml", &whole_and_cut[1]);
    let arguments = ["compare", "whole.toml", "cut.toml", "--no-synthesis", "--fpga", "ecp5", "--json", "out.json"];
    let run = folder.succeed(&arguments);
    assert!(run.stdout.contains("| clock rate "), "{run:?}");
    let report = folder.json("out.json");
    let [whole, cut] = [0, 1].map(|index| report["units"][index]["fpga"]["clock_mhz"].as_f64().expect("a rate"));
    println!("{whole:.1} MHz, with two cuts {cut:.1} MHz");
    assert!(whole > 5.0 && cut > 1.3 * whole, "{whole}, {cut}");
}

#[test]
fn costs_refuse_bad_input() {
    let folder = Folder::new();
    folder.write("text.lib", "module library (x)\n");
    folder.write("empty.lib", "/* no cells */\nlibrary (x) {\n}\n");
    let unit = cheap("tiny-fma");
    let compare = |option: &[&str], parts: &[&str]| {
        folder.refuse(&[&["compare", unit, "--no-synthesis", "--json", "out.json"], option].concat(), parts);
    };
    compare(&["--asic", "missing.lib"], &["missing.lib: cannot be read"]);
    compare(&["--asic", "."], &[".: cannot be read"]);
    compare(&["--asic", "text.lib"], &["text.lib: is no Liberty file"]);
    let over = ["compare", "tiny-fma", "--asic", "empty.lib", "--json", "empty.lib"];
    folder.refuse(&over, &["--json: empty.lib is read or written already"]);
    compare(&["--fpga", "spartan"], &["'spartan'", "ecp5, xilinx"]);
    compare(&["--fpga", ""], &["--fpga"]);
    if support::needs_yosys("yosys").is_some() {
        compare(&["--asic", "empty.lib"], &[&format!("empty.lib: yosys cannot map {unit} to its cells")]);
    }
}

/// A tool that is named has to be there: Yosys for both options, nextpnr where its variable names one. Where no nextpnr is found, there
/// is no clock rate.
#[test]
fn costs_without_tools() {
    let mut folder = Folder::new();
    folder.write("bin/nothing", "");
    folder.write("test.lib", library(1.0));
    folder.set("NEXTPNR_ECP5", "no-nextpnr");
    for option in [["--asic", "test.lib"], ["--fpga", "ecp5"], ["--fpga", "xilinx"]] {
        let mut command = folder.command(&[&["compare", "tiny-fma", "--no-synthesis"], &option[..]].concat());
        let output = command.env("PATH", folder.path("bin")).env("YOSYS", "").output().expect("runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{output:?}");
        assert!(said.contains("yosys is not on PATH"), "{said}");
        let output = command.env("YOSYS", "no-yosys").output().expect("runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(said.contains("no-yosys, which the variable YOSYS names, is no program"), "{said}");
    }
    let Some(()) = support::needs_yosys("yosys") else { return };
    let mut folder = Folder::new();
    folder.set("NEXTPNR_ECP5", "nextpnr");
    let compare = ["compare", cheap("tiny-fma"), "--no-synthesis", "--fpga", "ecp5"];
    folder.refuse(&compare, &["nextpnr, which the variable NEXTPNR_ECP5 names, does not work"]);
    if let Err(reason @ NextpnrError::Missing) = Nextpnr::find() {
        let run = Folder::new().succeed(&compare);
        assert!(run.stdout.contains(&format!("clock rate skipped, because {reason}")), "{run:?}");
        assert!(run.stdout.contains("ECP5 LUT4") && !run.stdout.contains("MHz"), "{run:?}");
    }
    let version = "case \"$*\" in --version) echo 'Next Generation Place and Route'; exit;; esac";
    let broken = [
        ("echo Info: packing; echo ERROR: out of luck; exit 1", ": nextpnr-ecp5 failed:\nERROR: out of luck"),
        ("exit 0", "it wrote no nextpnr.json"),
        ("echo '{\"fmax\": {}}' > nextpnr.json", "no rate of one clock in its nextpnr.json"),
    ];
    // Yosys maps the unit each time.
    for (script, part) in support::sampled(&broken, 3) {
        folder.script("nextpnr", &format!("{version}\n{script}"));
        folder.refuse(&compare, &[compare[1], *part]);
    }
}
