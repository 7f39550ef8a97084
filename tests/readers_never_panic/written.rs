//! What is written reads back as it was: units, instructions with their unit files beside them, and cases.

use std::cell::Cell;
use std::fs;

use proptest::prelude::*;
use tensorsmith::check::case::Case;
use tensorsmith::check::compare::Mismatch;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::Format;
use tensorsmith::describe::instruction::{Form, Instruction, Order, Start};
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::{
    AlignmentRounding, Cut, Evidence, FileError, Flush, Grade, ProductOrder, ProductOverflow, Unit,
};

use super::mutations::{Mutated, mutated};
use super::originals::unit_texts;
use super::random_unit::recipe;
use super::support::{instruction, unit};
use super::{cases, runner, simple_vector};

/// What the written unit reads as.
fn read_again(unit: &Unit) -> Result<Unit, FileError> {
    Unit::from_toml("written.toml", &unit.to_toml())
}

fn assert_reads_again(unit: &Unit) {
    let read = read_again(unit).unwrap_or_else(|error| panic!("{error} in\n{}", unit.to_toml()));
    assert_eq!(read, *unit, "{}", unit.to_toml());
}

#[test]
fn catalogue_units_written() {
    let units = catalogue::units();
    units.iter().for_each(assert_reads_again);
    println!("wrote and read {} units", units.len());
}

#[test]
fn random_units_written() {
    let count = Cell::new(0);
    let check = |unit: Result<Unit, FileError>| {
        let Ok(unit) = unit else { return Ok(()) };
        count.set(count.get() + 1);
        let read = read_again(&unit).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(read, unit);
        Ok(())
    };
    runner(cases(600, 50_000)).run(&recipe(), |recipe| check(recipe.unit())).unwrap_or_else(|error| panic!("{error}"));
    let mutated = mutated(unit_texts());
    let outcome =
        runner(cases(600, 50_000)).run(&mutated, |Mutated { text, .. }| check(Unit::from_toml("file.toml", &text)));
    outcome.unwrap_or_else(|error| panic!("{error}"));
    println!("wrote and read {} random units", count.get());
    assert!(count.get() > cases(300, 25_000), "few units were valid: {}", count.get());
}

/// Texts with every kind of letter, an encoding of 64 bits, and names of formats that stand for other layouts.
#[test]
fn awkward_units_written() {
    let awkward = "\"quoted\" 'too'\n\\ \t\r\u{0}\u{7f}\u{1f980} '''\n\"\"\" = [x] #";
    let mut double = unit("fma-fp64");
    double.conversion.nan = 0xfff8_0000_0000_0001;
    double.summary = awkward.replace(char::is_control, " ");
    double.evidence.insert(
        "scheme".to_owned(),
        Evidence { grade: Grade::Inferred, source: awkward.replace(char::is_control, " ") },
    );
    assert_reads_again(&double);
    assert!(double.to_toml().contains("nan = -2251799813685247\n"), "{}", double.to_toml());
    // The name of a standard format with another bias, and a format that only its layout names.
    let mut formats = unit("tiny-nearest");
    formats.formats.a = Format { bias: 14, ..Format::e5m2() };
    formats.formats.b = Format { name: "e8m10".to_owned(), padding_bits: 3, ..Format::tf32() };
    assert_reads_again(&formats);
}

/// Two units that differ in a field are written differently, so that no field is left out.
#[test]
fn every_field_is_written() {
    type Change = fn(&mut Unit);
    let changes: [(&str, &str, Change); 30] = [
        ("name", "tiny-nearest", |unit| unit.name = "other".to_owned()),
        ("summary", "tiny-nearest", |unit| unit.summary = "other".to_owned()),
        ("products", "tiny-nearest", |unit| unit.products += 1),
        ("formats.a", "tiny-nearest", |unit| unit.formats.a = Format::binary16()),
        ("formats.b", "tiny-nearest", |unit| unit.formats.b = Format::bfloat16()),
        ("formats.c", "tiny-nearest", |unit| unit.formats.c = Format::binary16()),
        ("formats.d", "tiny-nearest", |unit| unit.formats.d.bias += 1),
        ("alignment.fraction_bits", "tiny-nearest", |unit| unit.alignment_mut().fraction_bits += 1),
        ("alignment.rounding", "tiny-nearest", |unit| unit.alignment_mut().rounding = AlignmentRounding::ToOdd),
        ("alignment.exponent_floor", "tiny-nearest", |unit| unit.alignment_mut().exponent_floor = Some(-7)),
        ("alignment.normalise_products", "tiny-nearest", |unit| unit.alignment_mut().normalise_products ^= true),
        ("sum.carry_bits", "tiny-nearest", |unit| unit.carry_bits = Some(0)),
        ("sum.order", "tiny-fma", |unit| unit.order = ProductOrder::Descending),
        ("scales.a", "blackwell-nvf4-fp32", |unit| scales(unit).a.bias += 1),
        ("scales.block", "blackwell-nvf4-fp32", |unit| scales(unit).block *= 2),
        ("scales.group", "blackwell-nvf4-fp32", |unit| scales(unit).group = Some(8)),
        ("addition.product_overflow", "tiny-then-add", |unit| {
            let overflow = &mut unit.addition.as_mut().expect("an addition").product_overflow;
            *overflow = match overflow {
                ProductOverflow::None => ProductOverflow::Infinity,
                ProductOverflow::Infinity => ProductOverflow::None,
            };
        }),
        ("addition.addend_reach", "tiny-then-add", |unit| {
            unit.addition.as_mut().expect("an addition").addend_reach = Some(77);
        }),
        ("addition.total_fraction_bits", "tiny-then-add", |unit| {
            unit.addition.as_mut().expect("an addition").total_fraction_bits = Some(0);
        }),
        ("addition.exponent_floor", "tiny-then-add", |unit| {
            unit.addition.as_mut().expect("an addition").exponent_floor = Some(-11);
        }),
        ("conversion.nan", "volta-fp16-fp32", |unit| unit.conversion.nan = 0xffc0_0000),
        ("conversion.exact_zero", "volta-fp16-fp32", |unit| unit.conversion.zero_negative ^= true),
        ("pipeline.cuts", "volta-fp16-fp32", |unit| unit.build.cuts = [Cut::Anchor, Cut::Result].into()),
        ("conversion.rounded_zero", "volta-fp16-fp32", |unit| unit.conversion.rounded_zero_positive ^= true),
        ("conversion.flags", "volta-fp16-fp32", |unit| unit.conversion.flags ^= true),
        ("conversion.overflow", "integer-int8-int32", |unit| {
            unit.conversion.overflow = tensorsmith::describe::format::Overflow::Saturate;
        }),
        ("subnormals", "volta-fp16-fp32", |unit| unit.flush = Flush { operands: true, ..unit.flush }),
        ("subnormals", "volta-fp16-fp32", |unit| unit.flush = Flush { result: true, ..unit.flush }),
        ("subnormals", "tiny-fma", |unit| {
            unit.flush = Flush { addend: true, to_plus_zero: true, result: true, tiny_result: true, operands: false };
        }),
        ("evidence", "tiny-nearest", |unit| {
            unit.evidence.insert("products".to_owned(), Evidence { grade: Grade::Live, source: "seen".to_owned() });
        }),
    ];
    for (field, name, change) in &changes {
        let original = unit(name);
        let mut changed = original.clone();
        change(&mut changed);
        assert_ne!(original, changed, "{field}: the change changes something");
        assert_ne!(original.to_toml(), changed.to_toml(), "{field} is not written");
        match read_again(&changed) {
            Ok(read) => assert_eq!(read, changed, "{field}"),
            Err(error) => panic!("{field}: {error}"),
        }
    }
}

