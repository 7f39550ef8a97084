//! Units side by side: parameters, widths, bound of the error, size.

use serde::Serialize;

use crate::describe::plan::{ErrorBound, Plan};
use crate::describe::unit::Unit;
use crate::emit::{self, Synthesis};

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
}

impl ComparedUnit {
    /// What the description says of a unit; `synthesis` is what a tool says.
    pub fn new(unit: &Unit, synthesis: Option<Synthesis>) -> ComparedUnit {
        let plan = Plan::of(unit);
        let parameters = emit::parameter_table(unit).into_iter().map(|(name, value)| Named { name, value });
        let constants = plan.constants().iter();
        ComparedUnit {
            unit: unit.name.clone(),
            summary: unit.summary.clone(),
            parameters: parameters.collect(),
            constants: constants.map(|c| Named { name: c.name.to_owned(), value: c.value }).collect(),
            error_bound: ErrorBound::of(unit, &plan),
            synthesis,
        }
    }
}

/// A comparison of units.
#[derive(Debug, Serialize)]
pub struct Comparison {
    pub tensorsmith: &'static str,
    pub command: &'static str,
    /// Version of Yosys, if it ran.
    pub yosys: Option<String>,
    /// Why sizes and depths are missing, if they are.
    pub skipped: Option<String>,
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
        if self.yosys.is_some() {
            let figure = |of: fn(&Synthesis) -> u64| {
                self.cells(|unit| unit.synthesis.as_ref().map_or(String::new(), |found| super::thousands(of(found))))
            };
            rows.push(("6-input LUTs".to_owned(), figure(|found| found.lookup_tables)));
            rows.push(("depth in LUTs".to_owned(), figure(|found| found.depth)));
        }
        rows
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
