//! `report --proofs`: what can be proved of each unit, by Yosys and a solver where they are.

use super::prove::{self, Solving};
use super::{Failure, output};
use tensorsmith::describe::unit::Unit;
use tensorsmith::prove::netlist;
use tensorsmith::prove::rtl::Files;
use tensorsmith::report::Proved;

/// Proves what can be proved of all units, one after the other, each on all cores.
pub(super) fn proved(units: &[Unit], solving: &Solving) -> Result<Vec<Proved>, Failure> {
    let bar = output::progress("proofs", units.len() as u64, "units");
    let (yosys, prover) = (netlist::version(), solving.prover());
    let row = |unit: &Unit| {
        // Only a program that is missing is skipped: files that Yosys refuses, or a witness that is not confirmed, are faults.
        let rtl = match &yosys {
            Ok(_) => Ok(prove::rtl::of(unit, &Files::emitted(unit)?, None, solving)?),
            Err(missing) => Err(missing.to_string()),
        };
        let properties =
            match &prover {
                Ok(prover) => Ok(prove::properties::Asked::of(&unit.clone().into(), &[], None)?
                    .settled(&unit.name, solving, prover)?),
                Err(failure) => Err(failure.0.clone()),
            };
        bar.inc(1);
        Ok(Proved::of(&unit.name, rtl, properties))
    };
    let rows = units.iter().map(row).collect();
    bar.finish_and_clear();
    rows
}
