//! A second opinion: the same designs in Icarus.

use tensorsmith::describe::catalogue;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::design::{Design, Simulator};
use tensorsmith::engine::{Matrices, MatrixError, Opened, Simulated};

use super::super::program::Folder;
use super::{EXAMPLES, examples, is_read, is_simulated, with_fault, with_small};
use crate::support::{in_parallel, long_tier, needs_icarus, needs_yosys};

/// Designs that Icarus 11 can read: the others have packages and structures in ports of functions.
const READ: [&str; 3] = ["verilog", "serial", "vhdl"];

fn ask(folder: &Folder, design: &str) -> super::super::program::Run {
    folder.run(&["cosim", "--design", design, "--design-engine", "icarus", "--vectors", "400"])
}

#[test]
fn designs_in_icarus() {
    if !is_simulated() || needs_icarus("design-icarus").is_none() {
        return;
    }
    let folder = examples();
    in_parallel(&READ, |example| {
        if !is_read(example) {
            return;
        }
        let run = ask(&folder, &format!("{example}/design.toml"));
        assert!(run.code == 0 && run.stdout.contains("Icarus Verilog version"), "{example}: {run:?}");
        if *example == "vhdl" && !long_tier() {
            return;
        }
        let known = EXAMPLES.iter().find(|(name, _)| name == example).expect("an example");
        // A mismatch is one there too; what depends on the vectors before is one here, for want of a second model.
        let run = ask(&folder, &with_fault(&folder, *known, 1));
        assert!(run.code == 1 && run.stdout.contains("MISMATCHES"), "{example}: {run:?}");
    });
}

/// In GHDL's simulator, which runs the source: right, with a planted fault, and with a distance below zero, which GHDL's own Verilog
/// wraps and its simulator refuses.
#[test]
fn designs_in_ghdl() {
    if !is_simulated() || !is_read("vhdl") {
        return;
    }
    let folder = examples();
    let ask = |design: &str| {
        folder.run(&[
            "cosim",
            "--design",
            design,
            "--design-engine",
            "ghdl",
            "--vectors",
            "1500",
            "--engines",
            "emulator,design",
        ])
    };
    let run = ask("vhdl/design.toml");
    assert!(run.code == 0 && run.stdout.contains("GHDL "), "{run:?}");
    let known = EXAMPLES.iter().find(|(name, _)| *name == "vhdl").expect("an example");
    let run = ask(&with_fault(&folder, *known, 1));
    assert!(run.code == 1 && run.stdout.contains("MISMATCHES"), "{run:?}");
    let text = folder.read("vhdl/dot4.vhdl").replace("exponent > anchor then", "false then");
    folder.write("vhdl/dot4.vhdl", text);
    let run = ask("vhdl/design.toml");
    assert!(run.code == 2 && run.stderr.contains("GHDL failed"), "{run:?}");
    folder.refuse(
        &[
            "cosim",
            "--design",
            "verilog/design.toml",
            "--design-engine",
            "ghdl",
            "--vectors",
            "9",
            "--engines",
            "design,emulator",
        ],
        &["GHDL simulates VHDL"],
    );
}

/// VHDL that opens a file or calls foreign code is refused before GHDL elaborates it; the same words in comments and literals are not.
#[test]
fn vhdl_that_opens_files() {
    if !is_simulated() || !is_read("vhdl") {
        return;
    }
    let folder = examples();
    let original = folder.read("vhdl/dot4.vhdl");
    let with = |declaration: &str| {
        let text = crate::support::first_replaced(&original, "\nbegin", &format!("\n{declaration}\nbegin"));
        folder.write("vhdl/dot4.vhdl", text);
        let vectors = ["--vectors", "99", "--engines", "emulator,design"];
        let ask =
            |more: &[&str]| folder.run(&[&["cosim", "--design", "vhdl/design.toml"], &vectors[..], more].concat());
        ["verilator", "ghdl"].map(|engine| {
            let _ = std::fs::remove_file(folder.path("written"));
            let run = ask(&["--design-engine", engine]);
            assert!(!folder.path("written").exists(), "{engine}: {run:?}");
            run
        })
    };
    let written = folder.path("written").display().to_string();
    for (declaration, what) in [
        (&*format!("  file f : std.textio.text open write_mode is \"{written}\";"), "`file` opens a file"),
        ("  FiLe f : std.textio.text;", "`file` opens a file"),
        (
            "  procedure p is begin end;\n  attribute foreign of p : procedure is \"VHPIDIRECT abort\";",
            "`foreign` calls code in another language",
        ),
        (
            "  constant q : character := character'('\"'); file f : std.textio.text; constant r : character := '\"';",
            "`file`",
        ),
    ] {
        for run in with(declaration) {
            let parts = ["design.toml: ", "dot4.vhdl:", what, "or --allow-system-calls"];
            assert!(run.code == 2 && parts.iter().all(|part| run.stderr.contains(part)), "{declaration}: {run:?}");
        }
    }
    // The last one opens nothing, and runs where it may.
    let lets = ["--engines", "emulator,design", "--design-engine", "ghdl", "--allow-system-calls"];
    let run = folder.run(&[&["cosim", "--design", "vhdl/design.toml", "--vectors", "99"], &lets[..]].concat());
    assert!(run.code == 0, "{run:?}");
    for run in with("  -- file f : text; attribute foreign\n  constant s : string := \"file f : text;\";") {
        assert!(run.code == 0, "{run:?}");
    }
}

