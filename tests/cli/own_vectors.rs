//! Recordings of a user's own: of units and instructions in files, kept inside the recording; of vectors that other programs wrote;
//! of a box of which only the interface is known.

use super::external::{EXAMPLE, has_python};
use super::program::{Folder, SOFTWARE};
use super::support::long_tier;

const UNIT: &str = r#"name = "mine"
scheme = "fused"
products = 4
formats = { a = "binary16", b = "binary16", c = "binary32", d = "binary32" }
alignment = { fraction_bits = 24, rounding = "toward-zero", exponent_floor = -132 }
conversion = { rounding = "toward-zero", overflow = "infinity" }
"#;

const INTERFACE: &str = r#"name = "box"
products = 4
formats = { a = "binary16", b = "binary16", c = "binary32", d = "binary32" }
"#;

const INSTRUCTION: &str = r#"name = "own"
summary = "two blocks of my unit"
unit = "unit.toml"
shape = { m = 4, n = 4, k = 8 }
order = "contiguous"
start = "addend"
evidence = { grade = "chosen", source = "a test" }
"#;

fn record(subject: &'static str, out: &'static str) -> [&'static str; 8] {
    ["record", subject, "--engine", "emulator", "--vectors", "2000", "--out", out]
}

/// The unit and its recording.
fn recorded() -> Folder {
    let folder = Folder::new();
    folder.write("unit.toml", UNIT);
    folder.succeed(&record("unit.toml", "mine.tsrec"));
    folder
}

#[test]
fn recording_knows_its_unit_without_the_file() {
    let folder = recorded();
    folder.write("own.toml", INSTRUCTION);
    folder.succeed(&record("own.toml", "own.tsrec"));
    ["unit.toml", "own.toml"].iter().for_each(|name| std::fs::remove_file(folder.path(name)).expect("a file"));
    let bytes = |name: &str| std::fs::read(folder.path(name)).expect("a recording");
    folder.write("all/all.tsrec", [bytes("mine.tsrec"), bytes("own.tsrec")].concat());
    let run = folder.succeed(&["replay", "all", "--engines", SOFTWARE, "--json", "out.json"]);
    assert!(
        run.stdout.contains("reference: ran 4,000 recorded rows, 0 mismatches") && run.stderr.is_empty(),
        "{run:?}"
    );
    assert_eq!(folder.json("out.json")["recordings"][1]["instruction"], "own");
    folder.succeed(&["export", "all/all.tsrec", "--subject", "own", "--format", "csv", "--out", "own.csv"]);
    folder.succeed(&["import", "own.csv", "--format", "csv", "--out", "again.tsrec"]);
    assert_eq!(bytes("own.tsrec"), bytes("again.tsrec"));
    let run = folder.succeed(&["infer", "mine", "--recording", "all/all.tsrec"]);
    assert!(run.stdout.contains("fits fused: 4 products\nall of 2,000 recorded answers"), "{run:?}");
}

/// A user's unit with the name of another one of the catalogue.
const NAMESAKE: &str = r#"name = "volta-fp16-fp32"
scheme = "fused"
products = 4
formats = { a = "binary16", b = "binary16", c = "binary32", d = "binary32" }
alignment = { fraction_bits = 23, rounding = "toward-zero", exponent_floor = "none" }
conversion = { rounding = "nearest-even", overflow = "infinity", nan = 0x7fffffff }
"#;

