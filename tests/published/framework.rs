//! The machinery beside the experiments: printing, what is not asked, verdicts.

use crate::support::{long_tier, members, sampled};
use tensorsmith::check::probe::{Bench, Value};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::subject::Subject;
use tensorsmith::engine::Kind;
use tensorsmith::literature::{Answers, Number, Reading, Verdict, Work};

use super::{experiment, outcomes, subject, unit};

#[test]
fn numbers_are_printed_as_papers_print_them() {
    let power = Value::power;
    let rows = [
        (Value::ZERO, "0"),
        (power(-22), "2^-22"),
        (-power(30), "-2^30"),
        (Value::of(255_875, 0), "255875"),
        (Value::of(15, -3), "1.875"),
        (Value::of(1538, -10), "1+2^-1+2^-9"),
        (power(0) + power(-23), "1+2^-23"),
        (power(-24) - power(0), "-1+2^-24"),
        (power(2) + power(-21), "4+2^-21"),
        (Value::of(5, 0) - power(-22), "5-2^-22"),
        (power(2) - power(-8) + power(-20), "4-2^-8+2^-20"),
        (Value::of(371_265, -35), "371265*2^-35"),
    ];
    for (value, text) in rows {
        assert_eq!(Number::from(value).to_string(), text);
    }
    let fp16 = unit("volta-fp16-fp32").formats.a;
    for (bits, text) in [(0x8000, "-0"), (0x7c00, "infinity"), (0xfc00, "-infinity"), (0x7e00, "NaN"), (1, "2^-24")] {
        assert_eq!(Number::decoded(&fp16, bits).to_string(), text);
    }
    assert_eq!(Reading::all(5, power(0)).to_string(), "1 (5 times)");
    assert_eq!(Reading::numbers([power(0), power(0), power(1)]).to_string(), "1, 1, 2");
    assert_eq!((Reading::Truth(true).to_string(), Reading::Count(None).to_string()), ("yes".into(), "none".into()));
}

#[test]
fn published_readings_name_what_the_catalogue_has() {
    for &work in Work::ALL {
        let experiments = work.experiments();
        for (number, experiment) in experiments.iter().enumerate() {
            assert!(experiments[..number].iter().all(|other| other.name != experiment.name), "{}", experiment.name);
            assert!(experiment.question.ends_with('?'), "{}", experiment.question);
            for published in &experiment.published {
                let device = catalogue::device(published.device).expect(published.device);
                let composed = device.instructions.iter().flat_map(|instruction| instruction.units());
                let units = composed.chain(&device.units).map(|unit| &unit.name);
                let mut names = device.instructions.iter().map(|instruction| &instruction.name).chain(units);
                // A work's own idea of the device is a unit of its name.
                let idea = published.unit.starts_with(&format!("{}-", work.name()));
                assert!(idea || names.any(|own| own == published.unit), "{} {}", published.device, published.unit);
                let bench = Bench::of(&subject(published.unit).interface());
                assert!((experiment.fits)(&bench), "{}: {}", experiment.name, published.unit);
            }
        }
        println!("{}: {} experiments", work.name(), experiments.len());
    }
}

#[test]
fn formats_without_a_value_are_not_asked() {
    let reading = |name: &str, experiment_name: &str| {
        let subject = subject(name);
        outcomes(&subject, vec![experiment(Work::Fasi, experiment_name)]).remove(0).reading
    };
    assert!(reading("integer-int8-int32", "subnormal-operand").is_err());
    let reason = reading("riscv-fp16-fp32", "subnormal-addend").expect_err("the unit has no addend");
    assert_eq!(reason, "it is not a question of such formats");
    let reason = reading("blackwell-e2m1-fp32", "order-of-additions").expect_err("e2m1 has no 2^-24");
    assert_eq!(reason, "the formats do not have 1 as b[0], and 4 times 2^-24");
}

/// A unit of the same name that reads something else is told so, and an instruction reads what its unit reads.
#[test]
fn verdicts() {
    let verdicts = |subject: &Subject| {
        let outcome = outcomes(subject, vec![experiment(Work::Fasi, "subnormal-operand")]).remove(0);
        outcome.comparisons.iter().map(|comparison| comparison.verdict).collect::<Vec<_>>()
    };
    let mut changed = unit("volta-fp16-fp32");
    changed.flush.operands = true;
    assert_eq!(verdicts(&changed.clone().into()), [Verdict::Differs]);
    changed.name = "another".to_owned();
    assert_eq!(verdicts(&changed.into()), []);
    assert_eq!(verdicts(&subject("volta-wmma-m16n16k16-fp16-fp32")), [Verdict::Same]);
    // A documented difference is the one that the reason is about, and no other.
    let products = |subject: &Subject| {
        let outcome = outcomes(subject, vec![experiment(Work::Valpey, "product-normalisation")]).remove(0);
        outcome.comparisons[0].verdict
    };
    let mut changed = unit("volta-fp16-fp32");
    assert!(matches!(products(&changed.clone().into()), Verdict::Documented(_)));
    changed.alignment_mut().fraction_bits += 1;
    assert_eq!(products(&changed.into()), Verdict::Differs);
}

/// Readings are those of the definition, too.
#[test]
fn reference_reads_what_the_emulator_reads() {
    let mut readings = 0;
    for &work in Work::ALL {
        for name in work.subjects() {
            let subject = subject(name);
            let Ok(Ok(mut reference)) = Answers::open(&subject, Kind::Reference) else { panic!("it always runs") };
            for own in outcomes(&subject, work.experiments()) {
                let other = reference.run(own.experiment.clone()).expect("the reference never fails");
                assert_eq!(other.reading, own.reading, "{name}: {}", own.experiment.name);
                readings += usize::from(own.reading.is_ok());
            }
        }
    }
    println!("{readings} readings of emulator and reference are the same");
}

/// Whatever the formats: a reading, or a reason why there is none. In the ordinary tier of one member of one family in eight.
#[test]
fn every_subject_of_the_catalogue_can_be_asked() {
    let (mut readings, mut reasons) = (0, 0);
    let entries = catalogue::unit_entries().into_iter().chain(catalogue::instruction_entries());
    for name in sampled(&entries.flat_map(members).collect::<Vec<_>>(), 8) {
        for &work in Work::ALL {
            for outcome in outcomes(&subject(name), work.experiments()) {
                match outcome.reading {
                    Ok(_) => readings += 1,
                    Err(reason) => {
                        assert!(reason.len() > 10, "{name}: {}: {reason}", outcome.experiment.name);
                        reasons += 1;
                    }
                }
            }
        }
    }
    let least = if long_tier() { [1000, 100] } else { [100, 10] };
    assert!(readings > least[0] && reasons > least[1], "{readings} readings, {reasons} reasons");
    println!("{readings} readings, and {reasons} reasons why there is none");
}
