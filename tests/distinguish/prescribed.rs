//! Inputs with prescribed answers. What is found is not written here: it is asked of references and of whole matrices.

use crate::support::long_tier;
use tensorsmith::check::probe::Value;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::interface::Interface;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Kind, Matrices, Opened, Vector};
use tensorsmith::infer::distinguish::prescribe::{Found, Prescribed, prescribe};

use super::five_devices::{ANSWERS, INSTRUCTIONS};
use super::{emulator, frame, reference};

fn search(names: &[&str], eighths: &[i128], products: u32, budget: (u64, u64)) -> (Vec<Unit>, Found) {
    let units: Vec<Unit> = names.iter().map(|name| catalogue::unit(name).expect("of the catalogue")).collect();
    let interfaces: Vec<Interface> = units.iter().map(|unit| frame(unit, products).interface).collect();
    let mut engines: Vec<_> = units.iter().map(|unit| emulator(unit, products)).collect();
    let all = engines.iter_mut().zip(&interfaces).zip(eighths);
    let mut prescribed: Vec<Prescribed> = all
        .map(|((engine, interface), &eighths)| Prescribed { engine, interface, answer: Value::of(eighths, -3) })
        .collect();
    let found = prescribe(&mut prescribed, budget, &mut |_| {}).expect("emulators do not fail");
    (units, found)
}

fn confirm(units: &[Unit], eighths: &[i128], vector: &Vector) {
    for (unit, &eighths) in units.iter().zip(eighths) {
        let d = unit.formats.d.to_f64(reference(unit, vector));
        assert_eq!(d, eighths as f64 / 8.0, "{} on {vector:?}", unit.name);
    }
}

/// One row times one column through an instruction, filled up with zeros to a multiple of its k.
fn multiplied(instruction: &str, vector: &Vector) -> f64 {
    let instruction = catalogue::instruction(instruction).expect("of the catalogue");
    let Ok(Opened::Ready(mut engine)) = Kind::Reference.open_instruction(&instruction) else {
        panic!("it is composed")
    };
    let k = vector.a.len().next_multiple_of(instruction.shape.k as usize);
    let filled = |side: &[u64]| [side, &vec![0; k - side.len()]].concat();
    let (a, b) = (filled(&vector.a), filled(&vector.b));
    let matrices = Matrices { m: 1, n: 1, k, a, b, c: vec![0], ..Matrices::default() };
    let d = matrices.multiply(&instruction, engine.as_mut()).expect("the shapes fit");
    instruction.d().to_f64(d[0])
}

/// In the ordinary tier with a seed that finds them soon.
#[test]
fn five_devices_give_the_published_answers() {
    let names = ["volta-fp16-fp32", "ampere-fp16-fp32", "cdna2-fp16-fp32", "cdna1-fp16-fp32", "hopper-fp16-fp32"];
    let eighths = ANSWERS.map(|answer| (answer * 8.0) as i128);
    let asked: &[(u32, u64)] = if long_tier() { &[(20, 1), (32, 4), (64, 1)] } else { &[(32, 8)] };
    for &(products, seed) in asked {
        let (units, found) = search(&names, &eighths, products, (1_000_000, seed));
        let vector = found.vector.unwrap_or_else(|| panic!("{products} products: not found"));
        println!("{products} products: found after {} vectors: {vector:?}", found.tried);
        assert_eq!(vector.a.len(), products as usize);
        confirm(&units, &eighths, &vector);
        for (instruction, answer) in INSTRUCTIONS.iter().zip(ANSWERS) {
            assert_eq!(multiplied(instruction, &vector), answer, "{instruction}, {products} products");
        }
    }
}

#[test]
fn three_devices_give_three_answers() {
    let names = ["volta-fp16-fp32", "ampere-fp16-fp32", "hopper-fp16-fp32"];
    for (seed, eighths) in [(1, [0, 8, 12]), (2, [24, -8, 0])] {
        let (units, found) = search(&names, &eighths, 16, (2_000_000, seed));
        let vector = found.vector.unwrap_or_else(|| panic!("{eighths:?} is not found"));
        println!("{eighths:?} found after {} vectors", found.tried);
        confirm(&units, &eighths, &vector);
        let again = search(&names, &eighths, 16, (2_000_000, seed)).1;
        assert_eq!((again.vector, again.tried), (Some(vector), found.tried), "the same seed finds the same");
    }
}

/// One unit cannot give two answers, and no sum of powers of two is found that is not there.
#[test]
fn impossible_answers_end_with_the_budget() {
    let (_, found) = search(&["hopper-fp16-fp32", "hopper-fp16-fp32"], &[0, 8], 16, (50_000, 1));
    assert_eq!(found.vector, None);
    assert!((50_000..50_100).contains(&found.tried), "{} vectors", found.tried);
}
