//! A study on devices, whose instructions take the places of those in its file.

use std::collections::BTreeMap;

use serde::Serialize;

use super::file::{Curve, Study};
use crate::describe::device::Device;
use crate::describe::format::Format;
use crate::describe::instruction::Instruction;
use crate::describe::unit::Evidence;

impl Study {
    /// The study with a curve for each device in place of one that other devices may compute, and what became of each.
    pub fn on_devices(mut self, devices: &[Device]) -> (Study, Vec<OnDevice>) {
        let (mut curves, mut instructions, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for (curve, instruction) in self.said.curves.iter().zip(&self.instructions) {
            let Some(own) = instruction.as_ref().filter(|_| curve.devices) else {
                curves.push(curve.clone());
                instructions.push(instruction.clone());
                continue;
            };
            for device in devices {
                let name = format!("{} {}", curve.name, device.name);
                let taken = curve.on_device(own, device);
                if let Ok((theirs, _)) = &taken {
                    // What was published holds for the unit of the file.
                    let unit = Some(theirs.name.clone());
                    curves.push(Curve { name: name.clone(), unit, published: BTreeMap::new(), ..curve.clone() });
                    instructions.push(Some((*theirs).clone()));
                }
                all.push(OnDevice::new(name, own, taken));
            }
        }
        (self.said.curves, self.instructions) = (curves, instructions);
        self.keep_claims();
        (self, all)
    }
}

/// A curve on a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OnDevice {
    pub curve: String,
    /// The instruction that computes it, and where that choice comes from; null where the device has none.
    pub instruction: Option<String>,
    pub evidence: Option<Evidence>,
    /// Why the curve is left out; of one that is computed, what is not as in the file, or null.
    pub reason: Option<String>,
}

impl OnDevice {
    fn new(curve: String, own: &Instruction, taken: Result<(&Instruction, &Evidence), String>) -> OnDevice {
        match taken {
            Err(reason) => OnDevice { curve, instruction: None, evidence: None, reason: Some(reason) },
            Ok((theirs, evidence)) => {
                let differ = |name: &str, theirs: &Format, own: &Format| {
                    (theirs != own).then(|| format!("{name} is {}, {} in the file", theirs.name, own.name))
                };
                let pairs = [("a", &theirs.a, &own.a), ("b", &theirs.b, &own.b), ("d", theirs.d(), own.d())];
                let differences: Vec<String> =
                    pairs.into_iter().filter_map(|(name, theirs, own)| differ(name, theirs, own)).collect();
                let reason = (!differences.is_empty()).then(|| differences.join("; "));
                OnDevice { curve, instruction: Some(theirs.name.clone()), evidence: Some(evidence.clone()), reason }
            }
        }
    }

    /// The line that says what became of the curve.
    pub fn text(&self) -> String {
        let OnDevice { curve, instruction, evidence, reason } = self;
        match (instruction, evidence) {
            (Some(instruction), Some(evidence)) => {
                let reason = reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
                format!("{curve}: {instruction}{reason} [{}]", evidence.grade.name())
            }
            _ => format!("{curve}: skipped, because {}", reason.as_deref().unwrap_or_default()),
        }
    }
}

impl Curve {
    /// The instruction of a device that computes this curve of another instruction; or why none does.
    fn on_device<'a>(&self, own: &Instruction, device: &'a Device) -> Result<(&'a Instruction, &'a Evidence), String> {
        let (theirs, evidence) = device.default_like(own).map_err(|error| error.to_string())?;
        match self.promote_every {
            Some(every) if !every.is_multiple_of(theirs.shape.k) => Err(format!(
                "promote_every is {every}; allowed: multiples of {}, the k of {}",
                theirs.shape.k, theirs.name
            )),
            _ => Ok((theirs, evidence)),
        }
    }
}
