//! Whatever a unit, instruction or case file holds, reading it ends in a value or in an error that names file and field.
//! What is read must then work: plan, emitted file, and one vector with the same answer from emulator and reference.

mod edits;
mod mutations;
mod naming;
mod originals;
use crate::support;
use crate::support::random_unit;
mod with_unit_files;
mod written;

use std::cell::Cell;
use std::fmt::Debug;

use edits::{apply, edit, edited, garbage};
use mutations::{Mutated, mutated, mutated_within};
use originals::{case_texts, instruction_texts, unit_texts};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use tensorsmith::check::case::{Case, Checked};
use tensorsmith::compute::reference;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::Format;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::interface::Interface;
use tensorsmith::describe::plan::Plan;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::{FileError, Unit};
use tensorsmith::emit;
use tensorsmith::engine::{Batch, Emulator, Kind, Opened, Vector};

/// What a reader makes of a file.
trait Document: Sized + Debug {
    const KIND: &'static str;
    fn read(text: &str) -> Result<Self, FileError>;
    /// Uses what was read.
    fn check(&self) -> Result<(), TestCaseError>;
}

impl Document for Unit {
    const KIND: &'static str = "unit files";

    fn read(text: &str) -> Result<Unit, FileError> {
        Unit::from_toml("file.toml", text)
    }

    fn check(&self) -> Result<(), TestCaseError> {
        check_unit(self, None)
    }
}

impl Document for Checked {
    const KIND: &'static str = "case files";

    fn read(text: &str) -> Result<Checked, FileError> {
        Case::from_toml("file.toml", text)
    }

    fn check(&self) -> Result<(), TestCaseError> {
        match &self.subject {
            Subject::Unit(unit) => check_unit(unit, Some(&self.vector)),
            Subject::Instruction(_) => Ok(()),
        }
    }
}

impl Document for Instruction {
    const KIND: &'static str = "instruction files";

    fn read(text: &str) -> Result<Instruction, FileError> {
        Instruction::from_toml("file.toml", text)
    }

    fn check(&self) -> Result<(), TestCaseError> {
        let mut indices = self.blocks().concat();
        indices.sort_unstable();
        prop_assert_eq!(indices, (0..self.shape.k as usize).collect::<Vec<_>>(), "each index of K is in one block");
        for (format, own) in [(&self.a, &self.unit.formats.a), (&self.b, &self.unit.formats.b)] {
            prop_assert!(format == own || own.holds(format), "{} becomes {}", format.name, own.name);
        }
        let batch = Batch::of(&simple_vector(&self.interface()));
        let answer = |kind: Kind| -> Result<Vec<u64>, TestCaseError> {
            let failed = |error: &dyn std::fmt::Display| TestCaseError::fail(error.to_string());
            let mut results = Vec::new();
            match kind.open_instruction(self).map_err(|error| failed(&error))? {
                Opened::Ready(mut engine) => engine.run(&batch, &mut results).map_err(|error| failed(&error))?,
                Opened::Absent(reason) => return Err(failed(&reason)),
            }
            Ok(results)
        };
        prop_assert_eq!(answer(Kind::Emulator)?, answer(Kind::Reference)?);
        Ok(())
    }
}

/// A subnormal, or the like, in every place.
fn simple_vector(interface: &Interface) -> Vector {
    let products = interface.products as usize;
    let one = |format: &Format| format.assemble(true, 1 << format.fraction_bits | 1);
    let formats = &interface.formats;
    Vector {
        a: vec![one(&formats.a); products],
        b: vec![one(&formats.b); products],
        c: one(&formats.c),
        scale_a: interface
            .scales
            .as_ref()
            .map_or(Vec::new(), |scales| vec![one(&scales.a); interface.scale_count() as usize]),
        scale_b: interface
            .scales
            .as_ref()
            .map_or(Vec::new(), |scales| vec![one(&scales.b); interface.scale_count() as usize]),
    }
}

