//! What a simulator with SystemVerilog's direct programming interface takes beside a unit: the imports of the C library, a module
//! with the emulator's answers, a checker to bind to a design, and a test.

use super::shape::widths;
use super::{EmitError, SourceFile, context, render_with};
use crate::describe::unit::Unit;

/// Registers of the clocked wrapper around a unit without registers: in front of it and behind it.
const WRAPPER_LATENCY: usize = 2;

/// The lines of the unit's file, without what the emulator does not look at, as SystemVerilog spells texts (IEEE 1800-2017,
/// 5.9.1).
fn description(unit: &Unit) -> Vec<String> {
    let text = unit.arithmetic_to_toml();
    let lines = text.lines().filter(|line| !line.is_empty());
    lines.map(|line| line.replace('\\', "\\\\").replace('"', "\\\"")).collect()
}

/// The files, in the order in which tools read them after those of the design, their list with those of the design, and the test,
/// which plays as many golden vectors as the unit's other test.
///
/// # Errors
/// A template is broken.
pub fn dpi(unit: &Unit, design: &[String], vectors: usize) -> Result<Vec<SourceFile>, EmitError> {
    let module = unit.module_name();
    let mut context = context::of(unit);
    let latency = if unit.build.cuts.is_empty() { WRAPPER_LATENCY } else { unit.latency() as usize };
    context.insert("description", &description(unit));
    context.insert("checked", &widths(unit));
    context.insert("registered_latency", &latency);
    context.insert("vectors", &vectors);
    let mut files = Vec::new();
    for (template, name) in [
        ("dpi_package.sv", "tensorsmith_dpi.sv".to_owned()),
        ("checker.sv", "tensorsmith_checker.sv".to_owned()),
        ("unit_dpi.sv", format!("{module}_dpi.sv")),
        ("behavioural.sv", format!("{module}_behavioural.sv")),
        ("registered_bind.sv", format!("{module}_registered_bind.sv")),
        ("stream_bind.sv", format!("{module}_stream_bind.sv")),
    ] {
        files.push(SourceFile { name, text: render_with(template, &context)? });
    }
    let names = design.iter().chain(files.iter().map(|file| &file.name));
    let list = names.map(|name| format!("{name}\n")).collect();
    files.push(SourceFile { name: format!("{module}_dpi.f"), text: list });
    let test = render_with("dpi_test.sv", &context)?;
    files.push(SourceFile { name: format!("{module}_dpi_test.sv"), text: test });
    Ok(files)
}
