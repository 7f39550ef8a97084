//! The emitted tile of an instruction, verilated: whole matrices through a grid of units, step by step along K.

use std::collections::BTreeMap;

use super::conversion::Conversion;
use super::rtl::library::Builder;
use super::rtl::model::{Model, ModelError, Schedule};
use super::{Absence, Batch, Engine, EngineError, Identity, Matrices, Opened};
use crate::describe::instruction::{Instruction, Start};
use crate::describe::unit::Unit;
use crate::emit::SourceFile;
use crate::emit::tile::{Size, Tile, pipelined};
use crate::verilate;

/// What stands before the size of a tile in the name of the engine.
pub const SCHEME: &str = "tile:";
/// Elements of D that the model is given at once, about.
const ELEMENTS: usize = 4096;
/// Verilator puts small modules alone into those that have them: its text is then a third as long, for a grid of units.
const INLINING: [&str; 2] = ["--inline-mult", "10"];
/// Clocks in 256 that offer no step, and in which a result is not taken.
const DISTURBED: u32 = 16;

fn failed(message: impl ToString) -> EngineError {
    EngineError { engine: "tile", message: message.to_string() }
}

/// A verilated tile.
pub struct Grid {
    name: &'static str,
    tile: Tile,
    version: String,
    model: Model,
    /// The places of K of each step.
    steps: Vec<Vec<usize>>,
    /// From a result to the next c; none where it cannot be one.
    chained: Option<Conversion>,
    /// Elements of D as the model takes them, tile after tile; kept for their room in memory.
    elements: Batch,
    results: Vec<u64>,
}

impl Grid {
    /// The tile whose size is in the name of an engine, `tile:ROWSxCOLUMNS`, for an instruction.
    ///
    /// # Errors
    /// Verilator is there but refuses the tile.
    pub fn open(name: &'static str, instruction: &Instruction) -> Result<Opened, EngineError> {
        let size: Size = name.trim_start_matches(SCHEME).parse().map_err(failed)?;
        let tile = match Tile::new(&pipelined(instruction), size) {
            Ok(tile) => tile,
            Err(error) => return Ok(Opened::Absent(Absence::Inapplicable(error.to_string()))),
        };
        let sources = tile.sources().map_err(failed)?;
        Ok(match Grid::of_sources(name, tile, &sources, driven())? {
            Ok(grid) => Opened::Ready(Box::new(grid)),
            Err(absence) => Opened::Absent(absence),
        })
    }

    /// The same of other sources than the tile's own, driven in a way of one's own.
    ///
    /// # Errors
    /// Verilator is there but refuses them.
    pub fn of_sources(
        name: &'static str,
        tile: Tile,
        sources: &[SourceFile],
        schedule: Schedule,
    ) -> Result<Result<Grid, Absence>, EngineError> {
        let builder = match Builder::shared() {
            Ok(builder) => builder,
            Err(error) => {
                return error.missing().map(|reason| Err(Absence::Missing(reason))).ok_or_else(|| failed(error));
            }
        };
        let library = builder.design_library(&request(&tile, sources)).map_err(failed)?;
        let mut model = Model::load(&library).map_err(failed)?;
        model.configure(&schedule).map_err(failed)?;
        let instruction = &tile.instruction;
        let steps = instruction.blocks();
        let count = steps.len() as u32;
        let interface = tile.step();
        Ok(Ok(Grid {
            name,
            version: format!("{} slots, {}", 1 << tile.slot_bits, builder.tools().summary()),
            model,
            chained: Conversion::new(instruction.d(), &instruction.c),
            elements: Batch::new(count * interface.products, count * interface.scale_count()),
            results: Vec::new(),
            steps,
            tile,
        }))
    }

