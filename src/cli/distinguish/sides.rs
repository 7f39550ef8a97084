//! The subjects of a question side by side: what they must have in common, and one shape of vectors for all.

use crate::cli::{Failure, input};
use tensorsmith::describe::format::Format;
use tensorsmith::describe::interface::{Frame, Interface};
use tensorsmith::describe::subject::Subject;
use tensorsmith::engine::{Chained, Kind, Opened, Vector};

/// One subject, ready to answer vectors of the common shape.
pub(super) struct Side {
    pub name: String,
    /// Products of the subject's own vectors.
    pub own_products: u32,
    /// Formats and sizes of the common vectors, and the subject's d.
    pub frame: Frame,
    pub emulator: Chained,
    reference: Chained,
}

/// Opens the named subjects for vectors of `products` products, or of as many as all of them have.
pub(super) fn sides(names: &[String], products: Option<u32>) -> Result<Vec<Side>, Failure> {
    let subject = |name: &String| Ok(input::subject_beside_devices(name)?.subject);
    sides_of(&names.iter().map(subject).collect::<Result<Vec<Subject>, Failure>>()?, products)
}

/// Opens subjects for vectors of `products` products, or of as many as all of them have.
pub(super) fn sides_of(subjects: &[Subject], products: Option<u32>) -> Result<Vec<Side>, Failure> {
    let frames: Vec<Frame> = subjects.iter().map(Subject::frame).collect();
    frames[1..].iter().try_for_each(|other| check(&frames[0], other, products.is_none()))?;
    let (products, c) = (
        products.unwrap_or(frames[0].products),
        common_addend(&subjects.iter().map(Subject::interface).collect::<Vec<_>>())?,
    );
    let open = |subject: &Subject, own: &Frame, kind: Kind| match kind.open_subject(subject)? {
        Opened::Ready(engine) => Ok(Chained::new(engine, own, products, &c)?),
        Opened::Absent(reason) => Err(Failure(format!("{}: {reason}", kind.name()))),
    };
    let side = |(subject, own): (&Subject, &Frame)| {
        let mut frame = own.clone();
        (frame.interface.products, frame.interface.formats.c) = (products, c.clone());
        let (emulator, reference) = (open(subject, own, Kind::Emulator)?, open(subject, own, Kind::Reference)?);
        Ok(Side { name: own.name.clone(), own_products: own.products, frame, emulator, reference })
    };
    subjects.iter().zip(&frames).map(side).collect()
}

/// Refuses subjects that take different vectors.
pub(super) fn check(first: &Interface, other: &Interface, same_products: bool) -> Result<(), Failure> {
    for (what, [left, right]) in input::interface_mismatches(first, other) {
        let allowed = match what {
            "a" | "b" => "subjects whose a, and whose b, have one format",
            "scales" => "subjects with the same scales",
            "number of products" if same_products => "subjects of one number, or --k for sums in several runs",
            _ => continue,
        };
        let (first, other) = (&first.name, &other.name);
        return Err(Failure(format!("{what} of {first} is {left}, of {other} {right}; allowed: {allowed}")));
    }
    Ok(())
}

/// The format of c that each subject's holds; absent where one has none.
pub(super) fn common_addend(interfaces: &[Interface]) -> Result<Format, Failure> {
    if !interfaces.iter().all(Interface::has_addend) {
        return Ok(Format::absent());
    }
    let held = |c: &&Format| interfaces.iter().all(|interface| interface.formats.c.holds(c));
    if let Some(common) = interfaces.iter().map(|interface| &interface.formats.c).find(held) {
        return Ok(common.clone());
    }
    let first = &interfaces[0];
    let apart = |other: &&Interface| !other.formats.c.holds(&first.formats.c);
    let other = interfaces.iter().find(apart).unwrap_or(first);
    let (left, right) = (&first.formats.c.name, &other.formats.c.name);
    let (first, other) = (&first.name, &other.name);
    let allowed = "subjects of which one has a c that all others hold";
    Err(Failure(format!("c of {first} is {left}, of {other} {right}; allowed: {allowed}")))
}

impl Side {
    /// What emulator and reference answer alike after each run; the last one is the result.
    pub fn steps(&mut self, vector: &Vector) -> Result<Vec<u64>, Failure> {
        let steps = [self.emulator.steps(vector)?, self.reference.steps(vector)?];
        if steps[0] != steps[1] {
            let name = &self.name;
            return Err(Failure(format!(
                "emulator and reference of {name} differ; `tensorsmith cosim {name}` shows where"
            )));
        }
        let [steps, _] = steps;
        Ok(steps)
    }

    /// Whether it answers vectors in one run.
    pub fn alone(&self) -> bool {
        self.own_products == self.frame.products
    }

    /// A command that shows the answer again.
    pub fn command(&self, named: &str, vector: &Vector) -> Option<String> {
        let list = |name: &str, numbers: &[u64]| {
            let numbers: Vec<String> = numbers.iter().map(|bits| format!("{bits:#x}")).collect();
            if numbers.is_empty() { String::new() } else { format!(" --{name} {}", numbers.join(",")) }
        };
        let used = (0..vector.a.len()).rev().find(|&place| vector.a[place] != 0 || vector.b[place] != 0);
        let count = used.map_or(0, |last| last + 1);
        let scales = list("scale-a", &vector.scale_a) + &list("scale-b", &vector.scale_b);
        let operands = list("a", &vector.a[..count]) + &list("b", &vector.b[..count]) + &scales;
        let c = if self.frame.has_addend() && vector.c != 0 { list("c", &[vector.c]) } else { String::new() };
        self.alone().then(|| format!("tensorsmith eval {named}{operands}{c}"))
    }
}
