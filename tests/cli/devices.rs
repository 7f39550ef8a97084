//! `tensorsmith devices`: what verified what, where constants come from, and the answers that tell generations apart.

use serde_json::Value;
use tensorsmith::describe::format::Format;
use tensorsmith::recording::parse_exactly;
use tensorsmith::report::{Answer, Answers, Number};

use super::program::{Folder, SOFTWARE, assert_fields, snapshot};
use super::support::long_tier;

fn json(arguments: &[&str]) -> Value {
    let all = [&["devices"], arguments, &["--json", "-"]].concat();
    serde_json::from_str(&Folder::new().succeed(&all).stdout).expect("JSON and nothing else")
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

#[test]
fn devices_snapshot_v100() {
    snapshot("devices-v100.txt", &Folder::new().succeed(&["devices", "V100"]).stdout);
}

#[test]
fn answers_snapshot_ampere_and_ada() {
    let run = Folder::new().succeed(&["devices", "A100", "T4", "--answers", "--engines", SOFTWARE]);
    snapshot("devices-answers.txt", &run.stdout);
}

/// A device is verified by its own recordings only.
#[test]
fn verified_is_what_was_recorded_there() {
    let listing = json(&[]);
    assert_fields(&listing, &["devices", "sources"]);
    assert_eq!(list(&listing["sources"]).len(), 0, "sources come with names");
    let find = |device: &str, instruction: &str| {
        let devices = list(&listing["devices"]);
        let device = devices.iter().find(|known| known["device"] == device).expect("a device");
        let instructions = list(&device["instructions"]);
        instructions.iter().find(|known| known["instruction"] == instruction).expect("an instruction").clone()
    };
    for (device, instruction, replayed) in [
        ("V100", "volta-mma-m8n8k4-fp16-fp32", vec!["V100"]),
        ("V100", "volta-wmma-m16n16k16-fp16-fp32", vec![]),
        ("T4", "turing-mma-m16n8k8-fp16-fp32", vec![]),
        ("A100", "ampere-mma-m16n8k16-bf16-fp32", vec!["A100", "A2"]),
        ("Ada", "ampere-mma-m16n8k16-bf16-fp32", vec!["Ada", "L40S"]),
        ("Ada", "ada-mma-m16n8k32-e4m3-e5m2-fp32", vec![]),
        ("H100", "hopper-wgmma-k32-e4m3-fp32", vec!["H100", "H200"]),
        ("H100", "hopper-mma-m16n8k32-e4m3-fp32", vec![]),
        ("B200", "hopper-mma-m16n8k32-e4m3-fp32", vec!["B200"]),
        ("B200", "blackwell-tcgen05-k32-e2m1-fp32", vec![]),
        ("RTX-PRO-6000", "hopper-mma-m16n8k16-bf16-fp32", vec![]),
    ] {
        assert_eq!(find(device, instruction)["replayed"], Value::from(replayed), "{device} {instruction}");
    }
    let turing = find("T4", "turing-mma-m16n8k8-fp16-fp32");
    assert_fields(
        &turing,
        &["instruction", "tiles", "a", "b", "c", "d", "units", "evidence", "live", "replayed", "conflicts"],
    );
    assert_eq!(turing["conflicts"], Value::from(vec!["alignment.fraction_bits", "products"]));
    let table = Folder::new().succeed(&["devices"]).stdout;
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    for row in &rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let verified = cells[9];
        let silicon = ["live: ", "replayed: "].iter().any(|how| verified.starts_with(how));
        assert!(silicon || verified == "unverified on hardware", "{row}");
        // Only what a running instruction confirmed is live.
        let ran = ["| Sapphire-Rapids ", "| H100 "].iter().any(|device| row.starts_with(device));
        assert_eq!(verified.starts_with("live: "), ran, "{row}");
        assert!(!row.starts_with("| T4 ") || row.contains("unverified on hardware"), "{row}");
        assert!(!row.starts_with("| RTX-PRO-6000 ") || row.contains("unverified on hardware"), "{row}");
        assert!(row.is_ascii(), "a mark in {row}");
    }
    println!("ran a listing of {} rows", rows.len());
    assert!(rows.len() > 150);
}

/// With names every constant of the units has its source.
#[test]
fn sources_come_with_names() {
    let listing = json(&["T4"]);
    let sources = list(&listing["sources"]);
    let of = |name: &str| sources.iter().filter(|source| source["of"] == name).collect::<Vec<_>>();
    let products = of("turing-fp16-fp32").into_iter().find(|source| source["constant"] == "products");
    let products = products.expect("the source of L");
    assert_eq!(products["evidence"]["grade"], "conflict");
    assert!(text(&products["evidence"]["source"]).contains("Fasi"));
    assert_eq!(of("turing-wmma-m16n16k16-fp16-fp16")[0]["constant"], "composition");
    assert!(of("volta-fp16-fp32").is_empty(), "another device's unit");
}

