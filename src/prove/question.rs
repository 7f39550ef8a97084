//! Questions about units: a flag that may or may not be satisfiable, with the units whose text it rests on, so that a witness
//! can be confirmed by those who know nothing of terms.

use std::collections::HashMap;
use std::time::Duration;

use dashu_int::IBig;
use thiserror::Error;

use super::ask::Prover;
use super::order;
use super::smt::Query;
use super::solver::{Answer, Reason};
use super::sum::Sum;
use super::{InputTerms, UnitTerms};
use crate::compute::reference;
use crate::compute::word::Word;
use crate::compute::word::term::{Claim, Graph, Node, NodeId, Term, TermFlag};
use crate::describe::catalogue;
use crate::describe::unit::Unit;
use crate::engine::{Batch, Emulator, Kind, Opened, Vector};

/// A unit that takes part in a question, run on operands of the question's.
#[derive(Debug, Clone)]
pub struct Part {
    /// The unit, or that of a sum's blocks.
    pub unit: Unit,
    /// What answers the operands, where that is no unit alone.
    pub sum: Option<Sum>,
    pub terms: UnitTerms,
}

impl Part {
    /// A unit alone.
    pub fn of(unit: Unit, terms: UnitTerms) -> Part {
        Part { unit, sum: None, terms }
    }

    /// A sum of several runs, or of one, on these operands, in the graph that is being built.
    pub fn of_sum(sum: &Sum, inputs: &InputTerms) -> Part {
        let several = (!sum.is_alone()).then(|| sum.clone());
        Part { unit: sum.unit().clone(), sum: several, terms: sum.run(inputs) }
    }
}

/// Nodes that become variables of that name.
pub type Cut = HashMap<NodeId, String>;

/// Is there an input for which the flag holds?
#[derive(Debug, Clone)]
pub struct Question {
    pub graph: Graph,
    pub flag: NodeId,
    pub parts: Vec<Part>,
    /// Wider questions that are easier: an input of the question is one of each of them, so that none there is none here.
    pub wider: Vec<Cut>,
    /// Questions of which this one has no input if none of them has one. What they find is no input of this one.
    pub steps: Vec<Question>,
    /// Narrower questions that are easier: more flags that shall hold.
    pub narrower: Vec<NodeId>,
    /// Inputs that are tried before a solver is asked: a number for each variable.
    pub known: Vec<Vec<IBig>>,
    /// That one of them holds: other questions were left out for it.
    known_holds: bool,
}

/// A unit's vector and its answer, on which all agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmed {
    /// The unit, or that of a sum's blocks.
    pub unit: Unit,
    /// Of the unit, or of the instruction that is run.
    pub name: String,
    pub vector: Vector,
    pub answer: u64,
    /// Who gave that answer.
    pub by: Vec<&'static str>,
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Such an input, as each unit sees it.
    Witness(Vec<Confirmed>),
    /// There is none.
    None,
    Unknown(Reason),
}

/// A question's outcome and its cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub found: Found,
    /// Time of the solver's processes, also of those whose answers were taken from the cache.
    pub seconds: f64,
    /// Whether every answer came from the cache.
    pub cached: bool,
}

/// Terms, emulator, reference and RTL do not agree on a witness: a fault of this program, and no verdict.
#[derive(Debug, Error)]
#[error("internal error: a witness is not confirmed: {0}")]
pub struct Unconfirmed(String);

impl Unconfirmed {
    pub(super) fn new(what: String) -> Unconfirmed {
        Unconfirmed(what)
    }
}

impl Question {
    /// The question, which one of the known inputs answers: where none does it is no question but a fault.
    #[must_use]
    pub fn known_to_hold(self) -> Question {
        Question { known_holds: true, ..self }
    }

    /// A question about what `text` builds: it returns the flag and the units that take part.
    pub fn new(text: impl FnOnce() -> (TermFlag, Vec<Part>)) -> Question {
        let (graph, (flag, parts)) = Graph::build(text);
        Question::of(graph, flag, parts)
    }

