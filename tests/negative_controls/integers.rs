//! Faults of integer units: another overflow, another sign, a product too few.

use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::{Format, Overflow};
use tensorsmith::describe::unit::{Scheme, Unit};

use super::harness::assert_unit_caught;
use super::units::changed;
use crate::support::unit;

fn integer_units() -> impl Iterator<Item = Unit> {
    catalogue::units().into_iter().filter(|unit| unit.scheme == Scheme::Integer)
}

#[test]
fn integers_overflow_the_other_way() {
    for right in integer_units() {
        let other = match right.conversion.overflow {
            Overflow::Wrap => Overflow::Saturate,
            _ => Overflow::Wrap,
        };
        assert_unit_caught(other.name(), &right, &changed(&right, |unit| unit.conversion.overflow = other));
    }
}

/// The format of that name with its sign taken away, or given.
fn other_sign(format: &Format) -> Format {
    let name = match format.name.strip_prefix('u') {
        Some(signed) => signed.to_owned(),
        None => format!("u{}", format.name),
    };
    Format::named(&name).expect("small integers come with and without a sign")
}

#[test]
fn integers_of_the_other_sign() {
    for right in integer_units() {
        let wrong = changed(&right, |unit| unit.formats.a = other_sign(&unit.formats.a));
        assert_unit_caught("a of the other sign", &right, &wrong);
        let wrong = changed(&right, |unit| unit.formats.b = other_sign(&unit.formats.b));
        assert_unit_caught("b of the other sign", &right, &wrong);
    }
}

/// The low bits of a sum do not depend on the sign of the addend: only a clamp sees it.
#[test]
fn addend_of_the_other_sign() {
    let right = unit("tiny-integer");
    let wrong = changed(&right, |unit| unit.formats.c = other_sign(&unit.formats.c));
    assert_unit_caught("c of the other sign", &right, &wrong);
}

#[cfg(feature = "rtl")]
mod emitted {
    use tensorsmith::compute::record::Stage;
    use tensorsmith::engine::rtl::Rtl;
    use tensorsmith::engine::{Emulator, Engine};

    use super::super::harness::run;
    use crate::support::unit;

    /// Name, file, right text, wrong text, stage that differs first.
    const FAULTS: [(&str, &str, &str, &str, Stage); 5] = [
        (
            "a product too few in the sum",
            "tensorsmith_integer.sv",
            ".addends_i(term),",
            ".addends_i({term[TermCount*TermWidth-1:TermWidth], {TermWidth{1'b0}}}),",
            Stage::Sum,
        ),
        (
            "a taken as unsigned",
            "integer_int8_int32_saturate.sv",
            ".OperandASigned(1)",
            ".OperandASigned(0)",
            Stage::Product,
        ),
        (
            "the sign of a product lost",
            "tensorsmith_integer.sv",
            "TermWidth'($signed(factor[i*ProductWidth +: ProductWidth]))",
            "TermWidth'(factor[i*ProductWidth +: ProductWidth])",
            Stage::Sum,
        ),
        ("a sum that wraps", "integer_int8_int32_saturate.sv", ".Saturate(1)", ".Saturate(0)", Stage::Packed),
        (
            "clamped one too early",
            "tensorsmith_saturate.sv",
            "extended < least ",
            "extended <= least + 1 ",
            Stage::Packed,
        ),
    ];

    #[test]
    fn changed_lines_of_an_integer_unit_are_caught_and_located() {
        let unit = unit("integer-int8-int32-saturate");
        for &(name, file, right, wrong, stage) in crate::support::sampled(&FAULTS, 3) {
            let mutant = || {
                Rtl::mutant(&unit, |source| {
                    if source.name == file {
                        assert_eq!(source.text.matches(right).count(), 1, "{name}: {right:?} in {file}");
                        source.text = source.text.replace(right, wrong);
                    }
                })
                .unwrap_or_else(|error| panic!("{name}: {error}"))
            };
            let engines = || -> Vec<Box<dyn Engine>> { vec![Box::new(Emulator::new(&unit)), Box::new(mutant())] };
            let first = run(&unit, engines).first.unwrap_or_else(|| panic!("{name} was not caught"));
            let trace = mutant().trace(&first.vector).expect("a traced mutant").expect("a trace");
            let difference =
                Emulator::new(&unit).trace_of(&first.vector).expect("a vector of the unit").first_difference(&trace);
            let difference = difference.unwrap_or_else(|| panic!("{name}: the traces agree"));
            println!("{name}: minimal {:x?}; first in {}", first.vector, difference.signal);
            assert_eq!(difference.stage, stage, "{name}: first difference in {}", difference.signal);
        }
    }
}
