//! Emitted tiles: nothing for Verilator to complain of, and their test passes, fails with its planted fault, and fails where a tile is
//! wrong.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use tensorsmith::check::golden;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::Format;
use tensorsmith::describe::instruction::{Instruction, Shape};
use tensorsmith::describe::unit::{Formats, Unit};
use tensorsmith::emit;
use tensorsmith::emit::tile::{Size, Tile};

use super::{small, support, tile};

/// Along K; with widened operands and an addition at the end; without registers; with a name that ends as modules do; with sums that can
/// be no c; scaled.
fn tiles() -> Vec<Tile> {
    let size = Size { rows: 2, columns: 3 };
    let alone = |name: &str| Instruction::alone(catalogue::unit(name).expect("a unit of the catalogue"));
    let plain = small(false);
    let named = Instruction { name: "my-tile".to_owned(), ..plain.clone() };
    let tiny = alone("tiny-nearest").unit;
    let narrow = Formats { c: Format::named("e2m1").expect("a format"), ..tiny.formats.clone() };
    let without_chain = Instruction::alone(Unit { name: "narrow".to_owned(), formats: narrow, ..tiny });
    let flat = Instruction { shape: Shape { k: 3 * plain.unit.products, ..plain.shape }, ..plain.clone() };
    let mut tiles: Vec<Tile> = [plain, small(true), named, without_chain, alone("tiny-scaled"), alone("tiny-then-add")]
        .iter()
        .map(|instruction| tile(instruction, size.rows, size.columns))
        .collect();
    tiles.extend([flat, small(true)].map(|instruction| Tile::new(&instruction, size).expect("a tile")));
    tiles
}

fn written(tile: &Tile) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let golden = golden::tile::golden(tile, 3, 4).expect("the emulator answers");
    emit::write(folder.path(), &tile.files(&golden).expect("rendered")).expect("written");
    folder
}

#[test]
fn verilator_finds_nothing_in_tiles() {
    let Some(tools) = support::needs_verilator("verilator") else { return };
    let tiles = tiles();
    support::in_parallel(&support::sampled(&tiles, 3), |tile| {
        let (folder, module) = (written(tile), tile.module_name());
        let mut command = Command::new(tools.verilator());
        command.current_dir(folder.path()).env("VERILATOR_ROOT", tools.verilator_root());
        command.args(["--lint-only", "-Wall", "-f", &format!("{module}.f"), "--top-module", &module]);
        let output = command.output().expect("verilator runs");
        assert!(output.status.success(), "{module}: {}", String::from_utf8_lossy(&output.stderr));
    });
    println!("verilator linted {} tiles", tiles.len());
}

/// The last line that the test prints in Icarus.
fn verdict(folder: &Path, module: &str, plus: &[&str]) -> String {
    support::compile_with_icarus(folder, module);
    let ran = Command::new("vvp").current_dir(folder).arg("test").args(plus).output().expect("vvp runs");
    String::from_utf8_lossy(&ran.stdout).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn emitted_tests_of_tiles_pass_and_see_faults() {
    let Some(()) = support::needs_icarus("icarus") else { return };
    let tiles = tiles();
    support::in_parallel(&support::sampled(&tiles, 3), |tile| {
        let (folder, module) = (written(tile), tile.module_name());
        let passed = verdict(folder.path(), &module, &[]);
        assert!(passed.starts_with("PASS "), "{module}: {passed}");
        let faulty = verdict(folder.path(), &module, &["+fault"]);
        assert!(faulty.starts_with("FAIL ") && faulty.contains(" 1 of "), "{module}: {faulty}");
    });
    // A ring that loses what is not taken.
    let (folder, module) = (written(&tiles[0]), tiles[0].module_name());
    let path = folder.path().join("tensorsmith_ring.sv");
    let text = std::fs::read_to_string(&path).expect("the ring");
    let wrong = text.replace("m_tready_i || !last", "1'b1");
    assert_ne!(wrong, text);
    std::fs::write(&path, wrong).expect("written");
    let failed = verdict(folder.path(), &module, &[]);
    assert!(failed.starts_with("FAIL "), "{failed}");
}
