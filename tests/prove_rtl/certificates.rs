//! Certificates check as written and are refused when clauses, proof, manifest or unit are changed.

use std::path::Path;

use tempfile::TempDir;
use tensorsmith::describe::unit::Cut;
use tensorsmith::prove::certificate::{self, Manifest, digest};
use tensorsmith::prove::netlist;
use tensorsmith::prove::rtl::{Files, Means, Verdict, prove_unit};

use super::support::long_tier;
use super::{LIMIT, Volta, files, needs_yosys, support::unit, volta};

fn written() -> TempDir {
    let Volta { unit, problem, proof } = volta();
    let folder = TempDir::new().expect("a folder");
    let versions = [netlist::version().expect("yosys"), problem.netlist.sha256.clone()];
    certificate::write(folder.path(), unit, &files(unit), versions, &proof.obligations).expect("it is written");
    folder
}

fn edit(folder: &Path, file: &str, change: impl FnOnce(String) -> String) {
    let path = folder.join(file);
    let text = std::fs::read_to_string(&path).expect("it is there");
    std::fs::write(path, change(text)).expect("it is written");
}

fn manifest(folder: &Path) -> Manifest {
    let text = std::fs::read_to_string(folder.join("manifest.json")).expect("a manifest");
    serde_json::from_str(&text).expect("it is read")
}

/// A manifest whose own hash is right again after a change.
fn forge(folder: &Path, change: impl FnOnce(&mut Manifest)) {
    let mut manifest = manifest(folder);
    change(&mut manifest);
    manifest.sha256 = String::new();
    manifest.sha256 = digest(serde_json::to_string(&manifest).expect("text").as_bytes());
    edit(folder, "manifest.json", |_| serde_json::to_string_pretty(&manifest).expect("text"));
}

fn refusal(folder: &Path) -> String {
    certificate::check(folder, LIMIT).expect_err("it is refused").to_string()
}

#[test]
fn certificates_check_and_changed_ones_are_refused() {
    let Some(()) = needs_yosys("certificates") else { return };
    let folder = written();
    let checked = certificate::check(folder.path(), LIMIT).expect("they hold");
    assert_eq!(checked.remade, Ok(()));
    assert!(checked.proofs >= 8 && checked.obligations > checked.proofs, "{checked:?}");
    let names: Vec<String> = manifest(folder.path()).certificates.into_iter().map(|one| one.obligation).collect();
    for wanted in ["aligned_row[0]", "normalised_shift", "packed_word", "special_nan"] {
        assert!(names.iter().any(|name| name == wanted), "{wanted} has a certificate: {names:?}");
    }
    faults(folder.path());
}

/// A unit with registers: its netlist has them, and its clauses are made without.
#[test]
fn certificates_of_registers_check() {
    let Some(()) = needs_yosys("certificates-registers") else { return };
    let unit = unit("tiny-integer").with_cuts([Cut::Product, Cut::Result]);
    let files = Files::emitted(&unit).expect("it is emitted");
    let proved = prove_unit(&unit, &files, &Means::within(LIMIT), &|_| {}).expect("yosys reads it");
    assert_eq!(proved.proof.verdict, Verdict::Proved);
    let folder = TempDir::new().expect("a folder");
    let versions = [netlist::version().expect("yosys"), proved.netlist_sha256];
    certificate::write(folder.path(), &unit, &proved.sources, versions, &proved.proof.obligations).expect("written");
    assert_eq!(certificate::check(folder.path(), LIMIT).expect("they hold").remade, Ok(()));
    let fewer = unit.with_cuts([Cut::Result]);
    forge(folder.path(), |manifest| manifest.unit = fewer.to_toml());
    let refused = refusal(folder.path());
    assert!(refused.contains("not the files that this program emits"), "{refused}");
}

/// Each fault is undone before the next. In the ordinary tier one of each kind.
fn faults(folder: &Path) {
    let whole = |file: &str| std::fs::read_to_string(folder.join(file)).expect("it is there");
    let saved = ["manifest.json", "0000.cnf", "0000.lrat", "0001.cnf"].map(|file| (file, whole(file)));
    let restore = || saved.iter().for_each(|(file, text)| edit(folder, file, |_| text.clone()));
    let has = |what: &str| {
        let refusal = refusal(folder);
        assert!(refusal.contains(what), "{what}: {refusal}");
        restore();
    };
    edit(folder, "0000.cnf", |text| text.replacen("-", "", 1));
    has("the hashes differ");
    edit(folder, "0000.lrat", |text| text.lines().skip(1).map(|line| format!("{line}\n")).collect());
    has("the hashes differ");
    edit(folder, "manifest.json", |text| text.replacen("\"steps\": ", "\"steps\": 1", 1));
    has("it was changed after it was written");
    edit(folder, "manifest.json", |text| text.replacen("\"format\": 1", "\"format\": 2", 1));
    has("allowed: 1");
    forge(folder, |manifest| manifest.netlist_sha256 = digest(b"another"));
    has("Yosys reads another netlist");
    forge(folder, |manifest| manifest.unit = manifest.unit.replace("\nfraction_bits = 23", "\nfraction_bits = 24"));
    has("not the files that this program emits");
    if long_tier() {
        forge(folder, |manifest| manifest.sources[0].sha256 = digest(b"another"));
        has("not the files that this program emits");
        forge(folder, |manifest| drop(manifest.others.pop()));
        has("not those of the netlist, each once");
    }
    forge(folder, |manifest| manifest.others[0].1 = "fails".to_owned());
    has("allowed: structure, exhaustive");
    forge(folder, |manifest| manifest.others.push((manifest.certificates[0].obligation.clone(), "linear".to_owned())));
    has("not those of the netlist, each once");
    // A sound proof of other clauses, with every hash right.
    let other = saved[3].1.clone();
    let proof = whole("0001.lrat");
    edit(folder, "0000.cnf", |_| other.clone());
    edit(folder, "0000.lrat", |_| proof.clone());
    forge(folder, |manifest| {
        let second = manifest.certificates[1].clone();
        let first = &mut manifest.certificates[0];
        (first.cnf_sha256, first.proof_sha256) = (second.cnf_sha256, second.proof_sha256);
        (first.clauses, first.steps) = (second.clauses, second.steps);
    });
    has("the clauses are not those of");
    // A proof that does not hold, with every hash right.
    let cut: String = saved[2].1.lines().skip(1).map(|line| format!("{line}\n")).collect();
    edit(folder, "0000.lrat", |_| cut.clone());
    forge(folder, |manifest| {
        manifest.certificates[0].proof_sha256 = digest(cut.as_bytes());
        manifest.certificates[0].steps -= 1;
    });
    has("step");
    std::fs::remove_file(folder.join("0000.cnf")).expect("it is there");
    assert!(refusal(folder).contains("cannot be read"));
}
