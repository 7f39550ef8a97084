//! Whole devices from the command line: packed, gone on with, skipped, refused.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tensorsmith::describe::catalogue;

use super::program::{Folder, SOFTWARE};
use super::recorded::{recorded, vectors};

const RECORD: [&str; 14] = [
    "record",
    "--device",
    "V100",
    "--engine",
    "emulator",
    "--suites",
    "shaped,random",
    "--vectors",
    "500",
    "--out",
    "out",
    "--file-size",
    "100KiB",
    "--seed=3",
];

/// Names and bytes of the files in `out`.
fn files(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let name = |path: &std::path::Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    folder.content().into_iter().filter_map(|(path, bytes)| Some((name(&path), bytes?))).collect()
}

#[test]
fn device_is_packed_and_replayed() {
    let device = catalogue::device("V100").expect("a device of the catalogue");
    let names: Vec<&str> = device.instructions.iter().map(|instruction| instruction.name.as_str()).collect();
    let count = names.len();
    let folder = Folder::new();
    let run = folder.succeed(&RECORD);
    let total = format!("out: {count} of {count} of V100 recorded, {},000 vectors, ", count);
    assert!(run.stdout.contains(&total), "{total:?} is missing in: {}", run.stdout);
    let files = files(&folder);
    let expected: Vec<String> = (0..files.len()).map(|number| format!("V100-{number}.tsrec")).collect();
    assert_eq!(files.keys().collect::<Vec<_>>(), expected.iter().collect::<Vec<_>>());
    assert!((2..count).contains(&files.len()), "{} recordings in {} files", count, files.len());
    assert!(files.values().all(|bytes| bytes.len() <= 100 << 10), "no file is longer than asked for");
    let all: Vec<_> = files.values().flat_map(|bytes| recorded(bytes)).collect();
    assert_eq!(all.iter().map(|one| one.header.subject.as_str()).collect::<Vec<_>>(), names);
    for one in &all {
        assert_eq!(one.header.device.get("device").map(String::as_str), Some("V100"));
        assert_eq!((one.header.vectors(), one.vectors.len()), (1000, 1000));
        let row = run.stdout.lines().find(|line| line.contains(&format!("| {} ", one.header.subject)));
        assert!(row.is_some_and(|row| row.contains(" 1,000 |") && row.contains("V100-")), "{}", run.stdout);
    }
    let replayed = folder.succeed(&["replay", "out", "--engines", SOFTWARE, "--json", "out.json"]);
    let ran = format!("reference: ran {count},000 recorded rows, 0 mismatches");
    assert!(replayed.stdout.contains(&ran), "{}", replayed.stdout);
    // The same as the instruction by itself.
    folder.succeed(&[
        "record",
        names[1],
        "--engine",
        "emulator",
        "--suites",
        "shaped,random",
        "--vectors",
        "500",
        "--seed",
        "3",
        "--out",
        "one.tsrec",
    ]);
    let one = std::fs::read(folder.path("one.tsrec")).expect("a recording");
    assert_eq!(vectors(&one), all[1].vectors);
}

/// Whatever an earlier run left, the same command makes the same files.
#[test]
fn stopped_devices_go_on() {
    let folder = Folder::new();
    folder.succeed(&RECORD);
    let whole = files(&folder);
    assert!(folder.succeed(&RECORD).stdout.contains(" recorded, "));
    assert_eq!(files(&folder), whole, "nothing is recorded twice");
    let last = format!("out/V100-{}.tsrec", whole.len() - 1);
    let bytes = std::fs::read(folder.path(&last)).expect("a recording");
    let recordings = recorded(&bytes);
    let (kept, lost) = bytes.split_at(bytes.len() - recordings[recordings.len() - 1].bytes);
    let part = format!("out/V100-{}.tsrec.part", recordings[recordings.len() - 1].header.subject);
    // Stopped within the last recording, at its end, and after it was packed, while files were moved.
    for (before, unfinished) in [(kept, &lost[..lost.len() / 2]), (kept, lost), (&bytes[..], lost)] {
        match before.is_empty() {
            true => std::fs::remove_file(folder.path(&last)).expect("a file"),
            false => folder.write(&last, before),
        }
        folder.write(&part, unfinished);
        folder.write("out/V100-7.tsrec.part", "half of a file that grew");
        folder.succeed(&RECORD);
        std::fs::remove_file(folder.path("out/V100-7.tsrec.part")).expect("a file");
        assert_eq!(files(&folder), whole);
    }
    let refused = |changed: &[(usize, &'static str)], parts: &[&str]| {
        let mut other = RECORD;
        changed.iter().for_each(|(place, value)| other[*place] = value);
        folder.refuse(&other, parts);
    };
    let first = "out/V100-0.tsrec: holds another recording of volta-";
    refused(
        &[(8, "501")],
        &[first, "500 vectors, seed 3, not parts[0] shaped, 501 vectors", "allowed: the same command"],
    );
    refused(&[(6, "shaped")], &[first, "parts[1] random, 500 vectors, seed 3, not parts[1] missing"]);
    refused(&[(13, "--seed=4")], &[first, "seed 3, not parts[0] shaped, 500 vectors, seed 4"]);
    refused(&[(4, "reference")], &[first, "engine emulator", "not engine reference"]);
    let mut damaged = whole["V100-0.tsrec"].clone();
    damaged[5000] ^= 1;
    folder.write("out/V100-0.tsrec", damaged);
    refused(&[], &["out/V100-0.tsrec: is damaged at offset "]);
}

/// What the engine cannot answer is in the table with its reason; nothing at all is no success.
#[test]
fn skipped_instructions() {
    let folder = Folder::new();
    let command = |device| ["record", "--device", device, "--engine", "processor", "--vectors", "100", "--out", "out"];
    let run = folder.run(&command("V100"));
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stderr.contains("nothing recorded: processor answers nothing of V100"), "{}", run.stderr);
    assert!(run.stdout.contains("computes this unit |"), "{}", run.stdout);
    assert!(files(&folder).is_empty());
    // Where there is FMA3 it computes the fp64 instructions of a GPU.
    let device = catalogue::device("H100").expect("a device of the catalogue");
    let run = folder.run(&command("H100"));
    let rows = |text: &str| run.stdout.lines().filter(|line| line.starts_with("| ") && line.contains(text)).count();
    let (recorded, skipped) = (rows("H100-0.tsrec"), rows("computes this unit") + rows("this CPU has no "));
    assert!(recorded == 0 || recorded + skipped == device.instructions.len(), "{}", run.stdout);
    assert_eq!(run.code, if recorded > 0 { 0 } else { 2 }, "{run:?}");
    println!("H100 on the processor: {recorded} instructions recorded, {skipped} skipped");
}

