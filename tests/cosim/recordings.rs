//! Recorded answers of V100, A100, Ada and H100: every row through emulator, reference and RTL; in the ordinary tier through the RTL
//! of units that are linked.

use tensorsmith::check::replay::replay;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::subject::Subject;
use tensorsmith::engine::{Kind, Opened};
use tensorsmith::recording::public::{Content, read_all};

use super::support;

#[test]
fn recordings_emulator_reference_rtl() {
    let Some(folder) = support::recordings() else {
        return support::skip("recordings", "TENSORSMITH_RECORDINGS names no folder");
    };
    let (mut rows, mut simulated_rows) = (0, 0);
    for recording in read_all(&folder).expect("well-formed recordings") {
        let name = format!("{} {} -> {}", recording.device, recording.operands, recording.result);
        let (instruction, batch, expected) = match recording.content {
            Content::Rows { instruction, batch, expected } => (instruction, batch, expected),
            Content::Skipped(reason) => {
                support::skip(&format!("recording {name}"), &reason);
                continue;
            }
        };
        rows += expected.len();
        let kinds = [Kind::Emulator, Kind::Reference, Kind::Rtl];
        let simulated = support::simulates(&Subject::from(Instruction::clone(&instruction)).units());
        for kind in &kinds[..if simulated { 3 } else { 2 }] {
            let mut engine = match kind.open_instruction(&instruction).expect("the engine starts") {
                Opened::Ready(engine) => engine,
                Opened::Absent(reason) => {
                    support::skip(&format!("recordings-{}", kind.name()), &reason);
                    continue;
                }
            };
            let outcome = replay(engine.as_mut(), &batch, &expected).expect("the engine answers");
            println!("{name}: {} ran {} rows, {} mismatches", kind.name(), outcome.vectors, outcome.mismatches);
            assert_eq!(outcome.vectors as usize, expected.len());
            simulated_rows += if *kind == Kind::Rtl { outcome.vectors } else { 0 };
            assert_eq!(outcome.mismatches, 0, "{name}: {:?}", outcome.first);
        }
    }
    if simulated_rows == 0 {
        support::skip("recordings-rtl", "no unit is simulated");
    }
    assert!(rows > 0, "the folder holds recordings of instructions of the catalogue");
}
