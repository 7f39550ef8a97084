//! Vectors that tell the two published versions of CDNA3's last addition apart, with the answers of the later one, MMA-Sim
//! 2.1.1: 32 fraction bits of the sum of products, and 31 of the normalised total, rounded downward. The paper (Xie et al., arXiv
//! 2511.10909v2) keeps 31 of the sum and does not cut the total.

use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::{Grade, Unit};
use tensorsmith::engine::{Batch, Emulator, Engine, Kind, Opened, Vector};

use super::support::{self, unit};

/// The unit as the paper has it.
fn of_the_paper(unit: &Unit) -> Unit {
    let mut paper = unit.clone();
    let addition = paper.addition.as_mut().expect("c is added afterwards");
    (addition.sum_fraction_bits, addition.total_fraction_bits) = (31, None);
    paper
}

/// First factors, second factors, c, the answer, and that of the paper.
type Told = (&'static [u64], &'static [u64], u64, u64, u64);

const FP16: [Told; 3] = [
    // 1 - 2^-8 - 2^-24 - 2^-25 + 2^-32: the last place tells that this lies above a tie.
    (&[0x1c00, 0x0c00, 0x0c00, 0x0100], &[0xbc00, 0x8c00, 0x8800, 0x0100], 0x3f80_0000, 0x3f7e_ffff, 0x3f7e_fffe),
    // 2 + 2^-23 + 2^-31 loses the last place, and is a tie then.
    (&[0x1000, 0x0100], &[0x1000, 0x0200], 0x3fff_ffff, 0x4000_0000, 0x4000_0001),
    // -2 - 2^-22 - 2^-23 + 2^-31 lies nearer to zero than a tie, and is rounded down to it.
    (&[0x1000, 0x0100], &[0x9400, 0x0200], 0xbfff_ffff, 0xc000_0002, 0xc000_0001),
];

/// 2^-150 + 2^-158, below the least normal number: its places are counted from that one, and the last one is lost, so that it is a
/// tie. With 2^-156 in its place nothing is lost.
const BF16: [Told; 2] =
    [(&[0x1a00, 0x1800], &[0x1a00, 0x1800], 0, 0, 0), (&[0x1a00, 0x1880], &[0x1a00, 0x1880], 0, 1, 1)];

#[test]
fn answers_are_those_of_the_later_model() {
    for (name, told) in [("cdna3-fp16-fp32", &FP16[..]), ("cdna3-bf16-fp32", &BF16[..])] {
        let right = unit(name);
        let paper = of_the_paper(&right);
        let (mut batch, mut expected, mut of_paper) = (Batch::of_unit(&right), Vec::new(), Vec::new());
        for &(a, b, c, answer, other) in told {
            let padded = |words: &[u64]| words.iter().copied().chain(std::iter::repeat(0)).take(8).collect();
            let vector = Vector { a: padded(a), b: padded(b), c, scale_a: Vec::new(), scale_b: Vec::new() };
            batch.push(&vector);
            expected.push(answer);
            of_paper.push(other);
        }
        for kind in [Kind::Emulator, Kind::Reference, Kind::Rtl] {
            let mut engine = match kind.open(&right).expect("the engine starts") {
                Opened::Ready(engine) => engine,
                Opened::Absent(reason) => {
                    support::skip("cosim-cdna3", &reason);
                    continue;
                }
            };
            let mut answers = Vec::new();
            engine.run(&batch, &mut answers).expect("it answers");
            assert_eq!(answers, expected, "{name}: {}", kind.name());
        }
        let mut answers = Vec::new();
        Emulator::new(&paper).run(&batch, &mut answers).expect("it answers");
        assert_eq!(answers, of_paper, "{name} as the paper has it");
    }
}

/// The sources differ, and every unit says so.
#[test]
fn both_values_are_shown() {
    let units: Vec<Unit> = catalogue::units().into_iter().filter(|unit| unit.name.starts_with("cdna3-")).collect();
    assert!(units.len() >= 6);
    for unit in units {
        let addition = unit.addition.as_ref().expect("c is added afterwards");
        assert_eq!((addition.sum_fraction_bits, addition.total_fraction_bits), (32, Some(31)), "{}", unit.name);
        for field in ["addition.sum_fraction_bits", "addition.total_fraction_bits"] {
            let evidence = &unit.evidence[field];
            assert_eq!(evidence.grade, Grade::Conflict, "{}: {field}", unit.name);
            assert!(["MMA-Sim", "Xie"].iter().all(|source| evidence.source.contains(source)), "{}", evidence.source);
        }
    }
}
