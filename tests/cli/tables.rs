//! Tables in a terminal of 80 columns: no line is longer, what is left out is named, and `--wide` shows it.

use super::program::{Folder, SOFTWARE};

/// What the program prints in so many columns.
fn printed(folder: &Folder, columns: &str, arguments: &[&str]) -> String {
    let output = folder.command(arguments).env("COLUMNS", columns).output().expect("the program starts");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("the program writes UTF-8")
}

fn longest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

#[test]
fn tables_fit_eighty_columns() {
    let folder = Folder::new();
    for arguments in [
        &["units"][..],
        &["instructions"],
        &["devices"],
        &["devices", "H100"],
        &["probes"],
        &["show", "hopper-fp16-fp32"],
    ] {
        let text = printed(&folder, "80", arguments);
        let tables: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert!(tables.len() > 5, "{arguments:?}: {text}");
        assert!(longest(&tables.join("\n")) <= 80, "{arguments:?}: {text}");
    }
    for arguments in ["units", "instructions", "devices"] {
        let text = printed(&folder, "80", &[arguments]);
        assert!(text.contains("not shown: ") && text.contains("--wide") && longest(&text) <= 80, "{text}");
        let wide = printed(&folder, "80", &[arguments, "--wide"]);
        assert!(!wide.contains("not shown: ") && longest(&wide) > 100, "{wide}");
        assert_eq!(folder.succeed(&[arguments]).stdout, wide, "a pipe has room for all");
    }
}

#[test]
fn comparisons_of_many_engines_keep_what_came_of_them() {
    let folder = Folder::new();
    let arguments = ["cosim", "tiny-fma", "tiny-nearest", "--vectors", "500", "--engines", SOFTWARE];
    let text = printed(&folder, "50", &arguments);
    let heading = text.lines().find(|line| line.starts_with("| unit")).expect("a table");
    assert!(heading.contains("mismatches") && !heading.contains("stimulus"), "{text}");
    assert!(text.contains("not shown: stimulus, emulator, reference"), "{text}");
}
