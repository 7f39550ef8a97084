//! Pictures of `suite hickmann`: every cell is where its placement says and as full as the answers say, and texts have room.
//! And every work once.

use std::collections::BTreeMap;

use serde_json::Value;

use super::program::{Folder, snapshot};
use super::report_pictures::{Shape, faults, overlap, shapes};

const SUBJECTS: [&str; 3] = ["volta-fp16-fp32", "hickmann-fma-chain-fp16-fp32", "hickmann-adder-tree-fp16-fp32"];

/// What became of a vector, as the picture's legend calls it, from its JSON.
fn state(experiment: &str, vector: &Value) -> &'static str {
    let (inputs, number) = (vector["inputs"].as_str().expect("text"), vector["number"].as_str().expect("text"));
    let (kept, lost) = match experiment {
        "rounding-between-elements" => ("1+2^-22".to_owned(), "1+2^-23"),
        _ => {
            let small = inputs.split(" in ").next().and_then(|terms| terms.split(", ").last()).expect("three terms");
            (small.to_owned(), "0")
        }
    };
    let small: Option<i32> = kept.strip_prefix("2^").and_then(|exponent| exponent.parse().ok());
    match number {
        lost_all if lost_all == lost => "lost",
        same if same == kept => "product",
        // Up to 2^23 numbers are printed in full.
        whole if small.is_some_and(|power| power >= -4 && whole.parse() == Ok(f64::from(power).exp2())) => "product",
        _ => "carry",
    }
}

/// The labels of a vector's row and column.
fn labels(experiment: &str, vector: &Value) -> (String, String) {
    let inputs = vector["inputs"].as_str().expect("text");
    let (terms, places) = inputs.split_once(" in ").expect("terms and places");
    let places: Vec<&str> = places.split(", ").collect();
    match experiment {
        "internal-precision" => {
            let name = |place: usize| match places.iter().position(|own| *own == place.to_string()) {
                Some(0) => "+L",
                Some(1) => "-L",
                Some(_) => " s",
                None => " 0",
            };
            let row = (0..4).map(name).collect::<Vec<_>>().join(" ").trim_end().to_owned();
            (row, terms.rsplit_once("2^").expect("a power").1.to_owned())
        }
        _ => (places[1].to_owned(), places[0].to_owned()),
    }
}

/// Middle of the text in one direction, by its label.
fn middles(texts: &[&Shape], middle: fn(&Shape) -> f64) -> BTreeMap<String, f64> {
    texts.iter().map(|text| (text.text.clone(), middle(text))).collect()
}

fn middle_x(shape: &Shape) -> f64 {
    f64::midpoint(shape.left, shape.right)
}

fn middle_y(shape: &Shape) -> f64 {
    f64::midpoint(shape.top, shape.bottom)
}

/// Vectors by row, column and state, as the JSON has them.
fn expected(experiment: &str, vectors: &[Value]) -> BTreeMap<(String, String), BTreeMap<&'static str, usize>> {
    let mut cells: BTreeMap<_, BTreeMap<_, usize>> = BTreeMap::new();
    for vector in vectors {
        *cells.entry(labels(experiment, vector)).or_default().entry(state(experiment, vector)).or_default() += 1;
    }
    cells
}

/// Every cell with a labelled column against the vectors; returns how many were looked at.
fn assert_cells(experiment: &str, vectors: &[Value], picture: &str) -> usize {
    let shapes = shapes(picture);
    let bits: Vec<&Shape> = shapes.iter().filter(|shape| shape.class.starts_with("bits ")).collect();
    let top = bits.iter().map(|shape| shape.top).fold(f64::MAX, f64::min);
    let bottom = bits.iter().map(|shape| shape.bottom).fold(0.0, f64::max);
    let texts = |class: &str| shapes.iter().filter(|shape| shape.class == class).collect::<Vec<_>>();
    let above =
        texts("small").into_iter().filter(|text| text.bottom <= top && text.top > top - 20.0).collect::<Vec<_>>();
    let (columns, rows) = (middles(&above, middle_x), middles(&texts("mono"), middle_y));
    let row_height = (bottom - top) / rows.len() as f64;
    let mut looked_at = 0;
    for ((row, column), states) in expected(experiment, vectors) {
        let y = rows.iter().find(|(label, _)| label.trim() == row.trim()).unwrap_or_else(|| panic!("no row {row}")).1;
        let Some(x) = columns.get(&column) else { continue };
        // The label's middle is half a unit below its row's.
        let own = bits.iter().filter(|shape| {
            shape.left < *x && *x < shape.right && (middle_y(shape) - (y - 0.5)).abs() < row_height / 2.0
        });
        let all: usize = states.values().sum();
        let drawn: BTreeMap<&str, usize> = own
            .map(|shape| {
                let share = (shape.bottom - shape.top) / row_height * all as f64;
                (shape.class.trim_start_matches("bits "), share.round() as usize)
            })
            .collect();
        assert_eq!(drawn, states, "{experiment}: {row:?}, {column}");
        looked_at += 1;
    }
    looked_at
}

