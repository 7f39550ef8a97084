//! Whatever a unit or case file holds, reading it ends in a value or an error. What is read must then work: plan, emitted
//! file, and one vector with the same answer from emulator and reference.

#[path = "support/random_unit.rs"]
mod random_unit;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use tensorsmith::check::case::{Case, Checked};
use tensorsmith::compute::reference;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::plan::Plan;
use tensorsmith::describe::unit::Unit;
use tensorsmith::emit;
use tensorsmith::engine::{Emulator, Vector};

/// One edit of a text.
#[derive(Debug, Clone)]
enum Edit {
    Delete(Index, usize),
    Insert(Index, String),
    Overwrite(Index, String),
    Duplicate(Index, Index),
    /// Replaces the number at or after a place.
    Number(Index, i64),
}

/// Pieces that come near to what the readers look for.
fn piece() -> impl Strategy<Value = String> {
    let words = [
        "\"",
        "'''",
        "\n",
        "\r",
        "=",
        ".",
        "-",
        "[",
        "]",
        "{",
        "}",
        "#",
        "0x",
        "\\",
        "\u{0}",
        "\u{feff}",
        "é",
        "nan",
        "inf",
        "true",
        "\"none\"",
        "\"e4m3fnuz\"",
        "\"e5m2\"",
        "\"to-odd\"",
        "\"downward\"",
        "\"flushed\"",
        "\"saturate\"",
        "\"fma-chain\"",
        "\"ieee\"",
        "[sum]\ncarry_bits = 0\n",
        "[[formats]]",
    ];
    prop_oneof![
        4 => proptest::sample::select(words.to_vec()).prop_map(str::to_owned),
        1 => "[ -~]{1,6}",
        1 => any::<char>().prop_map(String::from),
    ]
}

fn number() -> impl Strategy<Value = i64> {
    let edges = vec![-1, 0, 1, 2, 63, 64, 65, 100, 101, 2200, -2200, i64::MAX, i64::MIN, 1 << 32];
    prop_oneof![2 => -40..=140i64, 1 => -2300..=2300i64, 1 => proptest::sample::select(edges)]
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        1 => (any::<Index>(), 1..12usize).prop_map(|(at, length)| Edit::Delete(at, length)),
        1 => (any::<Index>(), piece()).prop_map(|(at, text)| Edit::Insert(at, text)),
        1 => (any::<Index>(), piece()).prop_map(|(at, text)| Edit::Overwrite(at, text)),
        1 => (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Edit::Duplicate(from, to)),
        4 => (any::<Index>(), number()).prop_map(|(at, value)| Edit::Number(at, value)),
    ]
}

fn apply(text: &str, edit: &Edit) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let place = |at: &Index| at.index(letters.len() + 1);
    match edit {
        Edit::Delete(at, length) => {
            let start = place(at);
            letters.drain(start..(start + length).min(letters.len()));
        }
        Edit::Insert(at, text) => {
            let start = place(at);
            letters.splice(start..start, text.chars());
        }
        Edit::Overwrite(at, text) => {
            let start = place(at);
            let end = (start + text.chars().count()).min(letters.len());
            letters.splice(start..end, text.chars());
        }
        Edit::Duplicate(from, to) => {
            let (from, to) = (place(from), place(to));
            let lines: Vec<char> = letters[from.min(to)..from.max(to)].to_vec();
            letters.splice(to..to, lines);
        }
        Edit::Number(at, value) => {
            let start = place(at);
            let Some(first) = (start..letters.len()).find(|&i| letters[i].is_ascii_digit()) else {
                return text.to_owned();
            };
            let end = (first..letters.len()).find(|&i| !letters[i].is_ascii_digit()).unwrap_or(letters.len());
            letters.splice(first..end, value.to_string().chars());
        }
    }
    letters.into_iter().collect()
}

/// A unit that was read has a plan, an emitted file and one answer.
fn check_unit(unit: &Unit, vector: Option<&Vector>) -> Result<(), TestCaseError> {
    Plan::of(unit);
    emit::core(unit).map_err(|error| TestCaseError::fail(error.to_string()))?;
    let products = unit.products as usize;
    let formats = &unit.formats;
    let one = |format: &tensorsmith::describe::format::Format| format.assemble(true, 1 << format.fraction_bits | 1);
    let simple = Vector {
        a: vec![one(&formats.a); products],
        b: vec![one(&formats.b); products],
        c: one(&formats.c),
        ..Vector::default()
    };
    for vector in [Some(&simple), vector].into_iter().flatten() {
        let emulated = Emulator::new(unit).evaluate(vector.inputs());
        let expected = reference::evaluate(unit, vector.inputs());
        prop_assert_eq!(emulated, expected, "{:?}", vector);
    }
    Ok(())
}

fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// Reads every text of a strategy; returns how many were accepted and refused.
fn read_all<T: std::fmt::Debug, E: std::fmt::Display>(
    cases: u32,
    texts: impl Strategy<Value = String>,
    read: impl Fn(&str) -> Result<T, E>,
    check: impl Fn(&T) -> Result<(), TestCaseError>,
) -> (u64, u64) {
    let (accepted, refused) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    let outcome = runner(cases).run(&texts, |text| match read(&text) {
        Ok(value) => {
            accepted.set(accepted.get() + 1);
            check(&value)
        }
        Err(error) => {
            refused.set(refused.get() + 1);
            let message = error.to_string();
            prop_assert!(message.starts_with("file.toml: "), "the message names the file: {}", message);
            Ok(())
        }
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    (accepted.get(), refused.get())
}

fn edited(texts: Vec<String>) -> impl Strategy<Value = String> {
    let original = proptest::sample::select(texts);
    (original, vec(edit(), 1..4)).prop_map(|(text, edits)| edits.iter().fold(text, |text, edit| apply(&text, edit)))
}

fn garbage() -> impl Strategy<Value = String> {
    let bytes = vec(any::<u8>(), 0..200).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    prop_oneof![bytes, "[a-z.\"= 0-9\\[\\]{}\n]{0,120}", vec(piece(), 0..30).prop_map(|pieces| pieces.concat())]
}

/// A catalogue unit's text in its shortest form, and one with every table.
fn unit_texts() -> Vec<String> {
    let full = r#"name = "full"
scheme = "fused"
products = 3
[formats]
a = { exponent_bits = 4, fraction_bits = 3, bias = 8, non_finite = "negative-zero-nan", padding_bits = 2 }
b = "ue4m3"
c = "bfloat16"
d = { exponent_bits = 5, fraction_bits = 6, bias = 12, non_finite = "ieee", padding_bits = 4 }
[alignment]
fraction_bits = 9
rounding = "nearest-even"
exponent_floor = -5
normalise_products = true
[sum]
carry_bits = 1
[conversion]
rounding = "toward-positive"
overflow = "ieee"
nan = 0x7e00
exact_zero = "negative"
[subnormals]
operands = "flushed"
addend = "kept"
result = "flushed"
[evidence]
products = { grade = "chosen", source = "test" }
"#;
    let files = ["volta-fp16-fp32.toml", "hopper-bf16-fp32.toml", "tiny-truncating.toml", "tiny-fma.toml"];
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/describe/catalogue/units");
    let read = |file| std::fs::read_to_string(folder.join(file)).expect("a unit file of the catalogue");
    files.into_iter().map(read).chain([full.to_owned()]).collect()
}

fn case_texts() -> Vec<String> {
    let plain = r#"summary = "two products"
unit = "tiny-nearest"
a = ["0x1", "0x2"]
b = ["0x3", "0x4"]
c = "0x3c"
expected = "0x3c"
[found]
seed = 1
index = 2
class = "tie"
tensorsmith = "0.1.0"
[[answers]]
engine = "emulator"
d = "0x3c"
"#;
    let unit = unit_texts().pop().expect("a unit");
    let own = format!(
        "unit = \"full\"\na = [\"0x1\", \"0x2\", \"0x3\"]\nb = [\"0x3\", \"0x4\", \"0x5\"]\nc = \"0x3f80\"\n\
         expected = \"0x3c00\"\nunit_file = '''\n{unit}'''\n"
    );
    vec![plain.to_owned(), own]
}

#[test]
fn unit_files_original() {
    for text in unit_texts() {
        let unit = Unit::from_toml("file.toml", &text).unwrap_or_else(|error| panic!("{error}"));
        check_unit(&unit, None).unwrap_or_else(|error| panic!("{}: {error}", unit.name));
    }
    for text in case_texts() {
        let case = Case::from_toml("file.toml", &text).unwrap_or_else(|error| panic!("{error}"));
        check_unit(&case.unit, Some(&case.vector)).unwrap_or_else(|error| panic!("{}: {error}", case.unit.name));
    }
    assert!(catalogue::unit("tiny-nearest").is_some(), "the plain case names a unit of the catalogue");
}

#[test]
fn unit_files_edited() {
    let read = |text: &str| Unit::from_toml("file.toml", text);
    let (accepted, refused) = read_all(4_000, edited(unit_texts()), read, |unit| check_unit(unit, None));
    println!("ran {} edited unit files: {accepted} accepted, {refused} refused", accepted + refused);
    assert!(accepted > 500 && refused > 500, "the edits are neither too mild nor too wild");
}

#[test]
fn unit_files_garbage() {
    let read = |text: &str| Unit::from_toml("file.toml", text);
    let (accepted, refused) = read_all(3_000, garbage(), read, |unit| check_unit(unit, None));
    println!("ran {} unit files of garbage: {accepted} accepted, {refused} refused", accepted + refused);
}

#[test]
fn case_files_edited() {
    let read = |text: &str| Case::from_toml("file.toml", text);
    let check = |case: &Checked| check_unit(&case.unit, Some(&case.vector));
    let (accepted, refused) = read_all(4_000, edited(case_texts()), read, check);
    println!("ran {} edited case files: {accepted} accepted, {refused} refused", accepted + refused);
    assert!(accepted > 200 && refused > 500, "the edits are neither too mild nor too wild");
}

#[test]
fn case_files_garbage() {
    let read = |text: &str| Case::from_toml("file.toml", text);
    let check = |case: &Checked| check_unit(&case.unit, Some(&case.vector));
    let (accepted, refused) = read_all(3_000, garbage(), read, check);
    println!("ran {} case files of garbage: {accepted} accepted, {refused} refused", accepted + refused);
}

/// The generator of random units needs no other reader than the one tested here.
#[test]
fn unit_files_random_edited() {
    let texts = (random_unit::recipe(), vec(edit(), 0..3))
        .prop_map(|(recipe, edits)| edits.iter().fold(recipe.to_string(), |text, edit| apply(&text, edit)));
    let read = |text: &str| Unit::from_toml("file.toml", text);
    let (accepted, refused) = read_all(2_000, texts, read, |unit| check_unit(unit, None));
    println!("ran {} edited random unit files: {accepted} accepted, {refused} refused", accepted + refused);
}
