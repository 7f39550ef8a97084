//! Boards: the simulated one against the emulator and the wide engine, with faults planted on its line and in its chip.

#![cfg(all(feature = "rtl", unix))]

mod protocol;
mod tiles;

use tensorsmith::check::signature::{Signed, SignedRun, compare};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::describe::unit::{Cut, Unit};
use tensorsmith::emit::kit::Held;
use tensorsmith::emit::tile::Size;
use tensorsmith::emit::{SourceFile, kit};
use tensorsmith::engine::board::simulated::{self, Fault, Faults, LINE};
use tensorsmith::engine::board::{Address, Board, Generator, Layout, Place, Shape, Signature};
use tensorsmith::engine::{Absence, Batch, Emulator, Engine, Opened, Wide};

use super::support::{self, unit};

const NAME: &str = "board:sim";

/// Volta's unit with registers, as a board has it.
fn pipelined() -> Unit {
    let volta = unit("volta-fp16-fp32");
    volta.with_cuts(Cut::best(volta.scheme, 7).expect("so many cuts"))
}

/// The board, or why it is not there.
fn ready(opened: Result<Board, Absence>) -> Option<Board> {
    opened.map_err(|absence| support::skip("board", &absence)).ok()
}

fn with_faults(unit: &Unit, faults: Faults) -> Option<Board> {
    ready(simulated::board(NAME, &unit.clone().into(), &faults).expect("a board"))
}

/// A board whose sources are changed: in the file of each name, one text for another.
fn with_changes(held: &Held, changes: &[(&str, &str, &str)]) -> Option<Board> {
    let mut sources = simulated::sources(held, LINE).expect("sources");
    for (file, from, to) in changes {
        let SourceFile { text, .. } =
            sources.iter_mut().find(|source| source.name == *file).expect("a file of the kit");
        *text = support::replaced(text, from, to);
    }
    ready(simulated::of_sources(NAME, held, &sources, &Faults::default()).expect("a board"))
}

fn vectors(unit: &Unit, count: u64) -> Batch {
    let stimulus = Stimulus::shaped(unit, 7);
    let mut batch = Batch::of_unit(unit);
    stimulus.fill(0, count as usize, &mut batch);
    batch
}

/// Answers of the emulator and of the board.
fn answers(board: &mut Board, unit: &Unit, batch: &Batch) -> [Vec<u64>; 2] {
    let mut both = [Vec::new(), Vec::new()];
    Emulator::new(unit).run(batch, &mut both[0]).expect("the emulator does not fail");
    board.run(batch, &mut both[1]).expect("the board answers");
    both
}

fn signed(board: &mut Board, unit: &Unit, vectors: u64, window: u64, shapes: &[Shape]) -> Signed {
    let mut engine: Box<dyn Engine> = match Wide::open(unit) {
        Opened::Ready(wide) => wide,
        Opened::Absent(_) => Box::new(Emulator::uncounted(unit)),
    };
    let run = SignedRun { vectors, seed: 3, window, request: 1 << 20, shapes: shapes.to_vec() };
    compare(board, engine.as_mut(), &run, &mut |_| {}).expect("board and engine answer")
}

#[test]
fn boards_answer_as_emulator_and_wide_do() {
    // Scales; no addend; results of 64 bits.
    let more: &[&str] = &["fma-fp64", "hopper-fp16-fp32", "tiny-exact", "tiny-grouped"];
    let names = [&["tiny-scaled", "tiny-riscv"][..], if support::long_tier() { more } else { &[] }].concat();
    for unit in names.iter().map(|name| unit(name)).chain([pipelined()]) {
        let Some(mut board) = with_faults(&unit, Faults::default()) else { return };
        assert_eq!(board.held().cuts == "none", unit.build.cuts.is_empty());
        let [expected, found] = answers(&mut board, &unit, &vectors(&unit, support::vectors(2_000)));
        assert_eq!(expected, found, "{}", unit.name);
        let count = support::vectors(400_000);
        let signed = signed(&mut board, &unit, count, 4096, &Shape::ALL);
        assert_eq!((signed.vectors, signed.differing, signed.first), (count, 0, None), "{}", unit.name);
        assert_eq!(board.trouble(), Default::default(), "{}", unit.name);
        assert_eq!(board.passed_self_test(), Some(true), "{}", unit.name);
        println!("{}: {} vectors over the line, {count} signed by the board, 0 differ", unit.name, found.len());
    }
}

