//! Unit files that are not accepted: each message names the file, the field, the value and what is allowed.

use super::program::Folder;
use super::support::{first_replaced, long_tier};

pub const UNIT: &str = r#"name = "mine"
scheme = "fused"
products = 4

[formats]
a = "binary16"
b = "binary16"
c = "binary32"
d = "binary32"

[alignment]
fraction_bits = 24
rounding = "toward-zero"
exponent_floor = "none"

[conversion]
rounding = "toward-zero"
overflow = "infinity"
"#;

const LAYOUT: &str = "{ exponent_bits = 5, fraction_bits = 10, bias = 15, non_finite = \"ieee\" }";

/// Commands that read a unit.
static COMMANDS: [&[&str]; 4] = [
    &["show", "mine.toml"],
    &["emit", "mine.toml", "--out", "rtl"],
    &["eval", "mine.toml", "--a", "1"],
    &["cosim", "mine.toml", "--vectors", "10", "--json", "out.json", "--junit", "out.xml"],
];

/// Every command that reads a unit refuses this text, and names what is wrong. All of them read with the same reader: in the
/// ordinary tier one is asked, which one the length of the text says.
pub fn refused(text: impl AsRef<[u8]>, parts: &[&str]) {
    let folder = Folder::new();
    let own = text.as_ref().len() % COMMANDS.len();
    folder.write("mine.toml", text);
    let parts = [&["error: mine.toml: "], parts].concat();
    let asked = if long_tier() { &COMMANDS[..] } else { &COMMANDS[own..=own] };
    asked.iter().for_each(|command| folder.refuse(command, &parts));
}

/// The right unit file with one text replaced.
pub fn changed(from: &str, to: &str) -> String {
    first_replaced(UNIT, from, to)
}

#[test]
fn right_file_is_accepted() {
    let folder = Folder::new();
    folder.write("mine.toml", UNIT);
    folder.succeed(&["show", "mine.toml"]);
    folder.write("layout.toml", changed("\"binary16\"", LAYOUT));
    folder.succeed(&["eval", "layout.toml", "--a", "1.5", "--b", "2"]);
}

#[test]
fn values_out_of_range() {
    let cases = [
        ("products = 4", "products = 0", "`products` is 0; allowed: 1 to 64"),
        (
            "products = 4",
            "products = 4\nsummary = \"one\\nmodule two; endmodule\"",
            "`summary` is \"one\\nmodule two; endmodule\"; allowed: one line, without control characters",
        ),
        ("products = 4", "products = 65", "`products` is 65; allowed: 1 to 64"),
        ("products = 4", "products = -1", "`products` is -1; allowed: 1 to 64"),
        ("products = 4", "products = \"four\"", "`products` is \"four\"; allowed: 1 to 64"),
        ("products = 4", "products = 4.0", "`products` is 4.0; allowed: 1 to 64"),
        ("products = 4", "products = true", "`products` is true; allowed: 1 to 64"),
        ("bits = 24", "bits = 0", "`alignment.fraction_bits` is 0; allowed: 1 to 100"),
        ("bits = 24", "bits = 101", "`alignment.fraction_bits` is 101; allowed: 1 to 100"),
        (
            "bits = 24",
            "bits = 9223372036854775807",
            "`alignment.fraction_bits` is 9223372036854775807; allowed: 1 to 100",
        ),
        ("floor = \"none\"", "floor = 5000", "`alignment.exponent_floor` is 5000; allowed: -2200 to 2200, or \"none\""),
        (
            "floor = \"none\"",
            "floor = \"nine\"",
            "`alignment.exponent_floor` is \"nine\"; allowed: -2200 to 2200, or \"none\"",
        ),
        ("floor = \"none\"", "floor = 128", "`alignment.exponent_floor` is 128; allowed: at most 127"),
        ("[conversion]", "sum.carry_bits = 4\n[conversion]", "unknown field `sum`"),
        ("[formats]", "sum.carry_bits = 5\n[formats]", "`sum.carry_bits` is 5; allowed: 0 to 4"),
        ("[formats]", "sum.carry_bits = -1\n[formats]", "`sum.carry_bits` is -1; allowed: 0 to "),
        ("[formats]", "sum.carry_bits = \"few\"\n[formats]", "or \"derived\""),
    ];
    for (from, to, message) in cases {
        refused(changed(from, to), &[message]);
    }
    println!("refused {} unit files with a value out of range", cases.len());
}