/// A unit that was read has a plan, an emitted file and one answer.
fn check_unit(unit: &Unit, vector: Option<&Vector>) -> Result<(), TestCaseError> {
    Plan::of(unit);
    emit::core(unit).map_err(|error| TestCaseError::fail(error.to_string()))?;
    for vector in [Some(&simple_vector(&unit.interface())), vector].into_iter().flatten() {
        let emulated = Emulator::new(unit).evaluate(vector.inputs()).expect("a vector of the unit");
        let expected = reference::evaluate(&unit.arithmetic(), vector.inputs());
        prop_assert_eq!(emulated, expected, "{:?}", vector);
    }
    Ok(())
}

fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// Reads every file of a strategy; returns how many were accepted and refused. `keys` are empty where nobody knows which
/// fields are wrong.
fn read_all<D: Document>(cases: u32, how: &str, files: impl Strategy<Value = Mutated>) -> (u64, u64) {
    let (accepted, refused) = (Cell::new(0), Cell::new(0));
    let outcome = runner(cases).run(&files, |Mutated { text, keys }| match D::read(&text) {
        Ok(document) => {
            accepted.set(accepted.get() + 1);
            document.check()
        }
        Err(error) => {
            refused.set(refused.get() + 1);
            let lacks = naming::lacks(&error, &text);
            prop_assert!(lacks.is_none(), "the message does not name {}: {}", lacks.unwrap_or_default(), error);
            let named = keys.is_empty() || naming::names_one_of(&error, &keys);
            prop_assert!(named, "the message names none of the fields {:?}: {}", keys, error);
            Ok(())
        }
    });
    if let Err(error) = outcome {
        panic!("{}, {how}: {error}", D::KIND);
    }
    println!("ran {cases} {}, {how}: {} accepted, {} refused", D::KIND, accepted.get(), refused.get());
    (accepted.get(), refused.get())
}

/// Texts of which nobody knows what is wrong.
fn texts(strategy: impl Strategy<Value = String>) -> impl Strategy<Value = Mutated> {
    strategy.prop_map(|text| Mutated { text, keys: Vec::new() })
}

/// The long tier runs more of the same.
fn cases(default: u32, long: u32) -> u32 {
    if support::long_tier() { long } else { default }
}

/// Whether more than one in so many files was accepted, and as many refused.
fn are_mixed((accepted, refused): (u64, u64), every: u64) -> bool {
    accepted.min(refused) * every > accepted + refused
}

fn originals<D: Document>(texts: Vec<String>) {
    for text in texts {
        let document = D::read(&text).unwrap_or_else(|error| panic!("{error}"));
        document.check().unwrap_or_else(|error| panic!("{document:?}: {error}"));
    }
}

#[test]
fn original_files() {
    originals::<Unit>(unit_texts());
    originals::<Checked>(case_texts());
    originals::<Instruction>(instruction_texts());
    assert!(catalogue::unit("tiny-nearest").is_some(), "the plain case names a unit of the catalogue");
}

/// Operands that the unit's format would round.
#[test]
fn operands_that_the_unit_does_not_hold() {
    let own = |text: &String| text.contains("a = \"e4m3\"") && text.contains("hopper-fp16-fp32");
    let text = instruction_texts().into_iter().find(own).expect("an instruction with operands of its own");
    let wrong =
        [("a = \"e4m3\"", "a = \"bfloat16\""), ("b = \"e4m3\"", "b = \"tf32\""), ("a = \"e4m3\"", "a = \"ue8m0\"")];
    for (from, to) in wrong {
        let error = Instruction::read(&text.replacen(from, to, 1)).expect_err("operands that would be rounded");
        let field = format!("file.toml: field `operands.{}` is ", &to[..1]);
        assert!(error.to_string().starts_with(&field), "{error}");
        assert!(error.to_string().contains("formats that the unit's binary16 holds exactly"), "{error}");
    }
    let right = text.replacen("a = \"e4m3\"", "a = \"e5m2\"", 1);
    assert!(Instruction::read(&right).is_ok_and(|read| read.a == Format::e5m2()), "formats of a and b may differ");
    println!("ran {} instructions whose operands do not fit", wrong.len());
}

