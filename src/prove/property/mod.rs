//! Properties of units, each a statement about all inputs (or that there is one), made into questions.
//!
//! Architecture invariant: what is claimed is written from the unit's description and the definition of its formats
//! (`numbers`), what is examined is the datapath text; a plan is read only to know what the text's signals mean.

mod carry;
mod conversion;
mod instruction;
mod monotone;
mod order;
mod slice_probes;
mod slices;
mod special;
mod stages;

pub(super) use carry::{apart, with_carry_bits};
pub use instruction::task_of_instruction;
pub use slices::Slices;

use std::sync::Arc;

use super::settle::{Check, Expected, Questions, Task};
use super::{InputTerms, Part, Question, UnitTerms, any_broken_claim};
use crate::compute::word::term::{Term, TermFlag};
use crate::compute::word::{Flag, Word};
use crate::describe::format::Format;
use crate::describe::plan::{FusedPlan, Plan};
use crate::describe::unit::{Formats, Scheme, Unit};

/// A unit, and the plan that its text runs on: another than its own for a unit that is broken on purpose.
#[derive(Debug, Clone)]
pub struct Subject {
    pub unit: Unit,
    pub plan: Plan,
    /// Whether the plan is the unit's own, so that emulator and reference answer for it.
    genuine: bool,
    /// Which operand b each product takes: its own, except in a unit that is broken on purpose.
    order_of_b: Vec<usize>,
    /// Slices whose sums are asked about.
    slices: Option<Slices>,
}

impl Subject {
    /// A unit as it is.
    pub fn of(unit: &Unit) -> Subject {
        Subject {
            unit: unit.clone(),
            plan: Plan::of(unit),
            genuine: true,
            order_of_b: (0..unit.products as usize).collect(),
            slices: None,
        }
    }

    /// The same, of which sums of these slices are asked.
    #[must_use]
    pub fn with_slices(self, slices: Slices) -> Subject {
        Subject { slices: Some(slices), ..self }
    }

    /// The text on another plan than the unit's own. Its witnesses are confirmed by nobody.
    #[must_use]
    pub fn with_plan(self, plan: Plan) -> Subject {
        Subject { genuine: false, plan, ..self }
    }

    /// The text with operands b in another order. Its witnesses are confirmed by nobody.
    #[must_use]
    pub fn with_order_of_b(self, order_of_b: Vec<usize>) -> Subject {
        Subject { genuine: false, order_of_b, ..self }
    }

    /// The text on these operands, in the graph that is being built.
    fn run(&self, inputs: &InputTerms) -> UnitTerms {
        let mut given = inputs.clone();
        given.b = self.order_of_b.iter().map(|index| inputs.b[*index]).collect();
        UnitTerms { inputs: inputs.clone(), ..UnitTerms::on(&self.plan, given) }
    }

    /// Those who can confirm what the text says.
    fn parts(&self, terms: &UnitTerms) -> Vec<Part> {
        match self.genuine {
            true => vec![Part::of(self.unit.clone(), terms.clone())],
            false => Vec::new(),
        }
    }

    /// A question about one run of the text.
    fn question(&self, flag: impl FnOnce(&UnitTerms) -> TermFlag) -> (Question, UnitTerms) {
        let mut run = None;
        let question = Question::new(|| {
            let terms = self.run(&InputTerms::new(&self.unit));
            let flag = flag(&terms);
            let parts = self.parts(&terms);
            run = Some(terms);
            (flag, parts)
        });
        (question, run.expect("the text has run"))
    }

    fn fused(&self) -> &FusedPlan {
        self.plan.fused().expect("properties of stages are asked of fused sums only")
    }
}

/// A kind of statement.
pub struct Property {
    pub name: &'static str,
    /// What it says, for people.
    pub statement: &'static str,
    expected: Expected,
    /// Why it says nothing of a unit, if so.
    inapplicable: fn(&Subject) -> Option<String>,
    questions: fn(&Arc<Subject>) -> Questions,
    premises: fn(&Arc<Subject>) -> Questions,
    /// What reads a witness again.
    check: Option<fn(&Arc<Subject>) -> Check>,
}

