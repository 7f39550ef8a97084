//! What experiments read where the constants of the published devices do not reach: a reading that is right, a bound, or why there
//! is none; on subjects by name, and on every unit of the catalogue beside its description.

use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::{Format, Rounding};
use tensorsmith::describe::unit::{AlignmentRounding, Scheme, Unit};
use tensorsmith::literature::{Reading, Work};

use super::{experiment, outcomes, subject, unit};
use crate::support::{long_tier, sampled};

const WIDE: &str = "tf64-fp32-fp64";
const EXACT: &str = "cdna1-fp16-fp32";
const SCALED: &str = "blackwell-nvf4-fp32";

fn reading(work: Work, name: &str, of: &str) -> Result<Reading, String> {
    outcomes(&subject(of), vec![experiment(work, name)]).remove(0).reading
}

/// As it is printed.
fn printed(work: Work, name: &str, of: &str) -> String {
    reading(work, name, of).map_or_else(|reason| format!("not asked: {reason}"), |reading| reading.to_string())
}

/// Each beside a published device or a known scheme, on which the same vectors decide.
#[test]
fn readings_reach_other_formats() {
    let undecided = "not decided: ";
    let rows: &[(Work, &str, &str, &str)] = &[
        (Work::Fttn, "block-width", WIDE, "4"),
        (Work::Fttn, "block-width", EXACT, undecided),
        (Work::Fttn, "block-width", "cdna1-bf16-fp32", undecided),
        (Work::Fttn, "block-width", "cdna2-fp16-fp32", undecided),
        (Work::Fttn, "block-width", "fma-fp64", "1"),
        (Work::Fttn, "block-width", "hopper-e4m3-fp32", "32"),
        (Work::Khattak, "fma-size", WIDE, "4"),
        (Work::Khattak, "fma-size", EXACT, undecided),
        (Work::Khattak, "fma-size", "ampere-fp16-fp32", "8"),
        (Work::Valpey, "products-of-a-block", WIDE, "4"),
        (Work::Valpey, "products-of-a-block", EXACT, undecided),
        (Work::Khattak, "extra-alignment-bits", WIDE, "30"),
        (Work::Khattak, "extra-alignment-bits", SCALED, "at least 2"),
        (Work::Khattak, "extra-alignment-bits", EXACT, "at least "),
        (Work::Khattak, "extra-alignment-bits", "fma-fp64", undecided),
        (Work::Khattak, "extra-alignment-bits", "hopper-fp16-fp32", "2"),
        (Work::Khattak, "result-bits", WIDE, "52"),
        (Work::Khattak, "result-bits", SCALED, "at least 14"),
        (Work::Khattak, "result-bits", "blackwell-e4m3-fp32", "at least 18"),
        (Work::Khattak, "interleaving", WIDE, "blocks of 4"),
        (Work::Khattak, "interleaving", EXACT, undecided),
        (Work::Khattak, "interleaving", "fma-fp32", "none of them"),
        (Work::Khattak, "interleaving", "addition-fp16", "none of them"),
        (Work::Khattak, "interleaving", "amx-bf16-fp32", "otherwise"),
        (Work::Khattak, "final-rounding", "tiny-then-add", undecided),
        (Work::Khattak, "final-rounding", WIDE, "toward zero"),
        (Work::Khattak, "addend-last", EXACT, undecided),
        (Work::Khattak, "addend-last", "cdna2-fp16-fp32", "yes"),
        (Work::Fttn, "sticky-bit", WIDE, "no"),
        (Work::Fttn, "sticky-bit", EXACT, undecided),
        (Work::Fttn, "sticky-bit", "fma-fp32", "yes"),
        (Work::Khattak, "sticky-bit", "hopper-fp16-fp16", undecided),
        (Work::Khattak, "sticky-bit", "ampere-fp16-fp32", "no"),
        (Work::Fttn, "normalised-once", WIDE, "yes"),
        (Work::Fttn, "normalised-once", EXACT, undecided),
        (Work::Fttn, "normalised-once", "fma-fp32", "no"),
        (Work::Fttn, "ties", EXACT, "at least 12"),
        (Work::Fttn, "ties", "fma-fp64", "at least 57"),
        (Work::Fttn, "ties", "cdna3-fp16-fp32", "none"),
        (Work::Fttn, "extra-bits", EXACT, "at least 1"),
        (Work::Fttn, "extra-bits", WIDE, "1"),
        (Work::Fttn, "workflow", WIDE, "cut, one extra bit"),
        (Work::Fasi, "extra-bits", EXACT, "at least 2"),
        (Work::Fasi, "extra-bits", "cdna2-fp16-fp32", undecided),
        (Work::Fasi, "extra-bits", "hopper-fp16-fp32", "at least 2"),
        (Work::Fasi, "extra-bits", WIDE, "1"),
        (Work::Hickmann, "structure", WIDE, "exact, or more than 44 bits kept"),
        (Work::Hickmann, "internal-precision", EXACT, "at most -28 (24 times)"),
        (Work::Hickmann, "internal-precision", "hopper-fp16-fp32", "5 (24 times)"),
        (Work::Hickmann, "fp16-datapath-width", "fma-fp64", "not asked: "),
    ];
    let faults = rows.iter().filter_map(|(work, name, of, expected)| {
        let own = printed(*work, name, of);
        let open = expected.ends_with(' ');
        let right = if open { own.starts_with(expected) } else { own == *expected };
        (!right).then(|| format!("{of}: {} {name}: {own}, not {expected}", work.name()))
    });
    let faults: Vec<_> = faults.collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Fraction bits that a sum of several terms keeps: none where sums are rounded one after the other, and more than any vector asks
/// in an exact one.
fn kept(unit: &Unit) -> Option<i32> {
    match unit.scheme {
        Scheme::Exact => Some(i32::MAX / 2),
        Scheme::Fused | Scheme::BlockScaled | Scheme::FusedThenAdd => Some(unit.alignment().fraction_bits as i32),
        _ => None,
    }
}

/// Fraction bits that are kept of an addend: where it comes after the products, those of a window of its own.
fn kept_of_addend(unit: &Unit) -> Option<i32> {
    unit.addition.as_ref().map_or(kept(unit), |addition| Some(addition.addend_fraction_bits as i32))
}

/// Whether a reading of a number is that number, or a bound of it.
fn agrees(reading: &Reading, number: Option<i32>) -> bool {
    match (reading, number) {
        (Reading::Count(Some(own)), Some(number)) => *own == number,
        (Reading::AtLeast(own), Some(number)) => *own <= number,
        (Reading::Undecided(_), _) => true,
        _ => false,
    }
}

/// What the description says of an experiment's reading, where it tells it.
fn is_right(work: Work, name: &str, reading: &Reading, unit: &Unit) -> bool {
    let precision = |format: &Format| format.precision() as i32;
    let (d, c) = (precision(&unit.formats.d), precision(&unit.formats.c));
    let last = if unit.has_addend() { d.min(c) - 1 } else { d - 1 };
    let chain = unit.scheme == Scheme::FmaChain;
    let rounding = unit.alignment.as_ref().map(|own| own.rounding);
    // A block of one product adds to its own result, as a chain does.
    let several = kept(unit).filter(|_| unit.products > 2);
    match name {
        "block-width" | "fma-size" | "products-of-a-block" => {
            agrees(reading, if chain { Some(1) } else { kept(unit).map(|_| unit.products as i32) })
        }
        "extra-alignment-bits" => agrees(reading, several.map(|bits| bits - 23)),
        "result-bits" => agrees(reading, Some(kept(unit).filter(|_| unit.products > 1).unwrap_or(d).min(d - 1))),
        "extra-bits" => {
            // FTTN's bits are those of c, beside a product that it nearly cancels.
            let kept = if work == Work::Fttn { kept_of_addend(unit) } else { kept(unit) };
            agrees(reading, Some(kept.unwrap_or(last + 3) - last))
        }
        "sticky-bit" => match reading {
            Reading::Truth(true) => {
                unit.scheme.rounds_each_operation()
                    || unit.scheme == Scheme::FusedThenAdd
                    || rounding.is_some_and(|rounding| rounding != AlignmentRounding::TowardZero)
            }
            Reading::Truth(false) => kept(unit).is_some() && rounding == Some(AlignmentRounding::TowardZero),
            _ => true,
        },
        "normalised-once" => match reading {
            // Of the sum of products, which is one term beside a c that comes after it, a window at least as wide as c cuts less
            // than c grows.
            Reading::Truth(once) => {
                let narrow = unit.addition.as_ref().is_none_or(|addition| (addition.sum_fraction_bits as i32) < c);
                *once == several.is_some_and(|_| narrow)
            }
            _ => true,
        },
        "final-rounding" => match reading {
            Reading::Name("toward zero") => unit.conversion.rounding == Rounding::TowardZero,
            Reading::Name("to nearest, ties to even") => unit.conversion.rounding == Rounding::NearestEven,
            Reading::Name("to odd") => unit.conversion.rounding == Rounding::ToOdd,
            Reading::Name(other) => *other == "otherwise",
            _ => true,
        },
        _ => panic!("{name} is compared with nothing"),
    }
}

/// No reading contradicts the unit's description, in the ordinary tier of one unit in four.
#[test]
fn readings_are_those_of_the_descriptions() {
    let names = [
        (Work::Fasi, "extra-bits"),
        (Work::Fttn, "extra-bits"),
        (Work::Fttn, "block-width"),
        (Work::Fttn, "sticky-bit"),
        (Work::Fttn, "normalised-once"),
        (Work::Khattak, "fma-size"),
        (Work::Khattak, "extra-alignment-bits"),
        (Work::Khattak, "result-bits"),
        (Work::Khattak, "sticky-bit"),
        (Work::Khattak, "final-rounding"),
        (Work::Khattak, "normalised-once"),
        (Work::Valpey, "products-of-a-block"),
    ];
    let (mut decided, mut wrong) = (0, Vec::new());
    for &of in sampled(&catalogue::names(), 4) {
        let own = unit(of);
        for (work, name) in names {
            let Ok(reading) = reading(work, name, of) else { continue };
            decided += usize::from(!matches!(reading, Reading::Undecided(_)));
            if !is_right(work, name, &reading, &own) {
                wrong.push(format!("{of}: {} {name}: {reading}", work.name()));
            }
        }
    }
    println!("{decided} readings are those of the descriptions");
    assert!(decided > if long_tier() { 200 } else { 40 }, "{decided} readings");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // A reading of another unit is told from it.
    assert!(!is_right(Work::Fttn, "block-width", &Reading::Count(Some(1)), &unit(WIDE)));
    assert!(!is_right(Work::Khattak, "result-bits", &Reading::Count(Some(30)), &unit(WIDE)));
    assert!(!is_right(Work::Khattak, "extra-alignment-bits", &Reading::Count(Some(-18)), &unit(SCALED)));
}
