//! Kits of boards: whole, clean in Verilator, taken by Yosys; and one small one becomes a bitstream.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::Unit;
use tensorsmith::emit;
use tensorsmith::emit::kit::{Board, Held, Kit, with_registers};
#[cfg(feature = "rtl")]
use tensorsmith::emit::tile::{Tile, pipelined};
use tensorsmith::engine::board::self_test;

use super::support;

/// A board with a clock: its own or one that its loop makes.
type Case = (&'static Board, u64);

/// Every board with its own clock and with one of its loop.
fn cases() -> Vec<Case> {
    let looped = |board: &'static Board| (board, 2 * board.clock.hz);
    let own = |board: &'static Board| (board, board.clock.hz);
    Board::all().iter().flat_map(|board| [own(board), looped(board)]).collect()
}

fn unit(name: &str) -> Unit {
    with_registers(catalogue::unit(name).expect("a unit of the catalogue"))
}

#[cfg(feature = "rtl")]
fn tile(name: &str, size: &str) -> Held {
    let instruction = catalogue::instruction(name).expect("an instruction of the catalogue");
    Tile::new(&pipelined(&instruction), size.parse().expect("a size")).and_then(Held::try_from).expect("it has a tile")
}

fn written(held: &Held, (board, wanted): Case) -> TempDir {
    let clock = board.clock(wanted).expect("a clock");
    let test = self_test(held).expect("the emulator answers");
    let kit = Kit { held, test: &test, board, clock, baud: board.baud(clock.hz) };
    let folder = TempDir::new().expect("a folder");
    emit::write(folder.path(), &kit.files().expect("rendered")).expect("written");
    folder
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Every source that the Makefile names is there, each behind what it instantiates, and every port of the top module has a pin.
#[test]
fn kits_are_whole() {
    let unit = unit("volta-fp16-fp32");
    for case in cases() {
        let (folder, name) = (written(&unit.clone().into(), case), case.0.name);
        let makefile = read(folder.path(), "Makefile");
        let (_, list) = makefile.split_once("SOURCES := \\\n").expect("a list of sources");
        let sources: Vec<&str> = list
            .lines()
            .take_while(|line| line.starts_with('\t'))
            .map(|line| line.trim_matches(['\t', '\\', ' ']))
            .collect();
        let emitted =
            std::fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").file_name());
        let emitted = emitted.filter(|name| name.to_string_lossy().ends_with(".sv")).count();
        assert_eq!(sources.len(), emitted, "{name}: every source is listed once");
        assert_eq!(sources.last(), Some(&"volta_fp16_fp32_top.sv"), "{name}");
        let mut known = String::new();
        for source in &sources {
            let text = read(folder.path(), source);
            known += &text;
            let made = text.lines().filter_map(|line| line.trim_start().strip_prefix("tensorsmith_"));
            for module in made.filter_map(|line| line.split_once(" #(")).map(|(module, _)| module) {
                assert!(
                    known.contains(&format!("module tensorsmith_{module} ")),
                    "{name}: {source} stands before {module}"
                );
            }
        }
        let top = read(folder.path(), "volta_fp16_fp32_top.sv");
        let constraints = ["lpf", "pcf", "cst", "xdc"].map(|end| format!("volta_fp16_fp32_top.{end}"));
        let constraints = constraints.iter().find(|name| folder.path().join(name).exists()).expect("constraints");
        let constraints = read(folder.path(), constraints);
        let ports = top.lines().filter_map(|line| {
            let line = line.trim_start();
            line.strip_prefix("input  logic ").or(line.strip_prefix("output logic "))
        });
        for port in ports.map(|line| line.split([',', ' ']).next().expect("a name")) {
            assert!(constraints.contains(port), "{name}: {port} has no pin");
        }
        let own = Unit::from_toml("own", &read(folder.path(), "volta_fp16_fp32.toml")).expect("a unit file");
        assert_eq!((own.build.cuts, own.name), (unit.build.cuts.clone(), unit.name.clone()), "{name}");
    }
}

#[cfg(feature = "rtl")]
#[test]
fn verilator_finds_nothing_in_kits() {
    let Some(tools) = support::needs_verilator("verilator") else { return };
    let units = if support::long_tier() { support::one_unit_of_each_kind() } else { vec![unit("volta-fp16-fp32")] };
    let mut all: Vec<Held> = units.into_iter().map(Held::from).collect();
    all.push(if support::long_tier() {
        tile("hopper-mma-m16n8k32-e4m3-fp32", "1x2")
    } else {
        tile("volta-mma-m8n8k4-fp16-fp32", "1x2")
    });
    let primitives = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/emitted/primitives.sv");
    for held in &all {
        support::in_parallel(&support::sampled(&cases(), 7), |&case| {
            let folder = written(held, *case);
            let top = held.module_name().replace("_board", "_top");
            let mut command = Command::new(tools.verilator());
            command.current_dir(folder.path()).env("VERILATOR_ROOT", tools.verilator_root());
            command.args(["--lint-only", "-Wall", "-y", ".", "--top-module", &top, &format!("{top}.sv")]);
            let output = command.arg(&primitives).output().expect("verilator runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{top} on {}: {said}", case.0.name);
        });
    }
    println!("verilator linted {} kits", cases().len() * all.len());
}

/// Yosys's cells have the ports and parameters that kits give them, in every family.
#[test]
fn yosys_elaborates_kits() {
    let Some(()) = support::needs_yosys("yosys") else { return };
    let unit = unit("tiny-fma");
    support::in_parallel(&support::sampled(&cases(), 3), |&case| {
        let folder = written(&unit.clone().into(), *case);
        let cells = ["ecp5/cells_bb.v", "ice40/cells_sim.v", "gowin/cells_sim.v", "xilinx/cells_xtra.v"];
        let cells = cells[case.0.family as usize];
        // The buffer of clocks stands among Xilinx's other cells.
        let more = if cells.starts_with("xilinx") { "read_verilog -lib +/xilinx/cells_sim.v; " } else { "" };
        let script = format!(
            "read_verilog -lib -specify +/{cells}; {more}read_verilog -sv tensorsmith_*.sv tiny_*.sv; \
             hierarchy -check -top tiny_fma_top; proc; check -assert"
        );
        let output =
            Command::new("yosys").current_dir(folder.path()).args(["-q", "-p", &script]).output().expect("yosys runs");
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(output.status.success(), "{}: {said}", case.0.name);
    });
    println!("yosys elaborated {} kits", cases().len());
}

/// A kit is built by its Makefile, which fails where the clock is not reached; in the long tier.
#[test]
fn a_small_kit_becomes_a_bitstream() {
    if !support::long_tier() {
        return;
    }
    let tools = [("make", "--version"), ("yosys", "-V"), ("nextpnr-ice40", "--version"), ("icepack", "-h")];
    // icepack has no option that does nothing else and succeeds.
    let has = |(program, option): (&str, &str)| {
        let output = Command::new(program).arg(option).output();
        output.is_ok_and(|output| output.status.success() || program == "icepack")
    };
    if !tools.into_iter().all(has) {
        return support::skip("board-bitstream", "make, yosys, nextpnr-ice40 or icepack is not on PATH");
    }
    let board = Board::named("icebreaker").expect("a board");
    let unit = unit("tiny-nearest");
    let make = |folder: &TempDir, target: &str| {
        let output = Command::new("make").current_dir(folder.path()).arg(target).output().expect("make runs");
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        (output.status.success(), said)
    };
    let folder = written(&unit.into(), (board, board.clock.hz));
    let (built, said) = make(&folder, "all");
    assert!(built, "{said}");
    let bitstream = std::fs::read(folder.path().join("tiny_nearest_top.bin")).expect("a bitstream");
    assert!(bitstream.len() > 100_000, "{} bytes", bitstream.len());
    let (_, said) = make(&folder, "timing");
    println!("{said}");
    assert!(said.contains("MHz, asked for 12.00 MHz, slack "), "{said}");

    if support::long_tier() {
        // A clock that nothing on this FPGA reaches: what is placed anew is no bitstream then.
        let constraints = folder.path().join("tiny_nearest_top.pcf");
        let slow = std::fs::read_to_string(&constraints).expect("constraints");
        let fast = slow.replace("set_frequency clk_i 12", "set_frequency clk_i 200");
        assert_ne!(slow, fast);
        std::fs::write(&constraints, fast).expect("written");
        let (built, said) = make(&folder, "all");
        assert!(!built, "it says that 200 MHz are reached: {said}");
    }
    assert!(make(&folder, "clean").0);
    let left = std::fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let made = left.filter(|path| {
        path.extension().is_some_and(|end| ["bin", "asc", "json", "log"].iter().any(|made| end == *made))
    });
    assert_eq!(made.count(), 0, "clean removes what was made");
}
