//! Instructions: the composition by hand, every engine on shaped vectors, and wrong compositions that must be caught.

use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::compute::{Inputs, reference};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::{Format, Overflow, Rounding};
use tensorsmith::describe::instruction::{Instruction, Order};
use tensorsmith::describe::subject::Subject;
use tensorsmith::engine::{Batch, Kind};

use super::support::{self, instruction};
use super::{emulator, open, run};

const VECTORS: u64 = 100_000;

/// Fewer vectors for the members of a large family: their units have their own test. The ordinary tier runs one of each.
#[test]
fn emulator_reference_rtl_shaped_instructions() {
    for entry in catalogue::instruction_entries() {
        let members = catalogue::instruction_members(entry).expect("an entry of the catalogue");
        let count = support::vectors(if members.len() > 4 { VECTORS / 10 } else { VECTORS / 4 });
        for name in support::members(entry) {
            let instruction = instruction(&name);
            let kinds = [Kind::Emulator, Kind::Reference, Kind::Rtl];
            let kinds =
                if support::simulates(&Subject::from(instruction.clone()).units()) { &kinds[..] } else { &kinds[..2] };
            let engines: Vec<_> = kinds.iter().filter_map(|kind| open("instructions", &instruction, *kind)).collect();
            assert!(engines.len() >= 2);
            let comparison = run(engines, &instruction, 4, count);
            println!("{name}: {} engines, {} vectors", comparison.engines.len(), comparison.compared);
            assert_eq!((comparison.compared, comparison.mismatches), (count, 0), "{:?}", comparison.first);
        }
    }
}

#[test]
fn orders_of_blocks() {
    let halves: [Vec<usize>; 2] = [(0..16).collect(), (16..32).collect()];
    assert_eq!(instruction("ada-mma-m16n8k32-e4m3-fp32").blocks(), halves);
    let even = vec![0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29];
    let odd = vec![2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31];
    assert_eq!(instruction("hopper-mma-m16n8k32-e5m2-fp16").blocks(), [even, odd]);
    assert_eq!(instruction("volta-mma-m8n8k4-fp16-fp32").blocks(), [vec![0, 1, 2, 3]]);
}

/// Hopper's mma.sync with fp8 operands, written out: two fp16 blocks from zero, then c added and rounded to nearest.
#[test]
fn hopper_fp8_mma_by_hand_shaped() {
    let instruction = instruction("hopper-mma-m16n8k32-e4m3-fp32");
    let (block, e4m3, half) =
        (catalogue::unit("hopper-fp16-fp32").expect("a unit"), Format::e4m3(), Format::binary16());
    let mut batch = Batch::new(32, 0);
    Stimulus::shaped(instruction.frame(), 9).fill(0, 4000, &mut batch);
    let mut results = Vec::new();
    let mut emulator = emulator(&instruction);
    emulator.run(&batch, &mut results).expect("the emulator answers");
    let mut compared = 0;
    for (v, &result) in results.iter().enumerate() {
        let widen = |bits: u64| half.from_f64(e4m3.to_f64(bits), Rounding::TowardZero, Overflow::Ieee);
        let mut chain = 0;
        for odd in [0, 1] {
            let indices: Vec<usize> = (0..32).filter(|i| i / 2 % 2 == odd).collect();
            let a: Vec<u64> = indices.iter().map(|&i| widen(batch.a(v)[i])).collect();
            let b: Vec<u64> = indices.iter().map(|&i| widen(batch.b(v)[i])).collect();
            chain = reference::evaluate(&block.arithmetic(), Inputs::unscaled(&a, &b, chain));
        }
        let sum = f32::from_bits(chain as u32) + f32::from_bits(batch.c[v] as u32);
        let expected = match sum {
            _ if sum.is_nan() => 0x7fff_ffff,
            // The final addition gives plus zero where the operands cancel, and for two minus zeros.
            _ if sum == 0.0 => 0,
            _ => u64::from(sum.to_bits()),
        };
        assert_eq!(result, expected, "{:x?}", batch.vector(v));
        compared += 1;
    }
    println!("{compared} vectors against binary32 addition of the machine");
    assert_eq!(compared, 4000);
}

