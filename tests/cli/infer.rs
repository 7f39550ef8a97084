//! `tensorsmith infer`: what is found is said in a screenful, written in files that are used again, and co-simulated with the
//! engine that answered; where nothing fits, nothing is written.

use std::path::Path;

use tensorsmith::check::probe::all;
use tensorsmith::check::stimulus::{CHUNK, Stimulus};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::{Grade, Unit};

use super::external::has_python;
use super::program::{Folder, assert_fields};
use super::support::replaced;

/// The description in a file of the test.
fn described(folder: &Folder, name: &str) -> Subject {
    Subject::from_file(&folder.path(name)).unwrap_or_else(|error| panic!("{error}"))
}

fn instruction(folder: &Folder, name: &str) -> Instruction {
    match described(folder, name) {
        Subject::Instruction(instruction) => instruction,
        Subject::Unit(unit) => panic!("{name} is the unit {unit:?}"),
    }
}

/// A unit without what tells nothing of its arithmetic.
fn plain(unit: &Unit) -> Unit {
    Unit { name: String::new(), summary: String::new(), evidence: Default::default(), ..unit.clone() }
}

#[test]
fn unit_that_is_found_is_a_unit_file() {
    let folder = Folder::new();
    let arguments = ["infer", "tiny-truncating", "--engine", "emulator", "--confirm", "5000", "--name", "again"];
    let run = folder.succeed(&[&arguments[..], &["--out", "found.toml", "--json", "found.json"]].concat());
    assert!(run.stdout.contains("emulator is fused: 2 products\n"), "{run:?}");
    assert!(run.stdout.ends_with("\nfound.toml\n"), "{run:?}");
    let Subject::Unit(unit) = described(&folder, "found.toml") else { panic!("an instruction") };
    assert_eq!(plain(&unit), plain(&catalogue::unit("tiny-truncating").expect("a unit")));
    assert!(unit.name == "again" && unit.summary.starts_with("inferred from "), "{unit:?}");
    assert!(unit.evidence.values().all(|evidence| evidence.grade == Grade::Inferred), "{unit:?}");
    for field in ["scheme", "products", "formats", "alignment.fraction_bits", "conversion.rounding", "subnormals"] {
        assert!(unit.evidence.contains_key(field), "{field}: {unit:?}");
    }
    let report = folder.json("found.json");
    assert_eq!((&report["found"], &report["scheme"]), (&true.into(), &"fused".into()));
    assert_eq!((&report["command"], &report["seed"]), (&"infer".into(), &1.into()));
    let version = format!("tensorsmith {}", env!("CARGO_PKG_VERSION"));
    assert_eq!((&report["engine"], &report["answered_by"][0]), (&"emulator".into(), &version.as_str().into()));
    assert!(run.stdout.contains(&format!("\nanswered by {version}; seed 1; {version}\n")), "{run:?}");
    assert!(unit.summary.ends_with(&format!("answers of the engine emulator ({version})")), "{unit:?}");
    assert_eq!(report["files"][0]["text"], folder.read("found.toml"));
    assert_eq!(report["cosim"], serde_json::Value::Null);
    assert_fields(&report["parameters"][0], &["field", "value", "exclusions", "indistinguishable", "fits"]);
    assert!(report["parameters"][0]["exclusions"][0]["answer"]["d"].is_string(), "{report}");
    // Feature tests that excluded values have their names on the screen, in the evidence and in the file.
    let known: Vec<&str> = all().into_iter().map(|test| test.name).collect();
    let exclusions = report["parameters"].as_array().into_iter().flatten().flat_map(|row| row["exclusions"].as_array());
    let tests: Vec<&str> = exclusions.flatten().filter_map(|exclusion| exclusion["test"].as_str()).collect();
    assert!(!tests.is_empty() && tests.iter().all(|test| known.contains(test)), "{tests:?}");
    assert!(tests.iter().any(|test| run.stdout.contains(&format!(" {test} "))), "{run:?}");
    let sources = || unit.evidence.values().map(|evidence| &evidence.source);
    assert!(tests.iter().any(|test| sources().any(|source| source.contains(&format!("{test}: a = ")))), "{unit:?}");
    folder.succeed(&["show", "found.toml"]);
    let software = super::program::SOFTWARE;
    folder.succeed(&["cosim", "--unit", "found.toml", "--vectors", "2000", "--engines", software]);
}

