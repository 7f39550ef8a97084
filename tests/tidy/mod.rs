//! House rules and architecture invariants, checked over the tree. Each rule is a function of a file's text, so that each
//! is also shown to fail on a planted text.

mod blind;
mod documentation;
mod links;
pub mod markdown;
mod packages;
mod pins;
mod rules;
mod tree;

use rules::{Rule, rules};
use tree::{SourceText, files};

fn breaches(rule: &Rule, files: &[SourceText]) -> Vec<String> {
    let applicable = files.iter().filter(|file| (rule.applies)(&file.path));
    applicable
        .flat_map(|file| (rule.check)(file).into_iter().map(|breach| format!("{}: {breach}", file.path)))
        .collect()
}

#[test]
fn the_tree_keeps_every_rule() {
    let files = files();
    let mut all = Vec::new();
    for rule in rules() {
        let applicable = files.iter().filter(|file| (rule.applies)(&file.path)).count();
        println!("{}: {applicable} files", rule.name);
        assert!(applicable > 0, "{} applies to no file", rule.name);
        all.extend(breaches(&rule, &files).into_iter().map(|breach| format!("{}: {breach}", rule.name)));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn every_rule_catches_its_planted_breach() {
    for rule in rules() {
        let (path, text) = rule.breach.clone();
        assert!((rule.applies)(path), "{}: the planted file is not looked at", rule.name);
        let planted = [SourceText { path: path.to_owned(), text: text.clone() }];
        assert!(!breaches(&rule, &planted).is_empty(), "{} does not catch {text:?}", rule.name);
    }
}