/// A composition that differs in one place answers differently.
#[test]
fn wrong_compositions_are_caught() {
    let right = instruction("hopper-mma-m16n8k32-e4m3-fp32");
    let mut order = right.clone();
    order.order = Order::Contiguous;
    let wgmma = instruction("hopper-wgmma-k32-e4m3-fp32");
    let ada = instruction("ada-mma-m16n8k32-e4m3-fp32");
    let mut swapped_halves = ada.clone();
    swapped_halves.order = Order::InterleavedPairs;
    for (fault, right, wrong) in [
        ("halves for pairs", &right, &order),
        ("the fp8 unit", &right, &wgmma),
        ("pairs for halves", &ada, &swapped_halves),
    ] {
        let engines = [right, wrong].map(emulator);
        let comparison = run(engines.into(), right, 4, VECTORS);
        println!("{}: {fault}: {} of {} vectors differ", right.name, comparison.mismatches, comparison.compared);
        assert!(comparison.mismatches > 0, "{fault} was not caught");
    }
}

/// Results of the emulator on shaped vectors.
fn answers(instruction: &Instruction, batch: &Batch) -> Vec<u64> {
    let mut results = Vec::new();
    let mut emulator = emulator(instruction);
    emulator.run(batch, &mut results).expect("the emulator answers");
    results
}

/// e5m2 x e4m3 runs on the unit of e4m3 x e5m2 with a and b exchanged; without the exchange it would not.
#[test]
fn exchanged_operands_by_hand_shaped() {
    let exchanged = instruction("hopper-wgmma-k32-e5m2-e4m3-fp32");
    let straight = instruction("hopper-wgmma-k32-e4m3-e5m2-fp32");
    assert!(exchanged.exchanged() && !straight.exchanged());
    assert_eq!(exchanged.unit, straight.unit);
    let mut batch = Batch::new(32, 0);
    Stimulus::shaped(exchanged.frame(), 6).fill(0, 4000, &mut batch);
    let results = answers(&exchanged, &batch);
    let mut mistaken = 0;
    for (v, &result) in results.iter().enumerate() {
        let (a, b, c) = (batch.a(v), batch.b(v), batch.c[v]);
        assert_eq!(
            result,
            reference::evaluate(&exchanged.unit.arithmetic(), Inputs::unscaled(b, a, c)),
            "{:x?}",
            batch.vector(v)
        );
        mistaken += u32::from(result != reference::evaluate(&exchanged.unit.arithmetic(), Inputs::unscaled(a, b, c)));
    }
    println!("{} vectors; {mistaken} differ without the exchange", results.len());
    assert!(mistaken > 1000);
}

/// A narrow addend, and a narrow result as the next block's addend, are widened: the blocks written out.
#[test]
fn widened_addends_by_hand_shaped() {
    let (half, single) = (Format::binary16(), Format::binary32());
    let widen = |bits: u64| single.from_f64(half.to_f64(bits), Rounding::TowardZero, Overflow::Ieee);
    for (name, narrow_addend, narrow_result) in [
        ("volta-wmma-m16n16k16-fp16-fp32-from-fp16", true, false),
        ("volta-wmma-m16n16k16-fp16-fp16-from-fp32", false, true),
        ("turing-wmma-m16n16k16-fp16-fp32-from-fp16", true, false),
    ] {
        let instruction = instruction(name);
        let mut batch = Batch::new(16, 0);
        Stimulus::shaped(instruction.frame(), 7).fill(0, 4000, &mut batch);
        let results = answers(&instruction, &batch);
        let mut not_widened = 0;
        for (v, &result) in results.iter().enumerate() {
            let chain = |widened: bool| {
                let narrow = |is_narrow: bool, bits: u64| if is_narrow && widened { widen(bits) } else { bits };
                let mut chain = narrow(narrow_addend, batch.c[v]);
                for (number, block) in instruction.blocks().into_iter().enumerate() {
                    let c = if number > 0 { narrow(narrow_result, chain) } else { chain };
                    let factors = |all: &[u64]| block.iter().map(|&i| all[i]).collect::<Vec<u64>>();
                    let (a, b) = (factors(batch.a(v)), factors(batch.b(v)));
                    chain = reference::evaluate(&instruction.unit.arithmetic(), Inputs::unscaled(&a, &b, c));
                }
                chain
            };
            assert_eq!(result, chain(true), "{name}: {:x?}", batch.vector(v));
            not_widened += u32::from(result != chain(false));
        }
        println!("{name}: {} vectors; {not_widened} differ without widening", results.len());
        assert!(not_widened > 100);
    }
}
