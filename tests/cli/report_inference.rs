//! `report --inference`: what is found of each unit, and a finding that is another unit, which must show.

use std::collections::BTreeMap;

use tensorsmith::check::black_box::BlackBox;
use tensorsmith::check::compare::{Source, compare};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Composed, Emulator};
use tensorsmith::infer::{Contradiction, Options, Outcome, infer};
use tensorsmith::report::{Asked, Findings, Inferred, Outcomes, State, Summary, Time, html, markdown};

use super::program::{Folder, assert_fields};

#[test]
fn inference_is_a_table_of_the_report() {
    let folder = Folder::new();
    let arguments = ["report", "--out", "out", "--units", "tiny-truncating,tiny-fma", "--vectors", "500"];
    folder.succeed(&arguments);
    assert_eq!(folder.json("out/report.json")["inference"], serde_json::Value::Null);
    assert!(!folder.read("out/report.md").contains("Inference from answers alone"));
    folder.refuse(&[&arguments[..], &["--search", "1000"]].concat(), &["--inference", "required"]);
    let run = folder.succeed(&[&arguments[..], &["--inference", "--search", "5000"]].concat());
    assert!(run.stdout.contains("inferred = emulator"), "{run:?}");
    let report = folder.json("out/report.json");
    let rows = report["inference"].as_array().expect("a list");
    assert_eq!(rows.len(), 2, "{rows:?}");
    let expected = [
        ("tiny-truncating", "overflow indistinguishable from saturate, ieee: terms beside the addend stay below"),
        ("tiny-fma", "overflow indistinguishable from ieee: overflow gives infinity by either rule"),
    ];
    for (row, (name, why)) in rows.iter().zip(expected) {
        let fields = [
            "subject",
            "state",
            "found",
            "differences",
            "indistinguishable",
            "asked",
            "seconds",
            "vectors",
            "mismatches",
        ];
        assert_fields(row, &fields);
        assert_eq!((&row["subject"], &row["state"]), (&name.into(), &"agreed".into()), "{row}");
        // As many as were searched.
        assert_eq!((&row["vectors"], &row["mismatches"]), (&5000.into(), &0.into()), "{row}");
        for other in row["differences"].as_array().expect("a list") {
            assert_fields(other, &["field", "described", "found", "reason"]);
            assert!(other["reason"].is_string(), "{row}");
        }
        let lines = row["indistinguishable"].as_array().expect("a list");
        assert!(lines.iter().any(|line| line.as_str().is_some_and(|line| line.contains(why))), "{row}");
        assert!(row["found"].as_str().is_some_and(|found| found.starts_with("equal ")), "{row}");
    }
    for name in ["out/report.md", "out/report.html"] {
        let text = folder.read(name);
        assert!(text.contains("Inference from answers alone") && text.contains("equal to the description"), "{name}");
        assert!(text.contains("gives infinity by either rule"), "{name}");
    }
}

/// What is found of a unit.
fn outcome(unit: &Unit) -> Outcome {
    let options = Options { confirm: 1000, ..Options::default() };
    let interface = unit.interface();
    infer(&mut Emulator::new(unit), interface, &Composed::emulated, None, options).expect("an inference")
}

/// The inference of one unit, compared with another, in the row of a third.
fn inferred((unit, outcome): (&Unit, &Outcome), compared: &Unit, subject: &Unit) -> Inferred {
    let Outcome::Found(finding) = outcome else { panic!("nothing fits {}", unit.name) };
    let found = BlackBox(Composed::emulated(&finding.hypothesis));
    let source = Source::Shaped { stimulus: Stimulus::shaped(unit, 2), count: 2000 };
    let engines: Vec<Box<dyn tensorsmith::engine::Engine>> = vec![Box::new(Emulator::new(compared)), Box::new(found)];
    let comparison = compare(engines, &source, &mut |_| {}).expect("both answer");
    Inferred::of(&Subject::from(subject.clone()), outcome, Some(&comparison), 0.5)
}

/// Negative control: a box of which nothing is found is no pass.
#[test]
fn nothing_found_is_red() {
    let unit = catalogue::unit("tiny-truncating").expect("a unit");
    let contradiction = Contradiction { best: Vec::new(), together: Vec::new(), asked: 77 };
    let row = Inferred::of(&unit.into(), &Outcome::Nothing(Box::new(contradiction)), None, 0.5);
    assert_eq!((row.state, row.found.as_str(), row.asked), (State::Differed, "nothing that fits", 77));
    let summary = summary(vec![row]);
    assert!(!summary.passed);
    let total = summary.totals.last().expect("totals");
    assert_eq!((total.check, total.ran, total.skipped, total.mismatches), ("inferred = emulator", 1, 0, 0));
    let text = markdown(&summary).expect("the templates are whole");
    for expected in [
        "**Mismatches: 0; nothing was found in 1 of the inferences.**",
        "| **nothing that fits** |",
        "- **tiny-truncating**, inferred = emulator: no hypothesis was found that fits",
        "Nothing was found of 1 of 1. An inference took 0.5 seconds in the median, 0.5 at most.",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

fn summary(inferred: Vec<Inferred>) -> Summary {
    let asked = Asked { seed: 1, vectors: 2000, devices: Vec::new(), units: Vec::new() };
    let findings = Findings {
        units: Outcomes::new(),
        instructions: Outcomes::new(),
        replayed: None,
        proved: None,
        inferred: Some(inferred),
        speed: Vec::new(),
        machines: BTreeMap::new(),
    };
    findings.summary(&asked, Time::default())
}

/// Negative control: the finding is another unit than the subject of its row.
#[test]
fn finding_that_is_another_unit_is_red() {
    let unit = catalogue::unit("tiny-truncating").expect("a unit");
    let mut other = unit.clone();
    other.alignment_mut().fraction_bits += 1;
    let outcome = outcome(&unit);
    let own = (&unit, &outcome);
    let right = inferred(own, &unit, &unit);
    assert_eq!((right.state, right.mismatches, right.differences.len()), (State::Agreed, 0, 0), "{right:?}");
    let wrong = inferred(own, &other, &other);
    assert!(wrong.state == State::Differed && wrong.mismatches > 0, "{wrong:?}");
    assert_eq!(wrong.differences.len(), 1, "{wrong:?}");
    assert_eq!((wrong.differences[0].field.as_str(), &wrong.differences[0].reason), ("alignment.fraction_bits", &None));
    // Without a vector that differs, but with no reason either.
    let unexplained = inferred(own, &unit, &other);
    assert_eq!(unexplained.state, State::Agreed);
    assert_eq!(unexplained.found, "equal on 2,000 vectors, with no reason known for alignment.fraction_bits");
    let summary = summary(vec![right, wrong, unexplained]);
    assert!(!summary.passed);
    let total = summary.totals.last().expect("totals");
    assert_eq!((total.check, total.ran, total.vectors), ("inferred = emulator", 3, 6000));
    assert_eq!(summary.mismatches.len(), 1);
    let text = markdown(&summary).expect("the templates are whole");
    let row = "alignment.fraction_bits 2 found, 3 described: no reason is known";
    assert!(text.contains(row), "{text}");
    assert!(text.contains("**another: ") && text.contains("**tiny-truncating**, inferred = emulator: "), "{text}");
    let page = html(&summary, &[]).expect("the templates are whole");
    assert_eq!(page.matches("<td class=\"check differed\">another: ").count(), 1);
}
