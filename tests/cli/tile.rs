//! Tiles: emitted, as an engine, and what they cost.

use super::compare_costs::library;
use super::program::Folder;
use super::support;

const VOLTA: &str = "volta-mma-m8n8k4-fp16-fp32";

/// A register, in a Liberty file.
const FLIP_FLOP: &str = "  cell(DFF) {\n    area : 20;\n    ff(IQ, IQN) { next_state : \"D\"; clocked_on : \"C\"; }\n\
    pin(D) { direction : input; capacitance : 0.01; }\n    pin(C) { direction : input; clock : true; capacitance : 0.01; }\n\
    pin(Q) { direction : output; function : \"IQ\"; }\n  }\n";

#[test]
fn tiles_are_emitted_with_a_test() {
    let folder = Folder::new();
    let run = folder.succeed(&["emit", VOLTA, "--tile", "2x3", "--pipeline", "3", "--out", "tile"]);
    let names = run.stdout.lines().filter(|name| folder.path(name).is_file()).count();
    assert_eq!((names, run.stdout.contains("_tile_test.sv")), (run.stdout.lines().count(), true), "{run:?}");
    let read = |name: &str| folder.read(&format!("tile/volta_mma_m8n8k4_fp16_fp32_tile{name}"));
    let tile = read(".sv");
    assert!(tile.contains("parameter int Columns  = 3") && tile.contains("parameter int SlotBits = 2"), "{tile}");
    assert!(tile.contains(&format!("emit {VOLTA} --tile 2x3 --cuts product,distance,magnitude --out DIR")), "{tile}");
    assert!(folder.read("tile/volta_fp16_fp32.sv").contains("Latency       =  3"));
    // Eight rounds of four slots; two rows and three columns of four products, six addends, and the mark of the last step.
    let bits: usize = 5 * 4 * 16 + 6 * 32 + 1;
    let steps = read("_steps.hex");
    assert_eq!((steps.lines().count(), read("_results.hex").lines().count()), (32, 32));
    assert!(steps.lines().all(|line| line.len() == bits.div_ceil(4) && line.starts_with('1')), "{steps}");
    // A unit is an instruction of one block.
    folder.succeed(&["emit", "tiny-nearest", "--tile", "1x1", "--cuts", "input", "--out", "tiny"]);
    assert!(folder.read("tiny/tiny_nearest_tile.sv").contains("tiny_nearest u_unit"));
}

/// The unit that adds at the end has the registers and the target of the others; a kit of an instruction holds a tile.
#[test]
fn additions_at_the_end_are_shaped_and_kits_hold_tiles() {
    let (folder, hopper) = (Folder::new(), "hopper-mma-m16n8k32-e4m3-fp32");
    let shaped = ["--tile", "2x1", "--cuts", "input,result", "--target", "asic", "--out", "tile"];
    folder.succeed(&[&["emit", hopper][..], &shaped].concat());
    for unit in ["hopper_fp16_fp32", "addition_fp32"] {
        let text = folder.read(&format!("tile/{unit}.toml"));
        assert!(text.contains("cuts = [\"input\", \"result\"]") && text.contains("target = \"asic\""), "{text}");
    }
    folder.succeed(&["emit", hopper, "--kit", "ulx3s-85f", "--out", "kit"]);
    let page = folder.read("kit/README.md");
    assert!(page.starts_with("# 1x1 tile of hopper-mma-m16n8k32-e4m3-fp32 on ULX3S"), "{page}");
    assert!(page.contains("cosim hopper_mma_m16n8k32_e4m3_fp32.toml --engines emulator,board:"), "{page}");
    // The description in it is that of the instruction.
    let own = "kit/hopper_mma_m16n8k32_e4m3_fp32.toml";
    folder.succeed(&["emit", own, "--kit", "ulx3s-85f", "--out", "again"]);
    let identity = |kit: &str| {
        let text = folder.read(&format!("{kit}/hopper_mma_m16n8k32_e4m3_fp32_tile_board.sv"));
        text.lines().find(|line| line.contains("description=")).map(str::to_owned)
    };
    assert!(identity("kit").is_some() && identity("kit") == identity("again"));
}

