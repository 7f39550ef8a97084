//! Units side by side: parameters, widths, bound of the error, size, in cells and on FPGAs too.

use serde::Serialize;

use super::thousands;
use crate::describe::plan::{ErrorBound, Plan};
use crate::describe::unit::Unit;
use crate::emit::{self, AreaAndDelay, Asic, Family, Fpga, Synthesis};

/// A named value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named<T> {
    pub name: String,
    pub value: T,
}

/// One unit of a comparison.
#[derive(Debug, Clone, Serialize)]
pub struct ComparedUnit {
    pub unit: String,
    pub summary: String,
    /// The rows of the parameter table of the emitted module.
    pub parameters: Vec<Named<String>>,
    /// The constants of the emitted module: widths and more.
    pub constants: Vec<Named<i64>>,
    pub error_bound: ErrorBound,
    /// Size and depth, or null where they were not asked for or there is no Yosys.
    pub synthesis: Option<Synthesis>,
    /// Area and delay, or null where they were not asked for.
    pub asic: Option<Asic>,
    /// Cells of an FPGA and the clock rate, or null where they were not asked for.
    pub fpga: Option<Fpga>,
}

/// What tools say of a unit.
#[derive(Debug, Clone, Default)]
pub struct Costs {
    pub synthesis: Option<Synthesis>,
    pub asic: Option<Asic>,
    pub fpga: Option<Fpga>,
}

impl ComparedUnit {
    /// What the description says of a unit, and what tools say.
    pub fn new(unit: &Unit, costs: Costs) -> ComparedUnit {
        let plan = Plan::of(unit);
        let parameters = emit::parameter_table(unit).into_iter().map(|(name, value)| Named { name, value });
        let constants = plan.constants().iter();
        ComparedUnit {
            unit: unit.name.clone(),
            summary: unit.summary.clone(),
            parameters: parameters.collect(),
            constants: constants.map(|c| Named { name: c.name.to_owned(), value: c.value }).collect(),
            error_bound: ErrorBound::of(unit, &plan),
            synthesis: costs.synthesis,
            asic: costs.asic,
            fpga: costs.fpga,
        }
    }
}

/// What area and delay are of.
#[derive(Debug, Clone, Serialize)]
pub struct AsicTools {
    /// The Liberty file.
    pub library: String,
}

/// What the cells of an FPGA and its clock rate are of.
#[derive(Debug, Clone, Serialize)]
pub struct FpgaTools {
    pub family: Family,
    /// Version of nextpnr, if it ran.
    pub nextpnr: Option<String>,
    /// What nextpnr places for, and what it begins with; null where it did not run.
    pub device: Option<&'static str>,
    pub seed: Option<u32>,
    /// Why it did not run, or null where it ran or the family has none.
    pub clock_skipped: Option<String>,
}

/// A comparison of units.
#[derive(Debug, Serialize)]
pub struct Comparison {
    pub tensorsmith: &'static str,
    pub command: &'static str,
    /// Version of Yosys, if it ran.
    pub yosys: Option<String>,
    /// Why sizes and depths in lookup tables are missing, if they are.
    pub skipped: Option<String>,
    pub asic: Option<AsicTools>,
    pub fpga: Option<FpgaTools>,
    pub units: Vec<ComparedUnit>,
}

impl Comparison {
    /// The rows of the table: a heading and one cell a unit, empty where a unit has no such value.
    pub fn rows(&self) -> Vec<(String, Vec<String>)> {
        let mut rows =
            self.united(|unit| unit.parameters.iter().map(|row| (row.name.clone(), row.value.clone())).collect());
        rows.push(("error of the sum".to_owned(), self.cells(|unit| unit.error_bound.text.clone())));
        rows.extend(self.united(|unit| {
            unit.constants.iter().map(|constant| (constant.name.clone(), constant.value.to_string())).collect()
        }));
        if self.skipped.is_none() {
            let figure =
                |of: fn(&Synthesis) -> u64| self.figures(|unit| unit.synthesis.as_ref().map(of).map(thousands));
            rows.push(("6-input LUTs".to_owned(), figure(|found| found.lookup_tables)));
            rows.push(("depth in LUTs".to_owned(), figure(|found| found.depth)));
        }
        rows.extend(self.asic_rows());
        rows.extend(self.fpga_rows());
        rows
    }

