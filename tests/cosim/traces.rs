//! Traces of emulator and RTL agree in every stage on shaped vectors.
#![cfg(feature = "rtl")]

use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::catalogue;
use tensorsmith::engine::{Batch, Emulator, Engine, Kind, Opened};

use super::support;

/// Those of the ordinary tier.
const FIRST: [&str; 5] = ["tiny-nearest", "tiny-fma", "tiny-grouped", "tiny-exact", "tiny-two-groups"];

/// Those of the long tier beside them.
const OTHERS: [&str; 16] = [
    "hopper-fp16-fp16",
    "hopper-bf16-fp32",
    "volta-fp16-fp32",
    "integer-int8-int32-saturate",
    "tiny-riscv",
    "fma-fp64",
    "integer-int8-uint8-int32",
    "blackwell-mx-e4m3-fp32",
    "blackwell-nvf4-fp32",
    "tiny-scaled",
    "cdna1-fp16-fp32",
    "cdna3-bf16-fp32",
    "cdna3-e5m2fnuz-fp32",
    "tiny-then-add",
    "riscv-bf16-fp32",
    "tf64-fp32-fp64",
];

#[test]
fn emulator_rtl_traces_shaped_catalogue() {
    let mut compared = 0;
    let count = if support::long_tier() { 2000 } else { 200 };
    let others: &[&str] = if support::long_tier() { &OTHERS } else { &[] };
    let units = [&FIRST, others].concat();
    for name in &units {
        let unit = catalogue::unit(name).expect("a unit of the catalogue");
        let Opened::Ready(mut rtl) = Kind::Rtl.open(&unit).expect("the engine starts") else {
            return support::skip("rtl-traces", "no RTL engine");
        };
        let mut emulator = Emulator::new(&unit);
        let mut batch = Batch::of_unit(&unit);
        Stimulus::shaped(&unit, 3).fill(0, count, &mut batch);
        for v in 0..batch.len() {
            let vector = batch.vector(v);
            let theirs = rtl.trace(&vector).expect("a traced model can be built").expect("the RTL shows its stages");
            let ours = emulator.trace(&vector).expect("the emulator traces").expect("the emulator shows its stages");
            assert_eq!(ours.first_difference(&theirs), None, "{name}: {vector:x?}");
            compared += 1;
        }
    }
    println!("traces of {compared} vectors compared in every stage");
    assert_eq!(compared, count * units.len());
}
