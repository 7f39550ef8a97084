//! What was proved of units, for all inputs. Proves nothing itself.

use serde::Serialize;

use super::{Cell, Difference, State, Total};
use crate::prove::settle::Verdict;
use crate::report::{ProofReport, RtlReport, thousands};

const CHECK: &str = "RTL = datapath text, proved";

/// What was proved of one unit.
#[derive(Debug, Clone, Serialize)]
pub struct Proved {
    pub unit: String,
    /// Of its SystemVerilog; null where that was skipped.
    pub rtl: Option<RtlProved>,
    /// Of its properties, and by which solver; null where that was skipped.
    pub properties: Option<Vec<PropertyProved>>,
    pub solver: Option<String>,
    /// Why something was skipped.
    pub skipped: Vec<String>,
    #[serde(skip)]
    witness: Option<String>,
}

/// The proof that a unit's SystemVerilog is its datapath text.
#[derive(Debug, Clone, Serialize)]
pub struct RtlProved {
    pub verdict: String,
    pub reason: Option<String>,
    pub obligations: usize,
    pub yosys: String,
    pub seconds: f64,
    pub cached: bool,
}

/// A property.
#[derive(Debug, Clone, Serialize)]
pub struct PropertyProved {
    pub property: String,
    pub verdict: Verdict,
    pub reason: Option<String>,
    pub seconds: f64,
    pub cached: bool,
}

impl Proved {
    /// What came of both proofs; one that was skipped is the reason.
    pub fn of(unit: &str, rtl: Result<RtlReport, String>, properties: Result<ProofReport, String>) -> Proved {
        let skipped = [rtl.as_ref().err(), properties.as_ref().err()].into_iter().flatten().cloned().collect();
        let witness = rtl.as_ref().ok().and_then(|report| report.witness.as_ref());
        let witness = witness.map(|witness| {
            let (netlist, emulator) = (&witness.netlist_result, &witness.emulator_result);
            format!("{}: netlist {netlist}, emulator {emulator}", witness.operands.line())
        });
        let rtl = rtl.ok().map(|report| RtlProved {
            verdict: report.verdict,
            reason: report.reason,
            obligations: report.obligations.len(),
            yosys: report.yosys,
            seconds: report.seconds,
            cached: report.cached,
        });
        let solver = properties.as_ref().ok().map(|report| report.solver.clone());
        let properties = properties.ok().map(|report| {
            let property = |statement: crate::report::ProofStatement| PropertyProved {
                property: statement.name,
                verdict: statement.verdict,
                reason: statement.reason,
                seconds: statement.seconds,
                cached: statement.cached,
            };
            report.statements.into_iter().map(property).collect()
        });
        Proved { unit: unit.to_owned(), rtl, properties, solver, skipped, witness }
    }

    fn state(&self) -> State {
        match (&self.rtl, &self.properties) {
            (Some(rtl), _) if matches!(rtl.verdict.as_str(), "refuted" | "stage-differs") => State::Differed,
            (Some(rtl), _) if rtl.verdict == "proved" => State::Agreed,
            (None, None) => State::Skipped,
            _ => State::None,
        }
    }

    /// In one line: the verdict on the SystemVerilog, then the properties by verdict, with times.
    pub fn text(&self) -> String {
        let mut parts = Vec::new();
        if let Some(rtl) = &self.rtl {
            let kept = if rtl.cached { ", kept from before" } else { "" };
            let reason = rtl.reason.as_ref().map_or(String::new(), |reason| format!(", because {reason}"));
            parts.push(format!("RTL {}{reason}, {:.1} s{kept}, {}", rtl.verdict, rtl.seconds, rtl.yosys));
        }
        if let (Some(properties), Some(solver)) = (&self.properties, &self.solver) {
            let named = |verdict: Verdict| {
                let of = properties.iter().filter(|one| one.verdict == verdict);
                of.map(|one| one.property.as_str()).collect::<Vec<_>>()
            };
            let proved = named(Verdict::Proved).len();
            let mut text = format!("{proved} of {} properties proved", properties.len());
            for verdict in [Verdict::Refuted, Verdict::Unknown] {
                if let names @ [_, ..] = named(verdict).as_slice() {
                    text += &format!(", {} {}", verdict.name(), names.join(", "));
                }
            }
            let seconds: f64 = properties.iter().map(|one| one.seconds).sum();
            let kept = if properties.iter().any(|one| one.cached) { ", some kept from before" } else { "" };
            parts.push(format!("{text}, {seconds:.1} s of {solver}{kept}"));
        }
        parts.extend(self.skipped.iter().map(|reason| format!("the rest skipped, because {reason}")));
        parts.join("; ")
    }

    fn cell(&self) -> Cell {
        match self.state() {
            State::Skipped => Cell::skipped(&self.skipped.join("; ")),
            state => {
                let by = [self.rtl.as_ref().map(|rtl| rtl.yosys.clone()), self.solver.clone()];
                Cell { state, by: by.into_iter().flatten().collect(), ..Cell::none(self.text()) }
            }
        }
    }
}

/// The cell of some units together, which make up an instruction.
pub(super) fn cell(proofs: Option<&[Proved]>, units: &[String]) -> Cell {
    let Some(proofs) = proofs else { return Cell::none("not asked for") };
    let own: Vec<&Proved> = proofs.iter().filter(|proved| units.contains(&proved.unit)).collect();
    match own.as_slice() {
        [] => Cell::none("no unit of it is shown"),
        [one] => one.cell(),
        several => {
            // The worst of them, and what was found of each.
            let order = [State::Differed, State::Skipped, State::None, State::Agreed];
            let state = order.into_iter().find(|state| several.iter().any(|one| one.state() == *state));
            let skipped: Vec<&str> = several.iter().flat_map(|one| &one.skipped).map(String::as_str).collect();
            match state {
                Some(State::Skipped) => Cell::skipped(&skipped.join("; ")),
                state => {
                    let text: Vec<String> = several.iter().map(|one| format!("{}: {}", one.unit, one.text())).collect();
                    Cell { state: state.unwrap_or(State::None), ..Cell::none(text.join("; ")) }
                }
            }
        }
    }
}

/// What the column says.
pub(super) fn meaning(proofs: Option<&[Proved]>) -> String {
    match proofs {
        None => "not asked for in this call; agreement was tested on vectors".to_owned(),
        Some(proofs) => {
            let proved = proofs.iter().filter(|proved| proved.state() == State::Agreed).count();
            format!(
                "for all inputs: that the SystemVerilog, as Yosys reads it, is the datapath text that the emulator runs, of {} \
                 of {} units; and properties of the text, by a solver. Of an instruction, what was proved of its units",
                thousands(proved as u64),
                thousands(proofs.len() as u64)
            )
        }
    }
}

/// Units whose SystemVerilog was proved or refuted; no vectors ran.
pub(super) fn total(proofs: &[Proved]) -> Total {
    let mut total = Total::of(CHECK);
    for proved in proofs {
        match proved.rtl.as_ref().map(|rtl| rtl.verdict.as_str()) {
            Some("proved") => total.ran += 1,
            Some("refuted" | "stage-differs") => (total.ran, total.mismatches) = (total.ran + 1, total.mismatches + 1),
            _ => total.skipped += 1,
        }
    }
    total
}

/// The witness of each unit whose SystemVerilog was refuted.
pub(super) fn differences(proofs: &[Proved]) -> impl Iterator<Item = Difference> {
    proofs.iter().filter_map(|proved| {
        let text = proved.witness.clone()?;
        Some(Difference { of: proved.unit.clone(), check: CHECK.to_owned(), text })
    })
}
