//! Area and delay of a core in the cells of a Liberty file, as Yosys and ABC map it.

use std::path::Path;
use std::time::Instant;

use serde::Serialize;
use thiserror::Error;

use super::core::Core;
use super::{SynthesisError, run, written};
use crate::describe::file::bytes_of;
use crate::describe::text::Foreign;
use crate::describe::unit::{Target, Unit};
use crate::emit::SourceFile;
use crate::emit::tile::Tile;

/// The name of the Liberty file where Yosys runs.
const CELLS: &str = "cells.lib";

/// The file that ABC's report goes to.
const REPORT: &str = "report.txt";

/// ABC's script for a short delay. Commas stand for blanks.
const FOR_DELAY: &str = "+strash;ifraig;scorr;dc2;dch,-f;map,-B,0.9;topo;buffer,-c;topo;upsize;dnsize;stime,-p";
/// ABC's script for a small area.
const FOR_AREA: &str = "+strash;ifraig;scorr;dc2;dch,-f;amap;stime,-p";

/// A library of cells in Liberty format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Liberty {
    /// The file, as it is shown.
    file: String,
    text: String,
}

/// Why a file is no library.
#[derive(Debug, Error)]
pub enum LibertyError {
    #[error("{file}: cannot be read: {source}")]
    Read { file: String, source: std::io::Error },
    #[error("{file}: is no Liberty file: it does not begin with library (NAME)")]
    Form { file: String },
}

impl Liberty {
    /// Reads a file. Only its beginning is looked at here; ABC reads the cells.
    ///
    /// # Errors
    /// It cannot be read, or does not begin as a Liberty file does.
    pub fn read(path: &Path) -> Result<Liberty, LibertyError> {
        let file = path.shown();
        let bytes = bytes_of(path).map_err(|source| LibertyError::Read { file: file.clone(), source })?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if begins_a_library(&text) { Ok(Liberty { file, text }) } else { Err(LibertyError::Form { file }) }
    }

    /// The file, as it is shown.
    pub fn file(&self) -> &str {
        &self.file
    }
}

/// Whether `library (` is the first that stands behind comments.
fn begins_a_library(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        let end = match rest.get(..2) {
            Some("/*") => "*/",
            Some("//") => "\n",
            _ => return rest.strip_prefix("library").is_some_and(|rest| rest.trim_start().starts_with('(')),
        };
        let Some((_, behind)) = rest[2..].split_once(end) else { return false };
        rest = behind.trim_start();
    }
}

/// What the cells of a mapped core come to. No wires; of a unit with registers inside the logic between them, of a tile its registers
/// too.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AreaAndDelay {
    /// In the library's unit of area.
    pub area: f64,
    /// Of the longest path, in picoseconds.
    pub delay_ps: f64,
}

/// A core mapped twice.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Asic {
    /// Mapped for a short delay.
    pub for_delay: AreaAndDelay,
    /// Mapped for a small area.
    pub for_area: AreaAndDelay,
    /// Wall time of both.
    pub seconds: f64,
}

/// Maps the core of a unit to the cells of a library: for a short delay the one that is made for standard cells, for a small area
/// the one with plain additions, where a unit has both.
///
/// # Errors
/// The core cannot be emitted, Yosys does not take it, or ABC cannot map it to these cells.
pub fn map_to_cells(unit: &Unit, library: &Liberty) -> Result<Asic, SynthesisError> {
    let start = Instant::now();
    let for_delay = mapped(&for_cells(unit), library, FOR_DELAY)?;
    let for_area = mapped(&unit.with_target(Target::default()), library, FOR_AREA)?;
    Ok(Asic { for_delay, for_area, seconds: start.elapsed().as_secs_f64() })
}

/// The unit as it is made for standard cells.
fn for_cells(unit: &Unit) -> Unit {
    let target = if Target::is_chosen_in(unit.scheme) { Target::Asic } else { Target::default() };
    unit.with_target(target)
}

fn refused(core: &Core, library: &Liberty, said: String) -> SynthesisError {
    SynthesisError::Cells { library: library.file.clone(), name: core.name.clone(), said }
}

