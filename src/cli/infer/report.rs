//! What `tensorsmith infer` found, as programs read it.

use serde::Serialize;

use tensorsmith::describe::unit::Scheme;
use tensorsmith::emit::SourceFile;
use tensorsmith::engine::Vector;
use tensorsmith::infer::{
    Contradiction, Decision, Equivalent, Exclusion, Finding, Indistinguishable, ParameterEvidence, Refuted,
    composition, vector_text,
};
use tensorsmith::report::{CosimReport, OperandReport, VERSION};

#[derive(Serialize)]
pub(super) struct Report {
    pub tensorsmith: &'static str,
    pub command: &'static str,
    pub subject: String,
    /// The engine, or the file of a recording.
    pub engine: String,
    /// The engine's version, or of each recording the device, the engine and its version.
    pub answered_by: Vec<String>,
    /// Whether the answers were recorded.
    pub recorded: bool,
    pub seed: u64,
    pub found: bool,
    pub scheme: Option<&'static str>,
    pub composition: Option<String>,
    pub files: Vec<FileRow>,
    pub asked: u64,
    pub confirmed: u64,
    pub seconds: f64,
    /// The solver that is asked about what no vector distinguishes, where there is one.
    pub solver: Option<String>,
    pub parameters: Vec<ParameterRow>,
    pub refuted: Vec<RefutedRow>,
    pub equivalent: Vec<OtherRow>,
    pub contradiction: Vec<AnswerRow>,
    pub space: Vec<&'static str>,
    pub cosim: Option<CosimReport>,
}

/// A file of what was found.
#[derive(Serialize)]
pub(super) struct FileRow {
    pub name: String,
    pub text: String,
}

#[derive(Serialize)]
pub(super) struct ParameterRow {
    pub field: &'static str,
    pub value: String,
    pub exclusions: Vec<ExclusionRow>,
    pub indistinguishable: Vec<ValueRow>,
    /// Its value and those indistinguishable from it, in few words: numbers as intervals.
    pub fits: String,
}

#[derive(Serialize)]
pub(super) struct ExclusionRow {
    pub answer: AnswerRow,
    /// The feature test that has the vector, or null.
    pub test: Option<&'static str>,
    pub excluded: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct ValueRow {
    pub value: String,
    pub reason: String,
}

#[derive(Serialize)]
pub(super) struct RefutedRow {
    pub scheme: &'static str,
    pub composition: String,
    pub answers_against: usize,
    pub first: Option<AnswerRow>,
}

#[derive(Serialize)]
pub(super) struct OtherRow {
    pub scheme: &'static str,
    pub composition: String,
    /// Of recorded answers; none where an engine answers.
    pub parameters: Vec<ParameterRow>,
    /// None where no solver was asked.
    pub decision: Option<DecisionRow>,
    /// For people: that it fits as well; and of each parameter that differs there from what was found, the values that fit.
    #[serde(skip)]
    pub text: String,
    #[serde(skip)]
    pub differing: Vec<String>,
}

/// What a solver says of two hypotheses that no vector distinguishes.
#[derive(Serialize)]
pub(super) struct DecisionRow {
    pub proved: bool,
    pub reason: String,
}

#[derive(Serialize)]
pub(super) struct AnswerRow {
    #[serde(flatten)]
    operands: OperandReport,
    d: String,
    /// For people.
    #[serde(skip)]
    pub text: String,
}

impl Report {
    /// A report of nothing yet, of an engine.
    pub fn new(subject: String, engine: String, seed: u64) -> Report {
        Report {
            tensorsmith: VERSION,
            command: "infer",
            subject,
            engine,
            answered_by: Vec::new(),
            recorded: false,
            seed,
            found: false,
            scheme: None,
            composition: None,
            files: Vec::new(),
            asked: 0,
            confirmed: 0,
            seconds: 0.0,
            solver: None,
            parameters: Vec::new(),
            refuted: Vec::new(),
            equivalent: Vec::new(),
            contradiction: Vec::new(),
            space: Scheme::ALL.into_iter().map(Scheme::name).collect(),
            cosim: None,
        }
    }

    /// What answered, with its versions.
    pub fn answerer(&self) -> String {
        format!("{} ({})", self.engine, self.answered_by.join("; "))
    }

