//! Random instructions that compose blocks of random units, as a proptest strategy.

use proptest::prelude::*;
use proptest::sample::select;
use tensorsmith::describe::format::{Format, Rounding};
use tensorsmith::describe::instruction::{Instruction, Order, Shape};
use tensorsmith::describe::unit::{AlignmentRounding, Flush, Scheme, Unit};
use tensorsmith::infer::Setting;

use super::random_unit::chained_recipe;

/// How an instruction composes its unit.
#[derive(Debug, Clone)]
struct Composition {
    blocks: u32,
    /// Products that the last block lacks, in percent of a block.
    lacking: u32,
    interleaved: bool,
    /// How c is added at the end, if it is: a rounding, then what differs from a correctly rounded addition.
    last: Vec<Setting>,
    /// Formats of a and b that are widened to one, where the unit's hold both.
    operands: Option<[&'static str; 2]>,
    /// Format of c, where the one it is added in holds it.
    addend: Option<&'static str>,
}

/// A final addition: some are correctly rounded, some give another format than the blocks do.
fn last() -> impl Strategy<Value = Vec<Setting>> {
    let of_addition = |setting: Setting| vec![Setting::of_final_addition(setting)];
    let rounding = select(Rounding::ALL.to_vec()).prop_map(|rounding| vec![Setting::FinalAddition(Some(rounding))]);
    let alignment = select(vec![
        AlignmentRounding::TowardZero,
        AlignmentRounding::Downward,
        AlignmentRounding::NearestEven,
        AlignmentRounding::ToOdd,
    ]);
    let window = (1..=40u32, alignment).prop_map(move |(bits, rounding)| {
        [Setting::FractionBits(bits), Setting::AlignmentRounding(rounding)].map(of_addition).concat()
    });
    let flush = any::<[bool; 3]>().prop_map(move |[operands, addend, result]| {
        of_addition(Setting::Subnormals(Flush { operands, addend, result, ..Flush::default() }))
    });
    let floor = (-160..=0i32).prop_map(move |floor| of_addition(Setting::ExponentFloor(Some(floor))));
    let blocks = select(vec![Format::binary32(), Format::bfloat16(), Format::tf32()]);
    let blocks = blocks.prop_map(|format| vec![Setting::OfBlocks(Box::new(format))]);
    let none = || Just(Vec::new());
    let blocks = prop_oneof![3 => none(), 1 => blocks];
    let window = prop_oneof![1 => none(), 1 => window];
    let flush = prop_oneof![3 => none(), 1 => flush];
    let floor = prop_oneof![5 => none(), 1 => floor];
    (rounding, blocks, window, flush, floor)
        .prop_map(|(rounding, blocks, window, flush, floor)| [rounding, blocks, window, flush, floor].concat())
}

fn composition() -> impl Strategy<Value = Composition> {
    let last = prop_oneof![1 => Just(Vec::new()), 1 => last()];
    let narrow = || select(vec!["e4m3", "e5m2", "e3m2", "e2m3", "e2m1"]);
    let operands = prop_oneof![2 => Just(None), 1 => (narrow(), narrow()).prop_map(|(a, b)| Some([a, b]))];
    let addend = select(vec![None, None, Some("binary16"), Some("bfloat16")]);
    (1..=4u32, prop_oneof![3 => Just(0), 1 => 1..100u32], any::<bool>(), last, operands, addend).prop_map(
        |(blocks, lacking, interleaved, last, operands, addend)| Composition {
            blocks,
            lacking,
            interleaved,
            last,
            operands,
            addend,
        },
    )
}

impl Composition {
    /// An instruction of blocks of a unit, if they can follow each other so.
    fn of(&self, unit: &Unit) -> Option<Instruction> {
        let k = unit.products * self.blocks - unit.products * self.lacking / 100;
        let mut instruction = Instruction {
            name: "random".to_owned(),
            shape: Shape { m: 1, n: 1, k },
            // Of one pair there is nothing to put in another order.
            order: if self.interleaved && k > 2 { Order::InterleavedPairs } else { Order::Contiguous },
            ..Instruction::alone(Unit { name: "random-unit".to_owned(), ..unit.clone() })
        };
        if let Some(names) = self.operands {
            let [a, b] = names.map(|name| Format::named(name).expect("a format"));
            let formats = &unit.formats;
            if formats.a == formats.b && formats.a.holds(&a) && formats.a.holds(&b) {
                (instruction.a, instruction.b) = (a, b);
            }
        }
        if let Some(name) = self.addend {
            let c = Format::named(name).expect("a format");
            if unit.formats.c.holds(&c) {
                instruction.c = c;
            }
        }
        let fits = |setting: &&Setting| match setting {
            // Of other schemes the alignment follows from the formats.
            Setting::OfBlocks(blocks) => {
                matches!(unit.scheme, Scheme::Fused | Scheme::FusedThenAdd) && blocks.holds(&unit.formats.d)
            }
            _ => true,
        };
        self.last.iter().filter(fits).for_each(|setting| setting.apply(&mut instruction));
        let composed = !instruction.is_alone();
        let added = self.last.is_empty() || unit.has_addend();
        (k <= 128 && composed && added && instruction.is_valid()).then_some(instruction)
    }
}

/// Instructions that are no unit alone.
pub fn instruction() -> impl Strategy<Value = Instruction> {
    (chained_recipe(), composition()).prop_filter_map("blocks that can follow each other", |(recipe, composition)| {
        composition.of(&recipe.unit().ok()?)
    })
}
