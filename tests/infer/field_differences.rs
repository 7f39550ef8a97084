//! A description held against what was found: what differs, and why no vector shows it.

use tensorsmith::describe::format::{Format, Rounding};
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::{AlignmentRounding, Cut, Target};
use tensorsmith::infer::{FieldDifference, Setting, field_differences};

use super::shared::{subject, unit};
use super::support::subjects;

fn fields(rows: &[FieldDifference]) -> Vec<(&str, bool)> {
    rows.iter().map(|row| (row.field.as_str(), row.reason.is_some())).collect()
}

/// Every description of the catalogue is its own, whatever it is called.
#[test]
fn nothing_differs_from_itself() {
    for subject in subjects() {
        let mut own = Instruction { name: "found".to_owned(), ..subject.instruction() };
        if let Some(adder) = &own.final_addition {
            let rounding = adder.conversion.rounding;
            [None, Some(rounding)].into_iter().for_each(|last| Setting::FinalAddition(last).apply(&mut own));
        }
        let rows = field_differences(&subject, &own);
        // What an addition at the end has of the blocks, and its format of c, are no parameters.
        let rows: Vec<_> = rows.iter().filter(|row| !row.field.starts_with("final_addition.")).collect();
        assert!(rows.is_empty(), "{}: {rows:?}", subject.name());
    }
}

/// Registers and the kind of adders compute nothing.
#[test]
fn registers_do_not_differ() {
    let own = subject("volta-fp16-fp32").instruction();
    let described = unit("volta-fp16-fp32").with_cuts([Cut::Sum]).with_target(Target::Asic);
    assert_eq!(fields(&field_differences(&described.into(), &own)), []);
}

/// Negative control: of what acts, no reason is given.
#[test]
fn no_reason_for_what_acts() {
    let described = subject("volta-fp16-fp32");
    let mut found = described.instruction();
    found.unit.alignment_mut().fraction_bits += 1;
    found.unit.alignment_mut().rounding = AlignmentRounding::ToOdd;
    found.unit.carry_bits = Some(0);
    let rows = field_differences(&described, &found);
    let expected = [("alignment.fraction_bits", false), ("alignment.rounding", false), ("sum.carry_bits", false)];
    assert_eq!(fields(&rows), expected, "{rows:?}");
    assert_eq!((rows[0].found.as_str(), rows[0].described.as_str()), ("24", "23"));
}

/// From one change on the way, the next has none.
#[test]
fn changes_in_turn() {
    let described = subject("tiny-two-groups");
    let mut found = described.instruction();
    found.unit.alignment_mut().exponent_floor = Some(-12);
    if let Some(addition) = &mut found.unit.addition {
        addition.exponent_floor = None;
    }
    let rows = field_differences(&described, &found);
    assert_eq!(fields(&rows), [("addition.exponent_floor", true), ("alignment.exponent_floor", true)], "{rows:?}");
}

/// Which factor is the first makes no product another one.
#[test]
fn factors_in_either_place() {
    let described = subject("ada-mma-m16n8k32-e5m2-e4m3-fp32");
    assert!(described.instruction().exchanged());
    let mut found = described.instruction();
    [found.unit.formats.a, found.unit.formats.b] = [found.a.clone(), found.b.clone()];
    assert_eq!(field_differences(&described, &found), []);
}

/// The unit that adds c at the end is looked at by itself.
#[test]
fn additions_at_the_end() {
    let described = subject("hopper-mma-m16n8k32-e4m3-fp16");
    let mut found = described.instruction();
    let same = fields(&field_differences(&described, &found)).iter().all(|(_, known)| *known);
    assert!(same);
    Setting::FinalAddition(Some(Rounding::TowardZero)).apply(&mut found);
    let rows = field_differences(&described, &found);
    assert!(fields(&rows).contains(&("final_addition", false)), "{rows:?}");
}

/// What was found may have values that the description's other values do not allow.
#[test]
fn changes_that_are_not_allowed_by_themselves() {
    let described = subject("tiny-then-add");
    let mut found = described.instruction();
    if let Some(addition) = &mut found.unit.addition {
        (addition.sum_fraction_bits, addition.addend_fraction_bits) = (8, 7);
    }
    let rows = field_differences(&described, &found);
    let expected = [("addition.addend_fraction_bits", false), ("addition.sum_fraction_bits", true)];
    assert_eq!(fields(&rows), expected, "{rows:?}");
}

/// Carry bits that are there anyway become fewer than needed by another change.
#[test]
fn changes_that_come_of_changes() {
    let mut unit = unit("volta-fp16-fp32");
    (unit.alignment_mut().rounding, unit.carry_bits) = (AlignmentRounding::NearestEven, Some(3));
    let described = Subject::from(unit);
    let mut found = described.instruction();
    (found.unit.alignment_mut().rounding, found.unit.carry_bits) = (AlignmentRounding::TowardZero, None);
    let rows = field_differences(&described, &found);
    assert!(rows.iter().all(|row| row.field != "elsewhere"), "{rows:?}");
    assert!(fields(&rows).contains(&("alignment.rounding", false)), "{rows:?}");
}

/// NaN of blocks is none of the result's where the final addition gives another format.
#[test]
fn nan_of_blocks_before_another_format() {
    let mut described = subject("ampere-fp16-fp32").instruction();
    Setting::FinalAddition(Some(Rounding::NearestEven)).apply(&mut described);
    let mut found = described.clone();
    found.unit.conversion.nan = 0x7fc0_0000;
    let rows = |described: &Instruction, found: &Instruction| field_differences(&described.clone().into(), found);
    assert_ne!(described.unit.conversion.nan, found.unit.conversion.nan);
    assert_ne!(rows(&described, &found), []);
    let short = Setting::of_final_addition(Setting::Result(Box::new(Format::binary16())));
    [&mut described, &mut found].into_iter().for_each(|one| short.apply(one));
    assert_eq!(rows(&described, &found), []);
}
