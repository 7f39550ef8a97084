//! The synthetic recording in `tests/data/fixture`: where it comes from, and that replaying it finds what it must.

use std::path::{Path, PathBuf};
use std::process::Command;

use tensorsmith::check::replay::replay;
use tensorsmith::check::stimulus::{CHUNK, Class, Stimulus};
use tensorsmith::compute::{Inputs, reference};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::{Format, Overflow, Rounding};
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::recording::public::{Content, Recording, read_all};
use tensorsmith::engine::{Batch, Composed, Kind, Opened, Vector};

const ROWS: usize = 200;
/// Operands in a row, K.
const LENGTH: usize = 4;

/// Classes whose operands are finite, mostly.
const CLASSES: [Class; 10] = [
    Class::Close,
    Class::WindowEdge,
    Class::Tie,
    Class::Cancellation,
    Class::Subnormal,
    Class::Zero,
    Class::OverflowEdge,
    Class::CarryOut,
    Class::Floor,
    Class::Simple,
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fixture")
}

fn unit(name: &str) -> Unit {
    catalogue::unit(name).unwrap_or_else(|| panic!("{name} is in the catalogue"))
}

fn round(format: &Format, value: f64) -> u64 {
    format.from_f64(value, Rounding::NearestEven, Overflow::Ieee)
}

/// Values of a row's operands.
struct Row {
    a: Vec<f64>,
    b: Vec<f64>,
    c: f64,
}

/// The first rows of the stimulus whose operands are finite for every unit; binary32 addends are rounded to the unit's.
fn rows(units: &[Unit]) -> Vec<Row> {
    let mut narrow = units[0].clone();
    narrow.products = LENGTH as u32;
    let formats = &narrow.formats;
    let stimulus = Stimulus::of_classes(&narrow, 1, CLASSES.to_vec());
    let mut batch = Batch::of_unit(&narrow);
    stimulus.fill(0, 4 * CHUNK, &mut batch);
    let values = |bits: &[u64], format: &Format| bits.iter().map(|&bits| format.to_f64(bits)).collect::<Vec<_>>();
    let row = |v: usize| Row {
        a: values(batch.a(v), &formats.a),
        b: values(batch.b(v), &formats.b),
        c: formats.c.to_f64(batch.c[v]),
    };
    let finite = |row: &Row| {
        let addend = |unit: &Unit| unit.formats.c.decode(round(&unit.formats.c, row.c)).is_finite();
        row.a.iter().chain(&row.b).all(|value| value.is_finite()) && units.iter().all(addend)
    };
    let rows: Vec<Row> = (0..batch.len()).map(row).filter(finite).take(ROWS).collect();
    assert_eq!(rows.len(), ROWS, "some chunks of the stimulus are enough");
    rows
}

/// What the reference answers to a row, as a value.
fn answer(unit: &Unit, row: &Row) -> f64 {
    let formats = &unit.formats;
    let encode = |values: &[f64], format: &Format| {
        let mut bits: Vec<u64> = values.iter().map(|&value| round(format, value)).collect();
        bits.resize(unit.products as usize, 0);
        bits
    };
    let (a, b) = (encode(&row.a, &formats.a), encode(&row.b, &formats.b));
    formats.d.to_f64(reference::evaluate(unit, Inputs::unscaled(&a, &b, round(&formats.c, row.c))))
}

fn hexadecimal(values: &[f64]) -> String {
    let words: Vec<String> = values.iter().map(|&value| format!("{:08x}", (value as f32).to_bits())).collect();
    words.join(" ") + "\n"
}

fn binary(value: f64) -> String {
    format!("{:032b}\n", (value as f32).to_bits())
}

/// File names below the fixture, and their texts.
fn files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for (device, operands, units) in [
        ("V100", "fp16", vec![("fp32", unit("volta-fp16-fp32")), ("fp16", unit("volta-fp16-fp16"))]),
        ("H100", "tf32", vec![("fp32", unit("hopper-tf32-fp32"))]),
    ] {
        let rows = rows(&units.iter().map(|(_, unit)| unit.clone()).collect::<Vec<_>>());
        let mut add = |operand: &str, format: &str, text: String| {
            files.push((format!("{device}/{operands}/{operand}_{device}_{format}.txt"), text));
        };
        add("a", operands, rows.iter().map(|row| hexadecimal(&row.a)).collect());
        add("b", operands, rows.iter().map(|row| hexadecimal(&row.b)).collect());
        add("c", "fp32", rows.iter().map(|row| binary(row.c)).collect());
        for (result, unit) in &units {
            add("d", result, rows.iter().map(|row| binary(answer(unit, row))).collect());
        }
    }
    files
}

#[test]
fn fixture_is_made_by_the_reference() {
    let rewrite = std::env::var_os("TENSORSMITH_REWRITE_FIXTURE").is_some_and(|value| value == "1");
    let files = files();
    for (name, text) in &files {
        let path = folder().join(name);
        if rewrite {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("the fixture can be written");
            std::fs::write(&path, text).expect("the fixture can be written");
        }
        let found = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(found == *text, "{name} is not what the reference makes; see tests/data/README.md");
    }
    println!("made {} files of {ROWS} rows again, byte for byte", files.len());
}