#[test]
fn layouts_out_of_range() {
    let cases = [
        ("exponent_bits = 5", "exponent_bits = 0", "`formats.a.exponent_bits` is 0; allowed: 1 to 11"),
        ("exponent_bits = 5", "exponent_bits = 12", "`formats.a.exponent_bits` is 12; allowed: 1 to 11"),
        ("fraction_bits = 10", "fraction_bits = 0", "`formats.a.fraction_bits` is 0; allowed: 1 to 52"),
        ("fraction_bits = 10", "fraction_bits = 53", "`formats.a.fraction_bits` is 53; allowed: 1 to 52"),
        (
            "fraction_bits = 10",
            "fraction_bits = 50, padding_bits = 9",
            "`formats.a.padding_bits` is 9; allowed: 0 to 8",
        ),
        ("bias = 15", "padding_bits = 33, bias = 15", "`formats.a.padding_bits` is 33; allowed: 0 to 32"),
        ("bias = 15", "bias = 1101", "`formats.a.bias` is 1101; allowed: -1100 to 1100"),
        ("bias = 15", "bias = -1101", "`formats.a.bias` is -1101; allowed: -1100 to 1100"),
        ("bias = 15", "bias = 1e3", "`formats.a.bias` is 1000.0; allowed: -1100 to 1100"),
        ("\"ieee\"", "\"ieee754\"", "unknown variant `ieee754`, expected one of `none`, `ieee`"),
        ("bias = 15, ", "", "missing field `bias`"),
        ("bias = 15", "bais = 15", "unknown field `bais`, expected one of"),
    ];
    for (from, to, message) in cases {
        refused(changed("\"binary16\"", &LAYOUT.replace(from, to)), &[message]);
    }
    println!("refused {} unit files with a wrong layout", cases.len());
}

/// What is missing in the whole file is no fault of the field that comes first.
#[test]
fn missing_fields() {
    let text = UNIT.replace("products = 4\n", "");
    refused(&text, &["error: mine.toml: TOML parse error", "missing field `products`"]);
    refused(
        UNIT.replace("fraction_bits = 24\n", ""),
        &["mine.toml: field `alignment`: ", "missing field `fraction_bits`"],
    );
}

#[test]
fn contradictions() {
    let to_e4m3 = |from: &str, to: &str| changed("d = \"binary32\"", "d = \"e4m3\"").replacen(from, to, 1);
    let cases = [
        (
            changed("\"infinity\"", "\"infinity\"\nnan = 0x7f800000"),
            "`conversion.nan` is 0x7f800000; allowed: a NaN encoding of binary32",
        ),
        (
            changed("\"infinity\"", "\"infinity\"\nnan = 0x17fffffff"),
            "`conversion.nan` is 0x17fffffff; allowed: a NaN encoding",
        ),
        (
            changed("\"infinity\"", "\"infinity\"\nnan = -1"),
            "`conversion.nan` is 0xffffffffffffffff; allowed: a NaN encoding",
        ),
        (changed("\"infinity\"", "\"infinity\"\nnan = \"quiet\""), "`conversion.nan` is \"quiet\"; allowed:"),
        (
            to_e4m3("\"infinity\"", "\"infinity\"\nnan = 0x7e"),
            "`conversion.nan` is 0x7e; allowed: a NaN encoding of e4m3, such as 0x7f",
        ),
        (changed("d = \"binary32\"", "d = \"e2m1\""), "`formats.d` is e2m1; allowed: a signed format with a NaN"),
        (changed("d = \"binary32\"", "d = \"ue4m3\""), "`formats.d` is ue4m3; allowed: a signed format with a NaN"),
        (changed("a = \"binary16\"", "a = \"ue8m0\""), "`formats.a` is ue8m0; allowed: a format with a fraction"),
        (changed("a = \"binary16\"", "a = \"fp16\""), "`formats.a` is \"fp16\"; allowed: binary16, bfloat16"),
        (
            changed("d = \"binary32\"", "d = \"e5m2fnuz\"")
                .replace("\"infinity\"", "\"infinity\"\nexact_zero = \"negative\""),
            "`conversion.exact_zero` is \"negative\"; allowed: \"positive\": e5m2fnuz has no minus zero",
        ),
        (
            format!("{UNIT}[evidence]\n\"alignment.floor\" = {{ grade = \"chosen\", source = \"\" }}\n"),
            "`evidence` is \"alignment.floor\"; allowed: scheme, products",
        ),
        (format!("{UNIT}[evidence]\nproducts = {{ grade = \"sure\", source = \"\" }}\n"), "unknown variant `sure`"),
        (UNIT.replace("\"binary16\"", "\"binary64\""), "`alignment.exponent_floor` is \"none\"; allowed: "),
        (
            UNIT.replace("\"binary16\"", "\"binary64\"").replace("\"none\"", "-2000"),
            "`alignment.exponent_floor` is -2000; allowed: ",
        ),
        (UNIT.replace("\"binary16\"", "\"binary64\""), "alignment.fraction_bits = 24"),
    ];
    for (text, message) in &cases {
        refused(text, &[message]);
    }
    println!("refused {} contradictory unit files", cases.len());
}