/// What was reported of an A100 is not evidence on Ada, whose instruction is the same.
#[test]
fn reported_is_what_was_published_of_that_device() {
    for (device, grade) in [("A100", "reported"), ("Ada", "reported elsewhere")] {
        let listing = json(&[device]);
        let sources = list(&listing["sources"]);
        let own = |source: &&Value| source["of"] == "ampere-mma-m16n8k8-tf32-fp32";
        assert_eq!(sources.iter().find(own).expect("its composition")["evidence"]["grade"], "reported");
        let table = Folder::new().succeed(&["devices", device]).stdout;
        let row = table.lines().find(|line| line.contains("| ampere-mma-m16n8k8-tf32-fp32 ")).expect("its row");
        assert_eq!(row.split('|').map(str::trim).nth(8), Some(grade), "{row}");
    }
}

/// The table of Xie et al., arXiv 2511.10909, table 8: device, part of an instruction's name, operands, answer.
const TOLD: [(&str, &str, &str, &str); 35] = [
    ("V100", "", "binary16", "0"),
    ("T4", "", "binary16", "-0.5"),
    ("A100", "", "binary16", "-0.5"),
    ("A100", "", "bfloat16", "-0.5"),
    ("A100", "", "tf32", "-0.5"),
    ("Ada", "", "binary16", "-0.5"),
    ("Ada", "", "bfloat16", "-0.5"),
    ("Ada", "", "tf32", "-0.5"),
    ("Ada", "ada-mma", "e5m2", "0"),
    ("H100", "", "binary16", "-0.75"),
    ("H100", "", "bfloat16", "-0.75"),
    ("H100", "", "tf32", "-0.75"),
    ("H100", "wgmma", "e5m2", "0"),
    ("B200", "", "binary16", "-0.75"),
    ("B200", "tcgen05", "e5m2", "-0.75"),
    ("RTX-PRO-6000", "f8f6f4", "e5m2", "-0.75"),
    ("B200", "mxf8f6f4", "e5m2", "-0.75"),
    ("RTX-PRO-6000", "mxf8f6f4", "e5m2", "-0.75"),
    ("A100", "fp64", "binary64", "-0.875"),
    ("H100", "fp64", "binary64", "-0.875"),
    ("MI100", "", "binary16", "-0.875"),
    ("MI100", "", "bfloat16", "-0.875"),
    ("MI100", "", "binary32", "-0.875"),
    ("MI300", "", "binary16", "-0.5"),
    ("MI300", "", "bfloat16", "-0.5"),
    ("MI300", "", "tf32", "-0.5"),
    ("MI300", "", "e5m2fnuz", "-1"),
    ("MI300", "fp64", "binary64", "-0.875"),
    ("MI250X", "fp16", "binary16", "0"),
    ("MI250X", "bf16-1k", "bfloat16", "0"),
    ("MI250X", "-bf16-fp32", "bfloat16", "-0.375"),
    ("MI250X", "fp64", "binary64", "-0.875"),
    ("MI250X", "fp32-fp32", "binary32", "-0.875"),
    ("Sapphire-Rapids", "intel-tdpbf16ps", "bfloat16", "-1"),
    ("Sapphire-Rapids", "intel-vdpbf16ps", "bfloat16", "-0.875"),
];

#[test]
fn answers_tell_the_generations_apart() {
    // Without Verilator the program has no RTL; the reference then stands in. To build that of every unit is for the long tier.
    let engines = if cfg!(feature = "rtl") && long_tier() { "emulator,rtl" } else { SOFTWARE };
    let report = json(&["--answers", "--engines", engines]);
    if cfg!(feature = "rtl") {
        let some = json(&["V100", "--answers", "--engines", "emulator,rtl"]);
        assert_eq!(some["agreed"], true);
    }
    assert_fields(&report, &["vector", "devices", "agreed"]);
    assert_eq!(report["agreed"], true);
    let listing = json(&[]);
    let mut told = 0;
    for (device, part, operands, expected) in TOLD {
        let find = |report: &Value| {
            let devices = list(&report["devices"]);
            devices.iter().find(|known| known["device"] == device).expect("a device")["instructions"].clone()
        };
        let before = told;
        for (asked, listed) in list(&find(&report)).iter().zip(list(&find(&listing))) {
            let name = text(&asked["instruction"]);
            assert_eq!(asked["instruction"], listed["instruction"]);
            // Exact sums and chains of fused multiply-adds round nothing away here; the others are matrix cores of their own.
            let unit = text(&listed["units"][0]);
            let exact = ["fma-", "cdna-fma-", "cdna1-", "avx512-"].iter().any(|start| unit.starts_with(start));
            let meant = exact == (expected == "-0.875")
                && name.contains(part)
                && listed["a"] == operands
                && listed["b"] == operands;
            if !meant || asked["not_representable"] != Value::Null {
                // Only an fp16 addend is too narrow for 2^23, and a K below four for the vector.
                let short = ["k1-", "k2-"].iter().any(|part| name.contains(part));
                assert!(!meant || short || listed["c"] == "binary16", "{name}: {}", asked["not_representable"]);
                continue;
            }
            for answer in list(&asked["answers"]) {
                assert_eq!(answer["decimal"], expected, "{device} {name}");
                told += 1;
            }
        }
        assert!(told > before, "{device} {part} {operands} was not asked");
    }
    println!("ran the telling vector: {told} answers as published");
}

