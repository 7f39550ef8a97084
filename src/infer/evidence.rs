//! What was found, and which answers excluded what. Never more than the answers say: a value that no vector could tell from
//! the one reported is listed beside it.

use super::black_box::{Block, Memory};
use super::distinguish::size;
use super::fit::{Refuted, differing, first_difference};
use super::setting::Setting;
use super::space::{Space, derive};
use super::{Evaluator, no_effect};
use crate::describe::instruction::Instruction;
use crate::engine::{Batch, Vector};

/// An answer, and the values that it excluded.
#[derive(Debug, Clone)]
pub struct Exclusion {
    pub vector: Vector,
    pub answer: u64,
    pub excluded: Vec<String>,
}

/// A value for which no difference from the one reported was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indifferent {
    pub value: String,
    pub reason: String,
}

/// One parameter of the hypothesis found.
#[derive(Debug, Clone)]
pub struct ParameterEvidence {
    pub field: &'static str,
    pub value: String,
    pub exclusions: Vec<Exclusion>,
    pub indifferent: Vec<Indifferent>,
}

/// A hypothesis that explains every answer.
#[derive(Debug, Clone)]
pub struct Finding {
    pub hypothesis: Instruction,
    pub parameters: Vec<ParameterEvidence>,
    /// The best of other schemes and compositions, with answers that it does not explain.
    pub refuted: Vec<Refuted>,
    /// Hypotheses of other schemes and compositions that no vector could tell from the one found.
    pub equivalent: Vec<Instruction>,
    /// Whether only recorded answers were there.
    pub recorded: bool,
    /// Vectors that the engine was asked, or that were recorded, and how many of them only confirmed.
    pub asked: u64,
    pub confirmed: u64,
}

/// Alternatives of a hypothesis that no answer in the memory excludes, and what excluded the others.
pub(super) struct Account {
    pub parameters: Vec<ParameterEvidence>,
    pub open: Vec<(Setting, Instruction)>,
}

/// Looks for what excludes each single change of a hypothesis, from the smallest vector on. An answer that excluded one value
/// is tried first on the next.
pub(super) fn account(space: &Space, evaluate: Evaluator, hypothesis: &Instruction, memory: &Memory) -> Account {
    let memory = &smallest_first(hypothesis, memory);
    let mut account = Account { parameters: Vec::new(), open: Vec::new() };
    for parameter in space.parameters(hypothesis) {
        let Some(own) = parameter.iter().find(|setting| leaves(setting, hypothesis)) else { continue };
        let mut excluding: Vec<(usize, Vec<String>)> = Vec::new();
        for (setting, other) in space.alternatives(hypothesis, &parameter) {
            let mut engine = evaluate(&other);
            let mut excludes = |index: usize| {
                let (vector, answer) = memory.entry(index);
                !differing(engine.as_mut(), &Block { batch: Batch::of(&vector), answers: vec![answer] }).is_empty()
            };
            if let Some((_, excluded)) = excluding.iter_mut().find(|(index, _)| excludes(*index)) {
                excluded.push(setting.text());
                continue;
            }
            match first_difference(engine.as_mut(), memory) {
                Some(index) => excluding.push((index, vec![setting.text()])),
                None => account.open.push((setting.clone(), other)),
            }
        }
        let exclusions = excluding.into_iter().map(|(index, excluded)| {
            let (vector, answer) = memory.entry(index);
            Exclusion { vector, answer, excluded }
        });
        account.parameters.push(ParameterEvidence {
            field: own.field(),
            value: own.text(),
            exclusions: exclusions.collect(),
            indifferent: Vec::new(),
        });
    }
    account
}

/// The same vectors and answers in the order of [`Size`](super::distinguish::Size).
fn smallest_first(hypothesis: &Instruction, memory: &Memory) -> Memory {
    let frame = hypothesis.frame();
    let mut order: Vec<_> = (0..memory.len()).map(|index| (size(&frame, &memory.entry(index).0), index)).collect();
    order.sort_unstable();
    let mut sorted = Memory::new(memory.empty_batch());
    for (_, index) in order {
        let (vector, answer) = memory.entry(index);
        sorted.push(&vector, answer);
    }
    sorted
}

/// Whether a hypothesis has the value already.
fn leaves(setting: &Setting, hypothesis: &Instruction) -> bool {
    let mut same = hypothesis.clone();
    setting.apply(&mut same);
    derive(&mut same);
    same == *hypothesis
}

/// Why a value makes no difference, as far as that is known.
pub(super) fn reason(setting: &Setting, hypothesis: &Instruction, searched: u64) -> String {
    let searched = || format!("no difference on {searched} vectors that were looked through");
    no_effect::why(setting, hypothesis).unwrap_or_else(searched)
}