/// Every command says which description it takes where a name could mean two.
#[test]
fn namesake_of_a_unit_of_the_catalogue_is_told_apart() {
    let folder = Folder::new();
    folder.write("own.toml", NAMESAKE);
    let unlike = "the catalogue's volta-fp16-fp32 has conversion.rounding \"toward-zero\", this one conversion.rounding \
                  \"nearest-even\"";
    let run = folder.succeed(&record("own.toml", "own.tsrec"));
    assert!(run.stderr.contains(&format!("note: volta-fp16-fp32 is described by own.toml: {unlike}")), "{run:?}");
    folder.succeed(&record("volta-fp16-fp32", "volta.tsrec"));
    let replay = |file: &'static str| ["replay", file, "--engines", "emulator", "--json", "out.json"];
    let described = |of: &str| {
        let own = folder.json("out.json")["recordings"][0].clone();
        assert_eq!(own["instruction"], "volta-fp16-fp32", "{of}");
        (own["description"].clone(), own["unlike_catalogue"].clone())
    };
    let run = folder.succeed(&replay("own.tsrec"));
    assert!(run.stdout.contains(&format!("described by the recording: {unlike}")), "{run:?}");
    assert_eq!(described("own"), ("recording".into(), unlike.into()));
    let run = folder.succeed(&replay("volta.tsrec"));
    assert!(!run.stdout.contains("unlike") && run.stderr.is_empty(), "{run:?}");
    assert_eq!(described("volta"), ("catalogue".into(), serde_json::Value::Null));
    // By the catalogue's description the results differ, and the other way round.
    for (file, subject, description) in
        [("own.tsrec", "volta-fp16-fp32", "catalogue"), ("volta.tsrec", "own.toml", "file")]
    {
        assert_eq!(folder.run(&[&replay(file)[..], &["--subject", subject]].concat()).code, 1, "{file}");
        assert_eq!(described(file).0, description, "{file}");
    }
    for arguments in [
        &["infer", "--recording", "own.tsrec"][..],
        &["export", "own.tsrec", "--format", "csv", "--out", "own.csv"],
        &["eval", "own.toml", "--a", "1,1,1,1", "--b", "1,1,1,1"],
    ] {
        let run = folder.succeed(arguments);
        assert!(run.stderr.contains(unlike), "{arguments:?}: {run:?}");
    }
}

/// A report on a unit of the catalogue leaves out the recording of its namesake, and a recording of its own is in.
#[test]
fn report_leaves_out_recordings_of_namesakes() {
    let folder = Folder::new();
    folder.write("own.toml", NAMESAKE);
    folder.write("all/about.txt", "");
    folder.succeed(&record("own.toml", "all/own.tsrec"));
    folder.succeed(&record("volta-fp16-fp32", "all/volta.tsrec"));
    let report = ["report", "--out", "out", "--units", "volta-fp16-fp32", "--vectors", "100", "--recordings", "all"];
    let run = folder.succeed(&report);
    assert!(run.stderr.contains("note: a recording of another volta-fp16-fp32 is left out: it has"), "{run:?}");
    let units = folder.json("out/report.json")["units"].clone();
    assert_eq!(units[0]["recordings"]["vectors"], 2000, "{}", units[0]["recordings"]);
}

/// A changed file is noticed by whoever records or reads, and the recording stays what it was.
#[test]
fn changed_file_is_noticed() {
    let folder = recorded();
    let replay = ["replay", "mine.tsrec", "--engines", "emulator"];
    folder.write("unit.toml", format!("{UNIT}summary = \"the same, with words\"\n"));
    assert_eq!(folder.succeed(&replay).stderr, "", "words change no answer");
    assert!(folder.succeed(&record("unit.toml", "mine.tsrec")).stdout.contains("is there already"));
    folder.write("unit.toml", UNIT.replace("= 24", "= 22"));
    let changed = "unit.toml has changed since mine.tsrec was recorded: unit_file.alignment.fraction_bits 24 then, \
                   unit_file.alignment.fraction_bits 22 now";
    for arguments in [&replay[..], &["infer", "--recording", "mine.tsrec"]] {
        let run = folder.succeed(arguments);
        assert!(run.stderr.contains(changed), "{run:?}");
    }
    let run = folder.succeed(&["export", "mine.tsrec", "--format", "jsonl", "--out", "mine.jsonl"]);
    assert!(run.stderr.contains(changed), "{run:?}");
    let other = "is not this recording: unit_file.alignment.fraction_bits 24, not unit_file.alignment.fraction_bits 22";
    folder.refuse(&record("unit.toml", "mine.tsrec"), &[other]);
    // What the file says now answers otherwise.
    let run = folder.run(&[&replay[..], &["--subject", "unit.toml"]].concat());
    assert_eq!(run.code, 1, "{run:?}");
    folder.write("unit.toml", "nonsense");
    assert!(folder.succeed(&replay).stderr.contains("it cannot be read as such a file any more"));
    // Recordings of different units of one name are not taken together.
    folder.write("unit.toml", UNIT.replace("= 24", "= 22"));
    folder.succeed(&record("unit.toml", "later.tsrec"));
    let bytes = |name: &str| std::fs::read(folder.path(name)).expect("a recording");
    folder.write("both.tsrec", [bytes("mine.tsrec"), bytes("later.tsrec")].concat());
    folder.refuse(&["infer", "--recording", "both.tsrec"], &["both.tsrec: holds recordings of different mine: "]);
}