/// The rows are worth replaying: few trivial results, all classes of numbers.
#[test]
fn fixture_is_varied() {
    for recording in recordings() {
        let Content::Rows { instruction, batch, expected } = &recording.content else {
            panic!("every recording has an instruction")
        };
        let d = instruction.d();
        let zeros = expected.iter().filter(|&&bits| d.to_f64(bits) == 0.0).count();
        let negative = expected.iter().filter(|&&bits| d.decode(bits).negative).count();
        let mut distinct = expected.clone();
        distinct.sort_unstable();
        distinct.dedup();
        println!("{}: {} distinct results, {zeros} zeros, {negative} negative", instruction.name, distinct.len());
        assert!(zeros < ROWS / 2 && negative > ROWS / 5 && distinct.len() > ROWS / 2);
        let long = instruction.shape.k as usize > LENGTH;
        let padded = (0..batch.len()).all(|v| batch.a(v)[LENGTH..].iter().all(|&bits| bits == 0));
        assert!(padded && (long == (instruction.name == "hopper-mma-m16n8k8-tf32-fp32")));
    }
}

fn recordings() -> Vec<Recording> {
    read_all(&folder()).unwrap_or_else(|error| panic!("{error}"))
}

/// Replays the fixture through an engine: every row, no mismatch.
fn replay_through(kind: Kind) {
    let mut rows = 0;
    for recording in recordings() {
        let Content::Rows { instruction, batch, expected } = &recording.content else {
            panic!("every recording has an instruction")
        };
        let opened = Composed::open(instruction, kind).unwrap_or_else(|error| panic!("{error}"));
        let Opened::Ready(mut engine) = opened else { panic!("{} runs {}", kind.name(), instruction.name) };
        let outcome = replay(engine.as_mut(), batch, expected).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            (outcome.vectors, outcome.mismatches, &outcome.first),
            (ROWS as u64, 0, &None),
            "{}",
            instruction.name
        );
        rows += outcome.vectors;
    }
    assert_eq!(rows, 3 * ROWS as u64);
    println!("{} ran {rows} rows of the fixture, 0 mismatches", kind.name());
}

#[test]
fn emulator_fixture_every_row() {
    replay_through(Kind::Emulator);
    replay_through(Kind::Reference);
}

#[cfg(feature = "rtl")]
#[test]
fn rtl_fixture_every_row() {
    replay_through(Kind::Rtl);
}

/// Copies the fixture, flips one bit of one result and replays the copy by the command line.
fn replay_broken(file: &str, row: usize, bit: u32) -> (i32, serde_json::Value, Vector) {
    let copy = tempfile::tempdir().expect("a folder for the test");
    for (name, mut text) in files() {
        if name == file {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let word = u32::from_str_radix(&lines[row - 1], 2).expect("a word") ^ 1 << bit;
            lines[row - 1] = format!("{word:032b}");
            text = lines.join("\n") + "\n";
        }
        let path = copy.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the copy can be written");
        std::fs::write(path, text).expect("the copy can be written");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_tensorsmith"))
        .args(["replay", ".", "--engines", "emulator,reference", "--json", "-"])
        .current_dir(copy.path())
        .output()
        .expect("the program starts");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON and nothing else");
    let broken = read_all(copy.path()).expect("the copy is well-formed").into_iter().find_map(|recording| {
        let named = file.contains(&format!("d_{}_{}", recording.device, recording.result));
        match recording.content {
            Content::Rows { batch, .. } if named => Some(batch.vector(row - 1)),
            _ => None,
        }
    });
    (output.status.code().expect("an exit code"), report, broken.expect("the broken recording"))
}

/// One flipped bit is exactly one mismatch, in its row, and the command says so.
#[test]
fn flipped_bit_is_one_mismatch() {
    let sign = 31;
    let controls = [
        ("V100/fp16/d_V100_fp32.txt", 37, 0),
        ("V100/fp16/d_V100_fp32.txt", 200, sign),
        ("V100/fp16/d_V100_fp16.txt", 1, sign),
        ("H100/tf32/d_H100_fp32.txt", 118, 22),
    ];
    for (file, row, bit) in controls {
        let (code, report, vector) = replay_broken(file, row, bit);
        assert_eq!((code, &report["passed"]), (1, &false.into()), "{file} row {row}");
        let mut found = Vec::new();
        for recording in report["recordings"].as_array().expect("a list") {
            let suffix = |part: &str| recording[part].as_str().expect("text").to_owned();
            let broken = file.ends_with(&format!("d_{}_{}.txt", suffix("device"), suffix("result")));
            for engine in recording["engines"].as_array().expect("a list") {
                assert_eq!(engine["vectors"], ROWS);
                assert_eq!(engine["mismatches"], u64::from(broken), "{file} row {row}: {recording}");
            }
            if broken {
                found.push(recording["first_mismatch"].clone());
            }
        }
        let [first] = found.as_slice() else { panic!("one recording is broken: {found:?}") };
        assert_eq!((&first["row"], &first["engine"]), (&row.into(), &"emulator".into()));
        let hexadecimal = |bits: &u64| format!("{bits:#x}");
        assert_eq!(first["a"], serde_json::json!(vector.a.iter().map(hexadecimal).collect::<Vec<_>>()));
        assert_eq!(first["c"], hexadecimal(&vector.c));
        assert_ne!(first["recorded"], first["answer"]);
    }
    println!("ran {} broken copies of the fixture, one mismatch each", controls.len());
}
