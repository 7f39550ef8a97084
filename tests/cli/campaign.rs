//! Campaigns: any shards, stopped at any moment, give the same report; damage, other campaigns and faults are told.

use std::process::Stdio;
use std::time::Duration;

use super::external::has_python;
use super::program::Folder;
use super::support::{long_tier, sampled};

/// 14 pieces: 3 runs of 5, 5 and 4.
const CAMPAIGN: &str = r#"
name = "small"
engines = ["emulator", "reference"]
piece = 8192
vectors = 40_000

[[run]]
subjects = ["volta-fp16-fp32", "ampere-mma-m16n8k16-fp16-fp32"]

[[run]]
subjects = ["own.toml"]
seed = 7
vectors = 30_000
classes = ["close", "tie"]
"#;

const OWN: &str = r#"
name = "own"
scheme = "fused"
products = 2
formats = { a = "bfloat16", b = "bfloat16", c = "binary32", d = "binary32" }
alignment = { fraction_bits = 24, rounding = "toward-zero", exponent_floor = -132 }
conversion = { rounding = "nearest-even", overflow = "infinity" }
"#;

pub fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("small.toml", CAMPAIGN);
    folder.write("own.toml", OWN);
    folder
}

/// The merged report of a folder of results.
pub fn merged(folder: &Folder, results: &str) -> String {
    folder.succeed(&["merge", "small.toml", results, "--json", "-"]).stdout
}

fn shards(folder: &Folder, of: usize, out: &str) {
    for number in 1..=of {
        folder.succeed(&["campaign", "small.toml", "--out", out, "--shard", &format!("{number}/{of}")]);
    }
}

#[test]
fn reports_are_the_same_whatever_the_shards() {
    let folder = folder();
    let run = folder.succeed(&["campaign", "small.toml", "--out", "whole"]);
    assert!(run.stdout.contains("small: shard 1/1: 14 pieces of 110,000 vectors, 110,000 of them run now"), "{run:?}");
    assert!(run.stdout.ends_with("small: 110,000 vectors compared, 0 mismatches, complete\n"), "{run:?}");
    let whole = merged(&folder, "whole");
    for &of in sampled(&[7, 14, 64], 3) {
        shards(&folder, of, "parts");
        assert_eq!(merged(&folder, "parts"), whole, "{of} shards");
        std::fs::remove_dir_all(folder.path("parts")).expect("a folder of this test");
    }
    // Shards of different divisions overlap, and each piece counts once.
    shards(&folder, 2, "whole");
    assert_eq!(merged(&folder, "whole"), whole);
    let report: serde_json::Value = serde_json::from_str(&whole).expect("JSON");
    assert_eq!((&report["complete"], &report["passed"]), (&true.into(), &true.into()));
    assert_eq!(report["runs"][2]["engines"][1]["vectors"], 30_000);
    assert_eq!(report["runs"].as_array().map(Vec::len), Some(3));
    // The same vectors as a co-simulation of the same seed, and the same events.
    let cosim = ["cosim", "volta-fp16-fp32", "--vectors", "40000", "--engines", "emulator,reference", "--json", "-"];
    let cosim: serde_json::Value = serde_json::from_str(&folder.succeed(&cosim).stdout).expect("JSON");
    for event in cosim["units"][0]["coverage"].as_array().expect("a list") {
        let name = event["event"].as_str().expect("a name");
        assert_eq!(report["runs"][0]["events"][name], event["count"], "{name}");
    }
    // A second call has nothing left to do.
    let run = folder.succeed(&["campaign", "small.toml", "--out", "whole"]);
    assert!(run.stdout.contains("14 pieces of 110,000 vectors, 0 of them run now"), "{run:?}");
}

#[test]
fn what_is_missing_is_told() {
    let folder = folder();
    folder.succeed(&["campaign", "small.toml", "--out", "out", "--shard", "2/3"]);
    folder.refuse(&["merge", "small.toml", "out"], &["9 of 14 pieces are missing", "--partial"]);
    let run = folder.succeed(&["merge", "small.toml", "out", "--partial"]);
    assert!(run.stdout.ends_with("0 mismatches, not complete\n"), "{run:?}");
}