#[test]
fn what_no_format_holds_is_listed_and_not_counted() {
    let folder = Folder::new();
    let run = folder.succeed(&["devices", "V100", "--answers", "--engines", SOFTWARE, "--c", "8388608"]);
    assert!(run.stdout.contains("| not representable: c = 8388608 in binary16 |"), "{}", run.stdout);
    assert!(run.stdout.contains("emulator: answered for 3 instructions of devices, skipped 0"), "{}", run.stdout);
    assert!(run.stdout.ends_with("not representable: 4\n"), "{}", run.stdout);
    let run = folder.succeed(&["devices", "V100", "--answers", "--engines", "emulator", "--a", "1,1,1,1,1"]);
    assert!(run.stdout.contains("| not representable: 5 products, K is 4 |"), "{}", run.stdout);
    let refused = ["devices", "V100", "--answers", "--engines", "emulator", "--b", "0x1p1000"];
    folder.refuse(&refused, &["error: no engine answered", "no instruction holds the vector"]);
}

#[test]
fn bad_arguments_of_devices() {
    let folder = Folder::new();
    folder.refuse(&["devices", "K80"], &["error: unknown device \"K80\"", "as `tensorsmith devices` lists"]);
    folder.refuse(&["devices", "V100", "h1000", "--answers"], &["unknown device \"h1000\"; nearest: H100, "]);
    folder.refuse(&["devices", "--a", "1"], &["--answers"]);
    folder.refuse(&["devices", "--c", "1"], &["--answers"]);
    let answers = |operand, number| ["devices", "V100", "--answers", operand, number];
    folder.refuse(&answers("--a", "one"), &["error: --a: \"one\" is not an operand"]);
    folder.refuse(&answers("--b", "1,0x3c00"), &["error: --b: \"0x3c00\"", "a number, not an encoding"]);
    folder.refuse(&answers("--c", "0.1"), &["error: --c: \"0.1\"", "numbers that binary64 holds exactly"]);
    folder.refuse(&answers("--engines", "rtl,rtl"), &["rtl is named twice"]);
    folder.refuse(&["devices", "--json", "missing/devices.json"], &["missing/devices.json: cannot be written"]);
}

/// More products than K: an instruction adds to its own result, as a program accumulates.
#[test]
fn longer_vectors_are_chained() {
    let ones = ["1"; 6].join(",");
    let arguments =
        ["Armv8.6-A", "V100", "--answers", "--engines", "emulator", "--a", &ones, "--b", &ones, "--c", "10"];
    let report = json(&arguments);
    let mut answered = 0;
    for device in list(&report["devices"]) {
        for instruction in list(&device["instructions"]) {
            for answer in list(&instruction["answers"]) {
                assert_eq!(answer["decimal"], "16", "{}", instruction["instruction"]);
                answered += 1;
            }
        }
    }
    assert!(answered >= 4, "{answered} answers");
}

/// The comparison behind exit code 1 sees one bit.
#[test]
fn engines_that_disagree_differ() {
    let format = Format::binary32();
    let answer = |engine, bits| Some(Answer::new(engine, &Number { format: &format, bits }));
    let answers = |answers| Answers { instruction: "x".to_owned(), not_representable: None, answers };
    assert!(!answers(vec![answer("emulator", 0x3f80_0000), answer("rtl", 0x3f80_0000)]).differ());
    assert!(answers(vec![answer("emulator", 0x3f80_0000), answer("rtl", 0x3f80_0001)]).differ());
    assert!(answers(vec![answer("emulator", 0), answer("rtl", 0x8000_0000)]).differ(), "zeros of both signs");
    assert!(answers(vec![None, answer("emulator", 1), answer("rtl", 2)]).differ());
    assert!(!answers(vec![answer("emulator", 1), None]).differ());
}

#[test]
fn numbers_that_formats_hold_exactly() {
    let parse = |name: &str, text: &str| parse_exactly(&Format::named(name).expect("a named format"), text).ok();
    for (format, text, expected) in [
        ("binary16", "1", Some(0x3c00)),
        ("binary16", "-0", Some(0x8000)),
        ("binary16", "65504", Some(0x7bff)),
        ("binary16", "65505", None),
        ("binary16", "65536", None),
        ("binary16", "0x1p-24", Some(1)),
        ("binary16", "0x1p-25", None),
        ("binary16", "-0x1.8p-24", None),
        ("binary16", "0.1", None),
        ("binary16", "1.0000000000000000000000000000000000001", None),
        ("binary16", "inf", Some(0x7c00)),
        ("binary16", "0x3c00", None),
        ("e4m3", "448", Some(0x7e)),
        ("e4m3", "480", None),
        ("e4m3", "inf", None),
        ("e2m1", "6", Some(7)),
        ("e2m1", "7", None),
        ("e2m1", "8", None),
        ("e2m1", "-0.5", Some(9)),
        ("binary64", "1e300", None),
        ("binary64", "0x1p1023", Some(0x7fe0_0000_0000_0000)),
    ] {
        assert_eq!(parse(format, text), expected, "{text} in {format}");
    }
}
