//! `distinguish` on the command line: answers, empty answers, prescribed answers, and what it refuses.

use super::five_devices::{ANSWERS, INSTRUCTIONS};
use super::program::{Folder, assert_fields};
use super::support::long_tier;

#[test]
fn distinguish_shows_vector_traces_and_how_to_see_it_again() {
    let folder = Folder::new();
    let run = folder.succeed(&["distinguish", "turing-fp16-fp32", "ampere-fp16-fp32", "--vectors", "20000"]);
    assert!(
        run.stdout.contains("no difference found on 20,000 vectors with seed 1; this is not a proof"),
        "{}",
        run.stdout
    );
    let run = folder.succeed(&["distinguish", "volta-fp16-fp32", "hickmann-integer-tree-fp16-fp32", "--k", "4"]);
    assert!(run.stdout.contains("1 of 1 pairs distinguished"), "{}", run.stdout);

    let run = folder.succeed(&["distinguish", "tiny-truncating", "tiny-nearest", "--vectors", "100000"]);
    let commands: Vec<&str> = run.stdout.lines().filter_map(|line| line.strip_prefix("  tensorsmith ")).collect();
    assert_eq!(commands.len(), 2, "{}", run.stdout);
    let answers: Vec<String> = commands
        .iter()
        .map(|command| {
            let words: Vec<&str> = command.split_whitespace().collect();
            let shown = folder.succeed(&words).stdout;
            shown.lines().find(|line| line.contains("d (emulator)")).expect("an answer").to_owned()
        })
        .collect();
    assert_ne!(answers[0], answers[1], "the commands show the difference");
    assert!(run.stdout.contains("-->"), "the first difference of the traces is marked: {}", run.stdout);
}

#[test]
fn distinguish_json() {
    let folder = Folder::new();
    let names = ["volta-fp16-fp32", "ampere-fp16-fp32", "hopper-fp16-fp32"];
    folder.succeed(&[&["distinguish"], &names[..], &["--k", "16", "--json", "out.json", "--seed", "7"]].concat());
    let report = folder.json("out.json");
    assert_fields(&report, &["tensorsmith", "command", "k", "seed", "tried", "all_inputs", "pairs"]);
    assert_eq!((&report["k"], &report["seed"], &report["all_inputs"]), (&16.into(), &7.into(), &false.into()));
    let pairs = report["pairs"].as_array().expect("a list");
    assert_eq!(pairs.len(), 3);
    for pair in pairs {
        assert_eq!(pair["differ"], true);
        let answers = &pair["vector"]["answers"];
        assert_ne!(answers[0]["hexadecimal"], answers[1]["hexadecimal"]);
        // A trace of each run of each of the two.
        let traces = pair["traces"].as_array().expect("a list");
        let runs = |index: usize| match pair["subjects"][index].as_str() {
            Some("volta-fp16-fp32") => 4,
            Some("ampere-fp16-fp32") => 2,
            _ => 1,
        };
        assert_eq!([0, 1].map(|index| traces[index].as_array().map_or(0, Vec::len)), [0, 1].map(runs), "{pair}");
        let last = |index: usize| {
            traces[index][runs(index) - 1].as_array().expect("signals").last().expect("a signal").clone()
        };
        assert!(last(0)[0] == "packed_word" && last(0)[1] != last(1)[1], "{pair}");
    }
}

/// Every pair has its traces beside it, or why there are none; of several runs the first that differs.
#[test]
fn traces_of_all_pairs() {
    let folder = Folder::new();
    let tiny = ["distinguish", "tiny-truncating", "tiny-nearest", "tiny-fma", "--vectors", "20000"];
    let said = folder.succeed(&tiny).stdout;
    assert_eq!(said.matches("\n--> ").count(), 1, "{said}");
    assert_eq!(said.matches("no traces side by side: the subjects have different stages").count(), 2, "{said}");
    let twice = ["distinguish", "tiny-truncating", "tiny-nearest", "--k", "4", "--vectors", "20000"];
    let said = folder.succeed(&twice).stdout;
    assert!(said.contains("of 2, the first that differs:\n") && said.contains("\n--> "), "{said}");
    let blocks = ["distinguish", "ampere-mma-m16n8k16-fp16-fp32", "hopper-mma-m16n8k16-fp16-fp32"];
    let said = folder.succeed(&blocks).stdout;
    let reason = "no traces: ampere-mma-m16n8k16-fp16-fp32 is an instruction of several blocks";
    assert!(said.contains(reason), "{said}");
}

