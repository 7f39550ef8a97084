//! The engine itself: which units it takes, whom it refuses, and how it treats NaN.

use tensorsmith::describe::catalogue;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::processor::{LaneOperation, Operation, Setup, TileOperation};
use tensorsmith::engine::{Batch, Engine, Kind, Opened, Processor};

use super::open;
use super::operands::Operands;
use super::support::unit;

#[test]
fn units_are_known_by_what_they_compute() {
    let fma = unit("fma-fp32");
    assert_eq!(Operation::of(&fma), Some(Operation::Lane(LaneOperation::Fma32)));
    assert_eq!(Operation::of(&Unit { name: "renamed".to_owned(), ..fma.clone() }), Operation::of(&fma));
    let mut flushing = fma.clone();
    flushing.flush.result = true;
    assert_eq!(Operation::of(&flushing), None);
    let integer = unit("integer-int8-int32");
    assert_eq!(Operation::of(&integer), Some(Operation::Tile(TileOperation::Tdpbssd)));
    assert_eq!(Operation::of(&Unit { products: 65, ..integer }), None);
    assert_eq!(Operation::of(&unit("integer-int8-int32-saturate")), None);
    assert_eq!(Operation::of(&unit("hopper-bf16-fp32")), None);
}

#[test]
fn other_units_are_unsupported_and_it_says_so() {
    let unit = unit("hopper-bf16-fp32");
    match Kind::Processor.open(&unit).expect("nothing fails") {
        Opened::Ready(_) => panic!("{} is no instruction of Intel's", unit.name),
        Opened::Absent(reason) => {
            assert!(
                reason.to_string().contains("TDPBF16PS") && reason.to_string().contains("computes this unit"),
                "{reason}"
            );
        }
    }
    for (operation, products) in [
        (Operation::Tile(TileOperation::Tdpbf16ps), 3),
        (Operation::Tile(TileOperation::Tdpbf16ps), 34),
        (Operation::Tile(TileOperation::Tdpbssd), 65),
        (Operation::Lane(LaneOperation::Vdpbf16ps), 4),
        (Operation::Lane(LaneOperation::Fma32), 0),
    ] {
        let refused = Processor::open_operation(operation, products, Setup::default());
        let reason = refused.err().expect("too many products, or too few");
        assert!(reason.contains(operation.name()) && reason.contains(&products.to_string()), "{reason}");
    }
}

/// The machine tells who it is, an instruction that is composed of units too.
#[test]
fn details_of_the_machine() {
    let unit = unit("fma-fp64");
    let Opened::Ready(own) = Processor::open(&unit) else {
        return super::support::skip("intel-vfmadd231pd", "this CPU has no FMA3");
    };
    let details = own.details();
    assert_eq!(details.get("instruction").map(String::as_str), Some("VFMADD231PD"));
    let known = ["name", "family", "model", "stepping", "operating system"];
    assert!(known.iter().all(|name| details.get(*name).is_some_and(|value| !value.is_empty())), "{details:?}");
    assert!(own.identity().version.ends_with(&details["name"]), "{details:?}");
    let composed = catalogue::instructions().into_iter().find(|instruction| instruction.unit == unit);
    let composed = Subject::Instruction(composed.expect("an instruction of the unit"));
    let Opened::Ready(composed) = Kind::Processor.open_subject(&composed).expect("nothing fails") else {
        panic!("the unit's instruction is there")
    };
    assert_eq!(composed.details(), details);
    let Opened::Ready(emulator) = Kind::Emulator.open(&unit).expect("nothing fails") else { panic!("it always runs") };
    assert!(emulator.details().is_empty(), "software has no machine");
}

/// A NaN is the unit's, unless the processor's is asked for.
#[test]
fn nans_become_the_unit_s() {
    let operation = Operation::Lane(LaneOperation::Fma32);
    let Some(mut raw) = open(operation, 1, Setup { raw_nan: true, ..Setup::default() }) else { return };
    let Opened::Ready(mut own) = Processor::open(&unit("fma-fp32")) else { panic!("the instruction is there") };
    let mut batch = Batch::new(1, 0);
    batch.resize(3);
    (batch.a, batch.b) = (vec![0x7f80_0001, 0x7f80_0000, 0x3f80_0000], vec![0x3f80_0000, 0, 0x4000_0000]);
    let mut results = Vec::new();
    raw.run(&batch, &mut results).expect("the engine answers");
    assert_eq!(results, [0x7fc0_0001, 0xffc0_0000, 0x4000_0000]);
    own.run(&batch, &mut results).expect("the engine answers");
    assert_eq!(results, [0x7fff_ffff, 0x7fff_ffff, 0x4000_0000]);
}

/// TDPBSSD against sums of i64, all extents, on random bytes and on the largest sums.
#[test]
fn tdpbssd_integers() {
    let mut compared = 0;
    for k in 1..=64 {
        let Some(mut engine) = open(Operation::Tile(TileOperation::Tdpbssd), k, Setup::default()) else { return };
        let k = k as usize;
        let mut operands = Operands::new(k as u64);
        let (m, n) = (k.min(16), 17 - k.min(16));
        let mut matrices = tensorsmith::engine::Matrices { m, n, k, ..Default::default() };
        let mut draw = |count, bits, greatest| -> Vec<u64> {
            let largest_sums = k.is_multiple_of(5);
            (0..count).map(|_| if largest_sums { greatest } else { operands.bits(bits) }).collect()
        };
        // The square of -128 is the largest product.
        matrices.a = draw(m * k, 8, 0x80);
        matrices.b = draw(k * n, 8, 0x80);
        matrices.c = draw(m * n, 32, 0x7fff_ffff);
        let d = super::tdpbf16ps::product(&mut engine, &matrices);
        for (place, &found) in d.iter().enumerate() {
            let (i, j) = (place / n, place % n);
            let byte = |bits: u64| i64::from(bits as u8 as i8);
            let product = |index: usize| byte(matrices.a[i * k + index]) * byte(matrices.b[index * n + j]);
            let sum = i64::from(matrices.c[place] as u32 as i32) + (0..k).map(product).sum::<i64>();
            assert_eq!(found, u64::from(sum as u32), "K {k}, element {i} {j}");
            compared += 1;
        }
    }
    println!("TDPBSSD: {compared} results compared");
    assert!(compared > 1000);
}
