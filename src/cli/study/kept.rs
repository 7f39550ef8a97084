//! Points of a study that is run again: a line of JSON each, added as they are there.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::cli::{Failure, output};
use tensorsmith::describe::file;
use tensorsmith::describe::text::Foreign;
use tensorsmith::study::Point;

/// The file in the folder of a study.
const NAME: &str = "points.jsonl";

/// Points in a file that grows. Neither the file nor its folder is touched before a point is added.
pub(super) struct Kept {
    pub points: Vec<Point>,
    folder: PathBuf,
    file: Option<File>,
}

impl Kept {
    /// What the folder of a study has. It may be missing, and is then made with the first point.
    pub fn read(folder: &Path) -> Result<Kept, Failure> {
        // Said before anything is computed.
        output::check_folder_writable(folder)?;
        let path = folder.join(NAME);
        let text = match file::open(&path).and_then(io::read_to_string) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text.map_err(|error| Failure(format!("{}: {error}", path.shown())))?,
        };
        if folder.is_dir() {
            output::check_writable(&path)?;
        }
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
        Ok(Kept { points, folder: folder.to_owned(), file: None })
    }

    pub fn add(&mut self, point: &Point) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(open(&self.folder, &self.points).map_err(|Failure(text)| io::Error::other(text))?),
        };
        file.write_all(line(point).as_bytes())
    }
}

/// The file with the points that it had, in a folder that is made where it is missing.
fn open(folder: &Path, points: &[Point]) -> Result<File, Failure> {
    output::make_folder(folder)?;
    let path = folder.join(NAME);
    output::write_whole(&path, &points.iter().map(line).collect::<String>())?;
    let file = OpenOptions::new().append(true).open(&path);
    file.map_err(|error| Failure(format!("{}: {error}", path.shown())))
}

fn line(point: &Point) -> String {
    serde_json::to_string(point).unwrap_or_default() + "\n"
}