/// What Icarus cannot read, and a design that stops, are errors.
#[test]
fn what_icarus_cannot_do() {
    if !is_simulated() || needs_icarus("design-icarus").is_none() {
        return;
    }
    let folder = examples();
    let text = folder.read("verilog/design.toml").replace("dot4.v\"", "dot4.v\", \"broken.v\"");
    folder.write("verilog/broken.toml", text);
    folder.write("verilog/broken.v", "module other; let twice(x) = 2 * x; endmodule\n");
    folder.refuse(
        &["cosim", "--design", "verilog/broken.toml", "--design-engine", "icarus", "--vectors", "9"],
        &["broken.v:1"],
    );
    let text = folder.read("serial/dot4_serial.sv").replace("if (index == 4) state <= Done;", "");
    folder.write("serial/dot4_serial.sv", text);
    let run = ask(&folder, "serial/design.toml");
    assert!(run.code == 2 && run.stderr.contains("gave 0 results for "), "{run:?}");
    folder.refuse(
        &["cosim", "--design", "serial/design.toml", "--design-engine", "spice"],
        &["verilator, icarus, ghdl, netlist"],
    );
}

/// As netlists: the small design, and in the long tier those that Yosys 0.23 reads and whose registers only delay.
#[test]
fn designs_as_netlists() {
    if !is_simulated() {
        return;
    }
    let Some(()) = needs_yosys("design-netlist") else { return };
    let folder = with_small(examples());
    let ask =
        |design: &str| folder.run(&["cosim", "--design", design, "--design-engine", "netlist", "--vectors", "20000"]);
    let designs = [("small", "Fault"), EXAMPLES[1], EXAMPLES[4]];
    let designs = &designs[..if long_tier() { 3 } else { 1 }];
    in_parallel(designs, |design| {
        let (name, _) = *design;
        if !is_read(name) {
            return;
        }
        let run = ask(&format!("{name}/design.toml"));
        assert!(run.code == 0 && run.stdout.contains("netlist sha256"), "{name}: {run:?}");
        let run = ask(&with_fault(&folder, *design, 1));
        assert!(run.code == 1 && run.stdout.contains("MISMATCHES"), "{name}: {run:?}");
    });
    more_than_delay_is_refused(&folder, "small", "dot.sv");
    if long_tier() {
        more_than_delay_is_refused(&folder, "verilog", "dot4.v");
    }
}

/// Another latency than the netlist's, and a result that counts; both designs answer in two clocks.
fn more_than_delay_is_refused(folder: &Folder, design: &str, source: &str) {
    let ask = |file: &str, parts: &[&str]| {
        folder.refuse(&["cosim", "--design", file, "--design-engine", "netlist", "--vectors", "99"], parts);
    };
    let (right, wrong) = (format!("{design}/design.toml"), format!("{design}/wrong.toml"));
    folder.write(&wrong, folder.read(&right).replace("latency = 2", "latency = 3"));
    ask(&wrong, &["`timing.latency` is 3", "2: its netlist has so many registers"]);
    let source = format!("{design}/{source}");
    let counting = folder.read(&source).replace("if (ce) d <= result;", "if (ce) d <= result + d;");
    folder.write(&source, counting);
    ask(&right, &["as a netlist", "a loop"]);
}

/// A design is no engine of an instruction whose operands or results have other formats, even of the same widths.
#[test]
fn matrices_of_other_formats_are_refused() {
    if !is_simulated() {
        return;
    }
    let folder = with_small(Folder::new());
    let [own, other] =
        ["tiny-integer", "tiny-nearest"].map(|name| Instruction::alone(catalogue::unit(name).expect("a unit")));
    let matrices = Matrices { m: 1, n: 1, k: 2, a: vec![1, 2], b: vec![3, 1], c: vec![5], ..Matrices::default() };
    let netlist = needs_yosys("design-formats-netlist").map(|()| Simulator::Netlist);
    let icarus = needs_icarus("design-formats-icarus").map(|()| Simulator::Icarus);
    for simulator in [Some(Simulator::Verilator), icarus, netlist].into_iter().flatten() {
        let design = Design::read(&folder.path("small/design.toml")).expect("a design file");
        let opened = Simulated::open(&Design { simulator, ..design }, &own.interface()).expect("it can be built");
        let Opened::Ready(mut engine) = opened else { panic!("{simulator:?} is there: {opened:?}") };
        assert_eq!(matrices.multiply(&own, engine.as_mut()).expect("its operands"), [10], "{simulator:?}");
        let error = matrices.multiply(&other, engine.as_mut()).expect_err("other formats");
        assert!(matches!(error, MatrixError::OtherUnit { engine: "design", .. }), "{simulator:?}: {error}");
    }
}
