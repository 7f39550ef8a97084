//! Export and import from the command line.

use super::program::Folder;

const FORMATS: [&str; 4] = ["jsonl", "csv", "readmemh", "npy"];

/// A folder with a recording of 5,000 vectors, more than a chunk has.
fn recorded(subject: &str) -> Folder {
    let folder = Folder::new();
    folder.succeed(&["record", subject, "--engine", "emulator", "--vectors", "5000", "--out", "in.tsrec"]);
    folder
}

#[test]
fn out_and_back() {
    let folder = recorded("volta-mma-m8n8k4-fp16-fp32");
    for format in FORMATS {
        let run = folder.succeed(&["export", "in.tsrec", "--format", format, "--out", format]);
        assert_eq!(run.stdout, format!("{format}: 5,000 vectors of volta-mma-m8n8k4-fp16-fp32\n"));
        let run = folder.succeed(&["import", format, "--format", format, "--out", "out.tsrec"]);
        assert!(
            run.stdout.starts_with("out.tsrec: 5,000 vectors of volta-mma-m8n8k4-fp16-fp32, answered by emulator (")
        );
        let bytes = |name| std::fs::read(folder.path(name)).expect("a recording");
        assert_eq!(bytes("in.tsrec"), bytes("out.tsrec"), "{format}");
        std::fs::remove_file(folder.path("out.tsrec")).expect("a file");
        folder.refuse(&["export", "in.tsrec", "--format", format, "--out", format], &["is there already"]);
        folder.refuse(&["import", format, "--format", format, "--out", "in.tsrec"], &["in.tsrec: is there already"]);
    }
}

/// The fixture is in the public layout; imported, it replays.
#[test]
fn public_layout() {
    let folder = Folder::new();
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/fixture");
    let import =
        |rest: &[&'static str]| [&["import", fixture, "--format", "public", "--out", "v100.tsrec"], rest].concat();
    let subject = ["--subject", "volta-mma-m8n8k4-fp16-fp32"];
    let device = ["--device", "V100"];
    folder.refuse(&import(&device), &["--subject <NAME|FILE>"]);
    folder.refuse(&import(&subject), &["--device <NAME>"]);
    let late = [&subject[..], &device, &["--recorded", "yesterday"]].concat();
    folder.refuse(&import(&late), &["--recorded: \"yesterday\"", "allowed: a time such as"]);
    folder.refuse(&import(&["--subject", "no-such", "--device", "V100"]), &["unknown unit or instruction \"no-such\""]);
    folder.refuse(&import(&["--subject", subject[1], "--device", "V101"]), &["a_V101_fp16.txt: cannot be read"]);
    folder.refuse(&import(&["--subject", subject[1], "--device", "../V100"]), &["device \"../V100\"; allowed"]);
    let told = [&subject[..], &device, &["--recorded", "2025-01-31T12:00:00Z"]].concat();
    let run = folder.succeed(&import(&told));
    assert!(run.stdout.contains("200 vectors of volta-mma-m8n8k4-fp16-fp32, answered by V100 (unknown)"), "{run:?}");
    let run = folder.succeed(&["replay", "v100.tsrec", "--engines", "emulator"]);
    assert!(run.stdout.contains("emulator: ran 200 recorded rows, 0 mismatches"), "{run:?}");
    folder.succeed(&["export", "v100.tsrec", "--format", "public", "--out", "again"]);
    let run = folder.succeed(&["replay", "again", "--engines", "emulator"]);
    assert!(run.stdout.contains("emulator: ran 200 recorded rows, 0 mismatches"), "{run:?}");
}

/// Of several recordings one is exported, by its subject; and what follows it is read too.
#[test]
fn one_of_several_recordings() {
    let folder = Folder::new();
    let files = ["a.tsrec", "b.tsrec"];
    for (subject, file) in ["tiny-fma", "fma-fp64"].iter().zip(files) {
        folder.succeed(&["record", subject, "--engine", "emulator", "--vectors", "700", "--out", file]);
    }
    let [first, second] = files.map(|file| std::fs::read(folder.path(file)).expect("a recording"));
    folder.write("both.tsrec", [&first[..], &second].concat());
    let export = |file, rest: &[&'static str]| [&["export", file, "--format", "jsonl", "--out", "x"], rest].concat();
    let several = "2 recordings: of tiny-fma, fma-fp64; allowed: one, or one that --subject names";
    folder.refuse(&export("both.tsrec", &[]), &[several]);
    let none = "\"fma-fp32\" is not among them; allowed: tiny-fma, fma-fp64";
    folder.refuse(&export("both.tsrec", &["--subject", "fma-fp32"]), &[none]);
    for (subject, file) in [("tiny-fma", "a.tsrec"), ("fma-fp64", "b.tsrec")] {
        let run = folder.succeed(&export("both.tsrec", &["--subject", subject]));
        assert_eq!(run.stdout, format!("x: 700 vectors of {subject}\n"));
        folder.succeed(&["import", "x", "--format", "jsonl", "--out", "again.tsrec"]);
        assert_eq!(std::fs::read(folder.path("again.tsrec")).ok(), std::fs::read(folder.path(file)).ok());
        ["x", "again.tsrec"].iter().for_each(|name| std::fs::remove_file(folder.path(name)).expect("a file"));
    }
    folder.write("both.tsrec", [&first[..], &first].concat());
    folder.refuse(&export("both.tsrec", &["--subject", "tiny-fma"]), &["2 recordings: of tiny-fma, tiny-fma"]);
    folder.write("both.tsrec", [&first[..], b"none"].concat());
    folder.refuse(&export("both.tsrec", &[]), &["what follows the end of a recording is none"]);
}

#[test]
fn arguments_that_do_not_fit() {
    let folder = recorded("volta-fp16-fp32");
    let export = |rest: &[&'static str]| [&["export", "in.tsrec", "--out", "other"], rest].concat();
    folder.refuse(&export(&["--format", "xml"]), &["'xml'", "public, readmemh, jsonl, csv, npy"]);
    folder.refuse(&export(&["--format", "npy", "--device", "V100"]), &["--device: allowed: with --format public only"]);
    folder.refuse(&export(&["--format", "public"]), &["it names no device", "--device"]);
    folder.refuse(&["export", "no.tsrec", "--format", "npy", "--out", "x"], &["no.tsrec: cannot be read"]);
    folder.refuse(&["export", "in.tsrec", "--format", "npy", "--out", "no/x"], &["no/x: cannot be written"]);
    folder.refuse(&["export", "in.tsrec", "--format", "npy", "--out", ".."], &["..: is there already"]);
    let import = ["import", "in.tsrec", "--format", "jsonl", "--out", "x.tsrec"];
    folder.refuse(&import, &["in.tsrec: line 1: "]);
    folder.refuse(&[&import[..], &["--subject", "volta-fp16-fp32"]].concat(), &["bytes that are no text"]);
    for format in ["readmemh", "npy"] {
        folder.refuse(&["import", "no", "--format", format, "--out", "x.tsrec"], &["cannot be read"]);
    }
}
