//! `tensorsmith emit`: SystemVerilog of a unit, or of the whole catalogue.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::Args;

use super::output::{note, say};
use super::{Failure, Verdict, emit_kit, input};
use tensorsmith::check::golden;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::file::text_of;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::text::Foreign;
use tensorsmith::describe::unit::{Cut, Target, Unit};
use tensorsmith::emit::kit::{Held, with_registers};
use tensorsmith::emit::tile::{Size, Tile, pipelined};
use tensorsmith::emit::{self, SourceFile};

/// Golden vectors of the emitted test.
const VECTORS: usize = 1000;
/// The emitted test of a tile fills every slot so often.
const ROUNDS: usize = 8;

/// Write the SystemVerilog of a unit: core, wrappers, what they need of the library, a test with golden vectors, constraints,
/// manifests and a page about it
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith emit hopper-fp16-fp32 --out build/rtl\n  tensorsmith emit my-unit.toml --out build/rtl\n  tensorsmith emit volta-fp16-fp32 --pipeline 7 --out build/rtl\n  tensorsmith emit volta-fp16-fp32 --cuts input,anchor,aligned,result --out build/rtl\n  tensorsmith emit volta-fp16-fp32 --target asic --out build/rtl\n  tensorsmith emit volta-fp16-fp32 --kit ulx3s-85f --out build/ulx3s\n  tensorsmith emit volta-mma-m8n8k4-fp16-fp32 --kit ulx3s-85f --tile 2x2 --out build/tile-board\n  tensorsmith emit ampere-mma-m16n8k16-fp16-fp32 --tile 4x4 --out build/tile\n  tensorsmith emit --catalogue --out build/rtl"
)]
pub(super) struct Arguments {
    /// Name of a unit of the catalogue, or a unit file (.toml); with --tile or --kit also an instruction
    #[arg(required_unless_present = "catalogue")]
    unit: Option<String>,
    /// Write the modules of every unit of the catalogue, without the library
    #[arg(long, conflicts_with = "unit")]
    catalogue: bool,
    /// Put registers into the module, so many, at the places that measured clock rates speak for, in place of those of a unit file
    #[arg(long, value_name = "N", conflicts_with_all = ["catalogue", "cuts"], value_parser = input::number::<usize>(1..=10))]
    pipeline: Option<usize>,
    /// Put registers into the module, at these places; `none` for no registers
    #[arg(long, value_name = "PLACES", value_delimiter = ',', conflicts_with = "catalogue")]
    cuts: Option<Vec<String>>,
    /// Build the module for an FPGA, with plain additions for its carry chains, or for standard cells, with carry-save rows and
    /// a prefix network
    #[arg(long, conflicts_with = "catalogue", value_parser = target, value_name = "fpga|asic")]
    target: Option<Target>,
    /// Write also what simulators take that call C functions: a checker to bind to a design, a module with the emulator's answers,
    /// imports of libtensorsmith, a test
    #[arg(long, conflicts_with = "catalogue")]
    dpi: bool,
    #[command(flatten)]
    kit: emit_kit::Options,
    /// Write a tile, in place of the rest: a grid of so many units between two streams, which makes that many rows and columns of
    /// D = A B + C, step by step along K. Then UNIT may be an instruction. Units without registers get some. With --kit the tile
    /// goes on the board
    #[arg(long, value_name = "ROWSxCOLUMNS", conflicts_with_all = ["catalogue", "dpi"])]
    tile: Option<Size>,
    /// Folder to write to; created if need be
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// A target by its name.
fn target(name: &str) -> Result<Target, String> {
    let found = Target::ALL.into_iter().find(|target| target.name() == name);
    found.ok_or_else(|| "allowed: fpga, asic".to_owned())
}

impl Arguments {
    /// The unit as it was asked for.
    fn shaped(&self, unit: Unit) -> Result<Unit, Failure> {
        let unit = self.with_registers(unit)?;
        match self.target {
            Some(target) if target != Target::default() && !Target::is_chosen_in(unit.scheme) => {
                let scheme = unit.scheme.name();
                Err(Failure(format!("--target is {:?}; allowed for {scheme:?}: \"fpga\"", target.name())))
            }
            target => Ok(unit.with_target(target.unwrap_or(unit.build.target))),
        }
    }

    /// The unit with the registers that were asked for.
    fn with_registers(&self, unit: Unit) -> Result<Unit, Failure> {
        let (scheme, places) = (unit.scheme, Cut::listed(unit.scheme));
        if let Some(count) = self.pipeline {
            let unmeasured = || {
                let scheme = scheme.name();
                Failure(format!("--pipeline: no numbers were measured for {scheme:?}; --cuts takes places of {places}"))
            };
            return Ok(unit.with_cuts(Cut::best(scheme, count).ok_or_else(unmeasured)?));
        }
        let Some(names) = &self.cuts else { return Ok(unit) };
        let cut = |name: &String| {
            Cut::named(scheme, name)
                .ok_or_else(|| Failure(format!("--cuts has {name:?}; allowed for {:?}: {places}", scheme.name())))
        };
        let none = names.iter().all(|name| name == "none");
        let cuts = if none { BTreeSet::new() } else { names.iter().map(cut).collect::<Result<_, _>>()? };
        Ok(unit.with_cuts(cuts))
    }

    /// Whether it was said where registers are to be, or that there are none.
    fn asks_for_registers(&self) -> bool {
        self.pipeline.is_some() || self.cuts.is_some()
    }

