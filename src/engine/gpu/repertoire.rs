//! What a GPU answers of the catalogue: the instructions of devices that name its target.

use crate::describe::catalogue;
use crate::describe::fragment::Tile;
use crate::describe::instruction::Instruction;
use crate::describe::subject::Subject;
use crate::engine::{Absence, EngineError, Opened};

/// The instructions of one GPU.
pub struct Repertoire {
    /// Target and name of the GPU, for messages.
    of: String,
    instructions: Vec<Instruction>,
}

impl Repertoire {
    /// The instructions of a GPU of that name, which runs kernels for the target.
    pub fn new(target: &str, name: &str) -> Repertoire {
        let own = |targets: &[String]| targets.iter().any(|known| known == target);
        let devices = catalogue::devices().into_iter().filter(|device| own(&device.targets));
        let instructions = devices.flat_map(|device| device.instructions).collect();
        Repertoire { of: format!("{target} ({name})"), instructions }
    }

    fn lacks(&self, what: &str) -> String {
        format!("the catalogue knows no {what} of {}", self.of)
    }

    /// The instruction, if it is one of these, or one that is nothing but the unit; else the reason why there is none.
    pub fn instruction(&self, subject: &Subject) -> Result<Instruction, String> {
        match subject {
            Subject::Instruction(instruction) => {
                let known = self.instructions.contains(instruction);
                known
                    .then(|| instruction.clone())
                    .ok_or_else(|| self.lacks(&format!("instruction {}", instruction.name)))
            }
            Subject::Unit(unit) => {
                let fitting = |one: &&Instruction| one.is_once(unit) && Tile::of(one).is_ok();
                let found = self.instructions.iter().find(fitting).cloned();
                found.ok_or_else(|| self.lacks(&format!("instruction that is {} alone", unit.name)))
            }
        }
    }
}

/// Starts the instruction that is chosen on a GPU. A reason in place of a GPU is what this machine lacks, one in place of an
/// instruction why the GPU does not answer.
pub fn open<G>(
    gpu: Result<G, String>,
    choose: impl Fn(&G) -> Result<Instruction, String>,
    start: impl Fn(G, Instruction, Tile) -> Result<Opened, EngineError>,
) -> Result<Opened, EngineError> {
    let gpu = match gpu {
        Ok(gpu) => gpu,
        Err(reason) => return Ok(Opened::Absent(Absence::Missing(reason))),
    };
    match choose(&gpu).and_then(|instruction| Tile::of(&instruction).map(|tile| (instruction, tile))) {
        Ok((instruction, tile)) => start(gpu, instruction, tile),
        Err(reason) => Ok(Opened::Absent(Absence::Inapplicable(reason))),
    }
}