#[test]
fn distinguish_prescribed_answers() {
    let folder = Folder::new();
    let names = ["volta-fp16-fp32", "ampere-fp16-fp32", "hopper-fp16-fp32"];
    let arguments = [&["distinguish"], &names[..], &["--answers", "0,1,1.5", "--k", "16", "--json", "-"]].concat();
    let report: serde_json::Value = serde_json::from_str(&folder.succeed(&arguments).stdout).expect("JSON");
    assert_eq!(report["found"], true);
    let answers: Vec<_> = (0..3).map(|index| report["vector"]["answers"][index]["decimal"].clone()).collect();
    assert_eq!(answers, ["0", "1", "1.5"]);

    // Instructions run as often as they have to: a step of the widest and one of the narrowest, 20 products. In the ordinary tier
    // two of the five.
    let asked = (0..5).filter(|index| long_tier() || [0, 4].contains(index));
    let (instructions, published): (Vec<&str>, Vec<String>) =
        asked.map(|index: usize| (INSTRUCTIONS[index], ANSWERS[index].to_string())).unzip();
    let answers = published.join(",");
    let arguments = [&["distinguish"], &instructions[..], &["--answers", &answers, "--json", "-"]].concat();
    let report: serde_json::Value = serde_json::from_str(&folder.succeed(&arguments).stdout).expect("JSON");
    assert_eq!((&report["found"], &report["k"]), (&true.into(), &20.into()));
    let found = (0..published.len()).map(|index| report["vector"]["answers"][index]["decimal"].clone());
    assert_eq!(found.collect::<Vec<_>>(), published);

    let none = ["distinguish", names[0], names[0], "--answers", "0,1", "--vectors", "1000"];
    let run = folder.succeed(&none);
    assert!(run.stdout.contains("and seed 1; this is not a proof that there is none"), "{}", run.stdout);
}

#[test]
fn distinguish_refuses() {
    let folder = Folder::new();
    let refuse = |arguments: &[&str], parts: &[&str]| {
        folder.refuse(&[&["distinguish"], arguments].concat(), parts);
    };
    refuse(&[], &["<SUBJECTS>..."]);
    refuse(&["hopper-fp16-fp32"], &["one subject; allowed: at least two"]);
    refuse(
        &["hopper-fp16-fp32", "hopper-bf16-fp32"],
        &["a of hopper-fp16-fp32 is binary16, of hopper-bf16-fp32 bfloat16"],
    );
    refuse(
        &["volta-fp16-fp32", "hopper-fp16-fp32"],
        &["number of products of volta-fp16-fp32 is 4, of hopper-fp16-fp32 16", "--k"],
    );
    refuse(&["riscv-fp16-fp32", "volta-fp16-fp32", "--k", "16"], &["riscv-fp16-fp32 has no c that could hold its d"]);
    refuse(&["hopper-fp16-fp32", "hopper-fp16-fp32", "--k", "0"], &["--k"]);
    refuse(&["hopper-fp16-fp32", "no-such"], &["unknown unit, instruction or device \"no-such\"; nearest: "]);
    let two = ["hopper-fp16-fp32", "hopper-fp16-fp32"];
    refuse(&[&two[..], &["--answers", "1"]].concat(), &["--answers has 1 numbers; allowed: 2"]);
    refuse(&[&two[..], &["--answers", "1,nan"]].concat(), &["allowed: finite numbers"]);
    refuse(&[&two[..], &["--answers", "1,0.1"]].concat(), &["0.1"]);
    let integers = ["integer-int8-int32", "integer-int8-int32", "--answers", "1,1"];
    refuse(&integers, &["has integers; allowed: floating-point operands"]);
}