    /// The tile that was asked for.
    fn tile(&self, name: &str, size: Size) -> Result<Tile, Failure> {
        let mut instruction = input::subject(name)?.instruction();
        instruction.unit = self.shaped(instruction.unit)?;
        if let Some(adder) = &mut instruction.final_addition {
            self.shape_adder(&instruction.unit, adder);
        }
        if !self.asks_for_registers() || !instruction.unit.build.cuts.is_empty() {
            instruction = pipelined(&instruction);
        }
        Tile::new(&instruction, size).map_err(|error| Failure(format!("no tile: {error}; allowed: others")))
    }

    /// The unit that adds at the end has registers where the instruction's unit has some, as far as it has these places, and is
    /// built for the same target.
    fn shape_adder(&self, unit: &Unit, adder: &mut Unit) {
        if self.asks_for_registers() {
            adder.build.cuts = unit.build.cuts.iter().filter_map(|cut| Cut::named(adder.scheme, cut.name())).collect();
        }
        if let Some(target) = self.target.filter(|_| Target::is_chosen_in(adder.scheme)) {
            adder.build.target = target;
        }
    }

    /// What a board is to hold: a unit, or a tile, of an instruction one of one element where no size was asked for.
    fn held(&self, name: &str) -> Result<Held, Failure> {
        let size = match (self.tile, input::subject(name)?.subject) {
            (None, Subject::Unit(unit)) => {
                let unit = self.shaped(unit)?;
                return Ok(if self.asks_for_registers() { unit } else { with_registers(unit) }.into());
            }
            (size, _) => size.unwrap_or(Size::ONE),
        };
        let held = Held::try_from(self.tile(name, size)?);
        held.map_err(|error| Failure(format!("--kit: {error}; allowed: smaller tiles, or a unit")))
    }

    fn write(&self, files: &[SourceFile]) -> Result<Verdict, Failure> {
        let folder = &self.out;
        let mut descriptions = files
            .iter()
            .map(|file| folder.join(&file.name))
            .filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
        descriptions.try_for_each(|path| check_replaced(&path))?;
        let replaced = replaced(folder, files);
        emit::write(folder, files)?;
        for (unit, names) in replaced {
            let whose = unit.map_or(String::new(), |unit| format!(" of unit {unit}"));
            note!("{}: replaced files{whose}: {}", folder.shown(), names.join(", "));
        }
        for file in files {
            say!("{}", folder.join(&file.name).shown());
        }
        Ok(Verdict::Agreed)
    }
}

/// Files in the folder that get another text, by the unit that their header names. A new version of a unit's own files is left out.
fn replaced<'files>(folder: &Path, files: &'files [SourceFile]) -> BTreeMap<Option<String>, Vec<&'files str>> {
    let is_description = |file: &&SourceFile| file.name.ends_with(".toml");
    let module = files.iter().find(is_description).map(|file| file.name.trim_end_matches("toml"));
    let is_own = |name: &str| module.is_some_and(|module| name.starts_with(module.trim_end_matches('.')));
    let mut replaced: BTreeMap<Option<String>, Vec<&str>> = BTreeMap::new();
    for SourceFile { name, text } in files {
        let Ok(old) = text_of(&folder.join(name)) else { continue };
        let unit = unit_in(&old);
        if old != *text && !is_own(name) && (unit.is_none() || unit != unit_in(text)) {
            replaced.entry(unit).or_default().push(name);
        }
    }
    replaced
}

/// The unit that the header of an emitted file names.
fn unit_in(text: &str) -> Option<String> {
    let first = text.lines().next()?.trim_start_matches(['#', '/', ' ']);
    let is_title = text.starts_with("# ") && !first.contains(' ');
    let command = || text.lines().take(10).find_map(|line| Some(line.split_once("tensorsmith emit ")?.1));
    let named = first.strip_prefix("Unit ").or(is_title.then_some(first)).or_else(command)?;
    let name = named.split(' ').next()?.trim_end_matches('.');
    (name != "UNIT-FILE").then(|| name.to_owned())
}

/// Fails where a unit file would be replaced that somebody wrote, with comments and an order of fields: what `emit` wrote reads as it
/// is written.
fn check_replaced(path: &Path) -> Result<(), Failure> {
    let Ok(text) = text_of(path) else { return Ok(()) };
    match Unit::from_toml(&path.shown(), &text) {
        Ok(unit) if unit.to_toml() != text => {
            let path = path.shown();
            Err(Failure(format!("--out: {path} is a unit file that was not emitted; allowed: a folder without it")))
        }
        _ => Ok(()),
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let mut files = Vec::new();
    match &arguments.unit {
        Some(name) => {
            if let Some(kit) = arguments.kit.files(|| arguments.held(name))? {
                return arguments.write(&kit);
            }
            if let Some(size) = arguments.tile {
                let tile = arguments.tile(name, size)?;
                return arguments.write(&tile.files(&golden::tile::golden(&tile, 1, ROUNDS)?)?);
            }
            let unit = arguments.shaped(input::unit(name)?)?;
            files.extend(emit::package(&unit, &golden::lines(&unit, 1, VECTORS)?)?);
            if arguments.dpi {
                let names = files.iter().map(|file| file.name.clone());
                let test = format!("{}_test.sv", unit.module_name());
                let design: Vec<String> = names.filter(|name| name.ends_with(".sv") && *name != test).collect();
                files.extend(emit::dpi(&unit, &design, VECTORS)?);
            }
        }
        None => {
            for unit in catalogue::units() {
                files.extend([emit::core(&unit)?, emit::registered(&unit)?]);
            }
        }
    }
    arguments.write(&files)
}
