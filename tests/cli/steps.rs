//! Units whose files list their steps, in every command.

use super::program::Folder;

const FILE: &str = include_str!("../steps/units/power10-bf16.toml");

/// c + (1 * 2 + 3 * 4) = 14.5, in a chain of sums of pairs.
#[test]
fn lists_are_evaluated() {
    let folder = Folder::new();
    folder.write("list.toml", FILE);
    folder.succeed(&["eval", "list.toml", "--a", "1,3", "--b", "2,4", "--c", "0.5"]);
    folder.succeed(&["cosim", "list.toml", "--vectors", "2000", "--engines", "emulator,reference,wide"]);
    folder.succeed(&["record", "list.toml", "--engine", "emulator", "--vectors", "500", "--out", "list.tsrec"]);
    folder.succeed(&["replay", "list.tsrec", "--engines", "reference"]);
}

#[test]
fn lists_are_described_and_emitted() {
    let folder = Folder::new();
    folder.write("list.toml", FILE);
    let shown = folder.succeed(&["show", "list.toml"]);
    assert!(shown.stdout.contains("order = \"chain\", c = \"first\", round = \"d\""), "{}", shown.stdout);
    folder.succeed(&["compare", "list.toml", "volta-fp16-fp32", "--no-synthesis"]);
    folder.succeed(&["emit", "list.toml", "--out", "rtl"]);
    let core = folder.read("rtl/power10_bf16.sv");
    assert!(core.contains("// step 1: 4 sums of 2 numbers, rounded") && core.contains("gen_link_5[i - 1]"), "{core}");
    folder.succeed(&["emit", "list.toml", "--out", "clocked", "--cuts", "input,step"]);
    assert!(folder.read("clocked/power10_bf16.sv").contains("gen_step"));
    folder.refuse(&["emit", "list.toml", "--out", "rtl", "--cuts", "dot"], &["--cuts", "input", "step"]);
    let of_schemes = "it is a property of the schemes fused and exact, not of steps";
    folder.refuse(&["prove", "list.toml", "--property", "products-exact"], &[of_schemes]);
}

/// The fused multiply-add of a processor.
const CHAIN: &str = r#"
    name = "listed-fma"
    products = 1
    formats = { a = "binary32", b = "binary32", c = "binary32", d = "binary32" }
    conversion = { rounding = "nearest-even", overflow = "ieee", exact_zero = "ieee" }

    [[step]]
    order = "chain"
    c = "first"
    round = "d"
"#;

/// An instruction is found by arithmetic.
#[test]
fn instructions_of_lists_are_found() {
    let folder = Folder::new();
    folder.write("list.toml", FILE);
    folder.write("chain.toml", CHAIN);
    let run = |file: &str| folder.run(&["cosim", file, "--vectors", "100", "--engines", "emulator,processor"]);
    let (none, fma) = (run("list.toml"), run("chain.toml"));
    assert!(none.stdout.contains("computes this unit") && none.code == 2, "{}", none.stdout);
    assert!(!fma.stdout.contains("computes this unit"), "{}", fma.stdout);
}
