//! `tensorsmith cosim --case`: a right case, a case whose expected answer is wrong, and the reports of both.

use super::program::{Folder, SOFTWARE, assert_fields};

/// The vector that tells the generations apart; Ampere answers -0.5.
fn case(expected: &str) -> String {
    format!(
        "summary = \"c and the first product cancel\"\nunit = \"ampere-fp16-fp32\"\n\
         a = [\"0xf000\", \"0xb800\", \"0xb400\", \"0xb000\", \"0x0\", \"0x0\", \"0x0\", \"0x0\"]\n\
         b = [\"0x6400\", \"0x3c00\", \"0x3c00\", \"0x3c00\", \"0x0\", \"0x0\", \"0x0\", \"0x0\"]\n\
         c = \"0x4b000000\"\nexpected = \"{expected}\"\n"
    )
}

const REPORTS: [&str; 5] = ["--json", "out.json", "--junit", "out.xml", "--annotate"];

#[test]
fn right_case_passes() {
    let folder = Folder::new();
    folder.write("right.toml", case("0xbf000000"));
    let run = folder.succeed(&[&["cosim", "--case", "right.toml", "--engines", SOFTWARE], &REPORTS[..]].concat());
    assert!(run.stdout.contains("1 vector compared, 0 mismatches") && !run.stdout.contains("::error"), "{run:?}");
    let report = folder.json("out.json");
    assert_eq!((&report["passed"], &report["units"][0]["stimulus"]), (&true.into(), &"case".into()));
    assert!(folder.read("out.xml").contains(r#"failures="0""#));
}

#[test]
fn wrong_case_fails_and_says_where() {
    let folder = Folder::new();
    folder.write("wrong.toml", case("0xbf400000"));
    let run = folder.run(&[&["cosim", "--case", "wrong.toml", "--engines", SOFTWARE], &REPORTS[..]].concat());
    assert_eq!(run.code, 1, "{run:?}");
    for part in ["1 MISMATCH", "d (expected)", "-0.75", "d (emulator)", "d (reference)", "-0.5"] {
        assert!(run.stdout.contains(part), "{part} is missing in: {}", run.stdout);
    }
    let annotations: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("::error ")).collect();
    assert_eq!(annotations.len(), 1, "one, of what stands alone: {}", run.stdout);
    assert!(annotations[0].contains("title=tensorsmith cosim: ampere-fp16-fp32 expected::1 of 1 vectors differ"));

    let report = folder.json("out.json");
    assert_eq!((&report["passed"], &report["units"][0]["mismatches"]), (&false.into(), &1.into()));
    let first = &report["units"][0]["first_mismatch"];
    assert_fields(first, &["index", "class", "a", "b", "c", "answers", "stage", "case_file"]);
    assert_eq!((&first["c"], &first["a"][0]), (&"0x4b000000".into(), &"0xf000".into()));
    let answers = [["emulator", "0xbf000000"], ["reference", "0xbf000000"], ["expected", "0xbf400000"]];
    assert_eq!(first["answers"], serde_json::json!(answers));
    let junit = folder.read("out.xml");
    assert!(junit.contains(r#"tests="3" failures="1""#), "{junit}");
    assert_eq!(junit.matches("<failure ").count(), 1, "{junit}");
    assert_eq!(folder.content().len(), 3, "no case file of a case, no staged file");
    let run = folder.run(&["cosim", "--case", "wrong.toml", "--engines", "emulator"]);
    assert_eq!(run.code, 1, "one engine against the expectation: {run:?}");
}

#[cfg(feature = "rtl")]
#[test]
fn right_case_passes_on_rtl() {
    let folder = Folder::new();
    folder.write("right.toml", case("0xbf000000"));
    folder.write("wrong.toml", case("0x3f000000"));
    let run = folder.succeed(&["cosim", "--case", "right.toml", "--engines", "emulator,reference,rtl"]);
    assert!(run.stdout.contains("  rtl        ran 1 vector,"), "{run:?}");
    let run = folder.run(&["cosim", "--case", "wrong.toml", "--engines", "reference,rtl"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.contains("d (rtl)"), "{run:?}");
}

/// A case carries its unit where the catalogue has none.
#[test]
fn case_with_unit_file() {
    let folder = Folder::new();
    let unit = "name = 'mine'\nscheme = 'fused'\nproducts = 1\n\
                formats = { a = 'e4m3', b = 'e4m3', c = 'binary16', d = 'binary16' }\n\
                alignment = { fraction_bits = 10, rounding = 'toward-zero', exponent_floor = 'none' }\n\
                conversion = { rounding = 'nearest-even', overflow = 'infinity' }\n";
    folder.write(
        "case.toml",
        format!("unit = \"mine\"\na = [\"0x38\"]\nb = [\"0x40\"]\nc = \"0x3c00\"\nexpected = \"0x4200\"\nunit_file = '''\n{}'''\n", unit.replace('\'', "\"")),
    );
    let run = folder.succeed(&["cosim", "--case", "case.toml", "--engines", SOFTWARE]);
    assert!(run.stdout.contains("mine: 1 vector compared, 0 mismatches"), "{run:?}");
}