impl Property {
    /// All properties, in the order of the datapath.
    pub fn all() -> Vec<Property> {
        let all = [stages::properties(), carry::properties(), conversion::properties(), special::properties()];
        let first = Property {
            name: "no-overflow",
            statement: "every internal number fits the width that the plan gives it, for every input",
            expected: Expected::None,
            inapplicable: |_| None,
            questions: |subject| one(subject, no_overflow),
            premises: |_| Vec::new(),
            check: None,
        };
        let last = [order::properties(), monotone::properties(), slices::properties()];
        [first].into_iter().chain(all.into_iter().flatten()).chain(last.into_iter().flatten()).collect()
    }

    /// The property of that name.
    pub fn named(name: &str) -> Option<Property> {
        Property::all().into_iter().find(|property| property.name == name)
    }

    /// The property of a unit as a task, or why it says nothing of it. What is proved rests on no internal width overflowing,
    /// which is asked too.
    ///
    /// # Errors
    /// The reason.
    pub fn task(&self, subject: &Subject) -> Result<Task, String> {
        if let Some(reason) = (self.inapplicable)(subject) {
            return Err(reason);
        }
        let shared = Arc::new(subject.clone());
        let questions = (self.questions)(&shared);
        let premises = (self.premises)(&shared);
        Ok(Task {
            name: self.name.to_owned(),
            statement: self.statement.to_owned(),
            expected: self.expected,
            questions,
            premises,
            check: self.check.map(|check| check(&shared)),
        })
    }
}

/// That no internal width of the unit overflows.
fn own_widths(subject: &Arc<Subject>) -> Questions {
    let subject = Arc::clone(subject);
    vec![("no internal width overflows".to_owned(), Box::new(move || no_overflow(&subject)))]
}

/// A property of one question.
fn one(subject: &Arc<Subject>, question: fn(&Subject) -> Question) -> Questions {
    let subject = Arc::clone(subject);
    vec![(String::new(), Box::new(move || question(&subject)))]
}

/// Where a text can be cut so that what follows is asked of any number there: sums, anchors, and results of steps.
const JOINTS: [&str; 3] = ["sum", "anchor", "step"];

/// Whether any internal number exceeds its width.
pub(super) fn no_overflow(subject: &Subject) -> Question {
    let mut cut = Vec::new();
    let question = any_broken_claim(|| {
        let terms = subject.run(&InputTerms::new(&subject.unit));
        let joints = terms.signals.iter().filter(|(signal, _)| JOINTS.contains(&signal.name));
        cut = joints.flat_map(|(_, terms)| terms.clone()).collect();
        subject.parts(&terms)
    });
    if cut.is_empty() { question } else { question.or_wider(cut) }
}

/// The reason of units that have no one alignment and no one sum of terms.
fn not_fused(subject: &Subject) -> Option<String> {
    match subject.plan {
        Plan::Fused(_) => None,
        _ => Some(format!("it is a property of the schemes fused and exact, not of {}", subject.unit.scheme.name())),
    }
}

/// The same, of units whose alignment and carry bits are given.
fn not_only_fused(subject: &Subject) -> Option<String> {
    let own = (subject.unit.scheme != Scheme::Fused)
        .then(|| format!("it is a property of the scheme fused, not of {}", subject.unit.scheme.name()));
    not_fused(subject).or(own)
}

fn any(flags: impl IntoIterator<Item = TermFlag>) -> TermFlag {
    flags.into_iter().fold(TermFlag::constant(false), |any, flag| any | flag)
}

/// Whether a datum is infinite.
pub(super) fn is_infinite(format: &Format, encoding: Term) -> TermFlag {
    match format.infinity(false) {
        Some(infinity) => {
            let magnitude = encoding.field(format.padding_bits, format.exponent_bits + format.fraction_bits);
            magnitude.equals(Term::bits(format.magnitude(infinity)))
        }
        None => TermFlag::constant(false),
    }
}

/// Whether all operands are numbers.
fn finite(formats: &Formats, inputs: &InputTerms) -> TermFlag {
    let number = |format: &Format, encoding: Term| super::numbers::Number::decoded(format, encoding).finite;
    let mut all = TermFlag::constant(true);
    for (a, b) in inputs.a.iter().zip(&inputs.b) {
        all = all & number(&formats.a, *a) & number(&formats.b, *b);
    }
    if formats.has_addend() { all & number(&formats.c, inputs.c) } else { all }
}
