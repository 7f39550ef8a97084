//! The results of all shards added: each piece counts once, in the order of its number, whoever ran it and when.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::file::{Campaign, Run};
use super::piece::{EngineCount, First, Outcome, Piece};
use super::results::{ENDING, ResultsError, read};
use crate::check::stimulus::CHUNK;
use crate::describe::text::Foreign;

/// What an engine did in a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct EngineTotal {
    pub engine: String,
    /// Every version that took part.
    pub versions: BTreeSet<String>,
    pub vectors: u64,
    /// Pieces in which it was skipped, and every reason.
    pub pieces_skipped: u64,
    pub reasons: BTreeSet<String>,
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunTotal {
    pub subject: String,
    pub seed: u64,
    pub vectors: u64,
    /// Whether a board made the vectors: then mismatches are signatures that differ.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub signed: bool,
    /// Vectors on which at least two engines answered.
    pub compared: u64,
    pub mismatches: u64,
    pub pieces: u64,
    pub pieces_missing: u64,
    pub engines: Vec<EngineTotal>,
    /// That with the least index.
    pub first: Option<First>,
    pub events: BTreeMap<String, u64>,
}

/// What came of a campaign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Merged {
    pub tensorsmith: &'static str,
    pub campaign: String,
    pub id: String,
    pub runs: Vec<RunTotal>,
    /// Whether no piece is missing.
    pub complete: bool,
    /// Whether no engine differed from another, in what is there.
    pub passed: bool,
}

/// Adds all results of a campaign that lie in these folders.
///
/// # Errors
/// A file cannot be read, is damaged, belongs to another campaign, or has another result for a piece than a second one.
pub fn merge(campaign: &Campaign, folders: &[PathBuf]) -> Result<Merged, ResultsError> {
    let mut pieces: BTreeMap<u64, (Outcome, PathBuf)> = BTreeMap::new();
    let mut makers = BTreeSet::new();
    for path in files(folders)? {
        let (maker, outcomes) = read(&path, campaign)?;
        makers.extend(maker);
        if makers.len() > 1 {
            return Err(ResultsError::Maker { path: path.shown() });
        }
        for outcome in outcomes {
            if let Some(what) = contradiction(campaign, &outcome) {
                return Err(ResultsError::Contradicts { path: path.shown(), piece: outcome.piece, what });
            }
            match pieces.get(&outcome.piece) {
                Some((other, _)) if other.agrees(&outcome) => {}
                Some((_, first)) => {
                    return Err(ResultsError::Conflict {
                        piece: outcome.piece,
                        first: first.shown(),
                        second: path.shown(),
                    });
                }
                None => drop(pieces.insert(outcome.piece, (outcome, path.clone()))),
            }
        }
    }
    let mut runs: Vec<RunTotal> = campaign.runs.iter().map(RunTotal::of).collect();
    for number in 0..campaign.pieces() {
        let Some(piece) = campaign.piece(number) else { break };
        let run = &mut runs[piece.run];
        run.pieces += 1;
        match pieces.get(&number) {
            Some((outcome, _)) => run.add(outcome),
            None => run.pieces_missing += 1,
        }
    }
    Ok(Merged {
        tensorsmith: env!("CARGO_PKG_VERSION"),
        campaign: campaign.name.clone(),
        id: campaign.id.clone(),
        complete: runs.iter().all(|run| run.pieces_missing == 0),
        passed: runs.iter().all(|run| run.mismatches == 0),
        runs,
    })
}

/// Why a result cannot be one of its piece.
fn contradiction(campaign: &Campaign, outcome: &Outcome) -> Option<String> {
    let Some(piece) = campaign.piece(outcome.piece) else {
        return Some(format!("it is number {}; allowed: less than {}", outcome.piece, campaign.pieces()));
    };
    let (run, size) = (&campaign.runs[piece.run], piece.count);
    let counts = [("compared", outcome.compared), ("mismatches", outcome.mismatches)];
    let of_engines = outcome.engines.iter().map(|count| (count.engine.as_str(), count.vectors));
    if let Some((name, count)) = counts.into_iter().chain(of_engines).find(|(_, count)| *count > size) {
        return Some(format!("{name} is {count}; allowed: at most {size}, its vectors"));
    }
    if let Some(what) = impossible(run, &piece, outcome) {
        return Some(what);
    }
    // A GPU and a board say of themselves which one they are.
    let kind = |name: &str| name.split(':').next().unwrap_or_default().to_owned();
    let names = |names: &mut dyn Iterator<Item = &str>| {
        let mut names: Vec<String> = names.map(kind).collect();
        names.sort();
        names
    };
    let found = names(&mut outcome.engines.iter().map(|count| count.engine.as_str()));
    let expected = names(&mut run.kinds.iter().map(|kind| kind.name()));
    (found != expected).then(|| format!("its engines are {}; allowed: {}", found.join(", "), expected.join(", ")))
}