    /// Puts one side of an element, its places of K in the order of the steps, among those of the model.
    fn put(&mut self, index: usize, side: Side, numbers: impl Fn(usize) -> u64, scales: impl Fn(usize) -> u64) {
        let (products, count) = (self.elements.products() as usize, self.elements.scales() as usize);
        let (own, own_scales) = match side {
            Side::Row => (&mut self.elements.a, &mut self.elements.scale_a),
            Side::Column => (&mut self.elements.b, &mut self.elements.scale_b),
        };
        let step = products / self.steps.len();
        let own = &mut own[index * products..][..products];
        for (own, places) in own.chunks_mut(step).zip(&self.steps) {
            own[places.len()..].fill(0);
            own.iter_mut().zip(places).for_each(|(own, &place)| *own = numbers(place));
        }
        let own = &mut own_scales[index * count..][..count];
        own.iter_mut().enumerate().for_each(|(place, own)| *own = scales(place));
    }

    fn answer(&mut self) -> Result<(), EngineError> {
        let Batch { a, b, scale_a, scale_b, c, .. } = &self.elements;
        self.results.resize(c.len(), 0);
        let ran = self.model.run_scaled(a, b, scale_a, scale_b, c, &mut self.results);
        ran.map_err(|error| match error {
            ModelError::Run { reason, .. } => failed(reason),
            error => failed(error),
        })
    }

    /// Answers some tiles of D, which stand at these rows and columns of it; `d` is C before, and stays within its bounds.
    fn multiply_tiles(
        &mut self,
        matrices: &Matrices,
        tiles: &[(usize, usize)],
        d: &mut [u64],
    ) -> Result<(), EngineError> {
        let Size { rows, columns } = self.tile.size;
        let (rows, columns, cells) = (rows as usize, columns as usize, self.tile.size.cells());
        let Matrices { m, n, k, .. } = *matrices;
        let own = self.tile.instruction.shape.k as usize;
        let scales = self.elements.scales() as usize;
        let all_scales = scales * (k / own);
        self.elements.resize(tiles.len() * cells);
        for first in 0..k / own {
            for (number, &(row, column)) in tiles.iter().enumerate() {
                let base = number * cells;
                // Beyond the end of D there is the last row, or column, once more.
                for line in 0..rows {
                    let from = (row + line).min(m - 1);
                    let numbers = |place| matrices.a[from * k + first * own + place];
                    let scale = |place| matrices.scale_a[from * all_scales + first * scales + place];
                    self.put(base + line * columns, Side::Row, numbers, scale);
                }
                for line in 0..columns {
                    let from = (column + line).min(n - 1);
                    let numbers = |place| matrices.b[(first * own + place) * n + from];
                    let scale = |place| matrices.scale_b[(first * scales + place) * n + from];
                    self.put(base + line, Side::Column, numbers, scale);
                }
                for cell in 0..cells {
                    let (row, column) = ((row + cell / columns).min(m - 1), (column + cell % columns).min(n - 1));
                    let before = d[row * n + column];
                    self.elements.c[base + cell] = match (&self.chained, first) {
                        (Some(chained), 1..) => chained.apply(before),
                        _ => before,
                    };
                }
            }
            self.answer()?;
            for (number, &(row, column)) in tiles.iter().enumerate() {
                for cell in 0..cells {
                    let (row, column) = (row + cell / columns, column + cell % columns);
                    if row < m && column < n {
                        d[row * n + column] = self.results[number * cells + cell];
                    }
                }
            }
        }
        Ok(())
    }
}

/// Rows of A or columns of B.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Row,
    Column,
}

/// With some gaps between steps, and some results that wait.
pub fn driven() -> Schedule {
    Schedule {
        seed: 1,
        phases: 0,
        rounds: 1,
        gaps: DISTURBED,
        stalls: DISTURBED,
        reset_after: 0,
        latency: 0,
        patience: 0,
        wave: String::new(),
    }
}