/// Headers that describe something else than they name, or in a version that describes nothing.
#[test]
fn descriptions_that_do_not_fit() {
    let folder = recorded();
    folder.succeed(&["export", "mine.tsrec", "--format", "jsonl", "--out", "mine.jsonl"]);
    let whole = folder.read("mine.jsonl");
    for (from, to, message) in [
        ("\"version\":2", "\"version\":1", "field `described` is given; allowed: from version 2 on"),
        ("\"subject\":\"mine\"", "\"subject\":\"yours\"", "field `subject` is \"yours\"; allowed: \"mine\""),
        ("\"unit_file\":\"name", "\"unit_file\":\"nome", "field `described`: field `unit_file`: "),
        ("\"unit_file\"", "\"interface_file\"", "field `described`: field `interface_file`: "),
        ("\"described\":{", "\"described\":{\"interface_file\":\"\",", "has `interface_file` and others; allowed: "),
        ("\"unit_file\"", "\"final_addition_file\"", "final_addition_file"),
        ("products = 4", "products = 8", "field `layout` is "),
    ] {
        let text = whole.replacen(from, to, 1);
        assert_ne!(text, whole, "{to}");
        folder.write("other.jsonl", text);
        folder.refuse(
            &["import", "other.jsonl", "--format", "jsonl", "--out", "x.tsrec"],
            &["other.jsonl: line 1: ", message],
        );
    }
}

/// Vectors of a box that nobody described: checked, inferred from, and replayed through what was found.
#[test]
fn unknown_box() {
    let folder = recorded();
    folder.write("box.toml", INTERFACE);
    folder.succeed(&["export", "mine.tsrec", "--format", "csv", "--out", "mine.csv"]);
    let rows = folder.read("mine.csv").lines().skip(1).map(|line| format!("{line}\n")).collect::<String>();
    folder.write("plain.csv", &rows);
    let import = ["import", "plain.csv", "--format", "csv", "--subject", "box.toml", "--device", "my chip"];
    let run = folder.succeed(&[&import[..], &["--out", "box.tsrec"]].concat());
    assert_eq!(run.stdout, "box.tsrec: 2,000 vectors of box, answered by my chip (unknown)\n");
    let replay = ["replay", "box.tsrec", "--engines", SOFTWARE];
    let run = folder.run(&replay);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stdout.contains("skipped, because only the interface of box is known; allowed: --subject"), "{run:?}");
    let run = folder.succeed(&["infer", "--recording", "box.tsrec", "--out", "found.toml"]);
    assert!(run.stdout.contains("box.tsrec fits fused: 4 products\nall of 2,000 recorded answers"), "{run:?}");
    let run = folder.succeed(&[&replay[..], &["--subject", "found.toml"]].concat());
    assert!(run.stdout.contains("reference: ran 2,000 recorded rows, 0 mismatches"), "{run:?}");
    // A wrong answer is found.
    let wrong = rows.lines().enumerate().map(|(place, line)| match place {
        7 => format!("{}0x7f800001\n", &line[..line.rfind("0x").expect("a cell")]),
        _ => format!("{line}\n"),
    });
    folder.write("plain.csv", wrong.collect::<String>());
    folder.succeed(&[&import[..], &["--out", "wrong.tsrec"]].concat());
    let run = folder.run(&["replay", "wrong.tsrec", "--engines", "emulator", "--subject", "found.toml"]);
    assert!(run.code == 1 && run.stdout.contains("row 7: emulator answers "), "{run:?}");
    folder.refuse(
        &["replay", "box.tsrec", "--engines", "emulator", "--subject", "hopper-fp16-fp32"],
        &["--subject: box.tsrec holds vectors of box, with number of products 4, not 16; allowed: the same interface"],
    );
}

