//! Case files that are not accepted.

use super::program::Folder;

const CASE: &str = r#"unit = "tiny-nearest"
a = ["0x1", "0x2"]
b = ["0x3", "0x4"]
c = "0x3c"
expected = "0x3c"
"#;

fn refused(text: impl AsRef<[u8]>, parts: &[&str]) {
    let folder = Folder::new();
    folder.write("case.toml", text);
    let parts = [&["error: case.toml: "], parts].concat();
    folder.refuse(&["cosim", "--case", "case.toml", "--json", "out.json", "--junit", "out.xml", "--annotate"], &parts);
}

#[test]
fn values_that_do_not_fit_the_unit() {
    let cases = [
        ("[\"0x1\", \"0x2\"]", "[\"0x1\"]", "field `a` is a list of 1; allowed: a list of 2"),
        ("[\"0x3\", \"0x4\"]", "[\"0x3\", \"0x4\", \"0x5\"]", "field `b` is a list of 3; allowed: a list of 2"),
        ("[\"0x1\", \"0x2\"]", "[]", "field `a` is a list of 0; allowed: a list of 2"),
        ("\"0x2\"", "\"0x10\"", "field `a[1]` is \"0x10\"; allowed: 0x and hexadecimal digits, at most 4 bits of e2m1"),
        ("\"0x3\"", "\"3\"", "field `b[0]` is \"3\"; allowed: 0x and hexadecimal digits"),
        (
            "c = \"0x3c\"",
            "c = \"0x100\"",
            "field `c` is \"0x100\"; allowed: 0x and hexadecimal digits, at most 8 bits of e5m2",
        ),
        ("c = \"0x3c\"", "c = \"0x\"", "field `c` is \"0x\"; allowed: "),
        ("c = \"0x3c\"", "c = \"0x11111111111111111\"", "field `c` is \"0x11111111111111111\"; allowed: "),
        ("expected = \"0x3c\"", "expected = \"0x1ff\"", "field `expected` is \"0x1ff\"; allowed: "),
        (
            "\"tiny-nearest\"",
            "\"tiny\"",
            "field `unit` is \"tiny\"; allowed: an instruction of the catalogue, or one of volta-fp16-fp32",
        ),
    ];
    for (from, to, message) in cases {
        assert!(CASE.contains(from), "{from} stands in the case");
        refused(CASE.replacen(from, to, 1), &[message]);
    }
    println!("ran {} case files that do not fit their unit", cases.len());
}

#[test]
fn files_that_are_no_case_files() {
    let mut cases = 8;
    for line in CASE.lines() {
        let field = line.split(' ').next().expect("a field");
        // Some units have no addend, so that the unit decides.
        let missing = if field == "c" { "field `c` is missing".to_owned() } else { format!("missing field `{field}`") };
        refused(CASE.replacen(&format!("{line}\n"), "", 1), &[&missing]);
        refused(CASE.replacen(line, &line.replacen(field, "misspelt", 1), 1), &["unknown field `misspelt`"]);
        cases += 2;
    }
    refused(CASE.replace("\"0x3c\"", "60"), &["invalid type: integer `60`, expected a string"]);
    refused("", &["missing field `unit`"]);
    refused("a = [", &["line 1"]);
    refused([0xc3, 0x28], &["cannot be read", "UTF-8"]);
    refused(format!("{CASE}unit_file = \"name = 1\"\n"), &["unit_file", "invalid type"]);
    refused(format!("{CASE}unit_file = \"\"\n"), &["unit_file", "missing field `name`"]);
    let folder = Folder::new();
    std::fs::create_dir(folder.path("case.toml")).expect("a folder");
    folder.refuse(&["cosim", "--case", "case.toml"], &["error: case.toml: cannot be read: "]);
    folder.refuse(&["cosim", "--case", "missing.toml"], &["error: missing.toml: cannot be read: No such file"]);
    println!("ran {cases} files that are no case files, or no files");
}
