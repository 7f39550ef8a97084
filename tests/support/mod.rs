//! What the test files share: skips that are counted, and the recordings' folder.

#![allow(dead_code, reason = "every test file uses a part")]

#[cfg(target_os = "linux")]
pub mod c_library;
pub mod five_devices;
pub mod junit;
pub mod library;
pub mod made_up;
pub mod odd_units;
pub mod qemu;
pub mod random_unit;
pub mod seal;
#[path = "../../src/numerics/skip.rs"]
mod skip;
pub mod strategies;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tensorsmith::describe::catalogue;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::{Cut, Unit};
use tensorsmith::engine::{Engine, Kind, Opened};

pub use skip::skip;

/// The engine that a check opened; where there is none, the check is skipped.
pub fn ready(check: &str, kind: Kind, opened: Opened) -> Option<Box<dyn Engine>> {
    match opened {
        Opened::Ready(engine) => Some(engine),
        Opened::Absent(reason) => {
            skip(&format!("{check}-{}", kind.name()), &reason);
            None
        }
    }
}

/// The public recordings, if `TENSORSMITH_RECORDINGS` names them.
pub fn recordings() -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("TENSORSMITH_RECORDINGS").filter(|name| !name.is_empty())?);
    assert!(folder.is_dir(), "TENSORSMITH_RECORDINGS names {}, which is no folder", folder.display());
    Some(folder)
}

/// A unit of the catalogue.
pub fn unit(name: &str) -> Unit {
    catalogue::unit(name).unwrap_or_else(|| panic!("{name} is no unit of the catalogue"))
}

/// An instruction of the catalogue.
pub fn instruction(name: &str) -> Instruction {
    catalogue::instruction(name).unwrap_or_else(|| panic!("{name} is no instruction of the catalogue"))
}

/// A unit or an instruction of the catalogue.
pub fn subject(name: &str) -> Subject {
    Subject::named(name).unwrap_or_else(|| panic!("{name} is neither a unit nor an instruction of the catalogue"))
}

/// Whether the long tier of tests was asked for.
pub fn long_tier() -> bool {
    std::env::var_os("TENSORSMITH_LONG_TESTS").is_some_and(|value| value == "1")
}

/// How many vectors the tier runs where `whole` is the number in full: all of them in the long tier, else a quarter.
pub fn vectors(whole: u64) -> u64 {
    if long_tier() { whole } else { whole / 4 }
}

/// The members of an entry that the tier runs: all of them in the long one, else the first. Members of a family differ in
/// their operand formats only.
pub fn members(entry: &str) -> Vec<String> {
    let of_entry = |entry| catalogue::unit_members(entry).or_else(|| catalogue::instruction_members(entry));
    let mut members = of_entry(entry).expect("an entry of the catalogue");
    if !long_tier() {
        members.truncate(1);
    }
    members
}

/// Whether the tier asks the RTL of these units: in the long one always, else where all of them are linked into the program, or the
/// first of their kind.
pub fn simulates<U: std::borrow::Borrow<Unit>>(units: &[U]) -> bool {
    static KINDS: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
    let name = |unit: &Unit| unit.name.clone();
    let kinds = KINDS.get_or_init(|| one_unit_of_each_kind().iter().map(name).collect());
    #[cfg(feature = "rtl")]
    let linked = tensorsmith::engine::rtl::Model::linked_modules();
    #[cfg(not(feature = "rtl"))]
    let linked: [String; 0] = [];
    let is_asked = |unit: &Unit| linked.contains(&unit.module_name()) || kinds.contains(&unit.name);
    long_tier() || units.iter().all(|unit| is_asked(unit.borrow()))
}

/// The text with one part of it replaced, which stands in it once.
pub fn replaced(text: &str, from: &str, to: &str) -> String {
    assert_eq!(text.matches(from).count(), 1, "{from:?} stands once in the text");
    text.replace(from, to)
}

/// The text with one part of it replaced, where it stands first.
pub fn first_replaced(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from:?} stands in the text");
    text.replacen(from, to, 1)
}

/// A folder with blanks and letters beside ASCII in its name.
pub fn odd_folder() -> tempfile::TempDir {
    tempfile::Builder::new().prefix("a b ünï ").tempdir().expect("a folder")
}