    /// What was found, with its files.
    pub fn found(&mut self, finding: &Finding, files: &[SourceFile]) {
        self.found = true;
        self.scheme = Some(finding.hypothesis.unit.scheme.name());
        self.composition = Some(composition(&finding.hypothesis));
        let file = |file: &SourceFile| FileRow { name: file.name.clone(), text: file.text.clone() };
        self.files = files.iter().map(file).collect();
        (self.asked, self.confirmed) = (finding.asked, finding.confirmed);
        self.parameters = finding.parameters.iter().map(parameter_row).collect();
        self.refuted = finding.refuted.iter().map(refuted_row).collect();
        self.equivalent = finding.equivalent.iter().map(|other| other_row(other, finding)).collect();
    }

    /// That nothing was found that fits.
    pub fn nothing(&mut self, contradiction: &Contradiction) {
        self.asked = contradiction.asked;
        self.refuted = contradiction.best.iter().map(refuted_row).collect();
        let together = contradiction.together.iter();
        self.contradiction = together.map(|(vector, answer)| answer_row(vector, *answer)).collect();
    }
}

fn other_row(other: &Equivalent, finding: &Finding) -> OtherRow {
    let (scheme, composition) = (other.hypothesis.unit.scheme.name(), composition(&other.hypothesis));
    let what = format!("{scheme}, {composition}");
    let differing = other.differing(&finding.parameters).map(|own| format!("{}: {}", own.field, own.fitting()));
    let differing: Vec<String> = differing.collect();
    let text = match (finding.recorded, differing.is_empty()) {
        (false, _) => other.equality(&what),
        (true, true) => format!("the recorded answers fit {what} as well"),
        (true, false) => format!("the recorded answers fit {what} as well, which differs in"),
    };
    let decision = other.decision.as_ref().and_then(decision_row);
    let parameters = other.parameters.iter().map(parameter_row).collect();
    OtherRow { scheme, composition, parameters, decision, text, differing }
}

fn answer_row(vector: &Vector, answer: u64) -> AnswerRow {
    AnswerRow {
        operands: OperandReport::of(vector),
        d: format!("{answer:#x}"),
        text: format!("{}: {answer:#x}", vector_text(vector)),
    }
}

fn parameter_row(parameter: &ParameterEvidence) -> ParameterRow {
    let exclusion = |exclusion: &Exclusion| ExclusionRow {
        answer: answer_row(&exclusion.vector, exclusion.answer),
        test: exclusion.test,
        excluded: exclusion.excluded.clone(),
    };
    let other = |other: &Indistinguishable| ValueRow { value: other.value.clone(), reason: other.reason.clone() };
    ParameterRow {
        field: parameter.field,
        value: parameter.value.clone(),
        exclusions: parameter.exclusions.iter().map(exclusion).collect(),
        indistinguishable: parameter.indistinguishable.iter().map(other).collect(),
        fits: parameter.fitting(),
    }
}

fn refuted_row(refuted: &Refuted) -> RefutedRow {
    RefutedRow {
        scheme: refuted.hypothesis.unit.scheme.name(),
        composition: composition(&refuted.hypothesis),
        answers_against: refuted.by.len(),
        first: refuted.by.first().map(|(vector, answer)| answer_row(vector, *answer)),
    }
}

/// What a solver distinguishes is not listed as equivalent.
fn decision_row(decision: &Decision) -> Option<DecisionRow> {
    match decision {
        Decision::Proved(reason) => Some(DecisionRow { proved: true, reason: reason.clone() }),
        Decision::Unknown(reason) => Some(DecisionRow { proved: false, reason: reason.clone() }),
        Decision::Refuted(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tensorsmith::describe::catalogue;

    #[test]
    fn compositions_in_words() {
        let expected = [
            ("volta-mma-m8n8k4-fp16-fp32", "4 products"),
            ("volta-wmma-m16n16k16-fp16-fp32", "4 blocks of 4 products, contiguous, chained from c"),
            ("hopper-mma-m16n8k32-e4m3-fp16", "2 blocks of 16 products, interleaved pairs, from zero, c added last"),
        ];
        for (name, words) in expected {
            let mut instruction = catalogue::instruction(name).expect("an instruction of the catalogue");
            assert_eq!(composition(&instruction), words, "{name}");
            if instruction.blocks().len() == 4 {
                instruction.unit.products = 5;
                let words = "4 blocks of 5 products, the last of 1, contiguous, chained from c";
                assert_eq!(composition(&instruction), words);
            }
        }
    }
}
