//! Proofs in LRAT format: every derived clause names the clauses that it follows from by unit propagation
//! (Cruz-Filipe et al., Efficient Certified RAT Verification, CADE 2017).
//!
//! The check is forward, by the hints alone, and trusts nothing of the solver. It knows no step but unit propagation.

use std::collections::HashMap;
use std::fmt::Write;

use crate::prove::aig::Cnf;

/// A derived clause. Clauses of the formula have the numbers 1 and up, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub id: u64,
    pub clause: Vec<i32>,
    pub hints: Vec<u64>,
}

/// Derived clauses in order; the last one of a refutation is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proof {
    pub steps: Vec<Step>,
}

impl Proof {
    /// The text in LRAT format.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for step in &self.steps {
            let _ = write!(text, "{}", step.id);
            for literal in &step.clause {
                let _ = write!(text, " {literal}");
            }
            text.push_str(" 0");
            for hint in &step.hints {
                let _ = write!(text, " {hint}");
            }
            text.push_str(" 0\n");
        }
        text
    }

    /// Reads the text; deletions are passed over.
    ///
    /// # Errors
    /// A line is no step: which, and why.
    pub fn parse(text: &str) -> Result<Proof, String> {
        let mut proof = Proof::default();
        for (index, line) in text.lines().enumerate() {
            let numbers = line.split_whitespace();
            if numbers.clone().nth(1) == Some("d") {
                continue;
            }
            let step = step(numbers).ok_or_else(|| format!("line {}: {line:?} is no step of a proof", index + 1))?;
            proof.steps.push(step);
        }
        Ok(proof)
    }

    /// The steps that the last one depends on.
    pub fn trimmed(mut self) -> Proof {
        let mut needed = std::collections::HashSet::new();
        needed.extend(self.steps.last().map(|step| step.id));
        for step in self.steps.iter().rev() {
            if needed.contains(&step.id) {
                needed.extend(step.hints.iter().copied());
            }
        }
        self.steps.retain(|step| needed.contains(&step.id));
        self
    }
}

fn step<'a>(mut numbers: impl Iterator<Item = &'a str>) -> Option<Step> {
    let id = numbers.next()?.parse().ok()?;
    let mut clause = Vec::new();
    loop {
        match numbers.next()?.parse().ok()? {
            0 => break,
            literal => clause.push(literal),
        }
    }
    let mut hints = Vec::new();
    loop {
        match numbers.next()?.parse().ok()? {
            0 => break,
            hint => hints.push(hint),
        }
    }
    numbers.next().is_none().then_some(Step { id, clause, hints })
}

/// Checks that a proof refutes a formula.
///
/// # Errors
/// A step does not follow, or no empty clause is derived.
pub fn check(cnf: &Cnf, proof: &Proof) -> Result<(), String> {
    let mut clauses: HashMap<u64, &[i32]> = HashMap::with_capacity(cnf.clauses.len() + proof.steps.len());
    for (index, clause) in cnf.clauses.iter().enumerate() {
        clauses.insert(index as u64 + 1, clause);
    }
    let variables = cnf.variables.max(largest(proof));
    let mut holds = vec![0i8; variables + 1];
    for step in &proof.steps {
        follows(step, &clauses, &mut holds).map_err(|why| format!("step {}: {why}", step.id))?;
        if clauses.insert(step.id, &step.clause).is_some() {
            return Err(format!("step {}: the number is taken", step.id));
        }
    }
    match proof.steps.iter().any(|step| step.clause.is_empty()) || cnf.clauses.iter().any(Vec::is_empty) {
        true => Ok(()),
        false => Err("no empty clause is derived".to_owned()),
    }
}

fn largest(proof: &Proof) -> usize {
    proof.steps.iter().flat_map(|step| &step.clause).map(|literal| literal.unsigned_abs() as usize).max().unwrap_or(0)
}

/// Whether the inverse of a step's clause leads to a conflict by its hints in turn.
fn follows(step: &Step, clauses: &HashMap<u64, &[i32]>, holds: &mut [i8]) -> Result<(), String> {
    let mut assigned: Vec<usize> = Vec::new();
    let mut assign = |literal: i32, holds: &mut [i8]| {
        let variable = literal.unsigned_abs() as usize;
        holds[variable] = literal.signum() as i8;
        assigned.push(variable);
    };
    for &literal in &step.clause {
        assign(-literal, holds);
    }
    let outcome = (|| {
        for hint in &step.hints {
            let clause = clauses.get(hint).ok_or_else(|| format!("clause {hint} is not known"))?;
            let mut open = None;
            for &literal in *clause {
                let value = holds.get(literal.unsigned_abs() as usize).ok_or("a variable is out of range")?;
                match i32::from(*value) * literal.signum() {
                    -1 => {}
                    0 if open.is_none_or(|other| other == literal) => open = Some(literal),
                    _ => return Err(format!("clause {hint} is neither unit nor false")),
                }
            }
            match open {
                Some(literal) => assign(literal, holds),
                None => return Ok(()),
            }
        }
        Err("its hints lead to no conflict".to_owned())
    })();
    assigned.into_iter().for_each(|variable| holds[variable] = 0);
    outcome
}