/// Where a result of a finished piece contradicts itself or the size of the piece.
fn impossible(run: &Run, piece: &Piece, outcome: &Outcome) -> Option<String> {
    let size = piece.count;
    if outcome.mismatches > outcome.compared {
        return Some(format!("mismatches is {}; allowed: at most {}", outcome.mismatches, outcome.compared));
    }
    if outcome.first.is_some() != (outcome.mismatches > 0) {
        return Some(format!(
            "mismatches is {}; allowed: 0 without a first one, and 1 or more with it",
            outcome.mismatches
        ));
    }
    // A board that signs stops where a signature differs, and counts on in shapes of its own.
    if run.signed {
        return None;
    }
    if outcome.compared != size {
        return Some(format!("compared is {}; allowed: {size}, its vectors", outcome.compared));
    }
    let expected = |count: &&EngineCount| count.vectors != if count.skipped.is_some() { 0 } else { size };
    if let Some(count) = outcome.engines.iter().find(expected) {
        return Some(format!(
            "{} is {}; allowed: {size}, its vectors, or 0 where it is skipped",
            count.engine, count.vectors
        ));
    }
    if outcome.engines.iter().filter(|count| count.skipped.is_none()).count() < 2 {
        return Some("fewer than two engines ran; allowed: two or more".to_owned());
    }
    let begin = piece.first_chunk * CHUNK as u64;
    let index =
        outcome.first.as_ref().map(|first| first.index).filter(|index| !(begin..begin + size).contains(index))?;
    Some(format!("its first mismatch is vector {index}; allowed: {begin} to {}", begin + size - 1))
}

/// The files of results in these folders, in order.
fn files(folders: &[PathBuf]) -> Result<BTreeSet<PathBuf>, ResultsError> {
    let failed = |path: &Path, source| ResultsError::Io { path: path.shown(), source };
    let mut files = BTreeSet::new();
    for folder in folders {
        for entry in std::fs::read_dir(folder).map_err(|source| failed(folder, source))? {
            let path = entry.map_err(|source| failed(folder, source))?.path();
            if path.extension().is_some_and(|ending| ending == ENDING) {
                files.insert(path);
            }
        }
    }
    Ok(files)
}

impl RunTotal {
    fn of(run: &Run) -> RunTotal {
        RunTotal {
            subject: run.subject.name().to_owned(),
            seed: run.seed,
            vectors: run.vectors,
            signed: run.signed,
            compared: 0,
            mismatches: 0,
            pieces: 0,
            pieces_missing: 0,
            engines: run
                .kinds
                .iter()
                .map(|kind| EngineTotal { engine: kind.name().to_owned(), ..EngineTotal::default() })
                .collect(),
            first: None,
            events: BTreeMap::new(),
        }
    }

    /// Adds a piece: those before it have been added.
    fn add(&mut self, outcome: &Outcome) {
        self.compared += outcome.compared;
        self.mismatches += outcome.mismatches;
        for count in &outcome.engines {
            let Some(total) = self.engines.iter_mut().find(|total| total.engine == count.engine) else { continue };
            total.vectors += count.vectors;
            match &count.skipped {
                None => drop(total.versions.insert(count.version.clone())),
                Some(reason) => {
                    total.pieces_skipped += 1;
                    total.reasons.insert(reason.clone());
                }
            }
        }
        if self.first.is_none() {
            self.first.clone_from(&outcome.first);
        }
        for (event, count) in &outcome.events {
            *self.events.entry(event.clone()).or_default() += count;
        }
    }
}
