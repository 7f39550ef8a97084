//! Instruction files of the user's own, with units in files beside them: accepted wherever an instruction is named, and
//! refused with the file and the field that is wrong.

use super::program::{Folder, SOFTWARE, engines};
use super::support::long_tier;

const UNIT: &str = r#"name = "own-unit"
scheme = "fused"
products = 4
formats = { a = "e4m3", b = "e4m3", c = "binary16", d = "binary16" }
alignment = { fraction_bits = 9, rounding = "toward-zero", exponent_floor = "none" }
conversion = { rounding = "toward-zero", overflow = "infinity" }
"#;

const ADDER: &str = r#"name = "own-adder"
scheme = "fma-chain"
products = 1
formats = { a = "binary16", b = "binary16", c = "binary32", d = "binary32" }
conversion = { rounding = "nearest-even", overflow = "ieee" }
"#;

const INSTRUCTION: &str = r#"name = "own"
summary = "two blocks of my unit from zero, then c"
unit = "units/own-unit.toml"
shape = { m = 4, n = 4, k = 8 }
order = "contiguous"
start = "zero"
final_addition = "units/own-adder.toml"
evidence = { grade = "chosen", source = "a test" }
"#;

/// The instruction in a folder of its own, and its units in one below.
fn written() -> Folder {
    let folder = Folder::new();
    folder.write("mine/own.toml", INSTRUCTION);
    folder.write("mine/units/own-unit.toml", UNIT);
    folder.write("mine/units/own-adder.toml", ADDER);
    folder
}

const OWN: &str = "mine/own.toml";

#[test]
fn own_instruction_on_every_engine() {
    let folder = written();
    let before = folder.content();
    for named in [&[OWN][..], &["--unit", OWN]] {
        let run = folder.succeed(&[&["cosim", "--vectors", "2000", "--engines", engines()], named].concat());
        assert!(run.stdout.contains("own: 2,000 vectors compared, 0 mismatches"), "{}", run.stdout);
        let count = engines().split(',').count();
        assert_eq!(run.stdout.matches(" ran 2,000 vectors, ").count(), count, "{}", run.stdout);
    }
    let matrices = ["cosim", OWN, "--matrices", "--vectors", "1000", "--engines", engines()];
    assert!(folder.succeed(&matrices).stdout.contains("elements of D compared, 0 mismatches"));
    assert_eq!(folder.content(), before, "nothing is written where nothing differs");
}

/// 1 * 1 + ... of 8 products is 8, in any order; c is added in binary32.
#[test]
fn own_instruction_where_instructions_are_named() {
    let folder = written();
    let ones = ["1"; 8].join(",");
    let eval = ["eval", OWN, "--a", &ones, "--b", &ones, "--c", "0x1p-15", "--engines", engines()];
    let shown = folder.succeed(&eval).stdout;
    assert_eq!(shown.matches("| 8.000030517578125 ").count(), engines().split(',').count(), "{shown}");
    folder.refuse(&[&eval[..], &["--trace"]].concat(), &["--trace: own is an instruction"]);

    folder.write("a.txt", "1 1 1 1 1 1 1 1\n2 0 0 0 0 0 0 0\n");
    folder.write("b.txt", "1\n1\n1\n1\n1\n1\n1\n0x1p-3\n");
    let gemm = ["gemm", OWN, "--a", "a.txt", "--b", "b.txt", "--engines", engines()];
    assert_eq!(folder.succeed(&gemm).stdout, "7.125\n2\n");
    // A unit is an instruction of one block.
    let unit = ["gemm", "mine/units/own-unit.toml", "--a", "a.txt", "--b", "b.txt", "--engines", engines()];
    assert_eq!(folder.succeed(&unit).stdout, "7.125\n2\n");

    let run = folder.succeed(&["distinguish", OWN, OWN, "--vectors", "2000"]);
    assert!(run.stdout.contains("no difference found on 2,000 vectors"), "{}", run.stdout);
}

/// Wrong compositions answer otherwise, and the command that `distinguish` prints shows it.
#[test]
fn wrong_compositions_are_told_apart() {
    let folder = written();
    let faults = [
        ("order", INSTRUCTION.replace("\"contiguous\"", "\"interleaved-pairs\"")),
        ("products", INSTRUCTION.replace("own-unit.toml", "eight.toml")),
        ("final_addition", INSTRUCTION.replace("\"units/own-adder.toml\"", "\"units/cut-adder.toml\"")),
    ];
    folder.write("mine/units/eight.toml", UNIT.replace("products = 4", "products = 8"));
    folder.write("mine/units/cut-adder.toml", ADDER.replace("nearest-even", "toward-zero"));
    for (field, text) in &faults {
        assert_ne!(text, INSTRUCTION, "{field}: the fault changes something");
        folder.write("mine/wrong.toml", text);
        let run = folder.succeed(&["distinguish", OWN, "mine/wrong.toml", "--vectors", "200000"]);
        let shown = run.stdout.lines().filter_map(|line| line.strip_prefix("  tensorsmith "));
        let answer = |command: &str| {
            let words: Vec<&str> = command.split_whitespace().collect();
            let shown = folder.succeed(&words).stdout;
            shown.lines().find(|line| line.contains("d (emulator)")).expect("an answer").to_owned()
        };
        let answers: Vec<String> = shown.map(answer).collect();
        assert_eq!(answers.len(), 2, "{field}: {}", run.stdout);
        assert_ne!(answers[0], answers[1], "{field}");
    }
    println!("told {} wrong compositions apart", faults.len());
}

