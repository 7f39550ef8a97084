//! Chains of IEEE 754 operations on the processor's own arithmetic against the scalar emulator.

use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::Rounding;
use tensorsmith::describe::instruction::Instruction;
use tensorsmith::describe::unit::{Scheme, Unit};
use tensorsmith::engine::Matrices;
use tensorsmith::engine::gemm::Chain;

use super::catalogue::{between, by_emulator, finite, operands, random};

const SIZES: [usize; 3] = [7, 5, 48];

/// A product and a sum that are rounded apart, as processors without a fused operation compute.
fn separate(name: &str, format: &str) -> Instruction {
    let text = format!(
        "name = {name:?}\nscheme = \"pairwise\"\nproducts = 1\n\
         formats = {{ a = {format:?}, b = {format:?}, c = {format:?}, d = {format:?} }}\n\
         conversion = {{ rounding = \"nearest-even\", overflow = \"ieee\" }}\n"
    );
    Instruction::alone(Unit::from_toml(name, &text).expect("a unit"))
}

fn by_chain(chain: &Chain, instruction: &Instruction, matrices: &Matrices) -> Vec<u64> {
    let [a, b, c] = operands(instruction, matrices);
    let d = chain.multiply(&a, &b, &c, &|_| {});
    (0..d.elements.len()).map(|place| d.elements.get(place)).collect()
}

/// A chain whose products of few bits overflow or underflow binary32, which holds the operands.
fn far(bias: i32) -> Instruction {
    let format = format!("{{ exponent_bits = 4, fraction_bits = 3, bias = {bias}, non_finite = \"ieee\" }}");
    let text = format!(
        "name = \"far\"\nscheme = \"fma-chain\"\nproducts = 1\n\
         formats = {{ a = {format}, b = {format}, c = \"binary32\", d = \"binary32\" }}\n\
         conversion = {{ rounding = \"nearest-even\", overflow = \"ieee\" }}\n"
    );
    Instruction::alone(Unit::from_toml("far", &text).expect("a unit"))
}

/// Every instruction and unit that is a chain, and products and sums that are rounded apart.
fn chains() -> Vec<Instruction> {
    let units = catalogue::units().into_iter().map(Instruction::alone);
    let own = [separate("separate-fp32", "binary32"), separate("separate-fp64", "binary64"), far(-57), far(80)];
    let all = catalogue::instructions().into_iter().chain(units).chain(own);
    all.filter(|instruction| Chain::of(instruction).is_ok()).collect()
}

#[test]
fn emulator_chain_random_catalogue() {
    let chains = chains();
    let names: Vec<&str> = chains.iter().map(|instruction| instruction.name.as_str()).collect();
    for name in ["fma-fp32", "fma-fp64", "tf64-chain-fp32-fp64", "ampere-mma-m8n8k4-fp64-fp64", "separate-fp32"] {
        assert!(names.contains(&name), "{name} is no chain: {names:?}");
    }
    let [m, n, k] = SIZES;
    let mut numbers = 0;
    for instruction in &chains {
        let chain = Chain::of(instruction).expect("a chain");
        for matrices in [
            random(instruction, m, n, k, 3),
            finite(instruction, m, n, k, 200),
            between(instruction, SIZES, [-3, 3]),
            between(instruction, SIZES, [-80, -60]),
            between(instruction, SIZES, [60, 66]),
        ] {
            let (expected, found) = (by_emulator(instruction, &matrices), by_chain(&chain, instruction, &matrices));
            assert!(expected == found, "{}: {expected:x?} and by the processor {found:x?}", instruction.name);
            numbers += found.iter().filter(|&&bits| instruction.d().decode(bits).is_finite()).count();
        }
    }
    assert!(numbers > chains.len() * 60, "{numbers} finite results of {} chains", chains.len());
}

/// Another rounding, another order, and one rounding for two are other units: they are refused, or their results differ.
#[test]
fn what_is_no_such_chain_is_refused() {
    let mut instruction = separate("separate-fp32", "binary32");
    instruction.unit.conversion.rounding = Rounding::TowardZero;
    assert!(Chain::of(&instruction).is_err());
    for name in ["ampere-mma-m16n8k8-tf32-fp32", "cdna-fma-fp32", "arm-bf16-fp32", "integer-int8-int32"] {
        let instruction = catalogue::instruction(name).or_else(|| catalogue::unit(name).map(Instruction::alone));
        let instruction = instruction.expect("in the catalogue");
        let is_fma = instruction.unit.scheme == Scheme::FmaChain;
        assert!(is_fma || Chain::of(&instruction).is_err(), "{name}");
    }
    let [separate, fused] =
        [separate("separate-fp32", "binary32"), Instruction::alone(catalogue::unit("fma-fp32").expect("a unit"))];
    let matrices = between(&separate, SIZES, [-3, 3]);
    let results = [&separate, &fused].map(|one| by_chain(&Chain::of(one).expect("a chain"), one, &matrices));
    assert_ne!(results[0], results[1], "one rounding and two give the same everywhere");
}
