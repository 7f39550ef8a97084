//! Answers that are kept by the content of the question, so that a proof that was interrupted goes on where it stopped.
//!
//! What is kept is not believed: a proof is checked and values are simulated again. Only that all patterns were simulated is
//! taken from this same program.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::answer::{Answer, Method};
use super::miter::Miter;
use crate::engine::cache::{Key, Store, program};
use crate::prove::aig::{Patterns, simulate, to_aiger};
use crate::prove::sat::lrat::{self, Proof};
use crate::prove::sat::{self, Refutation};

/// The name of these answers in the cache.
const SUBJECT: &str = "obligation";

/// Answers that are kept, and which of them were found in this run.
#[derive(Debug, Default)]
pub struct Kept {
    store: Store,
    own: Mutex<HashSet<String>>,
}

/// An answer as it is kept. What is unknown is not: more time may decide it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Entry {
    Exhaustive,
    /// The proof, in LRAT format.
    Search(String),
    Fails(Vec<bool>),
}

impl Kept {
    /// Answers that are kept in a store; what an earlier run left there is used.
    pub fn within(store: Store) -> Kept {
        Kept { store, own: Mutex::default() }
    }

    /// The key of a question; none where this program cannot be told from others.
    pub(super) fn key(miter: &Miter) -> Option<String> {
        Some(
            Key::new("obligation")
                .text(program()?)
                .text(&to_aiger(&miter.aig, &[miter.constraint, miter.target]))
                .finish(),
        )
    }

    /// The answer that is kept under a key, checked; and whether an earlier run found it.
    pub(super) fn recall(&self, key: &str, miter: &Miter) -> Option<(Answer, bool)> {
        let entry = serde_json::from_slice(&self.store.get(SUBJECT, key)?).ok()?;
        let answer = match entry {
            Entry::Exhaustive => Answer::Proved { method: Method::Exhaustive, refutation: None },
            Entry::Search(proof) => {
                let cnf = sat::clauses(&miter.aig, miter.constraint, miter.target);
                let proof = Proof::parse(&proof).ok()?;
                lrat::check(&cnf, &proof).ok()?;
                Answer::Proved { method: Method::Search, refutation: Some(Refutation { cnf, proof }) }
            }
            Entry::Fails(inputs) => {
                let rows: Vec<Vec<u64>> = inputs.iter().map(|&bit| vec![u64::from(bit)]).collect();
                let patterns = Patterns { words: 1, rows };
                let values = (inputs.len() == miter.aig.inputs().len()).then(|| simulate(&miter.aig, &patterns))?;
                (values.bit(miter.constraint, 0) && values.bit(miter.target, 0)).then_some(Answer::Fails(inputs))?
            }
        };
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner).contains(key);
        Some((answer, !own))
    }

    pub(super) fn keep(&self, key: String, answer: &Answer) {
        let entry = match answer {
            Answer::Proved { method: Method::Exhaustive, .. } => Entry::Exhaustive,
            Answer::Proved { refutation: Some(found), .. } => Entry::Search(found.proof.to_text()),
            Answer::Fails(inputs) => Entry::Fails(inputs.clone()),
            Answer::Proved { .. } | Answer::Unknown(_) => return,
        };
        if let Ok(text) = serde_json::to_vec(&entry) {
            self.own.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
            self.store.put(SUBJECT, &key, &text);
        }
    }
}
