//! `report`: whose silicon an answer of real hardware is evidence for.

use std::collections::BTreeMap;

use tensorsmith::check::pairs::Pairs;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::device::Device;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::subject::Subject;
use tensorsmith::engine::{Absence, Kind, Opened};
use tensorsmith::report::{Asked, Findings, Outcomes, State, Time, pairs};

/// What a machine answers is evidence for devices with its target alone: others that have the same unit are told of it.
#[test]
fn another_part_is_no_evidence_for_a_device() {
    let open = |kind: Kind, subject: &Subject| match kind {
        Kind::Emulator | Kind::Processor => Kind::Emulator.open_subject(subject),
        _ => Ok(Opened::Absent(Absence::Missing("not in this test".to_owned()))),
    };
    let [own, other] = ["Sapphire-Rapids", "H100"].map(|name| catalogue::device(name).expect("a device"));
    let is_fma = |one: &&Instruction| one.units().all(|unit| unit.name == "fma-fp64");
    let of_other = other.instructions.iter().find(is_fma).expect("H100 has fp64").clone();
    let of_own = own.instructions.iter().find(|one| one.name == "intel-tdpbf16ps").expect("AMX").clone();
    let subjects: Vec<Subject> = [&of_own, &of_other].map(|one| Subject::from(one.clone())).to_vec();
    let campaign = Pairs { seed: 1, vectors: 500, open: &open };
    let outcomes = campaign.run(&subjects, &pairs(), &|_| {}).expect("the engines answer");
    let instructions: Outcomes = subjects.iter().map(|subject| subject.name().to_owned()).zip(outcomes).collect();
    let summary = |machines: BTreeMap<&'static str, String>, instructions| {
        let device = |device: &Device, one: &Instruction| Device { instructions: vec![one.clone()], ..device.clone() };
        let devices = vec![device(&own, &of_own), device(&other, &of_other)];
        let asked = Asked { seed: 1, vectors: 500, devices, units: Vec::new() };
        let (units, replayed, inferred, proved) = (Outcomes::new(), None, None, None);
        let findings = Findings { units, instructions, replayed, inferred, proved, speed: Vec::new(), machines };
        findings.summary(&asked, Time::default())
    };
    // The stand-in answers by the emulator's name.
    let summary = summary(BTreeMap::from([("emulator", "sapphirerapids".to_owned())]), instructions);
    assert_eq!((summary.rows, summary.rows_on_hardware), (2, 1));
    let row = |place: usize| &summary.devices[place].instructions[0];
    assert_eq!(row(0).on_hardware.text, "live: emulator");
    assert!(
        row(1).on_hardware.state == State::None
            && row(1).checks.live.text.ends_with("another part that computes the same")
    );
}