/// The table as JSON, in its place on standard output.
#[test]
fn recordings_of_a_device_as_json() {
    let folder = Folder::new();
    let device = ["record", "--device", "Sapphire-Rapids", "--engine", "emulator", "--vectors", "20", "--out", "out"];
    let run = folder.succeed(&[&device[..], &["--json", "-"]].concat());
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stdout));
    assert_eq!(
        [&report["device"], &report["engine"], &report["seed"]],
        [&json!("Sapphire-Rapids"), &json!("emulator"), &json!(1)]
    );
    let recordings = report["recordings"].as_array().expect("a list");
    let of_amx =
        recordings.iter().find(|row| row["subject"] == "intel-tdpbf16ps").expect("an instruction of the device");
    let recorded = &of_amx["outcome"]["recorded"];
    assert_eq!([&recorded["vectors"], &recorded["file"]], [&json!(20), &json!("Sapphire-Rapids-0.tsrec")]);
    folder.refuse(&["record", "tiny-nearest", "--engine", "emulator", "--out", "x", "--json", "-"], &["--json"]);
}

/// An engine that fails on one instruction leaves the others alone, and gets another try.
#[test]
fn failed_instructions() {
    let folder = Folder::new();
    let record = |words: &str| {
        // A simulator that refuses units with that word in their names, and answers 0 to every vector.
        folder
            .script("tools/iverilog", &format!("case \"$*\" in {words}) echo refused >&2; exit 3;; esac; echo Fake 1"));
        folder.script("tools/vvp", "while read -r line; do echo 0; done <vectors.txt >results.txt");
        let path = format!("{}:/usr/bin:/bin", folder.path("tools").display());
        let device = ["record", "--device", "Sapphire-Rapids", "--engine", "icarus"];
        let arguments = [&device[..], &["--vectors", "20", "--out", "out"]].concat();
        let output = folder.command(&arguments).env("PATH", path).output().expect("the program starts");
        (output.status.code(), [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()))
    };
    let files = || {
        let files = files(&folder);
        files.into_iter().filter(|(name, _)| name.starts_with("Sapphire")).collect::<BTreeMap<_, _>>()
    };
    let (code, [stdout, stderr]) = record("*amx_bf16*");
    assert_eq!(code, Some(2), "{stdout}{stderr}");
    assert!(stderr.contains("intel-tdpbf16ps: FAILED: engine icarus: ") && stderr.contains("refused"), "{stderr}");
    assert!(stderr.contains("error: icarus failed on 1 of 5"), "{stderr}");
    assert!(stdout.contains("out: 4 of 5 of Sapphire-Rapids recorded, 80 vectors, "), "{stdout}");
    assert_eq!(stdout.matches("| FAILED, as said above |").count(), 1, "{stdout}");
    let before = files();
    assert_eq!(before.len(), 1);
    let (code, [stdout, stderr]) = record("nothing");
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stdout.contains("out: 5 of 5 of Sapphire-Rapids recorded, 100 vectors, "), "{stdout}");
    let name = "Sapphire-Rapids-0.tsrec";
    assert!(files()[name].starts_with(&before[name]) && files().len() == 1, "what was recorded stays");
    let subjects: Vec<_> = recorded(&files()[name]).into_iter().map(|one| one.header.subject).collect();
    assert_eq!(subjects, ["intel-tdpbssd", "intel-vdpbf16ps", "fma-fp32", "fma-fp64", "intel-tdpbf16ps"]);
}

#[test]
fn refused_devices() {
    let folder = Folder::new();
    let record = |arguments: &[&'static str]| [&["record", "--engine", "emulator"], arguments].concat();
    folder.refuse(&record(&["--out", "x"]), &["<SUBJECT>"]);
    folder.refuse(&record(&["tiny-fma", "--device", "V100", "--out", "x"]), &["cannot be used with"]);
    folder.refuse(&record(&["--device", "V1000", "--out", "x"]), &["unknown device \"V1000\"; nearest: V100"]);
    folder.refuse(&record(&["tiny-fma", "--file-size", "1MiB", "--out", "x"]), &["cannot be used with"]);
    for size in ["0", "MiB", "1MB", "1.5MiB", "99999999999GiB", ""] {
        folder.refuse(&record(&["--device", "V100", "--out", "x", "--file-size", size]), &["--file-size"]);
    }
    folder.write("file", "");
    folder.refuse(&record(&["--device", "V100", "--out", "file"]), &["file: cannot be created"]);
    folder
        .refuse(&record(&["--device", "V100", "--out", "x", "--suites", "random,random"]), &["random is named twice"]);
}
