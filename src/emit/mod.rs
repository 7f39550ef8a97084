//! What a unit looks like: SystemVerilog rendered from the plan and the templates.
//!
//! Architecture invariant: templates hold structure only; every number and every word of a comment comes from here.

pub mod bench;
mod context;
mod dpi;
mod files;
mod fused;
pub mod hip;
pub mod instance;
mod integer;
pub mod job;
pub mod kit;
mod leaves;
pub(crate) mod limited;
pub mod nextpnr;
pub mod overridden;
mod picture;
pub mod ptx;
pub(crate) mod scratch;
mod shape;
mod steps;
mod synthesis;
pub mod tile;
mod wording;
pub mod yosys;

pub use dpi::dpi;
pub use files::{destination, missing_folders, remove_empty, write};
use leaves::modules_of;
pub use leaves::{LEAVES, library};
pub use synthesis::{
    AreaAndDelay, Asic, Family, Fpga, Liberty, LibertyError, Synthesis, SynthesisError, map_tile_to_cells,
    map_tile_to_fpga, map_to_cells, map_to_fpga, synthesise,
};

use std::path::PathBuf;

use sha2::{Digest, Sha256};
use tera::{Context, Delimiters, Tera};
use thiserror::Error;

use crate::describe::plan::Plan;
use crate::describe::unit::Unit;

/// A SystemVerilog file: name and text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    pub name: String,
    pub text: String,
}

impl From<&(&str, &str)> for SourceFile {
    fn from((name, text): &(&str, &str)) -> SourceFile {
        SourceFile { name: (*name).to_owned(), text: (*text).to_owned() }
    }
}

/// Adds files that are not there yet.
fn add_new(files: &mut Vec<SourceFile>, more: Vec<SourceFile>) {
    for file in more {
        if !files.contains(&file) {
            files.push(file);
        }
    }
}

