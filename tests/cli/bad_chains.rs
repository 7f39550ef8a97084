//! Unit files of chains of fused multiply-adds that are not accepted.

use super::program::Folder;

const UNIT: &str = r#"name = "mine"
scheme = "fma-chain"
products = 4

[formats]
a = "bfloat16"
b = "bfloat16"
c = "binary32"
d = "binary32"

[conversion]
rounding = "nearest-even"
overflow = "ieee"
"#;

#[test]
fn right_chain_is_accepted() {
    let folder = Folder::new();
    folder.write("mine.toml", UNIT);
    assert!(folder.succeed(&["show", "mine.toml"]).stdout.contains("d's least normal exponent"));
    folder.succeed(&["eval", "mine.toml", "--a", "1.5", "--b", "2", "--engines", "emulator,reference", "--trace"]);
    folder.write("ieee.toml", UNIT.replace("\"ieee\"", "\"ieee\"\nexact_zero = \"ieee\""));
    folder.succeed(&["emit", "ieee.toml", "--out", "rtl"]);
    // An encoding of 64 bits with its sign bit set.
    folder.write(
        "wide.toml",
        UNIT.replace("binary32", "binary64").replace("\"ieee\"", "\"ieee\"\nnan = 0xfff8000000000000"),
    );
    assert!(folder.succeed(&["show", "wide.toml"]).stdout.contains("every NaN is 0xfff8000000000000"));
    folder.write("wider.toml", UNIT.replace("products = 4", "products = 0xfff8000000000000"));
    folder.refuse(&["show", "wider.toml"], &["`products` is 18444492273895866368; allowed: 1 to 64"]);
    // The same layout by another name.
    let layout = "c = { exponent_bits = 8, fraction_bits = 23, bias = 127, non_finite = \"ieee\" }";
    folder.write("layout.toml", UNIT.replace("c = \"binary32\"", layout));
    folder.succeed(&["show", "layout.toml"]);
}

#[test]
fn chains_that_contradict_themselves() {
    let alignment = "\n[alignment]\nfraction_bits = 24\nrounding = \"to-odd\"\nexponent_floor = \"none\"\n";
    let zero = |sign: &str| UNIT.replace("\"ieee\"", &format!("\"ieee\"\nexact_zero = {sign:?}"));
    let cases = [
        (format!("{UNIT}{alignment}"), "field `alignment` is a table; allowed: none for \"fma-chain\""),
        (format!("{UNIT}\n[sum]\ncarry_bits = 2\n"), "field `sum` is a table; allowed: none for \"fma-chain\""),
        (
            UNIT.replace("c = \"binary32\"", "c = \"bfloat16\""),
            "`formats.c` is bfloat16; allowed: binary32, the format of d",
        ),
        (UNIT.replace("\"binary32\"", "\"e2m1\""), "`formats.d` is e2m1; allowed: a signed format with a NaN"),
        (zero("positive"), "`conversion.exact_zero` is \"positive\"; allowed: \"ieee\" for \"fma-chain\""),
        (zero("negative"), "`conversion.exact_zero` is \"negative\"; allowed: \"ieee\" for \"fma-chain\""),
        (UNIT.replace("fma-chain", "fused"), "field `alignment` is missing; allowed: a table"),
        (
            format!("{}{alignment}", zero("ieee").replace("fma-chain", "fused")),
            "`conversion.exact_zero` is \"ieee\"; allowed: \"positive\" or \"negative\" for \"fused\"",
        ),
    ];
    let folder = Folder::new();
    for (text, message) in &cases {
        folder.write("mine.toml", text);
        let parts = ["error: mine.toml: ", message];
        folder.refuse(&["show", "mine.toml"], &parts);
        folder.refuse(&["emit", "mine.toml", "--out", "rtl"], &parts);
        folder.refuse(&["eval", "mine.toml", "--a", "1"], &parts);
        folder.refuse(&["cosim", "mine.toml", "--vectors", "10", "--json", "out.json"], &parts);
    }
    println!("ran 4 commands on {} unit files of chains", cases.len());
}