fn scales(unit: &mut Unit) -> &mut tensorsmith::describe::unit::Scales {
    unit.scales.as_mut().expect("a unit with scales")
}

#[test]
fn catalogue_instructions_written() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).expect("room for a file");
    let instructions = catalogue::instructions();
    for instruction in &instructions {
        let adder = instruction.final_addition.as_ref();
        let named = instruction.to_toml(&instruction.unit.name, adder.map(|adder| adder.name.as_str()));
        assert_eq!(Instruction::from_toml("named.toml", &named).expect("a written instruction"), *instruction);
        write("unit.toml", instruction.unit.to_toml());
        adder.into_iter().for_each(|adder| write("adder.toml", adder.to_toml()));
        write("instruction.toml", instruction.to_toml("unit.toml", adder.map(|_| "adder.toml")));
        let path = folder.path().join("instruction.toml");
        assert_eq!(Instruction::from_file(&path).expect("a written instruction"), *instruction);
        assert_eq!(Subject::from_file(&path).expect("a written instruction"), instruction.clone().into());
        // The unit file beside it is what counts, not the unit of that name in the catalogue.
        let unit = Unit { summary: "another".to_owned(), ..instruction.unit.clone() };
        write("unit.toml", unit.to_toml());
        assert_ne!(Instruction::from_file(&path).expect("a written instruction"), *instruction);
    }
    println!("wrote and read {} instructions", instructions.len());
}

/// An instruction of which nothing stands in the catalogue: formats of its own, blocks from zero, c added at the end.
fn own_instruction() -> Instruction {
    let mut instruction = instruction("hopper-mma-m16n8k32-e4m3-fp32");
    let narrow = Format { name: "e4m4".to_owned(), fraction_bits: 4, bias: 9, ..Format::e5m2() };
    let narrow = Format { exponent_bits: 4, ..narrow };
    instruction.name = "own".to_owned();
    instruction.unit = Unit { name: "own-unit".to_owned(), ..instruction.unit };
    instruction.unit.alignment_mut().fraction_bits -= 3;
    (instruction.a, instruction.b, instruction.c) = (narrow, Format::e5m2(), Format::bfloat16());
    (instruction.order, instruction.start) = (Order::InterleavedPairs, Start::Zero);
    (instruction.form, instruction.tiles) = (Some(Form::Mma), None);
    instruction.final_addition.as_mut().expect("an adder").name = "own-adder".to_owned();
    instruction
}

/// A case carries what the catalogue does not have.
#[test]
fn cases_written() {
    let own = own_instruction();
    let tiny = unit("tiny-nearest");
    let renamed = Unit { name: "renamed".to_owned(), ..tiny.clone() };
    let changed = Unit { summary: "as in the catalogue, but for this".to_owned(), ..tiny.clone() };
    let in_catalogue = instruction("volta-mma-m8n8k4-fp16-fp32");
    let subjects: [(Subject, bool); 5] = [
        (own.into(), true),
        (renamed.into(), true),
        (changed.into(), true),
        (tiny.into(), false),
        (in_catalogue.into(), false),
    ];
    for (subject, written) in &subjects {
        let vector = simple_vector(&subject.interface());
        let answers = vec![("emulator".to_owned(), 1), ("reference".to_owned(), 2)];
        let mismatch = Mismatch {
            index: 7,
            class: None,
            original: vector.clone(),
            vector: vector.clone(),
            answers,
            not_shrunk: None,
            not_reproducible: Vec::new(),
        };
        let text = Case::of(subject, &mismatch, Some(3), 2).to_toml();
        assert_eq!(text.contains("_file = "), *written, "{text}");
        let case = Case::from_toml("case.toml", &text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        assert_eq!((&case.subject, &case.vector, case.expected), (subject, &vector, 2));
    }
}
