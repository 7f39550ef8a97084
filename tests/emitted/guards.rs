//! Parameter sets that make no unit do not elaborate in any tool, and the module that is missing says why.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use tensorsmith::emit::{self, LEAVES};

use super::overrides::chparam;
use super::support;

/// Module, parameters, and the name of the missing module without what all of them have in common.
const GUARDED: [(&str, &str, &str); 30] = [
    ("fused", "Products=65", "products_are_1_to_64"),
    ("integer", "Products=65", "products_are_1_to_64"),
    ("fused", "OperandASignBits=2", "sign_bits_are_0_or_1"),
    ("fused", "OperandAExponentBits=12", "exponent_bits_are_1_to_11"),
    ("fused", "OperandBFractionBits=53", "fraction_bits_are_1_to_52"),
    ("fused", "AddendPaddingBits=33", "padding_bits_are_0_to_32"),
    ("fused", "OperandABias=1101", "bias_is_within_1100"),
    ("fused", "OperandANonFinite=4", "non_finite_is_0_to_3"),
    ("fused", "OperandANonFinite=3 OperandASignBits=0", "minus_zero_needs_a_sign"),
    ("fused", "FlushOperands=3", "flush_subnormals_is_0_to_2"),
    ("fused", "ResultExponentBits=12", "result_fields_have_1_to_11_1_to_52_and_0_to_32_bits"),
    ("fused", "ResultNonFinite=0", "result_needs_a_nan"),
    ("fused", "NanWord=32'h7f800000", "nan_word_is_no_nan"),
    ("fused", "ResultRounding=6", "result_rounding_is_0_to_5"),
    ("fused", "Overflow=3", "overflow_is_0_to_2"),
    ("fused", "HasAddend=2", "choices_are_0_or_1"),
    ("fused", "ZeroNegative=3", "choices_are_0_or_1"),
    ("fused", "Target=2", "target_is_0_or_1"),
    ("fused", "FractionBits=-1 NormaliseProducts=1", "every_bit_is_kept_of_products_as_they_are"),
    ("fused", "FractionBits=0", "fraction_bits_kept_are_1_to_100_or_all"),
    ("fused", "FractionBits=101", "fraction_bits_kept_are_1_to_100_or_all"),
    ("fused", "AlignmentRounding=6", "alignment_rounding_is_0_to_5"),
    ("fused", "ExponentFloor=128", "exponent_floor_is_above_every_term"),
    ("fused", "ZeroNegative=1 ResultNonFinite=3 NanWord=32'h80000000", "result_has_no_minus_zero"),
    ("fused", "CarryBits=5", "carry_bits_are_more_than_one_too_many"),
    ("fused", "OperandAExponentBits=11 OperandABias=1023 FractionBits=-1", "sum_is_wider_than_1020_bits"),
    ("integer", "AddendWidth=65", "widths_are_1_to_64"),
    ("integer", "OperandASigned=2", "signed_is_0_or_1"),
    ("integer", "Cuts=4", "cuts_are_places_of_this_module"),
    ("fused", "Cuts=1024", "cuts_are_places_of_this_module"),
];

/// What a tool says of a module with other parameters; `Ok` where it takes them.
fn elaborated(tool: &Path, arguments: &[String], root: Option<&Path>) -> Result<(), String> {
    let mut command = Command::new(tool);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("rtl/lib")).args(arguments);
    command.envs(root.map(|root| ("VERILATOR_ROOT", root)));
    let output = command.output().expect("the tool runs");
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if output.status.success() { Ok(()) } else { Err(said.concat()) }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// Every guard refuses in the tool, by its name, or one in `every` in the ordinary tier; and the module without other parameters
/// elaborates.
fn assert_guarded(tool: &str, every: usize, elaborate: impl Fn(&str, &[(&str, &str)]) -> Result<(), String> + Sync) {
    let mut tops: Vec<&str> = GUARDED.iter().map(|(top, ..)| *top).collect();
    tops.dedup();
    support::in_parallel(&tops, |top| {
        elaborate(&format!("tensorsmith_{top}"), &[]).unwrap_or_else(|said| panic!("{tool}: {top}: {said}"));
    });
    support::in_parallel(&support::sampled(&GUARDED, every), |(top, given, name)| {
        let overrides: Vec<(&str, &str)> = given.split(' ').filter_map(|one| one.split_once('=')).collect();
        match elaborate(&format!("tensorsmith_{top}"), &overrides) {
            Ok(()) => panic!("{tool}: {top} takes {given}"),
            Err(said) => assert!(said.contains(&format!("tensorsmith_error_{name}")), "{tool}: {top} {given}: {said}"),
        }
    });
}

#[test]
fn guards_refuse_icarus() {
    let Some(()) = support::needs_icarus("icarus") else { return };
    assert_guarded("icarus", 1, |top, overrides| {
        let mut arguments = words(&format!("-g2012 -s {top} -o /dev/null -y . -Y .sv"));
        arguments.extend(overrides.iter().map(|(name, value)| format!("-P{top}.{name}={value}")));
        arguments.push(format!("{top}.sv"));
        elaborated(Path::new("iverilog"), &arguments, None)
    });
}

#[test]
fn guards_refuse_yosys() {
    let Some(()) = support::needs_yosys("yosys") else { return };
    assert_guarded("yosys", 8, |top, overrides| {
        let files: String = emit::library(top).iter().map(|file| format!(" {}", file.name)).collect();
        let given: String = overrides.iter().map(|(name, value)| chparam(name, value)).collect();
        let script = format!("read_verilog -sv{files}; hierarchy -check -top {top}{given}");
        elaborated(Path::new("yosys"), &["-q".to_owned(), "-p".to_owned(), script], None)
    });
}

#[cfg(feature = "rtl")]
#[test]
fn guards_refuse_verilator() {
    let Some(tools) = support::needs_verilator("verilator") else { return };
    assert_guarded("verilator", 7, |top, overrides| {
        let mut arguments = words(&format!("--lint-only -Wall -y . --top-module {top}"));
        arguments.extend(overrides.iter().map(|(name, value)| format!("-G{name}={value}")));
        arguments.push(format!("{top}.sv"));
        elaborated(tools.verilator(), &arguments, Some(tools.verilator_root()))
    });
}

/// Every guard of the library is in the table.
#[test]
fn every_guard_is_tried() {
    let marked = |text: &str| -> Vec<String> {
        let rest = text.split("tensorsmith_error_").skip(1);
        let word =
            |rest: &str| rest.chars().take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect();
        rest.map(word).filter(|name: &String| !name.is_empty()).collect()
    };
    let guards: BTreeSet<String> = LEAVES.iter().flat_map(|(_, text)| marked(text)).collect();
    let tried: BTreeSet<String> = GUARDED.iter().map(|(_, _, name)| (*name).to_owned()).collect();
    assert_eq!(guards, tried);
}