#[test]
fn campaigns_that_are_killed_go_on() {
    let folder = folder();
    folder.succeed(&["campaign", "small.toml", "--out", "whole"]);
    let whole = merged(&folder, "whole");
    for turn in 0..20u64 {
        let mut child = folder
            .command(&["campaign", "small.toml", "--out", "killed", "--jobs", "2"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        // From before the first piece to after some, in no order.
        std::thread::sleep(Duration::from_millis(turn * 37 % 101));
        child.kill().expect("a child of this test");
        child.wait().expect("a child of this test");
    }
    folder.succeed(&["campaign", "small.toml", "--out", "killed"]);
    assert_eq!(merged(&folder, "killed"), whole);
}

#[test]
fn incomplete_lines_are_cut_off_and_damage_is_told() {
    let folder = folder();
    folder.succeed(&["campaign", "small.toml", "--out", "out", "--jobs", "1"]);
    let whole = merged(&folder, "out");
    let name = "out/shard-1-of-1.results";
    let bytes = std::fs::read(folder.path(name)).expect("results");
    let last = bytes[..bytes.len() - 1].iter().rposition(|&byte| byte == b'\n').expect("several lines");
    for &cut in sampled(&[bytes.len() - 1, last + 20, last + 1, last, 30, 0], 2) {
        folder.write(name, &bytes[..cut]);
        folder.succeed(&["campaign", "small.toml", "--out", "out", "--jobs", "1"]);
        assert_eq!(merged(&folder, "out"), whole, "cut at {cut}");
    }
    // Every byte but the last line's counts; some of them are changed.
    let places = if long_tier() { 40 } else { 5 };
    for place in (0..last).step_by(last / places) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        folder.write(name, damaged);
        folder.refuse(&["campaign", "small.toml", "--out", "out"], &["shard-1-of-1.results", "is damaged"]);
        folder.refuse(&["merge", "small.toml", "out"], &["is damaged"]);
    }
    folder.write(name, &bytes);
    folder.write("small.toml", CAMPAIGN.replace("seed = 7", "seed = 8"));
    folder.refuse(&["campaign", "small.toml", "--out", "out"], &["or of \"small\" with other contents"]);
    folder.refuse(&["merge", "small.toml", "out"], &["with other contents"]);
}

#[test]
fn pieces_with_two_results_are_told() {
    let folder = folder();
    folder.succeed(&["campaign", "small.toml", "--out", "one", "--jobs", "1"]);
    let text = folder.read("one/shard-1-of-1.results");
    let changed: Vec<String> = text
        .lines()
        .map(|line| {
            let json =
                line.split_once(' ').expect("a checksum").1.replace("\"events\":{", "\"events\":{\"another\":1,");
            format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()))
        })
        .collect();
    std::fs::create_dir(folder.path("two")).expect("a folder");
    folder.write("two/shard-1-of-1.results", changed.concat());
    folder.refuse(&["merge", "small.toml", "one", "two"], &["piece 0 has two different results"]);
}

/// A line whose checksum is right and whose numbers or engines are not those of the campaign file.
#[test]
fn results_that_contradict_the_campaign_file_are_refused() {
    let folder = folder();
    folder.succeed(&["campaign", "small.toml", "--out", "out", "--jobs", "1"]);
    let name = "out/shard-1-of-1.results";
    let text = folder.read(name);
    for (from, to, says) in [
        ("\"compared\":8192", "\"compared\":999999", "compared is 999999; allowed: at most 8192"),
        ("\"mismatches\":0", "\"mismatches\":8193", "mismatches is 8193; allowed: at most 8192"),
        (
            "\"engine\":\"reference\"",
            "\"engine\":\"rtl\"",
            "its engines are emulator, rtl; allowed: emulator, reference",
        ),
        ("\"vectors\":8192", "\"vectors\":8193", "emulator is 8193; allowed: at most 8192"),
        (
            "\"vectors\":8192",
            "\"vectors\":8191",
            "emulator is 8191; allowed: 8192, its vectors, or 0 where it is skipped",
        ),
        ("\"compared\":8192", "\"compared\":5", "compared is 5; allowed: 8192, its vectors"),
        ("\"mismatches\":0", "\"mismatches\":1", "mismatches is 1; allowed: 0 without a first one"),
        (
            "\"mismatches\":0,",
            "\"mismatches\":1,\"first\":{\"index\":99999,\"operands\":[],\"answers\":[]},",
            "its first mismatch is vector 99999; allowed: 0 to 8191",
        ),
        (
            "{\"engine\":\"reference\"",
            "{\"engine\":\"emulator\",\"version\":\"\",\"vectors\":8192},{\"engine\":\"reference\"",
            "its engines are emulator, emulator, reference; allowed: emulator, reference",
        ),
    ] {
        let edit = |line: &str| {
            let json = line.split_once(' ').expect("a checksum").1.replacen(from, to, 1);
            format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()))
        };
        let edited: String = text.lines().map(edit).collect();
        assert_ne!(edited, text, "{from}");
        folder.write(name, edited);
        folder.refuse(&["merge", "small.toml", "out"], &["contradicts the campaign file: ", says]);
    }
    folder.write(name, &text);
    folder.succeed(&["merge", "small.toml", "out"]);
}

