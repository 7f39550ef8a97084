//! `tensorsmith report`: three files whole or none, what their cells say, and a planted difference that must show.

use std::collections::BTreeMap;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;
use tensorsmith::check::pairs::Pairs;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::{Scheme, Unit};
use tensorsmith::engine::{Absence, Emulator, EngineError, Kind, Opened};
use tensorsmith::report::{Asked, Findings, Outcomes, State, Summary, Time, UNVERIFIED, html, markdown, pairs};

use super::program::{Folder, assert_fields, snapshot};

/// The elements of an XML text with one attribute each; panics where it is not well-formed.
fn attributes(name: &str, text: &str, attribute: &str) -> Vec<String> {
    let mut reader = Reader::from_str(text);
    let mut depth = 0;
    let mut found = Vec::new();
    loop {
        let event = reader.read_event().unwrap_or_else(|error| panic!("{name}: {error}"));
        let element = match event {
            Event::Start(element) => {
                depth += 1;
                element
            }
            Event::Empty(element) => element,
            Event::End(_) => {
                depth -= 1;
                continue;
            }
            Event::Text(text) => {
                text.xml10_content().unwrap_or_else(|error| panic!("{name}: {error}"));
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        for pair in element.attributes() {
            let pair = pair.unwrap_or_else(|error| panic!("{name}: {error}"));
            if pair.key.as_ref() == attribute.as_bytes() {
                found.push(String::from_utf8_lossy(&pair.value).into_owned());
            }
        }
    }
    assert_eq!(depth, 0, "{name}: every element is closed");
    found
}

/// Copies the synthetic recordings into the test's folder, with `change` made to the results of V100 fp16 to fp32.
fn recordings(folder: &Folder, change: impl Fn(String) -> String) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fixture/V100/fp16");
    for name in ["a_V100_fp16", "b_V100_fp16", "c_V100_fp32", "d_V100_fp16", "d_V100_fp32"] {
        let text = std::fs::read_to_string(source.join(format!("{name}.txt"))).expect("a file of the fixture");
        let text = if name == "d_V100_fp32" { change(text) } else { text };
        folder.write(&format!("recordings/V100/fp16/{name}.txt"), text);
    }
}

fn row<'a>(report: &'a Value, instruction: &str) -> &'a Value {
    let rows = report["devices"][0]["instructions"].as_array().expect("a list");
    rows.iter().find(|row| row["instruction"] == instruction).expect("an instruction of the device")
}

const RECORDED: &str = "volta-mma-m8n8k4-fp16-fp32";
const NOT_RECORDED: &str = "volta-wmma-m16n16k16-fp16-fp32";

#[test]
fn report_with_recordings() {
    let folder = Folder::new();
    recordings(&folder, |text| text);
    let arguments =
        ["report", "--out", "out/deep", "--devices", "V100", "--vectors", "300", "--recordings", "recordings"];
    let run = folder.succeed(&arguments);
    assert!(run.stdout.contains("2 of 7 instructions of devices have an answer of real hardware"), "{}", run.stdout);
    let report = folder.json("out/deep/report.json");
    assert_eq!((&report["passed"], &report["vectors"], &report["seed"]), (&true.into(), &300.into(), &1.into()));
    let recorded = row(&report, RECORDED);
    assert_eq!(recorded["recordings"]["text"], "0 of 200 differ");
    assert_eq!(recorded["on_hardware"]["text"], "recordings: V100");
    assert_eq!(recorded["emulator_reference"]["text"], "0 of 300 differ");
    assert_eq!(recorded["proof"]["text"], "not asked for");
    assert_eq!(recorded["live"]["state"], "skipped");
    let other = row(&report, NOT_RECORDED);
    assert_eq!((&other["recordings"]["text"], &other["recordings"]["state"]), (&"none exist".into(), &"none".into()));
    assert_eq!((&other["on_hardware"]["text"], &other["on_hardware"]["state"]), (&UNVERIFIED.into(), &"none".into()));
    // Again over the same files; without recordings nothing claims any.
    folder.succeed(&["report", "--out", "out/deep", "--devices", "V100", "--vectors", "300"]);
    let report = folder.json("out/deep/report.json");
    assert_eq!(row(&report, RECORDED)["recordings"]["text"], "none given");
    assert_eq!(row(&report, RECORDED)["on_hardware"]["state"], "none");
    assert_eq!(report["rows_on_hardware"], 0);
    println!("ran 2 reports of V100, 300 vectors each");
}