/// Whatever the line does now and then, the answers are right, and it is told that something was asked again.
#[test]
fn faults_on_the_line_are_mended() {
    let unit = unit("tiny-nearest");
    let mut tried = vec![Faults { to_board: None, from_board: Some((Fault::Break, 173)) }];
    for fault in [Fault::Lost, Fault::Doubled, Fault::Flipped] {
        tried.push(Faults { to_board: Some((fault, 331)), from_board: None });
        tried.push(Faults { to_board: None, from_board: Some((fault, 173)) });
    }
    tried.push(Faults { to_board: Some((Fault::Reset, 331)), from_board: None });
    tried.push(Faults { to_board: Some((Fault::Lost, 401)), from_board: Some((Fault::Flipped, 307)) });
    let batch = vectors(&unit, 600);
    for faults in tried {
        let Some(mut board) = with_faults(&unit, faults) else { return };
        let [expected, found] = answers(&mut board, &unit, &batch);
        let trouble = board.trouble();
        assert_eq!(expected, found, "{faults:?}: {trouble:?}");
        assert!(trouble.repeated > 0 && trouble.lost + trouble.damaged + trouble.stray > 0, "{faults:?}: {trouble:?}");
        println!("{faults:?}: {trouble:?}");
    }
    // A slow host is no trouble, and a break passes for no byte.
    for fault in [Fault::Pause, Fault::Break] {
        let Some(mut board) = with_faults(&unit, Faults { to_board: Some((fault, 20)), from_board: None }) else {
            return;
        };
        let [expected, found] = answers(&mut board, &unit, &batch);
        assert_eq!((expected, board.trouble()), (found, Default::default()), "{fault:?}");
    }
}

/// A line on which hardly a frame comes through is given up, and named.
#[test]
fn lines_that_are_too_bad_are_given_up() {
    let faults = Faults { to_board: None, from_board: Some((Fault::Flipped, 3)) };
    let error = match simulated::board(NAME, &unit("tiny-nearest").into(), &faults) {
        Ok(Err(absence)) => return support::skip("board", &absence),
        Ok(Ok(_)) => panic!("nothing can be understood"),
        Err(error) => error.to_string(),
    };
    assert!(error.contains("board:sim: asked 12 times in vain"), "{error}");
}

/// A bit that is wrong for one vector in 65,536, in the long tier in 1,048,576, is found, and which vector.
#[test]
fn one_wrong_bit_of_rare_vectors_is_found_and_named() {
    let volta = unit("volta-fp16-fp32");
    let (bits, count) = if support::long_tier() { (20, 6_000_000) } else { (16, 400_000) };
    let wrong = format!("result ^ AnswerWidth'({{operands[{}:0] == {bits}'({}), 7'b0}})", bits - 1, 0x54321);
    let wrong = format!(".result_i({wrong})");
    let change = ("volta_fp16_fp32_board.sv", ".result_i(result)", wrong.as_str());
    let Some(mut board) = with_changes(&volta.clone().into(), &[change]) else { return };
    let signed = signed(&mut board, &volta, count, 1 << 16, &[Shape::Uniform]);
    assert!((1..=20).contains(&signed.differing), "{signed:?}");
    let first = signed.first.expect("a window differs");
    assert_eq!(first.vector.as_ref().map(|vector| vector.a[0]), Some(0x4321));
    let wrong = first.expected.map(|expected| expected ^ 0x80);
    assert!(wrong.is_some() && first.in_run == wrong && first.alone == wrong, "{first:?}");
    // The number is that of the generator's vector.
    let layout = Layout::of(&volta.interface());
    let mut generator = Generator::new(&layout, 3, Shape::Uniform.masks(&layout));
    generator.skip(first.index);
    let mut batch = Batch::of_unit(&volta);
    generator.draw(&layout, &mut Vec::new(), &mut batch);
    assert_eq!(Some(batch.vector(0)), first.vector);
}

/// What is wrong once, and right when it is run again, is said to be that.
#[test]
fn a_fault_that_comes_once_is_told() {
    let volta = unit("volta-fp16-fp32");
    let counter = "logic [17:0] count_q;\n  always_ff @(posedge clk_i)\n    if (!rst_ni) count_q <= '0;\n    else if (result_valid && \
                   result_ready && !(&count_q)) count_q <= count_q + 1'b1;\n\n  logic                     unused_user;";
    let mut sources = simulated::sources(&volta.clone().into(), LINE).expect("sources");
    let text = &mut sources.last_mut().expect("the board's module").text;
    *text = text.replace("logic                     unused_user;", counter);
    *text = text.replace(".result_i(result)", ".result_i(result ^ AnswerWidth'(count_q == 18'd77777))");
    let Some(mut board) =
        ready(simulated::of_sources(NAME, &volta.clone().into(), &sources, &Faults::default()).expect("a board"))
    else {
        return;
    };
    let signed = signed(&mut board, &volta, 200_000, 1 << 14, &[Shape::Near]);
    let first = signed.first.expect("a window differs");
    assert_eq!(
        (signed.differing, first.expected, first.in_run, first.alone, first.again),
        (1, None, None, None, false)
    );
    assert!(first.to_string().contains("differed once"), "{first}");
}

