//! Campaign files: which subjects, engines and vectors. Says which field is wrong, and what is allowed.

use std::ops::RangeInclusive;
use std::path::Path;

use serde::Deserialize;

use super::piece::Piece;
use crate::check::stimulus::{CHUNK, Class};
use crate::describe::file::read;
use crate::describe::subject::Subject;
use crate::describe::text::Foreign;
use crate::describe::text::{LINES_ALLOWED, is_one_line};
use crate::describe::unit::FileError;
use crate::emit::digest;
use crate::engine::Kind;

/// Vectors of a piece, unless the file says otherwise.
const PIECE: u64 = 4096 * CHUNK as u64;

/// Pieces of a campaign.
const PIECES_MAX: u64 = 10_000_000;

/// Numbers are read wider than they may be, so that what is refused is refused with its range.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CampaignFile {
    name: String,
    #[serde(default = "piece")]
    piece: i128,
    #[serde(default = "seed")]
    seed: i128,
    vectors: Option<i128>,
    engines: Option<Vec<String>>,
    classes: Option<Vec<String>>,
    run: Vec<RunEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RunEntry {
    subjects: Vec<String>,
    seed: Option<i128>,
    vectors: Option<i128>,
    engines: Option<Vec<String>>,
    classes: Option<Vec<String>>,
    #[serde(default)]
    signed: bool,
}

fn piece() -> i128 {
    PIECE.into()
}

fn seed() -> i128 {
    1
}

/// One subject with its engines and its stimulus.
#[derive(Debug, Clone)]
pub struct Run {
    pub subject: Subject,
    pub kinds: Vec<Kind>,
    pub seed: u64,
    pub vectors: u64,
    /// Classes of the stimulus that take turns; none where the vectors are those of a board.
    pub classes: Vec<Class>,
    /// Whether a board makes the vectors and signs what it answers.
    pub signed: bool,
}

/// What is to be run.
#[derive(Debug, Clone)]
pub struct Campaign {
    pub name: String,
    pub runs: Vec<Run>,
    /// Vectors of a piece; the last piece of a run may have fewer.
    pub piece: u64,
    /// SHA-256 of everything that decides what is computed, the descriptions of the subjects and the program's version too.
    pub id: String,
}

impl Campaign {
    /// Reads and checks a campaign file. Paths of unit and instruction files start from its folder.
    ///
    /// # Errors
    /// The file or one that it names cannot be read or is not accepted.
    pub fn from_file(path: &Path) -> Result<Campaign, FileError> {
        let file = path.shown();
        let text = read(path)?;
        Campaign::from_toml(path.parent().unwrap_or(Path::new("")), &file, &text)
    }

    fn from_toml(folder: &Path, file: &str, text: &str) -> Result<Campaign, FileError> {
        let entries: CampaignFile = toml::from_str(text).map_err(|error| FileError::syntax(file, text, &error))?;
        let refuse = |field: &str, value: String, allowed: &str| FileError::value(file, field, value, allowed);
        let piece = within(entries.piece, 1..=1 << 40).filter(|piece| piece.is_multiple_of(CHUNK as u64));
        let piece = piece.ok_or_else(|| {
            refuse("piece", entries.piece.to_string(), &format!("a multiple of {CHUNK}, {CHUNK} to 2^40"))
        })?;
        if !is_one_line(&entries.name) {
            return Err(refuse("name", format!("{:?}", entries.name), LINES_ALLOWED));
        }
        let mut runs = Vec::new();
        for (index, entry) in entries.run.iter().enumerate() {
            runs.extend(Of { file, folder, entries: &entries, index, entry }.runs()?);
        }
        if runs.is_empty() {
            return Err(refuse("run", "without subjects".to_owned(), "at least one subject"));
        }
        if let Some(name) = twice(&runs) {
            let value = format!("{name:?} twice with the same seed and classes");
            return Err(refuse(
                "run",
                value,
                "each name once with a seed and classes: case files are named after it, and vectors would count twice",
            ));
        }
        let pieces: u64 = runs.iter().map(|run| run.vectors.div_ceil(piece)).sum();
        if pieces > PIECES_MAX {
            let value = format!("{piece}, which makes {pieces} pieces");
            return Err(refuse("piece", value, &format!("as much as makes at most {PIECES_MAX} pieces")));
        }
        let id = id(&entries.name, piece, &runs);
        Ok(Campaign { name: entries.name, runs, piece, id })
    }

    /// Pieces of a run.
    fn pieces_of(&self, run: &Run) -> u64 {
        run.vectors.div_ceil(self.piece)
    }

    /// Number of all pieces.
    pub fn pieces(&self) -> u64 {
        self.runs.iter().map(|run| self.pieces_of(run)).sum()
    }

    /// The piece of that number, from 0 on.
    pub fn piece(&self, number: u64) -> Option<Piece> {
        let mut first = 0;
        for (index, run) in self.runs.iter().enumerate() {
            let pieces = self.pieces_of(run);
            if number < first + pieces {
                let start = (number - first) * self.piece;
                let count = self.piece.min(run.vectors - start);
                return Some(Piece { number, run: index, first_chunk: start / CHUNK as u64, count });
            }
            first += pieces;
        }
        None
    }
}

/// An entry of a campaign file, and what the file says for those that do not say it themselves.
struct Of<'a> {
    file: &'a str,
    folder: &'a Path,
    entries: &'a CampaignFile,
    index: usize,
    entry: &'a RunEntry,
}