/// What Verilator and the compiler are given.
fn request(tile: &Tile, sources: &[SourceFile]) -> verilate::Design {
    let (instruction, interface) = (&tile.instruction, tile.step());
    let (formats, steps) = (&interface.formats, instruction.blocks().len() as u32);
    let (scale_a, scale_b) = match &interface.scales {
        Some(scales) => (scales.a.width(), scales.b.width()),
        None => (0, 0),
    };
    let texts: Vec<&str> = sources.iter().map(|file| file.text.as_str()).collect();
    verilate::Design {
        module: tile.module_name(),
        wrapper: texts.join("\n"),
        harness: "tile_model.cpp",
        arguments: INLINING.map(str::to_owned).to_vec(),
        definitions: vec![
            ("PRODUCTS", steps * interface.products),
            ("A_WIDTH", formats.a.width()),
            ("B_WIDTH", formats.b.width()),
            ("C_WIDTH", formats.c.width()),
            ("D_WIDTH", formats.d.width()),
            ("SCALES", steps * interface.scale_count()),
            ("SCALE_A_WIDTH", scale_a),
            ("SCALE_B_WIDTH", scale_b),
            ("ROWS", tile.size.rows),
            ("COLUMNS", tile.size.columns),
            ("SLOTS", 1 << tile.slot_bits),
            ("STEPS", steps),
            ("LENGTH", interface.products),
            ("STEP_SCALES", interface.scale_count()),
            ("LATENCY", instruction.units().map(Unit::latency).sum()),
            ("ADDS_AT_END", u32::from(instruction.start == Start::Zero)),
        ],
        wave: false,
    }
}

impl Engine for Grid {
    fn name(&self) -> &'static str {
        self.name
    }

    fn identity(&self) -> Identity {
        Identity { engine: self.name.to_owned(), version: self.version.clone() }
    }

    fn details(&self) -> BTreeMap<String, String> {
        let number = |index| self.model.read(index).iter().rev().fold(0, |all, &word| all << 32 | u64::from(word));
        [("clocks", 0), ("steps", 1)].map(|(name, index)| (name.to_owned(), number(index).to_string())).into()
    }

    fn computes(&self, instruction: &Instruction) -> bool {
        self.tile.instruction.has_arithmetic_of(instruction)
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        results.clear();
        let size @ Size { columns, .. } = self.tile.size;
        let (cells, together) = (size.cells(), size.apart());
        let at_once = (ELEMENTS / cells).max(1) * together;
        for first in (0..batch.len()).step_by(at_once) {
            let count = at_once.min(batch.len() - first);
            self.elements.resize(count.div_ceil(together) * cells);
            let mut places = Vec::with_capacity(count);
            for number in 0..count {
                let (tile, index) = (number / together, number % together);
                let (row, column) = size.diagonal(tile, index);
                let (base, vector) = (tile * cells, first + number);
                let scales = batch.scales() as usize;
                let scale = |all: &[u64], place: usize| all[vector * scales + place];
                self.put(
                    base + row * columns as usize,
                    Side::Row,
                    |place| batch.a(vector)[place],
                    |place| scale(&batch.scale_a, place),
                );
                self.put(
                    base + column,
                    Side::Column,
                    |place| batch.b(vector)[place],
                    |place| scale(&batch.scale_b, place),
                );
                let cell = base + row * columns as usize + column;
                self.elements.c[cell] = batch.c[vector];
                places.push(cell);
            }
            self.answer()?;
            results.extend(places.iter().map(|&place| self.results[place]));
        }
        Ok(())
    }

    fn multiply(&mut self, matrices: &Matrices) -> Result<Option<Vec<u64>>, EngineError> {
        let Size { rows, columns } = self.tile.size;
        let mut d = matrices.c.clone();
        let tiles = (0..matrices.m).step_by(rows as usize).flat_map(|row| {
            let columns = (0..matrices.n).step_by(columns as usize);
            columns.map(move |column| (row, column))
        });
        let tiles: Vec<(usize, usize)> = tiles.collect();
        for tiles in tiles.chunks((ELEMENTS / self.tile.size.cells()).max(1)) {
            self.multiply_tiles(matrices, tiles, &mut d)?;
        }
        Ok(Some(d))
    }
}
