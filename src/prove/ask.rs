//! A solver with its limits, and answers that are kept: by the content of the query, the solver and its version.

use std::path::{Path, PathBuf};
use std::time::Duration;

use dashu_int::IBig;
use serde::{Deserialize, Serialize};

use super::certificate::digest;
use super::smt::Query;
use super::solver::{Answer, Limits, Solver};
use crate::engine::cache;

/// Asks one solver, and remembers.
#[derive(Debug, Clone)]
pub struct Prover {
    pub solver: Solver,
    pub limits: Limits,
    /// Where answers are kept; `None` asks always.
    pub cache: Option<PathBuf>,
}

/// Where answers are kept, unless told otherwise: `proofs` in the folder of the cache.
pub fn cache_folder() -> PathBuf {
    cache::cache_folder().join("proofs")
}

/// Writes what is to be kept as a whole or not at all, into a folder that is created if need be.
///
/// # Errors
/// The folder or the file cannot be written.
pub fn keep(file: &Path, content: &impl Serialize) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut staged = tempfile::NamedTempFile::new_in(folder)?;
    serde_json::to_writer(&mut staged, content)?;
    staged.persist(file)?;
    Ok(())
}

/// An answer and what it cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub answer: Answer,
    /// Time of the solver's process when it was asked.
    pub time: Duration,
    pub cached: bool,
}

/// An answer as it is kept. What is unknown is not: more time may decide it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    solver: String,
    seconds: f64,
    verdict: KeptVerdict,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum KeptVerdict {
    Unsatisfiable,
    /// Numbers of the variables, in decimal.
    Satisfiable(Vec<String>),
}

impl Prover {
    /// The answer to a query, from the cache where it is known. A kept witness is checked again.
    pub fn ask(&self, query: &Query) -> Asked {
        let text = query.text();
        let file = self.cache.as_deref().map(|folder| self.file(folder, &text));
        if let Some(asked) = file.as_deref().and_then(|file| self.recall(query, file)) {
            return asked;
        }
        let (answer, time) = self.solver.ask(query, self.limits);
        if let Some(file) = file {
            // A cache that cannot be written costs time only.
            let _ = self.keep(&file, &answer, time);
        }
        Asked { answer, time, cached: false }
    }

    fn file(&self, folder: &Path, text: &str) -> PathBuf {
        let name = digest([self.solver.identity().as_str(), "\0", text].concat().as_bytes());
        folder.join(format!("{name}.json"))
    }

    fn keep(&self, file: &Path, answer: &Answer, time: Duration) -> std::io::Result<()> {
        let verdict = match answer {
            Answer::Satisfiable(numbers) => KeptVerdict::Satisfiable(numbers.iter().map(IBig::to_string).collect()),
            Answer::Unsatisfiable => KeptVerdict::Unsatisfiable,
            Answer::Unknown(_) => return Ok(()),
        };
        let kept = Kept { solver: self.solver.identity(), seconds: time.as_secs_f64(), verdict };
        keep(file, &kept)
    }

    fn recall(&self, query: &Query, file: &Path) -> Option<Asked> {
        let kept: Kept = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
        let answer = match kept.verdict {
            KeptVerdict::Unsatisfiable => Answer::Unsatisfiable,
            KeptVerdict::Satisfiable(numbers) => {
                let numbers: Vec<IBig> = numbers.iter().map(|number| number.parse().ok()).collect::<Option<_>>()?;
                query.is_satisfied_by(&numbers).then_some(Answer::Satisfiable(numbers))?
            }
        };
        let time = Duration::try_from_secs_f64(kept.seconds).ok()?;
        (kept.solver == self.solver.identity()).then_some(Asked { answer, time, cached: true })
    }
}