/// Copies a program that is to be started from its new place. Another process writes it: while one of ours has it open for
/// writing, a program that another thread starts has it open too, for a moment, and nothing can start the copy.
pub fn copy_program(from: &Path, to: &Path) {
    let status = Command::new("cp").arg(from).arg(to).status().expect("cp starts");
    assert!(status.success(), "{} was not copied to {}", from.display(), to.display());
}

/// Whether a program answers on PATH.
pub fn has_program(name: &str, argument: &str) -> bool {
    std::process::Command::new(name).arg(argument).output().is_ok()
}

/// What was looked for; where it was not found, the check is skipped for that reason.
pub fn needed<T>(check: &str, found: Result<T, impl std::fmt::Display>) -> Option<T> {
    found.map_err(|reason| skip(check, reason)).ok()
}

/// A program on PATH, which answers to the argument.
pub fn needs_program(check: &str, name: &str, argument: &str) -> Option<()> {
    needed(check, has_program(name, argument).then_some(()).ok_or_else(|| format!("{name} is not on PATH")))
}

pub fn needs_icarus(check: &str) -> Option<()> {
    needs_program(check, "iverilog", "-V")
}

/// Compiles the emitted test of a module, `test`, with the files of its list.
pub fn compile_with_icarus(folder: &Path, module: &str) {
    let (list, test) = (format!("{module}.f"), format!("{module}_test"));
    let mut compile = Command::new("iverilog");
    compile.current_dir(folder).args(["-g2012", "-Wall", "-Wno-timescale", "-f", &list, "-s", &test, "-o", "test"]);
    let compiled = compile.arg(format!("{test}.sv")).output().expect("iverilog runs");
    assert!(compiled.status.success(), "{module}: {}", String::from_utf8_lossy(&compiled.stderr));
}

/// Yosys on PATH, whatever the variable `YOSYS` names.
pub fn needs_yosys(check: &str) -> Option<()> {
    needs_program(check, "yosys", "-V")
}

#[cfg(feature = "rtl")]
pub fn needs_verilator(check: &str) -> Option<tensorsmith::engine::rtl::Tools> {
    needed(check, tensorsmith::engine::rtl::tools().map_err(|_| "no Verilator"))
}

/// The units of the catalogue; of a family, whose members differ in their operand formats only, the first.
pub fn one_unit_of_each_entry() -> Vec<Unit> {
    let first = |entry| catalogue::unit_members(entry).and_then(|members| catalogue::unit(members.first()?));
    catalogue::unit_entries().into_iter().map(|entry| first(entry).expect("an entry has members")).collect()
}

/// One unit of each kind of emitted text, for checks that take long: of those of the same scheme and the same ports the one with
/// the narrowest inputs. In the long tier one unit of each entry.
pub fn one_unit_of_each_kind() -> Vec<Unit> {
    let mut units = one_unit_of_each_entry();
    if !long_tier() {
        let kind = |unit: &Unit| (unit.scheme, unit.has_addend(), unit.scales.is_some(), unit.conversion.flags);
        units.sort_by_key(Unit::input_bits);
        let all = std::mem::take(&mut units);
        for unit in all {
            if !units.iter().any(|taken| kind(taken) == kind(&unit)) {
                units.push(unit);
            }
        }
    }
    units
}

/// One unit of each kind, and each with registers in all places.
pub fn without_and_with_registers() -> Vec<Unit> {
    let kinds = one_unit_of_each_kind();
    let all = |unit: &Unit| unit.with_cuts(Cut::places(unit.scheme).iter().copied());
    kinds.iter().cloned().chain(kinds.iter().map(all)).collect()
}

/// All items in the long tier; in the short one every so many, the first among them.
pub fn sampled<T>(items: &[T], every: usize) -> Vec<&T> {
    items.iter().step_by(if long_tier() { 1 } else { every }).collect()
}

/// Calls `check` on every item, on as many threads as there are processors.
pub fn in_parallel<T: Sync>(items: &[T], check: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            check(item);
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    assert!(next.into_inner() >= items.len());
}