fn vectors<'a>(report: &'a Value, subject: usize, experiment: &str) -> &'a [Value] {
    let all = report["subjects"][subject]["experiments"].as_array().expect("a list");
    let own = all.iter().find(|own| own["name"] == experiment).expect("an experiment");
    own["vectors"].as_array().expect("a list")
}

#[test]
fn suite_pictures_show_the_answers() {
    let folder = Folder::new();
    let mut arguments = vec!["suite", "hickmann"];
    arguments.extend(SUBJECTS);
    folder.succeed(&[arguments, vec!["--pictures", "drawn", "--json", "out.json"]].concat());
    let report = folder.json("out.json");
    let mut pictures = Vec::new();
    for (number, subject) in SUBJECTS.into_iter().enumerate() {
        for (experiment, cells) in [
            // 15 of 59 columns are labelled.
            ("internal-precision", 24 * 15),
            ("rounding-between-elements", 16 * 15),
            ("permutations", 17 * 16),
        ] {
            let picture = folder.read(&format!("drawn/{subject}-{experiment}.svg"));
            assert_eq!(faults(&picture), Vec::<String>::new(), "{subject}: {experiment}");
            let shapes = shapes(&picture);
            let cell = |shape: &&Shape| shape.class.starts_with("bits ");
            let text = |shape: &&Shape| !shape.text.is_empty();
            for text in shapes.iter().filter(text) {
                assert!(!shapes.iter().filter(cell).any(|cell| overlap(text, cell)), "{text:?} over a cell");
            }
            assert_eq!(assert_cells(experiment, vectors(&report, number, experiment), &picture), cells);
            pictures.push(picture);
        }
    }
    for (number, picture) in pictures.iter().enumerate() {
        assert!(!pictures[..number].contains(picture), "two subjects have one picture");
    }
    snapshot("suite-hickmann-permutations.svg", &folder.read("drawn/volta-fp16-fp32-permutations.svg"));
}

/// Negative control: a picture of another unit's answers is found.
#[test]
fn suite_pictures_of_another_unit_are_found() {
    let folder = Folder::new();
    folder.succeed(&["suite", "hickmann", SUBJECTS[0], SUBJECTS[1], "--pictures", "drawn", "--json", "out.json"]);
    let report = folder.json("out.json");
    let picture = folder.read(&format!("drawn/{}-permutations.svg", SUBJECTS[1]));
    let check =
        std::panic::catch_unwind(|| assert_cells("permutations", vectors(&report, 0, "permutations"), &picture));
    assert!(check.is_err(), "the chain's picture passes for V100's");
}

#[test]
fn suite_pictures_refused() {
    let folder = Folder::new();
    folder.refuse(&["suite", "fasi", "--pictures", "drawn"], &["--pictures", "fasi", "hickmann"]);
    assert!(!folder.path("drawn").exists(), "nothing is made");
    folder.write("file", String::new());
    folder.refuse(
        &["suite", "hickmann", SUBJECTS[0], "--pictures", "file"],
        &["file: cannot be created: file is no folder"],
    );
}

#[test]
fn suite_runs_every_work() {
    let folder = Folder::new();
    for (work, subject) in [
        ("fasi", SUBJECTS[0]),
        ("hickmann", "hickmann-integer-tree-fp16-fp32"),
        ("fttn", "cdna2-fp16-fp32"),
        ("khattak", "hopper-mma-m16n8k32-e4m3-fp32"),
        ("valpey", "ampere-fp16-fp32"),
    ] {
        let run = folder.succeed(&["suite", work, subject]);
        assert!(run.stdout.contains(" 0 differ; tensorsmith"), "{work}: {}", run.stdout);
        assert!(!run.stdout.contains(": 0 published readings are the same"), "{work}: {}", run.stdout);
    }
}
