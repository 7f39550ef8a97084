//! The examples of the folder `examples`, run: each prints what its text says.

use std::process::Command;

use super::support::library::program;
use super::support::{copy_program, odd_folder};

fn printed(example: &'static str) -> String {
    // From a folder that needs quotes wherever its name is in a script.
    let folder = odd_folder();
    let own = folder.path().join(example);
    copy_program(&program(example), &own);
    let output = Command::new(&own).current_dir(folder.path()).output().expect("the example starts");
    assert!(output.status.success(), "{example}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn example_of_a_dot_product() {
    assert_eq!(printed("dot_product"), "volta-fp16-fp32: 0\nampere-fp16-fp32: -0.5\nhopper-fp16-fp32: -0.75\n");
}

#[test]
fn example_of_a_matrix_product() {
    assert_eq!(printed("matrix_product"), "[14.0, 20.0, 14.0]\n[46.0, 52.0, 46.0]\n");
}

#[test]
fn example_of_an_engine() {
    let text = printed("own_engine");
    let counts: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(counts.len(), 2, "{text}");
    assert!(counts.iter().all(|words| words[1] == "10000"), "{text}");
    assert!(counts[0][4] != "0" && counts[1][4] == "0", "{text}");
}
