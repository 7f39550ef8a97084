//! What a name stands for: a device for its instructions, any other name for itself.
//!
//! Invariant: compares descriptions only, and asks no engine.

use super::super::sides::{check, common_addend};
use crate::cli::{Failure, input};
use tensorsmith::describe::device::Device;
use tensorsmith::describe::interface::Interface;
use tensorsmith::describe::subject::Subject;

/// Instructions of a group that one description computes, or a unit by itself.
pub(super) struct Class {
    /// As the command line takes them.
    pub names: Vec<String>,
    pub subject: Subject,
    /// Formats and sizes of its vectors.
    pub interface: Interface,
}

/// What one name of the command line stands for.
pub(super) struct Group {
    pub name: String,
    pub is_device: bool,
    pub classes: Vec<Class>,
}

impl Group {
    /// The device of that name, or the unit or instruction.
    pub fn named(name: &str) -> Result<Group, Failure> {
        let mut group = Group { name: name.to_owned(), is_device: false, classes: Vec::new() };
        match Device::meant(name) {
            Some(device) => {
                group.is_device = true;
                device.instructions.into_iter().for_each(|one| group.add(&one.name.clone(), one.into()));
            }
            None => group.add(name, input::subject_beside_devices(name)?.subject),
        }
        Ok(group)
    }

    fn add(&mut self, name: &str, subject: Subject) {
        match self.classes.iter_mut().find(|class| class.subject.has_arithmetic_of(&subject)) {
            Some(class) => class.names.push(name.to_owned()),
            None => self.classes.push(Class { names: vec![name.to_owned()], interface: subject.interface(), subject }),
        }
    }

    /// Whether one of the group's classes computes the same.
    fn has(&self, class: &Class) -> bool {
        self.classes.iter().any(|own| own.subject.has_arithmetic_of(&class.subject))
    }

    /// The name, and of a device the instructions of that class.
    pub fn label(&self, class: &Class) -> String {
        let Group { name, .. } = self;
        if self.is_device { format!("{name} ({})", class.names.join(", ")) } else { name.clone() }
    }

    /// Interfaces, each with all K that it comes with.
    pub fn interfaces(&self) -> String {
        let mut known: Vec<(String, Vec<u32>)> = Vec::new();
        for class in &self.classes {
            let (own, k) = (formats(&class.interface), class.interface.products);
            match known.iter_mut().find(|(formats, _)| *formats == own) {
                Some((_, all)) if all.contains(&k) => {}
                Some((_, all)) => all.push(k),
                None => known.push((own, vec![k])),
            }
        }
        let text = |(formats, mut all): (String, Vec<u32>)| {
            all.sort_unstable();
            let all: Vec<String> = all.iter().map(u32::to_string).collect();
            format!("{formats} (K {})", all.join(", "))
        };
        known.into_iter().map(text).collect::<Vec<_>>().join("; ")
    }
}

/// Formats of operands, addend, result and scales, in words.
pub(super) fn formats(interface: &Interface) -> String {
    let of = &interface.formats;
    let c = if interface.has_addend() { format!(" + {}", of.c.name) } else { String::new() };
    let scales = interface.scales.as_ref().map_or(String::new(), |scales| {
        format!(", scales {} and {} for each {}", scales.a.name, scales.b.name, scales.block)
    });
    format!("{} x {}{c} -> {}{scales}", of.a.name, of.b.name, of.d.name)
}

/// The formats of both, with the c that both hold.
pub(super) fn common_formats(left: &Interface, right: &Interface) -> Result<String, Failure> {
    let mut common = left.clone();
    common.formats.c = common_addend(&[left.clone(), right.clone()])?;
    Ok(formats(&common))
}

/// Whether both take the same vectors, in one run or as sums of `k` products, and answer in one format.
pub(super) fn comparable(left: &Interface, right: &Interface, k: Option<u32>) -> bool {
    let chains = |interface: &Interface, k: u32| {
        let adds = || interface.has_addend() && interface.formats.c.holds(&interface.formats.d);
        let whole = interface.scales.is_none() || k.is_multiple_of(interface.products);
        whole && (k <= interface.products || adds())
    };
    left.formats.d == right.formats.d
        && check(left, right, k.is_none()).is_ok()
        && common_addend(&[left.clone(), right.clone()]).is_ok()
        && k.is_none_or(|k| chains(left, k) && chains(right, k))
}

/// Pairs of classes, as places in both groups, with whether one description computes both.
///
/// A pair is left out where each of the two has its equal in the other group: then the difference is one within a device.
pub(super) fn pairs(left: &Group, right: &Group, k: Option<u32>) -> Vec<([usize; 2], bool)> {
    let mut pairs = Vec::new();
    for (i, one) in left.classes.iter().enumerate() {
        for (j, other) in right.classes.iter().enumerate() {
            let same = one.subject.has_arithmetic_of(&other.subject);
            let within = !same && right.has(one) && left.has(other);
            if !within && comparable(&one.interface, &other.interface, k) {
                pairs.push(([i, j], same));
            }
        }
    }
    pairs
}
