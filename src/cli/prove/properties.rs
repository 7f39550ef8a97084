//! Properties of one unit.

use super::Solving;
use crate::cli::{Failure, input};
use crate::describe::unit::Unit;
use crate::prove::property::{Property, Subject};
use crate::report::{Inapplicable, ProofReport, ProofStatement};

/// The unit of that name, with another number of products if one is given.
pub(super) fn subject(name: &str, products: Option<u32>) -> Result<Unit, Failure> {
    let mut unit = input::unit(name)?;
    let Some(products) = products.filter(|products| *products != unit.products) else { return Ok(unit) };
    unit.name = format!("{}-{products}", unit.name);
    unit.products = products;
    // Read again, so that the number is checked as in a file.
    Ok(Unit::from_toml(&format!("{name} --products {products}"), &unit.to_toml())?)
}

/// Settles the named properties, or all that say something of the unit.
pub(super) fn of(unit: &Unit, names: &[String], solving: &Solving) -> Result<ProofReport, Failure> {
    let properties = match names {
        [] => Property::all(),
        names => names.iter().map(|name| named(name)).collect::<Result<_, _>>()?,
    };
    let subject = Subject::of(unit);
    let (mut tasks, mut inapplicable) = (Vec::new(), Vec::new());
    for property in &properties {
        match property.task(&subject) {
            Ok(task) => tasks.push(task),
            Err(reason) => inapplicable.push(Inapplicable { property: property.name.to_owned(), reason }),
        }
    }
    if let (true, Some(Inapplicable { property, reason })) = (tasks.is_empty(), inapplicable.first()) {
        return Err(Failure(format!("--property {property}: it says nothing of {}: {reason}", unit.name)));
    }
    let prover = solving.prover()?;
    let mut report = ProofReport { inapplicable, ..solving.report(&unit.name, &prover) };
    let statements = solving.settle(&unit.name, &tasks, &prover)?;
    report.statements = statements.iter().map(|statement| ProofStatement::new(statement, None, None)).collect();
    Ok(report)
}

fn named(name: &str) -> Result<Property, Failure> {
    Property::named(name).ok_or_else(|| {
        let all: Vec<&str> = Property::all().iter().map(|property| property.name).collect();
        Failure(format!("--property: unknown property {name:?}; allowed: {}", all.join(", ")))
    })
}
