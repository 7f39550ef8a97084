//! Opening models: those that are linked, libraries, and what is none or another unit's.

use crate::rtl_harness::units::{DOT4, WEIGHTED_SUM, request, source};
use crate::support::seal::{sealed, unsealed};
use std::fs;
use tensorsmith::describe::catalogue;
use tensorsmith::emit;
use tensorsmith::engine::rtl::{Library, Model, ModelError, Request, build_library};

#[test]
fn unknown_modules_and_bad_files_are_errors() {
    let error = Model::linked("no_such_unit").err().unwrap();
    assert!(matches!(error, ModelError::NotLinked { .. }), "{error}");
    assert!(!Model::linked_modules().contains(&"no_such_unit".to_string()));

    let text = source("harness_damaged", DOT4, WEIGHTED_SUM);
    let built = build_library(&request("harness_damaged", text)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| Library { path: folder.path().join(name), ..built.clone() };
    let error = Model::load(&at("missing.so")).err().unwrap();
    assert!(error.to_string().contains("missing.so"), "{error}");

    let whole = fs::read(&built.path).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    let own = at(built.path.file_name().unwrap().to_str().unwrap());
    for bytes in [&whole[..whole.len() / 2], &flipped, b"garbage", b""] {
        fs::write(&own.path, bytes).unwrap();
        let error = Model::load(&own).err().unwrap();
        assert!(matches!(error, ModelError::Library(_)), "{error}");
    }
    fs::write(&own.path, &whole).unwrap();
    Model::load(&own).unwrap();
    let other = at("other.so");
    fs::write(&other.path, &whole).unwrap();
    let error = Model::load(&other).err().unwrap().to_string();
    assert!(error.contains("other.so") && error.contains("made under another name"), "{error}");
}

/// A model tells which files it was made from, whatever the file is called that it lies in.
#[test]
fn models_of_other_files_are_errors() {
    let unit = request("harness_sources", source("harness_sources", DOT4, WEIGHTED_SUM));
    let built = build_library(&unit).unwrap();
    assert_eq!(Model::load(&built).unwrap().sources(), unit.sources_hash().unwrap());
    let mut edited = unit.clone();
    edited.sources[0].1.push_str("// edited\n");
    let other = Library { sources: edited.sources_hash().unwrap(), ..built.clone() };
    let error = Model::load(&other).err().unwrap();
    assert!(matches!(&error, ModelError::Load { reason, .. } if reason.contains("made from other files")), "{error}");

    let folder = tempfile::tempdir().unwrap();
    let forged = Library { path: folder.path().join("forged.so"), ..other };
    fs::write(&forged.path, sealed("forged.so", unsealed(&fs::read(&built.path).unwrap()))).unwrap();
    let error = Model::load(&forged).err().unwrap();
    assert!(matches!(error, ModelError::Load { .. }), "{error}");
    Model::load(&Library { sources: built.sources, ..forged }).unwrap();
}

#[test]
fn every_linked_unit_opens_and_runs() {
    let listed = include_str!("../../sim/linked_units.txt").lines().filter(|line| !line.starts_with('#'));
    // A build that finds no Verilator links none.
    let mut wanted: Vec<&str> = if cfg!(feature = "linked") { listed.collect() } else { Vec::new() };
    wanted.sort_unstable();
    assert_eq!(Model::linked_modules(), wanted);
    for module in Model::linked_modules() {
        let mut model = Model::linked(&module).unwrap();
        let [products, scales] = [model.shape().products, model.shape().scales].map(|count| vec![0; count as usize]);
        model.run_scaled(&products, &products, &scales, &scales, &[0], &mut [0]).unwrap();
        assert_eq!(model.module(), module);
    }
}

/// Else another one would be built at run time.
#[test]
fn linked_units_are_made_of_what_is_emitted() {
    for module in Model::linked_modules() {
        let unit = catalogue::units().into_iter().find(|unit| unit.module_name() == module).unwrap();
        let files = emit::module(&unit).unwrap().into_iter().map(|file| (file.name, file.text)).collect();
        let emitted = Request { module: module.clone(), sources: files, signals: Vec::new(), inside: None };
        assert_eq!(Model::linked(&module).unwrap().sources(), emitted.sources_hash().unwrap(), "{module}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_dropped_model_leaves_no_library_in_memory() {
    let text = source("harness_dropped", DOT4, WEIGHTED_SUM);
    let library = build_library(&request("harness_dropped", text)).unwrap();
    let name = library.path.file_name().unwrap().to_str().unwrap();
    let is_loaded = || fs::read_to_string("/proc/self/maps").unwrap().contains(name);
    let mut model = Model::load(&library).unwrap();
    model.run(&[0; 4], &[0; 4], &[0], &mut [0]).unwrap();
    assert!(is_loaded());
    drop(model);
    assert!(!is_loaded());
}
