//! `tensorsmith devices`: instructions of named parts, what verified each, and their answers to one vector.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::answers::{self, Numbers};
use super::output::say;
use super::{Failure, Verdict, input, names, output};
use crate::cli::table;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::device::Device;
use tensorsmith::engine::Kind;
use tensorsmith::report::{DefaultInstruction, DeviceInstruction, DeviceReport, Source, sources};

/// List devices, their instructions and what verified each; or compare their answers to one vector
///
/// A device whose silicon never answered for an instruction prints as "unverified on hardware"; "replayed" names the folders
/// of its recordings, some of which fill only the first block, or have c = 0: the sources say so; "live" is one that was
/// compared with the running instruction. With names, the sources of all constants follow.
#[derive(Args)]
#[command(
    after_help = "Numbers are decimals (-1.5, 2e-3) or C99 hexadecimal floats (0x1.8p+3), separated by commas; missing operands are zero.\nAn instruction whose formats do not hold them exactly is listed as not representable.\n\nExamples:\n  tensorsmith devices\n  tensorsmith devices V100 H100\n  tensorsmith devices --defaults\n  tensorsmith devices --answers --engines emulator,reference\n  tensorsmith devices A100 --answers --a 1,1 --b 1,0x1p-24 --c -1 --engines emulator"
)]
pub(super) struct Arguments {
    /// Names of devices; all of them without
    devices: Vec<String>,
    /// List the instruction that a product takes where none is named, for each of a device's operand formats, and where that choice
    /// comes from
    #[arg(long, conflicts_with = "answers")]
    defaults: bool,
    /// Evaluate one vector on every instruction; without numbers the one that tells the generations apart
    #[arg(long)]
    answers: bool,
    /// Operands a, separated by commas
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "NUMBERS", requires = "answers")]
    a: Option<Vec<String>>,
    /// Operands b, separated by commas
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "NUMBERS", requires = "answers")]
    b: Option<Vec<String>>,
    /// Addend
    #[arg(long, allow_hyphen_values = true, value_name = "NUMBER", requires = "answers")]
    c: Option<String>,
    /// Engines that answer
    #[arg(long, value_delimiter = ',', default_value = "emulator,rtl", value_name = "ENGINES", requires = "answers")]
    engines: Vec<Kind>,
    /// Write the list as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct Listing {
    devices: Vec<DeviceReport>,
    sources: Vec<Source>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    input::check_once("DEVICES", "device", &arguments.devices)?;
    let devices = named(&arguments.devices)?;
    if arguments.answers {
        let numbers = Numbers::new(arguments.a.as_deref(), arguments.b.as_deref(), arguments.c.as_deref())?;
        return answers::run(&devices, &numbers, &arguments.engines, arguments.json.as_deref());
    }
    let listing = Listing {
        devices: devices.iter().map(DeviceReport::of).collect(),
        sources: if arguments.devices.is_empty() { Vec::new() } else { sources(&devices) },
    };
    if output::json_beside_text(arguments.json.as_deref(), &listing)? {
        match arguments.defaults {
            true => print_defaults(&listing),
            false => print(&listing),
        }
    }
    Ok(Verdict::Agreed)
}

/// The named devices, or all of them.
pub(super) fn named(names: &[String]) -> Result<Vec<Device>, Failure> {
    if names.is_empty() {
        return Ok(catalogue::devices());
    }
    let find = |name: &String| {
        let refuse = || names::unknown("device", name, "a name", &catalogue::device_names(), "devices");
        Device::meant(name).ok_or_else(refuse)
    };
    names.iter().map(find).collect()
}

fn print(listing: &Listing) {
    for device in &listing.devices {
        let engine = device.engine.map_or(String::new(), |engine| format!("engine {engine}"));
        let lists = [device.parts.join(", "), device.targets.join(", "), engine];
        let lists: Vec<String> = lists.into_iter().filter(|list| !list.is_empty()).collect();
        let known = if lists.is_empty() { "no part of it".to_owned() } else { lists.join("; ") };
        say!("{}", table::filled(&format!("{}: {}: {known}", device.device, device.summary)));
    }
    say!("");
    let headings =
        ["device", "instruction", "a", "b", "c", "d", "unit", "evidence", "on hardware", "sources disagree on"];
    let rows = listing.devices.iter().flat_map(|device| {
        device.instructions.iter().map(|instruction| row(&device.device, instruction)).collect::<Vec<_>>()
    });
    say!("{}", table::table_of(&headings, &[], rows.collect(), &[1, 8]));
    if !listing.sources.is_empty() {
        let rows = listing.sources.iter().map(|source| {
            let grade = source.evidence.grade.name().to_owned();
            vec![source.of.clone(), source.constant.clone(), grade, source.evidence.source.clone()]
        });
        say!("\nSources:\n{}", table::table(&["of", "constant", "grade", "source"], &[], rows.collect()));
    }
}

fn print_defaults(listing: &Listing) {
    let headings = ["device", "a x b", "c", "d", "instruction", "grade", "source"];
    let row = |device: &DeviceReport, default: &DefaultInstruction| {
        let DefaultInstruction { c, d, instruction, evidence, .. } = default;
        let (operands, grade) = (default.operands_text(), evidence.grade.name());
        [&device.device, &operands, c, d, instruction, grade, &evidence.source].map(str::to_owned).to_vec()
    };
    let rows = listing.devices.iter().flat_map(|device| device.defaults.iter().map(move |own| row(device, own)));
    say!("{}", table::table(&headings, &[], rows.collect()));
}

fn row(device: &str, instruction: &DeviceInstruction) -> Vec<String> {
    let formats = [&instruction.a, &instruction.b, &instruction.c, &instruction.d];
    let mut row = vec![device.to_owned(), instruction.instruction.clone()];
    row.extend(formats.into_iter().cloned());
    row.extend([
        instruction.units.join(", then "),
        instruction.grade(device),
        instruction.verified(),
        instruction.conflicts.join(", "),
    ]);
    row
}