#[test]
fn a_stuck_bit_and_a_register_that_misses_reset_are_found() {
    let unit = pipelined();
    let stuck = (".result_i(result)", ".result_i(result | AnswerWidth'(4))");
    let board = format!("{}_board.sv", unit.module_name());
    let reset = ("if (!aresetn_i) valid_q <= '0;\n      else if (ce_o)", "if (ce_o)");
    for (file, (from, to)) in [(board.as_str(), stuck), ("tensorsmith_stream.sv", reset)] {
        let Some(mut board) = with_changes(&unit.clone().into(), &[(file, from, to)]) else { return };
        let [expected, found] = answers(&mut board, &unit, &vectors(&unit, 200));
        let differing = expected.iter().zip(&found).filter(|(one, other)| one != other).count();
        assert!(differing > 20, "{file}: {differing} of {} differ", found.len());
        assert_eq!(board.passed_self_test(), Some(false), "{file}");
        let signed = signed(&mut board, &unit, 10_000, 1000, &[Shape::Near]);
        assert!(signed.differing > 0 && signed.first.is_some(), "{file}: {signed:?}");
    }
}

/// A board that never answers itself fails its test, and takes requests all the same.
#[test]
fn a_self_test_without_an_end_is_given_up() {
    let unit = unit("tiny-nearest");
    let deaf = ("tensorsmith_self_test.sv", "taken   = !done_q && answer_valid_i", "taken   = 1'b0 && answer_valid_i");
    let sooner = ("tensorsmith_self_test.sv", "PatienceLog2 = 20", "PatienceLog2 = 14");
    let Some(mut board) = with_changes(&unit.clone().into(), &[deaf, sooner]) else { return };
    let [expected, found] = answers(&mut board, &unit, &vectors(&unit, 50));
    assert_eq!((expected, board.passed_self_test()), (found, Some(false)));
}

/// The board at a port.
fn at_port(path: &'static str) -> Address {
    Address { name: NAME, place: Place::Port { path, baud: LINE.baud } }
}

/// A board is refused for another unit, also for one that differs in a constant; another name, other registers, are the same unit.
#[test]
fn boards_with_another_unit_are_refused() {
    let tiny = unit("tiny-nearest");
    let simulated = match simulated::Simulated::start(
        &Held::from(tiny.clone()).module_name(),
        &simulated::sources(&tiny.clone().into(), LINE).expect("sources"),
        &Faults::default(),
    ) {
        Ok(simulated) => simulated,
        Err(error) => return support::skip("board", &error),
    };
    let path: &'static str = simulated.path().display().to_string().leak();
    let at = |unit: &Unit| Board::at(at_port(path), &unit.clone().into()).expect("it is a board");
    let named = Unit { name: "mine".to_owned(), ..tiny.clone() };
    assert!(at(&named).is_ok() && at(&tiny).is_ok());
    let mut other = tiny.clone();
    other.alignment_mut().fraction_bits += 1;
    for other in [other, unit("volta-fp16-fp32")] {
        let refused = at(&other).err().expect("it is another unit").to_string();
        assert!(refused.contains("the board holds tiny-nearest with the description"), "{refused}");
    }
    let held = tensorsmith::engine::board::identify(at_port(path)).expect("an identity");
    assert_eq!(held, kit::Identity::of(&tiny.clone().into(), LINE.clock_hz, LINE.baud, 1 << LINE.buffer_log2));
    assert_eq!(held.to_string().parse(), Ok(held.clone()));
}

#[test]
fn identities_that_are_none_are_refused() {
    let good = kit::Identity::of(&unit("tiny-nearest").into(), 1, 1200, 256).to_string();
    for (from, to, said) in [
        ("tensorsmith=1", "tensorsmith=2", "it says protocol \"2\"; allowed: 1"),
        ("tensorsmith=1;", "", "lacks the field tensorsmith"),
        ("answer=", "answer=999999", "allowed: 1 to 65536"),
        ("unit=tiny-nearest;", "unit=tiny-nearest;tile=0x2;", "tile = \"0x2\"; allowed: ROWSxCOLUMNS"),
        ("clock=1;", "clock=fast;", "clock = \"fast\""),
    ] {
        let text = good.replace(from, to);
        let error = text.parse::<kit::Identity>().expect_err(&text).to_string();
        assert!(error.contains(said), "{error}");
    }
}

