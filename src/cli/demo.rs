//! `tensorsmith demo`: the main commands, one after the other, on what this machine has.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use clap::Args;

use super::output::say;
use super::{Failure, Verdict, input, table};
use tensorsmith::engine::installed;

/// The modules that the build links, of every family of summation schemes at least one.
const LINKED: &str = include_str!("../../sim/linked_units.txt");
/// Instructions made of them.
const INSTRUCTIONS: [&str; 2] = ["ampere-mma-m16n8k16-bf16-fp32", "hopper-mma-m16n8k16-fp16-fp32"];
/// The unit that is simulated as a netlist, and found from its answers.
const UNIT: &str = "volta-fp16-fp32";

/// Show what this program does on this machine
///
/// Recorded answers of real hardware through the emulator; the same vectors through emulator, reference and RTL; the same through a
/// netlist; a description found from answers alone. What a machine lacks is skipped, with the reason.
#[derive(Args)]
#[command(after_help = "Examples:\n  tensorsmith demo\n  tensorsmith demo --vectors 1000000")]
pub(super) struct Arguments {
    /// Vectors per unit
    #[arg(long, default_value_t = 100_000, value_name = "N", value_parser = input::number::<u64>(1..=u64::MAX))]
    vectors: u64,
}

/// A command of the demonstration, and which of its lines are shown.
struct Step {
    words: Vec<String>,
    shows: fn(&str) -> bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let mut verdict = Verdict::Agreed;
    for step in steps(arguments.vectors) {
        match run_step(&step)? {
            Some(0) => {}
            Some(1) => verdict = Verdict::Differed,
            code => {
                let code = code.map_or("without an exit code".to_owned(), |code| format!("with exit code {code}"));
                return Err(Failure(format!("tensorsmith {} ended {code}", step.words.join(" "))));
            }
        }
    }
    Ok(verdict)
}

fn steps(vectors: u64) -> Vec<Step> {
    let words = |text: String| text.split(' ').map(str::to_owned).collect();
    let mut steps = Vec::new();
    match installed::recordings() {
        Some(folder) => {
            let folder = folder.display().to_string();
            let words = ["replay", &folder, "--engines", "emulator"].map(str::to_owned).into();
            steps.push(Step { words, shows: |line| line.starts_with("emulator: ") });
        }
        None => say!("recordings of real hardware: skipped, because none lie beside this program\n"),
    }
    let linked = LINKED.lines().filter(|line| !line.starts_with('#')).map(|module| module.replace('_', "-"));
    let units = linked.chain(INSTRUCTIONS.map(str::to_owned)).collect::<Vec<_>>().join(" ");
    let cosim = format!("cosim {units} --vectors {vectors} --allow-missing");
    steps.push(Step { words: words(cosim), shows: of_cosim });
    let netlist = format!("cosim {UNIT} --engines emulator,wide,netlist --vectors {vectors} --allow-missing");
    steps.push(Step { words: words(netlist), shows: of_cosim });
    steps.push(Step {
        words: words(format!("infer {UNIT} --engine emulator")),
        shows: |line| !line.starts_with("not "),
    });
    steps
}

/// The table of `cosim`, what was skipped, and the sum.
fn of_cosim(line: &str) -> bool {
    line.starts_with('|') || line.contains(" skipped, because ") || line.contains(" mismatches, seed ")
}

/// Shows a command and some of what it says; returns its exit code.
fn run_step(step: &Step) -> Result<Option<i32>, Failure> {
    say!("$ tensorsmith {}", step.words.join(" "));
    let mut command = Command::new(installed::program()?);
    // Tables fit the terminal, though they come through a pipe.
    command.envs(table::room().map(|room| ("COLUMNS", room.to_string())));
    let mut child = command.args(&step.words).stdout(Stdio::piped()).spawn()?;
    let (mut left_out, mut last) = (false, String::new());
    for line in child.stdout.take().into_iter().flat_map(|pipe| BufReader::new(pipe).lines()) {
        let line = line?;
        // Why an engine is skipped is said of each unit.
        let reason = line.split_once(" skipped, because ").map_or(String::new(), |(engine, _)| engine.to_owned());
        if !(step.shows)(&line) || (!reason.is_empty() && reason == last) {
            left_out = true;
            continue;
        }
        if left_out {
            say!("...");
        }
        say!("{line}");
        (left_out, last) = (false, reason);
    }
    if left_out {
        say!("...");
    }
    say!("");
    Ok(child.wait()?.code())
}
