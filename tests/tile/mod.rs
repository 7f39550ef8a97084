//! Tiles: whole instructions in RTL, against the emulator, element by element and as matrices; and tiles with planted faults.

#![cfg(feature = "rtl")]

mod emitted;
mod widening;

use std::collections::BTreeSet;

use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::format::Format;
use tensorsmith::describe::instruction::{Instruction, Order, Shape, Start};
use tensorsmith::describe::unit::{Conversion, Unit};
use tensorsmith::emit::SourceFile;
use tensorsmith::emit::tile::{Size, Tile, TileError, pipelined};
use tensorsmith::engine::rtl::model::Schedule;
use tensorsmith::engine::tile::driven;
use tensorsmith::engine::{Batch, Composed, Engine, Grid, Kind, Matrices, Opened};

use super::support::{self, instruction, unit};

const NAME: &str = "tile:test";

/// A tile of the instruction, with the registers that tiles have.
fn tile(instruction: &Instruction, rows: u32, columns: u32) -> Tile {
    Tile::new(&pipelined(instruction), Size { rows, columns }).expect("a tile")
}

/// The verilated tile, its sources changed, driven with so many gaps and stalls in 256 clocks.
fn grid(tile: &Tile, change: impl Fn(&mut SourceFile), disturbed: u32) -> Result<Option<Grid>, String> {
    let mut sources = tile.sources().expect("sources");
    sources.iter_mut().for_each(change);
    let schedule = Schedule { gaps: disturbed, stalls: disturbed, ..driven() };
    match Grid::of_sources(NAME, tile.clone(), &sources, schedule) {
        Ok(Ok(grid)) => Ok(Some(grid)),
        Ok(Err(absence)) => {
            support::skip("tile", &absence);
            Ok(None)
        }
        Err(error) => Err(error.to_string()),
    }
}

fn vectors(instruction: &Instruction, count: u64) -> Batch {
    let stimulus = Stimulus::shaped(instruction.frame(), 11);
    let mut batch = stimulus.empty_batch();
    stimulus.fill(0, count as usize, &mut batch);
    batch
}

fn answers(engine: &mut dyn Engine, batch: &Batch) -> Result<Vec<u64>, String> {
    let mut results = Vec::new();
    engine.run(batch, &mut results).map_err(|error| error.to_string())?;
    Ok(results)
}

/// An instruction of a few small units along K: fused; the same with operands that are widened, and an addition at the end.
fn small(widened: bool) -> Instruction {
    let whole = unit(if widened { "volta-fp16-fp32" } else { "tiny-nearest" });
    let products = if widened { 2 } else { whole.products };
    let alone = Instruction::alone(Unit { products, ..whole });
    let shape = Shape { m: 2, n: 2, k: 2 * alone.unit.products };
    let plain = Instruction { name: "small".to_owned(), shape, ..alone };
    if !widened {
        return plain;
    }
    let format = |name| Format::named(name).expect("a format");
    Instruction {
        a: format("e4m3"),
        b: format("e5m2"),
        order: Order::InterleavedPairs,
        start: Start::Zero,
        final_addition: Some(unit("addition-fp32")),
        ..plain
    }
}

