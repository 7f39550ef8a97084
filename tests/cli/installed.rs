//! An installed program: `bin/tensorsmith`, and beside it `share/tensorsmith` with recordings and netlists.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::program::{Folder, Run};
use crate::support;

const VERSION: &str = "prefix/share/tensorsmith/netlists/yosys-version.txt";
const RECORDINGS: &str = "prefix/share/tensorsmith/recordings/V100/fp16";

/// Installs the program, with the small recording of the fixture.
fn install() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("prefix/bin")).expect("there is room");
    support::copy_program(Path::new(env!("CARGO_BIN_EXE_tensorsmith")), &folder.path("prefix/bin/tensorsmith"));
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fixture/V100/fp16");
    for entry in std::fs::read_dir(fixture).expect("the fixture is there").flatten() {
        let name = entry.file_name().into_string().expect("a plain name");
        folder.write(&format!("{RECORDINGS}/{name}"), std::fs::read(entry.path()).expect("it can be read"));
    }
    folder
}

/// The installed program, where no other program is.
fn run(folder: &Folder, arguments: &[&str]) -> Run {
    let mut command = Command::new(folder.path("prefix/bin/tensorsmith"));
    command.args(arguments).current_dir(folder.path(".")).env("PATH", "/nonexistent").env_remove("VERILATOR");
    let output = command.env("TENSORSMITH_CACHE", folder.path("empty")).output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    let code = output.status.code().expect("it ends by itself");
    Run { code, stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Puts the netlists of these units, which Yosys makes, beside the program; false where there is no Yosys.
fn install_netlists(folder: &mut Folder, units: &[&str]) -> bool {
    if support::needs_yosys("yosys").is_none() {
        return false;
    }
    folder.set("TENSORSMITH_CACHE", "cache");
    folder.succeed(&[&["cosim", "--engines", "emulator,netlist", "--vectors", "100"], units].concat());
    for netlist in netlists(folder, "cache") {
        let name = netlist.file_name().and_then(|name| name.to_str()).expect("a plain name");
        let content = std::fs::read(&netlist).expect("it can be read");
        folder.write(&format!("prefix/share/tensorsmith/netlists/{name}"), content);
    }
    let said = Command::new("yosys").arg("-V").output().expect("it starts");
    folder.write(VERSION, said.stdout);
    true
}

fn netlists(folder: &Folder, place: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.path(place)).expect("it is there").flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|ending| ending == "netlist")).collect()
}

/// What the engine netlist says of a comparison that it may miss.
fn netlist_says(folder: &Folder) -> String {
    let arguments =
        ["cosim", "tiny-nearest", "--engines", "emulator,reference,netlist", "--vectors", "1000", "--allow-missing"];
    let run = run(folder, &arguments);
    assert_eq!(run.code, 0, "{run:?}");
    let line = run.stdout.lines().find(|line| line.starts_with("  netlist ")).expect("a line of the engine");
    line.to_owned()
}

/// Netlists beside the program answer where there is no Yosys, and only those that are whole, of these files, and nobody else's.
#[cfg(unix)]
#[test]
fn netlists_beside_the_program() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;
    let mut folder = install();
    const MISSING: &str = "skipped, because yosys is not on PATH";
    assert!(netlist_says(&folder).contains(MISSING));
    if !install_netlists(&mut folder, &["tiny-nearest"]) {
        return;
    }
    let answered = || netlist_says(&folder).contains("ran 1,000 vectors");
    assert!(answered() && netlist_says(&folder).contains("Yosys"), "{}", netlist_says(&folder));
    let place = netlists(&folder, "prefix/share/tensorsmith/netlists").pop().expect("there is one");
    let mode = |mode| set_permissions(&place, Permissions::from_mode(mode)).expect("it is ours");
    mode(0o666);
    assert!(!answered(), "others can write it");
    mode(0o644);
    assert!(answered());
    let whole = std::fs::read(&place).expect("it can be read");
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    std::fs::write(&place, damaged).expect("it is ours");
    assert!(netlist_says(&folder).contains(MISSING), "it is damaged");
    std::fs::write(&place, &whole).expect("it is ours");
    assert!(answered());
    folder.write(VERSION, "Yosys 0.0 of somebody else\n");
    assert!(netlist_says(&folder).contains(MISSING), "another Yosys made it");
}

/// The demonstration compares, and fails where an answer differs. In the long tier it has a netlist, which takes Yosys a while.
#[test]
fn demonstration() {
    let mut folder = install();
    let has_netlist = support::long_tier() && install_netlists(&mut folder, &["volta-fp16-fp32"]);
    let shown = run(&folder, &["demo", "--vectors", "500"]);
    assert_eq!(shown.code, 0, "{shown:?}");
    let mut parts = vec![
        "emulator: ran 400 recorded rows, 0 mismatches",
        "9,000 vectors compared, 0 mismatches, seed 1",
        "500 vectors compared, 0 mismatches, seed 1",
        "| alignment.fraction_bits      | 23 ",
    ];
    parts.extend(has_netlist.then_some(" netlist | mismatches |"));
    for part in parts {
        assert!(shown.stdout.contains(part), "{part}: {}", shown.stdout);
    }
    assert!(!shown.stdout.contains("  netlist    skipped") || !has_netlist, "{}", shown.stdout);
    let answers = format!("{RECORDINGS}/d_V100_fp32.txt");
    let text = folder.read(&answers);
    let first = text.split_whitespace().next().expect("there are answers").to_owned();
    let last = first.chars().last().expect("no answer is empty");
    let other = format!("{}{}", &first[..first.len() - 1], if last == '0' { '1' } else { '0' });
    folder.write(&answers, text.replacen(&first, &other, 1));
    let shown = run(&folder, &["demo", "--vectors", "500"]);
    assert_eq!(shown.code, 1, "{shown:?}");
    assert!(shown.stdout.contains("emulator: ran 400 recorded rows, 1 mismatch"), "{shown:?}");
}
