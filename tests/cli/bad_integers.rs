//! Unit files that mix integers and floating point.

use super::bad_units::{changed, refused};
use super::program::Folder;

const INTEGERS: &str = r#"name = "mine"
scheme = "integer"
products = 4
formats = { a = "int8", b = "uint8", c = "int32", d = "int32" }
conversion = { overflow = "wrap" }
"#;

/// Integer units have no floating-point choices, and floating-point units no integers.
#[test]
fn integers_and_floating_point_mixed() {
    let folder = Folder::new();
    folder.write("right.toml", INTEGERS);
    folder.succeed(&["eval", "right.toml", "--a", "-128", "--b", "255", "--c", "-1"]);
    let cases = [
        ("a = \"int8\"", "a = \"e4m3\"", "`formats.a` is e4m3; allowed: int4, uint4, int8, uint8, int32"),
        ("d = \"int32\"", "d = \"int16\"", "`formats.d` is \"int16\"; allowed: binary16"),
        (
            "\"wrap\"",
            "\"infinity\"",
            "`conversion.overflow` is \"infinity\"; allowed: \"saturate\" or \"wrap\" for \"integer\"",
        ),
        (
            "\"wrap\"",
            "\"wrap\", rounding = \"to-odd\"",
            "`conversion.rounding` is given; allowed: nothing for \"integer\", only for \"exact\"",
        ),
        (
            "\"wrap\"",
            "\"wrap\", nan = 1",
            "`conversion.nan` is given; allowed: nothing for \"integer\", only for \"exact\"",
        ),
        ("products = 4", "products = 65", "`products` is 65; allowed: 1 to 64"),
        (
            "products = 4",
            "products = 4\nsum = {}",
            "`sum` is given; allowed: nothing for \"integer\", only for \"fma-chain\"",
        ),
        (
            "products = 4",
            "products = 4\nalignment = {}",
            "`alignment` is given; allowed: nothing for \"integer\", only for \"fused\"",
        ),
        (
            "products = 4",
            "products = 4\nsubnormals = {}",
            "`subnormals` is given; allowed: nothing for \"integer\", only for \"exact\"",
        ),
        ("products = 4", "products = 4\nevidence.\"sum\" = { grade = \"chosen\", source = \"\" }", "allowed: scheme"),
    ];
    for (from, to, message) in cases {
        assert!(INTEGERS.contains(from), "{from:?} stands in the unit file");
        refused(INTEGERS.replacen(from, to, 1), &[message]);
    }
    let message = "`formats.a` is int8; allowed: a floating-point format; integers need scheme = \"integer\"";
    refused(changed("\"binary16\"", "\"int8\""), &[message]);
    println!("refused {} unit files that mix integers and floating point", cases.len() + 1);
}
