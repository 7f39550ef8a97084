//! Points of a study that is run again: a line of JSON each, added as they are there.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use crate::cli::{Failure, output};
use tensorsmith::describe::text::Foreign;
use tensorsmith::study::Point;

/// The file in the folder of a study.
const NAME: &str = "points.jsonl";

/// Points in a file that grows.
pub(super) struct Kept {
    pub points: Vec<Point>,
    file: File,
}

impl Kept {
    /// Opens the folder of a study, and makes it where it is missing.
    pub fn open(folder: &Path) -> Result<Kept, Failure> {
        output::make_folder(folder)?;
        let path = folder.join(NAME);
        let failed = |error: io::Error| Failure(format!("{}: {error}", path.shown()));
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text.map_err(failed)?,
        };
        let lines: Vec<&str> = text.lines().collect();
        let mut points = Vec::new();
        for (place, line) in lines.iter().enumerate() {
            match serde_json::from_str(line) {
                Ok(point) => points.push(point),
                // A run that was ended left its last line half.
                Err(_) if place + 1 == lines.len() && !text.ends_with('\n') => {}
                Err(error) => {
                    let (file, number) = (path.shown(), place + 1);
                    return Err(Failure(format!(
                        "{file}: line {number}: {error}; allowed: points as a study writes them"
                    )));
                }
            }
        }
        output::write_whole(&path, &points.iter().map(line).collect::<String>())?;
        let file = OpenOptions::new().append(true).open(&path).map_err(failed)?;
        Ok(Kept { points, file })
    }

    pub fn add(&mut self, point: &Point) -> io::Result<()> {
        self.file.write_all(line(point).as_bytes())
    }
}

fn line(point: &Point) -> String {
    serde_json::to_string(point).unwrap_or_default() + "\n"
}