/// What is asked of a tile: instruction, rows and columns.
type Case = (&'static str, u32, u32);

/// Integers with exchanged operands.
const CASES: [Case; 1] = [("ampere-mma-m16n8k64-uint4-int4-int32", 2, 1)];
/// Beside these in the long tier.
const MORE: [Case; 11] = [
    ("ampere-mma-m16n8k16-fp16-fp32", 2, 2),
    ("blackwell-mma-mxf4-m16n8k64-e2m1-fp32", 1, 2),
    ("cdna-mfma-m16n16k4-fp64-fp64", 2, 1),
    ("hopper-mma-m16n8k16-fp16-fp32", 4, 2),
    ("hopper-mma-m16n8k32-e4m3-e5m2-fp16", 2, 2),
    ("ada-mma-m16n8k32-e4m3-fp32", 4, 4),
    ("volta-mma-m8n8k4-fp16-fp32-from-fp16", 4, 4),
    ("ampere-mma-m8n8k4-fp16-fp32", 3, 2),
    ("cdna3-mfma-m16n16k32-e5m2fnuz-e4m3fnuz-fp32", 2, 2),
    ("cdna1-mfma-m16n16k16-fp16-fp32", 2, 4),
    ("intel-tdpbf16ps", 1, 1),
];

#[test]
fn tiles_answer_as_the_emulator_does() {
    let long = support::long_tier();
    let named = CASES.iter().chain(if long { &MORE[..] } else { &[] });
    let named = named.map(|&(name, rows, columns)| (instruction(name), rows, columns));
    for (instruction, rows, columns) in named.chain([(small(false), 2, 3), (small(true), 2, 1)]) {
        let name = &instruction.name;
        let Some(mut grid) = grid(&tile(&instruction, rows, columns), |_| {}, 24).expect("it is built") else { return };
        let batch = vectors(&instruction, if long { 200_000 } else { 4_000 });
        let expected = answers(Composed::emulated_wide(&instruction).as_mut(), &batch).expect("the emulator answers");
        assert_eq!(answers(&mut grid, &batch).expect("the tile answers"), expected, "{name}");
        println!("{name}, {rows}x{columns}: {} elements, 0 differ; {:?}", batch.len(), grid.details());
    }
}

/// A unit without registers gives its sums in the clock in which it takes a step, and so does an addition at the end.
#[test]
fn tiles_without_registers() {
    for widened in [false, true] {
        let instruction = small(widened);
        let tile = Tile::new(&instruction, Size { rows: 2, columns: 1 }).expect("a tile");
        assert_eq!(tile.instruction.unit.latency(), 0);
        let Some(mut grid) = grid(&tile, |_| {}, 24).expect("it is built") else { return };
        let batch = vectors(&instruction, 2_000);
        let expected = answers(Composed::emulated(&instruction).as_mut(), &batch).expect("the emulator answers");
        assert_eq!(answers(&mut grid, &batch).expect("the tile answers"), expected);
    }
}

/// The text is the same whatever K is: a packet may have more steps than the instruction.
#[test]
fn packets_may_be_longer_than_the_instruction() {
    let [short, long] = [2, 7].map(|steps| {
        let plain = small(false);
        Instruction { shape: Shape { k: steps * plain.unit.products, ..plain.shape }, ..plain }
    });
    let text = |instruction: &Instruction| {
        let sources = tile(instruction, 2, 2).sources().expect("sources");
        let text = &sources.last().expect("the tile").text;
        text.lines().filter(|line| !line.starts_with("//")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(text(&short), text(&long));
    let Some(mut grid) = grid(&tile(&long, 2, 2), |_| {}, 24).expect("it is built") else { return };
    let batch = vectors(&long, 2_000);
    let expected = answers(Composed::emulated(&long).as_mut(), &batch).expect("the emulator answers");
    assert_eq!(answers(&mut grid, &batch).expect("the tile answers"), expected);
}

/// Undisturbed, and with enough slots, a tile takes a step in every clock; with two slots it waits, and answers the same.
#[test]
fn slots_hide_the_latency() {
    let instruction = small(false);
    let batch = vectors(&instruction, 4_096);
    let expected = answers(Composed::emulated(&instruction).as_mut(), &batch).expect("the emulator answers");
    let whole = tile(&instruction, 2, 2);
    let latency = u64::from(whole.instruction.unit.latency());
    let used = |slot_bits: u32| {
        let mut grid = grid(&Tile { slot_bits, ..whole.clone() }, |_| {}, 0).expect("it is built")?;
        assert_eq!(answers(&mut grid, &batch).expect("the tile answers"), expected, "2^{slot_bits} slots");
        let details = grid.details();
        let number = |name: &str| details[name].parse::<u64>().expect("a number");
        Some([number("clocks"), number("steps")])
    };
    let (Some([clocks, steps]), Some([waiting, same])) = (used(whole.slot_bits), used(1)) else { return };
    assert_eq!([steps, same], [4_096; 2], "two steps for each of 2,048 tiles, half of whose elements are asked for");
    assert!(clocks < steps + 8 * latency + 256, "{clocks} clocks for {steps} steps");
    assert!(waiting > 2 * steps, "{waiting} clocks for {steps} steps in two slots");
    println!("{steps} steps: {clocks} clocks with {} slots, {waiting} with 2", 1 << whole.slot_bits);
}

fn random_matrices(instruction: &Instruction, [m, n, k]: [usize; 3]) -> Matrices {
    let batch = vectors(instruction, 4 * (m * n * k) as u64);
    let scales = instruction.interface().scale_count() as usize * (k / instruction.shape.k as usize);
    let take = |from: &[u64], count: usize| from.iter().copied().cycle().skip(17).take(count).collect();
    Matrices {
        m,
        n,
        k,
        a: take(&batch.a, m * k),
        b: take(&batch.b, k * n),
        c: take(&batch.c, m * n),
        scale_a: take(&batch.scale_a, m * scales),
        scale_b: take(&batch.scale_b, scales * n),
    }
}

/// Sizes need not be multiples of the tile's, and K goes on over several instructions.
#[test]
fn tiles_multiply_matrices() {
    let scaled = match support::long_tier() {
        true => instruction("blackwell-mma-mxf4-m16n8k64-e2m1-fp32"),
        false => Instruction::alone(unit("blackwell-mx-e2m1-fp32")),
    };
    for (instruction, rows, columns) in [(small(false), 2, 3), (small(true), 2, 1), (scaled, 1, 2)] {
        let name = &instruction.name;
        let Some(mut grid) = grid(&tile(&instruction, rows, columns), |_| {}, 16).expect("it is built") else { return };
        for sizes in [[1, 1, 1], [5, 7, 3], [16, 8, 2]] {
            let [m, n, k] = sizes;
            let matrices = random_matrices(&instruction, [m, n, k * instruction.shape.k as usize]);
            let mut emulator = Composed::emulated(&instruction);
            let expected = matrices.multiply(&instruction, emulator.as_mut()).expect("the emulator answers");
            assert_eq!(
                matrices.multiply(&instruction, &mut grid).expect("the tile answers"),
                expected,
                "{name} {sizes:?}"
            );
        }
    }
}

/// What is changed: in a tile with widened operands or without, slots as a power of two, file, text, other text.
type Fault = (bool, Option<u32>, &'static str, &'static str, &'static str);

const FAULTS: [Fault; 10] = [
    // A step does not wait for the one before.
    (false, Some(1), "tensorsmith_ring.sv", "waits      = waiting_q[s_tid_i]", "waits      = 1'b0"),
    // Every step begins anew; none does.
    (false, None, "tensorsmith_ring.sv", "first_o    = !open_q[s_tid_i]", "first_o    = 1'b1"),
    (false, None, "tensorsmith_ring.sv", "first_o    = !open_q[s_tid_i]", "first_o    = 1'b0"),
    // Sums of another slot.
    (false, None, "tensorsmith_ring.sv", "sums_q[m_tid_o] <= sums_i", "sums_q[m_tid_o ^ SlotBits'(1)] <= sums_i"),
    // A result that is not taken is lost.
    (false, None, "tensorsmith_ring.sv", ".m_tready_i(m_tready_i || !last)", ".m_tready_i(1'b1)"),
    // Registers miss their reset.
    (false, None, "tensorsmith_ring.sv", "      open_q    <= '0;\n", ""),
    // A column of B for another.
    (false, None, "tile.sv", ".b_i(columns[column*", ".b_i(columns[row*"),
    // c comes too late.
    (true, None, "tile.sv", ".Latency(10)\n  ) u_addends", ".Latency(11)\n  ) u_addends"),
    // Subnormals are not shifted to their leading one.
    (true, None, "tensorsmith_widen.sv", "normalised = significand << zeros", "normalised = significand"),
    // The exponent is off by one.
    (
        true,
        None,
        "tensorsmith_widen.sv",
        "ExponentWidth'(ToBias);\n    end else",
        "ExponentWidth'(ToBias + 1);\n    end else",
    ),
];

#[test]
fn faults_in_tiles_are_found() {
    for &(widened, slot_bits, file, from, to) in support::sampled(&FAULTS, 2) {
        let instruction = small(widened);
        let whole = tile(&instruction, 2, if widened { 1 } else { 2 });
        let tile = Tile { slot_bits: slot_bits.unwrap_or(whole.slot_bits), ..whole };
        let changed = std::cell::Cell::new(0);
        let change = |source: &mut SourceFile| {
            if source.name.ends_with(file) {
                changed.set(changed.get() + source.text.matches(from).count());
                source.text = source.text.replace(from, to);
            }
        };
        let built = grid(&tile, change, 24);
        assert_eq!(changed.get(), 1, "{from:?} in {file}");
        let Some(mut grid) = built.expect("it is built") else { return };
        let batch = vectors(&instruction, 2_000);
        let expected = answers(Composed::emulated(&instruction).as_mut(), &batch).expect("the emulator answers");
        match answers(&mut grid, &batch) {
            Ok(found) => {
                let differ = found.iter().zip(&expected).filter(|(found, expected)| found != expected).count();
                assert!(differ > 0, "{file}: {to:?} is not found");
                println!("{file}: {to:?}: {differ} of {} elements differ", batch.len());
            }
            Err(said) => println!("{file}: {to:?}: {said}"),
        }
    }
}

#[test]
fn what_has_no_tile_says_why() {
    let size = Size { rows: 2, columns: 2 };
    let error = |name: &str| Tile::new(&instruction(name), size).map(|_| ()).expect_err("it has no tile");
    assert_eq!(error("riscv-rvbna-k4-fp16-fp32"), TileError::Addend("riscv-rvbna-k4-fp16-fp32".to_owned()));
    let fma = unit("fma-fp32");
    let flags = Unit { conversion: Conversion { flags: true, ..fma.conversion.clone() }, ..fma };
    let refused = Tile::new(&Instruction::alone(flags), size).map(|_| ());
    assert_eq!(refused, Err(TileError::Flags("fma-fp32".to_owned())));
    let narrow =
        Instruction { a: Format::named("int4").expect("a format"), ..instruction("ampere-mma-m16n8k16-int8-int32") };
    let refused = Tile::new(&narrow, size).map(|_| ()).expect_err("it has no tile");
    assert!(matches!(refused, TileError::Integer { .. }), "{refused}");
    let Ok(kind) = "tile:2x2".parse::<Kind>() else { panic!("an engine") };
    match kind.open_instruction(&instruction("riscv-rvbna-k4-fp16-fp32")).expect("it is no failure") {
        Opened::Absent(absence) => assert!(!absence.is_missing(), "{absence}"),
        Opened::Ready(_) => panic!("it has no tile"),
    }
    let names = ["tile:0x2", "tile:2", "tile:65x1", "tile:", "tile:2x2x2"];
    assert_eq!(names.map(|name| name.parse::<Kind>().ok()), [None; 5]);
}

/// The modules of a tile stand behind those that they instantiate, each once.
#[test]
fn sources_are_in_order() {
    for (name, rows, columns) in [CASES[0], MORE[0]] {
        let sources = tile(&instruction(name), rows, columns).sources().expect("sources");
        let names: BTreeSet<&str> = sources.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names.len(), sources.len(), "{name}");
        for (index, file) in sources.iter().enumerate() {
            for later in &sources[index + 1..] {
                let module = later.name.trim_end_matches(".sv");
                assert!(!file.text.contains(&format!(" {module} #(")), "{name}: {} stands before {module}", file.name);
            }
        }
    }
}
