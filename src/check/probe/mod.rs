//! Directed vectors that ask one question each: a name, a source, and inputs made from parameters.
//!
//! A probe is made from the formats and sizes of a unit only, for every value of a parameter that such a unit could have (F, see
//! `Bench::fraction_bits`, every position, ...), so that the answers to all of them decide between hypotheses. A value that the formats
//! do not have is left out, never rounded.
//!
//! Architecture invariant: knows formats and sizes; neither how a unit sums, nor a plan, nor an engine's answer.

mod addend;
mod bench;
mod carry;
mod exceptions;
mod floor;
mod integers;
mod order;
mod rounding;
mod scales;
mod structure;
mod subnormals;
mod value;
mod window;
mod zeros;

pub use bench::{Bench, Fit, Sum, Term};
pub use value::Value;

use crate::describe::interface::Interface;
use crate::engine::Vector;

/// Units that a question makes sense for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Units {
    /// All with floating-point operands.
    FloatingPoint,
    /// Those of them with scales.
    Scaled,
    Integer,
}

/// One question.
#[derive(Debug, Clone, Copy)]
pub struct Test {
    pub name: &'static str,
    /// What the answers decide.
    pub decides: &'static str,
    /// Paper and section, or what else the inputs are taken from.
    pub source: &'static str,
    pub units: Units,
    probes: fn(&Bench) -> Probes,
}

/// One vector of a test, with the parameters that it was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    pub parameters: Vec<(&'static str, i32)>,
    pub vector: Vector,
}

impl Probe {
    /// Whether the probe has all of these parameters.
    pub fn has(&self, parameters: &[(&str, i32)]) -> bool {
        parameters.iter().all(|parameter| self.parameters.contains(parameter))
    }
}

impl Test {
    /// The vectors for a unit, or for the frame of an instruction; none where nothing can be asked.
    pub fn probes(&self, interface: &Interface) -> Vec<Probe> {
        let bench = Bench::of(interface);
        let fits = match self.units {
            Units::FloatingPoint => !bench.a.is_integer(),
            Units::Scaled => bench.scales.is_some(),
            Units::Integer => bench.a.is_integer(),
        };
        if fits { (self.probes)(&bench).0 } else { Vec::new() }
    }
}

/// Probes in their order, without those that the formats do not have.
#[derive(Default)]
struct Probes(Vec<Probe>);

impl Probes {
    fn add(&mut self, parameters: &[(&'static str, i32)], vector: Option<Vector>) {
        self.0.extend(vector.map(|vector| Probe { parameters: parameters.to_vec(), vector }));
    }
}

/// Feature tests of the published papers.
pub fn features() -> Vec<Test> {
    let groups: [&[Test]; 8] = [
        subnormals::TESTS,
        rounding::TESTS,
        window::TESTS,
        order::TESTS,
        structure::TESTS,
        carry::TESTS,
        scales::TESTS,
        integers::TESTS,
    ];
    groups.concat()
}

/// Questions on which sources disagree, or of which none speaks.
pub fn open_questions() -> Vec<Test> {
    let groups: [&[Test]; 7] =
        [floor::TESTS, zeros::TESTS, exceptions::TESTS, addend::TESTS, scales::OPEN, order::OPEN, window::OPEN];
    groups.concat()
}

/// All of them, those of the papers first.
pub fn all() -> Vec<Test> {
    [features(), open_questions()].concat()
}

/// 1, 2, 3, 4, 6, 8, 12, ... up to a number, and the number itself.
fn counts(most: usize) -> Vec<usize> {
    let mut counts: Vec<usize> =
        (0..32).flat_map(|bit| [1usize << bit, 3 << bit]).filter(|count| *count <= most).chain([most]).collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}