/// Descriptions that look like units but are too large: the first limit that is passed is named, at once.
#[test]
fn enormous_units() {
    let wide = UNIT.replace("\"binary16\"", "\"binary64\"").replace("\"binary32\"", "\"binary64\"");
    let products = |count: &str| wide.replace("products = 4", &format!("products = {count}"));
    let floor = |text: &str, floor: &str| text.replace("\"none\"", floor);
    let exact = |text: &str| text.replace("bits = 24", "bits = 2100");
    let cases = [
        (products("1024"), "`products` is 1024; allowed: 1 to 64"),
        (floor(&products("1024"), "-100"), "`products` is 1024; allowed: 1 to 64"),
        (products("1_000_000_000"), "`products` is 1000000000; allowed: 1 to 64"),
        (products("4294967297"), "`products` is 4294967297; allowed: 1 to 64"),
        (products("18446744073709551617"), "`products` is 18446744073709551617; allowed: 1 to 64"),
        (exact(&products("64")), "`alignment.fraction_bits` is 2100; allowed: 1 to 100"),
        (products("64"), "`alignment.exponent_floor` is \"none\"; allowed: "),
        (floor(&products("64"), "-2200"), "`alignment.exponent_floor` is -2200; allowed: "),
        (products("1"), "the sum needs "),
        (floor(&products("64"), "-99999"), "`alignment.exponent_floor` is -99999; allowed: -2200 to 2200, or \"none\""),
    ];
    let begin = std::time::Instant::now();
    for (text, message) in &cases {
        refused(text, &[message]);
    }
    let seconds = begin.elapsed().as_secs();
    assert!(seconds < 20, "refusing {} enormous units took {seconds} s", cases.len());
    println!("refused {} enormous units in {seconds} s", cases.len());
}

/// The floor that the message about width allows is enough, and one less is not.
#[test]
fn least_floor_is_enough() {
    let wide = UNIT.replace("\"binary16\"", "\"binary64\"");
    let folder = Folder::new();
    folder.write("wide.toml", &wide);
    let message = folder.run(&["show", "wide.toml"]).stderr;
    let allowed = message.split("allowed: ").nth(1).and_then(|rest| rest.split(" to ").next()).expect("a range");
    let least: i32 = allowed.parse().unwrap_or_else(|_| panic!("{allowed:?} begins no range: {message}"));
    folder.write("least.toml", wide.replace("\"none\"", &least.to_string()));
    folder.succeed(&["eval", "least.toml", "--a", "1", "--b", "2", "--engines", "emulator,reference"]);
    folder.write("less.toml", wide.replace("\"none\"", &(least - 1).to_string()));
    folder.refuse(&["show", "less.toml"], &["`alignment.exponent_floor`", &format!("allowed: {least} to ")]);
}

