//! The designs of the examples, and broken twins of them: what differs, what is computed instead, and what else is not right.

use super::super::program::Folder;
use super::{EXAMPLES, examples, is_read, is_simulated, with_fault, with_small};
use crate::support::{in_parallel, long_tier, sampled};

/// What is found of a twin: fields of the diagnosis with the design's values, or what the engine says of it.
enum Found {
    Fields(&'static [(&'static str, &'static str)]),
    /// No description explains it: the share of answers that the nearest leaves, in percent, at most.
    Nearest(f64),
    Said(&'static str),
}

use Found::{Fields, Nearest, Said};

const TWINS: [(usize, u32, Found); 11] = [
    (0, 1, Fields(&[("alignment.fraction_bits", "11")])),
    (0, 2, Fields(&[("alignment.rounding", "\"downward\"")])),
    (1, 1, Fields(&[("subnormals", "{ operands = \"flushed\", addend = \"kept\", result = \"kept\" }")])),
    (1, 2, Nearest(25.0)),
    (2, 2, Nearest(1.0)),
    (2, 3, Said("the design gives one more result")),
    (2, 1, Said("the design changes its result in cycle 10, before it was taken")),
    (3, 1, Said("it depends on the vectors that came before")),
    (3, 2, Fields(&[("subnormals", "{ operands = \"kept\", addend = \"kept\", result = \"flushed\" }")])),
    (4, 1, Fields(&[("conversion.nan", "0x7fc00000")])),
    (4, 2, Nearest(1.0)),
];

#[test]
fn examples_equal_their_unit() {
    if !is_simulated() {
        return;
    }
    let folder = examples();
    in_parallel(&sampled(&EXAMPLES, 2), |(example, _)| {
        if !is_read(example) {
            return;
        }
        let (design, report) = (format!("{example}/design.toml"), format!("{example}.json"));
        folder.succeed(&["cosim", "--design", &design, "--vectors", "20000", "--json", &report]);
        let report = folder.json(&report);
        let unit = &report["units"][0];
        assert_eq!((&unit["unit"], &unit["compared"]), (&"dot4-e4m3".into(), &20000.into()), "{example}");
        let engines: Vec<_> = unit["engines"].as_array().expect("a list").iter().collect();
        let own = engines.iter().find(|engine| engine["engine"] == "design").expect("the design");
        assert_eq!((&own["vectors"], engines.len()), (&20000.into(), 3), "{example}");
    });
}

#[test]
fn broken_twins_are_found_and_diagnosed() {
    if !is_simulated() {
        return;
    }
    let folder = examples();
    in_parallel(&sampled(&TWINS, 4), |(example, fault, found)| {
        if !is_read(EXAMPLES[*example].0) {
            return;
        }
        let design = with_fault(&folder, EXAMPLES[*example], *fault);
        let json = format!("{example}-{fault}.json");
        let limit = if matches!(found, Nearest(_)) { "1" } else { "60" };
        let diagnose = ["--diagnose", "--diagnose-limit", limit, "--json", &json];
        let run = folder.run(&[&["cosim", "--design", &design, "--vectors", "20000"][..], &diagnose].concat());
        if let Said(text) = found {
            assert!(run.code == 2 && run.stderr.contains(text), "{design}: {run:?}");
            return;
        }
        assert_eq!(run.code, 1, "{design}: {run:?}");
        check_diagnosis(&folder, &json, found, &design);
        assert!(run.stdout.contains("diagnosis: "), "{design}: {run:?}");
    });
}

fn check_diagnosis(folder: &Folder, json: &str, found: &Found, design: &str) {
    let report = folder.json(json);
    let diagnosis = &report["units"][0]["first_mismatch"]["diagnosis"];
    let differences = diagnosis["differences"].as_array().expect("a list");
    let fields =
        differences.iter().map(|row| (row["field"].as_str().expect("text"), row["found"].as_str().expect("text")));
    match found {
        Fields(wanted) => {
            assert_eq!(diagnosis["ended"], "explained", "{design}: {diagnosis}");
            assert_eq!(fields.collect::<Vec<_>>(), *wanted, "{design}");
            assert_eq!(diagnosis["unexplained"], 0, "{design}");
        }
        Nearest(share) => {
            assert_ne!(diagnosis["ended"], "explained", "{design}: {diagnosis}");
            let count = |name: &str| diagnosis[name].as_f64().expect("a number");
            let left = 100.0 * count("unexplained") / count("vectors");
            assert!(left > 0.0 && left <= *share, "{design}: {left} %");
        }
        Said(_) => unreachable!("it has no diagnosis"),
    }
}

/// The waveform of a wrong result begins at time 0, and names the vectors at the ports.
#[test]
fn waveforms_of_wrong_results() {
    if !long_tier() || !is_simulated() {
        return;
    }
    let folder = examples();
    let design = with_fault(&folder, EXAMPLES[2], 2);
    let run = folder.run(&["cosim", "--design", &design, "--vectors", "5000", "--wave", "--json", "report.json"]);
    assert_eq!(run.code, 1, "{run:?}");
    let name = folder.json("report.json")["units"][0]["first_mismatch"]["wave_file"].clone();
    let wave = folder.read(name.as_str().expect("a file"));
    for part in ["$enddefinitions", "vector_i [31:0]", "result_of_i [31:0]", "aresetn", "operands_valid_q", "\n#0\n"] {
        assert!(wave.contains(part), "{part:?} is missing in the waveform");
    }
    // The wrong result, NaN as c has it, is the last value of the port.
    let last = wave.rsplit("b0111111111000000").count();
    assert!(last > 1, "the wrong result is missing in the waveform");
    folder.refuse(&["cosim", "tiny-nearest", "--wave", "--vectors", "10"], &["--design"]);
}

/// Other commands ask a design as they ask any engine. In the ordinary tier the small one is inferred.
#[test]
fn every_command_asks_a_design() {
    if !is_simulated() {
        return;
    }
    let folder = with_small(examples());
    let design = ["--design", "elastic/design.toml"];
    let ask = |arguments: &[&str]| folder.succeed(&[arguments, &design].concat());
    let run = ask(&["eval", "unit.toml", "--a", "1,2,3,4", "--b", "1,1,1,1", "--c", "0.5"]);
    assert!(run.stdout.contains("d (emulator, design)") || run.stdout.contains("d (design)"), "{run:?}");
    ask(&["probes", "unit.toml", "--json", "probes.json"]);
    let (unit, file, said, found) = match long_tier() {
        true => ("unit.toml", design[1], "design is fused: 4 products", "fraction_bits = 12"),
        false => ("tiny-integer", "small/design.toml", "design is integer: 2 products", "overflow = \"saturate\""),
    };
    let budget = ["--confirm", "2000", "--search", "2000", "--out", "found.toml"];
    let run = folder.succeed(&[&["infer", unit, "--design", file], &budget[..]].concat());
    assert!(run.stdout.contains(said), "{run:?}");
    assert!(folder.read("found.toml").contains(found), "{}", folder.read("found.toml"));
    folder.refuse(&[&["units"][..], &design].concat(), &["no engine asks that design"]);
    // What has other operands is not its to answer: it is skipped, and alone it is refused.
    let run = folder.run(&[&["cosim", "unit.toml", "tiny-nearest", "--vectors", "200"][..], &design].concat());
    let skipped = "design     skipped, because the design should equal ../unit.toml";
    assert!(run.code == 0 && run.stdout.contains(skipped), "{run:?}");
    let run = folder.run(&[&["cosim", "tiny-nearest", "--vectors", "200"][..], &design].concat());
    assert!(run.code == 2 && run.stderr.contains("design was named and answered nothing"), "{run:?}");
    folder.refuse(&["cosim", "unit.toml", "--engines", "emulator,design"], &["no design is named", "--design FILE"]);
    folder.refuse(&[&["cosim", "unit.toml", "--engines", "emulator"][..], &design].concat(), &["no engine asks"]);
}

/// What a design answered before its sources were changed is no result of the campaign.
#[test]
fn campaigns_know_changed_sources() {
    if !is_simulated() {
        return;
    }
    let folder = examples();
    folder.write(
        "two.toml",
        "name = \"two\"\nengines = [\"emulator\", \"design\"]\npiece = 1024\nvectors = 2048\n[[run]]\nsubjects = [\"unit.toml\"]\n",
    );
    let line = ["campaign", "two.toml", "--out", "out", "--design", "pipelined/design.toml"];
    assert!(folder.succeed(&line).stdout.contains("2 pieces of 2,048 vectors, 2,048 of them run now"));
    assert!(folder.succeed(&line).stdout.contains("2 pieces of 2,048 vectors, 0 of them run now"));
    folder.write("pipelined/dot4.sv", folder.read("pipelined/dot4.sv") + "// Changed.\n");
    folder.refuse(&line, &["out/shard-1-of-1.results", "external program or design; allowed: a new folder"]);
}