/// Results of fewer fraction bits than the interface says are found, and replayed through what was found.
#[test]
fn unknown_box_with_short_results() {
    let folder = Folder::new();
    let [wide, short] = [
        "d = \"binary32\"",
        "d = { exponent_bits = 8, fraction_bits = 13, bias = 127, non_finite = \"ieee\", padding_bits = 10 }",
    ];
    let small = |text: &str| text.replace("products = 4", "products = 2").replace("binary16", "e4m3");
    folder.write("unit.toml", small(UNIT).replace(wide, short));
    folder.write("box.toml", small(INTERFACE));
    folder.succeed(&record("unit.toml", "mine.tsrec"));
    folder.succeed(&["export", "mine.tsrec", "--format", "csv", "--out", "mine.csv"]);
    folder.write(
        "plain.csv",
        folder.read("mine.csv").lines().skip(1).map(|line| format!("{line}\n")).collect::<String>(),
    );
    folder.succeed(&["import", "plain.csv", "--format", "csv", "--subject", "box.toml", "--out", "box.tsrec"]);
    folder.succeed(&["infer", "--recording", "box.tsrec", "--out", "found.toml"]);
    assert!(folder.read("found.toml").contains("fraction_bits = 13"), "{}", folder.read("found.toml"));
    let run = folder.succeed(&["replay", "box.tsrec", "--engines", SOFTWARE, "--subject", "found.toml"]);
    assert!(run.stdout.contains("reference: ran 2,000 recorded rows, 0 mismatches"), "{run:?}");
    folder.write("half.toml", small(UNIT).replace(wide, "d = \"bfloat16\""));
    folder.refuse(
        &["replay", "box.tsrec", "--engines", "emulator", "--subject", "half.toml"],
        &["--subject: box.tsrec holds vectors of box, with d binary32, not bfloat16; allowed: the same interface"],
    );
}

/// A program as the box, asked through its interface alone; in the ordinary tier with two products.
#[test]
fn unknown_program() {
    let folder = Folder::new();
    let products = if long_tier() { 16 } else { 2 };
    folder.write("box.toml", INTERFACE.replace("= 4", &format!("= {products}")));
    let nothing = "emulator: skipped, because it needs a description, and only the interface of box is known";
    folder.refuse(&["infer", "box.toml", "--engine", "emulator"], &[nothing]);
    if !has_python() {
        return;
    }
    let example = std::fs::read_to_string(EXAMPLE).expect("the example is there");
    folder.write("unit.py", example.replace("PRODUCTS = 16", &format!("PRODUCTS = {products}")));
    let external = ["--engine", "external", "--external", "python3 unit.py"];
    let budget = ["--confirm", "500", "--search", "2000", "--out", "found.toml"];
    folder.succeed(&[&["infer", "box.toml"], &external[..], &budget].concat());
    let found = folder.read("found.toml");
    let wide = format!("products = {products}\n");
    assert!(found.contains("fraction_bits = 25\n") && found.contains(&wide), "{found}");
}