    fn of(graph: Graph, flag: TermFlag, parts: Vec<Part>) -> Question {
        Question {
            graph,
            flag: flag.node(),
            parts,
            wider: Vec::new(),
            steps: Vec::new(),
            narrower: Vec::new(),
            known: Vec::new(),
            known_holds: false,
        }
    }

    /// The same question, which is asked first of every value of these terms. Where a term is a flag as a number, of the
    /// flag.
    #[must_use]
    pub fn or_wider(mut self, terms: impl IntoIterator<Item = Term>) -> Question {
        let mut cut = Cut::new();
        for (index, term) in terms.into_iter().enumerate() {
            let node = match *self.graph.node(term.node()) {
                Node::Select { flag, yes, no } if self.is_constant(yes) && self.is_constant(no) => flag,
                _ => term.node(),
            };
            cut.insert(node, format!("cut[{index}]"));
        }
        self.wider.push(cut);
        self
    }

    fn is_constant(&self, node: NodeId) -> bool {
        matches!(self.graph.node(node), Node::Constant(_))
    }

    /// Asks.
    ///
    /// # Errors
    /// A witness is not confirmed.
    pub fn ask(&self, prover: &Prover) -> Result<Outcome, Unconfirmed> {
        self.check_claims()?;
        let holds = |numbers: &&Vec<IBig>| self.graph.evaluate(numbers).holds(self.flag);
        if let Some(numbers) = self.known.iter().find(holds) {
            let found = Found::Witness(self.confirmed(numbers)?);
            return Ok(Outcome { found, seconds: 0.0, cached: false });
        }
        if self.known_holds {
            return Err(Unconfirmed::new("a vector that emulators were asked is none of the terms".to_owned()));
        }
        let (mut time, mut cached) = (Duration::ZERO, true);
        let mut found = None;
        if !self.steps.is_empty() && self.no_step_finds(prover, &mut time, &mut cached)? {
            found = Some(Found::None);
        }
        let mut last = |query: &Query| {
            let asked = prover.ask(query);
            time += asked.time;
            cached &= asked.cached;
            asked.answer
        };
        for cut in &self.wider {
            if found.is_some() {
                break;
            }
            let rebuilt = self.graph.cut(&[self.flag], cut);
            let flag = rebuilt.copy_of(self.flag).expect("a root is copied");
            let query = Query { graph: &rebuilt.graph, asserted: vec![flag] };
            if last(&query) == Answer::Unsatisfiable {
                found = Some(Found::None);
            }
        }
        for narrower in &self.narrower {
            let query = Query { graph: &self.graph, asserted: vec![self.flag, *narrower] };
            if found.is_none()
                && let Answer::Satisfiable(numbers) = last(&query)
            {
                found = Some(Found::Witness(self.confirmed(&numbers)?));
            }
        }
        let found = match found {
            Some(found) => found,
            None => match last(&Query { graph: &self.graph, asserted: vec![self.flag] }) {
                Answer::Satisfiable(numbers) => Found::Witness(self.confirmed(&numbers)?),
                Answer::Unsatisfiable => Found::None,
                Answer::Unknown(reason) => Found::Unknown(reason),
            },
        };
        Ok(Outcome { found, seconds: time.as_secs_f64(), cached })
    }

