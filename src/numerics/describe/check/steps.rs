//! Lists of steps: how many numbers each leaves, where c enters, and whether the last one is rounded to d.

use super::{Problem, problem};
use crate::describe::arithmetic::{AddendPlace, Order, RoundTo, Step, StepRound};
use crate::describe::plan::{Plan, WORD_BITS_MAX};
use crate::describe::unit::{StepList, Unit};

impl Unit {
    pub(super) fn check_steps(&self, list: &StepList) -> Result<(), Problem> {
        let (mut count, mut entries) = (self.products, 0);
        for (index, step) in list.steps.iter().enumerate() {
            let path = |key: &str| format!("step {}.{key}", index + 1);
            self.check_step(step, count, &path)?;
            entries += u32::from(step.c.is_some());
            count = count / step.group.unwrap_or(count) * step.lanes;
        }
        if count != 1 {
            let allowed = "1: its result is d";
            return Err(problem("step", format!("a list whose last step leaves {count} numbers"), allowed));
        }
        if entries != u32::from(self.has_addend()) {
            let allowed = if self.has_addend() { "one of them has c" } else { "none, for there is no formats.c" };
            return Err(problem("step", format!("a list in which c enters {entries} steps"), allowed));
        }
        let last = list.steps.last().and_then(|step| step.round.last());
        if last != Some(&StepRound::Result) {
            let path = format!("step {}.round", list.steps.len());
            return Err(problem(&path, "another one", "\"d\" at its end: the last rounding is that of [conversion]"));
        }
        self.check_widened(list)?;
        self.check_blocks(list)?;
        let needed = Plan::of(self).word_bits();
        if needed > WORD_BITS_MAX {
            let value = format!("a list with a sum of {needed} bits");
            let allowed = format!("sums of at most {WORD_BITS_MAX} bits: windows, or roundings of what is exact");
            return Err(problem("step", value, allowed));
        }
        Ok(())
    }

    /// Operands enter as numbers of formats that have them all.
    fn check_widened(&self, list: &StepList) -> Result<(), Problem> {
        let operands = [("a", &self.formats.a), ("b", &self.formats.b), ("c", &self.formats.c)];
        for ((operand, format), wider) in operands.into_iter().zip(&list.widened) {
            let Some(wider) = wider else { continue };
            let path = format!("widened.{operand}");
            if format.is_absent() {
                return Err(problem(&path, &wider.name, format!("nothing, for there is no formats.{operand}")));
            }
            if !wider.holds(format) {
                return Err(problem(&path, &wider.name, format!("a format with every number of {}", format.name)));
            }
        }
        Ok(())
    }

    fn check_step(&self, step: &Step, count: u32, path: &impl Fn(&str) -> String) -> Result<(), Problem> {
        let (group, lanes) = (step.group.unwrap_or(count), step.lanes);
        if !count.is_multiple_of(group) {
            return Err(problem(&path("group"), group, format!("a divisor of the {count} numbers that it takes")));
        }
        if !group.is_multiple_of(lanes) {
            return Err(problem(&path("lanes"), lanes, format!("a divisor of the {group} numbers of a group")));
        }
        if step.c.is_some() && (group != count || lanes != 1) {
            let place = if step.c == Some(AddendPlace::First) { "first" } else { "last" };
            return Err(problem(&path("c"), format!("{place:?}"), "nothing in a step that makes several sums"));
        }
        if step.c.is_some() && !self.has_addend() {
            return Err(problem(&path("c"), "given", "nothing, for there is no formats.c"));
        }
        for round in &step.round {
            let StepRound::To(round) = round else { continue };
            if let RoundTo::Range { exponent_min: Some(least), exponent_max: Some(greatest), .. } = round.to
                && least > greatest
            {
                return Err(problem(&path("round.exponent_min"), least, format!("at most exponent_max, {greatest}")));
            }
        }
        Ok(())
    }

    /// Numbers that are scaled come from one block each.
    fn check_blocks(&self, list: &StepList) -> Result<(), Problem> {
        let block = self.scales.as_ref().map_or(self.products, |scales| scales.block);
        let order = list.permutation.indices(self.products);
        let of = |index: u32| order.get(index as usize).copied().unwrap_or(index) / block;
        let mut blocks: Vec<Option<u32>> = (0..self.products).map(|index| Some(of(index))).collect();
        for (index, step) in list.steps.iter().enumerate() {
            let path = format!("step {}.scaled", index + 1);
            if step.scaled && self.scales.is_none() {
                return Err(problem(&path, true, "false, for there is no [scales]"));
            }
            if step.scaled && (step.c.is_some() || step.order != Order::AtOnce) {
                return Err(problem(&path, true, "false for a chain, a tree, and a sum with c"));
            }
            let (group, lanes) = (step.group.map_or(blocks.len(), |group| group as usize), step.lanes as usize);
            let mut left = Vec::new();
            for group in blocks.chunks(group) {
                for lane in 0..lanes {
                    let mut part = group[lane..].iter().step_by(lanes);
                    let first = part.next().copied().flatten();
                    left.push(first.filter(|_| part.all(|other| *other == first)));
                }
            }
            if step.scaled && left.contains(&None) {
                return Err(problem(&path, true, format!("false for a sum of numbers of several blocks of {block}")));
            }
            blocks = left;
        }
        Ok(())
    }
}
