//! Sums written in the emitted modules evaluate to the values in their comments, and those are the plan's.

use std::collections::BTreeMap;

use tensorsmith::describe::catalogue;
use tensorsmith::describe::plan::FusedPlan;
use tensorsmith::emit;

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
        let plan = FusedPlan::of(&unit);
        let text = emit::core(&unit).expect("rendered").text;
        let mut known = BTreeMap::new();
        for line in text.lines() {
            let (code, comment) = line.split_once("//").unwrap_or((line, ""));
            let words = code.trim().trim_end_matches([',', ';']);
            let declared = words.strip_prefix("parameter int ").or_else(|| words.strip_prefix("localparam int "));
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
        for constant in plan.constants.iter().filter(|constant| constant.name != "AnchorFloor") {
            assert_eq!(known[constant.name], constant.value, "{}: {}", unit.name, constant.name);
        }
    }
    println!("{sums} sums evaluated");
    assert!(sums > 100);
}
