//! slang and Verible find nothing in emitted text but what is listed here; planted slips they find.

use std::path::{Path, PathBuf};
use std::process::Command;

use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::{Cut, Unit};

use super::package::written;
use super::support;

/// slang's warnings: all of its groups for lint, but what comes with some widths of a module only, casts that are none and shifts
/// by all bits, which leave zero; and names inside a generate block that stand outside of it too.
const SLANG: [&str; 7] = [
    "-Wextra",
    "-Wpedantic",
    "-Wno-useless-cast",
    "-Wno-shift-count-overflow",
    "-Wno-shadow-value",
    "-Wno-shadow-hierarchy",
    "-Werror",
];
/// Verible's rules: its own set, but lines may be as long as they read well.
const VERIBLE: &str = "--rules=-line-length";

/// slang's driver as its Python package has it.
const DRIVER: &str = "
import sys
from pyslang.driver import Driver
driver = Driver()
driver.addStandardArgs()
read = driver.parseCommandLine(' '.join(['slang', *sys.argv[1:]])) and driver.processOptions() and driver.parseAllSources()
if not read:
    sys.exit(2)
compilation = driver.createCompilation()
driver.reportParseDiags()
driver.reportCompilation(compilation, False)
driver.runAnalysis(compilation)
sys.exit(0 if driver.reportDiagnostics(False) else 1)
";

/// A program of an environment that `./x setup` makes, or of that name on PATH.
fn program(environment: &str, name: &str) -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools").join(environment).join("bin").join(name);
    if own.is_file() { own } else { name.into() }
}

/// What a tool says of a folder's files, where it finds fault.
fn said(command: &mut Command, folder: &Path, files: &[String]) -> Option<String> {
    let output = command.current_dir(folder).args(files).output().expect("it starts");
    let said = [output.stdout, output.stderr].concat();
    (!output.status.success()).then(|| String::from_utf8_lossy(&said).into_owned())
}

fn slang() -> Option<impl Fn(&Path, &[String]) -> Option<String>> {
    let python = program("venv", "python3");
    let found = Command::new(&python).args(["-c", "import pyslang.driver"]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        support::skip("slang", "no Python has pyslang");
        return None;
    }
    Some(move |folder: &Path, files: &[String]| {
        said(Command::new(&python).args(["-c", DRIVER]).args(SLANG), folder, files)
    })
}

fn verible() -> Option<impl Fn(&Path, &[String]) -> Option<String>> {
    let linter = program("lint", "verible-verilog-lint");
    if Command::new(&linter).arg("--version").output().is_err() {
        support::skip("verible", "verible-verilog-lint is not on PATH");
        return None;
    }
    Some(move |folder: &Path, files: &[String]| said(Command::new(&linter).arg(VERIBLE), folder, files))
}

/// Units of every kind of emitted text, every third with registers.
fn units() -> Vec<Unit> {
    let kinds = support::one_unit_of_each_kind().into_iter().enumerate();
    let with_cuts = |(index, unit): (usize, Unit)| match Cut::best(unit.scheme, 2).filter(|_| index % 3 == 0) {
        Some(cuts) => unit.with_cuts(cuts),
        None => unit,
    };
    kinds.map(with_cuts).collect()
}

/// The sources of a box, in order.
fn listed(folder: &Path, unit: &Unit) -> Vec<String> {
    let list = std::fs::read_to_string(folder.join(format!("{}.f", unit.module_name()))).expect("a list of files");
    list.lines().filter(|line| line.ends_with(".sv")).map(str::to_owned).collect()
}

/// Plants a slip in a file of a box.
fn plant(folder: &Path, file: &str, [right, wrong]: [&str; 2]) {
    let path = folder.join(file);
    let text = std::fs::read_to_string(&path).expect("a file of the box");
    std::fs::write(path, support::first_replaced(&text, right, wrong)).expect("the folder is ours");
}

#[test]
fn slang_finds_nothing() {
    let Some(slang) = slang() else { return };
    let units = units();
    assert!(units.len() >= 8, "{}", units.len());
    support::in_parallel(&units, |unit| {
        let folder = written(unit);
        let found = slang(folder.path(), &listed(folder.path(), unit));
        assert!(found.is_none(), "{}: {}", unit.name, found.unwrap_or_default());
    });
    let volta = catalogue::unit("volta-fp16-fp32").expect("a unit of the catalogue");
    let folder = written(&volta);
    let files = listed(folder.path(), &volta);
    plant(folder.path(), "volta_fp16_fp32.sv", ["endmodule", "  wire [2:0] planted = 9'h1ff;\nendmodule"]);
    let found = slang(folder.path(), &files).expect("a constant that is cut");
    assert!(found.contains("volta_fp16_fp32.sv") && found.contains("9'"), "{found}");
}

#[test]
fn verible_finds_nothing() {
    let Some(verible) = verible() else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["rtl/lib", "rtl/tile", "rtl/board"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("a folder of the tree").flatten();
        let names =
            entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| name.ends_with(".sv"));
        files.extend(names.map(|name| format!("{folder}/{name}")));
    }
    assert!(files.len() >= 40, "{}", files.len());
    let found = verible(root, &files);
    assert!(found.is_none(), "{}", found.unwrap_or_default());
    support::in_parallel(&units(), |unit| {
        let folder = written(unit);
        let found = verible(folder.path(), &listed(folder.path(), unit));
        assert!(found.is_none(), "{}: {}", unit.name, found.unwrap_or_default());
    });
    let volta = catalogue::unit("volta-fp16-fp32").expect("a unit of the catalogue");
    let folder = written(&volta);
    plant(folder.path(), "volta_fp16_fp32.sv", ["endmodule", "  always @(*) begin end\nendmodule"]);
    let found = verible(folder.path(), &listed(folder.path(), &volta));
    assert!(found.is_some_and(|found| found.contains("always-comb")), "a block without a kind");
}
