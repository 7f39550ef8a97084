//! Files to write that are read, or are to be written twice: refused before anything runs.

use super::program::Folder;

const UNIT: &str = r#"name = "mine"
scheme = "fma-chain"
products = 1
formats = { a = "bfloat16", b = "bfloat16", c = "binary32", d = "binary32" }
conversion = { rounding = "nearest-even", overflow = "ieee" }
"#;

const INSTRUCTION: &str = r#"name = "own"
summary = "one unit"
unit = "mine.toml"
shape = { m = 1, n = 1, k = 1 }
order = "contiguous"
start = "addend"
evidence = { grade = "chosen", source = "a test" }
"#;

const CAMPAIGN: &str = r#"name = "small"
engines = ["emulator", "reference"]
piece = 1024
vectors = 1024
[[run]]
subjects = ["mine.toml"]
"#;

const INFER: [&str; 8] = ["infer", "mine.toml", "--engine", "emulator", "--confirm", "1000", "--search", "1000"];

const TAKEN: &str = "is read or written already; allowed: a file of its own";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("mine.toml", UNIT);
    folder.write("own.toml", INSTRUCTION);
    folder.write("small.toml", CAMPAIGN);
    folder.write("a.txt", "1\n");
    std::fs::create_dir(folder.path("in")).expect("a folder");
    folder.succeed(&["record", "tiny-fma", "--engine", "emulator", "--vectors", "100", "--out", "in/x.tsrec"]);
    folder.succeed(&["campaign", "small.toml", "--out", "results"]);
    folder
}

#[test]
fn files_that_are_read() {
    let folder = folder();
    let gemm = ["gemm", "own.toml", "--a", "a.txt", "--b", "a.txt"];
    let shard = "results/shard-1-of-1.results";
    let cases: Vec<(Vec<&str>, &str)> = vec![
        (vec!["show", "mine.toml", "--json", "mine.toml"], "--json: mine.toml"),
        (vec!["eval", "mine.toml", "--json", "./mine.toml"], "--json: ./mine.toml"),
        (vec!["compare", "mine.toml", "tiny-fma", "--json", "mine.toml"], "--json: mine.toml"),
        (vec!["cosim", "mine.toml", "--engines", "emulator,reference", "--junit", "mine.toml"], "--junit: mine.toml"),
        (vec!["cosim", "--case", "mine.toml", "--json", "mine.toml"], "--json: mine.toml"),
        (vec!["suite", "fasi", "mine.toml", "--json", "mine.toml"], "--json: mine.toml"),
        (vec!["distinguish", "mine.toml", "tiny-fma", "--json", "mine.toml"], "--json: mine.toml"),
        (vec!["replay", "in/x.tsrec", "--json", "in/x.tsrec"], "--json: in/x.tsrec"),
        (vec!["replay", "in", "--junit", "in/x.tsrec"], "--junit: in/x.tsrec"),
        (vec!["merge", "small.toml", "results", "--json", shard], "--json: results/shard"),
        (vec!["merge", "small.toml", "results", "--json", "small.toml"], "--json: small.toml"),
        (vec!["infer", "mine.toml", "--engine", "emulator", "--out", "mine.toml"], "--out: mine.toml"),
        (vec!["infer", "--recording", "in/x.tsrec", "--json", "in/x.tsrec"], "--json: in/x.tsrec"),
        ([&gemm[..], &["--json", "a.txt"]].concat(), "--json: a.txt"),
    ];
    for (arguments, place) in &cases {
        folder.refuse(arguments, &[place, TAKEN]);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("mine.toml", folder.path("link.json")).expect("a link");
        folder.refuse(&["show", "mine.toml", "--json", "link.json"], &["--json: link.json", TAKEN]);
    }
    println!("ran {} lines that would replace what they read", cases.len());
}