    fn asic_rows(&self) -> Vec<(String, Vec<String>)> {
        if self.asic.is_none() {
            return Vec::new();
        }
        let mut rows = Vec::new();
        for goal in ["delay", "area"] {
            let found = |unit: &ComparedUnit| {
                unit.asic.as_ref().map(|found| if goal == "delay" { found.for_delay } else { found.for_area })
            };
            let area = |found: AreaAndDelay| thousands(found.area.round() as u64);
            rows.push((format!("area, mapped for {goal}"), self.figures(|unit| found(unit).map(area))));
            let delay = |found: AreaAndDelay| format!("{:.2} ns", found.delay_ps / 1000.0);
            rows.push((format!("delay, mapped for {goal}"), self.figures(|unit| found(unit).map(delay))));
        }
        rows
    }

    fn fpga_rows(&self) -> Vec<(String, Vec<String>)> {
        let Some(tools) = &self.fpga else { return Vec::new() };
        let figure = |of: fn(&Fpga) -> u64| self.figures(|unit| unit.fpga.as_ref().map(of).map(thousands));
        let counts =
            [figure(|found| found.lookup_tables), figure(|found| found.carry_cells), figure(|found| found.multipliers)];
        let mut rows: Vec<(String, Vec<String>)> =
            tools.family.names().map(str::to_owned).into_iter().zip(counts).collect();
        if tools.nextpnr.is_some() {
            let rate = |unit: &ComparedUnit| Some(format!("{:.1} MHz", unit.fpga.as_ref()?.clock_mhz?));
            rows.push(("clock rate".to_owned(), self.figures(rate)));
        }
        rows
    }

    /// A figure of each unit, empty where it has none.
    fn figures(&self, figure: impl Fn(&ComparedUnit) -> Option<String>) -> Vec<String> {
        self.cells(|unit| figure(unit).unwrap_or_default())
    }

    /// What the figures are of, with the versions of tools, and what was skipped and why: sentences for people, one a line.
    pub fn notes(&self) -> Vec<String> {
        let yosys = self.yosys.as_deref().unwrap_or_default();
        let mut notes = vec![match &self.skipped {
            None => format!("size and depth of the combinational core: {yosys}, synth -flatten -lut 6, no wires"),
            Some(reason) => format!("size and depth skipped, because {reason}"),
        }];
        notes.extend(self.asic.as_ref().map(|tools| {
            let library = &tools.library;
            format!("area and delay of the logic, no registers, no wires: {yosys}, ABC, cells of {library}; area in its unit")
        }));
        let Some(tools) = &self.fpga else { return notes };
        notes.push(format!("cells of the FPGA: {yosys}, {}", tools.family.command()));
        if let (Some(version), Some(device), Some(seed)) = (&tools.nextpnr, tools.device, tools.seed) {
            notes.push(format!(
                "clock rate after placement and routing, with registers around the unit: {version}, {device}, seed {seed}"
            ));
        }
        notes.extend(tools.clock_skipped.as_ref().map(|reason| format!("clock rate skipped, because {reason}")));
        let unplaced = |unit: &ComparedUnit| {
            let reason = unit.fpga.as_ref()?.clock_skipped.as_ref()?;
            Some(format!("clock rate of {} skipped, because {reason}", unit.unit))
        };
        notes.extend(self.units.iter().filter_map(unplaced));
        notes
    }

    fn cells(&self, cell: impl Fn(&ComparedUnit) -> String) -> Vec<String> {
        self.units.iter().map(cell).collect()
    }

    /// The rows of all units under each other's names: a row that only a later unit has stands behind its predecessor there.
    fn united(&self, rows: impl Fn(&ComparedUnit) -> Vec<(String, String)>) -> Vec<(String, Vec<String>)> {
        let own: Vec<Vec<(String, String)>> = self.units.iter().map(rows).collect();
        let mut names: Vec<&str> = Vec::new();
        for rows in &own {
            let mut place = 0;
            for (name, _) in rows {
                match names.iter().position(|known| known == name) {
                    Some(known) => place = known + 1,
                    None => {
                        names.insert(place, name);
                        place += 1;
                    }
                }
            }
        }
        let cell = |rows: &Vec<(String, String)>, name: &str| {
            rows.iter().find(|(own, _)| own == name).map_or(String::new(), |(_, value)| value.clone())
        };
        names.into_iter().map(|name| (name.to_owned(), own.iter().map(|rows| cell(rows, name)).collect())).collect()
    }
}
