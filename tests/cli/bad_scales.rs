//! Unit files whose scales are not accepted, and scales of `eval` that a unit does not have.

use super::program::Folder;
use super::support::replaced;

const UNIT: &str = r#"name = "mine"
scheme = "block-scaled"
products = 16

[formats]
a = "e2m1"
b = "e2m1"
c = "binary32"
d = "binary32"

[alignment]
fraction_bits = 35
rounding = "toward-zero"
exponent_floor = -139

[scales]
a = "ue4m3"
b = { exponent_bits = 4, fraction_bits = 2, bias = 7, non_finite = "none" }
block = 8
group = 4

[conversion]
rounding = "toward-zero"
overflow = "infinity"
"#;

/// The right unit file with one text replaced.
fn changed(from: &str, to: &str) -> String {
    replaced(UNIT, from, to)
}

#[test]
fn right_scales_are_accepted() {
    let folder = Folder::new();
    folder.write("mine.toml", UNIT);
    folder.succeed(&["show", "mine.toml"]);
    folder.succeed(&["eval", "mine.toml", "--a", "1", "--b", "2", "--scale-a", "0.5", "--scale-b", "1.25,3"]);
    folder.write("elementwise.toml", changed("group = 4", ""));
    folder.succeed(&["cosim", "elementwise.toml", "--vectors", "100", "--engines", "emulator,reference"]);
}

#[test]
fn scales_out_of_range_or_contradicting() {
    let layout = "{ exponent_bits = 4, fraction_bits = 2, bias = 7, non_finite = \"none\" }";
    let cases = [
        ("block = 8", "block = 0", "`scales.block` is 0; allowed: 1 to 64"),
        ("block = 8", "block = 6", "`scales.block` is 6; allowed: a number that divides products = 16"),
        ("group = 4", "group = 3", "`scales.group` is 3; allowed: a number that divides scales.block = 8"),
        ("group = 4", "group = \"all\"", "`scales.group` is \"all\"; allowed: 1 to 64"),
        ("\"ue4m3\"", "\"e4m3\"", "`scales.a` is \"e4m3\"; allowed: ue8m0, ue4m3, or a table with a layout"),
        ("\"ue4m3\"", "\"ue5m3\"", "`scales.a` is \"ue5m3\"; allowed: ue8m0, ue4m3, or a table with a layout"),
        ("\"none\" }", "\"ieee\" }", "`scales.b.non_finite` is \"ieee\"; allowed: \"none\", \"all-ones-nan\""),
        (layout, &layout.replace("bits = 4", "bits = 9"), "`scales.b.exponent_bits` is 9; allowed: 1 to 8"),
        (layout, &layout.replace("bits = 2", "bits = 9"), "`scales.b.fraction_bits` is 9; allowed: 0 to 8"),
        (layout, &layout.replace("= 7", "= 301"), "`scales.b.bias` is 301; allowed: -300 to 300"),
        (layout, &layout.replace(" }", ", padding_bits = 1 }"), "`scales.b.padding_bits` is 1; allowed: 0 to 0"),
        (
            "\"block-scaled\"",
            "\"fused\"",
            "`scales` is given; allowed: nothing for \"fused\", only for \"block-scaled\"",
        ),
        (
            "floor = -139",
            "floor = -139\nnormalise_products = true",
            "`alignment.normalise_products` is true; allowed: false",
        ),
        ("floor = -139", "floor = 200", "`alignment.exponent_floor` is 200; allowed: at most 127"),
        (
            "a = \"e2m1\"",
            "a = \"bfloat16\"",
            "`scales.group` is 4; allowed: formats of a and b, and groups, whose exact sum",
        ),
        (
            "a = \"e2m1\"",
            "a = { exponent_bits = 2, fraction_bits = 1, bias = -40, non_finite = \"none\" }",
            "`formats` is a e2m1, b e2m1; allowed: formats with products around 1",
        ),
        (
            "[conversion]",
            "[sum]\ncarry_bits = 5\n[conversion]",
            "`sum.carry_bits` is 5; allowed: 0 to 4: 3 always suffice",
        ),
        ("c = \"binary32\"", "c = \"ue8m0\"", "`formats.c` is ue8m0; allowed: a format with a fraction and subnormals"),
    ];
    let folder = Folder::new();
    for (from, to, message) in &cases {
        folder.write("mine.toml", changed(from, to));
        folder.refuse(&["show", "mine.toml"], &["error: mine.toml: ", message]);
        folder.refuse(&["emit", "mine.toml", "--out", "rtl"], &["error: mine.toml: ", message]);
    }
    let table = UNIT.find("[scales]").expect("a table")..UNIT.find("[conversion]").expect("a table");
    folder.write("mine.toml", UNIT.replace(&UNIT[table], ""));
    folder.refuse(&["show", "mine.toml"], &["missing field `scales`"]);
    println!("{} unit files refused", cases.len() + 1);
}

#[test]
fn scales_of_eval() {
    let folder = Folder::new();
    for (arguments, message) in [
        (["volta-fp16-fp32", "--scale-a", "1"], "--scale-a: volta-fp16-fp32 has no scales"),
        (["blackwell-mx-e4m3-fp32", "--scale-b", "1,1"], "--scale-b has 2 numbers; allowed: at most 1, the scales"),
        (["blackwell-nvf4-fp32", "--scale-a", "one"], "--scale-a, number 1: "),
        (["blackwell-nvf4-fp32", "--scale-a", "0x80"], "--scale-a, number 1: "),
        (["blackwell-nvf4-fp32", "--scale-a=-1", "--trace"], "--scale-a, number 1: "),
        (["blackwell-mx-e4m3-fp32", "--scale-b=0", "--trace"], "--scale-b, number 1: "),
        (["blackwell-mx-e4m3-fp32", "--scale-b=-2", "--trace"], "--scale-b, number 1: "),
    ] {
        folder.refuse(&[&["eval"], &arguments[..]].concat(), &[message]);
    }
}
