//! Units whose files list their steps: commands that evaluate take them, others refuse them by name.

use super::program::Folder;

const FILE: &str = include_str!("../steps/units/power10-bf16.toml");

/// c + (1 * 2 + 3 * 4) = 14.5, in a chain of sums of pairs.
#[test]
fn lists_are_evaluated() {
    let folder = Folder::new();
    folder.write("list.toml", FILE);
    folder.succeed(&["eval", "list.toml", "--a", "1,3", "--b", "2,4", "--c", "0.5"]);
    folder.succeed(&["cosim", "list.toml", "--vectors", "2000", "--engines", "emulator,reference,wide"]);
    folder.succeed(&["record", "list.toml", "--engine", "emulator", "--vectors", "500", "--out", "list.tsrec"]);
    folder.succeed(&["replay", "list.tsrec", "--engines", "reference"]);
}

#[test]
fn commands_without_lists_refuse_them() {
    let folder = Folder::new();
    folder.write("list.toml", FILE);
    let refused = "list.toml: power10-bf16 lists its steps; allowed: a unit with a scheme";
    folder.refuse(&["emit", "list.toml", "--out", "rtl"], &[refused]);
    folder.refuse(&["prove", "list.toml"], &[refused]);
    folder.refuse(&["show", "list.toml"], &[refused]);
    folder.refuse(&["compare", "list.toml", "volta-fp16-fp32"], &[refused]);
    let run = folder.run(&["cosim", "list.toml", "--vectors", "100", "--engines", "emulator,rtl"]);
    let skipped =
        "rtl        skipped, because power10-bf16 lists its steps, and there is no module or instruction for lists";
    assert!(run.stdout.contains(skipped), "{}", run.stdout);
    assert_eq!(run.code, 2, "nothing was compared");
}
