//! Properties of one unit.

use super::Solving;
use crate::cli::{Failure, input};
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::Unit;
use tensorsmith::prove::Prover;
use tensorsmith::prove::property::{Property, Slices, task_of_instruction};
use tensorsmith::prove::settle::Task;
use tensorsmith::report::{Inapplicable, ProofReport, ProofStatement};

/// The unit or instruction of that name, a unit with another number of products if one is given.
pub(super) fn subject(name: &str, products: Option<u32>) -> Result<Subject, Failure> {
    let mut unit = match input::subject(name)?.subject {
        Subject::Unit(unit) => unit,
        Subject::Instruction(instruction) if products.is_none() => return Ok(instruction.into()),
        Subject::Instruction(instruction) => {
            let unit = &instruction.unit.name;
            return Err(Failure(format!("--products: {name} is an instruction; allowed: a unit, such as {unit}")));
        }
    };
    let Some(products) = products.filter(|products| *products != unit.products) else { return Ok(unit.into()) };
    unit.name = format!("{}-{products}", unit.name);
    unit.products = products;
    // Read again, so that the number is checked as in a file.
    Ok(Unit::from_toml(&format!("{name} --products {products}"), &unit.to_toml())?.into())
}

/// What is asked of a unit, and what says nothing of it.
pub(in crate::cli) struct Asked {
    tasks: Vec<Task>,
    inapplicable: Vec<Inapplicable>,
}

impl Asked {
    /// The named properties, or all; with slices, where their sums are asked about.
    ///
    /// # Errors
    /// There is no property of that name.
    pub fn of(subject: &Subject, names: &[String], slices: Option<Slices>) -> Result<Asked, Failure> {
        let properties = match names {
            [] => Property::all(),
            names => names.iter().map(|name| named(name)).collect::<Result<_, _>>()?,
        };
        const OF_SLICES: &str = "slices-exact";
        if slices.is_some() && !properties.iter().any(|property| property.name == OF_SLICES) {
            return Err(Failure(format!(
                "--slice-bits: no sums of slices are asked about; allowed: --property {OF_SLICES}"
            )));
        }
        let instruction = subject.instruction();
        let mut asked = Asked { tasks: Vec::new(), inapplicable: Vec::new() };
        for property in &properties {
            match task_of_instruction(property, &instruction, slices) {
                Ok(task) => asked.tasks.push(task),
                Err(reason) if property.name == OF_SLICES && slices.is_some() => {
                    return Err(Failure(format!("{}: {OF_SLICES}: {reason}", subject.name())));
                }
                // Without a width nobody asks about slices.
                Err(_) if property.name == OF_SLICES && names.is_empty() => {}
                Err(reason) => asked.inapplicable.push(Inapplicable { property: property.name.to_owned(), reason }),
            }
        }
        Ok(asked)
    }

    /// The first of the properties that say nothing, where none says anything.
    pub fn nothing(&self) -> Option<&Inapplicable> {
        self.inapplicable.first().filter(|_| self.tasks.is_empty())
    }

    /// Settles them.
    pub fn settled(self, name: &str, solving: &Solving, prover: &Prover) -> Result<ProofReport, Failure> {
        let mut report = ProofReport { inapplicable: self.inapplicable, ..solving.report(name, prover) };
        let statements = solving.settle(name, &self.tasks, prover)?;
        report.statements = statements.iter().map(|statement| ProofStatement::new(statement, None, None)).collect();
        Ok(report)
    }
}

fn named(name: &str) -> Result<Property, Failure> {
    Property::named(name).ok_or_else(|| {
        let all: Vec<&str> = Property::all().iter().map(|property| property.name).collect();
        Failure(format!("--property: unknown property {name:?}; allowed: {}", all.join(", ")))
    })
}
