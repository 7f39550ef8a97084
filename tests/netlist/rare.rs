//! A fault of one bit that hardly ever shows, planted in the emitted text: a comparison of the fast engines finds it.

use tensorsmith::check::compare::{Source as Vectors, compare};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::emit::yosys;
use tensorsmith::engine::netlist::{Mode, Netlist, Variant, files, netlist_of};
use tensorsmith::engine::{Emulator, Engine, Kind, Opened};

use super::{needs_yosys, support, unit};

/// The text with bit 0 of the result inverted where a condition on the operands holds.
fn planted(text: &str, condition: &str) -> String {
    let wrong = format!("({{flags, packed_word ^ {{{{(ResultWidth-1){{1'b0}}}}, {condition}}}}})");
    support::replaced(text, "({flags, packed_word})", &wrong)
}

#[test]
fn a_fault_that_hardly_ever_shows_is_found() {
    let Some(()) = needs_yosys("netlist-rare-fault") else { return };
    let unit = unit("volta-fp16-fp32");
    let wide = match Kind::Wide.open(&unit) {
        Ok(Opened::Ready(wide)) => Some(wide),
        _ => None,
    };
    // 26 bits in the long tier: about one vector in 10^8, for which the emulator would take minutes. 15 bits otherwise.
    let (count, condition) = match support::long_tier() && wide.is_some() {
        true => (1_000_000_000, "c_i[22:0] == 23'h35a9c5 && c_i[31] && a_i[1:0] == 2'b10"),
        false => (300_000, "c_i[12:0] == 13'h09c5 && a_i[1:0] == 2'b10"),
    };
    let mut faulty = files(&unit, Variant::Core).expect("it is emitted");
    let core = faulty.iter_mut().find(|file| file.name == "tensorsmith_fused.sv").expect("the module of the scheme");
    core.text = planted(&core.text, condition);
    let version = yosys::version().expect("yosys is there");
    let source = netlist_of(&unit, Variant::Core, faulty, &version).expect("yosys maps it");
    let netlist = Netlist::new(&unit, Variant::Core, source, Mode::best()).expect("the engine starts");
    let right = wide.unwrap_or_else(|| Box::new(Emulator::new(&unit)));
    let engines: Vec<Box<dyn Engine>> = vec![right, Box::new(netlist)];
    let vectors = Vectors::Shaped { stimulus: Stimulus::shaped(&unit, 1), count };
    let comparison = compare(engines, &vectors, &mut |_| ()).expect("both answer");
    println!("{count} vectors, {} show the fault, {:.1?}", comparison.mismatches, comparison.time);
    let first = comparison.first.expect("the fault is found");
    assert!(comparison.mismatches * 10_000 < count, "it is rare");
    let answers: Vec<u64> = first.answers.iter().map(|(_, answer)| *answer).collect();
    assert_eq!(answers[0] ^ answers[1], 1, "exactly the bit that was planted");
}
