//! Unit files of the schemes "exact" and "fused-then-add" that are not accepted.

use super::program::Folder;
use super::support::{first_replaced, replaced};

const UNIT: &str = r#"name = "mine"
scheme = "fused-then-add"
products = 6

[formats]
a = "bfloat16"
b = "bfloat16"
c = "binary32"
d = "binary32"

[alignment]
fraction_bits = 24
rounding = "toward-zero"
exponent_floor = "none"

[addition]
groups = "even-odd"
product_overflow = "infinity"
sum_fraction_bits = 31
addend_fraction_bits = 24
rounding = "downward"
exponent_floor = -126
addend_reach = 25

[conversion]
rounding = "nearest-even"
overflow = "infinity"
"#;

const EXACT: &str = r#"name = "mine"
scheme = "exact"
products = 3
formats = { a = "binary16", b = "e5m2", c = "binary32", d = "binary32" }
conversion = { rounding = "nearest-even", overflow = "infinity" }
"#;

#[test]
fn right_units_are_accepted() {
    let folder = Folder::new();
    for (index, text) in
        [UNIT.to_owned(), replaced(UNIT, "= 25", "= \"unlimited\""), EXACT.to_owned()].iter().enumerate()
    {
        let name = format!("{index}.toml");
        folder.write(&name, text);
        folder.succeed(&["show", &name]);
        folder.succeed(&["cosim", &name, "--vectors", "100", "--engines", "emulator,reference"]);
    }
}

#[test]
fn additions_out_of_range_or_contradicting() {
    let table = &UNIT[UNIT.find("[addition]").expect("a table")..UNIT.find("[conversion]").expect("a table")];
    let plain = replaced(UNIT, table, "");
    let cases = [
        (replaced(UNIT, "bits = 31", "bits = 0"), "`addition.sum_fraction_bits` is 0; allowed: 1 to 100"),
        (replaced(UNIT, "bits = 31", "bits = 101"), "`addition.sum_fraction_bits` is 101; allowed: 1 to 100"),
        (
            replaced(UNIT, "bits = 24\nrounding = \"d", "bits = 32\nrounding = \"d"),
            "`addition.addend_fraction_bits` is 32; allowed: 1 to 31",
        ),
        (replaced(UNIT, "= -126", "= 2201"), "`addition.exponent_floor` is 2201; allowed: -2200 to 2200, or \"none\""),
        (
            replaced(UNIT, "= -126", "= 300"),
            "`addition.exponent_floor` is 300; allowed: at most 254, the highest exponent",
        ),
        (replaced(UNIT, "= 25", "= -1"), "`addition.addend_reach` is -1; allowed: 0 to 4400, or \"unlimited\""),
        (
            replaced(UNIT, "= 25", "= \"none\""),
            "`addition.addend_reach` is \"none\"; allowed: 0 to 4400, or \"unlimited\"",
        ),
        (replaced(UNIT, "\"even-odd\"", "\"halves\""), "field `addition.groups`"),
        (first_replaced(UNIT, "\"infinity\"", "\"ieee\""), "field `addition.product_overflow`"),
        (
            replaced(UNIT, "products = 6", "products = 5"),
            "`products` is 5; allowed: an even number, for addition.groups = \"even-odd\"",
        ),
        (
            replaced(UNIT, "[conversion]", "[sum]\ncarry_bits = 2\n[conversion]"),
            "field `sum` is given; allowed: nothing for \"fused-then-add\", only for \"fma-chain\", \"fused\"",
        ),
        (
            replaced(UNIT, "[conversion]", "[conversion]\nexact_zero = \"ieee\""),
            "`conversion.exact_zero` is \"ieee\"; allowed: \"positive\" or \"negative\" for \"fused-then-add\"",
        ),
        (plain.clone(), "missing field `addition`"),
        (
            replaced(UNIT, "fused-then-add", "fused"),
            "field `addition` is given; allowed: nothing for \"fused\", only for \"fused-then-add\"",
        ),
        (
            replaced(
                UNIT,
                "d = \"binary32\"",
                "d = { exponent_bits = 2, fraction_bits = 3, bias = -1100, non_finite = \"ieee\" }",
            ),
            "the sum needs",
        ),
        (
            format!("{EXACT}alignment = {{ fraction_bits = 9, rounding = \"toward-zero\", exponent_floor = 0 }}\n"),
            "field `alignment` is given; allowed: nothing for \"exact\", only for \"fused\"",
        ),
        (
            format!("{EXACT}sum = {{ carry_bits = 1 }}\n"),
            "field `sum` is given; allowed: nothing for \"exact\", only for \"fma-chain\", \"fused\"",
        ),
        (
            replaced(EXACT, "\"infinity\"", "\"infinity\", exact_zero = \"ieee\""),
            "`conversion.exact_zero` is \"ieee\"; allowed: \"positive\" or \"negative\" for \"exact\"",
        ),
        (
            replaced(EXACT, "\"binary16\"", "\"binary64\""),
            "field `formats` is a binary64, b e5m2, c binary32; allowed: formats whose exact sum is narrow enough: the sum needs",
        ),
    ];
    let folder = Folder::new();
    for (text, message) in &cases {
        folder.write("mine.toml", text);
        folder.refuse(&["show", "mine.toml"], &["mine.toml", message]);
    }
    println!("refused {} unit files", cases.len());
}

#[test]
fn totals_out_of_range() {
    let folder = Folder::new();
    for total in ["101", "-1", "\"none\""] {
        folder.write("mine.toml", replaced(UNIT, "= 25", &format!("= 25\ntotal_fraction_bits = {total}")));
        let message = format!("`addition.total_fraction_bits` is {total}; allowed: 0 to 100, or \"unlimited\"");
        folder.refuse(&["show", "mine.toml"], &["mine.toml", &message]);
    }
    for total in ["0", "100", "\"unlimited\""] {
        folder.write("mine.toml", replaced(UNIT, "= 25", &format!("= 25\ntotal_fraction_bits = {total}")));
        folder.succeed(&["show", "mine.toml"]);
    }
}
