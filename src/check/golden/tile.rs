//! Golden matrices of a tile: its steps, and D as the emulator has it, as lines of memory files for `$readmemh`.

use crate::check::stimulus::Stimulus;
use crate::emit::bench;
use crate::emit::tile::{Golden, Tile};
use crate::engine::{Batch, Composed, EngineError};

/// So many times as many tiles as the tile has slots, of shaped operands.
///
/// # Errors
/// The emulator fails.
pub fn golden(tile: &Tile, seed: u64, rounds: usize) -> Result<Golden, EngineError> {
    let stimulus = Stimulus::shaped(tile.instruction.frame(), seed);
    let mut emulator = Composed::emulated(&tile.instruction);
    let slots = 1 << tile.slot_bits;
    let mut golden = Golden::default();
    for round in 0..rounds {
        let mut lines = Vec::new();
        for slot in 0..slots {
            let mut drawn = stimulus.empty_batch();
            let cells = tile.size.cells();
            stimulus.fill(((round * slots + slot) * cells) as u64, cells, &mut drawn);
            let elements = elements(tile, &drawn);
            let d = emulator.answers(&elements)?;
            golden.results.push(bench::line([(&d[..], tile.instruction.d().width())]));
            lines.push(steps(tile, &elements));
        }
        // Slots take turns.
        let count = lines[0].len();
        golden.steps.extend((0..count).flat_map(|step| lines.iter().map(move |lines| lines[step].clone())));
    }
    Ok(golden)
}

/// Vectors of the elements of D, of which those of a row have the same a and those of a column the same b.
fn elements(tile: &Tile, drawn: &Batch) -> Batch {
    let columns = tile.size.columns as usize;
    let mut elements = Batch::new(drawn.products(), drawn.scales());
    for cell in 0..drawn.len() {
        let (row, column) = (drawn.vector(cell / columns), drawn.vector(cell % columns));
        let mut vector = drawn.vector(cell);
        (vector.a, vector.scale_a) = (row.a, row.scale_a);
        (vector.b, vector.scale_b) = (column.b, column.scale_b);
        elements.push(&vector);
    }
    elements
}

/// The transfers of one tile.
fn steps(tile: &Tile, elements: &Batch) -> Vec<String> {
    let interface = tile.step();
    let (formats, length, scales) = (&interface.formats, interface.products as usize, interface.scale_count() as usize);
    let (rows, columns) = (tile.size.rows as usize, tile.size.columns as usize);
    let blocks = tile.instruction.blocks();
    let last = blocks.len() - 1;
    let scale_widths = interface.scale_widths();
    let places = |all: &[u64], block: &[usize]| {
        let mut own: Vec<u64> = block.iter().map(|&place| all[place]).collect();
        own.resize(length, 0);
        own
    };
    let of_step = |(step, block): (usize, &Vec<usize>)| {
        let vectors = |count: usize, apart: usize| (0..count).map(move |line| elements.vector(line * apart));
        let a: Vec<u64> = vectors(rows, columns).flat_map(|vector| places(&vector.a, block)).collect();
        let b: Vec<u64> = vectors(columns, 1).flat_map(|vector| places(&vector.b, block)).collect();
        let own = |all: Vec<u64>| all[step * scales..][..scales].to_vec();
        let scale_a: Vec<u64> = vectors(rows, columns).flat_map(|vector| own(vector.scale_a)).collect();
        let scale_b: Vec<u64> = vectors(columns, 1).flat_map(|vector| own(vector.scale_b)).collect();
        bench::line([
            (&a[..], formats.a.width()),
            (&b[..], formats.b.width()),
            (&scale_a[..], scale_widths[0]),
            (&scale_b[..], scale_widths[1]),
            (&elements.c[..], formats.c.width()),
            (&[u64::from(step == last)], 1),
        ])
    };
    blocks.iter().enumerate().map(of_step).collect()
}