/// The checks of messages catch messages that say too little.
#[test]
fn poor_messages_are_caught() {
    let syntax = |file: &str, message: &str| FileError::Syntax { file: file.to_owned(), message: message.to_owned() };
    let value = |field: &str, allowed: &str| {
        let [file, field, value, allowed] = ["file.toml", field, "0", allowed].map(str::to_owned);
        FileError::Value { file, field, value, allowed }
    };
    let text = "first = 1\nsecond = 2\n";
    let good = syntax("file.toml", "field `second`: TOML parse error at line 2, column 10");
    assert_eq!(naming::lacks(&good, text), None);
    assert_eq!(naming::lacks(&value("products", "1 to 64"), text), None);
    let poor = [
        (syntax("other.toml", "field `second`: TOML parse error at line 2, column 10"), "the file"),
        (syntax("file.toml", "invalid type"), "line and column"),
        (syntax("file.toml", "TOML parse error at line 7, column 1"), "a line of the file"),
        (syntax("file.toml", "TOML parse error at line 1, column 0"), "a line of the file"),
        (value("", "1 to 64"), "field, value or what is allowed"),
        (value("products", " "), "field, value or what is allowed"),
    ];
    for (error, lacking) in &poor {
        assert_eq!(naming::lacks(error, text), Some(*lacking), "{error}");
    }
    let keys = |key: &str| [key.to_owned()];
    assert!(naming::names_one_of(&good, &keys("second")) && !naming::names_one_of(&good, &keys("first")));
    assert!(!naming::names_one_of(&syntax("file.toml", "second = 2 is no text"), &keys("second")));
    println!("ran {} poor messages", poor.len() + 2);
}

#[test]
fn unit_files_edited() {
    let outcome = read_all::<Unit>(cases(400, 20_000), "edited", texts(edited(unit_texts())));
    assert!(are_mixed(outcome, 6), "the edits are neither too mild nor too wild");
}

#[test]
fn case_files_edited() {
    let outcome = read_all::<Checked>(cases(400, 20_000), "edited", texts(edited(case_texts())));
    assert!(are_mixed(outcome, 16), "the edits are neither too mild nor too wild");
}

#[test]
fn instruction_files_edited() {
    let files = texts(edited(instruction_texts()));
    let (accepted, refused) = read_all::<Instruction>(cases(1_000, 10_000), "edited", files);
    assert!(accepted > 200 && refused > 500, "the edits are neither too mild nor too wild");
}

#[test]
fn files_of_garbage() {
    read_all::<Unit>(cases(500, 10_000), "garbage", texts(garbage()));
    read_all::<Checked>(cases(500, 10_000), "garbage", texts(garbage()));
    read_all::<Instruction>(cases(500, 10_000), "garbage", texts(garbage()));
}

/// The generator of random units needs no other reader than the one tested here.
#[test]
fn unit_files_random_edited() {
    let files = (random_unit::recipe(), vec(edit(), 0..3))
        .prop_map(|(recipe, edits)| edits.iter().fold(recipe.to_string(), |text, edit| apply(&text, edit)));
    read_all::<Unit>(cases(200, 20_000), "random and edited", texts(files));
}

#[test]
fn unit_files_mutated() {
    let outcome = read_all::<Unit>(cases(300, 60_000), "mutated", mutated(unit_texts()));
    assert!(are_mixed(outcome, 16), "the mutations are neither too mild nor too wild");
}

#[test]
fn case_files_mutated() {
    let outcome = read_all::<Checked>(cases(300, 30_000), "mutated", mutated(case_texts()));
    assert!(are_mixed(outcome, 16), "the mutations are neither too mild nor too wild");
    let within = mutated_within(case_texts(), "unit_file");
    let outcome = read_all::<Checked>(cases(300, 30_000), "mutated in the unit file", within);
    assert!(are_mixed(outcome, 16), "the mutations are neither too mild nor too wild");
    let within = mutated_within(case_texts(), "instruction_file");
    let outcome = read_all::<Checked>(cases(300, 20_000), "mutated in the instruction file", within);
    assert!(are_mixed(outcome, 20), "the mutations are neither too mild nor too wild");
}

#[test]
fn instruction_files_mutated() {
    let (accepted, refused) = read_all::<Instruction>(cases(1_000, 30_000), "mutated", mutated(instruction_texts()));
    assert!(accepted > 200 && refused > 500, "the mutations are neither too mild nor too wild");
}
