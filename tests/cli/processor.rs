//! Engine `processor` on the command line: it answers, or says why not, and is never counted where it did not run.

use serde_json::Value;
use tensorsmith::describe::catalogue;
use tensorsmith::engine::{Kind, Opened};

use super::program::Folder;

/// Why the engine does not run here, if it does not.
fn missing(unit: &str) -> Option<String> {
    let unit = catalogue::unit(unit).expect("a unit of the catalogue");
    match Kind::Processor.open(&unit).expect("nothing fails") {
        Opened::Ready(_) => None,
        Opened::Absent(reason) => Some(reason.to_string()),
    }
}

#[test]
fn cosim_with_the_processor() {
    let engines = ["--engines", "emulator,reference,processor", "--allow-missing"];
    let arguments = [&["cosim", "fma-fp32", "--vectors", "5000", "--json", "-"], &engines[..]].concat();
    let run = Folder::new().succeed(&arguments);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON and nothing else");
    let engine = report["units"][0]["engines"].as_array().expect("a list").last().expect("three engines");
    assert_eq!((&engine["engine"], &report["units"][0]["mismatches"]), (&"processor".into(), &0.into()));
    match missing("fma-fp32") {
        None => {
            assert_eq!((&engine["vectors"], &engine["skipped"]), (&5000.into(), &Value::Null));
            assert!(engine["version"].as_str().expect("a text").starts_with("VFMADD231PS of "), "{engine}");
        }
        Some(reason) => assert_eq!((&engine["vectors"], &engine["skipped"]), (&0.into(), &reason.into())),
    }
}

#[test]
fn a_unit_that_is_no_instruction_is_skipped() {
    let engines = ["--vectors", "1000", "--engines", "emulator,reference,processor"];
    let cosim = [&["cosim", "hopper-bf16-fp32"], &engines[..]].concat();
    let run = Folder::new().succeed(&[&cosim[..], &["--allow-missing"]].concat());
    assert!(run.stdout.contains("skipped, because none of TDPBF16PS"), "{}", run.stdout);
    let run = Folder::new().run(&cosim);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("engine processor was named and answered nothing"), "{}", run.stderr);
    let two = ["cosim", "hopper-bf16-fp32", "--vectors", "1000", "--engines", "emulator,processor", "--allow-missing"];
    let run = Folder::new().run(&two);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("nothing compared: fewer than two engines ran"), "{}", run.stderr);
}

/// Whole matrices: a tile of 256 results, and a K of two instructions.
#[test]
fn gemm_with_the_processor() {
    let folder = Folder::new();
    let matrix = |rows: usize, columns: usize| -> String {
        let row = |i: usize| (0..columns).map(|j| format!("{} ", (i * 7 + j * 5) % 11)).collect::<String>() + "\n";
        (0..rows).map(row).collect()
    };
    folder.write("a.txt", matrix(16, 64));
    folder.write("b.txt", matrix(64, 16));
    let arguments = ["--a", "a.txt", "--b", "b.txt", "--engines", "emulator,processor", "--allow-missing"];
    let run = folder.succeed(&[&["gemm", "intel-tdpbf16ps"], &arguments[..]].concat());
    assert_eq!(run.stdout.lines().count(), 16);
    match missing("amx-bf16-fp32") {
        None => assert!(run.stderr.contains("processor ran 256 elements"), "{}", run.stderr),
        Some(reason) => {
            assert!(run.stderr.contains(&format!("processor: skipped, because {reason}")), "{}", run.stderr)
        }
    }
}
