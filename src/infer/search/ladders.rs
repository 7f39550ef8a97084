//! Numbers of places come in ladders: the further one lies from the hypothesis's, the more sums it changes. Where one is
//! indistinguishable, those between it and the hypothesis's are taken to be so too. Asks the box nothing.

use std::collections::BTreeMap;

use crate::describe::instruction::Instruction;
use crate::infer::space::Setting;

/// Alternatives, that which differs most first.
pub(in crate::infer) type Ladder<'a> = Vec<&'a (Setting, Instruction)>;

/// Every alternative in a ladder of its own, but numbers: those of one field above the hypothesis's in one, and those below in
/// one.
pub(in crate::infer) fn ladders<'a>(
    hypothesis: &Instruction,
    open: Vec<&'a (Setting, Instruction)>,
) -> Vec<Ladder<'a>> {
    let mut numbers: BTreeMap<(&str, bool), Ladder> = BTreeMap::new();
    let mut ladders: Vec<Ladder> = Vec::new();
    for alternative in open {
        let setting = &alternative.0;
        match setting.place() {
            None => ladders.push(vec![alternative]),
            Some(_) => {
                numbers.entry((setting.field(), setting.is_below(hypothesis))).or_default().push(alternative);
            }
        }
    }
    for ((_, below), mut ladder) in numbers {
        ladder.sort_by_key(|alternative| alternative.0.place());
        if !below {
            ladder.reverse();
        }
        ladders.push(ladder);
    }
    ladders
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::ladders;
    use crate::describe::unit::AlignmentRounding;
    use crate::infer::search::example::fused;
    use crate::infer::space::Setting;

    /// The furthest comes first, no floor lies below every floor, and a rounding is no number.
    #[test]
    fn numbers_lie_above_and_below_the_hypothesis() {
        let (space, mut hypothesis) = fused();
        Setting::FractionBits(24).apply(&mut hypothesis);
        Setting::ExponentFloor(Some(-3)).apply(&mut hypothesis);
        let settings = [
            Setting::FractionBits(23),
            Setting::FractionBits(30),
            Setting::AlignmentRounding(AlignmentRounding::ToOdd),
            Setting::FractionBits(2),
            Setting::ExponentFloor(None),
            Setting::FractionBits(25),
            Setting::ExponentFloor(Some(-4)),
        ];
        let alternatives: Vec<_> =
            space.alternatives(&hypothesis, &settings).map(|(setting, other)| (setting.clone(), other)).collect();
        let text = |ladder: Vec<&(Setting, _)>| ladder.iter().map(|(setting, _)| setting.text()).collect::<Vec<_>>();
        let ladders = ladders(&hypothesis, alternatives.iter().collect()).into_iter();
        let all: HashSet<String> = ladders.map(|ladder| text(ladder).join(", ")).collect();
        assert_eq!(all, ["\"to-odd\"", "30, 25", "2, 23", "\"none\", -4"].map(str::to_owned).into());
    }

    #[test]
    fn number_without_end_is_the_furthest() {
        for setting in [Setting::AddendReach, Setting::TotalFractionBits] {
            let place = |number: Option<u32>| setting(number).place();
            assert!(place(None) > place(Some(120)) && place(Some(120)) > place(Some(0)));
        }
    }
}
