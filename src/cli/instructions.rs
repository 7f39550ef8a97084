//! `tensorsmith instructions`: how matrix instructions compose units.

use std::path::PathBuf;

use clap::Args;

use super::{Failure, Verdict, output};
use crate::cli::table;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::instruction::{Instruction, Order, Start};

/// List the instructions of the catalogue: how each composes units
#[derive(Args)]
#[command(after_help = "Examples:\n  tensorsmith instructions\n  tensorsmith instructions --json -")]
pub(super) struct Arguments {
    /// Write the list as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let instructions = catalogue::instructions();
    if !output::json_beside_text(arguments.json.as_deref(), &instructions)? {
        return Ok(Verdict::Agreed);
    }
    let headings = ["instruction", "k", "blocks", "unit", "order", "starts from", "then", "grade", "other tiles"];
    let rows = instructions.iter().map(row).collect();
    output::say!("{}", table::table_of(&headings, &[1, 2], rows, &[0, 1, 2, 5]));
    Ok(Verdict::Agreed)
}

fn row(instruction: &Instruction) -> Vec<String> {
    let order = match instruction.order {
        Order::Contiguous => "contiguous",
        Order::InterleavedPairs => "interleaved pairs",
    };
    let start = match instruction.start {
        Start::Addend => "c",
        Start::Zero if instruction.c.is_absent() => "zero, no c",
        Start::Zero => "zero",
    };
    let then = instruction.final_addition.as_ref().map_or(String::new(), |adder| format!("+ c ({})", adder.name));
    vec![
        instruction.name.clone(),
        instruction.shape.k.to_string(),
        instruction.blocks().len().to_string(),
        instruction.unit.name.clone(),
        order.to_owned(),
        start.to_owned(),
        then,
        instruction.evidence.grade.name().to_owned(),
        instruction.tiles.clone().unwrap_or_default(),
    ]
}
