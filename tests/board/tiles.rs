//! Boards that hold a tile of an instruction: the same line, with whole tiles for vectors.

use tensorsmith::check::signature::{Difference, Signed, SignedRun, compare};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::instruction::{Instruction, Shape as Sizes};
use tensorsmith::describe::subject::Subject;
use tensorsmith::emit::kit::{Held, Identity};
use tensorsmith::emit::tile::{Tile, pipelined};
use tensorsmith::engine::board::simulated::{self, Faults, LINE, Simulated};
use tensorsmith::engine::board::{Board, Shape};
use tensorsmith::engine::{Composed, Engine};

use super::super::support::{self, instruction};
use super::{NAME, at_port, ready, unit, with_changes};

fn tile(instruction: &Instruction, size: &str) -> Held {
    Tile::new(&pipelined(instruction), size.parse().expect("a size")).and_then(Held::try_from).expect("it has a tile")
}

fn board(held: &Held) -> Option<Board> {
    ready(simulated::board(NAME, held, &Faults::default()).expect("a board"))
}

/// A board with a fault, whose self-test ends sooner where it is never answered.
fn with_change(held: &Held, file: &str, from: &str, to: &str) -> Option<Board> {
    let sooner = ("tensorsmith_self_test.sv", "PatienceLog2 = 20", "PatienceLog2 = 14");
    with_changes(held, &[(file, from, to), sooner])
}

/// How many elements differ of so many over the line.
fn differing(board: &mut Board, instruction: &Instruction, count: u64) -> usize {
    let stimulus = Stimulus::shaped(instruction.frame(), 11);
    let mut batch = stimulus.empty_batch();
    stimulus.fill(0, count as usize, &mut batch);
    let mut both = [Vec::new(), Vec::new()];
    Composed::emulated(instruction).run(&batch, &mut both[0]).expect("the emulator does not fail");
    board.run(&batch, &mut both[1]).expect("the board answers");
    assert_eq!(both[0].len(), both[1].len());
    both[0].iter().zip(&both[1]).filter(|(one, other)| one != other).count()
}

fn signed(board: &mut Board, instruction: &Instruction, vectors: u64, window: u64) -> Signed {
    let mut engine = Composed::emulated_wide(instruction);
    let run = SignedRun { vectors, seed: 5, window, request: 1 << 18, shapes: Shape::ALL.to_vec() };
    compare(board, engine.as_mut(), &run, &mut |_| {}).expect("board and engine answer")
}

/// Several steps; scales; one element; in the long tier also operands that are widened, K interleaved, and an addition at the end.
#[test]
fn tiles_on_boards_answer_as_the_emulator_does() {
    let mut cases = vec![(small(), "2x2"), (Instruction::alone(unit("tiny-scaled")), "1x1")];
    if support::long_tier() {
        cases.push((instruction("ampere-mma-m16n8k16-fp16-fp32"), "2x2"));
        cases.push((instruction("hopper-mma-m16n8k32-e4m3-fp32"), "1x1"));
        cases.push((instruction("volta-mma-m8n8k4-fp16-fp32"), "4x4"));
        cases.push((instruction("cdna3-mfma-m16n16k16-fp16-fp32"), "1x3"));
    }
    for (instruction, size) in cases {
        let held = tile(&instruction, size);
        let Some(mut board) = board(&held) else { return };
        let (name, lines) = (&instruction.name, support::vectors(1_000));
        assert_eq!(differing(&mut board, &instruction, lines), 0, "{name} {size}");
        let count = support::vectors(30_000);
        let signed = signed(&mut board, &instruction, count, 1 << 10);
        assert_eq!((signed.vectors, signed.differing, signed.first), (count, 0, None), "{name} {size}");
        assert_eq!((board.trouble(), board.passed_self_test()), (Default::default(), Some(true)), "{name} {size}");
        println!("{name}, {size}: {lines} elements over the line, {count} tiles signed by the board, 0 differ");
    }
}

/// A small instruction of two steps.
fn small() -> Instruction {
    let alone = Instruction::alone(unit("tiny-nearest"));
    Instruction { name: "small".to_owned(), shape: Sizes { k: 4, ..alone.shape }, ..alone }
}

/// A fault of one element, and the element is named; of what interleaves steps, and of the signature's folding.
#[test]
fn faults_in_tiles_are_found() {
    let instruction = small();
    // 72 bits of results: more than a signature has.
    let held = tile(&instruction, "3x3");
    let wrong = ".result_i(result ^ (AnswerWidth'(result[7:0] == 8'h3d) << 70))";
    let Some(mut board) = with_change(&held, "small_tile_board.sv", ".result_i(result)", wrong) else { return };
    let found = signed(&mut board, &instruction, 60_000, 1 << 12);
    let Difference { cell, vector, expected, in_run, alone, .. } = found.first.expect("a window differs");
    assert_eq!((cell, vector.map(|vector| vector.a.len())), (Some((2, 2)), Some(4)));
    let wrong = expected.map(|expected| expected ^ 1 << 6);
    assert!(wrong.is_some() && in_run == wrong && alone == wrong, "{expected:x?} {in_run:x?} {alone:x?}");

    let others = [
        (
            "tensorsmith_interleave.sv",
            "assign last       = step_q == StepBits'(Steps - 1);",
            "assign last       = 1'b1;",
        ),
        ("tensorsmith_bridge.sv", "own << Turn | own >> (64 - Turn)", "own"),
        ("tensorsmith_interleave.sv", "end_q <= taken ? following : place_q;", "end_q <= place_q;"),
    ];
    for &(file, from, to) in support::sampled(&others, 2) {
        let Some(board) = with_change(&held, file, from, to) else { return };
        let passed = board.passed_self_test();
        let said = format!("{file}: {to}");
        assert_ne!(passed, Some(true), "{said}");
        println!("{said}: self-test {passed:?}");
    }
}

/// A board with a tile is refused for another instruction and for the unit alone, and one with a unit for an instruction.
#[test]
fn boards_with_another_tile_are_refused() {
    let volta = instruction("volta-mma-m8n8k4-fp16-fp32");
    let held = tile(&volta, "1x1");
    let start = |held: &Held| {
        let sources = simulated::sources(held, LINE).expect("sources");
        Simulated::start(&held.module_name(), &sources, &Faults::default())
    };
    let at = |simulated: &Simulated, subject: &Subject| {
        let path: &'static str = simulated.path().display().to_string().leak();
        Board::at(at_port(path), subject).expect("it is a board").map(|_| ())
    };
    let simulated = match start(&held) {
        Ok(simulated) => simulated,
        Err(error) => return support::skip("board", &error),
    };
    let other = instruction("volta-mma-m8n8k4-fp16-fp32-from-fp16");
    assert!(at(&simulated, &volta.clone().into()).is_ok());
    for subject in [other.into(), unit("tiny-nearest").into()] {
        let refused = at(&simulated, &subject).expect_err("it is another").to_string();
        assert!(refused.contains("the board holds a 1x1 tile of volta-mma-m8n8k4-fp16-fp32"), "{refused}");
    }
    let said = Identity::of(&held, LINE.clock_hz, LINE.baud, 1 << LINE.buffer_log2);
    assert!(said.to_string().contains(";tile=1x1;description="), "{said}");
    assert_eq!(said.to_string().parse(), Ok(said));

    let simulated = start(&unit("tiny-nearest").into()).expect("a board");
    let refused = at(&simulated, &volta.into()).expect_err("it holds a unit").to_string();
    assert!(refused.contains("the board holds tiny-nearest, and no tile of volta-mma"), "{refused}");
}
