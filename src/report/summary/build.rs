//! From the outcomes of comparisons and recordings to the summary.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Cell, Checks, Conflict, DeviceSummary, Difference, Inferred, Parameter, Proved, Row, State, Summary, Time, Total,
    UnitSummary, inference, proof,
};
use crate::check::compare::Ran;
use crate::check::pairs::Agreement;
use crate::describe::device::Device;
use crate::describe::plan::Plan;
use crate::describe::unit::{Grade, Unit};
use crate::emit;
use crate::engine::{Identity, Kind};
use crate::report::cosim::{MismatchReport, events};
use crate::report::speed::Speed;
use crate::report::steps::Datapath;
use crate::report::{DeviceInstruction, DeviceReport, RecordingReport, ReplayReport, Source, VERSION};

const EMULATOR_REFERENCE: &str = "emulator = reference";
const RTL_EMULATOR: &str = "RTL = emulator";
const LIVE: &str = "live hardware = emulator";
const RECORDINGS: &str = "recordings";

/// The engines that are compared for every instruction and unit: emulator and reference, RTL and emulator, then every
/// engine of real hardware.
pub fn pairs() -> Vec<[Kind; 2]> {
    let software = [[Kind::Emulator, Kind::Reference], [Kind::Rtl, Kind::Emulator]];
    software.into_iter().chain(Kind::LIVE.iter().map(|&live| [live, Kind::Emulator])).collect()
}

/// What was asked for.
pub struct Asked {
    pub seed: u64,
    pub vectors: u64,
    /// With the instructions that are to be shown.
    pub devices: Vec<Device>,
    pub units: Vec<Unit>,
}

/// Recordings that were replayed, and the folder that they are in.
pub struct Replayed {
    pub folder: String,
    pub report: ReplayReport,
}

/// Outcomes of [`pairs`] by name.
pub type Outcomes = BTreeMap<String, Vec<Agreement>>;

/// What came of it.
pub struct Findings {
    pub units: Outcomes,
    pub instructions: Outcomes,
    pub replayed: Option<Replayed>,
    pub inferred: Option<Vec<Inferred>>,
    pub proved: Option<Vec<Proved>>,
    /// Read from files.
    pub speed: Vec<Speed>,
    /// Targets of the machines behind the engines of real hardware, by the engines' names: see [`Kind::target`].
    pub machines: BTreeMap<&'static str, String>,
}

impl Findings {
    /// Puts everything together.
    pub fn summary(&self, asked: &Asked, time: Time) -> Summary {
        let devices: Vec<DeviceSummary> = asked.devices.iter().map(|device| self.device(device)).collect();
        let units: Vec<UnitSummary> = asked.units.iter().map(|unit| self.unit(unit, &devices)).collect();
        let hardware = |row: &&Row| row.on_hardware.state == State::Agreed;
        let rows = || devices.iter().flat_map(|device| &device.instructions);
        let (totals, differences) = (self.totals(), self.differences(asked));
        let mut summary = Summary {
            tensorsmith: VERSION,
            command: "report",
            seed: asked.seed,
            vectors: asked.vectors,
            recordings: self.replayed.as_ref().map(|replayed| replayed.folder.clone()),
            time,
            tools: self.tools(),
            rows: rows().count(),
            rows_on_hardware: rows().filter(hardware).count(),
            proof: proof::meaning(self.proved.as_deref()),
            conflicts: conflicts(&units),
            inference: self.inferred.clone(),
            proofs: self.proved.clone(),
            speed: self.speed.clone(),
            passed: differences.is_empty() && totals.iter().all(|total| total.mismatches == 0),
            mismatches: differences,
            notes: Vec::new(),
            totals,
            devices,
            units,
        };
        summary.number_notes();
        summary
    }

    fn device(&self, device: &Device) -> DeviceSummary {
        let report = DeviceReport::of(device);
        let instructions = report.instructions.iter().map(|instruction| self.row(device, instruction)).collect();
        DeviceSummary {
            device: report.device,
            summary: report.summary,
            parts: report.parts,
            architecture: report.architecture,
            instructions,
        }
    }