/// One recorded bit changed: exit code 1, a red cell in page and Markdown, and the row itself.
#[test]
fn a_changed_recording_is_red() {
    let folder = Folder::new();
    recordings(&folder, |text| {
        let flipped = if &text[31..32] == "0" { "1" } else { "0" };
        format!("{}{flipped}{}", &text[..31], &text[32..])
    });
    let arguments = ["report", "--out", "out", "--devices", "V100", "--vectors", "100", "--recordings", "recordings"];
    let run = folder.run(&arguments);
    assert_eq!(run.code, 1, "{run:?}");
    let page = folder.read("out/report.html");
    assert!(page.contains("<td class=\"check differed\">1 of 200 differ</td>"), "no red cell");
    assert!(page.contains("<p class=\"verdict differed\">Mismatches: 1,"), "no red verdict");
    assert!(page.contains("recordings: V100 differ"), "hardware seems to agree");
    assert!(folder.read("out/report.md").contains("**1 of 200 differ**"));
    let report = folder.json("out/report.json");
    assert_eq!((&report["passed"], &report["mismatches"][0]["of"]), (&false.into(), &RECORDED.into()));
}

#[test]
fn page_is_well_formed_and_needs_no_other_file() {
    let folder = Folder::new();
    let unit = include_str!("../../src/numerics/describe/catalogue/units/tiny-nearest.toml");
    let summary = "<script>alert('a') & \\\"b\\\"</script> | *c*";
    let line = unit.lines().find(|line| line.starts_with("summary")).expect("a summary");
    let unit = unit.replace("tiny-nearest", "mine").replace(line, &format!("summary = \"{summary}\""));
    folder.write("mine.toml", unit);
    folder.succeed(&[
        "report",
        "--out",
        "out",
        "--units",
        "mine.toml,hopper-fp16-fp32,integer-int8-int32",
        "--vectors",
        "50",
    ]);
    assert_eq!(folder.content().len(), 5, "three files, their folder and the unit");
    let page = folder.read("out/report.html");
    assert!(!page.contains("<script"), "a summary is text");
    assert!(page.contains("&lt;script&gt;"), "the summary is shown");
    assert!(folder.read("out/report.md").contains("\\<script>alert('a') &amp; \"b\"\\</script> \\| \\*c\\*"));
    let ids = attributes("report.html", &page, "id");
    let links = attributes("report.html", &page, "href");
    assert!(links.len() > 20, "{links:?}");
    for link in &links {
        let target = link.strip_prefix('#').unwrap_or_else(|| panic!("{link} leads out of the page"));
        assert!(ids.iter().any(|id| id == target), "{link} leads nowhere");
    }
    for (place, id) in ids.iter().enumerate() {
        assert!(!ids[..place].contains(id), "{id} is there twice");
    }
    assert!(attributes("report.html", &page, "src").is_empty() && !page.contains("url("), "something is fetched");
    println!("followed {} links of a page of {} bytes", links.len(), page.len());
}

#[test]
fn documented_fields() {
    let folder = Folder::new();
    folder.succeed(&["report", "--out", ".", "--devices", "T4", "--units", "turing-fp16-fp32", "--vectors", "50"]);
    let report = folder.json("report.json");
    let whole = "tensorsmith command seed vectors recordings time tools totals proof rows rows_on_hardware devices units \
                 conflicts inference proofs speed mismatches notes passed";
    assert_fields(&report, &whole.split_whitespace().collect::<Vec<_>>());
    let device = &report["devices"][0];
    assert_fields(device, &["device", "summary", "parts", "architecture", "instructions"]);
    let checks = "emulator_reference rtl_emulator live proof";
    let row = format!("instruction a b c d units evidence conflicts recordings on_hardware {checks}");
    assert_fields(&device["instructions"][0], &row.split_whitespace().collect::<Vec<_>>());
    assert_eq!(device["instructions"].as_array().map(Vec::len), Some(3), "those made of the unit");
    let unit = format!(
        "unit summary devices recordings events_reachable events_reached events parameters constants sources datapath \
         window_heading window {checks}"
    );
    assert_fields(&report["units"][0], &unit.split_whitespace().collect::<Vec<_>>());
    assert_fields(&report["units"][0]["proof"], &["state", "text", "by", "vectors", "mismatches", "reason", "note"]);
    assert_fields(&report["units"][0]["datapath"], &["caption", "operands", "addend", "steps", "result"]);
    assert_fields(&report["conflicts"][0], &["of", "constant", "source", "devices"]);
    assert_fields(&report["totals"][0], &["check", "ran", "skipped", "vectors", "mismatches"]);
}

