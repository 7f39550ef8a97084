//! Experiments of published works, made again from their texts: what was asked, how the answers are read, and what was read
//! on which device.
//!
//! Vectors are made from values and from a subject's formats, as the work's text has them: constants where it prints
//! constants, parameters where it speaks of them. A value that the formats do not have is left out, never rounded.
//!
//! Architecture invariant: knows formats and sizes of a subject, and its name; neither how it sums, nor a plan.

mod blocks;
mod fasi;
mod features;
mod fttn;
mod grid;
mod hickmann;
mod khattak;
mod reading;
mod run;
mod terms;
mod traces;
mod valpey;

pub use grid::{Axis, Counts, Grid};
pub use reading::{Number, Reading};
pub use run::{Answered, Answers, Comparison, Outcome, Verdict};

use crate::check::probe::{Bench, Fit, Sum};
use crate::describe::subject::Subject;
use crate::engine::Vector;

/// A published work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Work {
    /// Fasi, Higham, Mikaitis, Pranesh: Numerical behavior of NVIDIA tensor cores, 2021; sections of MIMS EPrint 2020.10.
    Fasi,
    /// Hickmann, Bradford: Experimental analysis of matrix multiplication functional units, 2019.
    Hickmann,
    /// Li, Li, Fang, Swirydowicz, Laguna, Gopalakrishnan: FTTN, 2024.
    Fttn,
    /// Khattak, Mikaitis: Accurate models of NVIDIA tensor cores, 2025.
    Khattak,
    /// Valpey, Li, Pai, Gopalakrishnan: An SMT formalization of mixed-precision matrix multiplication, 2025.
    Valpey,
}

impl Work {
    pub const ALL: &'static [Work] = &[Work::Fasi, Work::Hickmann, Work::Fttn, Work::Khattak, Work::Valpey];

    /// Name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Work::Fasi => "fasi",
            Work::Hickmann => "hickmann",
            Work::Fttn => "fttn",
            Work::Khattak => "khattak",
            Work::Valpey => "valpey",
        }
    }

    /// Authors, title, year.
    pub fn citation(self) -> &'static str {
        match self {
            Work::Fasi => {
                "Fasi, Higham, Mikaitis, Pranesh: Numerical behavior of NVIDIA tensor cores, 2021; text and sections of MIMS EPrint \
                 2020.10, and the authors' programs for A100"
            }
            Work::Hickmann => {
                "Hickmann, Bradford: Experimental analysis of matrix multiplication functional units, 2019"
            }
            Work::Fttn => {
                "Li, Li, Fang, Swirydowicz, Laguna, Gopalakrishnan: FTTN: Feature-targeted testing for numerical properties of \
                 NVIDIA & AMD matrix accelerators, 2024"
            }
            Work::Khattak => "Khattak, Mikaitis: Accurate models of NVIDIA tensor cores, 2025",
            Work::Valpey => {
                "Valpey, Li, Pai, Gopalakrishnan: An SMT formalization of mixed-precision matrix multiplication, 2025; measured on \
                 Titan V, RTX 2080 Ti and RTX A6000, beside V100, T4 and A100 here"
            }
        }
    }

    /// Its experiments, in the order of the text.
    pub fn experiments(self) -> Vec<Experiment> {
        match self {
            Work::Fasi => fasi::experiments(),
            Work::Hickmann => hickmann::experiments(),
            Work::Fttn => fttn::experiments(),
            Work::Khattak => khattak::experiments(),
            Work::Valpey => valpey::experiments(),
        }
    }

    /// The units and instructions of the catalogue that model the devices and formats it measured, in the order of its readings.
    pub fn subjects(self) -> Vec<&'static str> {
        let mut subjects = Vec::new();
        for experiment in self.experiments() {
            for published in &experiment.published {
                if !subjects.contains(&published.unit) {
                    subjects.push(published.unit);
                }
            }
        }
        subjects.extend(self.others());
        subjects
    }

    /// Units of the catalogue that the work asks too, but of which no reading is at hand.
    fn others(self) -> &'static [&'static str] {
        match self {
            Work::Hickmann => hickmann::REJECTED,
            Work::Fttn => fttn::OTHERS,
            _ => &[],
        }
    }

    /// What of the work is not asked, and where it is instead.
    pub fn note(self) -> Option<&'static str> {
        match self {
            Work::Fasi => Some(fasi::NOTE),
            Work::Fttn => Some(fttn::NOTE),
            _ => None,
        }
    }

    /// Whether experiments of the work have pictures.
    pub fn has_pictures(self) -> bool {
        self == Work::Hickmann
    }

    /// The picture of what came of an experiment, if it has one and was asked.
    pub fn grid(self, outcome: &Outcome) -> Option<Grid> {
        match self {
            Work::Hickmann => hickmann::grid(outcome),
            _ => None,
        }
    }
}