    fn row(&self, device: &Device, instruction: &DeviceInstruction) -> Row {
        let mut checks = self.checks(self.instructions.get(&instruction.instruction), &instruction.units);
        if !self.is_own_silicon(device, &checks.live) && checks.live.reason.is_none() {
            checks.live.text += ", on another part that computes the same";
            checks.live.by.clear();
        }
        let recordings = self.recordings(device, instruction);
        Row {
            instruction: instruction.instruction.clone(),
            a: instruction.a.clone(),
            b: instruction.b.clone(),
            c: instruction.c.clone(),
            d: instruction.d.clone(),
            units: instruction.units.clone(),
            evidence: instruction.grade(&device.name),
            conflicts: instruction.conflicts.clone(),
            on_hardware: Cell::on_hardware(&checks.live, &recordings, &instruction.replayed),
            checks,
            recordings,
        }
    }

    /// Whether the machine that answered is such a device.
    fn is_own_silicon(&self, device: &Device, live: &Cell) -> bool {
        let target = |engine: &String| self.machines.get(engine.as_str());
        live.by.iter().filter_map(target).any(|target| device.targets.contains(target))
    }

    /// All outcomes, units first.
    fn outcomes(&self) -> impl Iterator<Item = (&String, &Vec<Agreement>)> {
        self.units.iter().chain(&self.instructions)
    }

    /// The recordings of an instruction that were made on a device: those that ran.
    fn recordings(&self, device: &Device, instruction: &DeviceInstruction) -> Cell {
        let own = |recording: &RecordingReport| {
            recording.instruction.as_ref() == Some(&instruction.instruction)
                && device.recorded_as.contains(&recording.device)
        };
        let missing = if instruction.replayed.is_empty() { "none exist" } else { "not in the folder" };
        self.recorded(own, missing)
    }

    /// The recordings that `own` holds of, those that ran; or that there are none.
    fn recorded(&self, own: impl Fn(&RecordingReport) -> bool, missing: &str) -> Cell {
        let Some(replayed) = &self.replayed else { return Cell::none("none given") };
        let cells: Vec<Cell> =
            replayed.report.recordings.iter().filter(|recording| own(recording)).filter_map(Cell::recorded).collect();
        let sum = |count: fn(&Cell) -> u64| cells.iter().map(count).sum();
        let by: BTreeSet<String> = cells.iter().flat_map(|cell| cell.by.clone()).collect();
        match cells.is_empty() {
            false => Cell::ran(by.into_iter().collect(), sum(|cell| cell.vectors), sum(|cell| cell.mismatches)),
            true => Cell::none(missing),
        }
    }

    fn unit(&self, unit: &Unit, devices: &[DeviceSummary]) -> UnitSummary {
        let plan = Plan::of(unit);
        let uses = |device: &&DeviceSummary| device.instructions.iter().any(|row| row.units.contains(&unit.name));
        let coverage = self.units.get(&unit.name).into_iter().flatten().find_map(|outcome| match outcome {
            Agreement::Compared(comparison) => comparison.coverage.as_ref(),
            Agreement::Skipped { .. } => None,
        });
        let events = coverage.map_or(Vec::new(), |coverage| events(&plan, coverage));
        let reachable = || events.iter().filter(|event| event.unreachable.is_none());
        let parameters = emit::parameter_table(unit).into_iter();
        let sources = unit.evidence.iter().map(|(constant, evidence)| Source {
            of: unit.name.clone(),
            constant: constant.clone(),
            evidence: evidence.clone(),
        });
        UnitSummary {
            unit: unit.name.clone(),
            summary: unit.summary.clone(),
            devices: devices.iter().filter(uses).map(|device| device.device.clone()).collect(),
            checks: self.checks(self.units.get(&unit.name), std::slice::from_ref(&unit.name)),
            recordings: self.recorded(|recording| recording.instruction.as_ref() == Some(&unit.name), "none of it"),
            events_reachable: reachable().count(),
            events_reached: reachable().filter(|event| event.count > 0).count(),
            events,
            parameters: parameters.map(|(name, value)| Parameter { name, value }).collect(),
            constants: plan.constants().to_vec(),
            sources: sources.collect(),
            datapath: Datapath::of(unit),
            window_heading: emit::picture_heading(unit),
            window: emit::window_picture(unit),
        }
    }