#[test]
fn bad_input() {
    let folder = Folder::new();
    folder.write("file", "unchanged\n");
    std::fs::create_dir(folder.path("empty")).expect("a folder");
    let long = ["report", "--vectors", "1000000000000"];
    let refuse = |arguments: &[&str], parts: &[&str]| folder.refuse(&[&long[..], arguments].concat(), parts);
    refuse(&["--out", "file"], &["error: output folder file: cannot be written: "]);
    refuse(&["--out", "file/deeper/out"], &["error: output folder file/deeper/out: cannot be written: "]);
    refuse(&["--out", "out", "--devices", "V1000"], &["unknown device \"V1000\"; nearest: V100, "]);
    refuse(&["--out", "out", "--units", "volta"], &["unknown unit \"volta\"; nearest: "]);
    refuse(&["--out", "out", "--units", "none.toml"], &["none.toml: cannot be read: "]);
    refuse(
        &["--out", "out", "--units", "tiny-fma,tiny-fma"],
        &["--units: tiny-fma is named twice; allowed: each unit once"],
    );
    refuse(&["--out", "out", "--devices", "V100,V100"], &["--devices: V100 is named twice; allowed: each device once"]);
    refuse(&["--out", "out", "--recordings", "missing"], &["missing: cannot be read: "]);
    refuse(&["--out", "out", "--recordings", "empty"], &["empty: no recordings; expected folders "]);
    folder.refuse(&["report", "--out", "out", "--vectors", "0"], &["--vectors"]);
    folder.refuse(&["report"], &["--out"]);
    let unit = include_str!("../../src/numerics/describe/catalogue/units/tiny-nearest.toml");
    folder.write("other.toml", unit.replace("fraction_bits  = 5", "fraction_bits  = 4"));
    let parts = ["--units: tiny-nearest is another unit of the catalogue; allowed: a name that no unit"];
    folder.refuse(&["report", "--out", "out", "--units", "other.toml"], &parts);
    println!("ran 12 lines that report refuses");
}

/// The report of two small units, with an RTL engine as given.
fn summary(open_rtl: &(dyn Fn(&Unit) -> Opened + Sync)) -> (Summary, Vec<Unit>) {
    let units: Vec<Unit> =
        ["tiny-truncating", "tiny-fma"].iter().map(|name| catalogue::unit(name).expect("a unit")).collect();
    let subjects: Vec<Subject> = units.iter().cloned().map(Subject::from).collect();
    let open = |kind: Kind, subject: &Subject| -> Result<Opened, EngineError> {
        match (kind, subject) {
            (Kind::Rtl, Subject::Unit(unit)) => Ok(open_rtl(unit)),
            _ => kind.open_subject(subject),
        }
    };
    let campaign = Pairs { seed: 1, vectors: 1000, open: &open };
    let software: Vec<[Kind; 2]> = pairs().into_iter().take(2).collect();
    let outcomes = campaign.run(&subjects, &software, &|_| {}).expect("the engines answer");
    let outcomes: Outcomes = units.iter().map(|unit| unit.name.clone()).zip(outcomes).collect();
    let asked = Asked { seed: 1, vectors: 1000, devices: Vec::new(), units: units.clone() };
    let findings = Findings {
        units: outcomes,
        instructions: Outcomes::new(),
        replayed: None,
        inferred: None,
        proved: None,
        speed: Vec::new(),
        machines: BTreeMap::new(),
    };
    let mut summary = findings.summary(&asked, Time { finished: "at some time".to_owned(), seconds: 1.5 });
    // Versions are those of the machine.
    summary.tools.clear();
    (summary, units)
}

#[test]
fn markdown_snapshot() {
    let (summary, _) = summary(&|_| Opened::Absent(Absence::Missing("this test has no <simulator>".to_owned())));
    assert!(summary.passed, "what is skipped does not differ");
    snapshot("report.md", &markdown(&summary).expect("the templates are whole"));
}

/// Negative control: an engine with one fraction bit less in the place of the RTL is a red cell, and the report fails.
#[test]
fn a_planted_fault_is_red() {
    let faulty = |unit: &Unit| {
        let mut wrong = unit.clone();
        if unit.scheme == Scheme::Fused {
            wrong.alignment_mut().fraction_bits -= 1;
        }
        Opened::Ready(Box::new(Emulator::new(&wrong)))
    };
    let (summary, units) = summary(&faulty);
    assert!(!summary.passed);
    let (wrong, right) = (&summary.units[0].checks, &summary.units[1].checks);
    assert_eq!((wrong.emulator_reference.state, wrong.rtl_emulator.state), (State::Agreed, State::Differed));
    assert_eq!(right.rtl_emulator.state, State::Agreed, "the other unit is left as it is");
    let page = html(&summary, &units).expect("the templates are whole");
    let red = format!("<td class=\"check differed\">{}</td>", wrong.rtl_emulator.text);
    assert_eq!(page.matches(&red).count(), 1, "one red cell: {red}");
    assert!(page.contains("<div class=\"mismatch\"><b>tiny-truncating</b>, rtl = emulator: "), "no vector is shown");
    attributes("the page with a fault", &page, "id");
}