/// Addresses as they are typed.
#[test]
fn addresses_of_boards() {
    assert_eq!(Address::of("board:sim"), Some(Address::SIMULATED));
    let tile = Some(Size { rows: 2, columns: 3 });
    for (name, place) in [
        ("board:sim:2x3", Place::Simulated { tile }),
        ("board:/dev/ttyUSB0", Place::Port { path: "/dev/ttyUSB0", baud: 3_000_000 }),
        ("board:COM3@115200", Place::Port { path: "COM3", baud: 115_200 }),
        ("board:simulator", Place::Port { path: "simulator", baud: 3_000_000 }),
    ] {
        assert_eq!(Address::of(name), Some(Address { name, place }));
    }
    for wrong in [
        "board:",
        "board:sim:",
        "board:sim:0x1",
        "board:/dev/x@",
        "board:/dev/x@12",
        "board:@9600",
        "board:/dev/x@fast",
        "emulator",
    ] {
        assert_eq!(Address::of(wrong), None, "{wrong}");
    }
}

/// The register is the one whose polynomial the page has: of one result alone it is known by hand.
#[test]
fn signatures_by_hand() {
    let mut signature = Signature::default();
    signature.take(0);
    assert_eq!(signature.value(), 0xffff_ffff_ffff_fffe, "four ones give a zero below");
    signature.take(0x12);
    assert_eq!(signature.value(), 0xffff_ffff_ffff_fffc ^ 0x12);
    assert_eq!(Signature::only_result(0xffff_ffff_ffff_fffe ^ 0xabc), 0xabc);
}

/// A port has one user at a time: a second one in this program waits, in the same thread it is refused.
#[test]
fn a_port_has_one_user_at_a_time() {
    let tiny = unit("tiny-nearest");
    let sources = simulated::sources(&tiny.clone().into(), LINE).expect("sources");
    let simulated =
        match simulated::Simulated::start(&Held::from(tiny.clone()).module_name(), &sources, &Faults::default()) {
            Ok(simulated) => simulated,
            Err(error) => return support::skip("board", &error),
        };
    let path: &'static str = simulated.path().display().to_string().leak();
    let address = at_port(path);
    let asked = |count| {
        let mut board = Board::at(address, &tiny.clone().into()).expect("it is a board").expect("of this unit");
        let [expected, found] = answers(&mut board, &tiny, &vectors(&tiny, count));
        assert_eq!(expected, found);
        board
    };
    let first = asked(10);
    let refused = Board::at(address, &tiny.clone().into()).err().expect("it would wait for itself").to_string();
    assert!(refused.contains("allowed: each board once"), "{refused}");
    std::thread::scope(|scope| {
        let waiting: Vec<_> = (0..3).map(|index| scope.spawn(move || drop(asked(50 + index)))).collect();
        drop(first);
        waiting.into_iter().for_each(|one| one.join().expect("each has its turn"));
    });
}

/// Signatures of single vectors are the results, and many of them fit a request.
#[test]
fn windows_of_one_vector() {
    let unit = unit("tiny-nearest");
    let Some(mut board) = with_faults(&unit, Faults::default()) else { return };
    let signed = signed(&mut board, &unit, 3_000, 1, &[Shape::Uniform, Shape::Near]);
    assert_eq!((signed.windows, signed.differing), (3_000, 0));
}

/// A vector that is longer than half of what the board keeps goes all the same: the board takes it byte by byte.
#[test]
fn vectors_longer_than_the_buffer() {
    let unit = unit("hopper-fp16-fp32");
    let sources = simulated::sources(&unit.clone().into(), kit::Line { buffer_log2: 8, ..LINE }).expect("sources");
    let buffer = ("buffer=256", kit::Identity::of(&unit.clone().into(), LINE.clock_hz, LINE.baud, 256).to_string());
    assert!(buffer.1.contains(buffer.0) && Layout::of(&unit.interface()).vector_bytes() * 2 > 128);
    let Some(mut board) =
        ready(simulated::of_sources(NAME, &unit.clone().into(), &sources, &Faults::default()).expect("a board"))
    else {
        return;
    };
    let [expected, found] = answers(&mut board, &unit, &vectors(&unit, 100));
    assert_eq!((expected, board.trouble()), (found, Default::default()));
}
