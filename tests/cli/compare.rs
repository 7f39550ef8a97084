//! Units side by side, with and without Yosys, and with one that does not work.

use super::program::{Folder, assert_fields, snapshot};
use crate::cli::support;

#[test]
fn compare_snapshot_tiny_units() {
    let run = Folder::new().succeed(&["compare", "tiny-truncating", "tiny-fma", "tiny-integer", "--no-synthesis"]);
    snapshot("compare-tiny.txt", &run.stdout);
}

#[test]
fn compare_json() {
    let folder = Folder::new();
    folder.succeed(&["compare", "volta-fp16-fp32", "fma-fp32", "--no-synthesis", "--json", "out.json"]);
    let report = folder.json("out.json");
    assert_fields(&report, &["tensorsmith", "command", "yosys", "skipped", "asic", "fpga", "units"]);
    assert_eq!(report["skipped"], "--no-synthesis");
    let [volta, chain] = [0, 1].map(|index| &report["units"][index]);
    let fields = ["unit", "summary", "parameters", "constants", "error_bound", "synthesis", "asic", "fpga"];
    assert_fields(volta, &fields);
    assert!(["yosys", "asic", "fpga"].iter().all(|field| report[field].is_null()), "{report}");
    assert_eq!(volta["error_bound"]["terms"], 5);
    assert_eq!(volta["error_bound"]["text"], "below 5 * 2^(anchor - 23), then one rounding");
    assert_eq!(chain["error_bound"]["roundings"], 1);
    let constants = volta["constants"].as_array().expect("a list");
    assert!(constants.iter().any(|constant| constant["name"] == "WindowWidth" && constant["value"] == 25));
    assert!(volta["synthesis"].is_null());
}

#[test]
fn compare_refuses() {
    let folder = Folder::new();
    folder.refuse(&["compare"], &["<UNITS>..."]);
    folder.refuse(&["compare", "tiny-fma", "no-such", "--json", "out.json"], &["unknown unit \"no-such\""]);
    folder.refuse(&["compare", "tiny-fma", "--no-synthesis", "--json", "."], &["cannot be written"]);
}

/// A figure comes from the tool and not from the description: more fraction bits cost more. In the ordinary tier of one narrow
/// product.
#[test]
fn yosys_sizes_grow_with_the_window() {
    let Some(()) = support::needs_yosys("yosys") else { return };
    let folder = Folder::new();
    let (products, operand, result, [few, many]) = match support::long_tier() {
        true => (2, "e4m3", "binary16", [10, 20]),
        false => (1, "e2m1", "e5m2", [4, 12]),
    };
    let unit = |name: &str, fraction_bits: u32| {
        format!(
            "name = \"{name}\"\nscheme = \"fused\"\nproducts = {products}\n\
             formats = {{ a = \"{operand}\", b = \"{operand}\", c = \"{result}\", d = \"{result}\" }}\n\
             alignment = {{ fraction_bits = {fraction_bits}, rounding = \"toward-zero\", exponent_floor = \"none\" }}\n\
             conversion = {{ rounding = \"toward-zero\", overflow = \"infinity\" }}\n"
        )
    };
    folder.write("narrow.toml", unit("narrow", few));
    folder.write("wide.toml", unit("wide", many));
    let run = folder.succeed(&["compare", "narrow.toml", "wide.toml", "--json", "out.json"]);
    assert!(run.stdout.contains("6-input LUTs") && run.stdout.contains("synth -flatten -lut 6"), "{run:?}");
    let report = folder.json("out.json");
    assert!(report["yosys"].as_str().is_some_and(|version| version.starts_with("Yosys ")), "{report}");
    let [narrow, wide] = [0, 1].map(|index| &report["units"][index]["synthesis"]);
    assert_fields(narrow, &["lookup_tables", "depth", "seconds"]);
    let tables = [narrow, wide].map(|found| found["lookup_tables"].as_u64().expect("a number"));
    let depths = [narrow, wide].map(|found| found["depth"].as_u64().expect("a number"));
    println!("lookup tables {tables:?}, depths {depths:?}");
    assert!(tables[0] > 100 && tables[1] > tables[0], "{tables:?}");
    assert!(depths[0] > 5 && depths[1] < tables[1], "{depths:?}");
}

/// Without Yosys the table is there, and says what is missing; a Yosys that fails is an error.
#[cfg(unix)]
#[test]
fn yosys_missing_or_failing() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.write("bin/nothing", "");
    let compare = || {
        folder
            .command(&["compare", "tiny-fma"])
            .env("PATH", folder.path("bin"))
            .env("YOSYS", "")
            .output()
            .expect("runs")
    };
    let output = compare();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(said.contains("size and depth skipped, because yosys is not on PATH"), "{said}");
    assert!(!said.contains("LUTs"), "{said}");
    for (script, message) in [
        ("case $1 in -V) echo Yosys 9;; *) echo out of luck >&2; exit 1;; esac", "out of luck"),
        ("case $1 in -V) echo Yosys 9;; *) : > stat.json; : > path.txt;; esac", "no cells in its statistics"),
    ] {
        folder.write("bin/yosys", format!("#!/bin/sh\n{script}\n"));
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path("bin/yosys"), executable).expect("an executable");
        let output = compare();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(said.contains("yosys failed on tiny-fma") && said.contains(message), "{said}");
        assert!(output.stdout.is_empty(), "{output:?}");
    }
}