    /// Whether none of the steps finds anything; asked until one does, or is not answered.
    fn no_step_finds(&self, prover: &Prover, time: &mut Duration, cached: &mut bool) -> Result<bool, Unconfirmed> {
        for step in &self.steps {
            let Outcome { found, seconds, cached: kept } = step.ask(prover)?;
            *time += Duration::from_secs_f64(seconds);
            *cached &= kept;
            if found != Found::None {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Claims of the datapath text are proved by themselves. A specification may make none that its ranges do not show.
    fn check_claims(&self) -> Result<(), Unconfirmed> {
        let own = |claim: &&Claim| !claim.shown && !claim.place.file().contains("datapath");
        match self.graph.claims().iter().find(own) {
            Some(claim) => {
                Err(Unconfirmed::new(format!("a specification rests on a claim of its own: {}", claim.place)))
            }
            None => Ok(()),
        }
    }

    /// The answers of all parts to a witness, of the terms, the emulator, the reference and, where it is built in, the RTL.
    fn confirmed(&self, numbers: &[IBig]) -> Result<Vec<Confirmed>, Unconfirmed> {
        let values = self.graph.evaluate(numbers);
        let number = |term: Term| u64::try_from(values.of(term.node())).unwrap_or_default();
        let confirm = |part: &Part| {
            let vector = part.terms.inputs.vector(number);
            let answer = number(part.terms.answer);
            match &part.sum {
                Some(sum) => confirm_sum(sum, vector, answer),
                None => confirm(&part.unit, vector, answer),
            }
        };
        self.parts.iter().map(confirm).collect()
    }
}

/// Asks emulator, reference and built-in RTL for the answer that the terms gave.
fn confirm(unit: &Unit, vector: Vector, answer: u64) -> Result<Confirmed, Unconfirmed> {
    let failed = |error: crate::engine::EngineError| Unconfirmed(error.to_string());
    let mut answers = vec![
        ("emulator", Emulator::new(unit).evaluate(vector.inputs()).map_err(failed)?),
        ("reference", reference::evaluate(&unit.arithmetic(), vector.inputs())),
    ];
    // Only units of the catalogue are built in; others would be built now.
    if cfg!(feature = "rtl")
        && catalogue::unit(&unit.name).as_ref() == Some(unit)
        && let Opened::Ready(mut engine) = Kind::Rtl.open(unit).map_err(failed)?
    {
        let results = engine.answers(&Batch::of(&vector)).map_err(failed)?;
        answers.push(("rtl", results[0]));
    }
    agreed(unit, &unit.name, vector, answer, &answers)
}

/// The same of a sum of several runs.
fn confirm_sum(sum: &Sum, vector: Vector, answer: u64) -> Result<Confirmed, Unconfirmed> {
    let answers = sum.answers(&vector).map_err(|error| Unconfirmed(error.to_string()))?;
    agreed(sum.unit(), &sum.interface().name, vector, answer, &answers)
}

/// An answer that all gave.
fn agreed(
    unit: &Unit,
    name: &str,
    vector: Vector,
    answer: u64,
    answers: &[(&'static str, u64)],
) -> Result<Confirmed, Unconfirmed> {
    match answers.iter().find(|(_, other)| *other != answer) {
        Some((who, other)) => {
            Err(Unconfirmed(format!("{name}: the terms answer {answer:#x}, {who} {other:#x}, to {vector:x?}")))
        }
        None => {
            let by = answers.iter().map(|(who, _)| *who).collect();
            Ok(Confirmed { unit: unit.clone(), name: name.to_owned(), vector, answer, by })
        }
    }
}

/// The question whether any claim of the parts' text is broken. None is where this has no witness: of an input that breaks
/// some, the first one in the order of the text is computed from numbers that no claim has changed.
pub fn any_broken_claim(build: impl FnOnce() -> Vec<Part>) -> Question {
    let (graph, parts) = Graph::build(build);
    let open = |claim: &&Claim| !claim.shown && !order::shows(&graph, claim);
    let left: Vec<_> = graph.claims().iter().filter(open).cloned().collect();
    let (graph, flag) = graph.extend(|| {
        let mut any = <TermFlag as crate::compute::word::Flag>::constant(false);
        for claim in left {
            let number = Term::at(claim.of).expect("claims speak of numbers");
            let (low, high) = (Term::number(claim.range.low), Term::number(claim.range.high));
            any = any | number.less_than(low) | high.less_than(number);
        }
        any
    });
    Question::of(graph, flag, parts)
}