/// SHA-256 as hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Why files were not written.
#[derive(Debug, Error)]
pub enum EmitError {
    #[error("template {template}: {source}")]
    Template { template: &'static str, source: tera::Error },
    #[error("output folder {path}: cannot be written: {source}")]
    Write { path: PathBuf, source: std::io::Error },
}

/// Templates: name and text.
const TEMPLATES: [(&str, &str); 22] = [
    ("header.sv", include_str!("../../templates/header.sv.tera")),
    ("unit.sv", include_str!("../../templates/unit.sv.tera")),
    ("steps.sv", include_str!("../../templates/steps.sv.tera")),
    ("registered.sv", include_str!("../../templates/registered.sv.tera")),
    ("stream.sv", include_str!("../../templates/stream.sv.tera")),
    ("test.sv", include_str!("../../templates/test.sv.tera")),
    ("test.py", include_str!("../../templates/test.py.tera")),
    ("unit.core", include_str!("../../templates/unit.core.tera")),
    ("Bender.yml", include_str!("../../templates/Bender.yml.tera")),
    ("unit.sdc", include_str!("../../templates/unit.sdc.tera")),
    ("box.md", include_str!("../../templates/box.md.tera")),
    ("dpi_package.sv", include_str!("../../templates/dpi_package.sv.tera")),
    ("checker.sv", include_str!("../../templates/checker.sv.tera")),
    ("unit_dpi.sv", include_str!("../../templates/unit_dpi.sv.tera")),
    ("behavioural.sv", include_str!("../../templates/behavioural.sv.tera")),
    ("registered_bind.sv", include_str!("../../templates/registered_bind.sv.tera")),
    ("stream_bind.sv", include_str!("../../templates/stream_bind.sv.tera")),
    ("dpi_test.sv", include_str!("../../templates/dpi_test.sv.tera")),
    ("board.sv", include_str!("../../templates/board.sv.tera")),
    ("tile.sv", include_str!("../../templates/tile.sv.tera")),
    ("tile_stream.sv", include_str!("../../templates/tile_stream.sv.tera")),
    ("tile_test.sv", include_str!("../../templates/tile_test.sv.tera")),
];

/// A set of templates, each with its name. Marks are brackets, which leaves braces to SystemVerilog and style sheets.
///
/// # Errors
/// A template is broken.
pub fn templates(texts: &[(&'static str, &'static str)]) -> tera::TeraResult<Tera> {
    let mut tera = Tera::new();
    tera.set_delimiters(Delimiters {
        block_start: "[%".into(),
        block_end: "%]".into(),
        variable_start: "[[".into(),
        variable_end: "]]".into(),
        comment_start: "[#".into(),
        comment_end: "#]".into(),
    })?;
    tera.autoescape_on(Vec::<&'static str>::new());
    tera.add_raw_templates(texts.iter().copied())?;
    Ok(tera)
}

fn render(template: &'static str, unit: &Unit) -> Result<String, EmitError> {
    render_with(template, &context::of(unit))
}

fn render_with(template: &'static str, context: &Context) -> Result<String, EmitError> {
    let failed = |source| EmitError::Template { template, source };
    templates(&TEMPLATES).map_err(failed)?.render(template, context).map_err(failed)
}

/// The module of a unit: an instance of its scheme's module in `rtl/lib`.
///
/// # Errors
/// A template is broken.
pub fn core(unit: &Unit) -> Result<SourceFile, EmitError> {
    Ok(SourceFile { name: format!("{}.sv", unit.module_name()), text: render("unit.sv", unit)? })
}

/// The clocked wrapper of a unit, with enable and valid: registers at input and output, or those that the unit has.
///
/// # Errors
/// A template is broken.
pub fn registered(unit: &Unit) -> Result<SourceFile, EmitError> {
    Ok(SourceFile { name: format!("{}_registered.sv", unit.module_name()), text: render("registered.sv", unit)? })
}

/// The unit between two streams with valid and ready.
///
/// # Errors
/// A template is broken.
pub fn stream(unit: &Unit) -> Result<SourceFile, EmitError> {
    Ok(SourceFile { name: format!("{}_stream.sv", unit.module_name()), text: render("stream.sv", unit)? })
}

/// All files of a unit: those of its module, the clocked wrapper, the streams, and a list of them in the order in which tools
/// read them (`-f` of Verilator and Icarus).
///
/// # Errors
/// A template is broken.
pub fn design(unit: &Unit) -> Result<Vec<SourceFile>, EmitError> {
    let mut files = module(unit)?;
    files.push(registered(unit)?);
    add_new(&mut files, library("tensorsmith_stream"));
    files.push(stream(unit)?);
    let list = files.iter().map(|file| format!("{}\n", file.name)).collect();
    files.push(SourceFile { name: format!("{}.f", unit.module_name()), text: list });
    Ok(files)
}

/// A unit's design with what others need around it: its description, a test with golden vectors, one a line as the test reads
/// them, constraints, manifests for FuseSoC and Bender, and a page.
///
/// # Errors
/// A template is broken.
pub fn package(unit: &Unit, vectors: &[String]) -> Result<Vec<SourceFile>, EmitError> {
    let mut files = design(unit)?;
    let module = unit.module_name();
    let mut context = context::of(unit);
    let sources: Vec<&str> = files.iter().map(|file| file.name.as_str()).filter(|name| name.ends_with(".sv")).collect();
    context.insert("files", &sources);
    context.insert("vectors", &vectors.len());
    context.insert("what", "golden vectors: what the emulator answers to shaped operands");
    for (template, name) in [
        ("test.sv", format!("{module}_test.sv")),
        ("unit.core", format!("{module}.core")),
        ("Bender.yml", "Bender.yml".to_owned()),
        ("unit.sdc", format!("{module}.sdc")),
        ("box.md", "README.md".to_owned()),
    ] {
        files.push(SourceFile { name, text: render_with(template, &context)? });
    }
    let lines = vectors.iter().map(|line| format!("{line}\n")).collect();
    files.push(SourceFile { name: format!("{module}_vectors.hex"), text: lines });
    files.push(SourceFile { name: format!("{module}.toml"), text: unit.to_toml() });
    Ok(files)
}

/// The rows of the parameter table: name and value.
pub fn parameter_table(unit: &Unit) -> Vec<(String, String)> {
    context::table(unit, &Plan::of(unit))
}

/// What the picture of the window shows.
pub fn picture_heading(unit: &Unit) -> &'static str {
    context::picture_heading(&Plan::of(unit))
}

/// What the bits of the sum weigh, as lines of text.
pub fn window_picture(unit: &Unit) -> Vec<String> {
    context::picture(unit, &Plan::of(unit))
}

/// The files of a unit's module, each behind what it instantiates: what it needs of the library, then the core.
///
/// # Errors
/// A template is broken.
pub fn module(unit: &Unit) -> Result<Vec<SourceFile>, EmitError> {
    let core = core(unit)?;
    let mut files = modules_of(&core.text);
    files.push(core);
    Ok(files)
}
