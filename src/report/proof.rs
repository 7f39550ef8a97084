//! Proofs: statements with verdicts, witnesses and times.

use serde::Serialize;

use super::VERSION;
use super::operands::OperandReport;
use super::published::PublishedSubject;
use crate::prove::settle::{Expected, Settled, Statement, Verdict};
use crate::prove::valpey::Published;
use crate::prove::{Confirmed, Found};

/// What was proved of a subject.
#[derive(Debug, Serialize)]
pub struct ProofReport {
    pub tensorsmith: &'static str,
    pub command: &'static str,
    /// The unit, or the suite.
    pub subject: String,
    /// Name and version.
    pub solver: String,
    pub timeout_seconds: f64,
    pub memory_mib: u64,
    pub statements: Vec<ProofStatement>,
    /// Properties that say nothing of the subject.
    pub inapplicable: Vec<Inapplicable>,
    /// Vectors that a published work prints, with their readings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<PublishedSubject>,
}

/// A property that says nothing of the subject.
#[derive(Debug, Serialize)]
pub struct Inapplicable {
    pub property: String,
    pub reason: String,
}

/// One statement.
#[derive(Debug, Serialize)]
pub struct ProofStatement {
    pub name: String,
    pub statement: String,
    /// "witness" where it says that there are inputs, "none" where it says that there are none.
    pub expected: Expected,
    /// Where it stands in a published work, and the times given there.
    pub source: Option<&'static str>,
    pub published_z3: Option<&'static str>,
    pub published_cvc5: Option<&'static str>,
    pub verdict: Verdict,
    /// Why it is unknown.
    pub reason: Option<String>,
    /// Solver time of all questions.
    pub seconds: f64,
    pub cached: bool,
    pub questions: Vec<ProofQuestion>,
}

/// One question of a statement.
#[derive(Debug, Serialize)]
pub struct ProofQuestion {
    pub label: String,
    /// "witness", "none" or "unknown".
    pub found: &'static str,
    pub seconds: f64,
    pub cached: bool,
    pub note: Option<String>,
    pub witness: Vec<ProofWitness>,
}

/// A vector and a unit's answer to it; encodings in hexadecimal.
#[derive(Debug, Serialize)]
pub struct ProofWitness {
    pub unit: String,
    #[serde(flatten)]
    pub operands: OperandReport,
    pub answer: String,
    /// Engines that gave this answer.
    pub confirmed_by: Vec<&'static str>,
}

impl ProofReport {
    /// A report without statements.
    pub fn new(subject: &str, solver: String, timeout_seconds: f64, memory_mib: u64) -> ProofReport {
        ProofReport {
            tensorsmith: VERSION,
            command: "prove",
            subject: subject.to_owned(),
            solver,
            timeout_seconds,
            memory_mib,
            statements: Vec::new(),
            inapplicable: Vec::new(),
            tables: Vec::new(),
        }
    }

    /// Statements of that verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.statements.iter().filter(|statement| statement.verdict == verdict).count()
    }
}

impl ProofStatement {
    /// A statement, and what a published work says of it.
    pub fn new(statement: &Statement, source: Option<&'static str>, published: Option<Published>) -> ProofStatement {
        ProofStatement {
            name: statement.name.clone(),
            statement: statement.statement.clone(),
            expected: statement.expected,
            source,
            published_z3: published.map(|published| published.z3),
            published_cvc5: published.map(|published| published.cvc5),
            verdict: statement.verdict(),
            reason: statement.reason(),
            seconds: statement.seconds(),
            cached: statement.cached(),
            questions: statement.questions.iter().map(ProofQuestion::of).collect(),
        }
    }
}

impl ProofQuestion {
    fn of(settled: &Settled) -> ProofQuestion {
        let (found, witness) = match &settled.found {
            Found::Witness(parts) => ("witness", parts.iter().map(ProofWitness::of).collect()),
            Found::None => ("none", Vec::new()),
            Found::Unknown(_) => ("unknown", Vec::new()),
        };
        let Settled { label, seconds, cached, note, .. } = settled.clone();
        ProofQuestion { label, found, seconds, cached, note, witness }
    }
}

impl ProofWitness {
    fn of(confirmed: &Confirmed) -> ProofWitness {
        ProofWitness {
            unit: confirmed.name.clone(),
            operands: OperandReport::of(&confirmed.vector),
            answer: format!("{:#x}", confirmed.answer),
            confirmed_by: confirmed.by.clone(),
        }
    }
}