impl Of<'_> {
    /// An error of a field of the entry, or of the whole file where the entry has none of its own.
    fn refuse(&self, field: &str, own: bool, value: String, allowed: &str) -> FileError {
        let field = if own { format!("run[{}].{field}", self.index) } else { field.to_owned() };
        FileError::value(self.file, &field, value, allowed)
    }

    /// A run for each subject.
    fn runs(&self) -> Result<Vec<Run>, FileError> {
        let Of { folder, entries, entry, .. } = *self;
        let vectors = entry.vectors.or(entries.vectors).unwrap_or(1_000_000);
        let vectors = within(vectors, 1..=1 << 50)
            .ok_or_else(|| self.refuse("vectors", entry.vectors.is_some(), vectors.to_string(), "1 to 2^50"))?;
        let seed = entry.seed.unwrap_or(entries.seed);
        let seed = within(seed, 0..=u64::MAX)
            .ok_or_else(|| self.refuse("seed", entry.seed.is_some(), seed.to_string(), "0 to 2^64 - 1"))?;
        let engines = entry.engines.as_ref().or(entries.engines.as_ref());
        let kinds = kinds(engines).map_err(|value| self.refuse("engines", entry.engines.is_some(), value, ENGINES))?;
        let boards = kinds.iter().filter(|kind| matches!(kind, Kind::Board(_))).count();
        if entry.signed && (boards, kinds.len()) != (1, 2) {
            let allowed = "of a run that is signed: a board, and one engine that computes the same";
            return Err(self.refuse("engines", entry.engines.is_some(), format!("{:?}", names(&kinds)), allowed));
        }
        if let (true, Some(classes)) = (entry.signed, &entry.classes) {
            let allowed = "none in a run that is signed: the board makes its vectors, of every shape";
            return Err(self.refuse("classes", true, format!("{classes:?}"), allowed));
        }
        let mut runs = Vec::new();
        for name in &entry.subjects {
            let subject = subject(folder, name)?.ok_or_else(|| {
                let allowed = "a unit or an instruction of the catalogue, or a file (.toml) of one";
                self.refuse("subjects", true, format!("{name:?}"), allowed)
            })?;
            let classes = if entry.signed { Vec::new() } else { self.classes(name, &subject)? };
            runs.push(Run { subject, kinds: kinds.clone(), seed, vectors, classes, signed: entry.signed });
        }
        Ok(runs)
    }

    /// Classes of the stimulus of a subject: all that fit, unless some are named.
    fn classes(&self, name: &str, subject: &Subject) -> Result<Vec<Class>, FileError> {
        let fitting = Class::of(&subject.frame().unit);
        let Some(names) = self.entry.classes.as_ref().or(self.entries.classes.as_ref()) else {
            return Ok(fitting.to_vec());
        };
        classes(names, fitting).map_err(|value| {
            let names: Vec<&str> = fitting.iter().map(|class| class.name()).collect();
            let allowed = format!("of {name}: {}", names.join(", "));
            self.refuse("classes", self.entry.classes.is_some(), value, &allowed)
        })
    }
}

fn names(kinds: &[Kind]) -> Vec<&str> {
    kinds.iter().map(|kind| kind.name()).collect()
}

fn within(value: i128, allowed: RangeInclusive<u64>) -> Option<u64> {
    u64::try_from(value).ok().filter(|value| allowed.contains(value))
}

/// A subject that stands there again with the same seed and classes.
fn twice(runs: &[Run]) -> Option<&str> {
    let key = |run: &Run| (run.subject.name().to_owned(), run.seed, run.classes.clone(), run.signed);
    let again = |(index, run): &(usize, &Run)| runs[..*index].iter().any(|other| key(other) == key(run));
    runs.iter().enumerate().find(again).map(|(_, run)| run.subject.name())
}

const ENGINES: &str = "at least two engines that `tensorsmith cosim --help` lists, each once";

fn kinds(names: Option<&Vec<String>>) -> Result<Vec<Kind>, String> {
    let Some(names) = names else { return Ok(vec![Kind::Emulator, Kind::Rtl]) };
    let mut kinds: Vec<Kind> = Vec::new();
    for name in names {
        match name.parse() {
            Ok(kind) if !kinds.contains(&kind) => kinds.push(kind),
            _ => return Err(format!("{name:?} among {names:?}")),
        }
    }
    if kinds.len() < 2 { Err(format!("{names:?}")) } else { Ok(kinds) }
}

fn classes(names: &[String], fitting: &[Class]) -> Result<Vec<Class>, String> {
    let class = |name: &String| {
        let class = Class::named(name).filter(|class| fitting.contains(class));
        class.ok_or_else(|| format!("{name:?}"))
    };
    if names.is_empty() { Err("[]".to_owned()) } else { names.iter().map(class).collect() }
}

/// A subject of the catalogue, or of a file in the folder.
fn subject(folder: &Path, name: &str) -> Result<Option<Subject>, FileError> {
    match Subject::named(name) {
        Some(subject) => Ok(Some(subject)),
        None if name.ends_with(".toml") => Subject::from_file(&folder.join(name)).map(Some),
        None => Ok(None),
    }
}

fn id(name: &str, piece: u64, runs: &[Run]) -> String {
    let mut text = format!("{}\n{name}\n{piece}\n", env!("CARGO_PKG_VERSION"));
    for run in runs {
        let kinds = names(&run.kinds);
        let classes: Vec<&str> = run.classes.iter().map(|class| class.name()).collect();
        text += &format!("{:?}\n{kinds:?}\n{}\n{}\n{classes:?}\n", run.subject, run.seed, run.vectors);
        text += if run.signed { "signed\n" } else { "" };
    }
    digest(text.as_bytes())
}
