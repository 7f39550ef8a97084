//! The picture of an experiment: a cell for each row and column, filled by what became of its vectors. It stands alone.

use super::svg::{Anchor, Svg};
use crate::literature::{Counts, Grid};

const MARGIN: f64 = 12.0;
/// Baselines of the lines above the cells, and the cells' upper edge.
const NAME: f64 = 20.0;
const QUESTION: f64 = 38.0;
const LEGEND: f64 = 58.0;
const COLUMNS: f64 = 80.0;
const TOP: f64 = 86.0;
/// Widths of letters, a little more than they are.
const NAME_LETTER: f64 = 7.2;
const LETTER: f64 = 5.7;
const MONO_LETTER: f64 = 6.7;
/// Colours of a cell's states.
const CLASSES: [&str; 3] = ["product", "carry", "lost"];
/// Grids up to so many columns have square cells with room for shares.
const COLUMNS_FEW: usize = 20;

/// Width and height of a cell.
fn cell_size(grid: &Grid) -> (f64, f64) {
    if grid.columns.labels.len() <= COLUMNS_FEW { (24.0, 24.0) } else { (11.0, 14.0) }
}

fn width(text: &str, letter: f64) -> f64 {
    text.chars().count() as f64 * letter
}

/// Draws what came of an experiment on a subject.
pub fn picture(subject: &str, grid: &Grid) -> String {
    let (cell_width, cell_height) = cell_size(grid);
    let label = grid.rows.labels.iter().map(|label| width(label, MONO_LETTER)).fold(0.0, f64::max);
    let left = MARGIN + label + 8.0;
    let right = left + grid.columns.labels.len() as f64 * cell_width;
    let bottom = TOP + grid.rows.labels.len() as f64 * cell_height;
    let name = format!("{subject}: {}", grid.experiment);
    let notes = notes(grid);
    let lines =
        notes.iter().map(|note| width(note, LETTER)).chain([width(grid.question, LETTER), width(&name, NAME_LETTER)]);
    let full_width = lines.map(|line| line + MARGIN).fold(right, f64::max) + MARGIN;
    let height = bottom + notes.len() as f64 * 16.0 + MARGIN;

    let mut svg = Svg::default();
    svg.ground(full_width, height);
    svg.text("name", Anchor::Start, MARGIN, NAME, &name);
    svg.text("small", Anchor::Start, MARGIN, QUESTION, grid.question);
    draw_legend(&mut svg, grid);
    for (column, label) in grid.columns.labels.iter().enumerate().filter(|(_, label)| !label.is_empty()) {
        svg.text("small", Anchor::Middle, left + (column as f64 + 0.5) * cell_width, COLUMNS, label);
    }
    for (row, (label, cells)) in grid.rows.labels.iter().zip(&grid.cells).enumerate() {
        let top = TOP + row as f64 * cell_height;
        svg.text("mono", Anchor::End, left - 8.0, top + cell_height / 2.0 + 3.5, label);
        for (column, counts) in cells.iter().enumerate() {
            if let Some(counts) = counts {
                draw_cell(&mut svg, *counts, left + column as f64 * cell_width, top, (cell_width, cell_height));
            }
        }
    }
    for (number, note) in notes.iter().enumerate() {
        svg.text("small", Anchor::Start, MARGIN, bottom + 16.0 * (number as f64 + 1.0), note);
    }
    svg.finish(full_width, height, &format!("{name}. {}", grid.question))
}

/// Lines below the cells.
fn notes(grid: &Grid) -> Vec<String> {
    let vectors = |counts: &Counts| counts.iter().sum::<u32>();
    let most = grid.cells.iter().flatten().flatten().map(vectors).max().unwrap_or(0);
    let mut notes = vec![format!("columns: {}", grid.columns.name), format!("rows: {}", grid.rows.name)];
    if most > 1 {
        notes.push(format!("a cell: {most} vectors, colours by their shares"));
    }
    notes
}

/// The states that occur, with their colours and counts.
fn draw_legend(svg: &mut Svg, grid: &Grid) {
    let mut x = MARGIN;
    for (state, (name, class)) in grid.states.iter().zip(CLASSES).enumerate() {
        let count: u32 = grid.cells.iter().flatten().flatten().map(|counts| counts[state]).sum();
        let text = format!("{name}: {}", super::thousands(count.into()));
        svg.rectangle(&format!("legend {class}"), x, LEGEND - 10.0, 12.0, 12.0);
        svg.text("small", Anchor::Start, x + 17.0, LEGEND, &text);
        x += 17.0 + width(&text, LETTER) + 16.0;
    }
}

/// Shares from the bottom up in the order of the states.
fn draw_cell(svg: &mut Svg, counts: Counts, left: f64, top: f64, (width, height): (f64, f64)) {
    let all = f64::from(counts.iter().sum::<u32>().max(1));
    let mut bottom = top + height;
    for (count, class) in counts.into_iter().zip(CLASSES).filter(|(count, _)| *count > 0) {
        let share = height * f64::from(count) / all;
        svg.rectangle(&format!("bits {class}"), left, bottom - share, width, share);
        bottom -= share;
    }
}