/// Every line that is said without `--out` is about the finding, and all of it is seen at once.
#[test]
fn finding_is_a_screenful() {
    let folder = Folder::new();
    let before = folder.content();
    let run = folder.succeed(&["infer", "tiny-truncating", "--engine", "emulator", "--confirm", "1000"]);
    assert_eq!(folder.content(), before, "nothing is written");
    assert!(!run.stdout.contains(".toml"), "{}", run.stdout);
    assert!(run.stdout.lines().count() <= 40, "{}", run.stdout);
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 180), "{}", run.stdout);
    let row = run.stdout.lines().find(|line| line.starts_with("| subnormals ")).expect("a row of the table");
    assert!(row.contains("| kept "), "{row}");
    for line in [
        "sum.carry_bits indistinguishable from 1: the largest sum is 6.2500 times 2^anchor, below 2^3",
        "subnormals indistinguishable from addend flushed: a subnormal addend lies below 2^-14, and every window ends at 2^0 or \
         above",
    ] {
        assert!(run.stdout.lines().any(|other| other == line), "{line}: {}", run.stdout);
    }
    let exact = run.stdout.lines().filter(|line| line.starts_with("not exact, ")).count();
    assert_eq!(exact, 1, "a scheme takes one line: {}", run.stdout);
}

/// Two blocks of two products, chained from c.
pub const CHAINED: &str = r#"
name = "two-blocks"
summary = "two blocks of a tiny unit"
unit = "tiny-truncating"
shape = { m = 1, n = 1, k = 4 }
order = "contiguous"
start = "addend"

[evidence]
grade = "chosen"
source = "for this test"
"#;

/// An adder of e5m2, as narrow as its precision allows.
const ADDER: &str = r#"
name = "adder"
scheme = "fused"
products = 1

[formats]
a = "e5m2"
b = "e2m1"
c = "e5m2"
d = "e5m2"

[alignment]
fraction_bits = 6
rounding = "to-odd"
exponent_floor = "none"

[conversion]
rounding = "nearest-even"
overflow = "infinity"
nan = 0x7e
exact_zero = "positive"
"#;

#[test]
fn instruction_that_is_found_has_a_unit_file_beside_it() {
    let folder = Folder::new();
    folder.write("two.toml", CHAINED);
    let arguments = ["infer", "two.toml", "--engine", "emulator", "--confirm", "5000", "--out", "found.toml"];
    let run = folder.succeed(&[&arguments[..], &["--json", "found.json"]].concat());
    assert!(run.stdout.contains("emulator is fused: 2 blocks of 2 products, contiguous, chained from c\n"), "{run:?}");
    assert!(run.stdout.ends_with("\nfound.toml\nfound-unit.toml\n"), "{run:?}");
    let found = instruction(&folder, "found.toml");
    assert_eq!((found.name.as_str(), found.unit.name.as_str()), ("inferred", "inferred-unit"));
    assert_eq!(plain(&found.unit), plain(&instruction(&folder, "two.toml").unit));
    assert!(found.evidence.grade == Grade::Inferred && found.evidence.source.contains("products = 2: "), "{found:?}");
    assert!(!found.unit.evidence.contains_key("products"), "the width of blocks is the instruction's");
    let files = folder.json("found.json")["files"].as_array().expect("a list").len();
    assert_eq!(files, 2);
    let software = super::program::SOFTWARE;
    folder.succeed(&["cosim", "--unit", "found.toml", "--vectors", "2000", "--engines", software]);
}

#[test]
fn final_addition_that_is_found_is_a_file_too() {
    let folder = Folder::new();
    folder.write("adder.toml", ADDER);
    let last = CHAINED.replace("start = \"addend\"", "start = \"zero\"\nfinal_addition = \"adder.toml\"");
    folder.write("last.toml", last);
    std::fs::create_dir(folder.path("sub")).expect("a folder");
    let arguments = ["infer", "last.toml", "--engine", "emulator", "--confirm", "5000", "--out", "sub/found.toml"];
    let run = folder.succeed(&[&arguments[..], &["--then-cosim", "--vectors", "5000"]].concat());
    assert!(run.stdout.contains("contiguous, from zero, c added last\n"), "{run:?}");
    let found = instruction(&folder, "sub/found.toml");
    let addition = found.final_addition.expect("a final addition");
    assert_eq!((addition.name.as_str(), found.unit.name.as_str()), ("inferred-addition", "inferred-unit"));
    assert!(addition.evidence["conversion.rounding"].source.contains("excluded"), "{addition:?}");
    assert!(folder.path("sub/found-unit.toml").exists() && folder.path("sub/found-addition.toml").exists());
    assert!(run.stdout.contains("sub/found-addition.toml\n"), "{run:?}");
}

