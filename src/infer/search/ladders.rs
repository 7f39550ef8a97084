//! Floors come in ladders: the further one lies from the hypothesis's, the more terms it cuts otherwise. Where one makes no
//! difference that could be found, those between it and the hypothesis's are taken to make none either. Asks the box nothing.

use crate::describe::instruction::Instruction;
use crate::infer::space::Setting;

/// Alternatives, that which differs most first.
pub(in crate::infer) type Ladder<'a> = Vec<&'a (Setting, Instruction)>;

/// Every alternative in a ladder of its own, but floors: those above the hypothesis's in one, and those below in one.
pub(in crate::infer) fn ladders<'a>(
    hypothesis: &Instruction,
    open: Vec<&'a (Setting, Instruction)>,
) -> Vec<Ladder<'a>> {
    let alignment = hypothesis.unit.alignment.exponent_floor;
    let addition = hypothesis.unit.addition.as_ref().and_then(|addition| addition.exponent_floor);
    let mut floors: [Ladder; 4] = Default::default();
    let mut ladders: Vec<Ladder> = Vec::new();
    for alternative in open {
        let (kind, floor, own) = match alternative.0 {
            Setting::ExponentFloor(floor) => (0, floor, alignment),
            Setting::AdditionFloor(floor) => (2, floor, addition),
            _ => {
                ladders.push(vec![alternative]);
                continue;
            }
        };
        floors[kind + usize::from(floor < own)].push(alternative);
    }
    // No floor at all is the least of them.
    let height = |alternative: &&(Setting, Instruction)| match alternative.0 {
        Setting::ExponentFloor(floor) | Setting::AdditionFloor(floor) => floor,
        _ => None,
    };
    for (index, mut ladder) in floors.into_iter().enumerate() {
        ladder.sort_by_key(height);
        if index % 2 == 0 {
            ladder.reverse();
        }
        ladders.push(ladder);
    }
    ladders
}