/// A program that answers 0 to everything.
const ZEROS: &str = "read hello\necho hello 1 zeros 1\nwhile read line; do\n  if [ \"$line\" = flush ]; then echo flush; else echo 0; fi\ndone\n";

/// The case file of a mismatch carries the instruction and its units.
#[test]
fn case_of_an_own_instruction() {
    let folder = written();
    folder.write("zeros.sh", ZEROS);
    let arguments =
        ["--vectors", "300", "--engines", "emulator,external", "--external", "sh zeros.sh", "--cases", "cases"];
    let run = folder.run(&[&["cosim", OWN], &arguments[..]].concat());
    assert_eq!(run.code, 1, "{run:?}");
    let case =
        std::fs::read_dir(folder.path("cases")).expect("a folder").next().expect("a case").expect("a case").path();
    let elsewhere = Folder::new();
    elsewhere.write("case.toml", std::fs::read(case).expect("a case"));
    let run = elsewhere.succeed(&["cosim", "--case", "case.toml", "--engines", engines(), "--allow-missing"]);
    assert!(run.stdout.contains("own: 1 vector compared, 0 mismatches"), "{run:?}");
    let text = elsewhere.read("case.toml");
    for (from, to, message) in [
        ("unit_file = ", "unit_text = ", "unknown field `unit_text`"),
        ("\nfinal_addition_file = ", "\nsummary_of_it = ", "unknown field `summary_of_it`"),
        (
            "fraction_bits = 9",
            "fraction_bits = 0",
            "field `unit_file`: field `alignment.fraction_bits` is 0; allowed: ",
        ),
        ("k = 8", "k = 0", "field `instruction_file`: field `shape.k` is 0; allowed: 1 to 1024"),
    ] {
        assert!(text.contains(from), "{from:?} stands in the case");
        elsewhere.write("wrong.toml", text.replacen(from, to, 1));
        elsewhere.refuse(&["cosim", "--case", "wrong.toml"], &["error: wrong.toml: ", message]);
    }
    let without = |field: &str| {
        let mut table: toml::Table = text.parse().expect("TOML");
        table.remove(field).expect("a field of the case");
        toml::to_string(&table).expect("TOML")
    };
    for (field, message) in [
        ("unit_file", "field `unit_file` is missing; allowed: the text of the instruction's unit file"),
        (
            "final_addition_file",
            "field `final_addition_file` is missing; allowed: the text of the instruction's unit file",
        ),
        ("instruction_file", "field `final_addition_file` is given; allowed: none without an `instruction_file`"),
    ] {
        elsewhere.write("wrong.toml", without(field));
        elsewhere.refuse(&["cosim", "--case", "wrong.toml"], &["error: wrong.toml: ", message]);
    }
}

/// Commands that read an instruction.
static COMMANDS: [&[&str]; 5] = [
    &["cosim", OWN, "--vectors", "10", "--json", "out.json", "--junit", "out.xml"],
    &["cosim", "--unit", OWN, "--engines", SOFTWARE],
    &["eval", OWN, "--a", "1", "--json", "out.json"],
    &["distinguish", OWN, "tiny-nearest", "--json", "out.json"],
    &["gemm", OWN, "--a", "a.txt", "--b", "b.txt"],
];

/// Whatever names an instruction refuses this text, and names what is wrong. In the ordinary tier one command is asked, which one
/// the length of what is named says.
fn refused(folder: &Folder, parts: &[&str]) {
    let own = parts.concat().len() % COMMANDS.len();
    let asked = if long_tier() { &COMMANDS[..] } else { &COMMANDS[own..=own] };
    asked.iter().for_each(|command| folder.refuse(command, parts));
}