/// Maps a tile for a short delay, its units once each. The area has its registers; the delay is that of the longest path between
/// registers within a unit, or within the rest.
///
/// # Errors
/// As above.
pub fn map_tile_to_cells(tile: &Tile, library: &Liberty) -> Result<AreaAndDelay, SynthesisError> {
    let instruction = tile.instruction.with_units(for_cells);
    let core = Core::of_tile(&Tile { instruction, ..tile.clone() })?;
    let synthesis = format!("synth -noshare -flatten -top {}\ndfflibmap -liberty {CELLS}\n", core.module);
    let text = reported(&core, library, &synthesis, FOR_DELAY)?;
    let missing = || refused(&core, library, format!("no area and delay in what ABC and Yosys say:\n{text}"));
    // ABC reports each module, Yosys the whole.
    let delays = text.lines().filter_map(area_and_delay).map(|found| found.delay_ps);
    let delay_ps = delays.reduce(f64::max).ok_or_else(missing)?;
    let area = text.lines().rev().find_map(chip_area).ok_or_else(missing)?;
    Ok(AreaAndDelay { area, delay_ps })
}

/// What Yosys' `stat` says: `Chip area for top module '\tile': 1824713.000000`.
fn chip_area(line: &str) -> Option<f64> {
    line.split_once("Chip area for top module")?.1.rsplit(' ').next()?.parse().ok()
}

fn mapped(unit: &Unit, library: &Liberty, steps: &str) -> Result<AreaAndDelay, SynthesisError> {
    let core = Core::of_unit(unit)?;
    let text = reported(&core, library, &format!("synth -noshare -flatten -top {}\n", core.module), steps)?;
    area_and_delay(&text).ok_or_else(|| refused(&core, library, format!("no area and delay in what ABC says:\n{text}")))
}

/// What ABC says when it maps a core to the cells of a library, and Yosys of their area.
fn reported(core: &Core, library: &Liberty, synthesis: &str, steps: &str) -> Result<String, SynthesisError> {
    let script = format!(
        "{}{synthesis}tee -q -o {REPORT} abc -liberty {CELLS} -script {steps}\ntee -q -a {REPORT} stat -liberty {CELLS}\n",
        core.reading(&[])
    );
    let cells = SourceFile { name: CELLS.to_owned(), text: library.text.clone() };
    let finished = run(core, &[cells], &script).map_err(|error| match error {
        SynthesisError::Failed { said, .. } => refused(core, library, said),
        other => other,
    })?;
    written(core, &finished, REPORT)
}

/// What ABC's `stime` says: `Area = 12432.00 ( 96.5 %)   Delay = 5229.74 ps`.
fn area_and_delay(text: &str) -> Option<AreaAndDelay> {
    let line = text.lines().rfind(|line| line.contains("Area =") && line.contains("Delay ="))?;
    let number = |mark: &str| {
        let (_, behind) = line.split_once(mark)?;
        behind.split_whitespace().next()?.parse::<f64>().ok().filter(|number| number.is_finite())
    };
    Some(AreaAndDelay { area: number("Area =")?, delay_ps: number("Delay =")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_of_liberty_files() {
        for text in ["library (x) {", "/* a\n * b */\n// c\n\n library(\"x\") {", "//\nlibrary\n(x)"] {
            assert!(begins_a_library(text), "{text:?}");
        }
        for text in ["", "/* library (x)", "// library (x)", "module library (x)", "library", "é library (x)", "/"] {
            assert!(!begins_a_library(text), "{text:?}");
        }
    }

    #[test]
    fn figures_in_what_abc_says() {
        let line = "ABC: WireLoad = \"none\"  Gates =    457 ( 17.1 %)   Cap = 32.7 ff (  1.1 %)   Area =    12432.00 ( 96.5 %)   \
                    Delay =  5229.74 ps  ( 23.9 %)";
        let text = format!("ABC: + stime -p \n{line}\nABC: Path  0 --  1 : 0 3 pi\n");
        assert_eq!(area_and_delay(&text), Some(AreaAndDelay { area: 12432.0, delay_ps: 5229.74 }));
        assert_eq!(area_and_delay("ABC: Mapping has failed."), None);
        assert_eq!(area_and_delay("Area = nan  Delay = 1 ps"), None);
        assert_eq!(chip_area("   Chip area for top module '\\tile': 1824713.500000"), Some(1_824_713.5));
        assert_eq!(chip_area("   Chip area for module '\\tile': 1.0"), None);
    }
}