/// The example of an external program, with a narrower window than the unit's.
#[test]
fn mismatch_is_counted_and_becomes_a_case() {
    if !has_python() {
        return;
    }
    let folder = folder();
    let example = include_str!("../../src/engine/external/example.py");
    folder.write("unit.py", example.replace("FRACTION_BITS = 25", "FRACTION_BITS = 24"));
    let text = "name = \"fault\"\nengines = [\"emulator\", \"external\"]\npiece = 4096\nvectors = 6000\n[[run]]\nsubjects = [\"hopper-fp16-fp32\"]\n";
    folder.write("fault.toml", text);
    let external = ["--external", "python3 unit.py"];
    let run = folder.run(&[&["campaign", "fault.toml", "--out", "out"][..], &external].concat());
    assert!(run.code == 1 && run.stdout.contains("first mismatch: vector "), "{run:?}");
    let run = folder.run(&["merge", "fault.toml", "out", "--json", "fault.json"]);
    assert_eq!(run.code, 1, "{run:?}");
    let report = folder.json("fault.json");
    let run = &report["runs"][0];
    assert!(run["mismatches"].as_u64().is_some_and(|count| count > 10), "{report}");
    assert_eq!((&run["compared"], &report["passed"]), (&6000.into(), &false.into()));
    let case = std::fs::read_dir(folder.path("out")).expect("the folder").flatten();
    let cases: Vec<String> = case.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let cases: Vec<&String> = cases.iter().filter(|name| name.starts_with("case-hopper-fp16-fp32-seed1-")).collect();
    assert_eq!(cases.len(), 1, "{cases:?}");
    // Results of another program are not mixed with these, nor those of another line with the same program.
    folder.write("unit.py", example);
    let again = [&["campaign", "fault.toml", "--out", "out"][..], &external].concat();
    folder.refuse(&again, &["out/shard-1-of-1.results", "another external program", "a new folder"]);
    let half = ["campaign", "fault.toml", "--out", "half", "--shard", "2/2"];
    folder.succeed(&[&half[..], &external].concat());
    folder.refuse(&["merge", "fault.toml", "out", "half"], &["another external program"]);
    // The case holds the right answer, which the emulator gives.
    folder.succeed(&["cosim", "--case", &format!("out/{}", cases[0]), "--engines", "emulator", "--allow-missing"]);
}

