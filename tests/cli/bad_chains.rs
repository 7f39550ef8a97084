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
    assert!(folder.succeed(&["show", "mine.toml"]).stdout.contains("order = \"chain\", c = \"first\""));
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
        (
            format!("{UNIT}{alignment}"),
            "field `alignment` is given; allowed: nothing for \"fma-chain\", only for \"fused\", \"block-scaled\"",
        ),
        (
            format!("{UNIT}\n[sum]\ncarry_bits = 2\n"),
            "`sum.carry_bits` is given; allowed: nothing for \"fma-chain\", only for \"fused\", \"block-scaled\"",
        ),
        (format!("{UNIT}\n[sum]\norder = \"random\"\n"), "field `sum.order`: "),
        (
            format!("{UNIT}\n[subnormals]\noperands = \"flushed\"\naddend = \"flushed-to-plus-zero\"\n"),
            "`subnormals.addend` is \"flushed-to-plus-zero\"; allowed: \"kept\" or \"flushed\" for \"fma-chain\"",
        ),
        (
            UNIT.replace("c = \"binary32\"", "c = \"bfloat16\""),
            "`formats.c` is bfloat16; allowed: binary32, the format of d",
        ),
        (UNIT.replace("\"binary32\"", "\"e2m1\""), "`formats.d` is e2m1; allowed: a signed format with a NaN"),
        (
            UNIT.replace("overflow", "nan = \"0x7fffffff\"\noverflow"),
            "`conversion.nan` is \"0x7fffffff\"; allowed: the encoding of a NaN, an integer such as 0x7fc00000",
        ),
        (zero("positive"), "`conversion.exact_zero` is \"positive\"; allowed: \"ieee\" for \"fma-chain\""),
        (zero("negative"), "`conversion.exact_zero` is \"negative\"; allowed: \"ieee\" for \"fma-chain\""),
        (UNIT.replace("fma-chain", "fused"), "missing field `alignment`"),
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
    println!("refused {} unit files of chains", cases.len());
}

/// The other schemes of rounded operations, and what other schemes cannot say.
#[test]
fn operations_that_contradict_themselves() {
    let of = |scheme: &str| UNIT.replace("fma-chain", scheme);
    let fused = of("fused").replace("overflow = \"ieee\"", "overflow = \"infinity\"")
        + "[alignment]\nfraction_bits = 24\nrounding = \"toward-zero\"\nexponent_floor = \"none\"\n";
    let order = "[sum]\norder = \"descending\"\n";
    let odd = |scheme: &str| of(scheme).replace("products = 4", "products = 3");
    let long = of("pair-chain").replace("bfloat16", "binary64").replace("binary32", "binary64");
    let cases = [
        (odd("even-odd-chain"), "`products` is 3; allowed: an even number, for \"even-odd-chain\""),
        (odd("pair-chain"), "`products` is 3; allowed: an even number, for \"pair-chain\""),
        (long, "`formats` is a binary64, b binary64, c binary64; allowed: formats whose exact sum is narrow enough"),
        (
            of("even-odd-chain") + order,
            "`sum` is given; allowed: nothing for \"even-odd-chain\", only for \"fma-chain\", \"fused\"",
        ),
        (
            of("pairwise") + order,
            "`sum` is given; allowed: nothing for \"pairwise\", only for \"fma-chain\", \"fused\"",
        ),
        (of("pairwise").replace("c = \"binary32\"", "c = \"tf32\""), "`formats.c` is tf32; allowed: binary32"),
        (fused.clone() + order, "`sum.order` is given; allowed: nothing for \"fused\", only for \"fma-chain\""),
        (
            fused.clone() + "[subnormals]\noperands = \"flushed-to-plus-zero\"\n",
            "`subnormals.operands` is \"flushed-to-plus-zero\"; allowed: \"kept\" or \"flushed\"",
        ),
        (
            fused + "[subnormals]\nresult = \"flushed-if-tiny\"\n",
            "`subnormals.result` is \"flushed-if-tiny\"; allowed: \"kept\" or \"flushed\"",
        ),
    ];
    let folder = Folder::new();
    for scheme in ["even-odd-chain", "pairwise", "pair-chain"] {
        folder.write("mine.toml", of(scheme));
        folder.succeed(&["eval", "mine.toml", "--a", "1.5", "--b", "2", "--engines", "emulator,reference", "--trace"]);
    }
    for (text, message) in &cases {
        folder.write("mine.toml", text);
        folder.refuse(&["show", "mine.toml"], &["error: mine.toml: ", message]);
    }
    println!("ran show on {} unit files of operations", cases.len());
}