#[test]
fn finding_is_co_simulated_with_the_engine_that_answered() {
    let folder = Folder::new();
    let arguments = ["infer", "tiny-nearest", "--engine", "reference", "--confirm", "2000", "--then-cosim"];
    let run = folder.succeed(&[&arguments[..], &["--vectors", "3000", "--json", "found.json"]].concat());
    assert!(run.stdout.contains("the black box is reference"), "{run:?}");
    assert!(run.stdout.contains("3,000 vectors compared, 0 mismatches, seed 2"), "{run:?}");
    let cosim = &folder.json("found.json")["cosim"];
    assert_eq!((&cosim["passed"], &cosim["seed"]), (&true.into(), &2.into()));
    let engines: Vec<&str> = cosim["units"][0]["engines"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|engine| engine["engine"].as_str().expect("a name"))
        .collect();
    // RTL ran, or is skipped and comes last.
    for name in ["emulator", "reference", "rtl", "black-box"] {
        assert!(engines.contains(&name), "{engines:?}");
    }
    // With the report alone on standard output.
    let run = folder.succeed(&[&arguments[..], &["--vectors", "100", "--json", "-"]].concat());
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("nothing but JSON");
    assert_eq!(report["cosim"]["units"][0]["compared"], 100);
}

/// The example of an external program with two products, which answers one vector wrongly: one that only the co-simulation
/// asks, so that the inference finds the unit all the same.
#[test]
fn answer_that_the_inference_did_not_ask_for_is_found_by_the_co_simulation() {
    if !has_python() {
        return;
    }
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/engine/external/example.py");
    let example = std::fs::read_to_string(example).expect("the example");
    let example = example.replace("PRODUCTS = 16", "PRODUCTS = 2").replace("FRACTION_BITS = 25", "FRACTION_BITS = 24");
    let folder = Folder::new();
    folder.write("unit.py", &example);
    let unit = catalogue::unit("volta-fp16-fp32").expect("a unit");
    folder.write("two.toml", Unit { products: 2, name: "two".to_owned(), ..unit }.to_toml());
    let program = ["infer", "two.toml", "--engine", "external", "--external", "python3 unit.py"];
    let vectors = (2 * CHUNK).to_string();
    let arguments =
        [&program[..], &["--confirm", "2000", "--out", "found.toml", "--then-cosim", "--vectors", &vectors]];
    let run = folder.run(&arguments.concat());
    assert_eq!(run.code, 0, "{run:?}");
    let found = described(&folder, "found.toml");
    let stimulus = Stimulus::shaped(found.frame(), 2);
    let mut batch = stimulus.empty_batch();
    stimulus.fill(1, CHUNK, &mut batch);
    let long = |operands: &[u64]| operands.iter().all(|bits| bits.count_ones() > 5);
    let vector = (0..CHUNK).map(|v| batch.vector(v)).find(|vector| long(&vector.a) && long(&vector.b));
    let vector = vector.expect("a vector with no simple operands");
    let words: Vec<String> = vector.a.iter().chain(&vector.b).chain([&vector.c]).map(u64::to_string).collect();
    let line = "        words = [int(word, 16) for word in line.split()]\n";
    let fault = format!("{line}        if words == [{}]:\n            words[-1] ^= 1 << 30\n", words.join(", "));
    folder.write("unit.py", replaced(&example, line, &fault));
    let run = folder.run(&arguments.concat());
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.contains("external is fused: 2 products"), "{run:?}");
    assert!(run.stdout.contains("1 MISMATCH") || run.stdout.contains("1 mismatch"), "{run:?}");
    let case = folder.content().into_keys().find(|path| path.to_string_lossy().contains("case-inferred-seed2"));
    assert!(case.is_some(), "a case file is written");
}

/// A program whose answers no unit gives: the sum of all encodings.
const NO_UNIT: &str = r#"
import sys
print("hello 1 no-unit 1", flush=True)
sys.stdin.readline()
for line in sys.stdin:
    if line == "flush\n":
        print("flush", flush=True)
        continue
    print(f"{sum(int(word, 16) for word in line.split()) & 0x3f:x}")
"#;

#[test]
fn engine_that_is_no_unit_is_not_guessed() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    folder.write("none.py", NO_UNIT);
    let program = ["infer", "tiny-integer", "--engine", "external", "--external", "python3 none.py"];
    let run = folder.run(&[&program[..], &["--out", "found.toml", "--then-cosim", "--json", "none.json"]].concat());
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.contains("no hypothesis was found that fits external: "), "{run:?}");
    assert!(run.stdout.contains("answers against it, such as a = "), "{run:?}");
    assert!(!folder.path("found.toml").exists(), "nothing is written");
    let report = folder.json("none.json");
    assert_eq!((&report["found"], &report["files"]), (&false.into(), &serde_json::json!([])));
    assert_eq!(report["cosim"], serde_json::Value::Null, "there is nothing to compare");
}
