//! Sums written in the emitted modules evaluate to the values in their comments, and those are the plan's.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use tensorsmith::describe::catalogue;
use tensorsmith::describe::plan::{FmaChainPlan, Plan};
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
        // A chain's widths are derived in its leaf.
        if matches!(plan, Plan::FmaChain(_)) {
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

/// What the leaf of a chain derives by itself, as Icarus elaborates it.
fn derived_by_the_leaf(unit: &Unit, names: &[&str]) -> BTreeMap<String, i64> {
    let module = unit.module_name();
    let show = |name: &&str| format!("$display(\"{name} %0d\", u_core.gen_step[0].u_fma.{name});");
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

#[test]
fn leaf_of_a_chain_derives_the_plan() {
    if !support::has_program("iverilog", "-V") {
        return support::skip("icarus", "iverilog is not on PATH");
    }
    let mut compared = 0;
    for unit in catalogue::units() {
        let Plan::FmaChain(FmaChainPlan { step, .. }) = Plan::of(&unit) else { continue };
        let planned = [
            ("FractionBits", i64::from(step.fraction_bits)),
            ("ProductWidth", step.product_width.into()),
            ("ProductFractionBits", step.terms.fraction_bits.into()),
            ("ProductPlaceLeft", step.term_place_left.into()),
            ("AddendPlaceLeft", step.addend_place_left.into()),
            ("WindowWidth", step.window_width.into()),
            ("AlignedWidth", step.aligned_width.into()),
            ("SumWidth", step.sum_width.into()),
            ("NormalisedWidth", step.normalised_width.into()),
            ("TopExponentOffset", step.top_exponent_offset.into()),
            ("ResultExponentMin", step.exponent_floor.into()),
            ("ExponentWidth", step.exponent_width.into()),
        ];
        let derived = derived_by_the_leaf(&unit, &planned.map(|(name, _)| name));
        for (name, value) in planned {
            assert_eq!(derived.get(name), Some(&value), "{}: {name}", unit.name);
            compared += 1;
        }
    }
    println!("{compared} widths of the leaf compared with the plan");
    assert!(compared >= 36);
}