#[test]
fn wrong_instruction_files() {
    let own = |from: &str, to: &str| {
        assert!(INSTRUCTION.contains(from), "{from:?} stands in the file");
        INSTRUCTION.replacen(from, to, 1)
    };
    let file = "error: mine/own.toml: ";
    let cases = [
        (
            own("own-unit", "no-unit"),
            "field `unit` is \"units/no-unit.toml\"; allowed: a unit file; mine/units/no-unit.toml: cannot be read: ",
        ),
        (own("own-adder", "no-adder"), "field `final_addition` is \"units/no-adder.toml\"; allowed: a unit file; "),
        (
            own("units/own-unit.toml", "own-unit"),
            "field `unit` is \"own-unit\"; allowed: the path of a unit file (.toml), or one of volta-fp16-fp32",
        ),
        (
            own("own-unit.toml", "own-adder.toml"),
            "field `final_addition` is \"own-adder\"; allowed: a unit with one product whose a has the format binary32",
        ),
        (
            own("own-adder.toml", "own-unit.toml"),
            "field `final_addition` is \"own-unit\"; allowed: a unit with one product whose a has the format binary16",
        ),
        (
            own("units/own-unit.toml", "own.toml"),
            "field `unit` is \"own.toml\"; allowed: a unit file; this is an instruction file",
        ),
        (own("k = 8", "k = 8, l = 1"), "unknown field `l`"),
        (own("k = 8", "k = 0"), "field `shape.k` is 0; allowed: 1 to 1024"),
        (own("shape", "# shape"), "missing field `shape`"),
        (own("unit =", "# unit ="), "missing field `unit`"),
        (own("m = 4, ", ""), "missing field `m`"),
        (
            own("\"zero\"", "\"addend\""),
            "field `final_addition` is given; allowed: none when the chain starts from the addend",
        ),
        (own("\"own\"", "\"../own\""), "field `name` is \"../own\"; allowed: at most 64 lower-case letters"),
        (own("order", "odrer"), "unknown field `odrer`"),
        (
            format!("{INSTRUCTION}addend = \"binary64\"\n"),
            "field `addend` is \"binary64\"; allowed: a format that binary32 of own-adder holds exactly",
        ),
        (
            format!("{INSTRUCTION}operands = {{ a = \"binary16\", b = \"e4m3\" }}\n"),
            "field `operands.a` is \"binary16\"; allowed: formats that the unit's e4m3 holds exactly",
        ),
        (
            format!(
                "{INSTRUCTION}operands = {{ a = {{ exponent_bits = 12, fraction_bits = 3, bias = 7, non_finite = \"ieee\" }}, b = \"e4m3\" }}\n"
            ),
            "field `operands.a.exponent_bits` is 12; allowed: 1 to 11",
        ),
    ];
    let folder = written();
    for (text, message) in &cases {
        folder.write(OWN, text);
        refused(&folder, &[file, message]);
    }
    folder.write(OWN, "name = \"own\"\nsummary = \"\"\n");
    refused(&folder, &[file, "neither `scheme`, as a unit file has, nor `shape`, as an instruction file has"]);
    folder.write(OWN, "name = ");
    refused(&folder, &[file, "line 1, column 8"]);
    println!("refused {} wrong instruction files", cases.len() + 2);
}

#[test]
fn wrong_texts_and_orders_of_instructions() {
    let own = |from: &str, to: &str| INSTRUCTION.replacen(from, to, 1);
    let cases = [
        (
            own("two blocks", "two\\nblocks"),
            "field `summary` is \"two\\nblocks of my unit from zero, then c\"; allowed: one line",
        ),
        (
            own("k = 8", "k = 12").replacen("contiguous", "interleaved-pairs", 1),
            "field `order` is \"interleaved-pairs\"; allowed: \"contiguous\", since two interleaved blocks have at most 8 products",
        ),
    ];
    let folder = written();
    for (text, message) in &cases {
        folder.write(OWN, text);
        refused(&folder, &["error: mine/own.toml: ", message]);
    }
    println!("refused {} wrong instruction files", cases.len());
}

#[test]
fn broken_unit_files_of_instructions() {
    let place = "error: mine/own.toml: field `unit`: mine/units/own-unit.toml: ";
    let cases = [
        ("products = 4", "products = 65", "field `products` is 65; allowed: 1 to 64"),
        ("fraction_bits = 9", "fraction_bits = 0", "field `alignment.fraction_bits` is 0; allowed: 1 to 100"),
        ("scheme", "sheme", "unknown field `sheme`"),
        ("d = \"binary16\" }", "d = \"binary16\"", "line 5"),
    ];
    let folder = written();
    for (from, to, message) in cases {
        folder.write("mine/units/own-unit.toml", UNIT.replacen(from, to, 1));
        refused(&folder, &[place, message]);
    }
    // A block whose result the next one cannot take up.
    folder.write("mine/units/own-unit.toml", UNIT.replace("c = \"binary16\"", "c = \"e4m3\""));
    refused(
        &folder,
        &["error: mine/own.toml: field `unit` is \"own-unit\"; allowed: a unit whose c holds its d exactly"],
    );
    println!("refused {} broken unit files", cases.len() + 1);
}

/// Commands for units say so.
#[test]
fn commands_that_take_no_instruction_file() {
    let folder = written();
    let unit = ["mine/own.toml is an instruction; allowed: a unit, such as its own: own-unit, own-adder"];
    folder.refuse(&["show", OWN], &unit);
    folder.refuse(&["emit", OWN, "--out", "rtl"], &unit);
    folder.refuse(&["compare", OWN, "tiny-nearest", "--no-synthesis"], &unit);
}