    fn totals(&self) -> Vec<Total> {
        let mut totals =
            vec![Total::of(EMULATOR_REFERENCE), Total::of(RTL_EMULATOR), Total::of(LIVE), Total::of(RECORDINGS)];
        for (_, outcomes) in self.outcomes() {
            let checks = self.checks(Some(outcomes), &[]);
            let cells = [&checks.emulator_reference, &checks.rtl_emulator, &checks.live];
            totals.iter_mut().zip(cells).for_each(|(total, cell)| total.add(cell));
        }
        for recording in self.replayed.iter().flat_map(|replayed| &replayed.report.recordings) {
            totals[3].add(&Cell::recorded(recording).unwrap_or_else(|| Cell::skipped("nothing ran it")));
        }
        totals.extend(self.inferred.as_deref().map(inference::total));
        totals.extend(self.proved.as_deref().map(proof::total));
        totals
    }

    /// Engines that ran, each version once, and what compiled this program.
    fn tools(&self) -> Vec<Identity> {
        let mut tools = vec![
            Identity { engine: "tensorsmith".to_owned(), version: VERSION.to_owned() },
            Identity { engine: "compiled by".to_owned(), version: env!("TENSORSMITH_RUSTC").to_owned() },
        ];
        for outcome in self.outcomes().flat_map(|(_, outcomes)| outcomes) {
            let Agreement::Compared(comparison) = outcome else { continue };
            for ran in &comparison.engines {
                let Ran::Vectors { identity, .. } = ran else { continue };
                if !tools.contains(identity) {
                    tools.push(identity.clone());
                }
            }
        }
        tools
    }

    fn differences(&self, asked: &Asked) -> Vec<Difference> {
        let mut differences = Vec::new();
        let instructions = || asked.devices.iter().flat_map(|device| &device.instructions);
        let has_addend = |name: &str| {
            asked.units.iter().all(|unit| unit.name != name || unit.has_addend())
                && instructions().all(|instruction| instruction.name != name || instruction.interface().has_addend())
        };
        for (of, outcomes) in self.outcomes() {
            for (pair, outcome) in pairs().iter().zip(outcomes) {
                let Agreement::Compared(comparison) = outcome else { continue };
                let Some(mismatch) = &comparison.first else { continue };
                differences.push(Difference {
                    of: of.clone(),
                    check: format!("{} = {}", pair[0].name(), pair[1].name()),
                    text: MismatchReport::of(has_addend(of), mismatch).text(comparison.mismatches, comparison.compared),
                });
            }
        }
        for recording in self.replayed.iter().flat_map(|replayed| &replayed.report.recordings) {
            let Some(row) = &recording.first_mismatch else { continue };
            differences.push(Difference {
                of: recording.instruction.clone().unwrap_or_default(),
                check: format!("recording {} {} -> {}", recording.device, recording.operands, recording.result),
                text: format!(
                    "row {}: {} answers {}, recorded {}; {}",
                    row.row,
                    row.engine,
                    row.answer,
                    row.recorded,
                    row.operands().join(", ")
                ),
            });
        }
        differences.extend(inference::differences(self.inferred.as_deref().unwrap_or_default()));
        differences.extend(proof::differences(self.proved.as_deref().unwrap_or_default()));
        differences
    }

    /// What comparing found of a unit or an instruction, and what was proved of its units.
    fn checks(&self, outcomes: Option<&Vec<Agreement>>, units: &[String]) -> Checks {
        let outcomes = outcomes.map_or(&[][..], Vec::as_slice);
        let cell = |place: usize| outcomes.get(place).map_or_else(|| Cell::skipped("it was not run"), Cell::of);
        Checks {
            emulator_reference: cell(0),
            rtl_emulator: cell(1),
            live: Cell::live(outcomes.get(2..).unwrap_or_default()),
            proof: proof::cell(self.proved.as_deref(), units),
        }
    }
}

/// Constants on which sources disagree, in the order of the units.
fn conflicts(units: &[UnitSummary]) -> Vec<Conflict> {
    let disputed = |unit: &UnitSummary| {
        let sources = unit.sources.iter().filter(|source| source.evidence.grade == Grade::Conflict);
        let conflict = |source: &Source| Conflict {
            of: unit.unit.clone(),
            constant: source.constant.clone(),
            source: source.evidence.source.clone(),
            devices: unit.devices.clone(),
        };
        sources.map(conflict).collect::<Vec<_>>()
    };
    units.iter().flat_map(disputed).collect()
}
