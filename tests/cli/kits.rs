//! `emit --kit`: what is written, and what is refused.

use super::program::{Folder, snapshot};
use tensorsmith::emit::kit::Board;

/// The list of files, each board's.
#[test]
fn kits_are_written() {
    let folder = Folder::new();
    let mut lists = String::new();
    for board in Board::all() {
        let name = board.name;
        let said = folder.succeed(&["emit", "tiny-fma", "--kit", name, "--out", name]).stdout;
        let there = said.lines().filter(|file| folder.path(file).is_file()).count();
        assert_eq!(there, said.lines().count(), "{name}");
        lists += &said;
    }
    snapshot("kits.txt", &lists);
}

/// A unit without registers gets the longest measured row, unless somebody said otherwise; of other schemes it stays.
#[test]
fn kits_have_registers() {
    let folder = Folder::new();
    let emitted = |options: &[&str], out: &str| {
        folder.succeed(&[&["emit"], options, &["--kit", "ulx3s-85f", "--out", out]].concat());
    };
    let latency = |text: &str| text.contains("localparam int Latency       = 10");
    emitted(&["volta-fp16-fp32"], "most");
    assert!(latency(&folder.read("most/volta_fp16_fp32.sv")));
    assert!(
        folder.read("most/volta_fp16_fp32_board.sv").contains(";cuts=")
            || folder.read("most/volta_fp16_fp32_board.sv").contains("\"cuts=")
    );
    emitted(&["volta-fp16-fp32", "--cuts", "none"], "none");
    assert!(!folder.read("none/volta_fp16_fp32.sv").contains("input  logic                              clk_i"));
    emitted(&["volta-fp16-fp32", "--pipeline", "2"], "two");
    assert!(folder.read("two/volta_fp16_fp32.toml").contains("cuts = [\"anchor\", \"sum\"]"));
    emitted(&["tiny-fma"], "chain");
    assert!(folder.read("chain/README.md").contains("The unit runs at 50 MHz, at the end"));
    // The description that a kit holds gives the same kit.
    emitted(&["most/volta_fp16_fp32.toml"], "again");
    assert_eq!(folder.read("most/volta_fp16_fp32.sv"), folder.read("again/volta_fp16_fp32.sv"));
}

#[test]
fn clocks_and_rates() {
    let folder = Folder::new();
    let emitted = |options: &[&str], out: &str| {
        folder.succeed(&[&["emit", "tiny-fma"], options, &["--out", out]].concat());
        (folder.read(&format!("{out}/tiny_fma_board.sv")), folder.read(&format!("{out}/tiny_fma_top.sv")))
    };
    let (board, top) = emitted(&["--kit", "ulx3s-85f", "--clock", "48", "--baud", "115200"], "slow");
    assert!(board.contains("ClockHz = 47916667,") && board.contains("Baud    = 115200,"), "{board}");
    assert!(top.contains("EHXPLLL") && top.contains(".CLKOP_DIV     (23)"), "{top}");
    assert!(top.contains("tensorsmith emit tiny-fma --kit ulx3s-85f --clock 48 --baud 115200 --out DIR"), "{top}");
    let (board, top) = emitted(&["--kit", "ulx3s-85f", "--clock", "25"], "own");
    assert!(board.contains("ClockHz = 25000000,") && board.contains("Baud    = 3000000,"), "{board}");
    assert!(!top.contains("EHXPLLL"), "{top}");
    let (board, _) = emitted(&["--kit", "tang-nano-20k"], "tang");
    assert!(board.contains("Baud    = 1000000,"), "{board}");
    let (board, _) = emitted(&["--kit", "ulx3s-85f", "--clock", "4"], "slowest");
    assert!(board.contains("Baud    = 1000000,"), "a quarter of the clock: {board}");
}

#[test]
fn kits_that_cannot_be() {
    let folder = Folder::new();
    let refuse = |options: &[&str], parts: &[&str]| {
        folder.refuse(&[&["emit"], options, &["--out", "out"]].concat(), parts);
    };
    let all = "ulx3s-85f, orangecrab, ecpix-5, icebreaker, tang-nano-20k, arty-a7";
    refuse(&["tiny-fma", "--kit", "ulx3s"], &["'ulx3s'", "--kit", "allowed: ", all]);
    let clock =
        |value: &str, board: &str, parts: &[&str]| refuse(&["tiny-fma", "--kit", board, "--clock", value], parts);
    clock("3", "ulx3s-85f", &["--clock is 3; allowed on ulx3s-85f: its own 25 MHz, or", "of 3.125 to 400 MHz"]);
    clock("13", "icebreaker", &["--clock is 13; allowed on icebreaker: its own 12 MHz, or", "of 16 to 275 MHz"]);
    clock("405", "orangecrab", &["--clock is 405", "3.125 to 400 MHz"]);
    for value in ["0", "-5", "fast", "1.1234567", "10000", "1.", ".5", "1e2"] {
        clock(value, "ulx3s-85f", &["--clock", "MHz above 0 and below 10000, with at most six decimals"]);
    }
    let baud = |value: &str, parts: &[&str]| refuse(&["tiny-fma", "--kit", "icebreaker", "--baud", value], parts);
    baud("3000001", &["--baud is 3000001; allowed: 9600 to 3000000, a quarter of the clock of 12 MHz"]);
    baud("9599", &["a whole number from 9600 to 24000000"]);
    baud("much", &["invalid value 'much' for '--baud"]);
    refuse(&["tiny-fma", "--clock", "50"], &["--kit <BOARD>"]);
    refuse(&["tiny-fma", "--baud", "9600"], &["--kit <BOARD>"]);
    refuse(&["tiny-fma", "--kit", "icebreaker", "--dpi"], &["cannot be used with"]);
    refuse(&["--catalogue", "--kit", "icebreaker"], &["cannot be used with"]);
    assert!(!folder.path("out").exists(), "nothing is half written");
}