/// One experiment.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// Lower-case words joined by hyphens.
    pub name: &'static str,
    /// What it asks, in one sentence.
    pub question: &'static str,
    /// Section, table or figure of the work.
    pub source: &'static str,
    /// Products of its sums, at least: a subject with fewer is run several times and adds to its own result.
    pub products: u32,
    /// Whether the reading needs every vector; otherwise those that the formats do not have are left out.
    pub whole: bool,
    /// Whether subjects of such formats can be asked.
    pub fits: fn(&Bench) -> bool,
    pub vectors: fn(&Bench) -> Questions,
    pub read: fn(&[Answered]) -> Reading,
    pub published: Vec<Published>,
}

/// What was read on a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// Device of the catalogue.
    pub device: &'static str,
    /// The unit of the catalogue that models it in the formats of the experiment, or an instruction of its.
    pub unit: &'static str,
    pub reading: Reading,
    /// Where the work says so.
    pub place: &'static str,
    /// What the catalogue's unit reads instead, and why.
    pub instead: Option<(Reading, &'static str)>,
}

impl Published {
    pub fn new(device: &'static str, unit: &'static str, reading: Reading, place: &'static str) -> Published {
        Published { device, unit, reading, place, instead: None }
    }

    /// The catalogue's unit reads something else, for that reason.
    pub fn instead(self, reading: Reading, reason: &'static str) -> Published {
        Published { instead: Some((reading, reason)), ..self }
    }

    /// Whether it was read on what the subject is: that unit or instruction, or an instruction made of that unit.
    pub fn is_of(&self, subject: &Subject) -> bool {
        let made_of = match subject {
            Subject::Unit(_) => false,
            Subject::Instruction(instruction) => instruction.units().all(|unit| unit.name == self.unit),
        };
        made_of || subject.name() == self.unit
    }
}

/// A reading on one device.
fn on((device, unit): (&'static str, &'static str), reading: Reading, place: &'static str) -> Published {
    Published::new(device, unit, reading, place)
}

/// The same reading on several.
fn on_all(devices: &[(&'static str, &'static str)], reading: &Reading, place: &'static str) -> Vec<Published> {
    devices.iter().map(|device| on(*device, reading.clone(), place)).collect()
}

/// One vector of an experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The inputs in a few words.
    pub label: String,
    /// What the experiment varies: an exponent, a position, a number of terms; otherwise the vector's number.
    pub parameter: i32,
    pub vector: Vector,
}

/// Vectors of an experiment in their order, without those that the formats do not have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Questions {
    pub asked: Vec<Question>,
    /// Labels of those that the formats do not have.
    pub left_out: Vec<String>,
}

impl Questions {
    /// Adds a vector, or the note that there is none.
    pub fn add(&mut self, label: impl Into<String>, parameter: i32, vector: Option<Vector>) {
        match (label.into(), vector) {
            (label, Some(vector)) => self.asked.push(Question { label, parameter, vector }),
            (label, None) => self.left_out.push(label),
        }
    }

    /// Sums whose terms stand as they are, numbered from 0.
    pub fn of(bench: &Bench, sums: impl IntoIterator<Item = (String, Sum)>) -> Questions {
        let mut questions = Questions::default();
        for (number, (label, sum)) in sums.into_iter().enumerate() {
            questions.add(label, number as i32, bench.vector(&sum, Fit::EXACT));
        }
        questions
    }
}
