//! The modules of the library with other parameters, given as users give them: Verilator's `-G`, Icarus' `-P`, Yosys'
//! `chparam`. Each answers as the emulator of the unit of those parameters.

use std::process::Command;
use std::sync::Mutex;

use tempfile::TempDir;
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::plan::Plan;
use tensorsmith::describe::unit::{Family, Target, Unit};
use tensorsmith::emit::{LEAVES, instance};
use tensorsmith::engine::{Batch, Emulator, Engine};

use super::support;
use super::support::random_unit;

const VECTORS: usize = 200;

/// Operands of more bits than these take longer than they are worth; in the ordinary tier two units with the narrowest sums of 24.
fn units() -> Vec<Unit> {
    let narrow = |unit: &Unit| unit.input_bits() <= 100 && unit.has_addend() && unit.scheme.family() != Family::Steps;
    // Every second one is made for standard cells, where it can be.
    let target = |(index, unit): (usize, Unit)| match index % 2 == 1 && Target::is_chosen_in(unit.scheme) {
        true => unit.with_target(Target::Asic),
        false => unit,
    };
    let mut units: Vec<Unit> =
        random_unit::units().filter(narrow).take(if support::long_tier() { 300 } else { 24 }).collect();
    if !support::long_tier() {
        units.sort_by_key(|unit| (Plan::of(unit).word_bits(), unit.input_bits()));
        units.truncate(2);
    }
    units.into_iter().enumerate().map(target).collect()
}

/// Shaped vectors and what the emulator answers to them.
fn vectors(unit: &Unit) -> (Batch, Vec<u64>) {
    let (mut batch, mut expected) = (Batch::of_unit(unit), Vec::new());
    Stimulus::shaped(unit, 11).fill(0, VECTORS, &mut batch);
    Emulator::new(unit).run(&batch, &mut expected).expect("the emulator answers");
    (batch, expected)
}

/// Operands of a vector in binary, the first element of each last.
fn line(unit: &Unit, batch: &Batch, vector: usize) -> String {
    let of = |values: &[u64], width: u32| -> String {
        let count = values.len() / batch.len();
        let own = &values[vector * count..][..count];
        own.iter().rev().map(|value| format!("{value:0width$b}", width = width as usize)).collect()
    };
    let formats = &unit.formats;
    let mut words = vec![of(&batch.a, formats.a.width()), of(&batch.b, formats.b.width())];
    if let Some(scales) = &unit.scales {
        words.extend([of(&batch.scale_a, scales.a.width()), of(&batch.scale_b, scales.b.width())]);
    }
    words.push(of(&batch.c, formats.c.width()));
    words.join(" ")
}

/// A parameter as Yosys takes it: no sign stands before a number.
pub(super) fn chparam(name: &str, value: &str) -> String {
    match value.parse::<i32>() {
        Ok(number) if number < 0 => format!(" -chparam {name} 32'sh{number:x}"),
        _ => format!(" -chparam {name} {value}"),
    }
}

/// What Icarus answers; with Yosys, of what that has made of the files.
fn simulated(unit: &Unit, batch: &Batch, with_yosys: bool) -> Result<Vec<u64>, String> {
    let folder = TempDir::new().expect("a folder");
    for (name, text) in LEAVES {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let top = instance::top(unit.scheme).expect("it has parameters");
    let bench = include_str!("overridden_bench.sv");
    std::fs::write(folder.path().join("overridden_bench.sv"), bench).expect("written");
    let lines: Vec<String> = (0..batch.len()).map(|vector| line(unit, batch, vector)).collect();
    std::fs::write(folder.path().join("vectors.txt"), lines.join("\n") + "\n").expect("written");
    let run = |command: &mut Command| {
        let output = command.current_dir(folder.path()).output().expect("the tool is there");
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        if output.status.success() { Ok(said[0].clone()) } else { Err(said.concat()) }
    };
    let mut compile = Command::new("iverilog");
    compile.args(["-g2012", "-s", "overridden_bench", "-s", top, "-o", "bench.vvp"]);
    compile.arg(format!("-DTOP={top}"));
    let formats = &unit.formats;
    let mut bits = vec![("A", unit.products * formats.a.width()), ("B", unit.products * formats.b.width())];
    if let Some(scales) = &unit.scales {
        bits.push(("SCALE_A", unit.scale_count() * scales.a.width()));
        bits.push(("SCALE_B", unit.scale_count() * scales.b.width()));
    }
    bits.push(("C", formats.c.width()));
    compile.args(bits.iter().map(|(name, bits)| format!("-D{name}_BITS={bits}")));
    compile.args(unit.conversion.flags.then_some("-DFLAGS"));
    if with_yosys {
        let given: String = instance::overrides(unit).iter().map(|(name, value)| chparam(name, value)).collect();
        let read: String = LEAVES.iter().map(|(name, _)| format!(" {name}")).collect();
        let script = format!(
            "read_verilog -sv{read}; hierarchy -check -top {top}{given}; proc; flatten; rename -top {top}; write_verilog -noattr netlist.v"
        );
        run(Command::new("yosys").args(["-q", "-p", &script]))?;
        compile.arg("netlist.v");
    } else {
        compile.args(instance::overrides(unit).iter().map(|(name, value)| format!("-P{top}.{name}={value}")));
        compile.args(LEAVES.iter().map(|(name, _)| name));
    }
    run(compile.arg("overridden_bench.sv"))?;
    let said = run(Command::new("vvp").arg("bench.vvp"))?;
    said.lines().map(|answer| u64::from_str_radix(answer, 16).map_err(|error| format!("{answer}: {error}"))).collect()
}

/// Every tool that is there answers as the emulator.
fn assert_alike(units: &[Unit], tool: &str, answers: impl Fn(&Unit, &Batch) -> Result<Vec<u64>, String> + Sync) {
    let compared = Mutex::new(0);
    support::in_parallel(units, |unit| {
        let (batch, expected) = vectors(unit);
        let found = answers(unit, &batch).unwrap_or_else(|error| panic!("{tool}: {error}: {unit:?}"));
        assert_eq!(found, expected, "{tool}: {unit:?}");
        *compared.lock().expect("no check failed") += expected.len();
    });
    println!(
        "{tool}: {} overrides, {} vectors, 0 mismatches",
        units.len(),
        compared.into_inner().expect("no check failed")
    );
}

#[test]
fn overrides_emulator_icarus_random_units() {
    let Some(()) = support::needs_icarus("icarus") else { return };
    assert_alike(&units(), "iverilog -P", |unit, batch| simulated(unit, batch, false));
}

#[test]
fn overrides_emulator_yosys_random_units() {
    let Some(()) = support::needs_icarus("icarus") else { return };
    let Some(()) = support::needs_yosys("yosys") else { return };
    assert_alike(&units(), "yosys chparam", |unit, batch| simulated(unit, batch, true));
}

#[cfg(feature = "rtl")]
#[test]
fn overrides_emulator_verilator_random_units() {
    use tensorsmith::engine::Opened;
    use tensorsmith::engine::rtl::Rtl;
    let Some(_) = support::needs_verilator("verilator") else { return };
    assert_alike(&units(), "verilator -G", |unit, batch| {
        let opened = Rtl::overridden(unit).map_err(|error| error.to_string())?;
        let Opened::Ready(mut engine) = opened else { return Err("no Verilator".to_owned()) };
        let mut results = Vec::new();
        engine.run(batch, &mut results).map_err(|error| error.to_string())?;
        Ok(results)
    });
}
