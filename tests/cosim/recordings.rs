//! Recorded answers of V100, A100, Ada and H100: every row through emulator, reference and RTL.

use tensorsmith::check::replay::replay;
use tensorsmith::engine::recording::{Content, read_all};
use tensorsmith::engine::{Kind, Opened};

use super::support;

#[test]
fn recordings_emulator_reference_rtl() {
    let Some(folder) = support::recordings() else {
        return support::skip("recordings", "TENSORSMITH_RECORDINGS names no folder");
    };
    let mut rows = 0;
    for recording in read_all(&folder).expect("well-formed recordings") {
        let name = format!("{} {} -> {}", recording.device, recording.operands, recording.result);
        let (unit, batch, expected) = match recording.content {
            Content::Rows { unit, batch, expected } => (unit, batch, expected),
            Content::Skipped(reason) => {
                support::skip(&format!("recording {name}"), &reason);
                continue;
            }
        };
        rows += expected.len();
        for kind in [Kind::Emulator, Kind::Reference, Kind::Rtl] {
            let mut engine = match kind.open(&unit).expect("the engine starts") {
                Opened::Ready(engine) => engine,
                Opened::Unsupported(reason) => {
                    support::skip(&format!("recordings-{}", kind.name()), &reason);
                    continue;
                }
            };
            let outcome = replay(engine.as_mut(), &batch, &expected).expect("the engine answers");
            println!("{name}: {} ran {} rows, {} mismatches", kind.name(), outcome.vectors, outcome.mismatches);
            assert_eq!(outcome.vectors as usize, expected.len());
            assert_eq!(outcome.mismatches, 0, "{name}: {:?}", outcome.first);
        }
    }
    assert!(rows > 0, "the folder holds recordings of units of the catalogue");
}
