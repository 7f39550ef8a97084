//! Tables on standard output, no wider than the terminal: columns that do not fit are left out, and named below.

use std::env;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};

use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};
use terminal_size::{Width, terminal_size};

/// Columns wider than this hold sentences, which may take several lines.
const SENTENCE: usize = 48;
/// Room that sentences need.
const SENTENCE_LEAST: usize = 28;
/// What stands beside the text of a column, and before the first.
const BESIDE: usize = 3;
const BEFORE: usize = 1;

/// Whether all columns are asked for.
static WIDE: AtomicBool = AtomicBool::new(false);

/// Shows all columns of every table from now on.
pub(super) fn show_all() {
    WIDE.store(true, Ordering::Relaxed);
}

/// The columns of letters that a line may take: those of the terminal, or what COLUMNS says; any number in a pipe or a file.
pub(super) fn room() -> Option<usize> {
    if WIDE.load(Ordering::Relaxed) {
        return None;
    }
    let said = env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let of_terminal = || io::stdout().is_terminal().then(terminal_size).flatten().map(|(Width(width), _)| width.into());
    said.or_else(of_terminal)
}

/// A line as a paragraph that fits, further lines indented.
pub(super) fn filled(text: &str) -> String {
    let Some(room) = room() else { return text.to_owned() };
    textwrap::fill(text, textwrap::Options::new(room).subsequent_indent("    "))
}

/// A table with a heading; columns named in `numbers` stand to the right. Where not all fit, the first that do are shown.
pub(super) fn table(headings: &[&str], numbers: &[usize], rows: Vec<Vec<String>>) -> String {
    table_of(headings, numbers, rows, &[])
}

/// The same, where those in `first` are shown before all others.
pub(super) fn table_of(headings: &[&str], numbers: &[usize], rows: Vec<Vec<String>>, first: &[usize]) -> String {
    let length = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| length(cell));
        cells.chain([length(headings[column])]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..headings.len()).map(width).collect();
    let shown = shown(&widths, room(), first);
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(shown.iter().map(|&column| Cell::new(headings[column])));
    for row in &rows {
        table.add_row(shown.iter().map(|&column| row.get(column).map_or("", String::as_str)));
    }
    for (place, column) in shown.iter().enumerate() {
        let Some(own) = table.column_mut(place) else { continue };
        if numbers.contains(column) {
            own.set_cell_alignment(CellAlignment::Right);
        }
        if widths[*column] <= SENTENCE {
            own.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    if let Some(room) = room() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(room.try_into().unwrap_or(u16::MAX));
    }
    let hidden: Vec<&str> =
        (0..headings.len()).filter(|column| !shown.contains(column)).map(|column| headings[column]).collect();
    match hidden.is_empty() {
        true => table.to_string(),
        false => format!("{table}\n{}", filled(&format!("not shown: {}; --wide shows all", hidden.join(", ")))),
    }
}

/// The columns that fit the room, in their order.
fn shown(widths: &[usize], room: Option<usize>, first: &[usize]) -> Vec<usize> {
    let Some(room) = room else { return (0..widths.len()).collect() };
    let others = (0..widths.len()).filter(|column| !first.contains(column));
    let mut taken = BEFORE;
    let mut shown = Vec::new();
    for column in first.iter().copied().chain(others) {
        let least = if widths[column] > SENTENCE { SENTENCE_LEAST } else { widths[column] };
        if shown.is_empty() || taken + least + BESIDE <= room {
            taken += least + BESIDE;
            shown.push(column);
        }
    }
    shown.sort_unstable();
    shown
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn columns_that_do_not_fit_are_left_out() {
        let widths = [30, 20, 10, 30];
        assert_eq!(shown(&widths, None, &[]), [0, 1, 2, 3]);
        assert_eq!(shown(&widths, Some(103), &[]), [0, 1, 2, 3]);
        assert_eq!(shown(&widths, Some(102), &[]), [0, 1, 2]);
        assert_eq!(shown(&widths, Some(80), &[0, 3]), [0, 2, 3]);
        assert_eq!(shown(&widths, Some(10), &[]), [0]);
    }

    /// Sentences take several lines.
    #[test]
    fn sentences_need_less_than_their_length() {
        assert_eq!(shown(&[30, 200], Some(80), &[]), [0, 1]);
    }
}