#[test]
fn fields_missing_or_misspelt() {
    let lines: Vec<&str> = UNIT.lines().collect();
    let with = |index: usize, line: &str| [&lines[..index], &[line], &lines[index + 1..]].concat().join("\n");
    let mut cases = 0;
    let mut table = "";
    for (index, line) in lines.iter().enumerate() {
        let Some((field, value)) = line.split_once(" = ") else {
            table = line;
            continue;
        };
        // Without c there is no addend.
        if field != "c" {
            refused(with(index, ""), &[&format!("missing field `{field}`"), table]);
        }
        let misspelt = format!("{field}x");
        refused(with(index, &format!("{misspelt} = {value}")), &[&format!("unknown field `{misspelt}`"), value]);
        refused(with(index, &format!("{field} = [[]]")), &[field, "[[]]"]);
        refused(with(index, &format!("{line}\n{line}")), &["duplicate key", line]);
        cases += 4;
    }
    for table in ["[formats]", "[alignment]", "[conversion]"] {
        refused(changed(table, "[other]"), &["unknown field `other`"]);
        cases += 1;
    }
    println!("refused {cases} unit files with a field missing, misspelt, mistyped or doubled");
}

#[test]
fn words_out_of_the_list() {
    let cases = [
        ("\"fused\"", "\"chained\"", "unknown variant `chained`"),
        ("rounding = \"toward-zero\"\nexponent", "rounding = \"up\"\nexponent", "unknown variant `up`"),
        (
            "overflow = \"infinity\"",
            "overflow = \"wrap\"",
            "`conversion.overflow` is \"wrap\"; allowed: \"infinity\" or \"saturate\" or \"ieee\" for \"fused\"",
        ),
        (
            "overflow = \"infinity\"",
            "overflow = \"infinity\"\nexact_zero = \"minus\"",
            "`conversion.exact_zero` is \"minus\"; allowed: \"positive\" or \"negative\" for \"fused\"",
        ),
        ("[conversion]", "subnormals.result = \"gone\"\n[conversion]", "unknown field `subnormals`"),
        (
            "[formats]",
            "subnormals.result = \"gone\"\n[formats]",
            "`subnormals.result` is \"gone\"; allowed: \"kept\" or \"flushed\" for \"fused\"",
        ),
        ("[formats]", "recordings = { devices = [\"X\"] }\n[formats]", "unknown field `recordings`"),
    ];
    for (from, to, message) in cases {
        refused(changed(from, to), &[message]);
    }
    println!("refused {} unit files with a word that is not in the list", cases.len());
}

#[test]
fn files_that_are_no_unit_files() {
    refused("", &["missing field `name`"]);
    refused("name = ", &["line 1, column 8"]);
    refused("[formats", &["line 1"]);
    refused("\u{0}\u{1}\u{2}", &["line 1"]);
    refused([0xff, 0xfe, 0x00, 0x80, 0xc3], &["cannot be read", "UTF-8"]);
    refused("[".repeat(100_000), &["line 1"]);
    refused("a.".repeat(50_000) + "a = 1", &["recursion limit"]);
    let folder = Folder::new();
    std::fs::create_dir(folder.path("folder.toml")).expect("a folder");
    folder.refuse(&["show", "folder.toml"], &["error: folder.toml: cannot be read: "]);
    folder.refuse(&["show", "missing.toml"], &["error: missing.toml: cannot be read: No such file"]);
    folder.refuse(&["emit", "missing/mine", "--out", "rtl"], &["error: missing/mine: cannot be read: "]);
    for command in [&["show"][..], &["emit", "--out", "rtl"]] {
        let arguments = [command, &["volta-mma-m8n8k4-fp16-fp32"]].concat();
        folder.refuse(&arguments, &["volta-mma-m8n8k4-fp16-fp32 is an instruction", "its own: volta-fp16-fp32"]);
    }
    folder.refuse(&["show", "volta"], &["unknown unit \"volta\"; nearest: volta-", "; allowed: a file (.toml), or"]);
    folder.refuse(&["cosim", "tiny-nearest", "volta"], &["unknown unit or instruction \"volta\""]);
    println!("ran 12 files that are no unit files, or no files");
}