#[test]
fn files_that_are_written_twice() {
    let folder = folder();
    let cosim = ["cosim", "mine.toml", "--engines", "emulator,reference", "--vectors", "10"];
    folder.refuse(&[&cosim[..], &["--json", "x", "--junit", "x"]].concat(), &["--junit: x", TAKEN]);
    folder.refuse(&["study", "ootomo-yokota", "--csv", "x", "--svg", "x"], &["--svg: x", TAKEN]);
    let gemm = ["gemm", "own.toml", "--a", "a.txt", "--b", "a.txt"];
    folder.refuse(&[&gemm[..], &["--out", "d.npy", "--json", "d.npy"]].concat(), &["d.npy", TAKEN]);
    // The file of an instruction's unit would stand beside `new.toml`.
    folder.refuse(&[&INFER[..], &["--out", "new.toml", "--json", "new-unit.toml"]].concat(), &["new-unit.toml", TAKEN]);
    folder.refuse(&[&cosim[..], &["--junit", "-"]].concat(), &["--junit: -; allowed: a file"]);
}

/// Files of a design, unit files that somebody wrote, and what stands behind a descriptor are not replaced.
#[test]
#[cfg(unix)]
fn files_of_the_user_stay() {
    let folder = folder();
    for file in ["design.toml", "dot.sv"] {
        let of = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/designs").join(file);
        folder.write(file, std::fs::read_to_string(of).expect("a design"));
    }
    let eval = ["--design", "design.toml", "eval", "mine.toml", "--json", "design.toml"];
    folder.refuse(&eval, &["--json: design.toml", TAKEN]);
    // The name that the emitter gives the unit's file.
    let own = format!("# notes of mine\n{UNIT}");
    let name = UNIT.split('"').nth(1).expect("a name").replace('-', "_");
    folder.write(&format!("{name}.toml"), &own);
    folder.refuse(
        &["emit", "mine.toml", "--out", "."],
        &["--out: ", "is a unit file that was not emitted; allowed: a folder"],
    );
    assert_eq!(folder.read(&format!("{name}.toml")), own);
    for _ in 0..2 {
        folder.succeed(&["emit", "mine.toml", "--out", "rtl"]);
    }
    let log = std::fs::OpenOptions::new().append(true).create(true).open(folder.path("log")).expect("a file");
    folder.write("log", "precious\n");
    let run = folder.command(&["show", "mine.toml", "--json", "/dev/stdout"]).stdout(log).output().expect("it runs");
    assert_eq!(run.status.code(), Some(2), "{run:?}");
    assert!(folder.read("log").starts_with("precious"), "{}", folder.read("log"));
    let board = ["board", "board:sim", "tiny-nearest", "--engine", "board:sim", "--vectors", "10"];
    folder.refuse(&board, &["--engine: board:sim would agree with itself; allowed: another engine"]);
    let bench = ["export", "in/x.tsrec", "--testbench", "sv", "--module", "endmodule", "--out", "bench"];
    folder.refuse(&bench, &["no keyword of SystemVerilog"]);
}

/// Reports are replaced by their like, also in a folder that is read.
#[test]
fn reports_are_replaced() {
    let folder = folder();
    for _ in 0..2 {
        folder.succeed(&[
            "replay",
            "in",
            "--engines",
            "emulator",
            "--json",
            "in/report.json",
            "--junit",
            "in/report.xml",
        ]);
        folder.succeed(&["merge", "small.toml", "results", "--json", "results/merged.json"]);
        folder.succeed(&["show", "mine.toml", "--json", "mine.json"]);
        folder.succeed(&[&INFER[..], &["--out", "found.toml"]].concat());
    }
}

/// What cannot be written is said without the name of a file that nobody has named.
#[test]
fn missing_folders_are_named_as_given() {
    let folder = folder();
    let run = folder.run(&["show", "mine.toml", "--json", "none/x.json"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stderr.starts_with("error: none/x.json: cannot be written: "), "{}", run.stderr);
    assert!(!run.stderr.contains(".tmp"), "{}", run.stderr);
}
