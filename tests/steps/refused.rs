//! Lists of steps that are refused, each by step and field.

use tensorsmith::describe::unit::Unit;

const POWER10: &str = include_str!("units/power10-bf16.toml");

/// What replaces a line of the file, and what the message says behind the file's name.
const REFUSED: [(&str, &str, &str); 26] = [
    ("group = 2", "group = 3", "field `step 1.group` is 3; allowed: a divisor of the 8 numbers that it takes"),
    ("group = 2", "group = 2\nlanes = 3", "field `step 1.lanes` is 3; allowed: a divisor of the 2 numbers of a group"),
    ("group = 2", "groups = 2", "field `step 1.groups` is unknown; allowed: by, c, exponent, group"),
    (
        "group = 2",
        "group = 2\nc = \"first\"",
        "field `step 1.c` is \"first\"; allowed: nothing in a step that makes several",
    ),
    (
        "group = 2",
        "group = 2\nby = 2",
        "field `step 1.by` is given; allowed: nothing unless order = \"chain\" or \"tree\"",
    ),
    (
        "group = 2",
        "group = 2\nstart = \"zero\"",
        "field `step 1.start` is given; allowed: nothing unless order = \"chain\"",
    ),
    (
        "group = 2",
        "group = 2\nscaled = true",
        "field `step 1.scaled` is true; allowed: false, for there is no [scales]",
    ),
    (
        "group = 2",
        "group = 2\nexponent = \"own\"",
        "field `step 1.exponent` is \"own\"; allowed: \"anchor\", \"leading\", or",
    ),
    (
        "group = 2",
        "group = 2\nwindow = { fraction_bits = 24, rounding = \"downward\" }",
        "field `step 1.window.rounding` is \"downward\"; allowed: \"nearest-even\", \"nearest-away\"",
    ),
    (
        "group = 2",
        "group = 2\nwindow = { rounding = \"to-odd\" }",
        "field `step 1.window.fraction_bits` is missing; allowed: 0 to 100",
    ),
    (
        "group = 2",
        "group = 2\nwindow = { fraction_bits = 24, rounding = \"to-odd\", addend = { fraction_bits = 30 } }",
        "field `step 1.window.addend.fraction_bits` is 30; allowed: 0 to 24",
    ),
    (
        "group = 2",
        "group = 2\nwindow = { fraction_bits = 24, rounding = \"to-odd\", sticky = \"joined\" }",
        "field `step 1.window.sticky` is \"joined\"; allowed: \"none\"",
    ),
    (
        "{ precision = 24, rounding = \"nearest-even\" }",
        "{ precision = 24 }",
        "field `step 1.round.rounding` is missing; allowed: \"nearest-even\"",
    ),
    ("precision = 24", "precision = 0", "field `step 1.round.precision` is 0; allowed: 1 to 256"),
    ("precision = 24, ", "", "field `step 1.round.format` is missing; allowed: `format`, or `precision` and"),
    (
        "precision = 24",
        "format = \"binary32\", overflow = \"ieee\", precision = 24",
        "field `step 1.round.precision` is given; allowed: nothing beside `format`",
    ),
    (
        "precision = 24",
        "precision = 24, subnormals = \"flushed\"",
        "field `step 1.round.subnormals` is given; allowed: nothing unless there is a format or exponent_min",
    ),
    (
        "precision = 24",
        "format = \"binary31\", overflow = \"ieee\"",
        "field `step 1.round.format` is \"binary31\"; allowed: binary16",
    ),
    ("precision = 24", "format = \"binary32\"", "field `step 1.round.overflow` is missing; allowed: \"infinity\""),
    (
        "order = \"chain\"",
        "order = \"line\"",
        "field `step 2.order` is \"line\"; allowed: \"at-once\", \"chain\", \"tree\"",
    ),
    (
        "products = 8",
        "products = 8\nwidened = { a = \"binary16\" }",
        "field `widened.a` is binary16; allowed: a format with every number of bfloat16",
    ),
    (", c = \"binary32\", d", ", d", "field `step 2.c` is given; allowed: nothing, for there is no formats.c"),
    ("c = \"first\"\n", "", "field `step` is a list in which c enters 0 steps; allowed: one of them has c"),
    ("round = \"d\"", "", "field `step 2.round` is another one; allowed: \"d\" at its end"),
    (
        "order = \"chain\"\nc = \"first\"",
        "group = 2",
        "field `step` is a list whose last step leaves 2 numbers; allowed: 1",
    ),
    (
        "products = 8",
        "products = 8\nscheme = \"fused\"",
        "field `scheme` is \"fused\"; allowed: nothing beside [[step]]",
    ),
];

#[test]
fn contradicting_lists_are_refused() {
    for (from, to, expected) in REFUSED {
        assert!(POWER10.contains(from), "the file has {from}");
        let text = POWER10.replacen(from, to, 1);
        let error = Unit::from_toml("bad.toml", &text).expect_err(to).to_string();
        assert!(error.starts_with(&format!("bad.toml: {expected}")), "{from} -> {to}: {error}");
    }
}

/// A rounding to the format of a port needs a NaN too, and an operand that is widened has to be there.
#[test]
fn unfit_formats_are_refused() {
    let file = |format: &str, more: &str| {
        let text = format!(
            r#"
            name = "ports"
            products = 4
            formats = {{ a = "e2m1", b = "e5m2", d = "binary16" }}
            conversion = {{ rounding = "nearest-even", overflow = "ieee" }}
            {more}
            step = [{{ round = [{{ format = "{format}", rounding = "to-odd", overflow = "saturate" }}, "d"] }}]
        "#
        );
        Unit::from_toml("ports.toml", &text)
    };
    let error = file("a", "").expect_err("e2m1 has no NaN").to_string();
    assert!(
        error.contains("`step 1.round.format` is \"a\"; allowed: a signed floating-point format with a NaN"),
        "{error}"
    );
    assert!(file("b", "").is_ok());
    let error = file("b", "widened = { c = \"binary32\" }").expect_err("it has no c").to_string();
    assert!(error.contains("`widened.c` is binary32; allowed: nothing, for there is no formats.c"), "{error}");
}

/// Sums too wide for any word are refused, not computed.
#[test]
fn lists_with_too_wide_sums_are_refused() {
    let text = r#"
        name = "wide"
        products = 4
        formats = { a = "binary64", b = "binary64", c = "binary64", d = "binary64" }
        conversion = { rounding = "nearest-even", overflow = "ieee" }
        step = [{ c = "last", round = "d" }]
    "#;
    let error = Unit::from_toml("wide.toml", text).expect_err("4,000 bits").to_string();
    assert!(error.contains("bits; allowed: sums of at most 1024 bits"), "{error}");
}
