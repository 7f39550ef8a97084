//! Properties of one unit.

use super::Solving;
use crate::cli::{Failure, input};
use tensorsmith::describe::unit::Unit;
use tensorsmith::prove::Prover;
use tensorsmith::prove::property::{Property, Subject};
use tensorsmith::prove::settle::Task;
use tensorsmith::report::{Inapplicable, ProofReport, ProofStatement};

/// The unit of that name, with another number of products if one is given.
pub(super) fn subject(name: &str, products: Option<u32>) -> Result<Unit, Failure> {
    let mut unit = input::unit(name)?;
    let Some(products) = products.filter(|products| *products != unit.products) else { return Ok(unit) };
    unit.name = format!("{}-{products}", unit.name);
    unit.products = products;
    // Read again, so that the number is checked as in a file.
    Ok(Unit::from_toml(&format!("{name} --products {products}"), &unit.to_toml())?)
}

/// What is asked of a unit, and what says nothing of it.
pub(in crate::cli) struct Asked {
    tasks: Vec<Task>,
    inapplicable: Vec<Inapplicable>,
}

impl Asked {
    /// The named properties, or all.
    ///
    /// # Errors
    /// There is no property of that name.
    pub fn of(unit: &Unit, names: &[String]) -> Result<Asked, Failure> {
        let properties = match names {
            [] => Property::all(),
            names => names.iter().map(|name| named(name)).collect::<Result<_, _>>()?,
        };
        let subject = Subject::of(unit);
        let mut asked = Asked { tasks: Vec::new(), inapplicable: Vec::new() };
        for property in &properties {
            match property.task(&subject) {
                Ok(task) => asked.tasks.push(task),
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
    pub fn settled(self, unit: &Unit, solving: &Solving, prover: &Prover) -> Result<ProofReport, Failure> {
        let mut report = ProofReport { inapplicable: self.inapplicable, ..solving.report(&unit.name, prover) };
        let statements = solving.settle(&unit.name, &self.tasks, prover)?;
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