#[test]
fn tiles_that_cannot_be_are_refused() {
    let folder = Folder::new();
    let emit = |rest: &[&'static str]| [&["emit"], rest, &["--out", "tile"]].concat();
    let allowed = "ROWSxCOLUMNS, such as 4x4, each 1 to 64";
    folder.refuse(&emit(&[VOLTA, "--tile", "0x4"]), &["--tile", "0x4", allowed]);
    folder.refuse(&emit(&[VOLTA, "--tile", "4x65"]), &["4x65", allowed]);
    folder.refuse(
        &emit(&["riscv-rvbna-k4-fp16-fp32", "--tile", "2x2"]),
        &["riscv-rvbna-k4-fp16-fp32 has no c", "allowed"],
    );
    let wide = [
        "a 64x64 tile of volta-mma-m8n8k4-fp16-fp32 takes or gives 139264 bits at once",
        "65536 at most",
        "allowed: smaller tiles",
    ];
    folder.refuse(&emit(&[VOLTA, "--tile", "64x64", "--kit", "ulx3s-85f"]), &wide);
    folder.refuse(&["cosim", VOLTA, "--engines", "tile:0x4"], &["tile:0x4", "tile:4x4"]);
    folder.refuse(&["tile", VOLTA, "--sizes", "2x2,x"], &["--sizes", allowed]);
    folder.refuse(&["tile", "riscv-rvbna-k4-fp16-fp32"], &["has no c", "allowed"]);
    folder.refuse(&["tile", VOLTA, "--asic", "none.lib"], &["none.lib: cannot be read"]);
}

#[test]
fn tiles_multiply_matrices_as_wide_does() {
    let folder = Folder::new();
    folder.write("a.txt", "1 2 3 4 0.5 -1 65504 6e-8\n-2 1e-4 7 8 9 10 11 -12\n3 1 4 1 5 9 2 6\n");
    folder.write("b.txt", "1 -1\n2 0.1\n3 7\n-4 1e4\n5 5e-8\n6 6\n1e-3 7\n8 8\n");
    let engines = ["--engines", "wide,tile:2x2", "--allow-missing", "--json", "out.json"];
    let run = folder.succeed(&[&["gemm", VOLTA, "--a", "a.txt", "--b", "b.txt"][..], &engines].concat());
    let json = folder.json("out.json");
    let ran = json["engines"].as_array().expect("engines");
    match ran.len() {
        1 => support::skip("tile", run.stderr.trim()),
        _ => {
            assert_eq!((ran[1]["engine"].as_str(), json["agreed"].as_bool()), (Some("tile:2x2"), Some(true)), "{json}")
        }
    }
}

#[test]
fn what_tiles_are() {
    let folder = Folder::new();
    folder.succeed(&["tile", "hopper-mma-m16n8k32-e4m3-fp32", "--sizes", "1x1,4x2", "--json", "out.json"]);
    let json = folder.json("out.json");
    let products = json["tiles"].as_array().expect("tiles").iter().map(|tile| tile["products_a_clock"].as_u64());
    assert_eq!(products.collect::<Vec<_>>(), [Some(16), Some(128)], "{json}");
    assert_eq!((json["unit"].as_str(), json["yosys"].is_null()), (Some("hopper-fp16-fp32"), true), "{json}");
}

/// Cells of a grid are those of its units and of what is around them, and clock rates are nextpnr's. In the ordinary tier a unit
/// of integers, whose larger grid is mapped to the cells of the library alone.
#[test]
fn what_tiles_cost() {
    let Some(()) = support::needs_yosys("yosys") else { return };
    let mut folder = Folder::new();
    folder.set("NEXTPNR_ECP5", "nextpnr");
    folder.script(
        "nextpnr",
        "case \"$*\" in --version) echo '\"nextpnr\" -- Next Generation Place and Route (Version 0)'; exit;; esac\n\
         grep -q tensorsmith_clocked clocked.json && grep -q TRELLIS_FF clocked.json || exit 1\n\
         grep -q keep_hierarchy clocked.json && exit 1\n\
         echo '{\"fmax\": {\"clk\": {\"achieved\": 50.0, \"constraint\": 200}}}' > nextpnr.json",
    );
    let whole = library(2.0);
    let cells = whole.trim_end().strip_suffix('}').expect("the end of the library");
    folder.write("test.lib", format!("{cells}{FLIP_FLOP}}}\n"));
    let (unit, sizes, rate) = match support::long_tier() {
        true => ("tiny-nearest", "1x1,2x2", "0.40 G/s"),
        false => ("tiny-integer", "1x1", "0.10 G/s"),
    };
    let run = folder.succeed(&["tile", unit, "--sizes", sizes, "--fpga", "ecp5", "--json", "fpga.json"]);
    assert!(run.stdout.contains("50.0 MHz") && run.stdout.contains(rate), "{run:?}");
    let json = folder.json("fpga.json");
    let tiles = json["tiles"].as_array().expect("tiles").iter();
    let tables: Vec<u64> = tiles.map(|tile| tile["fpga"]["lookup_tables"].as_u64().expect("a number")).collect();
    assert!(tables.len() == sizes.split(',').count() && tables[0] > 100, "{tables:?}");
    let mut larger = tables[1..].iter();
    assert!(larger.all(|four| (2 * tables[0]..5 * tables[0]).contains(four)), "four units, and one ring: {tables:?}");
    folder.succeed(&["tile", unit, "--sizes", "1x1,2x2", "--asic", "test.lib", "--json", "asic.json"]);
    let json = folder.json("asic.json");
    let areas = [0, 1].map(|index| json["tiles"][index]["asic"]["area"].as_f64().expect("a number"));
    assert!(areas[0] > 100.0 && areas[1] > 2.0 * areas[0] && areas[1] < 5.0 * areas[0], "{areas:?}");
    println!("lookup tables {tables:?}, areas {areas:?}");
}
