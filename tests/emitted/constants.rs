//! Sums written in the emitted modules evaluate to the values in their comments, and those are the plan's.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use tensorsmith::describe::catalogue;
use tensorsmith::describe::plan::{FusedPlan, Operation, OperationsPlan, Plan};
use tensorsmith::describe::unit::Unit;
use tensorsmith::emit;

use super::support;

/// Evaluates a sum of names and numbers.
fn evaluate(sum: &str, known: &BTreeMap<String, i64>) -> i64 {
    let mut total = 0;
    let mut sign = 1;
    for token in sum.split_whitespace() {
        match token {
            "+" => sign = 1,
            "-" => sign = -1,
            _ => total += sign * token.parse().unwrap_or_else(|_| known[token]),
        }
    }
    total
}

#[test]
fn emitted_constants_evaluate_to_the_plan() {
    let mut sums = 0;
    for unit in catalogue::units() {
        let plan = Plan::of(&unit);
        // The widths of rounded operations are derived in their leaves.
        if matches!(plan, Plan::Operations(_)) {
            continue;
        }
        let text = emit::core(&unit).expect("rendered").text;
        let mut known = BTreeMap::new();
        for line in text.lines() {
            let (code, comment) = line.split_once("//").unwrap_or((line, ""));
            // Those of the module; constants of a generate loop stand deeper.
            let words = code.trim_end().trim_end_matches([',', ';']);
            let declared = words.strip_prefix("    parameter int ").or_else(|| words.strip_prefix("  localparam int "));
            let Some((name, value)) = declared.and_then(|declared| declared.split_once('=')) else { continue };
            let (name, value) = (name.trim(), value.trim().trim_end_matches([',', ';']).trim());
            let evaluated = evaluate(value, &known);
            if value.parse::<i64>().is_err() {
                let noted = comment.trim().split(':').next().and_then(|noted| noted.parse().ok());
                assert_eq!(noted, Some(evaluated), "{}: {name}", unit.name);
                sums += 1;
            }
            known.insert(name.to_owned(), evaluated);
        }
        for constant in plan.constants().iter().filter(|constant| constant.name != "AnchorFloor") {
            assert_eq!(known[constant.name], constant.value, "{}: {}", unit.name, constant.name);
        }
    }
    println!("{sums} sums evaluated");
    assert!(sums > 100);
}

/// What a leaf of rounded operations derives by itself, as Icarus elaborates it.
fn derived_by_the_leaf(unit: &Unit, leaf: &str, names: &[&str]) -> BTreeMap<String, i64> {
    let module = unit.module_name();
    let show = |name: &&str| format!("$display(\"{name} %0d\", u_core.{leaf}.{name});");
    let shown: String = names.iter().map(show).collect();
    let bench =
        format!("module probe; {module} u_core (.a_i(), .b_i(), .c_i(), .d_o()); initial begin {shown} end endmodule");
    let folder = tempfile::TempDir::new().expect("a folder");
    let (file, program) = (folder.path().join("probe.sv"), folder.path().join("probe.vvp"));
    std::fs::write(&file, bench).expect("written");
    let mut compile = Command::new("iverilog");
    compile.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")));
    compile
        .args(["-g2012", "-y", "rtl/lib", "-y", "rtl/gen", "-Y", ".sv", "-s", "probe", "-o"])
        .arg(&program)
        .arg(&file);
    assert!(compile.status().expect("iverilog runs").success(), "{module}");
    let output = Command::new("vvp").arg(&program).output().expect("vvp runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let value = |line: &str| {
        let (name, value) = line.split_once(' ').expect("a name and a value");
        (name.to_owned(), value.parse().expect("a number"))
    };
    said.lines().map(value).collect()
}

/// The widths of a fused multiply-add.
fn of_multiply_add(step: &FusedPlan) -> Vec<(&'static str, i64)> {
    vec![
        ("FractionBits", i64::from(step.fraction_bits)),
        ("ProductWidth", step.product_width.into()),
        ("ProductFractionBits", step.terms.fraction_bits.into()),
        ("ProductPlaceLeft", step.term_place_left.into()),
        ("AddendPlaceLeft", step.addend_place_left.into()),
        ("WindowWidth", step.window_width.into()),
        ("AlignedWidth", step.aligned_width.into()),
        ("SumWidth", step.sum_width.into()),
        ("TopExponentOffset", step.top_exponent_offset.into()),
        ("ResultExponentMin", step.exponent_floor.into()),
        ("ExponentWidth", step.exponent_width.into()),
    ]
}

/// The widths of a product alone. The plan's step has an addend, a zero, and with it a carry bit that the leaf has not.
fn of_product(step: &FusedPlan) -> Vec<(&'static str, i64)> {
    vec![
        ("FractionBits", i64::from(step.fraction_bits)),
        ("ProductWidth", step.product_width.into()),
        ("ProductFractionBits", step.terms.fraction_bits.into()),
        ("ProductPlaceLeft", step.term_place_left.into()),
        ("WindowWidth", step.window_width.into()),
        ("SumWidth", i64::from(step.sum_width) - 1),
        ("TopExponentOffset", i64::from(step.top_exponent_offset) - 1),
        ("ResultExponentMin", step.exponent_floor.into()),
    ]
}

/// The widths of a sum of two.
fn of_sum(addition: &FusedPlan) -> Vec<(&'static str, i64)> {
    vec![
        ("FractionBits", i64::from(addition.fraction_bits)),
        ("PlaceLeft", addition.addend_place_left.into()),
        ("WindowWidth", addition.window_width.into()),
        ("AlignedWidth", addition.aligned_width.into()),
        ("SumWidth", addition.sum_width.into()),
        ("TopExponentOffset", addition.top_exponent_offset.into()),
        ("ExponentWidth", addition.exponent_width.into()),
    ]
}

#[test]
fn leaves_of_rounded_operations_derive_the_plan() {
    if !support::has_program("iverilog", "-V") {
        return support::skip("icarus", "iverilog is not on PATH");
    }
    let mut compared = 0;
    for unit in catalogue::units() {
        let Plan::Operations(OperationsPlan { operations, step, addition, .. }) = Plan::of(&unit) else { continue };
        let last = operations.len() - 1;
        let mut leaves = match (operations[0], operations[last]) {
            (Operation::Multiply { .. }, _) => {
                vec![("gen_step[0].gen_product.u_multiply".to_owned(), of_product(&step))]
            }
            (_, Operation::Add { .. }) => vec![("gen_step[0].gen_product.u_fma".to_owned(), of_multiply_add(&step))],
            _ => vec![("gen_step[0].u_fma".to_owned(), of_multiply_add(&step))],
        };
        if matches!(operations[last], Operation::Add { .. }) {
            leaves.push((format!("gen_step[{last}].gen_sum.u_add"), of_sum(&addition)));
        }
        for (leaf, planned) in leaves {
            let names: Vec<&str> = planned.iter().map(|(name, _)| *name).collect();
            let derived = derived_by_the_leaf(&unit, &leaf, &names);
            for (name, value) in planned {
                assert_eq!(derived.get(name), Some(&value), "{}: {leaf}: {name}", unit.name);
                compared += 1;
            }
        }
    }
    println!("{compared} widths of leaves compared with the plan");
    assert!(compared >= 100);
}