/// The public layout of a unit of the user's own, which no catalogue has a folder for.
#[test]
fn public_layout_of_an_own_unit() {
    let folder = Folder::new();
    folder.write("unit.toml", UNIT);
    let write = |operand: &str, format: &str, text: &str| {
        folder.write(&format!("public/CHIP/fp16/{operand}_CHIP_{format}.txt"), text);
    };
    write("a", "fp16", "3f800000 40000000 00000000 00000000\n3f800000 3f800000 3f800000 3f800000\n");
    write("b", "fp16", "3f800000 3f800000 00000000 00000000\n40000000 40000000 40000000 40000000\n");
    let binary = |words: [u32; 2]| words.map(|word| format!("{word:032b}\n")).concat();
    write("c", "fp32", &binary([0, 0x3f80_0000]));
    write("d", "fp32", &binary([0x4040_0000, 0x4110_0000]));
    let import =
        ["import", "public", "--format", "public", "--subject", "unit.toml", "--device", "CHIP", "--out", "chip.tsrec"];
    let run = folder.succeed(&import);
    assert_eq!(run.stdout, "chip.tsrec: 2 vectors of mine, answered by CHIP (unknown)\n");
    let run = folder.succeed(&["replay", "chip.tsrec", "--engines", SOFTWARE]);
    assert!(run.stdout.contains("reference: ran 2 recorded rows, 0 mismatches"), "{run:?}");
    folder.succeed(&["export", "chip.tsrec", "--format", "public", "--out", "again"]);
    let file = "CHIP/fp16/a_CHIP_fp16.txt";
    assert_eq!(folder.read(&format!("again/{file}")), folder.read(&format!("public/{file}")));
    write("d", "fp32", &binary([0x4040_0000, 0x4110_0001]));
    folder.succeed(&[&import[..9], &["wrong.tsrec"]].concat());
    assert_eq!(folder.run(&["replay", "wrong.tsrec", "--engines", "emulator"]).code, 1);
}

#[test]
fn imports_that_do_not_fit() {
    let folder = Folder::new();
    folder.write("box.toml", INTERFACE);
    folder.write("plain.csv", "a,b,c,d\n1 2 3 4,1 1 1 1,-inf,-inf\n");
    let import =
        |rest: &[&'static str]| [&["import", "plain.csv", "--format", "csv", "--out", "x.tsrec"], rest].concat();
    folder.refuse(&import(&[]), &["plain.csv: line 1: no comment; allowed: # and the header"]);
    folder.refuse(&import(&["--numbers"]), &["--subject <NAME|FILE>"]);
    folder.refuse(&import(&["--device", "x"]), &["--subject <NAME|FILE>"]);
    for device in ["", "a\nemulator: ran 9 recorded rows, 0 mismatches"] {
        folder.refuse(&import(&["--subject", "box.toml", "--device", device]), &["--device", "one line, without"]);
    }
    folder.refuse(&import(&["--subject", "no.toml"]), &["no.toml: cannot be read"]);
    folder.refuse(&import(&["--subject", "no-such"]), &["unknown unit or instruction \"no-such\""]);
    folder.refuse(&import(&["--subject", "box.toml"]), &["plain.csv: line 2: field `a` is \"1\"; allowed: 0x and"]);
    folder.write("broken.toml", INTERFACE.replace("= 4", "= 0"));
    folder.refuse(&import(&["--subject", "broken.toml"]), &["broken.toml: field `products` is 0; allowed: 1 to 4096"]);
    let memory =
        ["import", "plain.csv", "--format", "readmemh", "--subject", "box.toml", "--numbers", "--out", "x.tsrec"];
    folder.refuse(&memory, &["numbers: this layout has other elements; allowed: those of jsonl, csv and npy"]);
    let record = ["record", "box.toml", "--engine", "emulator", "--out", "x.tsrec"];
    folder.refuse(&record, &["box.toml: neither `scheme`, as a unit file has, nor"]);
    let run = folder.succeed(&import(&["--subject", "box.toml", "--numbers"]));
    assert_eq!(run.stdout, "x.tsrec: 1 vector of box, answered by unknown (unknown)\n");
}

/// A recording of the user's own in the report about the unit.
#[test]
fn report_of_an_own_unit() {
    let folder = recorded();
    let report =
        ["report", "--units", "unit.toml", "--vectors", "500", "--recordings", "mine.tsrec", "--out", "report"];
    folder.succeed(&report);
    let unit = folder.json("report/report.json")["units"][0].clone();
    assert_eq!((&unit["recordings"]["vectors"], &unit["recordings"]["state"]), (&2000.into(), &"agreed".into()));
    assert!(folder.read("report/report.md").contains("| recordings | 0 of 2,000 differ"));
    assert_eq!(folder.json("report/report.json")["recordings"], "mine.tsrec");
}
