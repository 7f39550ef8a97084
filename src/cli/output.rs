//! Where reports go: standard output, files, annotations.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use comfy_table::{Cell, CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::Failure;
use crate::report::{Case, annotations, junit};

/// Machine-readable output beside the human one.
#[derive(Args)]
pub(super) struct Reports {
    /// Write the report as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the report as JUnit XML to FILE
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Print an annotation for each failure, as GitHub's runners read them
    #[arg(long)]
    pub annotate: bool,
}

impl Reports {
    /// Whether standard output belongs to the JSON report.
    pub fn quiet(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }

    /// Writes what was asked for.
    pub fn write(&self, command: &str, report: &impl Serialize, cases: &[Case]) -> Result<(), Failure> {
        if let Some(path) = &self.json {
            json(path, report)?;
        }
        if let Some(path) = &self.junit {
            write_whole(path, &junit(command, cases))?;
        }
        if self.annotate {
            annotations(command, cases).iter().for_each(|line| println!("{line}"));
        }
        Ok(())
    }
}

/// Writes JSON to a file, or to standard output for `-`.
pub(super) fn json(path: &Path, report: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(report)? + "\n";
    if path == Path::new("-") {
        std::io::stdout().write_all(text.as_bytes())?;
        return Ok(());
    }
    write_whole(path, &text)
}

/// Writes a file whole or not at all.
pub(super) fn write_whole(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure(format!("{}: cannot be written: {error}", path.display()));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut staged = tempfile::NamedTempFile::new_in(folder).map_err(|error| failed(&error))?;
    staged.write_all(text.as_bytes()).map_err(|error| failed(&error))?;
    staged.persist(path).map_err(|error| failed(&error))?;
    Ok(())
}

/// A table with a heading; columns named in `numbers` stand to the right.
pub(super) fn table(headings: &[&str], numbers: &[usize], rows: Vec<Vec<String>>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(headings.iter().map(Cell::new));
    for row in rows {
        table.add_row(row);
    }
    for &column in numbers {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// A progress bar on standard error; silent where that is no terminal.
pub(super) fn progress(name: &str, vectors: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(vectors).with_message(name.to_owned());
    let template = "{msg:20} [{bar:30}] {human_pos}/{human_len} vectors, {per_sec}, {eta} left";
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