/// The program of a line is looked for as the shell does it: another file under the same name is another program.
#[cfg(unix)]
#[test]
fn external_programs_are_found_on_path() {
    if !has_python() {
        return;
    }
    let folder = folder();
    folder.write("unit.py", include_str!("../../src/engine/external/example.py"));
    let program = |comment: &str| {
        let unit = folder.path("unit.py").display().to_string();
        folder.script("bin/asked", &format!("# {comment}\n[ \"$1\" = --version ] || exec python3 '{unit}'"));
    };
    let text = "name = \"found\"\nengines = [\"emulator\", \"external\"]\npiece = 1024\nvectors = 1024\n[[run]]\nsubjects = [\"hopper-fp16-fp32\"]\n";
    folder.write("found.toml", text);
    let run = |line: &str| {
        let path = format!("{}:{}", folder.path("bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut command = folder.command(&["campaign", "found.toml", "--out", "out", "--external", line]);
        let output = command.env("PATH", path).output().expect("it runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    program("one");
    for line in ["asked", "asked --fast", "MODE=1 \"asked\""] {
        program("one");
        assert_eq!(run(line), (Some(0), String::new()), "{line}");
        assert_eq!(run(line).0, Some(0), "{line}: the same program goes on");
        program("another");
        let (code, said) = run(line);
        assert!(code == Some(2) && said.contains("another external program"), "{line}: {said}");
        std::fs::remove_dir_all(folder.path("out")).expect("it is ours");
    }
    for line in ["no-such-program", "no-such-program --fast", "MODE=1 no-such-program", "./unit.py"] {
        let (code, said) = run(line);
        assert!(code == Some(2) && said.contains("is not found; allowed: one that the shell finds"), "{line}: {said}");
        assert!(!folder.path("out").exists(), "{line}");
    }
}

#[test]
fn campaigns_that_cannot_be() {
    let folder = folder();
    let refuse = |from: &str, to: &str, parts: &[&str]| {
        assert!(CAMPAIGN.contains(from), "{from}");
        folder.write("bad.toml", CAMPAIGN.replace(from, to));
        folder.refuse(&["campaign", "bad.toml", "--out", "bad"], parts);
    };
    refuse("piece = 8192", "piece = 5000", &["bad.toml: field `piece` is 5000", "a multiple of 1024"]);
    refuse("vectors = 40_000", "vectors = 0", &["field `vectors` is 0", "1 to 2^50"]);
    refuse("\"reference\"]", "\"emulator\"]", &["field `engines`", "\"emulator\" among", "each once"]);
    refuse("\"reference\"]", "\"referenc\"]", &["\"referenc\" among"]);
    refuse(", \"reference\"]", "]", &["at least two engines"]);
    refuse("\"volta-fp16-fp32\"", "\"volta\"", &["field `run[0].subjects` is \"volta\""]);
    refuse("\"own.toml\"", "\"missing.toml\"", &["missing.toml: cannot be read"]);
    refuse("\"own.toml\"", "\"own.toml\", \"own.toml\"", &["field `run` is \"own\" twice with the same seed"]);
    folder.write("other.toml", OWN.replace("nearest-even", "toward-zero"));
    refuse("\"own.toml\"", "\"own.toml\", \"other.toml\"", &["field `run` is \"own\" twice with the same seed"]);
    refuse("name = \"small\"", "name = \"a\\nb\"", &["field `name` is \"a\\nb\"; allowed: one line"]);
    refuse("vectors = 40_000", "vectors = 1_000_000_000_000", &["field `piece` is 8192", "at most 10000000 pieces"]);
    refuse("\"tie\"", "\"largest-sums\"", &["field `run[1].classes` is \"largest-sums\"", "of own.toml: uniform"]);
    refuse("seed = 7", "sead = 7", &["unknown field `sead`"]);
    refuse("seed = 7", "seed = -7", &["field `run[1].seed` is -7", "0 to 2^64 - 1"]);
    refuse("seed = 7", "seed = 18446744073709551616", &["field `run[1].seed` is 18446744073709551616"]);
    refuse("vectors = 40_000", "vectors = -1", &["field `vectors` is -1", "1 to 2^50"]);
    refuse("piece = 8192", "piece = -1024", &["field `piece` is -1024", "1024 to 2^40"]);
    let own = "seed = 7\nvectors = 30_000\nclasses = [\"close\", \"tie\"]";
    refuse(own, "signed = true", &["field `engines` is [\"emulator\", \"reference\"]", "a board, and one engine"]);
    let board = "engines = [\"wide\", \"board:sim\"]\nsigned = true";
    refuse("seed = 7", board, &["field `run[1].classes` is [\"close\", \"tie\"]", "the board makes its vectors"]);
    for shard in ["0/3", "4/3", "3", "a/b", "1/0"] {
        folder.refuse(&["campaign", "small.toml", "--out", "out", "--shard", shard], &["i/N", shard]);
    }
    folder.refuse(&["merge", "small.toml", "nowhere"], &["nowhere", "cannot be read"]);
    folder.refuse(&["campaign", "small.toml", "--out", "out", "--external", "true"], &["--external", "no engine asks"]);
    refuse("\"reference\"]", "\"external\"]", &["engine external: no program is named"]);
    let alone = CAMPAIGN.replace("\"reference\"", "\"hip:7\"");
    folder.write("alone.toml", alone);
    let run = folder.run(&["campaign", "alone.toml", "--out", "alone", "--allow-missing"]);
    assert!(run.code == 2 && run.stderr.contains("hip:7 skipped, because"), "{run:?}");
    assert!(!folder.path("alone").exists(), "nothing ran, and nothing is left");
    assert_eq!(folder.run(&["campaign", "alone.toml", "--out", "deep/er/alone"]).code, 2);
    assert!(!folder.path("deep").exists(), "nor the folders around it");
    folder.write("kept/own.txt", "");
    assert_eq!(folder.run(&["campaign", "alone.toml", "--out", "kept"]).code, 2);
    let left: Vec<_> = std::fs::read_dir(folder.path("kept")).expect("the folder stays").collect();
    assert_eq!(left.len(), 1, "{left:?}");
}
